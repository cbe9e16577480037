"""Snapshots of the audit of a table at the start of each gaming day and of each shoe.

So one hand can be rebuilt, and a worker can continue, without reading the years before. Snapshots are derived
data, not evidence: they are made from sealed records, replaced as a whole, and never needed. One is used only
by the version of the software that made it, and only under a house file that has the same settings for the
table up to that day. Otherwise all are made again, from the first day on, the next time that days are sealed.
Once days of the archive are closed, one is used only as it was closed: anyone could have put another there.
"""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import takewhile
from pathlib import Path
from typing import Final

import msgspec
import pyarrow as pa
from msgspec import Struct
from pyarrow import parquet

from projections.engine.audit.table_audit import AuditProgress, TableAudit
from projections.engine.checks.plugin_checks import software
from projections.store.disk import atomic_output
from schemas.codec import UNREAD
from schemas.errors import BadInput
from schemas.house import House
from streams import topics
from streams.archive.checkpoint_chain import is_as_closed
from streams.archive.record_names import Position, file_name, folder_of, own_days, own_file
from streams.log import ArchivedLog, RecordedFrame, read_frames

_log: Final = logging.getLogger(__name__)
_SCHEMA: Final = pa.schema(
    [
        pa.field("shoe", pa.string()),
        pa.field("cluster", pa.string()),
        pa.field("partition", pa.int32()),
        pa.field("offset", pa.int64()),
        pa.field("frame", pa.int64(), nullable=False),
        pa.field("software", pa.string(), nullable=False),
        pa.field("settings", pa.string(), nullable=False),
        pa.field("progress", pa.string(), nullable=False),
    ]
)
_UNUSED: Final[set[tuple[Path, str]]] = set()
_ROWS_AT_ONCE: Final = 4  # a snapshot is tens of kilobytes; few are read to find one
_encode: Final = msgspec.json.Encoder().encode
_read: Final = msgspec.json.Decoder(AuditProgress).decode
_FORM: Final = _encode(msgspec.json.schema(AuditProgress))


class Snapshot(Struct, frozen=True):
    """Snapshot of the audit (`AuditProgress` as JSON) after a record; the first of a day is of its start.

    `shoe` is the one in play, absent if none is. Without `cluster`, `partition` and `offset` it is that
    before the table's first record. `frame` is the number of the last frame applied, 0 before the first;
    `settings` a hash of everything but the records that it depends on.
    """

    shoe: str | None
    cluster: str | None
    partition: int | None
    offset: int | None
    frame: int
    software: str
    settings: str
    progress: str

    @property
    def after(self) -> Position | None:
        """The record after which it was made."""
        if self.cluster is None or self.partition is None or self.offset is None:
            return None
        return self.cluster, self.partition, self.offset


def settings(house: House, table: str, day: date) -> str:
    """Hash what snapshots of a table on a day depend on besides the records: software, form, and the house.

    Of the house file only the table's own part counts, without other tables and later submissions.
    """
    own = [
        each
        for each in house.submissions
        if each.since <= day
        and each.chapter == house.tables[table].chapter
        and (each.tables is None or table in each.tables)
    ]
    part = msgspec.structs.replace(house, tables={table: house.tables[table]}, submissions=own)
    parts = (software().encode(), _FORM, msgspec.json.encode(part, order="sorted"))
    return hashlib.sha256(b"\n".join(parts)).hexdigest()[:16]


def snapshot(archive: Path, table: str, house: House, before: Position | None = None) -> Snapshot | None:
    """Return the latest snapshot of a table made before a record (cluster, partition, offset), or of all.

    Only one that was made within that cluster and partition: where the table began in another, there is
    none. `records(archive, table, snapshot.after)` gives what follows it.
    """
    for day in reversed(_days(archive, table)):
        usable = _usable(archive, table, house, day)
        for each in reversed(usable):
            if before is None:
                return each
            if each.after is not None and each.after[:2] == before[:2] and each.after[2] < before[2]:
                return each
    return None


def from_start(archive: Path, table: str, house: House, day: date) -> Sequence[Snapshot]:
    """Return the latest snapshot not later than the start of a gaming day, then the day's shoes'."""
    for each in reversed(own_days(archive)):
        if (
            each <= day
            and _is_sealed(archive, table, each)
            and (usable := _usable(archive, table, house, each))
        ):
            return usable if each == day else usable[-1:]
    return ()


def make_snapshots(archive: Path, table: str, house: House, before: date) -> Iterator[date]:
    """Make a table's missing snapshots of sealed days before a day; yield each day that has them now.

    It may be stopped after any of them.

    Raises:
        BadInput: the house cannot be applied to the table, or a file of the archive is damaged.
    """
    days = [day for day in _days(archive, table) if day < before]
    lacking = list(takewhile(lambda day: not _usable(archive, table, house, day), reversed(days)))
    if not lacking:
        return
    snapshots = days[: len(days) - len(lacking)]
    snapshot = _usable(archive, table, house, snapshots[-1])[-1] if snapshots else None
    making = _SnapshotBuilder(table, house, snapshot)
    after = snapshot.after if snapshot is not None else None
    for each in read_frames(ArchivedLog(archive, file_name(table.encode()), after), table):
        day = each.record.day or date.min
        if day > lacking[0]:
            break
        if making.day is None or day > making.day:
            if making.day in lacking:
                yield _written(archive, table, making)
            making.begin(day)
        making.apply_record(each)
    if making.day in lacking:
        yield _written(archive, table, making)


class _SnapshotBuilder:
    """The audit of a table on its way through the days, with the day's snapshots so far."""

    def __init__(self, table: str, house: House, snapshot: Snapshot | None) -> None:
        self.audit = TableAudit(table, house)
        self.house = house
        self.after: Position | None = None
        self.frame = 0
        if snapshot is not None:
            self.audit.progress = _progress(table, snapshot)
            self.after, self.frame = snapshot.after, snapshot.frame
        self.day: date | None = None
        self.rows: list[Snapshot] = []
        self._shoes: set[str | None] = set()

    def begin(self, day: date) -> None:
        """Begin a day with the state at its start."""
        self.day, self.rows, self._shoes = day, [], set()
        self._add(self._shoe())

    def apply_record(self, each: RecordedFrame) -> None:
        """Apply a record as an audit of the archive does; where a new shoe is in play after it, note that."""
        self.after, frame = each.record.position, each.frame
        if frame is None:
            return
        self.audit.feed(frame.events)
        self.audit.take_strangers()
        self.frame = max(self.frame, frame.frame) if frame.frame != 1 else 1
        shoe = self._shoe()
        if shoe is not None and shoe not in self._shoes:
            self._add(shoe)

    def _shoe(self) -> str | None:
        shoe = self.audit.progress.state.shoe
        return shoe.title() if shoe is not None else None

    def _add(self, shoe: str | None) -> None:
        self._shoes.add(shoe)
        day = self.day or date.min
        cluster, partition, offset = self.after or (None, None, None)
        self.rows.append(
            Snapshot(
                shoe,
                cluster,
                partition,
                offset,
                self.frame,
                software(),
                settings(self.house, self.audit.table, day),
                _encode(self.audit.progress).decode(),
            )
        )


def _file(archive: Path, table: str, day: date) -> Path:
    return folder_of(archive, day, topics.FRAMES) / f"{file_name(table.encode())}.snapshots.parquet"


def _days(archive: Path, table: str) -> list[date]:
    """Return the days with sealed frames of a table."""
    return [day for day in own_days(archive) if _is_sealed(archive, table, day)]


def _is_sealed(archive: Path, table: str, day: date) -> bool:
    return own_file(folder_of(archive, day, topics.FRAMES) / f"{file_name(table.encode())}.parquet")


def _progress(table: str, snapshot: Snapshot) -> AuditProgress:
    try:
        return _read(snapshot.progress)
    except UNREAD as error:
        raise BadInput(
            f"{table}: what was known after {snapshot.after} cannot be read: {error}; remove the table's "
            ".snapshots.parquet files, and they will be made anew"
        ) from None


def _usable(archive: Path, table: str, house: House, day: date) -> Sequence[Snapshot]:
    """Read a day's snapshots, if they are as they were closed, by this software and under this house."""
    file = _file(archive, table, day)
    if table not in house.tables or not own_file(file):
        return ()
    if not is_as_closed(archive, file, file_name(table.encode())):
        _say_unused(archive, table, file)
        return ()
    try:
        # Of the one file: what reads datasets takes long to load.
        with parquet.ParquetFile(file, page_checksum_verification=True) as part:
            found = msgspec.convert(part.read(_SCHEMA.names).to_pylist(), list[Snapshot])
    except (pa.ArrowException, OSError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise BadInput(f"{file}: cannot be read: {error}; remove it, and it will be made anew") from None
    wanted = settings(house, table, day)
    return found if found and all(each.settings == wanted for each in found) else ()


def _say_unused(archive: Path, table: str, file: Path) -> None:
    """Warn once for a table that a file is not used; there may be many."""
    if (archive, table) not in _UNUSED:
        _UNUSED.add((archive, table))
        _log.warning("%s: is not as it was closed, and not used; more has to be read in its place", file)


def _written(archive: Path, table: str, making: _SnapshotBuilder) -> date:
    day = making.day or date.min
    table_of_rows = pa.Table.from_pylist([msgspec.structs.asdict(each) for each in making.rows], _SCHEMA)
    with atomic_output(_file(archive, table, day)) as out:
        parquet.write_table(
            table_of_rows, out, compression="zstd", row_group_size=_ROWS_AT_ONCE, write_page_checksum=True
        )
    return day
