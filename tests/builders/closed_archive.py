"""A closed archive as the tests need one: two gaming days of two tables, each closed by a checkpoint."""

from pathlib import Path

from schemas import house as houses
from streams import log
from streams.archive import keys
from streams.archive.archiver import finish_days, keep_house, seal_days
from streams.archive.import_events import import_frames
from streams.archive.journal import Journal
from tests.builders.archives import never_stop, play_floor


def closed_archive(folder: Path) -> Path:
    """Play a floor and close its two days one after the other, with the key `folder/a.key`."""
    played = play_floor(folder / "floor")
    archive = folder / "archive"
    archive.mkdir()
    keep_house(archive, (played / "house.yaml").read_bytes(), 0)
    house = houses.load("house.yaml", played)
    import_frames(archive, log.logs(played), house)
    key = keys.make(folder / "a.key")
    with Journal(archive, writable=True) as journal:
        for day, _ in journal.days():
            seal_days(journal, archive, [day], never_stop)
            finish_days(archive, house, key, day.replace(year=2100), never_stop)
    return archive
