"""The filters of a timeline as the command line asks for them."""

import re
from collections.abc import Callable, Collection, Iterable
from datetime import date, datetime
from typing import Any, Final, TypeVar, get_args

import click
import msgspec

from projections.catalogue import KINDS
from projections.engine.conclusion import Verdict
from projections.engine.findings import Severity
from projections.engine.games import REGISTRY
from replay.cli.options import GAMING_DAY
from replay.recording.seated_rounds import SeatingIndex
from replay.timeline.filters import MINUTES, Filters, NameFilters, span
from replay.timeline.timeline_reader import Reach, TimelineSpill
from schemas.errors import BadInput
from schemas.house import House
from schemas.law_text import chapter
from schemas.near_names import nearest_names
from schemas.surveillance import STREAM

_WORD: Final = re.compile(r"[^\W_]+")
_F = TypeVar("_F", bound=Callable[..., Any])

# option -> the argument, and its help; each may be given more than once.
_NAME_OPTIONS: Final = (
    ("--table", "tables", "A table; may be given again, as each that follows."),
    ("--pit", "pits", "A pit, as the house file names it."),
    ("--game", "games", "A chapter's number, its game's name, or words of that."),
    ("--dealer", "dealers", "Who called the game."),
    ("--supervisor", "supervisors", "The floorperson who supervised the table."),
    ("--patron", "patrons", "A patron by the name under which they sat down or bet."),
    ("--shoe", "shoes", "A shoe."),
    ("--round", "rounds", "A round's number."),
    ("--check", "checks", "What a finding is of."),
    ("--severity", "severities", "Severity of a finding: " + ", ".join(get_args(Severity)) + "."),
    ("--operator", "operators", "Who acted at the console."),
    ("--subject", "subjects", "What was acted on, as alert:4e1f9c7be9f16259."),
    ("--verdict", "verdicts", "A round's verdict: " + ", ".join(get_args(Verdict)) + "."),
)


_OTHERS: Final = {
    "days": "--gaming-day",
    "since": "--from",
    "until": "--to",
    "around": "--around",
    "minutes": "--minutes",
    "seats": "--seat",
    "least_cents": "--least-cents",
}


class TimelineOptions(NameFilters, frozen=True, kw_only=True):
    """The options as they were given; times as they stand there, and games as they are called."""

    days: tuple[datetime, ...]
    since: str | None
    until: str | None
    around: str | None
    minutes: int | None
    games: tuple[str, ...]

    def as_text(self) -> str:
        """Return what was asked for, as it was."""
        in_minutes = self
        if self.around is not None and self.minutes is None:
            in_minutes = msgspec.structs.replace(self, minutes=MINUTES)
        options = _OTHERS | {name: option for option, name, _ in _NAME_OPTIONS}
        given = ((option, getattr(in_minutes, name)) for name, option in options.items())
        return ", ".join(
            f"{option} {each:%Y-%m-%d}" if isinstance(each, datetime) else f"{option} {each}"
            for option, value in given
            if value not in ((), None)
            for each in (value if isinstance(value, tuple) else (value,))
        )


def with_filters(verb: _F) -> _F:
    """Return a verb with every filter as an option, under the names of `TimelineOptions`."""
    options = [
        click.option("--gaming-day", "days", type=GAMING_DAY, multiple=True,
                     help="A gaming day; may be given again."),
        click.option("--from", "since", metavar="TIME",
                     help="No earlier: 2025-03-01T21:14, in the property's zone unless it has an offset; "
                     "2025-03-01 is its midnight, not its gaming day; 21:14 is of the one --gaming-day."),
        click.option("--to", "until", metavar="TIME",
                     help="Only what is before; that moment itself is not included."),
        click.option("--around", metavar="TIME",
                     help="Near a moment: --minutes to either side, both ends included."),
        click.option("--minutes", type=click.IntRange(0, 1_000_000),
                     help=f"With --around: so many; {MINUTES} where it is not said."),
        *(click.option(option, name, multiple=True, help=message) for option, name, message in _NAME_OPTIONS),
        click.option("--seat", "seats", type=click.IntRange(min=0), multiple=True,
                     help="A seat; 0 is the dealer's own wager."),
        click.option("--least-cents", type=click.IntRange(min=0),
                     help="Findings with a difference of so many cents, and events of such a sum."),
    ]  # fmt: skip
    for option in reversed(options):
        verb = option(verb)
    return verb


def filters(options: TimelineOptions, house: House, *, recorded: bool) -> Filters:
    """Build filters from the options; whom and which shoe, only the recording can confirm.

    Raises:
        BadInput: a table, pit, game, check, severity or verdict that does not exist, an invalid time, or
            times with nothing between them.
    """
    if recorded:
        _refuse_unknown("--table", options.tables, [*house.tables, *house.ledgers, STREAM])
        _refuse_unknown(
            "--pit", options.pits, {each.pit for each in house.tables.values() if each.pit is not None}
        )
    _refuse_unknown("--check", options.checks, KINDS)
    _refuse_unknown("--severity", options.severities, get_args(Severity))
    _refuse_unknown("--verdict", options.verdicts, get_args(Verdict))
    days = tuple(each.date() for each in options.days)
    since, until = span(house, days, options.since, options.until, options.around, options.minutes)
    return Filters(
        days=frozenset(days),
        since=since,
        until=until,
        chapters=frozenset(each for game in options.games for each in _chapters(game)),
        **{name: getattr(options, name) for name in NameFilters.__struct_fields__},
    )


def reach(by: Filters, house: House, *, every: bool) -> Reach:
    """Return how much has to be read for filters to be answered."""
    tables = frozenset(by.tables)
    if by.pits or by.chapters:
        those = {
            name
            for name, each in house.tables.items()
            if (not by.pits or each.pit in by.pits) and (not by.chapters or each.chapter in by.chapters)
        }
        # If none is left there is nothing to read; a name that no table has expresses that.
        tables = frozenset(those & tables if tables else those) or frozenset({""})
    firsts = [min(by.days)] if by.days else []
    lasts = [max(by.days)] if by.days else []
    firsts += [house.gaming_date(by.since)] if by.since is not None else []
    lasts += [house.gaming_date(by.until - 1)] if by.until is not None else []
    first: date | None = max(firsts, default=None)
    return Reach(tables, first, min(lasts, default=None), every)


def refuse_unknown(options: TimelineOptions, spool: TimelineSpill, seats: SeatingIndex) -> None:
    """Check that whom and what was asked for occurs in what was read.

    Raises:
        BadInput: a gaming day, dealer, floorperson, patron, shoe, round, seat, operator or subject that does
            not occur.
    """
    recorded = frozenset(spool.names("gaming_date"))
    for each in options.days:
        if f"{each:%Y-%m-%d}" not in recorded:
            where = " at the tables asked for" if options.tables or options.pits or options.games else ""
            raise BadInput(f"nothing of gaming day {each:%Y-%m-%d} was recorded{where}")
    _refuse_unknown("--dealer", options.dealers, spool.names("dealer"))
    _refuse_unknown("--supervisor", options.supervisors, spool.names("floorperson"))
    _refuse_unknown("--operator", options.operators, spool.names("operator"))
    _refuse_unknown("--subject", options.subjects, spool.names("subject"))
    _refuse_unknown("--patron", options.patrons, [*spool.names("patron", "bettor"), *seats.patrons()])
    _refuse_unknown("--shoe", options.shoes, spool.names("shoe"))
    _refuse_unknown("--round", options.rounds, spool.names("round"))
    seat_names = [*spool.names("seat"), *map(str, seats.seats())]
    _refuse_unknown("--seat", [str(seat) for seat in options.seats], seat_names)


def _refuse_unknown(option: str, wanted: Iterable[str], names: Collection[str]) -> None:
    for each in wanted:
        if each not in names:
            raise BadInput(f"{option} {each!r}: there is none{nearest_names(each, names)}")


def _chapters(game: str) -> list[str]:
    """Return the chapters of a game, by number, by name, or by words that stand in the name.

    >>> _chapters("631A"), _chapters("minibaccarat"), _chapters("Craps"), _chapters("baccarat")
    (['631a'], ['541', '627a'], ['623a'], ['545', '631a'])

    Raises:
        BadInput: no game is called so.
    """
    wanted = game.strip().casefold()
    names = {number: (number, chapter(number).title, each.called) for number, each in REGISTRY.items()}
    if exact := [number for number, each in names.items() if wanted in map(str.casefold, each)]:
        return exact
    words = set(_WORD.findall(wanted))
    words_of = {number: set(_WORD.findall(" ".join(each).casefold())) for number, each in names.items()}
    if among := [number for number in words_of if words and words <= words_of[number]]:
        return among
    chapter_names = {name for number, title, _ in names.values() for name in (number, title, *title.split())}
    raise BadInput(f"--game {game!r}: there is none{nearest_names(wanted, chapter_names)}")
