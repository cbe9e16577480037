"""Play a whole floor and write it: events, house file and labels."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct

from schemas.codec import Frame, encode
from schemas.errors import BadInput
from schemas.law_text import chapter
from streams.simulator import floor
from streams.simulator.delivery import deliver
from streams.simulator.frames import Arrival, cut
from streams.simulator.games import SCRIPTS
from streams.simulator.labels import Label
from streams.simulator.plan import ZONE, Plan
from streams.simulator.reporting import report
from streams.simulator.sensors import sense
from streams.simulator.table import Table

START: Final = datetime(2025, 3, 1, 6, tzinfo=ZoneInfo(ZONE))
_UNTIL: Final = date(9000, 1, 1)  # well within what a calendar holds
_LONGEST: Final = 8760  # hours
_ENCODER: Final = msgspec.json.Encoder()


class Played(Struct, frozen=True):
    """What was written: tables, rounds, events and labels."""

    tables: int
    rounds: int
    events: int
    labels: int


class Outline(Struct, frozen=True):
    """A floor that is to be played: its tables, and from when to when, microseconds UTC."""

    plans: list[Plan]
    first: int
    last: int


class TableDay(Struct, frozen=True):
    """A table as it stood at its close, the arrivals of its events, their frames, and what was injected."""

    table: Table
    arrivals: list[Arrival]
    frames: list[Frame]
    labels: list[Label]


def simulate(
    out: Path,
    *,
    tables: int,
    hours: float,
    seed: str,
    rates: dict[str, float],
    start: datetime = START,
    mixed: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Played:
    """Play `tables` tables for `hours` hours from `start` and write an event archive with labels into `out`.

    Same arguments, same bytes. A `mixed` floor plays every game, table by table in turn. `rates` are those of
    `faults.rates`; `progress` is told each table's name once it is written.

    Raises:
        BadInput: `out` is not an empty folder, there is no table or no time, or the start cannot be played.
    """
    outline = lay_out(out, tables, hours, start, mixed=mixed)
    (out / "events").mkdir()
    rounds = events = labels = 0
    with (out / "labels.jsonl").open("wb") as label_file:
        for plan in outline.plans:
            day = play_table(plan, seed, rates, outline.first, outline.last)
            with (out / "events" / f"{plan.name}.jsonl").open("wb") as event_file:
                event_file.writelines(encode(frame) + b"\n" for frame in day.frames)
            label_file.writelines(label_lines(day.labels))
            rounds += len(day.table.past)
            events += sum(len(frame.events) for frame in day.frames)
            labels += len(day.labels)
            if progress is not None:
                progress(plan.name)
    return Played(tables, rounds, events, labels)


def lay_out(out: Path, tables: int, hours: float, start: datetime, *, mixed: bool = False) -> Outline:
    """Plan a floor and write its house file into `out`, which is made.

    Raises:
        BadInput: `out` is not an empty folder, there is no table or no time, or the start cannot be played.
    """
    plans = floor.plan(max(tables, 1), mixed=mixed)
    _check(out, tables, hours, start, {each.chapter for each in plans})
    out.mkdir(parents=True, exist_ok=True)
    floor.house_file(plans, (start - timedelta(days=1)).date().replace(month=1, day=1), out / "house.yaml")
    first = _micros(start)
    return Outline(plans, first, first + round(hours * 3600 * 1_000_000))


def label_lines(labels: Iterable[Label]) -> Iterator[bytes]:
    """Write labels as lines of JSON."""
    return (_ENCODER.encode(label) + b"\n" for label in labels)


def play_table(plan: Plan, seed: str, rates: dict[str, float], start: int, end: int) -> TableDay:
    """Play one table between two moments, microseconds UTC."""
    rng = Random(f"{seed}/{plan.name}")  # noqa: S311  a game to be repeated, not a secret
    table = SCRIPTS[plan.chapter].play(plan, rng, rates, start, end)
    sensed = sense(table, rng, rates)
    reports = report(sensed.happenings, plan.devices, sensed.clocks)
    arrivals, mishaps = deliver(plan.name, reports, rng, rates)
    frames = list(cut(plan.name, arrivals))
    return TableDay(table, arrivals, frames, [*table.labels, *sensed.labels, *mishaps])


def _check(out: Path, tables: int, hours: float, start: datetime, chapters: Iterable[str]) -> None:
    if tables < 1 or not 0 < hours <= _LONGEST:
        raise BadInput(
            "simulate: a floor has at least one table and plays more than 0 and at most a year of hours"
        )
    if start.tzinfo is None:
        raise BadInput(f"simulate: the start {start} has no offset; write 2025-03-01T06:00-05:00")
    since = max(max(chapter(number).texts) for number in chapters) + timedelta(days=1)
    if not since <= start.date() <= _UNTIL:
        raise BadInput(
            f"simulate: the start {start} is not between {since}, the day after the youngest of its texts "
            f"took effect, and {_UNTIL}"
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"{out} is not an empty folder; name a new one, so that nothing is written over")


def _micros(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
