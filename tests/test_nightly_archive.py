"""`nightly` on archives: sealed days and journals, in several processes, killed and run again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from tests.archived import archive_of, floor
from tests.nights import contents, items, nightly, rows

ROOT: Final = Path(__file__).parent.parent
DAYS: Final = ("2025-03-01", "2025-03-02")
# Drawn at random: parts of the time that a whole run takes.
MOMENTS: Final = (0.31, 0.58, 0.12, 0.66, 0.43, 0.79, 0.52, 0.87, 0.71, 0.94)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return floor(tmp_path_factory.mktemp("floor") / "played")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, played: Path) -> Path:
    return archive_of(tmp_path_factory.mktemp("kept") / "archive", played)


def told(out: Path, day: str) -> dict[str, bytes]:
    """Give the day's reports; where an archive is read, the last receipt is a millisecond's."""
    return {name: body for name, body in contents(out / day).items() if name.endswith(".csv")}


@pytest.mark.parametrize("day", DAYS)
def test_an_archive_gives_what_the_floor_gives(day: str, archive: Path, played: Path, tmp_path: Path) -> None:
    ran = [nightly(each, out=tmp_path / each.name, day=day) for each in (archive, played)]
    assert items(ran[0]) == items(ran[1])
    assert told(tmp_path / archive.name, day) == told(tmp_path / played.name, day)
    assert sum(row["rounds"] for row in rows(tmp_path / archive.name, "pace", day)) > 50


def test_what_is_not_sealed_gives_the_same(archive: Path, played: Path, tmp_path: Path) -> None:
    unsealed = archive_of(tmp_path / "archive", played, lambda *_: ())
    nightly(unsealed, out=tmp_path / "unsealed", day=DAYS[0])
    nightly(archive, out=tmp_path / "sealed", day=DAYS[0])
    assert contents(tmp_path / "unsealed" / DAYS[0]) == contents(tmp_path / "sealed" / DAYS[0])


def test_the_last_day_of_an_archive(archive: Path, tmp_path: Path) -> None:
    nightly(archive, out=tmp_path, day=None)
    assert [each.name for each in tmp_path.glob("2*")] == [DAYS[1]]


def test_days_in_any_order_come_to_the_same(archive: Path, tmp_path: Path) -> None:
    for out, days in (("on", DAYS), ("back", (*reversed(DAYS), DAYS[1]))):
        for day in days:
            nightly(archive, out=tmp_path / out, day=day)
    assert contents(tmp_path / "on") == contents(tmp_path / "back")


def process(archive: Path, out: Path, jobs: int) -> subprocess.Popen[bytes]:
    program = "from replay.cli import main; main()"
    arguments = ["nightly", str(archive), "--gaming-day", DAYS[0], "--out", str(out), "--jobs", str(jobs)]
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(  # noqa: S603  our own program
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": paths},
    )


def test_several_processes_come_to_the_same_as_one(archive: Path, tmp_path: Path) -> None:
    for jobs in (1, 2):
        assert process(archive, tmp_path / str(jobs), jobs).wait() == 1
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_killed_at_ten_moments_and_run_again(archive: Path, tmp_path: Path) -> None:
    begun = time.monotonic()
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert process(archive, whole, 2).wait() == 1
    long = time.monotonic() - begun
    for part in MOMENTS:
        running = process(archive, out, 2)
        time.sleep(part * long)
        running.send_signal(signal.SIGKILL)
        running.wait()
        assert not (out / DAYS[0]).exists() or contents(out / DAYS[0]) == contents(whole / DAYS[0])
    assert process(archive, out, 2).wait() == 1
    assert contents(out) == contents(whole)
