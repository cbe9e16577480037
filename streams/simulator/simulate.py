"""Play a whole floor and write it: events, house file and labels."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Concatenate, Final, ParamSpec
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.codec import Frame, encode
from schemas.errors import BadInput
from schemas.law_text import chapter
from streams.simulator import floor
from streams.simulator.chance import Chance
from streams.simulator.frames import Arrival, cut
from streams.simulator.labels import FaultLabel, Label
from streams.simulator.money.books import Books
from streams.simulator.money.closing import close
from streams.simulator.money.ledgers import DEVICES
from streams.simulator.plan import ZONE, Due, Plan
from streams.simulator.playing import TableRun, play_days
from streams.simulator.sessions import Daily, Session, sessions

START: Final = datetime(2025, 3, 1, 6, tzinfo=ZoneInfo(ZONE))
_UNTIL: Final = date(9000, 1, 1)  # well within what a calendar holds
_LONGEST: Final = 8760  # hours
_OF_A_DAY: Final = 24
_ENCODER: Final = msgspec.json.Encoder()
_P = ParamSpec("_P")


class Played(Struct, frozen=True):
    """Counts of what was written: tables, rounds, events and labels."""

    tables: int
    rounds: int
    events: int
    labels: int


class Later(Struct, frozen=True):
    """Other rates of faults, from one of the floor's gaming days on: 2 is the second that is played."""

    since: int
    rates: dict[str, float]


class Outline(Struct, frozen=True):
    """A floor that is to be played: its tables, when they play, its seed, and how often faults are made.

    `rates` are those of `faults.rates`, `later` other ones from a gaming day on.
    """

    plans: list[Plan]
    sessions: list[Session]
    seed: str
    rates: dict[str, float]
    later: Later | None = None

    def daily(self) -> Daily:
        """Return the rates of each gaming day."""
        later = self.later
        return {
            session.day: later.rates if later is not None and number >= later.since else self.rates
            for number, session in enumerate(self.sessions, 1)
        }


class Floor:
    """A floor while it is played, table after table; then its boxes are counted and its books closed."""

    def __init__(self, outline: Outline) -> None:
        self.outline, self.seed, self.daily = outline, outline.seed, outline.daily()
        self.books = Books()

    def tables(self) -> Iterator[TableRun]:
        """Play the tables."""
        for plan in self.outline.plans:
            yield play_days(plan, self.seed, self.daily, self.outline.sessions, self.books)

    def close(self) -> list[FaultLabel]:
        """Count the boxes and close the ledgers, once all tables were played; give the labels of that."""
        rng = Chance(f"{self.seed}/money")
        close(self.books, self.outline.sessions, self.daily, rng)
        return self.books.labels


def write_floor(out: Path, outline: Outline, progress: Callable[[str], None] | None = None) -> Played:
    """Play a floor and write it with its labels into `out`, where it was laid out.

    `progress` gets each table's name once it is written.
    """
    (out / "events").mkdir()
    rounds = events = labels = 0
    floor = Floor(outline)
    with (out / "labels.jsonl").open("wb") as label_file:
        for run in floor.tables():
            _write(out, run.name, run.arrivals)
            label_file.writelines(label_lines(run.labels))
            rounds += run.rounds
            events += len(run.arrivals)
            labels += len(run.labels)
            if progress is not None:
                progress(run.name)
        injected = floor.close()
        label_file.writelines(label_lines(injected))
    for ledger in DEVICES:
        arrivals = floor.books.ledgers.arrivals(ledger)
        _write(out, ledger, arrivals)
        events += len(arrivals)
    return Played(len(outline.plans), rounds, events, labels + len(injected))


def _write(out: Path, name: str, arrivals: list[Arrival]) -> None:
    with (out / "events" / f"{name}.jsonl").open("wb") as file:
        file.writelines(encode(frame) + b"\n" for frame in cut(name, arrivals))


def lay_out(
    out: Path,
    *,
    tables: int,
    hours: float,
    seed: str,
    rates: dict[str, float],
    start: datetime = START,
    days: int = 1,
    mixed: bool = False,
    procedures: bool = False,
    dice_way: int = 1,
    later: Later | None = None,
) -> Outline:
    """Plan `tables` tables for `hours` hours from `start`; write their house file into `out`, which is made.

    On several `days` the hours are played on each. A `mixed` floor plays every game, table by table in turn;
    with `procedures` its tables report the floor's procedures too, where dice come to the table by `dice_way`
    of 603a.13(f). `rates` are those of `faults.rates`, `later` other ones from a gaming day on.

    Raises:
        BadInput: `out` is not an empty folder, there is no table or no time, or the start or the day of
            `later` cannot be played.
    """
    plans = floor.plan(max(tables, 1), mixed=mixed, procedures=procedures, dice_way=dice_way)
    _check(out, tables, hours, start, {each.chapter for each in plans})
    if days < 1 or (days > 1 and hours > _OF_A_DAY):
        raise BadInput(
            "simulate: on several days, of which there is at least one, a day has at most 24 hours"
        )
    played = list(sessions(start, hours, days))
    if later is not None and later.since > len(played):
        raise BadInput(
            f"simulate: other rates from gaming day {later.since} on, of {len(played)} that would be played; "
            "say --days or an earlier one"
        )
    out.mkdir(parents=True, exist_ok=True)
    since = (start - timedelta(days=1)).date().replace(month=1, day=1)
    floor.house_file(plans, since, out / "house.yaml", ledgers=True)
    return Outline(plans, played, seed, rates, later)


def _written_at_once(
    lay_out: Callable[Concatenate[Path, _P], Outline],
) -> Callable[Concatenate[Path, _P], Played]:
    def simulate(out: Path, /, *args: _P.args, **kwargs: _P.kwargs) -> Played:
        return write_floor(out, lay_out(out, *args, **kwargs))

    return simulate


# Lays out a floor and writes it. Same arguments, same bytes.
simulate: Final = _written_at_once(lay_out)


def label_lines(labels: Iterable[Label]) -> Iterator[bytes]:
    """Write labels as lines of JSON."""
    return (_ENCODER.encode(label) + b"\n" for label in labels)


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


# ── The next gaming day of a floor that was played ──────────────────────────────────────────────────────


_MINUTE: Final = 60_000_000


def next_day(
    *,
    tables: int,
    hours: float,
    seed: str,
    rates: dict[str, float],
    then: dict[str, float] | None = None,
    first: tuple[str, int] | None = None,
    days: int = 1,
    start: datetime = START,
) -> dict[str, list[Frame]]:
    """Continue where `simulate` with the same arguments ended; return the next gaming day's frames by table.

    Devices and frames continue with their numbers. Sources that cross tables are left out. `then` are the
    rates of that day, if they differ. `first` is a kind of fault that is certain to be made on it, at the
    first table, at the first opportunity after a number of minutes of play.
    """
    played = list(sessions(start, hours, days))
    daily = sessions(start, min(hours, 24), days + len(played))
    following = next(each for each in daily if each.day > played[-1].day)
    plans = floor.plan(tables)
    if first is not None:
        kind, minutes = first
        plans[0] = replace(plans[0], due=Due(kind, following.first + minutes * _MINUTE))
    later = Later(len(played) + 1, rates if then is None else then)
    outline = Outline(plans, [*played, following], seed, rates, later)
    return {
        run.name: [each for each in cut(run.name, run.arrivals) if each.received >= following.first]
        for run in Floor(outline).tables()
    }
