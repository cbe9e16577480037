"""The player of a floor inside one process: frames in the order of receipt, each judged in its time."""

import asyncio
import heapq
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
import structlog
from msgspec import Raw, Struct

from projections.engine.checks.plugin_checks import software
from projections.web.live.broadcaster import LiveFloor
from schemas.codec import UNREAD
from schemas.house import House
from schemas.values import Micros
from streams import processes
from streams.log import Log
from streams.messages import encode as messages_encode
from streams.projector.ingest import BatchIngest
from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import StoreWriter
from streams.topics import FRAMES, QUARANTINE, ROUNDS
from streams.worker.deliveries import Record
from streams.worker.tables import Tables

# ── Frames to be played, in the order of their receipt ────────────────────────────────────────────────


class Timed(Struct, frozen=True, order=True):
    """A frame as text, of a table or another stream, and when it was received, microseconds UTC.

    `place` orders those of one moment.
    """

    at: int
    place: tuple[int, int]
    key: str
    payload: bytes


class _Envelope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    v: Raw
    table: Raw
    frame: Raw
    received: Micros
    events: Raw


_envelope: Final = msgspec.json.Decoder(_Envelope).decode
_encode: Final = msgspec.json.Encoder().encode


def recorded(logs: Sequence[Log]) -> Iterator[Timed]:
    """Return the frames of logs, each of one table.

    A line that is no frame has the time of the one before.
    """
    return heapq.merge(*(_of_log(place, each) for place, each in enumerate(logs)))


def _of_log(place: int, log: Log) -> Iterator[Timed]:
    at = 0
    for number, record in enumerate(log.records()):
        # Receipt never goes back within a stream, whatever the gateway's clock did.
        at = max(at, _received(record.payload))
        yield Timed(at, (place, number), log.key or log.name, record.payload)


def _received(payload: bytes) -> int:
    try:
        return _envelope(payload).received
    except UNREAD:
        return 0


def received_anew(payload: bytes, now: int) -> bytes:
    """Return a frame with its receipt set to now, microseconds UTC; the rest of it is not read.

    >>> received_anew(b'{"v":1,"table":"BAC-1","frame":2,"received":3,"events":[{}]}', 9)
    b'{"v":1,"table":"BAC-1","frame":2,"received":9,"events":[{}]}'
    >>> received_anew(b"no frame", 9)
    b'no frame'
    """
    try:
        return _encode(msgspec.structs.replace(_envelope(payload), received=now))
    except UNREAD:
        return payload


# ── A floor played on: each frame is judged and stored when its time has come ─────────────────────────

_AT_ONCE: Final = 500  # frames that are judged together, where more are due
_PARTITION: Final = 0
_REST: Final = 1.0  # seconds without a frame, after which what is not yet written of the tables is

_log: Final = structlog.get_logger()


class Ahead:
    """Iterator of frames with a look at the next one; they are taken once.

    >>> ahead = Ahead([Timed(3, (0, 1), "BAC-1", b""), Timed(5, (0, 2), "BAC-1", b"")])
    >>> ahead.begins, len(ahead.until(4)), ahead.begins, ahead.next.at
    (3, 1, 3, 5)
    """

    def __init__(self, frames: Iterable[Timed]) -> None:
        self._frames = iter(frames)
        self.next = next(self._frames, None)
        # When the first of them was received, microseconds UTC; None if there is none.
        self.begins = self.next.at if self.next is not None else None

    def until(self, due: int) -> list[Timed]:
        """Take the frames up to a moment, microseconds UTC, limited to a batch."""
        taken: list[Timed] = []
        while self.next is not None and self.next.at <= due and len(taken) < _AT_ONCE:
            taken.append(self.next)
            self.next = next(self._frames, None)
        return taken


class Play(Struct, frozen=True):
    """Recording to play: a house's frames in their order, and those `before`, by which tables stand.

    `name` stands where a live floor has its cluster: the conclusions of plays of one name are one run.
    """

    name: str
    house: House
    frames: Ahead
    before: Iterable[Timed] = ()


class Replayed:
    """Plays frames into a store at a speed, so many times as fast as they were received."""

    def __init__(self, writer: StoreWriter, live: LiveFloor, play: Play, speed: float) -> None:
        self._entering, self._live = BatchIngest(writer, live), live
        self._play, self._speed = play, speed
        self._tables = Tables(play.house, {}, software(), processes.now)
        self._offset = 0
        self._concluded = 0

    async def follow(self) -> None:
        """Play to the end; then the floor stays as it is, until cancelled.

        Raises:
            BadInput: the recording cannot be read.
            DiscardrackError: the store's file cannot be written.
        """
        await asyncio.to_thread(self._set_up)
        self._live.play_speed = self._speed
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
                    await self._entering.broadcast(self._play.name, [])
                continue
            batch = await asyncio.to_thread(frames.until, due)
            await self._entering.broadcast(self._play.name, await asyncio.to_thread(self._judged, batch))
        await self._entering.broadcast(self._play.name, [])

    def _set_up(self) -> None:
        """Restore the tables' state of before; what was concluded of it is stored already."""
        for each in self._play.before:
            self._take(each.key, each.payload)
        self._tables.drain()

    def _judged(self, batch: list[Timed]) -> list[FetchedRecord]:
        """Return frames as a live floor's topics would have them, with what is concluded of them."""
        now = processes.now()
        records: list[FetchedRecord] = []
        for each in batch:
            payload = received_anew(each.payload, now)
            records.append(FetchedRecord(FRAMES, _PARTITION, self._offset, payload))
            self._take(each.key, payload)
        drained = self._tables.drain()
        for _, result in drained.results:
            records.append(FetchedRecord(ROUNDS, _PARTITION, self._concluded, messages_encode(result)))
            self._concluded += 1
        records += [
            FetchedRecord(QUARANTINE, _PARTITION, 0, messages_encode(each)) for each in drained.quarantined
        ]
        return records

    def _take(self, key: str, payload: bytes) -> None:
        record = Record(_PARTITION, self._offset, key, payload)
        self._offset += 1
        if self._tables.take(record) is not None:
            # Earlier frames were never recorded, or are from before the record begins.
            self._tables.take(record, again=True)
