"""`discardrack timeline`: what happened, in the order of its time, as an investigator filters it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final, Literal, TypeAlias, get_args

import click
import msgspec
from msgspec import Struct
from rich.cells import cell_len
from rich.console import Console

from projections.store.disk import atomic_output
from projections.views.time_text import moment_text
from projections.views.timeline_entry import Entry, Happening, TableAtMoment
from projections.views.timeline_entry import Kind as Sort
from replay.cli.options import FILE_TO_WRITE, out_option, redirect_output
from replay.cli.source import source_argument
from replay.cli.timeline_options import TimelineOptions, filters, reach, refuse_unknown, with_filters
from replay.exports.export_files import comes_to, is_file_form, output_file
from replay.exports.export_files import write as write_file
from replay.exports.flat_rows import DIFFERENCE_COLUMNS, Flat, FlatCell
from replay.lists.columns import Column
from replay.lists.writers import printable, write_rows
from replay.recording.recording import Recording
from replay.recording.seated_rounds import SeatingIndex, terminal_of
from replay.timeline.filters import Filters
from replay.timeline.timeline_reader import (
    Accounting,
    Missing,
    TimelineSpill,
    read_events,
    read_records,
    read_seats,
)
from schemas import values
from schemas.house import House

Form: TypeAlias = Literal["table", "jsonl", "csv", "parquet", "html", "timesketch", "itrak"]


@click.command()
@source_argument
@with_filters
@click.option("--events", "every", is_flag=True, help="Every event, not only those that are looked for.")
@click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Form)),
    default="table",
    show_default=True,
    help="How to write it; those after csv need --out.",
)
@click.option(
    "--accounting",
    type=FILE_TO_WRITE,
    help="File for the accounting, as JSON, with every missing range.",
)
@out_option
def timeline(
    recording: Recording,
    form: Form,
    accounting: Path | None,
    out: Path | None,
    *,
    every: bool,
    **options: Any,
) -> None:
    """List rounds, findings and events by time, and account for what was read.

    PATH is an archive folder, a file of frames or of round records, or what Kafka has now
    (kafka://HOST:PORT?since=2025-03-01T10:00, with --house). Every filter has to be met; the same one given
    again asks for either. Times are in the property's zone, in files for programs in UTC. In table and html
    the accounting ends the page; in the other forms it goes to standard error. Exit status: 2 where what is
    asked for is not there, and where anything could not be read: what could be is there all the same.

    \b
    Example:
      discardrack timeline floor/ --around 2025-03-01T06:40 --minutes 5 --table BAC-101
    """  # noqa: D301  click takes the backspace itself for its mark
    if is_file_form(form):
        out = output_file(form, out)
    options_given = TimelineOptions(**options)
    recording.check_rounds()
    house = recording.house
    by = filters(options_given, house, recorded=recording.holds_frames)
    with TimelineSpill() as spool, SeatingIndex() as seats:
        with Console(stderr=True).status(f"Reading {printable(recording.path.name)} …"):
            if recording.holds_frames:
                how_much = reach(by, house, every=every)
                read_seats(seats, recording, how_much)
                counts = read_events(spool, recording, how_much)
            else:
                counts = read_records(spool, recording)
        refuse_unknown(options_given, spool, seats)
        answer = TimelineAnswer(spool, seats, by, house, counts)
        _write(answer, options_given, form, out)
    if form not in ("table", "html"):
        for name, message in accounting_lines(counts):
            click.echo(f"{name}: {message}", err=True)
    if accounting is not None:
        with atomic_output(accounting) as file:
            file.write(msgspec.json.format(msgspec.json.encode(counts.to_builtins())) + b"\n")
    raise click.exceptions.Exit(2 if counts.unread else 0)


class TimelineAnswer(Struct, frozen=True):
    """The entries that pass the filters, by time; they may be read again, and are then counted again."""

    spool: TimelineSpill
    seats: SeatingIndex
    by: Filters
    house: House
    counts: Accounting

    def entries(self) -> Iterator[Entry]:
        """Yield the entries in their order."""
        counts = self.counts
        counts.shown = counts.hidden = 0
        statuses: dict[str, TableAtMoment] = {}
        for moment in self.spool.moments():
            if isinstance(moment, Happening):
                table, rows = moment.entry.table, 1
            else:
                table, rows = moment.about.table, len(moment.findings) + (moment.about.round is not None)
            if table not in statuses:
                statuses[table] = TableAtMoment(partial(self._sits, table, terminal_of(self.house, table)))
            found = self.by.entries_for(statuses[table], moment)
            counts.shown += len(found)
            counts.hidden += rows - len(found)
            yield from found

    def _sits(self, table: str, terminal: str, at: int, number: str) -> Mapping[int, str]:
        return self.seats.account(table, terminal, at).patrons(at, number)

    def words(self) -> Iterator[tuple[str, ...]]:
        """Return them in words."""
        return (entry_words(entry, self.house)[1] for entry in self.entries())


def _write(item: TimelineAnswer, query: TimelineOptions, form: Form, out: Path | None) -> None:
    if form == "table":
        widths = widths_of(item.words())
        with redirect_output(out):
            print_table(item.words(), widths)
            click.echo()
            for name, message in accounting_lines(item.counts):
                click.echo(f"{name}: {message}")
        return
    rows = (row(entry) for entry in item.entries())
    if form in ("jsonl", "csv"):
        with redirect_output(out):
            write_rows(rows, "csv" if form == "csv" else "jsonl", [column.name for column in COLUMNS])
        return
    if out is not None:
        with atomic_output(out) as file:
            if form == "html":
                _write_page(item, query, file)
            else:
                write_file(form, rows, COLUMNS, item.house, file)


def _write_page(item: TimelineAnswer, query: TimelineOptions, file: IO[bytes]) -> None:
    from replay.lists import html_page  # noqa: PLC0415  the templates are needed for a page alone

    facts = (
        ("Times", item.house.zone),
        ("Filters", query.as_text() or "none"),
        ("Software", f"discardrack {version('discardrack')}"),
    )
    title = f"Timeline, {item.house.house}"
    page = html_page.Page(title, facts, HEADS, lambda: accounting_lines(item.counts))
    lines = (entry_words(entry, item.house) for entry in item.entries())
    html_page.write(((kind, *cells) for kind, cells in lines), page, file)


# ── A timeline's entries as rows ────────────────────────────────────────────────────────────────────────


# Money is in cents, moments are in UTC.
COLUMNS: Final = (
    Column("at", "Time (UTC)", "time"),
    Column("gaming_date", "Gaming date", "date"),
    Column("table", "Table", "text"),
    Column("pit", "Pit", "text"),
    Column("chapter", "Chapter", "text"),
    Column("kind", "Kind", "text"),
    Column("round", "Round", "text"),
    Column("shoe", "Shoe", "text"),
    Column("account", "Account", "text"),
    Column("dealer", "Dealer", "text"),
    Column("floorperson", "Floorperson", "text"),
    Column("seat", "Seat", "number"),
    Column("bettor", "Bettor", "text"),
    Column("patron", "Patron", "text"),
    Column("wager", "Wager", "text"),
    Column("hand", "Hand", "text"),
    Column("device", "Device", "text"),
    Column("event", "Event", "text"),
    Column("check", "Found", "text"),
    Column("severity", "Severity", "text"),
    Column("weight", "Weight", "text"),
    Column("verdict", "Verdict", "text"),
    Column("outcome", "Outcome", "text"),
    Column("cents", "Wagered", "cents"),
    *DIFFERENCE_COLUMNS,
    Column("message", "Says", "text"),
    Column("citations", "Citations", "words"),
    Column("id", "Finding", "text"),
    Column("operator", "Operator", "text"),
    Column("subject", "Subject", "text"),
)
HEADS: Final = ("Time", "Table", "Round", "Dealer", "Floorperson", "What", "Says")
_MOST_MISSING: Final = 50


def row(entry: Entry) -> Flat:
    """Flatten an entry."""
    return {column.name: _cell(column.name, getattr(entry, column.name)) for column in COLUMNS}


def _cell(column: str, value: object) -> FlatCell:
    if column == "at" and isinstance(value, int):
        return f"{values.moment(value).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
    if isinstance(value, date):
        return str(value)
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, str | int) else None


def entry_words(entry: Entry, house: House) -> tuple[Sort, tuple[str, ...]]:
    """Return an entry's kind and its cells in words, in the property's time."""
    at = house.local(entry.at)
    what = {"round": entry.verdict, "finding": entry.check, "event": entry.event}[entry.kind]
    cells = (
        moment_text(at, house.zone, "milliseconds"),
        entry.table,
        _about(entry),
        entry.dealer or "",
        entry.floorperson or "",
        what or "",
        _message_of(entry),
    )
    return entry.kind, tuple(printable(cell) for cell in cells)


def _about(entry: Entry) -> str:
    if entry.round is None and entry.kind == "finding" and entry.shoe is not None:
        return f"shoe {entry.shoe}"
    return entry.round or entry.account or ""


def _message_of(entry: Entry) -> str:
    if entry.kind != "finding":
        return entry.message
    sums = comes_to(entry.net_cents, entry.variance_cents)
    favours = f"favours {entry.favours}" if entry.favours else ""
    patron = f"patron {entry.patron}" if entry.patron and entry.patron not in entry.message else ""
    parts = (entry.severity, entry.weight, sums, favours, patron, ", ".join(entry.citations), entry.id)
    return f"{entry.message} [{'; '.join(part for part in parts if part)}]"


def print_table(rows: Iterable[Sequence[str]], widths: Sequence[int]) -> None:
    """Print rows under their heads, aligned; the last column is as wide as it is."""
    click.echo(_padded(HEADS, widths))
    for cells in rows:
        click.echo(_padded(cells, widths))


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=False))
    return "  ".join((*padded, cells[-1])).rstrip()


def widths_of(rows: Iterable[Sequence[str]]) -> list[int]:
    """Return how wide each column but the last has to be."""
    widths = [cell_len(head) for head in HEADS[:-1]]
    for cells in rows:
        widths = [max(width, cell_len(cell)) for width, cell in zip(widths, cells, strict=False)]
    return widths


def accounting_lines(accounting: Accounting) -> list[tuple[str, str]]:
    """Return what was read and what happened to it."""
    lines = [
        (
            "Lines or records read",
            f"{accounting.frames:,}, of which {accounting.unreadable_lines:,} could not be read",
        ),
        *(_of_events(accounting) if accounting.read else ()),
        ("Rounds concluded", f"{accounting.rounds:,}"),
        (
            "  complete",
            f"{accounting.complete:,}: {accounting.clean:,} clean, {accounting.mismatch:,} mismatch",
        ),
        ("  undetermined", f"{accounting.undetermined:,}"),
        ("Rows shown", f"{accounting.shown:,}"),
        ("Rows hidden by the filters", f"{accounting.hidden:,}"),
        *(("Could not be read", each) for each in accounting.unread),
        *(
            [("Could not be read", f"... and {accounting.unread_besides:,} more")]
            if accounting.unread_besides
            else []
        ),
    ]
    if accounting.accounts_left_out:
        lines.append(("Ledgers", "not reconciled, as not every table and day was asked for"))
    return [(name, printable(message)) for name, message in lines]


def _of_events(accounting: Accounting) -> Iterator[tuple[str, str]]:
    counts = (
        ("Events read", accounting.read),
        ("  used", accounting.used),
        ("  doubled", accounting.doubled),
        ("  late: came after their rounds could be revised", accounting.late),
        ("  unreadable", accounting.unreadable),
        ("  of devices that the table does not have", accounting.strange),
        ("  of tables that are not judged", accounting.elsewhere),
        ("  of rounds that had no room", accounting.crowded_out),
        ("  entries of ledgers", accounting.ledgers),
        ("Events missing", sum(each.last - each.first + 1 for each in accounting.missing)),
    )
    yield from ((name, f"{count:,}") for name, count in counts)
    yield from (("  missing", _missing_line(each)) for each in accounting.missing[:_MOST_MISSING])
    if len(accounting.missing) > _MOST_MISSING:
        yield "  missing", f"and {len(accounting.missing) - _MOST_MISSING:,} ranges more"


def _missing_line(each: Missing) -> str:
    span = f"{each.first}" if each.first == each.last else f"{each.first} to {each.last}"
    return f"table {each.table}: {each.device} epoch {each.epoch}, number {span}"
