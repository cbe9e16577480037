"""A list as a table for people, and as JSON lines or CSV for programs; the same rows in the same order."""

import csv
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import IO, Any, Final, Literal, TextIO, TypeAlias, TypeVar, cast, get_args

import click
import msgspec
from msgspec import Struct
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from projections.views.cells import csv_cell, printable, words
from replay.lists.columns import Cell, Column, spread

# What the verbs print lists with, a cell's own wording too.
__all__ = [
    "Form",
    "Row",
    "csv_cell",
    "format_option",
    "json_line",
    "printable",
    "words",
    "write_csv",
    "write_rows",
]

Row: TypeAlias = Mapping[str, object]
Form: TypeAlias = Literal["table", "jsonl", "csv"]
Command = TypeVar("Command", bound=Callable[..., Any])

_encode: Final = msgspec.json.Encoder()


def format_option(default: Form = "table") -> Callable[[Command], Command]:
    """Return a verb that prints a list its option; the argument is `form`, as `format` is Python's own."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(get_args(Form)),
        default=default,
        show_default=True,
        help="How to print the list.",
    )


def write_rows(rows: Iterable[Row], form: Form, columns: Iterable[str] = ()) -> None:
    """Print rows to standard output, in their order and whole: no cell is shortened.

    Every row has the same keys in the same order. `columns` are needed only where there may be no row and
    the head is wanted all the same. JSON lines and CSV are printed as the rows come; a table's rows wait
    on disk, as the widest decides.
    """
    if form == "jsonl":
        for row in rows:
            click.echo(json_line(row))
        return
    rows_left = iter(rows)
    first = list(itertools.islice(rows_left, 1))
    head = list(first[0]) if first else list(columns)
    every = itertools.chain(first, rows_left)
    if form != "csv":
        cells = ([printable(words(row[column])) for column in head] for row in every)
        write_table([printable(column) for column in head], cells)
    elif head:
        values = [Column(column, column, "value") for column in head]
        write_csv(sys.stdout, values, ([cast("Cell", row[column]) for column in head] for row in every))


def write_csv(file: TextIO, columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> None:
    """Write rows as CSV under the columns' names; no cell can act as a formula."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(column.name for column in columns)
    for row in rows:
        writer.writerow(spread(cell, column.kind) for cell, column in zip(row, columns, strict=True))


def json_line(value: object) -> bytes:
    r"""Write a value as a line of JSON; what a terminal would obey or hide is escaped, as JSON allows.

    >>> print(json_line({"table": "a\x1b[2J\x9b\u202e\U000e0041"}).decode())
    {"table":"a\u001b[2J\u009b\u202e\udb40\udc41"}
    """
    text = _encode.encode(value).decode()
    if text.isprintable():
        return text.encode()
    return "".join(each if each.isprintable() else _json_escaped(each) for each in text).encode()


def _json_escaped(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


# ── Rows as an aligned table of text ────────────────────────────────────────────────────────────────────


_BETWEEN: Final = "   "
_IN_MEMORY: Final = 1 << 20  # bytes of rows; a longer table waits in a file
_text_table_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(list[str]).decode


def write_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print cells under their heads: as wide as they are in a pipe, folded to its width on a terminal.

    Memory does not grow with the table.
    """
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
        columns = [_Column(cell_len(each), _longest_word(each)) for each in head]
        for row in rows:
            for column, cell in zip(columns, row, strict=True):
                column.take(cell)
            spool.write(_text_table_encode(row) + b"\n")
        spool.seek(0)
        if not head:
            click.echo()  # as one line, so that the empty output is visible
            return
        _print(head, columns, spool)


def _print(head: Sequence[str], columns: Sequence["_Column"], spool: IO[bytes]) -> None:
    on_terminal = sys.stdout.isatty()
    # A pipe has no width: one row, one line, whatever the caller's terminal is like.
    console = Console(file=sys.stdout, force_terminal=on_terminal)
    widths = _apportioned(columns, console) if on_terminal else [each.width for each in columns]
    for line in _lines(head, widths, console):
        console.print(Text(line, style="bold"), soft_wrap=True)
    click.echo("─" * (sum(widths) + len(_BETWEEN) * (len(widths) - 1)))
    for row in spool:
        for line in _lines(_decode(row), widths, console):
            click.echo(line)


def _lines(row: Sequence[str], widths: Sequence[int], console: Console) -> Iterator[str]:
    """Yield a row's lines: one, or several where a cell is wider than its column."""
    folded = [_folded(cell, width, console) for cell, width in zip(row, widths, strict=True)]
    for cells in zip_longest(*folded, fillvalue=""):
        yield _BETWEEN.join(set_cell_size(cell, width) for cell, width in zip(cells, widths, strict=True))


def _folded(cell: str, width: int, console: Console) -> list[str]:
    if cell_len(cell) <= width:
        return [cell]
    return [line.plain for line in Text(cell).wrap(console, width, overflow="fold")]


class _Column(Struct):
    """Width of a column: of its widest cell, and of its longest word."""

    width: int
    word: int

    def take(self, cell: str) -> None:
        width = cell_len(cell)
        if width > self.word:
            self.width = max(self.width, width)
            self.word = max(self.word, _longest_word(cell))


def _longest_word(cell: str) -> int:
    return max(map(cell_len, cell.split()), default=0)


class _Widest:
    """Represents the cells of a column: as wide as they, and with the room that there is."""

    def __init__(self, column: _Column) -> None:
        self._column = column
        self.room = 0

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self._column.word, self._column.width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.room = options.max_width
        yield ""


def _apportioned(columns: Sequence[_Column], console: Console) -> list[int]:
    """Share out a terminal's width among columns, as rich does in a table of its own."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, show_header=False)
    widest = [_Widest(each) for each in columns]
    for _ in columns:
        table.add_column(overflow="fold")
    table.add_row(*widest)
    console.render_lines(table)
    return [max(each.room, 1) for each in widest]
