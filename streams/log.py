"""Recorded events, wherever they lie: as payloads in order, each with the place it was read from."""

import codecs
from collections.abc import Iterator
from pathlib import Path

from schemas.errors import BadInput

EVENTS = "events"
HOUSE = "house.yaml"
LABELS = "labels.jsonl"


def is_archive(path: Path) -> bool:
    """Tell whether a path is a folder of recorded events."""
    return path.is_dir() and (path / EVENTS).is_dir()


def logs(path: Path, table: str | None = None) -> list[Path]:
    """List the files of an archive, one a table or only that of one table, or the one file that was named.

    Raises:
        BadInput: the folder holds no recorded events, or none of the table.
    """
    if path.is_file():
        return [path]
    files = sorted((path / EVENTS).glob("*.jsonl"))
    if not files:
        raise BadInput(f"{path}: no recorded events; an archive holds {EVENTS}/<table>.jsonl and {HOUSE}")
    if table is None:
        return files
    of_table = [file for file in files if file.stem == table]
    if not of_table:
        raise BadInput(f"{path}: no table {table!r}; it holds {', '.join(file.stem for file in files)}")
    return of_table


def payloads(file: Path) -> Iterator[tuple[int, bytes]]:
    """Read a file's payloads with their line numbers; blank lines and a byte order mark are passed over."""
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.isspace():
                yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
