"""Gaming day: which one, its bounds and shifts, and what the archive that has it holds of it."""

import hashlib
from bisect import bisect_right
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from schemas.codec import decode
from schemas.errors import BadInput
from schemas.house import House
from schemas.values import microseconds
from streams import log
from streams.archive.journal import Journal
from streams.archive.record_names import JOURNAL, files_of, folder_of, is_archive, own_days, part_of
from streams.topics import FRAMES

_LETTERS: Final = 16

_TAIL: Final = 1 << 20  # bytes; a frame is half of that at most


class Day(Struct, frozen=True):
    """A gaming day with its bounds, microseconds UTC; after `late` nothing of it can be revised any more."""

    date: date
    begins: int
    ends: int
    late: int

    def holds(self, at: int) -> bool:
        """Return True if a moment is within the day."""
        return self.begins <= at < self.ends


def day_of(house: House, day: date) -> Day:
    """Return a gaming day's bounds."""
    begins, ends = house.bounds(day)
    return Day(day, begins, ends, house.late(day))


def last_receipt(path: Path) -> int:
    """Return when a gateway last received anything in the archive, microseconds UTC; 0 if nothing."""
    if is_archive(path):
        # A journal knows it of what was sealed out of it too: no day need be read for that.
        return _in_journal(path) or _in_sealed(path)
    return max((_in_file(file) for file in (path / log.EVENTS).glob("*.jsonl")), default=0)


def _in_journal(path: Path) -> int:
    if not (path / JOURNAL).is_file():
        return 0
    with Journal(path) as journal:
        places = (journal.places(cluster) for cluster in journal.clusters())
        return max(
            (place.newest for each in places for (topic, _), place in each.items() if topic == FRAMES),
            default=0,
        )


def _in_sealed(path: Path) -> int:
    from streams.archive import sealed_files  # noqa: PLC0415  Parquet takes long to load; only sealed days need it

    for day in reversed(own_days(path)):
        if parts := parts_of(path, day):
            return max(each.received for file in parts for each in sealed_files.read(file))
    return 0


def parts_of(path: Path, day: date, name: str | None = None) -> list[Path]:
    """Return a day's sealed frames: all of them, or those filed under a name.

    Raises:
        BadInput: the day's folder, or one of the files, is a link.
    """
    folder = folder_of(path, day, FRAMES)
    found = [(part_of(file), file) for file in sorted(files_of(folder, name or ""))]
    return [folder / file for part, file in found if part is not None and name in (None, part[0])]


def _in_file(file: Path) -> int:
    """Read the last line of a file of frames that can be read."""
    with file.open("rb") as lines:
        lines.seek(max(0, file.stat().st_size - _TAIL))
        for line in reversed(lines.read().splitlines()):
            try:
                return decode(line, file.name)[0].received
            except BadInput:
                continue
    return 0


class Shifts:
    """The shifts of one day in order; a house that names none has one, the day.

    >>> from datetime import date
    >>> from replay.nightly.gaming_days import day_of
    >>> house = House(house="doctest", shifts=["04:00", "12:00", "20:00"])
    >>> day = day_of(house, date(2025, 3, 1))
    >>> shifts = Shifts(house, day)
    >>> shifts.names, shifts.number(day.begins), shifts.number(day.ends - 1)
    (['04:00', '12:00', '20:00', '04:00'], 0, 3)
    """

    def __init__(self, house: House, day: Day) -> None:
        zone = ZoneInfo(house.zone)
        begins = {
            microseconds(datetime.combine(on, time.fromisoformat(hour), zone)): hour
            for on in (day.date, day.date + timedelta(days=1))
            for hour in house.shifts
        }
        within = sorted(at for at in begins if day.begins < at < day.ends)
        first = begins.get(day.begins, _before(house, begins[within[0]]) if within else "")
        self.starts = within
        self.names = [first, *(begins[at] for at in within)]

    def number(self, at: int) -> int:
        """Return the number of the shift of a moment of the day, from 0."""
        return bisect_right(self.starts, at)


def _before(house: House, hour: str) -> str:
    """Return the hour at which the shift before begins."""
    hours = sorted(house.shifts)
    return hours[hours.index(hour) - 1]


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
    from streams.archive import sealed_files  # noqa: PLC0415  Parquet takes long to load; a journal is faster

    for day in own_days(path):
        if parts := parts_of(path, day):
            return min((stretch.since, stretch.cluster) for stretch in map(sealed_files.stretch_of, parts))
    return None


def _frames(path: Path) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for file in sorted((path / log.EVENTS).glob("*.jsonl")):
        with file.open("rb") as lines:
            found.append((file.name, lines.readline()))
    return found
