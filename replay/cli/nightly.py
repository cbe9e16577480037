"""`discardrack nightly`: a gaming day audited again, compared with the live store, and reported."""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
from msgspec import Struct
from msgspec.structs import asdict, replace
from rich.console import Console
from rich.progress import Progress

from projections.engine.conclusion import Conclusion, id_of
from projections.programmes.ledgers.entries import OrderedLedger
from projections.programmes.supervision.floor_day import judge_supervision
from projections.store.disk import make_folder
from projections.store.rows import fingerprint
from projections.store.runs import DayReport
from projections.store.store import Store
from replay.cli.options import FILE_TO_WRITE, broker_option, gaming_day_option, token_file_option
from replay.exports.report import Report
from replay.exports.report.folder import PRIVATE, Written, refuse_other, write
from replay.exports.report.writers import as_json
from replay.lists.writers import Form, format_option, write_rows
from replay.nightly import earlier_reports, live_comparison, table_audit
from replay.nightly.day_book import Book
from replay.nightly.gaming_days import Day, day_of, last_receipt, origin
from replay.nightly.ledger_reconciliation import LedgerReconciliation, reconcile_day
from replay.nightly.live_comparison import Live, Stored, TableComparison, compare, explain, open_live
from replay.nightly.reports import reports_of
from replay.nightly.reports.reconciling import OPEN_ITEMS
from replay.nightly.surveillance_work import AlertWork, alert_work, suppressed_alerts
from replay.nightly.survey import Survey
from replay.nightly.table_audit import survey_table
from replay.nightly.table_day import TableDay
from replay.recording.house_mistakes import list_house_mistakes
from replay.recording.ledger_days import ledger_of
from replay.recording.recording import Recording
from schemas.errors import BadInput
from schemas.ledgers import Ledger
from streams import processes
from streams.archive.verification import check_days
from streams.messages import Reported
from streams.report_publisher import publish

JOBS: Final = os.cpu_count() or 1  # processes that audit


@click.command()
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path))
@gaming_day_option("The gaming day; the last one that has closed unless told.")
@click.option(
    "--live", metavar="STORE", help="The live store: a file, a snapshot of one, or the address of serve."
)
@token_file_option()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the reports, one folder a day in it; reports beside PATH unless told.",
)
@click.option("--house", "house_file", help="House file, if not the archive's own.")
@click.option("--even-if-open", is_flag=True, help="Report a day that has not closed, as far as it has gone.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=JOBS,
    help="How many processes audit; as many as there are processors unless told.",
)
@click.option(
    "--store",
    type=FILE_TO_WRITE,
    help="Put the reports into this store too; it is made where there is none.",
)
@broker_option("Send the reports through Kafka to the store of serve; several addresses with commas.")
@format_option()
def nightly(
    path: Path,
    day: datetime | None,
    live: str | None,
    token_file: Path | None,
    out: Path | None,
    house_file: str | None,
    jobs: int,
    store: Path | None,
    broker: str | None,
    form: Form,
    *,
    even_if_open: bool,
) -> None:
    """Audit a gaming day again from its archive, compare it with the live store, and write its reports.

    PATH is the archive of a live floor or a simulated floor. What does not reconcile is listed, a line each.
    It may be run again at any time, also after a kill: the same day gives the same bytes. Exit status: 0 all
    reconciles, 1 the list is not empty, 2 the day has not closed, or something cannot be read.

    \b
    Example:
      discardrack nightly var/live/archive --gaming-day 2025-03-01 --live var/copy.duckdb
      discardrack nightly var/live/archive --live http://127.0.0.1:8000 --token-file nightly.token
    """  # noqa: D301  click's mark for text that is not wrapped
    recording = Recording(path, house_file)
    list_house_mistakes(recording)
    _ = recording.house
    folder = out or path.resolve().parent / "reports"
    refuse_other(folder, origin(path))
    if live is None and token_file is not None:
        raise click.UsageError("--token-file is for the address of serve; say --live too")
    store_live = live_comparison.live_of(live, token_file) if live is not None else None
    of = day.date() if day is not None else last_closed(recording)
    reports, written = report_day(
        recording, of, folder, store_live, jobs=jobs, store=store, broker=broker, even_if_open=even_if_open
    )
    click.echo(f"{written.folder}: {written.how}", err=True)
    open_items = next(each for each in reports if each.name == OPEN_ITEMS.name)
    names, items = [column.name for column in open_items.columns], open_items.rows
    write_rows((dict(zip(names, row, strict=True)) for row in items), form)
    raise click.exceptions.Exit(1 if items else 0)


def report_day(
    recording: Recording,
    day: date,
    out: Path,
    live: live_comparison.Live | None,
    *,
    jobs: int = JOBS,
    store: Path | None = None,
    broker: str | None = None,
    even_if_open: bool = False,
) -> tuple[list[Report], Written]:
    """Report a gaming day of an archive into a folder, and if requested into a store or through a broker.

    Raises:
        BadInput: the day has not closed, or something cannot be read or written.
    """
    of = day_of(recording.house, day)
    with _scratch(out, day) as scratch:
        book = _book(recording, of, live, out, scratch, jobs, even_if_open=even_if_open)
        reports = reports_of(book)
        written = write(out, book.about, reports)
        deliver(reports, store, broker)
        table_audit.remove_results(scratch)
    return reports, written


@contextmanager
def _scratch(out: Path, day: date) -> Iterator[Path]:
    """Yield the folder of intermediate results until the reports are written; one run at a time has it."""
    scratch = out / f".{day}.audited"
    make_folder(scratch)
    scratch.chmod(PRIVATE)
    with processes.exclusive(scratch / "lock", f"{out}: another process reports {day}; wait for it"):
        yield scratch


def _book(
    recording: Recording,
    day: Day,
    live: live_comparison.Live | None,
    out: Path,
    scratch: Path,
    jobs: int,
    *,
    even_if_open: bool,
) -> Book:
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("auditing", total=None)

        def tables_of(of: date) -> list[TableDay]:
            return audit_tables(
                recording,
                of,
                scratch / str(of),
                jobs,
                lambda table: progress.update(task, description=f"audited {table} on {of}"),
            )

        tables = tables_of(day.date)
        is_open = refuse_open(recording, tables, day, even_if_open=even_if_open)
        ledgers = reconcile_day(recording, day.date, tables_of, out)
    supervised = [account for each in tables for account in each.totals.supervised.values()]
    floor = judge_supervision(day.date, supervised, recording.house)
    if floor is not None:
        ledgers = replace(ledgers, accounts=(*ledgers.accounts, floor))
    comparison = compare_with_store(live, recording, tables, ledgers.accounts, day, scratch)
    names = {each.name for each in recording.table_logs()}
    return book_of(recording, day, tables, ledgers, comparison, out, names, is_open=is_open)


# ── A gaming day from the archive to its book ───────────────────────────────────────────────────────────


_STORE: Final = "store"  # where no table can be named


class RecordedDay(Struct, frozen=True):
    """A day's tables with any records, and its ledgers with entries of it.

    Ledgers are read if there is no table: on a day on which none opened only they show it.
    """

    day: Day
    tables: Mapping[str, Survey]
    ledgers: Mapping[Ledger, OrderedLedger]
    received: int

    def is_anything(self) -> bool:
        """Return True if anything was recorded of the day."""
        return bool(self.tables or self.ledgers)

    def open(self) -> str | None:
        """Return a table or a ledger that can still report something; None if there is none.

        A ledger is complete if it was closed for the day, or if anything was received past it.
        """
        for name, survey in self.tables.items():
            if not survey.is_closed(self.day):
                return name
        if self.received > self.day.late:
            return None
        return next((name for name, each in self.ledgers.items() if self.day.date not in each.closed), None)


def recorded_day(recording: Recording, day: date, tables: Mapping[str, Survey]) -> RecordedDay:
    """Return what there is of a day, of whose tables the surveys are known.

    Raises:
        BadInput: the archive is damaged.
    """
    ledgers = {} if tables else _entered(recording, day)
    return RecordedDay(
        day_of(recording.house, day), tables, ledgers, last_receipt(recording.path) if ledgers else 0
    )


def last_closed(recording: Recording) -> date:
    """Return the last gaming day of an archive that has closed.

    It is over by the archive's last receipt, or every table that opened on it was closed.

    Raises:
        BadInput: there is none.
    """
    received = last_receipt(recording.path)
    if received:
        last = recording.house.gaming_date(received)
        found = _surveyed(recording, last)
        if found.is_anything() and found.open() is None:
            return last
        before = last - timedelta(days=1)
        if _surveyed(recording, before).is_anything():
            return before
    raise BadInput(f"{recording.path}: no gaming day in it has closed; name one with --gaming-day")


def _surveyed(recording: Recording, day: date) -> RecordedDay:
    surveys = {each.name: survey_table(recording, each, day) for each in recording.table_logs()}
    return recorded_day(recording, day, {name: each for name, each in surveys.items() if each.opened})


def _entered(recording: Recording, day: date) -> dict[Ledger, OrderedLedger]:
    found: dict[Ledger, OrderedLedger] = {}
    for name in recording.house.ledgers:
        ledger, _ = ledger_of(recording.frames(name), name, recording.house)
        if day in ledger.days or any(of == day for of, _ in ledger.refused):
            found[name] = ledger
    return found


class StoreComparison(Struct, frozen=True, kw_only=True):
    """A day against a live store: the tables, by which runs of it, and what was done about alerts there.

    Without a store `compared` and `worked` are None.
    """

    compared: Sequence[TableComparison] | None = None
    against: tuple[str, ...] = ()
    worked: AlertWork | None = None


def refuse_open(recording: Recording, tables: Sequence[TableDay], day: Day, *, even_if_open: bool) -> bool:
    """Return True if something of a day can still come.

    Raises:
        BadInput: nothing was recorded; or it has not closed, and that was not allowed: the audited results
            remain.
    """
    found = recorded_day(recording, day.date, {each.table: each.survey for each in tables})
    if not found.is_anything():
        raise BadInput(f"nothing of gaming day {day.date} was recorded")
    is_open = found.open()
    if is_open is not None and not even_if_open:
        raise BadInput(
            f"gaming day {day.date} has not closed: {is_open} is open; "
            "run again when it has, or say --even-if-open"
        )
    return is_open is not None


def audit_tables(
    recording: Recording, day: date, scratch: Path, jobs: int, progress: Callable[[str], None]
) -> list[TableDay]:
    """Audit every table's day, and give those that there is anything of.

    Raises:
        BadInput: the archive holds a table that the house does not know, or is damaged.
    """
    house = recording.house
    names = [each.name for each in recording.table_logs()]
    if unknown := [name for name in names if name not in house.tables]:
        raise BadInput(f"{recording.path}: table {unknown[0]!r} is not in the house file of {house.house}")
    todo = table_audit.tasks(recording, names, day, scratch)
    table_audit.run(todo, jobs, progress)
    return [each for each in table_audit.results(todo) if each.digests or each.survey.opened or each.unread]


def compare_with_store(
    live: Live | None,
    recording: Recording,
    tables: Sequence[TableDay],
    accounts: Sequence[Conclusion],
    day: Day,
    scratch: Path,
) -> StoreComparison:
    """Compare the day with a store, and read from it what was done about alerts; empty without a store.

    The `accounts` of ledgers are compared if the store has any, because workers make none. What the store has
    only in parts is listed under its own name.

    Raises:
        BadInput: the store, or the archive, cannot be read.
    """
    if live is None:
        return StoreComparison()
    digests = {each.table: each.digests for each in tables}
    ledgers: dict[str, dict[str, str]] = {}
    for each in accounts:
        ledgers.setdefault(each.table, {})[id_of(each)] = fingerprint(None, each)
    with open_live(live, scratch) as db:
        stored = Stored(db, day.date)
        stored_tables = stored.tables()
        if not ledgers.keys().isdisjoint(stored_tables):
            digests |= ledgers
        digests |= {name: {} for name in stored_tables if name not in digests}
        found = [compare(name, digests[name], stored.digests(name)) for name in sorted(digests)]
        explain(found, stored, recording, day.date, accounts, live.at)
        if orphans := stored.orphans():
            found.append(TableComparison(table=_STORE, same=0, extra=tuple(orphans)))
        return StoreComparison(
            compared=found,
            against=tuple(f"run {run.run} of version {run.version}" for run in stored.runs),
            worked=alert_work(db, recording.house, day, processes.now()),
        )


def book_of(
    recording: Recording,
    day: Day,
    tables: Sequence[TableDay],
    ledgers: LedgerReconciliation,
    comparison: StoreComparison,
    out: Path,
    names: Collection[str],
    *,
    is_open: bool,
) -> Book:
    """Return what the reports are made from; `names` are the tables that the archive has.

    Of the reports in `out` those of the same archive give the earlier days.

    Raises:
        BadInput: an earlier day's report, or what was done at the console, cannot be read.
    """
    house, archive = recording.house, recording.path
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
        quieted=suppressed_alerts(recording, day),
        is_open=is_open,
    )


def deliver(reports: Sequence[Report], store: Path | None, broker: str | None) -> None:
    """Write reports into a store's file, to Kafka, or both; the newest ones there are not written again.

    Raises:
        BadInput: the store cannot be opened, as when another process has it open, or Kafka does not answer.
    """
    bodies = [_day_report(each) for each in reports] if store is not None or broker is not None else []
    if store is not None:
        with Store(store) as opened:
            opened.write_batch({}, reports=bodies)
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
