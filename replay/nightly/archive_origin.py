"""Which archive reports are made from, in a word that stays the same as the archive grows or is copied."""

import hashlib
from pathlib import Path
from typing import Final

from replay.nightly.gaming_days import parts_of
from streams import log
from streams.archive.journal import Journal
from streams.archive.record_names import JOURNAL, is_archive, own_days

_LETTERS: Final = 16


def origin(path: Path) -> str:
    """Return an archive by what it began with.

    That of a live floor: its first cluster, and when it first saw that. That of a simulated floor: the first
    frame of each table and ledger.

    Raises:
        BadInput: the journal or a sealed file cannot be read.
    """
    began = _cluster(path) if is_archive(path) else _frames(path)
    return hashlib.sha256(repr(began).encode()).hexdigest()[:_LETTERS]


def _cluster(path: Path) -> tuple[int, str] | None:
    if (path / JOURNAL).is_file():
        with Journal(path) as journal:
            return min(((since, cluster) for cluster, since in journal.clusters().items()), default=None)
    from streams.archive import sealed_files  # noqa: PLC0415  Parquet takes long to load; a journal tells it sooner

    for day in own_days(path):
        if parts := parts_of(path, day):
            return min((held.since, held.cluster) for held in map(sealed_files.stretch_of, parts))
    return None


def _frames(path: Path) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for file in sorted((path / log.EVENTS).glob("*.jsonl")):
        with file.open("rb") as lines:
            found.append((file.name, lines.readline()))
    return found
