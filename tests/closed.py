"""A closed archive as the tests need one: two gaming days of two tables, each closed by a checkpoint."""

import shutil
from pathlib import Path

from schemas import house as houses
from streams import log
from streams.archive import keys
from streams.archive.journal import Journal
from streams.archive.taking import take
from streams.archive.tending import close_days, seal_days, take_snapshots
from tests.archived import floor, never


def closed_archive(folder: Path) -> Path:
    """Play a floor and close its two days one after the other, with the key `folder/a.key`."""
    played = floor(folder / "floor")
    archive = folder / "archive"
    archive.mkdir()
    shutil.copy(played / "house.yaml", archive / "house.yaml")
    house = houses.load("house.yaml", played)
    take(archive, log.logs(played), house)
    key = keys.make(folder / "a.key")
    with Journal(archive, writable=True) as journal:
        for day, _ in journal.days():
            seal_days(journal, archive, [day], never)
            take_snapshots(archive, house, day.replace(year=2100), never)
            close_days(archive, house, key)
    return archive
