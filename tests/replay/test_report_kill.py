"""A run that is killed, at every step in turn: the day's folder is the old one or the new, and never a part.

The kills are made in a process of its own (this module, run), which has no threads and can fork.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from replay.exports.report import Report
from replay.exports.report.folder import write
from replay.exports.report.pages import entry, list_page, report_page
from tests.builders.reports import ABOUT, EMPTY, WIN

ROOT: Final = Path(__file__).parents[2]
DAY: Final = "2026-03-07"
OLD: Final = (replace(WIN, plot=None),)
NEW: Final = (replace(EMPTY, name="cash", restricted="finance"),)
STEPS: Final = frozenset({"open", "os.rename", "os.mkdir"})
ANYWHERE: Final = frozenset({"os.remove", "os.rmdir", "ctypes.dlsym"})  # whose paths are not told whole


def test_a_kill_at_any_step_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-m", "tests.replay.test_report_kill"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    new, replaced = map(int, done.stdout.split())
    # A folder, six files that are each opened and renamed, and their folder's name; then the old files go.
    assert new > 2 + 6 * 2
    assert replaced > new + 6


def contents(out: Path) -> dict[str, bytes]:
    folder = out / DAY
    return {
        each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()
    }


def forked(out: Path, reports: Sequence[Report], moment: int | None = None) -> bool:
    """Write in another process, that is killed before its step of that number; return whether it was."""
    child = os.fork()
    if child:
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert ended in {0, -signal.SIGKILL}
        return ended != 0
    steps = count()

    def watch(event: str, args: object) -> None:
        ours = event in ANYWHERE or (event in STEPS and str(out) in str(args))
        if ours and next(steps) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    write(out, ABOUT, reports)
    os._exit(0)


def killed_everywhere(here: Path, old: Path, new: Path) -> int:
    """Kill a run at each of its steps, and let another finish it; give the number of steps."""
    states = [contents(old), contents(new)]
    for moment in count():
        out = here / str(moment)
        shutil.copytree(old, out)
        killed = forked(out, NEW, moment)
        assert contents(out) in states, moment
        assert not forked(out, NEW)
        assert contents(out) == states[1], moment
        assert sorted(each.name for each in out.iterdir()) == [".lock", DAY], moment
        if not killed:
            return moment
    raise AssertionError


def main() -> None:
    # Loaded here, and not in each of the processes that are killed.
    for each in ("replay.exports.report.plots", "replay.lists.parquet_file"):
        import_module(each)
    list_page(ABOUT, [entry(report) for report in NEW if report_page(report)])
    here = Path.cwd()
    (here / "nothing").mkdir()
    assert not forked(here / "old", OLD)
    assert not forked(here / "new", NEW)
    assert contents(here / "old") != contents(here / "new")
    print(killed_everywhere(here / "first", here / "nothing", here / "new"))  # noqa: T201  for the test
    print(killed_everywhere(here / "again", here / "old", here / "new"))  # noqa: T201  likewise


if __name__ == "__main__":
    main()
