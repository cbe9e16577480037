"""Reading a few days of a table's archive: each day's parts are looked at only once reading comes to them.

`reading` looks at every part of a table before it gives the first record, as a day may have what was sent
long before or after it: a gateway's clock was wrong. Here a day is held to the next one alone. Whoever reads
so has to see for themselves that nothing is left out, by the numbers of the frames (`Numbers`).
"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from streams import topics
from streams.archive import sealed_files
from streams.archive.archive_reader import Filed, filed
from streams.archive.journal import Journal
from streams.archive.record_names import JOURNAL, Position, folder_of, own_days
from streams.archive.sealed_files import Stretch
from streams.archive.table_log import ArchivedLog


class _Numbered(Struct):
    frame: int


_frame: Final = msgspec.json.Decoder(_Numbered).decode


class Numbers:
    """Tells whether the frames of a table that were read lack one.

    >>> numbers = Numbers()
    >>> numbers.begin(7)
    >>> for payload in (b'{"frame":8}', b'{"frame":8}', b'{"frame":1}', b'{"frame":2}'):
    ...     numbers.take(payload)
    >>> numbers.lack
    False
    >>> numbers.take(b'{"frame":4}')
    >>> numbers.lack
    True
    """

    def __init__(self) -> None:
        self.lack = False
        self._last = 0

    def begin(self, last: int) -> None:
        """Begin to read after the frame of a number."""
        self._last = last

    def take(self, payload: bytes) -> None:
        """See the next frame; a gateway that begins anew begins at 1. What is no frame has no number."""
        try:
            number = _frame(payload).frame
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        self.lack = self.lack or number > self._last + 1
        self._last = max(self._last, number) if number != 1 else 1


class NearLog(ArchivedLog, frozen=True, kw_only=True):
    """A table's frames after a record, read day by day; `day` is one near it, not before that record's."""

    day: date
    numbers: Numbers

    def records(self) -> Iterator[Filed]:
        """Read the records that its payloads are of.

        Raises:
            BadInput: a file of the days that are read is damaged or a link.
        """
        if self.after is None:
            yield from super().records()
            return
        for each in _nearby(self.archive, self.filed, self.after, self.day):
            self.numbers.take(each.record.payload or b"")
            yield each


class _Part(Struct, frozen=True):
    """A sealed part of a day."""

    day: date
    file: Path
    held: Stretch


def _nearby(archive: Path, name: str, after: Position, day: date) -> Iterator[Filed]:
    """Read what `filed` gives after a record; the rest as it does, where a day is not as most are.

    Most have one part of a table, which goes on where that of the day before ended.
    """
    begun: _Part | None = None
    for each in _begin(archive, name, after, day):
        parts = _parts(archive, name, each)
        if not parts:
            continue  # the table was closed
        (part, *others) = parts
        if others or part.held.stream != after[:2] or (begun and part.held.first <= begun.held.last):
            break
        if begun is not None and begun.held.last > after[2]:
            for record in sealed_files.read(begun.file, after[2]):
                after = record.position
                yield Filed(begun.day, record)
        begun = part
    yield from filed(archive, name, after)


def _begin(archive: Path, name: str, after: Position, day: date) -> list[date]:
    """Return the sealed days to be read, from that in which a record lies: from `day` backwards."""
    days = own_days(archive)
    if (archive / JOURNAL).is_file():
        # What the journal has is held to all that is closed, as `filed` does it.
        with Journal(archive) as journal:
            waiting = (each for each, _ in journal.days() if journal.streams(each, topics.FRAMES, name))
            first = next(waiting, date.max)
        days = [each for each in days if each < first]
    for at in range(sum(each <= day for each in days) - 1, -1, -1):
        held = [each.held for each in _parts(archive, name, days[at])]
        if any(each.stream == after[:2] and each.first <= after[2] for each in held):
            return days[at:]
    return []


def _parts(archive: Path, name: str, day: date) -> list[_Part]:
    files = sealed_files.parts(folder_of(archive, day, topics.FRAMES), name)
    return [_Part(day, file, sealed_files.stretch_of(file)) for file in files]
