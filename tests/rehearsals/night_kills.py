"""Runs of `nightly` that are killed, from a process of its own: it has read the program once, and can fork.

Arguments: an archive, a gaming day, and a folder. The run that is not killed writes into `whole`, the others
one after the other into `killed`; says how many were killed before they had ended.
"""

import os
import signal
import sys
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Final

from replay.exports.report import pages
from schemas import law_text
from tests.builders.nights import read_folder, run_nightly

# Before which of a whole run's steps in its folder each run is killed: parts of their number, at random.
# A run that goes on with what another audited has fewer of them. Each step in which a folder is written is
# killed in test_report_kill.
MOMENTS: Final = (0.06, 0.31, 0.66, 0.87, 0.71)
# The reports that are made: all of them take most of a run, and bring no other kind of step.
MADE: Final = ("findings", "pace", "win_by_table", "cash_by_patron")
STEPS: Final = frozenset({"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"})


def forked(archive: str, day: str, out: Path, moment: int | None = None) -> int:
    """Run in another process, killed before its step of that number; return its exit status.

    That is the signal with a minus, where it was killed. A run that ends leaves the number of its steps in
    the file `steps` beside its folder.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    steps = count()

    def watch(event: str, args: object) -> None:
        if event in STEPS and str(out) in str(args) and next(steps) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    ran = run_nightly(Path(archive), out=out, day=day, only=MADE)
    out.with_name("steps").write_text(str(next(steps)), encoding="ascii")
    os._exit(ran.exit_code)


def kills(archive: str, day: str, folder: Path) -> int:
    """Kill runs at their moments, and see that each leaves the whole folder or none."""
    whole, killed = folder / "whole", folder / "killed"
    assert forked(archive, day, whole) == 1
    steps = int((folder / "steps").read_text(encoding="ascii"))
    before = 0
    for part in MOMENTS:
        before += forked(archive, day, killed, round(part * steps)) == -signal.SIGKILL
        assert not (killed / day).exists() or read_folder(killed / day) == read_folder(whole / day)
    assert forked(archive, day, killed) == 1
    assert read_folder(killed) == read_folder(whole)
    return before


if __name__ == "__main__":
    # Loaded here, and not in each of the processes that are killed.
    for each in ("replay.cli.nightly", "replay.lists.parquet_file"):
        import_module(each)
    for each in ("report.html", "index.html"):
        pages._environment.get_template(each)  # noqa: SLF001  likewise
    law_text.chapter("631a")
    print(kills(sys.argv[1], sys.argv[2], Path(sys.argv[3])))  # noqa: T201  what the test reads
