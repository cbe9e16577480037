"""What a timeline reads of an archive, in which order it gives what it read, and how little it holds."""

import json
import random
import tracemalloc
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from projections.views.timeline_entry import Concluding, Happening
from replay.cli import main
from replay.recording.recording import Recording
from replay.timeline import timeline_reader as spooling
from replay.timeline.timeline_reader import Reach, TimelineSpill, read_events
from streams.simulator import faults
from streams.simulator.simulate import simulate

DAYS: Final = ("2025-03-01", "2025-03-02")


@pytest.fixture
def archive(kept: Path) -> Path:
    return kept  # a timeline only reads it


def run(*arguments: object) -> Result:
    ran = CliRunner().invoke(main, ["timeline", *map(str, arguments)])
    assert ran.exit_code == 0, ran.stderr
    return ran


@cache
def printed(folder: Path, *more: str) -> str:
    """Return the whole timeline of a floor or an archive, neither of which any test changes."""
    return run(folder, "--format", "jsonl", *more).stdout


def test_an_archive_has_the_timeline_of_its_floor(archive: Path, played: Path) -> None:
    told = [printed(each) for each in (archive, played)]
    assert told[0] == told[1]
    assert len(told[0].splitlines()) > 200


@pytest.mark.parametrize("day", DAYS)
@pytest.mark.parametrize("more", [[], ["--table", "BAC-102", "--events"]])
def test_a_day_of_an_archive_is_what_it_is_in_the_whole(
    day: str, more: list[str], archive: Path, played: Path, tmp_path: Path
) -> None:
    whole = [json.loads(line) for line in printed(played, *more).splitlines()]
    counts, told = {}, {}
    for each in (archive, played):
        out = tmp_path / f"{each.name}.json"
        asked = ("--gaming-day", day, "--format", "jsonl", "--accounting", out, *more)
        told[each] = [json.loads(line) for line in run(each, *asked).stdout.splitlines()]
        counts[each] = json.loads(out.read_bytes())
    of_day = [
        row
        for row in whole
        if row["gaming_date"] == day and row["table"].startswith("BAC")  # the ledgers are not asked for
    ]
    assert told[archive] == of_day
    assert told[played] == of_day
    events = sum(len(json.loads(line)["events"]) for line in lines(played, more))
    assert counts[archive]["read"] < events or day == DAYS[0]
    assert counts[archive]["accounts_left_out"]


def lines(played: Path, more: list[str]) -> list[bytes]:
    named = "BAC-102.jsonl" if more else "BAC-*.jsonl"
    return [line for file in (played / "events").glob(named) for line in file.read_bytes().splitlines()]


def test_the_accounting_names_what_the_simulator_made_of_its_reports(tmp_path: Path) -> None:
    rates = dict.fromkeys(faults.rates(), 0.0)
    rates |= {"event_lost": 0.004, "event_doubled": 0.003, "event_late": 0.002}
    simulate(tmp_path / "floor", tables=2, hours=1, seed="sensors", rates=rates)
    labels = [json.loads(line) for line in (tmp_path / "floor" / "labels.jsonl").read_bytes().splitlines()]
    run(tmp_path / "floor", "--format", "csv", "--accounting", tmp_path / "counts.json")
    counts = json.loads((tmp_path / "counts.json").read_bytes())
    lost = sorted((each["table"], *each["detail"]["id"]) for each in labels if each["sensor"] == "event_lost")
    named = [
        (each["table"], each["device"], each["epoch"], number)
        for each in counts["missing"]
        for number in range(each["first"], each["last"] + 1)
    ]
    assert named == lost
    assert counts["doubled"] == sum(each["sensor"] == "event_doubled" for each in labels)
    beyond = [each for each in labels if each["detail"].get("how") == "beyond_lateness"]
    assert 0 < counts["late"] <= len(beyond)  # what only ends a record has no round that it could revise
    files = (tmp_path / "floor" / "events").glob("*.jsonl")
    frames = [json.loads(line) for file in files for line in file.read_bytes().splitlines()]
    assert counts["read"] == sum(len(frame["events"]) for frame in frames)
    ledgers = sum(len(frame["events"]) for frame in frames if not frame["table"].startswith("BAC"))
    assert counts["ledgers"] == ledgers
    assert counts["used"] == counts["read"] - counts["doubled"] - counts["late"] - ledgers


def test_in_whatever_order_it_was_read(played: Path) -> None:
    with TimelineSpill() as read:
        read_events(read, Recording(played), Reach(every=True))
        moments = list(read.moments())
    shuffled = [(each, place_of(each)) for each in moments]
    random.Random(7).shuffle(shuffled)  # noqa: S311  any order will do
    with TimelineSpill() as again:
        for each, place in shuffled:
            again.add(each, place)
        told = list(again.moments())
    assert [at(each) for each in told] == sorted(at(each) for each in moments)
    assert {repr(each) for each in told} == {repr(each) for each in moments}


def at(moment: Concluding | Happening) -> int:
    return moment.entry.at if isinstance(moment, Happening) else moment.about.at


def place_of(moment: Concluding | Happening) -> tuple[str, int, int]:
    return (moment.entry.device or "", 1, 1) if isinstance(moment, Happening) else ("", 0, 0)


def held(folder: Path, hours: float) -> int:
    """Measure the most bytes that a table's timeline has in memory, but for what the audit itself holds."""
    rates = faults.rates()
    simulate(folder, tables=1, hours=hours, seed="held", rates=rates)
    files = ("replay/timeline/*", "projections/views/timeline_entry.py")
    own = [tracemalloc.Filter(True, f"*/{name}") for name in files]  # noqa: FBT003  tracemalloc's own signature

    def size() -> int:
        traces = tracemalloc.take_snapshot().filter_traces(own)
        return sum(each.size for each in traces.statistics("filename"))

    sizes: list[int] = []
    tracemalloc.start()
    try:
        with TimelineSpill() as read:
            read_events(read, Recording(folder), Reach(every=True))
            sizes.append(size())
            for number, _ in enumerate(read.moments()):
                if number % 1000 == 500:
                    sizes.append(size())
    finally:
        tracemalloc.stop()
    return max(sizes)


def test_what_is_held_does_not_grow_with_the_range(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooling, "_MOST_HELD", 20)
    assert held(tmp_path / "long", 1) < 1.2 * held(tmp_path / "short", 0.25) + 20_000
