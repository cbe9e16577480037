"""A timeline's entries as rows: the same columns in every form for programs; fewer, in words, for people."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

import click
from rich.cells import cell_len

from projections.views.timeline_entry import Entry
from projections.views.timeline_entry import Kind as Sort
from replay.exports.export_files import comes_to
from replay.exports.flat_rows import Flat, FlatCell
from replay.lists.columns import Column
from replay.lists.writers import printable
from replay.timeline.accounting import Accounting, Missing
from schemas import values
from schemas.house import House

# Money is in cents, moments are in UTC.
COLUMNS: Final = (
    Column("at", "Time (UTC)", "time"),
    Column("gaming_date", "Gaming date", "text"),
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
    Column("expected_cents", "Expected", "cents"),
    Column("observed_cents", "Observed", "cents"),
    Column("gross_cents", "Gross", "cents"),
    Column("vigorish_cents", "Vigorish", "cents"),
    Column("net_cents", "Net", "cents"),
    Column("variance_cents", "Variance", "cents"),
    Column("favours", "Favours", "text"),
    Column("message", "Says", "text"),
    Column("citations", "Citations", "words"),
    Column("id", "Finding", "text"),
    Column("operator", "Operator", "text"),
    Column("subject", "Subject", "text"),
)
HEADS: Final = ("Time", "Table", "Round", "Dealer", "Floorperson", "What", "Says")
_MISSING_TOLD: Final = 50


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


def words(entry: Entry, house: House) -> tuple[Sort, tuple[str, ...]]:
    """Tell an entry to a person, in the property's time; first of what sort it is."""
    at = house.local(entry.at)
    what = {"round": entry.verdict, "finding": entry.check, "event": entry.event}[entry.kind]
    cells = (
        f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03} {at:%Z}",
        entry.table,
        _about(entry),
        entry.dealer or "",
        entry.floorperson or "",
        what or "",
        _says(entry),
    )
    return entry.kind, tuple(printable(cell) for cell in cells)


def _about(entry: Entry) -> str:
    if entry.round is None and entry.kind == "finding" and entry.shoe is not None:
        return f"shoe {entry.shoe}"
    return entry.round or entry.account or ""


def _says(entry: Entry) -> str:
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
    """Return what was read and what became of it."""
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
    return [(name, printable(says)) for name, says in lines]


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
    yield from (("  missing", _told_missing(each)) for each in accounting.missing[:_MISSING_TOLD])
    if len(accounting.missing) > _MISSING_TOLD:
        yield "  missing", f"and {len(accounting.missing) - _MISSING_TOLD:,} ranges more"


def _told_missing(each: Missing) -> str:
    span = f"{each.first}" if each.first == each.last else f"{each.first} to {each.last}"
    return f"table {each.table}: {each.device} epoch {each.epoch}, number {span}"
