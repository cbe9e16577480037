"""Recorded frames, wherever they are: records in order, each with the place it was read from.

They are in an archive of a live floor (`streams.archive`), in a folder of one file a table, as the simulator
writes it, in a file of frames, or in one sealed part of an archive.
"""

import codecs
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from schemas.codec import Frame, decode
from schemas.errors import BadInput
from schemas.ledgers import LEDGERS
from schemas.surveillance import STREAM
from streams.archive.record_names import Position, file_name, table_of
from streams.archive.record_names import is_archive as is_live_archive
from streams.archive.retention_log import removals

if TYPE_CHECKING:
    from streams.archive.archive_reader import Filed

EVENTS: Final = "events"
HOUSE: Final = "house.yaml"
LABELS: Final = "labels.jsonl"
_PARQUET: Final = b"PAR1"

# ── A record, and what was read of it ────────────────────────────────────────────────────────────────────


class RecordedPayload(Struct, frozen=True):
    """A recorded payload; `number` is its line in a file or its offset, `where` its place for messages.

    Of an archive it has its position too, and the day under which it is filed.
    """

    number: int
    where: str
    payload: bytes
    position: Position | None = None
    day: date | None = None


class Unread(Struct, frozen=True):
    """Unreadable record or line, in the place of its answer.

    `line` is that of a file, or the record's offset in an archive of a live floor.
    """

    line: int
    error: str

    def describe(self, path: object = None) -> str:
        """Return where it stood and why it could not be read, in one line with its place once.

        >>> Unread(3, "no round").describe(), Unread(3, "no round").describe("in.jsonl")
        ('line 3: no round', 'in.jsonl:3: no round')
        >>> Unread(0, "2025-03-01/BAC-1:0: not a frame").describe()
        '2025-03-01/BAC-1:0: not a frame'
        """
        if re.search(rf":{self.line}(,|$)", self.error.partition(": ")[0]):
            return self.error if path is None else f"{path}: {self.error}"
        return f"line {self.line}: {self.error}" if path is None else f"{path}:{self.line}: {self.error}"


class RecordedFrame(Struct, frozen=True):
    """A record, its frame, None if it has none, and each of its events that could not be read."""

    record: RecordedPayload
    frame: Frame | None
    unread: tuple[Unread, ...] = ()


def read_frame(record: RecordedPayload, key: str | None = None) -> RecordedFrame:
    """Read the frame of a record; one of another table than its `key` is no frame of it."""
    try:
        frame, unreadable = decode(record.payload, record.where)
    except BadInput as error:
        return RecordedFrame(record, None, (Unread(record.number, str(error)),))
    if key not in (None, frame.table):
        error_text = f"{record.where}: a frame of table {frame.table!r} under the key {key!r}"
        return RecordedFrame(record, None, (Unread(record.number, error_text),))
    if not unreadable:
        return RecordedFrame(record, frame)
    unread = [Unread(record.number, f"{each.where}: {each.reason}") for each in unreadable]
    return RecordedFrame(record, frame, tuple(unread))


# ── Logs: records in order ───────────────────────────────────────────────────────────────────────────────


class Log(Protocol):
    """Records in order. `key` is the one table whose frames it may hold, None if any may stand there."""

    @property
    def name(self) -> str:
        """A file's or a table's name."""

    @property
    def key(self) -> str | None:
        """The table, where the log is of one."""

    def records(self) -> Iterator[RecordedPayload]:
        """Read the records."""


def read_frames(
    log: Log, key: str | None = None, wanted: Callable[[bytes], bool] | None = None
) -> Iterator[RecordedFrame]:
    """Read the frames of a log in order; `wanted` decides by a payload's bytes whether it is decoded.

    Raises:
        BadInput: a file of an archive is damaged.
    """
    for record in log.records():
        if wanted is None or wanted(record.payload):
            yield read_frame(record, key)


def frames(log: Log) -> Iterator[Frame | Unread]:
    """Read the frames of the one table or ledger that a log is named after, and what cannot be read.

    Raises:
        BadInput: a file of an archive is damaged.
    """
    for each in read_frames(log, log.name):
        yield from each.unread
        if each.frame is not None:
            yield each.frame


class FileLog(Struct, frozen=True):
    """A file of frames, one a line."""

    file: Path
    key: str | None = None

    @property
    def name(self) -> str:
        """The table of an archive's file."""
        return self.file.stem

    def records(self) -> Iterator[RecordedPayload]:
        """Read the records by line."""
        name = self.file.name
        return (RecordedPayload(number, f"{name}:{number}", line) for number, line in payloads(self.file))


class PartLog(Struct, frozen=True):
    """Sealed part of an archive."""

    file: Path
    key: str | None = None

    @property
    def name(self) -> str:
        """The file's name."""
        return self.file.name

    def records(self) -> Iterator[RecordedPayload]:
        """Read the records by offset."""
        from streams.archive import sealed_files  # noqa: PLC0415  Parquet takes long to load; files of frames need none

        return (
            RecordedPayload(each.offset, f"{self.file.name}:{each.offset}", each.payload or b"")
            for each in sealed_files.read(self.file)
        )


class ArchivedLog(Struct, frozen=True):
    """A table's frames in an archive; `stem` is the name of their files.

    `after` leaves out earlier records, `days` those filed under other days.
    """

    archive: Path
    stem: str
    after: Position | None = None
    days: frozenset[date] | None = None

    @property
    def name(self) -> str:
        """The table."""
        return table_of(self.stem)

    @property
    def key(self) -> str:
        """The key that its frames were sent under."""
        return table_of(self.stem)

    def filed(self) -> "Iterator[Filed]":
        """Read the records as Kafka gave them."""
        from streams.archive.archive_reader import filed  # noqa: PLC0415  Parquet takes long to load; files of frames need none

        return filed(self.archive, self.stem, self.after, days=self.days)

    def records(self) -> Iterator[RecordedPayload]:
        """Read the records by cluster, partition and offset."""
        name = self.name
        for each in self.filed():
            place = each.record.position
            where = f"{each.day}/{name}:{place[-1]}"
            yield RecordedPayload(place[-1], where, each.record.payload or b"", place, each.day)


class _Numbered(Struct):
    frame: int


_frame: Final = msgspec.json.Decoder(_Numbered).decode


class FrameNumbers:
    """Watches whether the frames of a table that were read lack one.

    >>> numbers = FrameNumbers()
    >>> numbers.begin(7)
    >>> for payload in (b'{"frame":8}', b'{"frame":8}', b'{"frame":1}', b'{"frame":2}'):
    ...     numbers.take(payload)
    >>> numbers.lacks_one
    False
    >>> numbers.take(b'{"frame":4}')
    >>> numbers.lacks_one
    True
    """

    def __init__(self) -> None:
        self.lacks_one = False
        self._last = 0

    def begin(self, last: int) -> None:
        """Begin after the frame of a number."""
        self._last = last

    def take(self, payload: bytes) -> None:
        """Note the next frame; a new gateway begins at 1. What is no frame has no number."""
        try:
            number = _frame(payload).frame
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        self.lacks_one = self.lacks_one or number > self._last + 1
        self._last = max(self._last, number) if number != 1 else 1


class DayRangeLog(ArchivedLog, frozen=True, kw_only=True):
    """A table's frames after a record, read day by day; `day` is one near it, not before that record's."""

    day: date
    numbers: FrameNumbers

    def filed(self) -> "Iterator[Filed]":
        """Read the records as Kafka gave them, and note the numbers of their frames.

        Raises:
            BadInput: a file of the days that are read is damaged or a link.
        """
        from streams.archive.archive_reader import filed_in_day_range  # noqa: PLC0415  Parquet takes long to load; files of frames need none

        if self.after is None:
            yield from super().filed()
            return
        for each in filed_in_day_range(self.archive, self.stem, self.after, self.day):
            self.numbers.take(each.record.payload or b"")
            yield each


# ── The logs of a path ───────────────────────────────────────────────────────────────────────────────────


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
    if is_live_archive(path):
        from streams.archive.archive_reader import is_sealed, names  # noqa: PLC0415  Parquet takes long to load; files of frames need none

        if table is not None and is_sealed(path, name := file_name(table.encode())):
            return [
                ArchivedLog(path, name)
            ]  # the names of the others, of a year's days, need not be looked for
        found = [ArchivedLog(path, name) for name in names(path)]
    else:
        found = [FileLog(file) for file in sorted((path / EVENTS).glob("*.jsonl"))]
    if not found and (removed := _removal_text(path, None)):
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
        message = _removal_text(path, table) or f"it holds {tables or 'none'}"
        raise BadInput(f"{path}: no table {table!r}; {message}")
    return of_table


def on_days(each: Log, days: Collection[date]) -> Log:
    """Leave out of a log what an archive filed under other days; any other log is read completely."""
    return replace(each, days=frozenset(days)) if isinstance(each, ArchivedLog) else each


def _removal_text(archive: Path, table: str | None) -> str:
    """Return when an archive's records of a table, or of all, were removed; empty if none were."""
    on = sorted({each.at.date() for each in removals(archive) if table in (None, each.table)})
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
