"""An archive of events that were recorded elsewhere, as if a broker had brought them; and manual sealing."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import House
from streams import processes, topics
from streams.archive.archive_reader import names
from streams.archive.archiver import exclusive_archive, finish_days, keep_house, seal_days
from streams.archive.day_sealing import closed_days
from streams.archive.journal import Journal, Place
from streams.archive.record_names import HOUSE, KafkaRecord, days_of, is_archive, table_of
from streams.log import Log, logs, read_frames

CLUSTER: Final = "recorded"
_AT_ONCE: Final = 2000  # frames stored in one transaction


def archive_of(
    recorded: Path, archive: Path, read: tuple[House, bytes], key: Ed25519PrivateKey | None
) -> None:
    """Make an archive of recorded events under a house file, given as parsed and as bytes.

    With a key its days are closed. Everything is checked before anything is stored.

    Raises:
        BadInput: the house file lacks a table or ledger of the events, the archive has records already, or
            the disk cannot be written.
    """
    house, text = read
    with exclusive_archive(archive):
        _refuse_unknown(recorded, house)
        _refuse_filled(archive)
        keep_house(archive, text, processes.now())
        import_frames(archive, logs(recorded), house)
        finish(archive, house, key)


def _refuse_unknown(recorded: Path, house: House) -> None:
    """Check that a house file has every table and ledger of a folder of recorded events.

    Raises:
        BadInput: it does not; the message names the first.
    """
    names = [each.name for each in logs(recorded)] if recorded.is_dir() else []
    unknown = [name for name in names if name not in house.tables and not house.beside_tables(name)]
    if unknown:
        raise BadInput(
            f"{recorded}: not in the house file of {house.house}: {', '.join(unknown)}; "
            "name the one that stands beside the events"
        )


def _refuse_filled(archive: Path) -> None:
    """Check that an archive has no records yet.

    Raises:
        BadInput: it has.
    """
    if is_archive(archive):
        raise BadInput(f"{archive}: is an archive already; recorded events go into one of their own")


def refuse_lacking(archive: Path, house: House) -> None:
    """Check that a house file still has the tables that an archive holds under the house file it has.

    Raises:
        BadInput: it lacks some: with it their days could not be judged any more.
    """
    if not (is_archive(archive) and (archive / HOUSE).is_file()):
        return
    gone = houses.load(HOUSE, archive).tables.keys() - house.tables.keys()
    present = sorted(gone.intersection(map(table_of, names(archive)))) if gone else []
    if present:
        raise BadInput(
            f"{archive}: holds days of tables that the house file of {house.house} lacks: "
            f"{', '.join(present)}; "
            "leave closed tables in it, or archive into another folder"
        )


def finish(archive: Path, house: House, key: Ed25519PrivateKey | None, day: date | None = None) -> None:
    """Seal the days that are over by the wall clock, or one day even if it is not, and close them.

    Raises:
        BadInput: the day was not archived, a file cannot be read, or the disk cannot be written.
    """
    now = processes.now()
    with Journal(archive, writable=True) as journal:
        if day is None:
            days = closed_days(journal, house, now)
        else:
            days = [each for each, _ in journal.days() if each == day]
            if not days and day not in days_of(archive):
                raise BadInput(f"{archive}: nothing of {day} was kept")
        seal_days(journal, archive, days, _never)
    finish_days(archive, house, key, house.gaming_date(now), _never)


def _never() -> bool:
    return False


def import_frames(archive: Path, recorded: Sequence[Log], house: House) -> None:
    """Write recorded frames into an archive's journal, a partition for each log, in order.

    The time of receipt is the gateway's own; a line that is no frame has that of the one before it.

    Raises:
        BadInput: the disk does not take them.
    """
    with Journal(archive, writable=True) as journal:
        journal.begin_cluster(CLUSTER, 0)
        for partition, each in enumerate(recorded):
            records = _records(each, partition)
            while batch := list(islice(records, _AT_ONCE)):
                last = batch[-1]
                place = Place(last.offset + 1, max(record.received for record in batch))
                journal.keep(
                    ((house.gaming_date(record.received), record) for record in batch),
                    {(CLUSTER, topics.FRAMES, partition): place},
                )


def _records(recorded: Log, partition: int) -> Iterator[KafkaRecord]:
    received = 0
    for offset, each in enumerate(read_frames(recorded)):
        key = recorded.name.encode()
        if each.frame is not None:
            received, key = each.frame.received, each.frame.table.encode()
        line = each.record.payload.rstrip(b"\r\n")
        yield KafkaRecord(CLUSTER, topics.FRAMES, partition, offset, received, key, line)
