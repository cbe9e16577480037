"""The filters as the command line asks for them; what is not there is refused with the nearest names."""

import re
from collections.abc import Callable, Collection, Iterable
from datetime import date, datetime
from typing import Any, Final, TypeVar, get_args

import click
import msgspec
from msgspec import Struct

from projections.catalogue import KINDS
from projections.engine.conclusion import Verdict
from projections.engine.findings import Severity
from projections.engine.games import REGISTRY
from replay.cli.nearest_names import nearest
from replay.cli.options import GAMING_DAY
from replay.recording.seating_index import Seats
from replay.timeline.filters import Filters
from replay.timeline.time_arguments import MINUTES, span
from replay.timeline.time_order_spill import Spool
from replay.timeline.timeline_reader import Reach
from schemas.errors import BadInput
from schemas.house import House
from schemas.law_text import chapter
from schemas.surveillance import STREAM

_WORD: Final = re.compile(r"[^\W_]+")
_F = TypeVar("_F", bound=Callable[..., Any])

# option -> the argument, and what it says; each may be given more than once.
_NAMED: Final = (
    ("--table", "tables", "A table; may be given again, as each that follows."),
    ("--pit", "pits", "A pit, as the house file names it."),
    ("--game", "games", "A chapter's number, its game's name, or words of that."),
    ("--dealer", "dealers", "Who called the game."),
    ("--supervisor", "supervisors", "The floorperson who supervised the table."),
    ("--patron", "patrons", "A patron by the name under which they sat down or bet."),
    ("--shoe", "shoes", "A shoe."),
    ("--round", "rounds", "A round's number."),
    ("--check", "checks", "What a finding is of."),
    ("--severity", "severities", "How grave a finding is: " + ", ".join(get_args(Severity)) + "."),
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


class Asked(Struct, frozen=True, kw_only=True):
    """The options as they were given; times as they stand there."""

    days: tuple[datetime, ...]
    since: str | None
    until: str | None
    around: str | None
    minutes: int | None
    seats: tuple[int, ...]
    least_cents: int | None
    tables: tuple[str, ...]
    pits: tuple[str, ...]
    games: tuple[str, ...]
    dealers: tuple[str, ...]
    supervisors: tuple[str, ...]
    patrons: tuple[str, ...]
    shoes: tuple[str, ...]
    rounds: tuple[str, ...]
    checks: tuple[str, ...]
    severities: tuple[str, ...]
    operators: tuple[str, ...]
    subjects: tuple[str, ...]
    verdicts: tuple[str, ...]

    def told(self) -> str:
        """Return what was asked for, as it was."""
        whole = self
        if self.around is not None and self.minutes is None:
            whole = msgspec.structs.replace(self, minutes=MINUTES)
        given = ((name, getattr(whole, name)) for name in self.__struct_fields__)
        options = {name: option for option, name, _ in _NAMED} | _OTHERS
        return ", ".join(
            f"{options[name]} {each:%Y-%m-%d}" if isinstance(each, datetime) else f"{options[name]} {each}"
            for name, value in given
            if value not in ((), None)
            for each in (value if isinstance(value, tuple) else (value,))
        )


def asking(verb: _F) -> _F:
    """Return a verb every filter as an option, under the names of `Asked`."""
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
        *(click.option(option, name, multiple=True, help=says) for option, name, says in _NAMED),
        click.option("--seat", "seats", type=click.IntRange(min=0), multiple=True,
                     help="A seat; 0 is the dealer's own wager."),
        click.option("--least-cents", type=click.IntRange(min=0),
                     help="Findings with a difference of so many cents, and events of such a sum."),
    ]  # fmt: skip
    for option in reversed(options):
        verb = option(verb)
    return verb


def filters(asked: Asked, house: House, *, recorded: bool) -> Filters:
    """Make filters of what was asked for; whom and which shoe, only what was read can tell.

    Raises:
        BadInput: a table, pit, game, check, severity or verdict that there is not, a time that is none, or
            times between which nothing can lie.
    """
    if recorded:
        _known("--table", asked.tables, [*house.tables, *house.ledgers, STREAM])
        _known("--pit", asked.pits, {each.pit for each in house.tables.values() if each.pit is not None})
    _known("--check", asked.checks, KINDS)
    _known("--severity", asked.severities, get_args(Severity))
    _known("--verdict", asked.verdicts, get_args(Verdict))
    days = tuple(each.date() for each in asked.days)
    since, until = span(house, days, asked.since, asked.until, asked.around, asked.minutes)
    return Filters(
        days=frozenset(days),
        since=since,
        until=until,
        tables=frozenset(asked.tables),
        pits=frozenset(asked.pits),
        chapters=frozenset(each for game in asked.games for each in _chapters(game)),
        dealers=frozenset(asked.dealers),
        supervisors=frozenset(asked.supervisors),
        seats=frozenset(asked.seats),
        patrons=frozenset(asked.patrons),
        shoes=frozenset(asked.shoes),
        rounds=frozenset(asked.rounds),
        checks=frozenset(asked.checks),
        severities=frozenset(asked.severities),
        operators=frozenset(asked.operators),
        subjects=frozenset(asked.subjects),
        verdicts=frozenset(asked.verdicts),
        least_cents=asked.least_cents,
    )


def reach(by: Filters, house: House, *, every: bool) -> Reach:
    """Return how much has to be read for filters to be answered."""
    tables = by.tables
    if by.pits or by.chapters:
        those = {
            name
            for name, each in house.tables.items()
            if (not by.pits or each.pit in by.pits) and (not by.chapters or each.chapter in by.chapters)
        }
        # Where none is left there is nothing to read; a name that no table has says so.
        tables = frozenset(those & tables if tables else those) or frozenset({""})
    firsts = [min(by.days)] if by.days else []
    lasts = [max(by.days)] if by.days else []
    firsts += [house.gaming_date(by.since)] if by.since is not None else []
    lasts += [house.gaming_date(by.until - 1)] if by.until is not None else []
    first: date | None = max(firsts, default=None)
    return Reach(tables, first, min(lasts, default=None), every)


def refuse_unknown(asked: Asked, spool: Spool, seats: Seats) -> None:
    """Refuse whom and what nothing that was read tells of.

    Raises:
        BadInput: a gaming day, dealer, floorperson, patron, shoe, round, seat, operator or subject that does
            not occur.
    """
    recorded = frozenset(spool.names("gaming_date"))
    for each in asked.days:
        if f"{each:%Y-%m-%d}" not in recorded:
            where = " at the tables asked for" if asked.tables or asked.pits or asked.games else ""
            raise BadInput(f"nothing of gaming day {each:%Y-%m-%d} was recorded{where}")
    _known("--dealer", asked.dealers, spool.names("dealer"))
    _known("--supervisor", asked.supervisors, spool.names("floorperson"))
    _known("--operator", asked.operators, spool.names("operator"))
    _known("--subject", asked.subjects, spool.names("subject"))
    _known("--patron", asked.patrons, [*spool.names("patron", "bettor"), *seats.patrons()])
    _known("--shoe", asked.shoes, spool.names("shoe"))
    _known("--round", asked.rounds, spool.names("round"))
    known = [*spool.names("seat"), *map(str, seats.seats())]
    _known("--seat", [str(seat) for seat in asked.seats], known)


def _known(option: str, asked: Iterable[str], known: Collection[str]) -> None:
    for each in asked:
        if each not in known:
            raise BadInput(f"{option} {each!r}: there is none{nearest(each, known)}")


def _chapters(game: str) -> list[str]:
    """Return the chapters of a game, by number, by name, or by words that stand in the name.

    >>> _chapters("631A"), _chapters("minibaccarat"), _chapters("Craps"), _chapters("baccarat")
    (['631a'], ['541', '627a'], ['623a'], ['545', '631a'])

    Raises:
        BadInput: no game is called so.
    """
    asked = game.strip().casefold()
    names = {number: (number, chapter(number).title, each.called) for number, each in REGISTRY.items()}
    if exact := [number for number, each in names.items() if asked in map(str.casefold, each)]:
        return exact
    words = set(_WORD.findall(asked))
    told = {number: set(_WORD.findall(" ".join(each).casefold())) for number, each in names.items()}
    if among := [number for number in told if words and words <= told[number]]:
        return among
    known = {name for number, title, _ in names.values() for name in (number, title, *title.split())}
    raise BadInput(f"--game {game!r}: there is none{nearest(asked, known)}")
