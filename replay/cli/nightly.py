"""`discardrack nightly`: a gaming day audited again, held against the live store, and reported."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import Progress

from replay.cli.options import FILE_TO_WRITE, broker_option, gaming_day_option, token_file_option
from replay.exports.report import Report
from replay.exports.report.folder import PRIVATE, Written, refuse_other, write
from replay.lists.writers import Form, format_option, write_rows
from replay.nightly import live_comparison, nightly_run, table_audit
from replay.nightly.day_book import Book
from replay.nightly.gaming_days import Day, day_of, origin, tables_of
from replay.nightly.ledger_reconciliation import reconciled
from replay.nightly.nightly_run import deliver, last_closed
from replay.nightly.reports import reports_of
from replay.nightly.reports.reconciling import OPEN_ITEMS
from replay.nightly.table_day import TableDay
from replay.recording.event_audit import house_of
from schemas.house import House
from streams import processes
from streams.archive.disk import make_folder

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
    house = house_of(path, house_file)
    folder = out or path.resolve().parent / "reports"
    refuse_other(folder, origin(path))
    if live is None and token_file is not None:
        raise click.UsageError("--token-file is for the address of serve; say --live too")
    store_live = live_comparison.live_of(live, token_file) if live is not None else None
    of = day.date() if day is not None else last_closed(path, house)
    reports, written = reported(
        path, house, of, folder, store_live, jobs=jobs, store=store, broker=broker, even_if_open=even_if_open
    )
    click.echo(f"{written.folder}: {written.how}", err=True)
    open_items = next(each for each in reports if each.name == OPEN_ITEMS.name)
    names, items = [column.name for column in open_items.columns], open_items.rows
    write_rows((dict(zip(names, row, strict=True)) for row in items), form)
    raise click.exceptions.Exit(1 if items else 0)


def reported(
    path: Path,
    house: House,
    day: date,
    out: Path,
    live: live_comparison.Live | None,
    *,
    jobs: int = JOBS,
    store: Path | None = None,
    broker: str | None = None,
    even_if_open: bool = False,
) -> tuple[list[Report], Written]:
    """Report a gaming day of an archive into a folder, and into a store or through a broker where told.

    Raises:
        BadInput: the day has not closed, or something cannot be read or written.
    """
    of = day_of(house, day)
    with _scratch(out, day) as scratch:
        book = _book(path, house, of, live, out, scratch, jobs, even_if_open=even_if_open)
        reports = reports_of(book)
        written = write(out, book.about, reports)
        deliver(reports, store, broker)
        table_audit.forget(scratch)
    return reports, written


@contextmanager
def _scratch(out: Path, day: date) -> Iterator[Path]:
    """Yield the folder of what is kept until the reports are there; one run at a time has it."""
    scratch = out / f".{day}.audited"
    make_folder(scratch)
    scratch.chmod(PRIVATE)
    with processes.alone(scratch / "lock", f"{out}: another process reports {day}; wait for it"):
        yield scratch


def _book(
    path: Path,
    house: House,
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

        def audited(of: date) -> list[TableDay]:
            return nightly_run.audited(
                path,
                house,
                of,
                scratch / str(of),
                jobs,
                lambda table: progress.update(task, description=f"audited {table} on {of}"),
            )

        tables = audited(day.date)
        is_open = nightly_run.refuse_open(path, house, tables, day, even_if_open=even_if_open)
        ledgers = reconciled(path, house, day.date, audited, out)
    comparison = nightly_run.compared(live, path, house, tables, ledgers.accounts, day, scratch)
    names = {each.name for each in tables_of(path, house)}
    return nightly_run.book_of(
        house, day, tables, ledgers, comparison, out, names, archive=path, is_open=is_open
    )
