"""A gaming day of the floor: which open tables each floorperson had at once, and whether that is too many."""

from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from itertools import pairwise
from typing import Final

import msgspec
from msgspec import Struct

from projections.engine.accounts.account_lines import (
    STAFF_UNREPORTED,
    SUPERVISION_BEGAN,
    SUPERVISION_ENDED,
    TABLES_SUPERVISED,
)
from projections.engine.audit.account_conclusions import CHAPTER
from projections.engine.audit.judge import conclude_account
from projections.engine.conclusion import Conclusion, Line
from projections.engine.facts import Fact, StaffRef, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.posts import OfGames, floor_duty, floor_game
from schemas.house import House
from schemas.ledgers import FLOOR
from schemas.values import Micros

SUPERVISION: Final = "supervision"

TOO_MANY_TABLES: Final = Kind(
    "too_many_tables",
    severity="medium",
    asks="Did each floorperson supervise no more open tables at once than the text lists?",
    false_positives="An assignment to another table that was reported late.",
    sources=("staff",),
)
KINDS: Final = (TOO_MANY_TABLES,)
_SECOND: Final = 1_000_000


class TableLimit(OfGames, frozen=True, kw_only=True):
    """The most tables of some games that one floorperson may have."""

    most: int


class _Excess(Struct, frozen=True):
    """Tables that are too many for one floorperson, or may be, by which provisions.

    `most` is how many of their games are surely admitted; None if the paragraph was not printed.
    """

    cites: tuple[str, ...]
    most: int | None = None
    is_open: bool = True


class _Span(Struct, frozen=True):
    """Tables that a floorperson had from one moment to another."""

    since: Micros
    until: Micros
    tables: frozenset[str]


def judge_supervision(day: date, accounts: Iterable[Conclusion], house: House) -> Conclusion | None:
    """Conclude the floor's supervision of a day from the tables' accounts of procedures.

    It is None if no table reports who supervised it.
    """
    by_person: dict[str, list[_Span]] = {}
    unreported: set[str] = set()
    for account in accounts:
        for name, span in _spans_of(account, house):
            by_person.setdefault(name, []).append(span)
        if any(line.name == STAFF_UNREPORTED for line in account.lines):
            unreported.add(account.table)
    if not by_person:
        return None
    raised: list[Raised] = []
    lines: list[Line] = []
    for name, spans in sorted(by_person.items()):
        at_once = list(_at_once(spans))
        lines.append(Line(name=TABLES_SUPERVISED, of=name, count=max(len(each.tables) for each in at_once)))
        raised += _raised_of(name, at_once, unreported, house, day)
    return conclude_account(FLOOR, SUPERVISION, day, CHAPTER, raised, lines)


def says_supervision(account: Conclusion) -> bool:
    """Return True if a table's account of procedures has its supervisors, or that they may be incomplete."""
    return any(line.name in (SUPERVISION_BEGAN, STAFF_UNREPORTED) for line in account.lines)


def _spans_of(account: Conclusion, house: House) -> Iterator[tuple[str, _Span]]:
    """Yield from when to when each floorperson had a table; to the end of the day if no end is reported."""
    began: dict[str, Micros] = {}
    table = frozenset({account.table})
    for line in account.lines:
        if line.name == SUPERVISION_BEGAN:
            began[line.of or ""] = line.at or 0
        elif line.name == SUPERVISION_ENDED and (since := began.pop(line.of or "", None)) is not None:
            yield line.of or "", _Span(since, line.at or since, table)
    until = house.bounds(account.gaming_date)[1]
    for name, since in began.items():
        yield name, _Span(since, max(since, until), table)


def _at_once(spans: Iterable[_Span]) -> Iterator[_Span]:
    """Yield the tables that a floorperson had at once, from one change to the next."""
    listed_spans = list(spans)
    changes = sorted({moment for each in listed_spans for moment in (each.since, each.until)})
    for since, until in pairwise(changes):
        tables = frozenset(
            table for each in listed_spans if each.since <= since < each.until for table in each.tables
        )
        yield _Span(since, until, tables)
    if len(changes) == 1:
        yield _Span(changes[0], changes[0], frozenset[str]().union(*(each.tables for each in listed_spans)))


def _raised_of(
    name: str, at_once: Iterable[_Span], unreported: set[str], house: House, day: date
) -> Iterator[Raised]:
    """Yield the findings on a floorperson's tables: each time that they were too many, once.

    What the text leaves open is raised once for each combination.
    """
    admitted = house.procedures.relief_seconds * _SECOND
    left_open: set[str] = set()
    running: list[tuple[_Span, _Excess]] = []
    spans = [*at_once, _Span(0, 0, frozenset())]
    for span in spans:
        excess = _excess(span.tables, house, day)
        if excess is not None and excess.is_open and span.until - span.since > admitted:
            who = f"{name}: {', '.join(sorted(span.tables))}"
            if who not in left_open:
                left_open.add(who)
                yield _raised(name, who, span, excess, unreported)
        if excess is not None and not excess.is_open:
            running.append((span, excess))
            continue
        if running and running[-1][0].until - running[0][0].since > admitted:
            largest = max(running, key=lambda each: len(each[0].tables))
            yield _raised(name, f"{name} since {running[0][0].since}", *largest, unreported)
        running = []


def _message(name: str, tables: list[str], excess: _Excess) -> Fact:
    person, at = StaffRef(name, "floorperson"), listed(*tables)
    if excess.most is None:
        return fact("supervision.combination_not_printed", floorperson=person, tables=at)
    if excess.is_open:
        return fact("supervision.electronic_unclear", floorperson=person, tables=at, most=excess.most)
    return fact("supervision.too_many_tables", floorperson=person, tables=at, most=excess.most)


def _raised(name: str, who: str, span: _Span, excess: _Excess, unreported: set[str]) -> Raised:
    message = _message(name, sorted(span.tables), excess)
    doubtful = sorted(span.tables & unreported)
    if doubtful:
        message = fact("supervision.staff_unreported", message=message, tables=listed(*doubtful))
    return Raised(
        kind=TOO_MANY_TABLES,
        message=message,
        cites=excess.cites,
        weight="undetermined" if doubtful or excess.is_open else None,
        who=who,
    )


def _excess(tables: frozenset[str], house: House, day: date) -> _Excess | None:
    """Return why a floorperson may not, or perhaps not, have these tables at once; None if he may."""
    limits, excluded = floor_duty("tables_supervised", day), floor_duty("tables_excluded", day)
    if limits is None or excluded is None or len(tables) < 2:  # noqa: PLR2004  one table is never too many
        return None
    games = {table: floor_game(house.tables[table], day) for table in tables}
    found = [
        excess
        for limit in msgspec.convert(limits.value, list[TableLimit])
        if (excess := _excess_of(limit, [table for table in tables if limit.is_of(games[table])], house, day))
    ]
    if found:
        return min(found, key=lambda each: each.is_open)
    apart = sorted({excluded.value[game] for game in games.values() if game in excluded.value})
    return _Excess(tuple(apart)) if apart else None


def _excess_of(limit: TableLimit, tables: list[str], house: House, day: date) -> _Excess | None:
    """Return whether so many tables of a paragraph's games are too many; half as many again if electronic."""
    more = floor_duty("electronic_tables_more", day)
    electronic = [house.tables[table].electronic for table in tables]
    cites: tuple[str, ...] = (limit.cite,)
    raised_limit = Fraction(limit.most)
    if more is not None and any(electronic):
        raised_limit *= 1 + Fraction(more.value)
        cites = (limit.cite, more.cite)
    certain = int(raised_limit) if all(electronic) else limit.most
    if len(tables) <= certain:
        return None
    return _Excess(cites, certain, is_open=len(tables) <= -(-raised_limit // 1))
