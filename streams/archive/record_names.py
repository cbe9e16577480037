"""Names of a record in the archive: tables, days, parts."""

import hashlib
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote, unquote

from msgspec import Struct

from schemas.errors import BadInput
from schemas.values import MOST_MICROS
from streams import topics

DAYS: Final = "days"
JOURNAL: Final = "journal.sqlite"
HOUSE: Final = "house.yaml"
HOUSES: Final = "houses"
LOCK: Final = "lock"
CHECKPOINTS: Final = "checkpoints"
SALT: Final = "salt"
RETENTION: Final = "retention.jsonl"
QUARANTINE_FOLDER: Final = "quarantine"
NOTHING_YET: Final = -1  # stands for the offset before the first

# cluster, partition: what has one order of offsets
Stream: TypeAlias = tuple[str, int]
# cluster, partition, offset: where a record of a topic stands
Position: TypeAlias = tuple[str, int, int]

_LONGEST: Final = 120  # characters of a key that a file's name shows; file systems take some 255
# What is there before the journal is; and what a disk has of its own where it is mounted.
_FIRST: Final = frozenset({HOUSE, HOUSES, LOCK, "lost+found"})
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_PART: Final = re.compile(r"([^.]+)(?:\.([1-9]\d*))?\.parquet")


class KafkaRecord(Struct, frozen=True):
    """A record as Kafka gave it; `received` is its time stamp there, microseconds UTC."""

    cluster: str
    topic: str
    partition: int
    offset: int
    received: int
    key: bytes | None
    payload: bytes | None

    @property
    def position(self) -> Position:
        """Return where it stands in its topic."""
        return self.cluster, self.partition, self.offset

    def digest(self) -> bytes:
        """Hash everything that is stored of it (SHA-256).

        >>> one, two = (KafkaRecord("c", "t", 0, 1, 9, key, b"b") for key in (b"", None))
        >>> one.digest() == two.digest(), len(one.digest())
        (False, 32)
        """
        hashed = hashlib.sha256()
        identity = (self.cluster.encode(), self.topic.encode(), self.key, self.payload)
        for part in (f"{self.partition}/{self.offset}/{self.received}".encode(), *identity):
            hashed.update(b"-" if part is None else b"%d:" % len(part) + part)
        return hashed.digest()


def moment(milliseconds: int) -> int:
    """Return Kafka's time stamp in microseconds UTC, held to the years that a calendar has.

    >>> moment(1_740_000_000_123), moment(-1), moment(1 << 62)
    (1740000000123000, 0, 253000000000000000)
    """
    return min(max(milliseconds * 1000, 0), MOST_MICROS)


def file_name(key: bytes | None) -> str:
    """Return the name under which a key's records are filed: plain letters stay, all else is percent-encoded.

    A name holds no full stop, and no two keys have one name. Of a key too long for a file's name the
    beginning and its SHA-256 are shown.

    >>> file_name(b"BAC-104"), file_name("BAC.2/ö".encode()), file_name(b""), file_name(None)
    ('BAC-104', 'BAC%2E2%2F%C3%B6', '%empty', '%none')
    >>> file_name(b"x" * 1000)[:12], len(file_name(b"x" * 1000))
    ('xxxxxxxxxxxx', 186)
    """
    if key is None:
        return "%none"
    name = quote(key, safe="").replace(".", "%2E")
    if len(name) > _LONGEST:
        return f"{name[:_LONGEST]}%-{hashlib.sha256(key).hexdigest()}"
    return name or "%empty"


def table_of(name: str) -> str:
    """Turn a file's name back into the table's, for a person.

    >>> table_of("BAC%2E2%2F%C3%B6"), table_of("%none")
    ('BAC.2/ö', '%none')
    """
    return unquote(name, errors="replace")


def part_of(file: str) -> tuple[str, int] | None:
    """Return the name and number of a part by its file; None if the file is no part.

    >>> part_of("BAC-1.parquet"), part_of("BAC-1.2.parquet"), part_of("BAC-1.snapshots.parquet")
    (('BAC-1', 1), ('BAC-1', 2), None)
    """
    found = _PART.fullmatch(file)
    return (found[1], int(found[2] or 1)) if found is not None else None


def checkpoint_file(archive: Path, number: int) -> Path:
    """Return the file of a checkpoint.

    >>> checkpoint_file(Path("archive"), 12).as_posix()
    'archive/checkpoints/000012.jsonl'
    """
    return archive / CHECKPOINTS / f"{number:06}.jsonl"


def folder_of(archive: Path, day: date, topic: str) -> Path:
    """Return the folder of a day's sealed records: frames at its top, the quarantine's below."""
    folder = archive / DAYS / day.isoformat()
    return folder if topic == topics.FRAMES else folder / QUARANTINE_FOLDER


def days_of(archive: Path) -> list[date]:
    """Return the days that have sealed records, in order; a folder that is not named by a day is not ours.

    Nor is a link: what it leads to is of no archive.
    """
    return _days(each.name for each in _entries(archive / DAYS) if not each.is_symlink())


def own_days(archive: Path) -> list[date]:
    """Return the days as `days_of` does, for those who read them.

    Raises:
        BadInput: `days`, or a day in it, is a link.
    """
    if (archive / DAYS).is_symlink():
        raise _linked(archive / DAYS)
    entries = [each for each in _entries(archive / DAYS) if _DAY.fullmatch(each.name)]
    for each in entries:
        if each.is_symlink():
            raise _linked(each.path)
    return _days(each.name for each in entries)


def _days(names: Iterable[str]) -> list[date]:
    found: list[date] = []
    for name in names:
        if _DAY.fullmatch(name):
            with suppress(ValueError):
                found.append(date.fromisoformat(name))
    return sorted(found)


def files_of(folder: Path, beginning: str = "") -> list[str]:
    """Return the files of a day's folder with a beginning of their names; unfinished ones are ignored.

    Raises:
        BadInput: the folder, or one of the files, is a link.
    """
    if folder.is_symlink():
        raise _linked(folder)
    found: list[str] = []
    for each in _entries(folder):
        if each.name.startswith(beginning) and not each.name.startswith("."):
            if each.is_symlink():
                raise _linked(each.path)
            if each.is_file(follow_symlinks=False):
                found.append(each.name)
    return found


def own_file(path: Path) -> bool:
    """Return True if a file is there.

    Raises:
        BadInput: it is a link.
    """
    if path.is_symlink():
        raise _linked(path)
    return path.is_file()


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return a folder's entries; empty if it does not exist or is a link."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        return list(entries)


def _linked(path: Path | str) -> BadInput:
    return BadInput(f"{path}: is a link, which is never followed here; put there what it leads to")


def is_archive(path: Path) -> bool:
    """Return True if a folder is an archive of live floors, sealed days or a journal or both."""
    return (path / JOURNAL).is_file() or (path / DAYS).is_dir()


def refuse_foreign(folder: Path) -> None:
    """Check that a folder is an archive or can become one: empty, or with what an archiver writes first.

    Raises:
        BadInput: it holds something else.
    """
    if is_archive(folder):
        return
    for name in sorted(each.name for each in folder.iterdir()):
        if name not in _FIRST and not name.startswith("."):
            raise BadInput(f"{folder}: holds {name} and is no archive; name an archive, or an empty folder")
