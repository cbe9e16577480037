"""The audited day in a scratch DuckDB, from which reports are selected; the SQL beside it has its tables."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias, TypeVar, get_args

import duckdb
from msgspec import UNSET, UnsetType
from msgspec.structs import astuple

from projections.casework.cases.case_state import Level
from projections.engine.accounts.checks.inventory import INVENTORY_SLIP_WRONG, OPENING_COUNT_DIFFERS
from projections.engine.conclusion import Conclusion, id_of, id_of_round
from projections.engine.findings import Finding, Severity, wager_of
from projections.engine.observation import wager_in_words
from projections.programmes.ledgers.ledger_days import OutstandingCheck
from projections.views.finding_text import finding_text
from projections.views.text import text
from replay.nightly.day_book import Book
from replay.nightly.survey import Survey
from replay.nightly.table_day import Sums, TableDay
from schemas.coupon_log import Played, Settled
from schemas.law_text import chapter, chapters
from schemas.values import Denominations, Option, dollars

_SCHEMA: Final = Path(__file__).with_suffix(".sql")
_DOUBTS_SLIP: Final = frozenset({INVENTORY_SLIP_WRONG.check, OPENING_COUNT_DIFFERS.check})
_QUARTER_ENDS: Final = (3, 6, 9, 12)  # months
_PARTS: Final = 2  # of a key: before them stand day and table
_DIGITS: Final = re.compile("([0-9]+)")
_LONGEST: Final = 20  # digits of a number that is compared as one

_T = TypeVar("_T")
# A table of the database, and a row for it without its place.
_Row: TypeAlias = tuple[str, tuple[object, ...]]


@contextmanager
def day_database(book: Book) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a database that has the day in it; it is gone afterwards."""
    import pyarrow as pa  # noqa: PLC0415  it takes long to load, and a console only names the reports

    arriving: defaultdict[str, list[tuple[object, ...]]] = defaultdict(list)
    for table, row in _rows(book):
        arriving[table].append((len(arriving[table]), *row))
    with empty_database() as db:
        for table, rows in arriving.items():
            columns = [pa.array(column) for column in zip(*rows, strict=True)]
            db.register("arriving", pa.table(columns, [str(place) for place in range(len(columns))]))
            db.execute(f"INSERT INTO {table} SELECT * FROM arriving")  # noqa: S608  tables named below
        yield db


@contextmanager
def empty_database() -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a database with the tables of a day, and nothing in them."""
    with TemporaryDirectory() as spilled, duckdb.connect(config={"temp_directory": spilled}) as db:
        db.execute(_SCHEMA.read_text(encoding="utf-8"))
        yield db


def _rows(book: Book) -> Iterator[_Row]:
    yield from _day(book)
    yield from _sums(book)
    for day in book.tables:
        yield from _table(book, day)
        yield from (row for each in day.accounts for row in _account("table", each))
        if day.inventory is not None:
            yield from _account("inventory", day.inventory)
    yield from (row for each in book.accounts for row in _account("ledger", each))
    yield from (_check(book, *each) for each in sorted(book.outstanding.items()))
    yield from _findings(book)
    yield from _unreconciled(book)
    yield from _earlier(book)
    yield from _surveillance(book)


def _day(book: Book) -> Iterator[_Row]:
    day, limits = book.day.date, book.house.cash_limits
    ends_quarter = (day + timedelta(days=1)).day == 1 and day.month in _QUARTER_ENDS
    worked_until = book.worked.until if book.worked is not None else None
    of_store = (book.compared is not None, ", ".join(book.against), book.worked is not None, worked_until)
    has_shifts = bool(book.house.shifts)
    yield "day", (day, book.day.ends, has_shifts, limits.in_cents, limits.out_cents, ends_quarter, *of_store)
    yield from (("severities", (each,)) for each in get_args(Severity))
    yield from (("levels", (each,)) for each in get_args(Level))
    yield from (("games", (number, game(number))) for number in sorted(_chapters(book)))
    yield from (("shifts", each) for each in zip(book.shifts.names, (None, *book.shifts.starts), strict=True))


def _chapters(book: Book) -> set[str]:
    found = {day.chapter for day in book.tables} | {each.chapter for each in book.earlier.to_date(year=True)}
    return found | {finding.chapter for day in book.tables for finding in day.findings}


def _sums(book: Book) -> Iterator[_Row]:
    """Yield rounds added up, with their theory: by table, shift, game and person, and of the house.

    Theory is computed in fractions, with the root of a variance, which is why no query adds it up.
    """
    by_game: defaultdict[str, Sums] = defaultdict(Sums)
    by_shift: defaultdict[int, Sums] = defaultdict(Sums)
    by_person: defaultdict[tuple[str, str], Sums] = defaultdict(Sums)
    for day in book.tables:
        sums = day.sums
        by_game[day.chapter] += sums
        yield "played", ("table", day.table, day.chapter, None, None, True, *_played(sums))
        for shift in sorted({*day.by_shift, *range(len(book.shifts.names))}):
            of_shift = day.by_shift.get(shift, Sums())
            is_any = shift in day.by_shift
            yield "played", ("shift", day.table, day.chapter, shift, None, is_any, *_played(of_shift))
            by_shift[shift] += of_shift
        for role, by in (("dealer", day.by_dealer), ("floorperson", day.by_floorperson)):
            for person, of_person in by.items():
                by_person[role, person] += of_person
    for number, sums in by_game.items():
        yield "played", ("game", None, number, None, None, True, *_played(sums))
    for shift, sums in sorted(by_shift.items()):
        yield "played", ("house_shift", None, None, shift, None, True, *_played(sums))
    for (role, person), sums in sorted(by_person.items()):
        yield "played", (role, None, None, None, person, True, *_played(sums))
    yield "played", ("house", None, None, None, None, True, *_played(sum(by_game.values(), Sums())))


def _played(sums: Sums) -> tuple[object, ...]:
    """Return sums as the database has them; there is no theory where every wager is without one.

    >>> from replay.proofs.theoretical_win import Expected
    >>> _played(Sums(theory=Expected(unknown_cents=500, unknown_wagers=2)))[-10:]
    (None, None, None, None, 2, 500, None, 0, 0, 0)
    >>> _played(Sums())[-10:]
    (0, 0, 0, 0, 0, 0, 'yes', 0, 0, 0)
    """
    theory = sums.theory
    counted = (sums.rounds, sums.settled, sums.settlements, sums.staked, sums.win)
    parts = (sums.owed, sums.otherwise, sums.left_open)
    without = (theory.unknown_wagers, theory.unknown_cents)
    paced = (theory.known_cents, sums.paced_rounds, sums.paced_micros)
    if not theory.known_cents and theory.unknown_wagers:
        return (*counted, *parts, None, None, None, None, *without, None, *paced)
    low, high = theory.interval()
    within = "yes" if low <= sums.weighed_win <= high else "no"
    of_theory = (sums.weighed_win, round(theory.win_cents), low, high)
    return (*counted, *parts, *of_theory, *without, within, *paced)


def _table(book: Book, day: TableDay) -> Iterator[_Row]:
    name, sources = day.table, book.house.tables[day.table].sources if day.table in book.house.tables else {}
    of_survey = (day.survey.open_micros, day.survey.unnamed_cents)
    yield "tables", (name, day.chapter, day.inventory is not None, *of_survey)
    yield from ((table, (name, *row)) for table, row in _survey(day.survey))
    yield from (("devices", (name, *each)) for each in sources.items())
    for left in day.undetermined:
        key = id_of_round(book.day.date, name, left.round)
        devices = ", ".join((*left.lacking, *map(" ".join, left.at_odds))) or None
        yield from (("undetermined", (name, left.round, devices, cause, key)) for cause in left.causes)
        yield from (("hanging", (name, device)) for device in left.lacking)
        for pair in left.at_odds:
            reads = " and ".join(sources.get(each, "?") for each in pair)
            yield "at_odds", (name, " ".join(pair), reads)
    for coupon in day.totals.played:
        value = coupon.value_cents if isinstance(coupon, Played) else None
        result = coupon.result if isinstance(coupon, Settled) else None
        yield "coupons", (name, isinstance(coupon, Played), value, result)
    for change in day.changes:
        changed = ((option, *map(_option, values)) for option, values in change.options.items())
        options = "; ".join(f"{option}: {before} to {after}" for option, before, after in changed) or None
        of_rounds = (change.rounds, change.differing, change.open, change.cents)
        yield "changes", (name, change.at, change.source, options, change.before, change.first, *of_rounds)


def _survey(survey: Survey) -> Iterator[_Row]:
    """Yield what people did at a table, without the table's name."""
    yield from (("moved", astuple(each)) for each in survey.moved)
    yield from (("counts", (each.at, each.occasion, each.cents)) for each in survey.counts)
    yield from (("bought", each) for each in survey.bought.items())
    yield from (("silences", (each.device, each.ends - each.begins)) for each in survey.silences)


def _account(holder: str, account: Conclusion) -> Iterator[_Row]:
    of = (holder, account.table, account.account, account.shoe, id_of(account))
    for line in account.lines:
        chips = _chips(line.denominations) if line.denominations is not None else None
        yield "lines", (*of, line.name, line.of, line.box, line.count, line.cents, chips)
    for each in account.findings:
        about = (each.check, each.weight, _set(each.who), _set(each.table), _set(each.serial))
        yield "account_findings", (*of, *about, text(each.message), each.check in _DOUBTS_SLIP)


def _check(book: Book, number: str, owed: OutstandingCheck) -> _Row:
    made = book.house.gaming_date(owed.at)
    return "counter_checks", (number, owed.patron, made, owed.table, owed.cents, owed.redeemed)


def _findings(book: Book) -> Iterator[_Row]:
    for day in book.tables:
        for raised in day.findings:
            of = (raised.table, raised.chapter, raised.round, raised.shoe, raised.account, raised.about)
            by = (raised.shift, raised.dealer, raised.floorperson)
            yield "findings", (day.table, *of, *by, *_finding(raised.about, raised.finding))
    for each in book.accounts:
        of_ledger = (None, each.table, each.chapter, None, None, each.account, id_of(each))
        for finding in each.findings:
            yield "findings", (*of_ledger, None, None, None, *_finding(id_of(each), finding))


def _finding(key: str, finding: Finding) -> tuple[object, ...]:
    wager = wager_of(finding)
    return (
        wager_in_words(wager) if wager is not None else None,
        label(key),
        finding.id,
        finding.check,
        finding.weight,
        finding.severity,
        _set(finding.favours),
        finding.put_right is True,
        finding_text(finding),
        _set(finding.serial),
        ", ".join(finding.citations),
        finding.status,
        _set(finding.gross_cents),
        _set(finding.vigorish_cents),
        _set(finding.net_cents),
        _set(finding.variance_cents),
        finding.comes_to_cents,
    )


def _set(value: _T | UnsetType) -> _T | None:
    return None if value is UNSET else value


def _unreconciled(book: Book) -> Iterator[_Row]:
    """Yield what does not reconcile and is no finding."""
    for number, each in enumerate(book.compared or ()):
        yield "compared", (number, each.table, each.same)
        for what, keys in (("differing", each.differing), ("missing", each.missing), ("extra", each.extra)):
            for key in _in_order(keys):
                yield "differences", (number, each.table, what, key, label(key), each.how.get(key))
    yield from (("altered", each) for each in book.altered)
    yield from (("lacking", (day.table, "unreadable", each)) for day in book.tables for each in day.unread)
    yield from (("lacking", ("ledgers", "unreadable", each)) for each in book.unread)
    message = "the archive has nothing of the table"
    yield from (("lacking", (table, "absent", message)) for table in book.absent)


def _earlier(book: Book) -> Iterator[_Row]:
    earlier = book.earlier
    for span, year in (("month", False), ("year", True)):
        yield from (("earlier", (span, *astuple(each))) for each in earlier.to_date(year=year))
        for report in earlier.reports:
            yield from (("unreported", (report, span, days)) for days in earlier.missing(report, year=year))


def _surveillance(book: Book) -> Iterator[_Row]:
    """Yield what the surveillance room did: mutes and snoozes, and the work on alerts."""
    for each in book.quieted:
        yield "quieted", (each.at, each.who, each.role, each.what, each.of, each.until, each.reason)
    worked = book.worked
    if worked is None:
        return
    for late in worked.late:
        gaming_day = date.fromisoformat(late.about.partition("|")[0])
        of = (late.severity, late.step, late.table, label(late.about), gaming_day, late.check)
        yield "breaches", (*of, late.due, late.done, late.late(worked.until), late.who, late.about)
    yield from (("closed", astuple(each)) for each in worked.closed)
    yield from (("waiting", astuple(each)) for each in worked.open)
    yield from (("confirmed", (alert,)) for alert in sorted(worked.confirmed))


def label(key: str) -> str:
    """Return the name for people of a conclusion's subject, within its day and table.

    >>> [label(f"2025-03-01|BAC-104|{about}") for about in ("17", "shoe|3", "account|inventory")]
    ['round 17', 'shoe 3', 'inventory']
    >>> label("abc")
    'abc'
    """
    if key.count("|") < _PARTS:
        return key  # no name that this software gave
    _, _, kind, *name = key.split("|")
    title = "|".join(name) if kind == "account" else f"{kind} {'|'.join(name)}" if name else f"round {kind}"
    return title.replace("%7C", "|").replace("%25", "%")


def _in_order(keys: Iterable[str]) -> list[str]:
    """Return keys of conclusions in the order of what they are about, the tenth after the second.

    >>> _in_order(["1|BAC-104|10", "1|BAC-104|shoe|1", "1|BAC-104|2"])
    ['1|BAC-104|2', '1|BAC-104|10', '1|BAC-104|shoe|1']
    """
    return sorted(keys, key=lambda key: [_padded(part) for part in _DIGITS.split(label(key))])


def _padded(part: str) -> str:
    return part.zfill(_LONGEST) if _DIGITS.fullmatch(part) else part


def game(number: str) -> str:
    """Return a chapter's game; a chapter that is none, as a house file at fault has it, by its number.

    >>> game("631a"), game("999")
    ('Baccarat', '999')
    """
    return chapter(number).title if number in chapters() else number


def _option(value: Option) -> str:
    """Write an option as a Rules Submission does.

    >>> _option(True), _option(None), _option("5%")
    ('true', 'none', '5%')
    """
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _chips(denominations: Denominations) -> str:
    """Write chips by their worth, the largest first.

    >>> _chips({500: 20, 10_000: 3}), _chips({25: 4})
    ('3 x $100, 20 x $5', '4 x $0.25')
    """
    counts = sorted(denominations.items(), reverse=True)
    return ", ".join(f"{count} x {dollars(worth).removesuffix('.00')}" for worth, count in counts)
