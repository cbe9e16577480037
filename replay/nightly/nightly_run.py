"""A gaming day from the archive to its book: whether it has closed, its tables, ledgers and live store."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from projections.engine.conclusion import Conclusion
from projections.engine.identity import id_of
from projections.programmes.ledgers.entries import OrderedLedger
from projections.store.rows import fingerprint
from projections.store.runs import DayReport
from projections.store.store import Store
from replay.exports.report import Report
from replay.exports.report.writers import as_json
from replay.nightly import earlier_reports, table_audit
from replay.nightly.day_book import Book
from replay.nightly.gaming_days import Day, day_of, last_receipt, origin, tables_of
from replay.nightly.ledger_reconciliation import Reconciled
from replay.nightly.live_comparison import Compared, Live, Stored, compare, explain, opened
from replay.nightly.surveillance_work import Worked, quieted, worked
from replay.nightly.survey import Survey
from replay.nightly.table_audit import surveyed
from replay.nightly.table_day import TableDay
from replay.recording.event_audit import frames
from replay.recording.ledger_days import ledger_of
from schemas.errors import BadInput
from schemas.house import House
from schemas.ledgers import Ledger
from streams import log, processes
from streams.archive.verification import check_days
from streams.messages import Reported
from streams.report_publisher import publish

_STORE: Final = "store"  # where no table can be named


class Recorded(Struct, frozen=True):
    """A day's tables that there is anything of, and its ledgers that have entries of it.

    Ledgers are looked at where there is no table: on a day on which none opened they alone tell of it.
    """

    day: Day
    tables: Mapping[str, Survey]
    ledgers: Mapping[Ledger, OrderedLedger]
    received: int

    def is_anything(self) -> bool:
        """Return True if anything was recorded of the day."""
        return bool(self.tables or self.ledgers)

    def open(self) -> str | None:
        """Return a table or a ledger of which something can still come; None where there is none.

        A ledger can have no more where it was closed for the day, or anything was received past it.
        """
        for name, survey in self.tables.items():
            if not survey.is_closed(self.day):
                return name
        if self.received > self.day.late:
            return None
        return next((name for name, each in self.ledgers.items() if self.day.date not in each.closed), None)


def recorded(path: Path, house: House, day: date, tables: Mapping[str, Survey]) -> Recorded:
    """Return what there is of a day, of whose tables the surveys are known.

    Raises:
        BadInput: the archive is damaged.
    """
    ledgers = {} if tables else _entered(path, house, day)
    return Recorded(day_of(house, day), tables, ledgers, last_receipt(path) if ledgers else 0)


def last_closed(path: Path, house: House) -> date:
    """Return the last gaming day of an archive that has closed.

    It is over by the archive's last receipt, or every table that opened on it was closed.

    Raises:
        BadInput: there is none.
    """
    received = last_receipt(path)
    if received:
        last = house.gaming_date(received)
        found = _surveyed(path, house, last)
        if found.is_anything() and found.open() is None:
            return last
        before = last - timedelta(days=1)
        if _surveyed(path, house, before).is_anything():
            return before
    raise BadInput(f"{path}: no gaming day in it has closed; name one with --gaming-day")


def _surveyed(path: Path, house: House, day: date) -> Recorded:
    surveys = {each.name: surveyed(path, each, house, day) for each in tables_of(path, house)}
    return recorded(path, house, day, {name: each for name, each in surveys.items() if each.opened})


def _entered(path: Path, house: House, day: date) -> dict[Ledger, OrderedLedger]:
    found: dict[Ledger, OrderedLedger] = {}
    for recorded_log in log.logs(path):
        for name in house.ledgers:
            if recorded_log.name == name:
                ledger, _ = ledger_of(frames(recorded_log), name, house)
                if day in ledger.days or any(of == day for of, _ in ledger.refused):
                    found[name] = ledger
    return found


class StoreComparison(Struct, frozen=True, kw_only=True):
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
    todo = table_audit.tasks(path, house, names, day, scratch)
    table_audit.run(todo, jobs, progress)
    return [each for each in table_audit.results(todo) if each.digests or each.survey.opened or each.unread]


def compared(
    live: Live | None,
    path: Path,
    house: House,
    tables: Sequence[TableDay],
    accounts: Sequence[Conclusion],
    day: Day,
    scratch: Path,
) -> StoreComparison:
    """Hold the day against a store, and read from it what was done about alerts; nothing where there is none.

    The `accounts` of ledgers are held against it where it has any: workers draw none up. What the store has
    only parts of stands under its own name.

    Raises:
        BadInput: the store, or the archive, cannot be read.
    """
    if live is None:
        return StoreComparison()
    digests = {each.table: each.digests for each in tables}
    ledgers: dict[str, dict[str, str]] = {}
    for each in accounts:
        ledgers.setdefault(each.table, {})[id_of(each)] = fingerprint(None, each)
    with opened(live, scratch) as db:
        stored = Stored(db, day.date)
        stored_tables = stored.tables()
        if not ledgers.keys().isdisjoint(stored_tables):
            digests |= ledgers
        digests |= {name: {} for name in stored_tables if name not in digests}
        found = [compare(name, digests[name], stored.digests(name)) for name in sorted(digests)]
        explain(found, stored, path, house, day.date, accounts, live.at)
        if orphans := stored.orphans():
            found.append(Compared(table=_STORE, same=0, extra=tuple(orphans)))
        return StoreComparison(
            compared=found,
            against=tuple(f"run {run} of version {by}" for run, by, _ in stored.runs),
            worked=worked(db, house, day, processes.now()),
        )


def book_of(
    house: House,
    day: Day,
    tables: Sequence[TableDay],
    ledgers: Reconciled,
    comparison: StoreComparison,
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
        compared=comparison.compared,
        against=comparison.against,
        worked=comparison.worked,
        accounts=ledgers.accounts,
        unread=ledgers.unread,
        outstanding=ledgers.outstanding,
        altered=[(each.where, each.what) for each in check_days(archive, [day.date])],
        absent=tuple(sorted(house.tables.keys() - names)),
        quieted=quieted(archive, house, day),
        is_open=is_open,
    )


def deliver(reports: Sequence[Report], store: Path | None, broker: str | None) -> None:
    """Bring reports into a store's file, to Kafka, or both; what is the newest there already is nothing new.

    Raises:
        BadInput: the store cannot be opened, as where another process has it open, or Kafka does not answer.
    """
    bodies = [_day_report(each) for each in reports] if store is not None or broker is not None else []
    if store is not None:
        with Store(store) as opened:
            opened.take({}, reports=bodies)
    if broker is not None:
        publish(broker, [_message(each) for each in bodies])


def _day_report(report: Report) -> DayReport:
    body = as_json(report)
    return DayReport(
        gaming_day=report.about.made.gaming_day,
        report=report.name,
        digest=hashlib.sha256(body).hexdigest(),
        made_by=report.about.software,
        restricted=report.restricted,
        body=body.decode("ascii"),
    )


def _message(report: DayReport) -> Reported:
    body = asdict(report)
    return Reported(software=body.pop("made_by"), **body)
