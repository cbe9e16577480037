"""The archiver: what Kafka has of a live floor, kept exactly, and sealed day by day."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from schemas.errors import DiscardrackError
from schemas.house import House
from streams import clock, locking
from streams.archive.day_sealing import due
from streams.archive.disk import make_folder
from streams.archive.journal import Journal
from streams.archive.kafka_follower import Following
from streams.archive.maintenance import finish_days, seal_days
from streams.archive.record_names import LOCK, refuse_foreign

_log: Final = structlog.get_logger()
_SEAL: Final = 5.0  # seconds between looks for days that are over


@contextmanager
def alone(archive: Path) -> Iterator[None]:
    """Hold an archive for this process alone, as long as it lives; makes the folder.

    Raises:
        BadInput: another process archives there, or it holds something else.
    """
    make_folder(archive)
    refuse_foreign(archive)
    with locking.alone(archive / LOCK, f"{archive}: another process archives there; stop it first"):
        yield


async def follow(
    broker: str, archive: Path, house: House, key: Ed25519PrivateKey | None, stopping: asyncio.Event
) -> None:
    """Keep what a broker has and will have, and seal the days that are over, until it is told to stop.

    With a key each sealed day is closed by a checkpoint that it signs.

    Raises:
        BadInput: the journal cannot be written, a sealed file is not what the journal has, or Kafka's topic
            is not the one that was kept.
    """
    stopped = threading.Event()
    with Journal(archive, writable=True) as journal, Journal(archive, writable=True) as own:
        following = Following(broker, journal, house, stopping)
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
    following: Following,
    key: Ed25519PrivateKey | None,
    stopping: asyncio.Event,
    stopped: threading.Event,
) -> None:
    """Seal the days that are over, in a thread beside following and on a connection of its own.

    `stopped` ends it between two of its steps.
    """
    house = following.house

    def finish() -> None:
        try:
            finish_days(archive, house, key, house.gaming_date(clock.now()), stopped.is_set)
        except DiscardrackError as error:  # what came is kept all the same
            _log.error("days_not_closed", reason=str(error))

    await asyncio.to_thread(finish)  # what a crash left to be made
    while not stopping.is_set():
        if days := due(journal, house, following.mark()):
            await asyncio.to_thread(seal_days, journal, archive, days, stopped.is_set)
            await asyncio.to_thread(finish)
        await following.pause(_SEAL)
