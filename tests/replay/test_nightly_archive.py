"""`nightly` on archives: sealed days and journals, in several processes, killed and run again."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import pytest
from click.testing import Result

from tests.builders.archives import archive_floor
from tests.builders.nights import read_folder, read_report_rows, run_nightly, unreconciled_items
from tests.builders.processes import UNDRAWN

ROOT: Final = Path(__file__).parents[2]
DAYS: Final = ("2025-03-01", "2025-03-02")
AnyEvent = TypeVar("AnyEvent")


@pytest.fixture
def archive(kept: Path) -> Path:
    return kept  # what the night does with it is to read it


@pytest.fixture(scope="module")
def reported(kept: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Result]]:
    """Return the reports of the archive's days, made in their order, and what was printed of each."""
    out = tmp_path_factory.mktemp("reported") / "reports"
    return out, {day: run_nightly(kept, out=out, day=day) for day in DAYS}


def told(out: Path, day: str) -> dict[str, bytes]:
    """Return the day's reports; where an archive is read, the last receipt is a millisecond's."""
    return {name: body for name, body in read_folder(out / day).items() if name.endswith(".csv")}


def test_an_archive_gives_what_the_floor_gives(
    reported: tuple[Path, dict[str, Result]], played: Path, tmp_path: Path
) -> None:
    out, printed = reported
    for day in DAYS:
        of_floor = run_nightly(played, out=tmp_path, day=day)
        assert unreconciled_items(printed[day]) == unreconciled_items(of_floor)
        assert told(out, day) == told(tmp_path, day)
        assert sum(row["rounds"] for row in read_report_rows(out, "pace", day)) > 20


def test_what_is_not_sealed_gives_the_same(
    reported: tuple[Path, dict[str, Result]], played: Path, tmp_path: Path
) -> None:
    unsealed = archive_floor(tmp_path / "archive", played, lambda *_: ())
    run_nightly(unsealed, out=tmp_path / "unsealed", day=DAYS[0])
    assert read_folder(tmp_path / "unsealed" / DAYS[0]) == read_folder(reported[0] / DAYS[0])


def test_a_sealed_part_that_is_gone_whole_is_missed(closed: Path, tmp_path: Path) -> None:
    kept = Path(shutil.copytree(closed / "archive", tmp_path / "archive"))
    part = f"days/{DAYS[0]}/BAC-101.parquet"
    assert [
        each
        for each in unreconciled_items(run_nightly(kept, out=tmp_path / "whole", day=DAYS[0], only=()))
        if part in each["about"]
    ] == []
    (kept / part).unlink()
    listed = unreconciled_items(run_nightly(kept, out=tmp_path / "gone", day=DAYS[0], only=()))
    assert [(each["what"], each["says"]) for each in listed if each["about"] == part] == [
        ("altered", "is missing")
    ]


def test_the_last_day_of_an_archive(archive: Path, tmp_path: Path) -> None:
    run_nightly(archive, out=tmp_path, day=None, only=())
    assert [each.name for each in tmp_path.glob("2*")] == [DAYS[1]]


def test_days_in_any_order_come_to_the_same(
    archive: Path, reported: tuple[Path, dict[str, Result]], tmp_path: Path
) -> None:
    for day in (*reversed(DAYS), DAYS[1]):
        run_nightly(archive, out=tmp_path, day=day)
    assert read_folder(tmp_path) == read_folder(reported[0])


def started(*arguments: str) -> subprocess.Popen[str]:
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(  # noqa: S603  our own program
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    )


def in_two(archive: Path, out: Path) -> subprocess.Popen[str]:
    """Start the verb in a process that shares its work out over two others."""
    return started(
        *("-c", UNDRAWN, "nightly", str(archive), "--gaming-day", DAYS[0]),
        *("--out", str(out), "--jobs", "2", "--format", "jsonl"),
    )


def test_several_processes_come_to_the_same_as_one(
    archive: Path, reported: tuple[Path, dict[str, Result]], tmp_path: Path
) -> None:
    with in_two(archive, tmp_path / "two") as running:
        said = running.communicate()[0]
    assert running.returncode == 1
    out, printed = reported
    assert said == printed[DAYS[0]].stdout
    assert read_folder(tmp_path / "two" / DAYS[0]) == read_folder(out / DAYS[0])


def test_killed_at_five_moments_and_run_again(archive: Path, tmp_path: Path) -> None:
    with started("-m", "tests.rehearsals.night_kills", str(archive), DAYS[0], str(tmp_path)) as running:
        said = running.communicate()[0]
    assert running.returncode == 0
    assert int(said) == 5, "each of them was killed"


def test_no_process_is_left_behind(archive: Path, tmp_path: Path) -> None:
    left: list[str] = []
    while len(left) != 3:  # two that work and one that keeps count of them; a short night can end unseen
        with in_two(archive, tmp_path) as running:
            left = until(lambda: children(running.pid) if running.poll() is None else ["ended"])
            running.kill()
    assert until(lambda: not any(Path(f"/proc/{each}").exists() for each in left))


def children(process: int) -> list[str]:
    """Return a process's children, once it has three."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    return found if len(found) == 3 else []


def until(said: Callable[[], AnyEvent]) -> AnyEvent:
    """Repeat until there is an answer."""
    ends = time.monotonic() + 60
    while not (answer := said()):
        assert time.monotonic() < ends
        time.sleep(0.01)
    return answer
