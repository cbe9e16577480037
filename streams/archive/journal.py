"""The journal: what is not sealed yet, and how far each partition was read, in one SQLite file.

A commit returns when the disk has it (write-ahead log, synchronous=FULL); only then does a record count as
stored. How far a partition was read is written in the same transaction as its records. Another process may
read while the archiver writes.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Final, Self

from msgspec import Struct

from schemas.errors import BadInput
from streams.archive.record_names import JOURNAL, KafkaRecord, Stream, file_name

_TABLES: Final = """
CREATE TABLE clusters (cluster TEXT PRIMARY KEY, since INTEGER NOT NULL);
CREATE TABLE records (
    cluster TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, offset INTEGER NOT NULL,
    received INTEGER NOT NULL, day TEXT NOT NULL, name TEXT NOT NULL, key BLOB, payload BLOB,
    PRIMARY KEY (cluster, topic, partition, offset));
CREATE INDEX filed ON records (day, topic, name, cluster, partition, offset);
CREATE TABLE positions (
    cluster TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL,
    next INTEGER NOT NULL, newest INTEGER NOT NULL,
    PRIMARY KEY (cluster, topic, partition));
CREATE TABLE missing (
    cluster TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, noticed INTEGER NOT NULL,
    PRIMARY KEY (cluster, topic, partition, first));
"""
_COLUMNS: Final = "cluster, topic, partition, offset, received, key, payload"
_WAIT: Final = 60.0  # seconds, for another connection's transaction


class Place(Struct, frozen=True):
    """Progress of a partition: the next offset, and the newest time stamp so far."""

    next: int
    newest: int = 0


class Missing(Struct, frozen=True):
    """Offsets that Kafka no longer had when the archiver asked; `noticed` in microseconds UTC."""

    cluster: str
    topic: str
    partition: int
    first: int
    last: int
    noticed: int


class Journal:
    """An archive's journal. One connection, for one thread at a time.

    `writable` creates it if there is none; otherwise it is one consistent view of the present content.

    Raises:
        BadInput: the file cannot be opened or is no journal; later, it cannot be read or written. What was
            stored before is unchanged.
    """

    def __init__(self, archive: Path, *, writable: bool = False) -> None:
        self.path = archive / JOURNAL
        try:
            if writable:
                if not self.path.exists():
                    _make(self.path)
                self._base = sqlite3.connect(
                    self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False
                )
                self._base.execute("PRAGMA synchronous = FULL")
            else:
                uri = f"{self.path.absolute().as_uri()}?{_reading(self.path)}"
                self._base = sqlite3.connect(
                    uri, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False
                )
                self._base.execute("BEGIN")
            # The view begins with the first look.
            self._base.execute("SELECT count(*) FROM clusters").fetchone()
        except (sqlite3.Error, OSError) as error:
            raise BadInput(f"{self.path}: not a journal that can be opened: {error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    # ── writing ──────────────────────────────────────────────────────────────────────────────────────

    def begin_cluster(self, cluster: str, now: int) -> None:
        """Note when a cluster was first seen; microseconds UTC."""
        with self._written() as cursor:
            cursor.execute("INSERT OR IGNORE INTO clusters VALUES (?, ?)", (cluster, now))

    def keep(
        self,
        records: Iterable[tuple[date, KafkaRecord]],
        places: Mapping[tuple[str, str, int], Place],
        missing: Iterable[Missing] = (),
    ) -> None:
        """Store records with their gaming days, and how far each (cluster, topic, partition) was read.

        When it returns the disk has them. Records that were stored before are ignored.
        """
        rows = (
            (
                each.cluster, each.topic, each.partition, each.offset, each.received,
                day.isoformat(), file_name(each.key), each.key, each.payload,
            )
            for day, each in records
        )  # fmt: skip
        with self._written() as cursor:
            cursor.executemany("INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            cursor.executemany(
                "INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?, ?)",
                [(*of, place.next, place.newest) for of, place in places.items()],
            )
            cursor.executemany(
                "INSERT OR IGNORE INTO missing VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (each.cluster, each.topic, each.partition, each.first, each.last, each.noticed)
                    for each in missing
                ],
            )

    def forget(self, records: Sequence[KafkaRecord]) -> None:
        """Drop records that are sealed, all or none."""
        with self._written() as cursor:
            cursor.executemany(
                "DELETE FROM records WHERE cluster = ? AND topic = ? AND partition = ? AND offset = ?",
                [(each.cluster, each.topic, each.partition, each.offset) for each in records],
            )

    @contextmanager
    def _written(self) -> Iterator[sqlite3.Cursor]:
        """Write all or nothing; at the end of the context the disk has it."""
        try:
            cursor = self._base.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
                cursor.execute("COMMIT")
            finally:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise BadInput(f"{self.path}: cannot be written: {error}") from None

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────

    def _select(self, query: str, *values: object) -> Iterator[Any]:
        """Yield the rows of an answer as they are taken."""
        try:
            yield from self._base.execute(query, values)
        except sqlite3.Error as error:
            raise BadInput(f"{self.path}: cannot be read: {error}") from None

    def clusters(self) -> dict[str, int]:
        """Return when each cluster was first seen, microseconds UTC."""
        return dict(self._select("SELECT cluster, since FROM clusters"))

    def places(self, cluster: str) -> dict[tuple[str, int], Place]:
        """Return how far each topic and partition of a cluster was read."""
        found = self._select(
            "SELECT topic, partition, next, newest FROM positions WHERE cluster = ?", cluster
        )
        return {(topic, partition): Place(after, newest) for topic, partition, after, newest in found}

    def missing(self) -> list[Missing]:
        """Return the offsets that Kafka no longer had."""
        found = self._select("SELECT * FROM missing ORDER BY noticed, topic, partition, first")
        return [Missing(*row) for row in found]

    def days(self) -> list[tuple[date, int]]:
        """Return the days that have records here, in order, each with the time of one of them."""
        found: list[tuple[date, int]] = []
        after = ""
        # From one day to the next by the index: the records between need not be looked at.
        one = "SELECT day, received FROM records WHERE day > ? ORDER BY day LIMIT 1"
        while row := next(self._select(one, after), None):
            after = row[0]
            found.append((date.fromisoformat(after), row[1]))
        return found

    def filed(self, day: date) -> list[tuple[str, str]]:
        """Return the topics and names that have records of a day."""
        return list(
            self._select(
                "SELECT DISTINCT topic, name FROM records WHERE day = ? ORDER BY topic, name", day.isoformat()
            )
        )

    def rows(self, day: date, topic: str, name: str, limit: int) -> list[KafkaRecord]:
        """Return the first records of a day and name, in the order of cluster, partition and offset."""
        found = self._select(
            f"SELECT {_COLUMNS} FROM records WHERE day = ? AND topic = ? AND name = ?"  # noqa: S608  our own columns
            " ORDER BY cluster, partition, offset LIMIT ?",
            *(day.isoformat(), topic, name, limit),
        )
        return [KafkaRecord(*row) for row in found]

    def streams(self, day: date, topic: str, name: str) -> list[tuple[Stream, int, int]]:
        """Return the clusters and partitions of a day's records of a name, with first and last offset."""
        found = self._select(
            "SELECT cluster, partition, min(offset), max(offset) FROM records"
            " WHERE day = ? AND topic = ? AND name = ? GROUP BY cluster, partition",
            *(day.isoformat(), topic, name),
        )
        return [((cluster, partition), first, last) for cluster, partition, first, last in found]

    def read(self, day: date, topic: str, name: str, stream: Stream, after: int) -> Iterator[KafkaRecord]:
        """Read a day's records of a name from one cluster and partition, after an offset, in order."""
        found = self._select(
            f"SELECT {_COLUMNS} FROM records WHERE day = ? AND topic = ? AND name = ?"  # noqa: S608  our own columns
            " AND cluster = ? AND partition = ? AND offset > ? ORDER BY offset",
            *(day.isoformat(), topic, name, *stream, after),
        )
        return (KafkaRecord(*row) for row in found)


def _make(path: Path) -> None:
    """Make an empty journal, which gets its name only when it has its tables: a reader may come at once."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.executescript(_TABLES)
    unfinished.replace(path)


def _reading(path: Path) -> str:
    """Choose how to read: a folder that we may not write in has no room for a reader's lock."""
    log = path.with_name(f"{path.name}-wal")
    if os.access(path.parent, os.W_OK) or log.exists():
        return "mode=ro"
    return "mode=ro&immutable=1"
