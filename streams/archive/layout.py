"""Layout of an archive: which file is what by its path alone, and what does not belong there."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

from msgspec import Struct

from projections.evidence.checkpoint import EntryKind
from streams.archive.custody import CUSTODY, HOLDS
from streams.archive.record_names import (
    CHECKPOINTS,
    DAYS,
    HOUSE,
    HOUSES,
    JOURNAL,
    LOCK,
    QUARANTINE_FOLDER,
    RETENTION,
    SALT,
    part_of,
)

# Logs that people's deeds are added to; what they began with is closed with every day.
LOGS: Final = (CUSTODY, HOLDS, RETENTION)
SNAPSHOTS: Final = ".snapshots.parquet"
# Files of an archive besides those that checkpoints name.
_UNLISTED: Final = frozenset({LOCK, SALT, JOURNAL, f"{JOURNAL}-wal", f"{JOURNAL}-shm", "lost+found"})
_FOLDERS: Final = re.compile(rf"{CHECKPOINTS}|{HOUSES}|{DAYS}(/[^/]+(/{QUARANTINE_FOLDER})?)?|lost\+found")
_LONGEST: Final = 400  # characters of a path; no name that an archive gives comes near


class Strange(Struct, frozen=True):
    """Foreign file: something in an archive that no archiver puts there."""

    path: str
    what: str


def kind_of(path: str) -> EntryKind | None:
    """Return what a file is by its path in the archive; None for what no checkpoint may name.

    >>> kind_of("days/2025-03-01/BAC-1.parquet"), kind_of("days/2025-03-01/BAC-1.snapshots.parquet")
    ('part', 'snapshots')
    >>> kind_of("house.yaml"), kind_of("holds.jsonl"), kind_of("days/today/BAC-1.parquet")
    ('newest', 'log', None)
    """
    folder, _, name = path.rpartition("/")
    if len(path) > _LONGEST or name.startswith("."):
        return None
    if not folder:
        return "newest" if name == HOUSE else "log" if name in LOGS else None
    if folder == HOUSES:
        return "house" if name.endswith(".yaml") else None
    return _sealed(folder, name) if day_of(path) is not None else None


def _sealed(folder: str, name: str) -> EntryKind | None:
    if part_of(name) is not None:
        return "part"
    return "snapshots" if name.endswith(SNAPSHOTS) and not folder.endswith(QUARANTINE_FOLDER) else None


def day_of(path: str) -> date | None:
    """Return the gaming day of a sealed file by its path; None for what is of no day.

    >>> day_of("days/2025-03-01/BAC-1.parquet"), day_of("house.yaml"), day_of("days/2025-03-01/x/a.parquet")
    (datetime.date(2025, 3, 1), None, None)
    """
    parts = path.split("/")
    name, *within = parts[1:-1] or [""]
    if parts[0] == DAYS and within in ([], [QUARANTINE_FOLDER]):
        with suppress(ValueError):
            found = date.fromisoformat(name)
            return found if str(found) == name else None
    return None


def strangers(archive: Path) -> Iterator[Strange]:
    """Yield what an archive contains that is not its own: links, folders and files of other names.

    What begins with a full stop was not finished, and is ignored.
    """
    for path, entry in _walked(archive, ""):
        if entry.is_symlink():
            yield Strange(path, "is a link: what it leads to is no part of the archive")
        elif entry.is_dir():
            if not _is_ours(path):
                yield Strange(path, "is a folder that no archiver makes")
        elif _is_file_of_no_one(path, entry.name):
            yield Strange(path, "is a file that no archiver makes")


def _is_file_of_no_one(path: str, name: str) -> bool:
    # Checkpoints are read one by one, which finds false ones.
    expected = name.startswith(".") or path in _UNLISTED or path.startswith(f"{CHECKPOINTS}/")
    return not expected and kind_of(path) is None


def _is_ours(folder: str) -> bool:
    of_day = folder.startswith(f"{DAYS}/")
    return _FOLDERS.fullmatch(folder) is not None and (not of_day or day_of(f"{folder}/a") is not None)


def _walked(archive: Path, folder: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Walk an archive in the order of names, not into links nor into folders of strangers."""
    with os.scandir(archive / folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        path = f"{folder}/{entry.name}" if folder else entry.name
        yield path, entry
        if entry.is_dir(follow_symlinks=False) and _FOLDERS.fullmatch(path) and path != "lost+found":
            yield from _walked(archive, path)
