"""A floor played on: each frame is judged and stored when its time has come."""

import asyncio
from collections.abc import Iterable
from importlib.metadata import version
from typing import Final

import structlog
from msgspec import Struct

from projections.web.live.broadcaster import Live
from schemas.house import House
from streams import clock
from streams.messages import encode
from streams.projector.ingest import Entering
from streams.projector.record_batch import Fetched
from streams.projector.writer import Storing
from streams.replayed.source import Timed, received_anew
from streams.topics import FRAMES, QUARANTINE, ROUNDS
from streams.worker.frame_record import Record
from streams.worker.tables import Tables

_AT_ONCE: Final = 500  # frames that are judged together, where more are due
_PARTITION: Final = 0
_REST: Final = 1.0  # seconds without a frame, after which what is not yet written of the tables is

_log: Final = structlog.get_logger()


class Ahead:
    """Frames, of which the next one is known before it is taken; they are taken once.

    >>> ahead = Ahead([Timed(3, (0, 1), "BAC-1", b""), Timed(5, (0, 2), "BAC-1", b"")])
    >>> ahead.begins, len(ahead.until(4)), ahead.begins, ahead.next.at
    (3, 1, 3, 5)
    """

    def __init__(self, frames: Iterable[Timed]) -> None:
        self._frames = iter(frames)
        self.next = next(self._frames, None)
        # When the first of them was received, microseconds UTC; None where there is none.
        self.begins = self.next.at if self.next is not None else None

    def until(self, due: int) -> list[Timed]:
        """Take the frames up to a moment, microseconds UTC, so many as are judged at once."""
        taken: list[Timed] = []
        while self.next is not None and self.next.at <= due and len(taken) < _AT_ONCE:
            taken.append(self.next)
            self.next = next(self._frames, None)
        return taken


class Play(Struct, frozen=True):
    """What is played: a house's frames in their order, and those that went `before`, by which tables stand.

    `name` stands where a live floor has its cluster: the conclusions of plays of one name are one run.
    """

    name: str
    house: House
    frames: Ahead
    before: Iterable[Timed] = ()


class Replayed:
    """Plays frames into a store at a speed, so many times as fast as they were received."""

    def __init__(self, storing: Storing, live: Live, play: Play, speed: float) -> None:
        self._entering, self._live = Entering(storing, live), live
        self._play, self._speed = play, speed
        self._tables = Tables(play.house, {}, version("discardrack"), clock.now)
        self._offset = 0
        self._concluded = 0

    async def follow(self) -> None:
        """Play to the end; then the floor is as it stands, until cancelled.

        Raises:
            BadInput: what is recorded cannot be read.
            DiscardrackError: the store's file cannot be written.
        """
        await asyncio.to_thread(self._set_up)
        self._live.plays = self._speed
        self._live.turned("ok")
        _log.info("play_begins", name=self._play.name, speed=self._speed)
        try:
            if self._play.frames.begins is not None:
                await self._all(self._play.frames, self._play.frames.begins)
        finally:
            await self._entering.written()
        self._live.turned("recorded")
        _log.info("play_ended", name=self._play.name, frames=self._offset)
        await asyncio.Event().wait()

    async def _all(self, frames: Ahead, first: int) -> None:
        began = asyncio.get_running_loop().time()
        while frames.next is not None:
            elapsed = asyncio.get_running_loop().time() - began
            due = first + int(elapsed * self._speed * 1_000_000)
            wait = (frames.next.at - due) / 1_000_000 / self._speed
            if wait > 0:
                await asyncio.sleep(min(wait, _REST))
                if wait > _REST:
                    await self._entering.take(self._play.name, [])
                continue
            batch = await asyncio.to_thread(frames.until, due)
            await self._entering.take(self._play.name, await asyncio.to_thread(self._judged, batch))
        await self._entering.take(self._play.name, [])

    def _set_up(self) -> None:
        """Let the tables stand as they stood before; what was concluded of that is known."""
        for each in self._play.before:
            self._take(each.key, each.payload)
        self._tables.drain()

    def _judged(self, batch: list[Timed]) -> list[Fetched]:
        """Return frames as a live floor's topics would have them, with what is concluded of them."""
        now = clock.now()
        records: list[Fetched] = []
        for each in batch:
            payload = received_anew(each.payload, now)
            records.append(Fetched(FRAMES, _PARTITION, self._offset, payload))
            self._take(each.key, payload)
        drained = self._tables.drain()
        for _, result in drained.results:
            records.append(Fetched(ROUNDS, _PARTITION, self._concluded, encode(result)))
            self._concluded += 1
        records += [Fetched(QUARANTINE, _PARTITION, 0, encode(each)) for each in drained.quarantined]
        return records

    def _take(self, key: str, payload: bytes) -> None:
        record = Record(_PARTITION, self._offset, key, payload)
        self._offset += 1
        if self._tables.take(record) is not None:
            # Frames before it were never recorded, or lie before the record begins.
            self._tables.take(record, again=True)
