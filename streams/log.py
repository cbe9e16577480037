"""Recorded events, wherever they lie: as payloads in order, each with the place it was read from.

They lie in an archive of a live floor (`streams.archive`), in a folder of one file a table, as the simulator
writes it, in a file of frames, or in one sealed part of an archive.
"""

import codecs
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from schemas.errors import BadInput
from schemas.ledgers import LEDGERS
from schemas.surveillance import STREAM
from streams.archive import verification
from streams.archive.archive_reader import ArchivedLog, is_sealed, names
from streams.archive.record_names import file_name, table_of
from streams.archive.record_names import is_archive as is_live_archive

EVENTS: Final = "events"
HOUSE: Final = "house.yaml"
LABELS: Final = "labels.jsonl"
_PARQUET: Final = b"PAR1"


class Log(Protocol):
    """Payloads in order. `key` is the one table whose frames it may hold, None where any may stand there."""

    @property
    def name(self) -> str:
        """A file's or a table's name."""

    @property
    def key(self) -> str | None:
        """The table, where the log is of one."""

    def payloads(self) -> Iterator[tuple[int, str, bytes]]:
        """Read the payloads: number (of the line, or the record's offset), place for messages, bytes."""


class FileLog(Struct, frozen=True):
    """A file of frames, one a line."""

    file: Path
    key: str | None = None

    @property
    def name(self) -> str:
        """The table of an archive's file."""
        return self.file.stem

    def payloads(self) -> Iterator[tuple[int, str, bytes]]:
        """Read the payloads by line."""
        return ((number, f"{self.file.name}:{number}", line) for number, line in payloads(self.file))


class PartLog(Struct, frozen=True):
    """One sealed part of an archive."""

    file: Path
    key: str | None = None

    @property
    def name(self) -> str:
        """The file's name."""
        return self.file.name

    def payloads(self) -> Iterator[tuple[int, str, bytes]]:
        """Read the payloads by offset."""
        from streams.archive import sealed_files  # noqa: PLC0415  Parquet takes long to load; few files need it

        return (
            (each.offset, f"{self.file.name}:{each.offset}", each.payload or b"")
            for each in sealed_files.read(self.file)
        )


def is_archive(path: Path) -> bool:
    """Return True if a path is a folder of recorded events."""
    return path.is_dir() and ((path / EVENTS).is_dir() or is_live_archive(path))


def is_parquet(path: Path) -> bool:
    """Return True if a path is a Parquet file."""
    with path.open("rb") as file:
        return file.read(len(_PARQUET)) == _PARQUET


def logs(path: Path, table: str | None = None) -> Sequence[Log]:
    """Return the logs of an archive, one a table or only that of one table, or the one file that was named.

    Raises:
        BadInput: the folder holds no recorded events, or none of the table.
    """
    if path.is_file():
        return [PartLog(path) if is_parquet(path) else FileLog(path)]
    found: Sequence[Log]
    if table is not None and is_live_archive(path) and is_sealed(path, name := file_name(table.encode())):
        return [ArchivedLog(path, name)]  # the names of the others, of a year's days, need not be looked for
    if is_live_archive(path):
        found = [ArchivedLog(path, name) for name in names(path)]
    else:
        found = [FileLog(file) for file in sorted((path / EVENTS).glob("*.jsonl"))]
    if not found and (removed := _removed(path, None)):
        raise BadInput(f"{path}: no recorded events; {removed}")
    if not found:
        raise BadInput(
            f"{path}: no recorded events; an archive holds sealed days or a journal, or else "
            f"{EVENTS}/<table>.jsonl, and {HOUSE}"
        )
    if table is None:
        return found
    of_table = [each for each in found if each.name == table]
    if not of_table:
        tables = ", ".join(table_of(each.name) for each in found if each.name not in (*LEDGERS, STREAM))
        says = _removed(path, table) or f"it holds {tables or 'none'}"
        raise BadInput(f"{path}: no table {table!r}; {says}")
    return of_table


def on_days(each: Log, days: Collection[date]) -> Log:
    """Leave out of a log what an archive filed under other days; any other log is read whole."""
    return replace(each, days=frozenset(days)) if isinstance(each, ArchivedLog) else each


def _removed(archive: Path, table: str | None) -> str:
    """Return when what an archive had of a table, or of all, was removed; empty if nothing was."""
    on = sorted({each.at.date() for each in verification.read(archive) if table in (None, each.table)})
    if not on:
        return ""
    span = f"on {on[0]}" if on[0] == on[-1] else f"from {on[0]} to {on[-1]}"
    return f"what there was of it was removed by retention {span}"


def payloads(file: Path) -> Iterator[tuple[int, bytes]]:
    """Read a file's payloads with their line numbers; blank lines and a byte order mark are passed over."""
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.isspace():
                yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
