"""`discardrack house`: what of a house file is at fault, before anything starts by it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from projections.engine.audit.rulebooks import line_in, mistakes
from replay.cli.options import Verbs
from replay.lists.writers import Form, Row, format_option, write_rows
from schemas import house as houses

_COLUMNS: Final = ("file", "line", "table", "submission", "mistake", "near", "left_out")


@click.group(cls=Verbs)
def house() -> None:
    """Look at a house file.

    \b
    Example:
      discardrack house check my_house.yaml
    """  # noqa: D301  click's mark for text that is not wrapped


@house.command()
@click.argument("file")
@format_option()
def check(file: str, form: Form) -> None:
    """List every mistake of a house file: a row each, with its file and line.

    FILE is a path, or a name in schemas/houses. Every table is held against its chapter, with all that is
    submitted for it, today and on days to come. Where `left_out` is true the table is not audited until the
    file is mended; the others are. `near` is what may have been meant. Exit status: 0 none, 1 there are
    mistakes, 2 the file cannot be read.

    \b
    Example:
      discardrack house check my_house.yaml
      discardrack house check my_house.yaml --format jsonl
    """  # noqa: D301  likewise
    rows = list(_rows(file))
    if rows or form == "csv":
        write_rows(rows, form, _COLUMNS)
    raise click.exceptions.Exit(1 if rows else 0)


def _rows(file: str) -> Iterator[Row]:
    path = str(houses.path_of(file, Path.cwd()))
    read, text = houses.read(file, Path.cwd())
    for each in mistakes(read):
        yield {
            "file": path,
            "line": line_in(text.decode(), each),
            "table": each.table,
            "submission": str(each.submission) if each.submission is not None else None,
            "mistake": each.message,
            "near": f"did you mean {each.suggestion}?" if each.suggestion is not None else None,
            "left_out": each.leaves_out,
        }
