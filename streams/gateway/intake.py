"""The intake: lines in, frames onto the disk, answers to the devices.

Everything here runs in one thread, the event loop's. What closed since the last time is committed together:
while the disk is busy, the next commit grows.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec
import structlog
from msgspec import Raw, Struct

from schemas.senders import Refusal, Senders
from streams import processes
from streams.gateway.lines import CLOSED, LONGEST, Line, Position, Report, Tally, reporters, turns
from streams.gateway.screening import ScreenedLine, screen
from streams.gateway.spool import DiskFull, Spool, Spooled
from streams.messages import Quarantined, cut, encode, frame_name
from streams.observability import DROPPED_FIELDS, EVENTS, FRAMES, LATENCY, QUARANTINED, SPOOL_FULL
from streams.topics import FRAMES as FRAMES_TOPIC
from streams.topics import QUARANTINE

LONGEST_OPEN: Final = 250_000  # microseconds after its first report
MOST_EVENTS: Final = 500
MOST_BYTES: Final = LONGEST  # of events, unless one line alone has more


class Mark(Struct, frozen=True):
    """Place of a report: its source and the line's number there."""

    tally: Tally
    line: int


class ClosedFrame(Struct, frozen=True):
    """A frame that is complete, before it has its number: `received` is its last report's receipt."""

    table: str
    v: int
    received: int
    events: list[Raw]
    marks: list[Mark]
    ends_round: bool

    def payload(self, number: int) -> bytes:
        """Write the frame as schemas.codec reads it, each event with the bytes that came."""
        return _encode(
            {
                "v": self.v,
                "table": self.table,
                "frame": number,
                "received": self.received,
                "events": self.events,
            }
        )


class _Open(Struct):
    v: int
    since: int
    received: int
    size: int
    events: list[Raw]
    marks: list[Mark]

    def is_over(self, now: int) -> bool:
        # A clock that was set back must not hold a frame open until it has caught up.
        return not self.since <= now < self.since + LONGEST_OPEN

    def takes(self, report: Report, size: int, now: int) -> bool:
        return self.v == report.v and self.size + size <= MOST_BYTES and not self.is_over(now)


_encode: Final = msgspec.json.Encoder().encode


class FrameBuilder:
    """The frames that are open, one a table at most.

    A frame closes after the report that closes a round, at MOST_EVENTS events, LONGEST_OPEN after its first
    report, or before a report that it cannot hold: of another version, or too large. A report is never split.

    From the end of a round until the next one opens each report is a frame of its own. There are few of them,
    and the audit may wait for just this one: a device's late report of the round that is over.
    """

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}
        self._turned: dict[str, str] = {}  # the last opening or close of a round, by table

    def add(self, report: Report, mark: Mark, now: int) -> list[ClosedFrame]:
        """Add a report to its table's frame; return the frames that it closes, in order."""
        table, closed = report.table, []
        size = sum(memoryview(event).nbytes + 1 for event in report.events)
        if table in self._open and not self._open[table].takes(report, size, now):
            closed.append(self._close(table, ended=False))
        frame = self._open.setdefault(table, _Open(report.v, now, now, 0, [], []))
        frame.received = now
        frame.size += size
        frame.events += report.events
        frame.marks.append(mark)
        turned = turns(report.events)
        if turned:
            self._turned[table] = turned[-1]
        ended, between = CLOSED in turned, self._turned.get(table) == CLOSED
        if ended or between or len(frame.events) >= MOST_EVENTS:
            closed.append(self._close(table, ended=ended))
        return closed

    def due(self, now: int) -> list[ClosedFrame]:
        """Close the frames whose time is over."""
        over = [table for table, frame in self._open.items() if frame.is_over(now)]
        return [self._close(table, ended=False) for table in over]

    def close(self) -> list[ClosedFrame]:
        """Close all that is open."""
        return [self._close(table, ended=False) for table in list(self._open)]

    def next_due(self) -> int | None:
        """Return when the next frame is over, as far as is known; None if none is open."""
        # Frames stand in the order in which they were opened.
        first = next(iter(self._open.values()), None)
        return None if first is None else first.since + LONGEST_OPEN

    def _close(self, table: str, *, ended: bool) -> ClosedFrame:
        frame = self._open.pop(table)
        return ClosedFrame(table, frame.v, frame.received, frame.events, frame.marks, ended)


PROCESS: Final = "gateway"
_NO_TABLE: Final = ""  # quarantined input is numbered and counted under this name, which no table has
RETRY: Final = 1.0  # seconds between two attempts to write on a full disk
_LOOK: Final = 0.1  # seconds between two looks whether a full spool has room again
_REMIND: Final = 60.0  # seconds between two lines about a full spool
_MOST_NAMES: Final = 1000  # fields that the log names; a device may make them up
_RESUME_AT: Final = 0.9  # of its limit: below it a spool that was full is read into again

_log: Final = structlog.get_logger()


class _Source(Struct, frozen=True):
    tally: Tally
    answer: Callable[[int], None]


class _Batch(Struct, frozen=True):
    """Batch that is committed together: the records, how far this brings each source, and its messages."""

    records: list[Spooled]
    positions: dict[str, Position]
    tallies: list[Tally]
    closed: list[ClosedFrame]
    frames: list[Spooled]


class Intake:
    """Takes lines of any number of sources into a spool.

    `name` is the gateway's, `limit` how many bytes of payload the spool may hold, `stir` is called after
    each commit; what `senders` refuse goes to the quarantine.
    """

    def __init__(
        self, spool: Spool, name: str, limit: int, stir: Callable[[], None], senders: Senders
    ) -> None:
        self._spool, self._name, self._limit, self._stir = spool, name, limit, stir
        self._senders = senders
        self._closing = FrameBuilder()
        self._closed: list[ClosedFrame] = []
        self._unread: list[Spooled] = []
        self._kept: list[tuple[Mark, str]] = []
        self._held: _Batch | None = None
        self._sources: dict[int, _Source] = {}
        self._work = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._told_full = 0.0
        self._dropped: set[str] = set()  # fields, each logged once

    def take_senders(self, senders: Senders) -> None:
        """Accept from now on what these may send."""
        self._senders = senders

    def open(self, tally: Tally, answer: Callable[[int], None] = lambda _: None) -> None:
        """Begin a source; after each commit `answer` gets the number up to which all its lines are stored."""
        self._sources[id(tally)] = _Source(tally, answer)

    def leave(self, tally: Tally) -> None:
        """End a source: what was accepted from it is stored, but no longer answered."""
        del self._sources[id(tally)]

    def take(self, tally: Tally, line: Line) -> None:
        """Accept a source's next line. It is stored only once it is committed."""
        tally.note(line.number, line.end)
        screened = screen(line, self._senders, processes.now())
        if screened.is_quarantined:
            tally.quarantine(line.number)
        if screened.dropped:
            self._note_dropped(tally, line, screened)
        report = screened.report
        is_kept = screened.table is not None and tally.has(screened.table, line.number)
        if not is_kept and not tally.has(_NO_TABLE, line.number):
            for each in screened.apart:
                table = screened.table if each.events else None
                self._set_apart(tally, line, each.reason, each.payload, table, each.code)
        if report is None or is_kept:
            self._keep(tally, line)
            return
        idle = self._closing.next_due() is None
        self._closed += self._closing.add(report, Mark(tally, line.number), processes.now())
        if idle or self._closed:
            self._work.set()

    async def wait_for_space(self) -> None:
        """Yield to other tasks; where the spool is full, wait for space: what is not read, a device keeps."""
        await asyncio.sleep(0)
        await self._room.wait()

    async def keep(self) -> None:
        """Close frames when their time is over and commit what has closed, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause()):
                    await self._work.wait()
            self._work.clear()
            self._closed += self._closing.due(processes.now())
            try:
                self._commit()
            except DiskFull as error:
                self._watch(str(error))
            else:
                self._watch()

    def finish(self) -> None:
        """Close and commit all that was taken.

        Raises:
            DiskFull: the disk does not take it; `finish` may be tried again.
        """
        self._closed += self._closing.close()
        self._commit()

    def _pause(self) -> float | None:
        due = self._closing.next_due()
        pauses = [] if due is None else [max(0, due - processes.now()) / 1_000_000]
        if self._held is not None:
            return RETRY
        return min([*pauses, *([] if self._room.is_set() else [_LOOK])], default=None)

    def _keep(self, tally: Tally, line: Line) -> None:
        """Count a line without content as stored. It waits for no frame, so it is of no table."""
        self._kept.append((Mark(tally, line.number), _NO_TABLE))
        self._work.set()

    def _note_dropped(self, tally: Tally, line: Line, screened: ScreenedLine) -> None:
        """Note fields that the schema does not know: each in the metrics, a new one once in the log."""
        for name in screened.dropped:
            DROPPED_FIELDS.inc()
            if name not in self._dropped and len(self._dropped) < _MOST_NAMES:
                self._dropped.add(name)
                where = f"{tally.name}, line {line.number}"
                _log.warning("unknown_field_dropped", field=name, table=screened.table, where=where)

    def _set_apart(
        self,
        tally: Tally,
        line: Line,
        reason: str,
        payload: bytes,
        table: str | None = None,
        code: Refusal | None = None,
    ) -> None:
        number = self._spool.next_number(_NO_TABLE)
        text, reason = cut(payload, reason)
        origin = f"{PROCESS}/{self._name}"
        unread = Quarantined(
            # A new spool starts at number 1 again, so the spool's creation time is part of the id.
            id=f"{origin}/{self._spool.born}/{number}",
            where=f"{tally.name}, line {line.number}",
            reason=reason,
            payload=text,
            table=table,
            code=code,
            source=tally.host if code is not None else None,
        )
        event = "unreadable_line" if code is None else "refused_events"
        _log.warning(event, id=unread.id, where=unread.where, reason=reason, code=code)
        payload = encode(unread)
        self._unread.append(
            Spooled(topic=QUARANTINE, key=origin, number=number, received=processes.now(), payload=payload)
        )
        self._work.set()

    def _commit(self) -> None:
        """Write what has closed to disk, then acknowledge it; what the disk does not take is held."""
        while (batch := self._held or self._gathered()) is not None:
            self._held = batch
            with self._spool.one_line():
                self._spool.keep(batch.records, [_name(each) for each in batch.records], batch.positions)
            self._held = None
            self._stir()
            for tally in batch.tallies:
                if id(tally) in self._sources:
                    self._sources[id(tally)].answer(tally.line)
            _tell(batch)

    def _gathered(self) -> _Batch | None:
        """Take what has closed, and number it; None if nothing has."""
        closed, unread, events_unread = self._closed, self._unread, self._kept
        if not closed and not events_unread and not unread:
            return None
        self._closed, self._unread, self._kept = [], [], []
        frames = [_record(each, self._spool.next_number(each.table)) for each in closed]
        events_unread += [(mark, each.table) for each in closed for mark in each.marks]
        touched = {id(mark.tally): mark.tally for mark, _ in events_unread}
        for mark, table in events_unread:
            mark.tally.keep(table, mark.line)
        positions = {tally.key: tally.position() for tally in touched.values() if tally.key is not None}
        return _Batch([*unread, *frames], positions, list(touched.values()), closed, frames)

    def _watch(self, refused: str | None = None) -> None:
        """Stop reading while the spool is full, and log it each minute; continue when it has room.

        `refused` is the disk's error, if the disk is full.
        """
        size, was_full = self._spool.size, not self._room.is_set()
        if refused is None and size < self._limit * (_RESUME_AT if was_full else 1):
            if was_full:
                self._room.set()
                _log.warning("spool_drained", bytes=size, limit=self._limit)
            SPOOL_FULL.set(0)
            return
        now = time.monotonic()
        if not was_full or now - self._told_full >= _REMIND:
            self._told_full = now
            reason = refused or "--spool-limit is reached"
            _log.error("spool_full", reason=reason, bytes=size, limit=self._limit, frames=self._spool.count)
        self._room.clear()
        SPOOL_FULL.set(1)


def _record(closed: ClosedFrame, number: int) -> Spooled:
    return Spooled(
        topic=FRAMES_TOPIC,
        key=closed.table,
        number=number,
        received=closed.received,
        payload=closed.payload(number),
    )


def _name(record: Spooled) -> str:
    return record.key if record.topic == FRAMES_TOPIC else _NO_TABLE


def _tell(batch: _Batch) -> None:
    FRAMES.labels(PROCESS).inc(len(batch.frames))
    EVENTS.labels(PROCESS).inc(sum(len(each.events) for each in batch.closed))
    QUARANTINED.labels(PROCESS).inc(len(batch.records) - len(batch.frames))
    now = processes.now()
    for each, record in zip(batch.closed, batch.frames, strict=True):
        LATENCY.labels("spooled").observe((now - each.received) / 1_000_000)
        if each.ends_round or _log.is_enabled_for(logging.DEBUG):
            tell = _log.info if each.ends_round else _log.debug
            tell(
                "frame_closed",
                frame=frame_name(record.key, record.number),
                events=len(each.events),
                devices=reporters(each.events),
            )
