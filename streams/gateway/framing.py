"""Frames: which reports go into one Kafka record. Conclusions do not depend on it; size and delay do.

Pure: the clock is handed in, microseconds UTC.
"""

from typing import Final

import msgspec
from msgspec import Raw, Struct

from streams.gateway.lines import CLOSED, LONGEST, Report, Tally, turns

LONGEST_OPEN: Final = 250_000  # microseconds after its first report
MOST_EVENTS: Final = 500
MOST_BYTES: Final = LONGEST  # of events, unless one line alone has more


class Mark(Struct, frozen=True):
    """Where a report stood: its source and the line's number there."""

    tally: Tally
    line: int


class ClosedFrame(Struct, frozen=True):
    """A frame that takes nothing more, before it has its number: `received` is its last report's receipt."""

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
    and the audit may wait for just this one: what a device says late of the round that is over.
    """

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}
        self._turned: dict[str, str] = {}  # what of a round was told last, its opening or its close, by table

    def add(self, report: Report, mark: Mark, now: int) -> list[ClosedFrame]:
        """Put a report into its table's frame; give the frames that close by it, in order."""
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
        """Return when the next frame is over, as far as is known; None where none is open."""
        # Frames stand in the order in which they were opened.
        first = next(iter(self._open.values()), None)
        return None if first is None else first.since + LONGEST_OPEN

    def _close(self, table: str, *, ended: bool) -> ClosedFrame:
        frame = self._open.pop(table)
        return ClosedFrame(table, frame.v, frame.received, frame.events, frame.marks, ended)
