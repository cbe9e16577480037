"""Sealing a day: from the journal into Parquet, one name after another.

In this order, so that it can end at any moment and be done again: the file is written under another name,
the disk has it, it gets its name; it is read back and each record compared by its hash; the journal drops
them. Done again, records that a part has already are compared and dropped, not written twice.
"""

from collections.abc import Iterator
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Final

from msgspec import Struct

from schemas.errors import BadInput
from schemas.house import House
from streams.archive import sealed_files
from streams.archive.journal import Journal
from streams.archive.record_names import Kept, folder_of

# A day is left open for so long after its end: the lateness window of the house, and for what is under way.
MARGIN: Final = 10 * 60 * 1_000_000  # microseconds
_ROWS_AT_ONCE: Final = 200_000  # more than a table has in a day; a limit for memory


class Sealed(Struct, frozen=True):
    """A step of sealing: how many records of a topic and name the journal gave up, and their payloads' bytes.

    A part that was written and still has to be compared is a step of 0 records.
    """

    topic: str
    name: str
    records: int = 0
    size: int = 0


def due(journal: Journal, house: House, mark: int) -> list[date]:
    """Return the days that are over by a moment (microseconds UTC), with the lateness window and a margin."""
    late = house.lateness_seconds * 1_000_000 + MARGIN
    return [day for day, received in journal.days() if house.gaming_day(received)[2] + late <= mark]


def over(journal: Journal, house: House, now: int) -> list[date]:
    """Return the days that have ended by a moment, microseconds UTC."""
    return [day for day, received in journal.days() if house.gaming_day(received)[2] <= now]


def seal(journal: Journal, archive: Path, day: date) -> Iterator[Sealed]:
    """Seal what the journal has of a day, step by step; it may be left after any of them.

    Raises:
        BadInput: the disk does not take it, or a sealed file does not have what the journal has; the journal
            keeps it.
    """
    since = journal.clusters()
    for topic, name in journal.filed(day):
        folder = folder_of(archive, day, topic)
        while records := journal.rows(day, topic, name, _ROWS_AT_ONCE):
            held = sealed_files.digests(folder, name)
            fresh = [each for each in records if each.position not in held]
            for (cluster, _), stretch in groupby(fresh, lambda each: each.position[:2]):
                sealed_files.write(folder, name, list(stretch), since[cluster])
                yield Sealed(topic, name)
            _compare(folder, name, records)
            journal.forget(records)
            yield Sealed(topic, name, len(records), sum(len(each.payload or b"") for each in records))


def _compare(folder: Path, name: str, records: list[Kept]) -> None:
    held = sealed_files.digests(folder, name)
    for each in records:
        if held.get(each.position) != each.digest():
            raise BadInput(
                f"{folder}/{name}: record {each.topic}/{each.partition}/{each.offset} is not sealed as it is "
                "in the journal, which keeps it; set the files of that name aside and seal again"
            )
