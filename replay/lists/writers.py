"""A list as a table for people, and as JSON lines or CSV for programs; the same rows in the same order."""

import csv
import itertools
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TextIO, TypeAlias, TypeVar, cast, get_args

import click
import msgspec

from projections.views.cells import csv_cell, printable, words
from replay.lists.columns import Cell, Column, spread
from replay.lists.text_table import write_table

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
