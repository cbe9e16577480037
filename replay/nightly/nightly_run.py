"""A gaming day from the archive to its book: which day, its tables, its ledgers, what the store has."""

from collections.abc import Callable, Collection, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Final

from msgspec import Struct

from projections.engine.conclusion import Conclusion
from projections.engine.identity import id_of
from projections.store.fingerprint import fingerprint
from replay.nightly import earlier_reports, table_processes
from replay.nightly.alert_work import Worked, worked
from replay.nightly.archive_origin import origin
from replay.nightly.conclusion_differences import explain
from replay.nightly.day_book import Book
from replay.nightly.day_closing import recorded
from replay.nightly.gaming_days import Day, tables_of
from replay.nightly.ledger_reconciliation import Reconciled
from replay.nightly.live_comparison import Compared, Live, Stored, compare, opened
from replay.nightly.operator_actions import quieted
from replay.nightly.table_day import TableDay
from schemas.errors import BadInput
from schemas.house import House
from streams import clock
from streams.archive.verification import check_days

_STORE: Final = "store"  # where no table can be named


class Held(Struct, frozen=True, kw_only=True):
    """A day held against a live store: the tables, by which runs of it, and what was done about alerts there.

    Without a store `compared` and `worked` are None.
    """

    compared: Sequence[Compared] | None = None
    against: tuple[str, ...] = ()
    worked: Worked | None = None


def refuse_open(
    path: Path, house: House, tables: Sequence[TableDay], day: Day, *, even_if_open: bool
) -> bool:
    """Make sure that there is something of a day; tells whether something of it can still come.

    Raises:
        BadInput: nothing was recorded; or it has not closed, and that was not allowed: what was audited is
            kept.
    """
    found = recorded(path, house, day.date, {each.table: each.survey for each in tables})
    if not found.is_anything():
        raise BadInput(f"nothing of gaming day {day.date} was recorded")
    is_open = found.open()
    if is_open is not None and not even_if_open:
        raise BadInput(
            f"gaming day {day.date} has not closed: {is_open} is open; "
            "run again when it has, or say --even-if-open"
        )
    return is_open is not None


def audited(
    path: Path, house: House, day: date, scratch: Path, jobs: int, progress: Callable[[str], None]
) -> list[TableDay]:
    """Audit every table's day, and give those that there is anything of.

    Raises:
        BadInput: the archive holds a table that the house does not know, or is damaged.
    """
    names = [each.name for each in tables_of(path, house)]
    if unknown := [name for name in names if name not in house.tables]:
        raise BadInput(f"{path}: table {unknown[0]!r} is not in the house file of {house.house}")
    todo = table_processes.tasks(path, house, names, day, scratch)
    table_processes.run(todo, jobs, progress)
    return [
        each for each in table_processes.results(todo) if each.digests or each.survey.opened or each.unread
    ]


def compared(
    live: Live | None,
    path: Path,
    house: House,
    tables: Sequence[TableDay],
    accounts: Sequence[Conclusion],
    day: Day,
    scratch: Path,
) -> Held:
    """Hold the day against a store, and read from it what was done about alerts; nothing where there is none.

    The `accounts` of ledgers are held against it where it has any: workers draw none up. What the store has
    only parts of stands under its own name.

    Raises:
        BadInput: the store, or the archive, cannot be read.
    """
    if live is None:
        return Held()
    known = {each.table: each.digests for each in tables}
    ledgers: dict[str, dict[str, str]] = {}
    for each in accounts:
        ledgers.setdefault(each.table, {})[id_of(each)] = fingerprint(None, each)
    with opened(live, scratch) as db:
        stored = Stored(db, day.date)
        there = stored.tables()
        if not ledgers.keys().isdisjoint(there):
            known |= ledgers
        known |= {name: {} for name in there if name not in known}
        found = [compare(name, known[name], stored.digests(name)) for name in sorted(known)]
        explain(found, stored, path, house, day.date, accounts, live.at)
        if orphans := stored.orphans():
            found.append(Compared(table=_STORE, same=0, extra=tuple(orphans)))
        return Held(
            compared=found,
            against=tuple(f"run {run} of version {by}" for run, by, _ in stored.runs),
            worked=worked(db, house, day, clock.now()),
        )


def book_of(
    house: House,
    day: Day,
    tables: Sequence[TableDay],
    ledgers: Reconciled,
    held: Held,
    out: Path,
    names: Collection[str],
    *,
    archive: Path,
    is_open: bool,
) -> Book:
    """Put together what the reports are made from; `names` are the tables that the archive has.

    Of the reports in `out` those of the same archive give the earlier days.

    Raises:
        BadInput: an earlier day's report, or what was done at the console, cannot be read.
    """
    made_of = origin(archive)
    received = max([ledgers.received, *(each.survey.received for each in tables)])
    return Book(
        house=house,
        day=day,
        software=f"discardrack {version('discardrack')}",
        received=received or None,
        tables=tables,
        archive=made_of,
        earlier=earlier_reports.read(out, day.date, made_of),
        compared=held.compared,
        against=held.against,
        worked=held.worked,
        accounts=ledgers.accounts,
        unread=ledgers.unread,
        outstanding=ledgers.outstanding,
        altered=[(each.where, each.what) for each in check_days(archive, [day.date])],
        absent=tuple(sorted(house.tables.keys() - names)),
        quieted=quieted(archive, house, day),
        is_open=is_open,
    )
