"""`discardrack timeline`: what happened, in the order of its time, as an investigator filters it."""

from collections.abc import Iterator, Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import click
import msgspec
from msgspec import Struct
from rich.console import Console

from projections.views.timeline_entry import Entry, Happening, TableAtMoment
from replay.cli.options import FILE_TO_WRITE
from replay.cli.output import appearing, out_option, printed_to
from replay.exports.export_files import is_file_form, output_file
from replay.exports.export_files import write as write_file
from replay.lists.writers import printable, write_rows
from replay.recording.event_audit import house_of
from replay.recording.seated_rounds import Seats, terminal_of
from replay.recording.source import source_argument
from replay.timeline.accounting import Accounting
from replay.timeline.filters import Filters, TimelineOptions, filters, reach, refuse_unknown, with_filters
from replay.timeline.timeline_reader import Spool, is_recorded, read_events, read_records, read_seats
from replay.timeline.timeline_rows import (
    COLUMNS,
    HEADS,
    accounting_lines,
    print_table,
    row,
    widths_of,
    words,
)
from schemas import house as houses
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
    path: Path,
    house_file: str | None,
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
    recorded = is_recorded(path)
    house = house_of(path, house_file) if recorded else _house(house_file)
    by = filters(options_given, house, recorded=recorded)
    with Spool() as spool, Seats() as seats:
        with Console(stderr=True).status(f"Reading {printable(path.name)} …"):
            if recorded:
                how_much = reach(by, house, every=every)
                read_seats(seats, path, house, how_much)
                counts = read_events(spool, path, house, how_much)
            else:
                counts = read_records(spool, path, house_file)
        refuse_unknown(options_given, spool, seats)
        answer = TimelineAnswer(spool, seats, by, house, counts)
        _write(answer, options_given, form, out)
    if form not in ("table", "html"):
        for name, says in accounting_lines(counts):
            click.echo(f"{name}: {says}", err=True)
    if accounting is not None:
        with appearing(accounting) as part:
            part.write_bytes(msgspec.json.format(msgspec.json.encode(counts.told())) + b"\n")
    raise click.exceptions.Exit(2 if counts.unread else 0)


def _house(house_file: str | None) -> House:
    return houses.load(house_file, Path.cwd()) if house_file else houses.DEFAULT


class TimelineAnswer(Struct, frozen=True):
    """The entries that answer the filters, by time; they may be asked for again, and are counted anew."""

    spool: Spool
    seats: Seats
    by: Filters
    house: House
    counts: Accounting

    def entries(self) -> Iterator[Entry]:
        """Yield the entries in their order."""
        counts = self.counts
        counts.shown = counts.hidden = 0
        standing: dict[str, TableAtMoment] = {}
        for moment in self.spool.moments():
            if isinstance(moment, Happening):
                table, rows = moment.entry.table, 1
            else:
                table, rows = moment.about.table, len(moment.findings) + (moment.about.round is not None)
            if table not in standing:
                standing[table] = TableAtMoment(partial(self._sits, table, terminal_of(self.house, table)))
            found = self.by.shown(standing[table], moment)
            counts.shown += len(found)
            counts.hidden += rows - len(found)
            yield from found

    def _sits(self, table: str, terminal: str, at: int, number: str) -> Mapping[int, str]:
        return self.seats.account(table, terminal, at).patrons(at, number)

    def words(self) -> Iterator[tuple[str, ...]]:
        """Return them in words."""
        return (words(entry, self.house)[1] for entry in self.entries())


def _write(item: TimelineAnswer, query: TimelineOptions, form: Form, out: Path | None) -> None:
    if form == "table":
        widths = widths_of(item.words())
        with printed_to(out):
            print_table(item.words(), widths)
            click.echo()
            for name, says in accounting_lines(item.counts):
                click.echo(f"{name}: {says}")
        return
    rows = (row(entry) for entry in item.entries())
    if form in ("jsonl", "csv"):
        with printed_to(out):
            write_rows(rows, "csv" if form == "csv" else "jsonl", [column.name for column in COLUMNS])
        return
    if out is not None:
        with appearing(out) as part:
            if form == "html":
                _write_page(item, query, part)
            else:
                write_file(form, rows, COLUMNS, item.house, part)


def _write_page(item: TimelineAnswer, query: TimelineOptions, part: Path) -> None:
    from replay.lists import html_page  # noqa: PLC0415  the templates are needed for a page alone

    facts = (
        ("Times", item.house.zone),
        ("Filters", query.told() or "none"),
        ("Software", f"discardrack {version('discardrack')}"),
    )
    title = f"Timeline, {item.house.house}"
    page = html_page.Page(title, facts, HEADS, lambda: accounting_lines(item.counts))
    lines = (words(entry, item.house) for entry in item.entries())
    html_page.write(((kind, *cells) for kind, cells in lines), page, part)
