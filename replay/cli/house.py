"""`discardrack house`: what of a house file is at fault, before anything starts by it."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from replay.cli.options import Verbs
from replay.lists.writers import Form, Row, format_option, write_rows
from replay.recording.file_kinds import kind_at
from schemas import house as houses
from schemas.errors import BadInput
from streams import house_file, house_reload

_COLUMNS: Final = ("file", "line", "table", "submission", "mistake", "near", "left_out", "unreadable")


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

    FILE is a path, or a name in schemas/houses. Every table is checked against its chapter, with all that is
    submitted for it, today and on future days. If `left_out` is true the table is not audited until the file
    is corrected; the others are. If `unreadable` is true the file is not of its form, and nothing starts with
    it. `near` is what may have been meant. Exit status: 0 none, 1 there are mistakes, 2 the file is not there
    or is no YAML.

    \b
    Example:
      discardrack house check my_house.yaml
      discardrack house check my_house.yaml --format jsonl
    """  # noqa: D301  likewise
    rows = list(_rows(file))
    if rows or form == "csv":
        write_rows(rows, form, _COLUMNS)
    raise click.exceptions.Exit(1 if rows else 0)


@house.command()
@click.argument("file")
def reload(file: str) -> None:
    """Make the processes of this machine use a changed house file, without a restart.

    Finds each gateway, worker, archive and serve that runs with FILE, as far as the person may send it a
    signal, and sends it SIGHUP; on another machine, or under another account, run the verb there. Nothing is
    sent for a file that is not of its form. Its mistakes are listed, and each process logs them. Exit status:
    0 sent, 1 not sent for a mistake, 2 the file is not there, or no process runs with it.

    \b
    Example:
      discardrack house reload my_house.yaml
    """  # noqa: D301  likewise
    path = houses.path_of(file, Path.cwd())
    found = house_file.check(houses.text_of(path), str(path))
    for each in found:
        click.echo(f"{each.describe()}{' (left out)' if each.left_out else ''}", err=True)
    if any(each.unreadable for each in found):
        raise click.exceptions.Exit(1)
    users = house_reload.users(path)
    if not users:
        raise BadInput(
            f"{path}: no gateway, worker, archive or serve that you may signal runs by this file here"
        )
    for process, verb in sorted(users.items()):
        os.kill(process, signal.SIGHUP)
        click.echo(f"{verb} (process {process}) takes {path}")


def _rows(file: str) -> Iterator[Row]:
    path = houses.path_of(file, Path.cwd())
    if (kind := kind_at(path)) is not None and kind.shape in ("binary", "table"):
        raise kind.refuse(path, "house file")
    for each in house_file.check(houses.text_of(path), str(path)):
        suggestion = f"did you mean {each.near}?" if each.near is not None else None
        yield {name: getattr(each, name) for name in _COLUMNS} | {"near": suggestion}
