"""A table for people, however long: its rows wait on disk until the widths of its columns are known."""

import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import IO, Final

import click
import msgspec
from msgspec import Struct
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

_BETWEEN: Final = "   "
_IN_MEMORY: Final = 1 << 20  # bytes of rows; a longer table waits in a file
_encode: Final = msgspec.json.Encoder().encode
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
            spool.write(_encode(row) + b"\n")
        spool.seek(0)
        if not head:
            click.echo()  # as one line, so that what is printed is seen to be nothing
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
    """How wide a column's widest cell is, and its longest word."""

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
    """Stands for the cells of a column: as wide as they, and told what room there is."""

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
