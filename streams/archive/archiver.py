"""The archiver: the records of a live floor in Kafka, stored exactly, sealed and closed day by day."""

import asyncio
import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from projections.store.disk import atomic_output, make_folder
from schemas.errors import DiscardrackError
from schemas.house import House
from schemas.values import moment
from streams import processes
from streams.archive.day_sealing import DayCloser, days_due, seal
from streams.archive.journal import Journal
from streams.archive.kafka_follower import ArchiveFollower
from streams.archive.record_names import HOUSE, HOUSES, LOCK, refuse_foreign

# ── What an archive gets besides records: its days sealed and closed, snapshots, the house files ────────

_log: Final = structlog.get_logger()


def seal_days(journal: Journal, archive: Path, days: Iterable[date], stopped: Callable[[], bool]) -> None:
    """Seal days and log each; it may be stopped between two steps.

    Raises:
        BadInput: the disk cannot be written, or a sealed file does not have what the journal has.
    """
    for day in days:
        records = size = 0
        names: set[tuple[str, str]] = set()
        for step in seal(journal, archive, day):
            records, size = records + step.records, size + step.size
            names.add((step.topic, step.name))
            if stopped():
                return
        _log.info("day_sealed", date=str(day), tables=len(names), records=records, bytes=size)


def take_snapshots(archive: Path, house: House, before: date, stopped: Callable[[], bool]) -> None:
    """Make the missing snapshots of sealed days before a day, table by table; it may be stopped between two.

    If one cannot be made that is logged, and nothing else is held up: they are not part of the evidence.
    """
    from streams.archive import snapshots  # noqa: PLC0415  Parquet takes long to load; only sealed days need it

    for table in house.tables:
        try:
            for day in snapshots.make_snapshots(archive, table, house, before):
                _log.info("snapshots_made", table=table, date=str(day))
                if stopped():
                    return
        except (DiscardrackError, OSError) as error:
            _log.error("snapshots_not_made", table=table, reason=str(error))


def finish_days(
    archive: Path, house: House, key: Ed25519PrivateKey | None, before: date, stopped: Callable[[], bool]
) -> None:
    """Add snapshots to sealed days before a day, and close them; it may be stopped between.

    Each gets a signed checkpoint, whose line in the log is to be stored elsewhere. Without a key nothing is
    closed, and that is logged.

    Raises:
        BadInput: the chain is broken, a file cannot be read, a checkpoint cannot be written, or something
            there may not be signed.
    """
    if key is None:
        take_snapshots(archive, house, before, stopped)
        _log.warning("days_not_closed", reason="no key to sign with: say --key")
        return
    day_closer = DayCloser(archive)
    for path in day_closer.drop_changed_snapshots():
        _log.warning("snapshots_removed", path=path, reason="not as they were closed; they are made anew")
    take_snapshots(archive, house, before, stopped)
    if stopped():
        return
    for each in day_closer.close(house.house, key, processes.now()):
        _log.info("day_closed", date=str(each.body.day), checkpoint=each.body.number, line=each.kept_line())


def keep_house(archive: Path, text: bytes, now: int) -> None:
    """Store a house file unchanged: as the newest, and among all versions, by time and SHA-256.

    A file that equals the newest is not stored again.

    Raises:
        BadInput: the disk cannot be written.
    """
    newest = archive / HOUSE
    if newest.is_file() and newest.read_bytes() == text:
        return
    since = moment(now).strftime("%Y%m%dT%H%M%SZ")
    version = archive / HOUSES / f"{since}-{hashlib.sha256(text).hexdigest()[:16]}.yaml"
    for path in (version, newest):
        with atomic_output(path) as out:
            out.write(text)


# ── The archiver: the records of a live floor in Kafka, stored exactly, and sealed day by day ───────────

_SEAL: Final = 5.0  # seconds between looks for days that are over


@contextmanager
def exclusive_archive(archive: Path) -> Iterator[None]:
    """Lock an archive for this process, as long as it lives; makes the folder.

    Raises:
        BadInput: another process archives there, or it holds something else.
    """
    make_folder(archive)
    refuse_foreign(archive)
    with processes.exclusive(archive / LOCK, f"{archive}: another process archives there; stop it first"):
        yield


async def follow(
    broker: str,
    archive: Path,
    house: House,
    key: Ed25519PrivateKey | None,
    stopping: asyncio.Event,
    renewed: Callable[[Callable[[House], None]], None],
) -> None:
    """Archive what a broker has and will have, and seal the days that are over, until it is stopped.

    With a key each sealed day is closed by a checkpoint that it signs. `renewed` gets a callback that applies
    another house, as when the house file was changed.

    Raises:
        BadInput: the journal cannot be written, a sealed file is not what the journal has, or Kafka's topic
            is not the one that was archived.
    """
    stopped = threading.Event()
    with Journal(archive, writable=True) as journal, Journal(archive, writable=True) as own:
        following = ArchiveFollower(broker, journal, house, stopping)
        renewed(following.take_house)
        tasks = {
            asyncio.create_task(following.follow()),
            asyncio.create_task(_seal(own, archive, following, key, stopping, stopped)),
        }
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.set()
            stopped.set()
            await asyncio.gather(*tasks)


async def _seal(
    journal: Journal,
    archive: Path,
    following: ArchiveFollower,
    key: Ed25519PrivateKey | None,
    stopping: asyncio.Event,
    stopped: threading.Event,
) -> None:
    """Seal the days that are over, in a thread separate from following and with its own connection.

    `stopped` ends it between two of its steps.
    """

    def finish() -> None:
        house = following.house
        try:
            finish_days(archive, house, key, house.gaming_date(processes.now()), stopped.is_set)
        except DiscardrackError as error:  # new records are stored all the same
            _log.error("days_not_closed", reason=str(error))

    await asyncio.to_thread(finish)  # what a crash left to be made
    while not stopping.is_set():
        if days := days_due(journal, following.house, following.mark()):
            await asyncio.to_thread(seal_days, journal, archive, days, stopped.is_set)
            await asyncio.to_thread(finish)
        await following.pause(_SEAL)
