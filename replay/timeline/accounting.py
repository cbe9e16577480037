"""What was read for a timeline and what became of it, so that nothing is left out unsaid.

Of the events read each is used; or it cannot be read, is of a device that its table does not have, or of a
table that is not judged, came before, came too late, or found no room in its round. The sums say so.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from projections.engine.audit.table_audit import TableAudit
from projections.engine.fold.reorder_buffer import ReorderBuffer
from replay.recording.event_audit import Unread
from schemas.codec import Frame, Told
from schemas.events import Event, Heard, id_of, may_report
from schemas.house import House
from schemas.surveillance import STREAM, OperatorActed

_UNREAD_TOLD = 20


class Missing(Struct, frozen=True, order=True):
    """Numbers of a device's epoch that never came."""

    table: str
    device: str
    epoch: int
    first: int
    last: int


class Accounting(Struct, kw_only=True):
    """Counts of what was read and shown; `frames` counts lines and records, round records among them.

    `elsewhere` are events of tables that the house file lacks or that cannot be judged, `ledgers` the entries
    of ledgers, `strange` the events of devices that the table does not have. `unread` says of the first few
    lines why they could not be read, `unread_besides` how many more there are.
    """

    frames: int = 0
    unreadable_lines: int = 0
    read: int = 0
    used: int = 0
    doubled: int = 0
    late: int = 0
    strange: int = 0
    crowded_out: int = 0
    unreadable: int = 0
    elsewhere: int = 0
    ledgers: int = 0
    missing: list[Missing] = field(default_factory=list)
    rounds: int = 0
    clean: int = 0
    mismatch: int = 0
    undetermined: int = 0
    shown: int = 0
    hidden: int = 0
    unread: list[str] = field(default_factory=list)
    unread_besides: int = 0
    accounts_left_out: bool = False

    @property
    def complete(self) -> int:
        """The rounds that could be decided."""
        return self.clean + self.mismatch

    def conclude(self, verdict: str) -> None:
        """Count a round."""
        self.rounds += 1
        setattr(self, verdict, getattr(self, verdict) + 1)

    def miss(self, each: Unread) -> None:
        """Keep in mind what could not be read."""
        if len(self.unread) < _UNREAD_TOLD:
            self.unread.append(each.error)
        else:
            self.unread_besides += 1

    def told(self) -> dict[str, Any]:
        """Return it as plain values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain | {"complete": self.complete}


class Numbers(Struct):
    """The numbers that came of one epoch of a device: from `first` up to `last`, but not the `holes`.

    What lies before the first number that was told of when the record begins was given before it, and is not
    missed.
    """

    first: int
    last: int
    holes: list[tuple[int, int]] = field(default_factory=list)

    def take(self, seq: int) -> bool:
        """Note a number that came; False where it came before.

        >>> numbers = Numbers(1, 0)
        >>> [numbers.take(seq) for seq in (1, 4, 3, 4)], numbers.holes
        ([True, True, True, False], [(2, 2)])
        """
        if seq > self.last:
            if seq > self.last + 1:
                self.holes.append((self.last + 1, seq - 1))
            self.last = seq
            return True
        if seq < self.first:
            if seq + 1 < self.first:
                self.holes.insert(0, (seq + 1, self.first - 1))
            self.first = seq
            return True
        return self._fill(seq)

    def hear(self, seq: int) -> None:
        """Note that the device had come to a number, whether or not it came."""
        if seq > self.last:
            self.holes.append((self.last + 1, seq))
            self.last = seq

    def _fill(self, seq: int) -> bool:
        at = bisect_right(self.holes, seq, key=lambda hole: hole[0]) - 1
        if at < 0 or seq > self.holes[at][1]:
            return False
        first, last = self.holes[at]
        parts = [(first, seq - 1), (seq + 1, last)]
        self.holes[at : at + 1] = [part for part in parts if part[0] <= part[1]]
        return True


class _Counted(ReorderBuffer):
    """A waiting room that counts what it has no use for."""

    late: int = 0
    crowded_out: int = 0

    def leave_out(self, event: Event) -> None:
        # What came too late and then comes again was counted when it came first.
        self.late += id_of(event) not in self.left_out
        super().leave_out(event)

    def _hold(self, events: list[Event], event: Event) -> bool:
        fits = super()._hold(events, event)
        self.crowded_out += not fits
        return fits


class Counting:
    """Looks on while logs are audited; the counts are whole once every log was told to be `over`.

    `first` says of the latest frame's events which came for the first time.
    """

    def __init__(self, house: House) -> None:
        self.result = Accounting()
        self.first: list[Told] = []
        self._house = house
        self._waiting: list[_Counted] = []
        self._numbers: dict[tuple[str, str], dict[int, Numbers]] = {}

    def begin(self, audit: TableAudit) -> None:
        """Count in a table's waiting room."""
        counted = _Counted(**msgspec.structs.asdict(audit.progress.waiting))
        audit.progress.waiting = counted
        self._waiting.append(counted)

    def line(self) -> None:
        """Count a line of which nothing can be read."""
        self.result.frames += 1
        self.result.unreadable_lines += 1

    def frame(self, frame: Frame, unreadable: int, *, judged: bool) -> None:
        """Count a frame's events."""
        result = self.result
        result.frames += 1
        result.read += len(frame.events) + unreadable
        result.unreadable += unreadable
        self.first = []
        if not judged and frame.table != STREAM:
            ledger = frame.table in self._house.ledgers
            result.ledgers += len(frame.events) if ledger else 0
            result.elsewhere += 0 if ledger else len(frame.events)
            return
        setup = self._house.tables.get(frame.table)
        sources = setup.sources if setup is not None else {}
        for event in frame.events:
            if not _belongs(event, frame.table, sources):
                result.strange += 1
            elif self._of(frame.table, event.device, event.epoch, event.seq).take(event.seq):
                self.first.append(event)
            else:
                result.doubled += 1
            self._hear(frame.table, getattr(event, "heard", {}), sources)

    def _hear(self, table: str, heard: dict[str, Heard], houses: Mapping[str, str]) -> None:
        for device, each in heard.items():
            if device in houses:
                self._of(table, device, each.epoch, each.seq + 1).hear(each.seq)

    def _of(self, table: str, device: str, epoch: int, seq: int) -> Numbers:
        """Return the numbers of an epoch; the first one of a device may have begun before the record does."""
        epochs = self._numbers.setdefault((table, device), {})
        if epoch not in epochs:
            first = 1 if epochs and epoch > min(epochs) else seq
            epochs[epoch] = Numbers(first, first - 1)
        return epochs[epoch]

    def over(self) -> None:
        """Add up a log that was read to its end, or as far as it matters."""
        result = self.result
        result.late += sum(each.late for each in self._waiting)
        result.crowded_out += sum(each.crowded_out for each in self._waiting)
        result.missing += sorted(self._missing())
        lost = result.doubled + result.late + result.strange + result.crowded_out
        result.used = result.read - lost - result.unreadable - result.elsewhere - result.ledgers
        self._waiting, self._numbers = [], {}

    def _missing(self) -> Iterator[Missing]:
        for (table, device), epochs in self._numbers.items():
            for epoch, numbers in epochs.items():
                for first, last in numbers.holes:
                    yield Missing(table, device, epoch, first, last)


def _belongs(event: Told, table: str, sources: Mapping[str, str]) -> bool:
    """Return True if an event is one of its stream's, from a device that the table has for it."""
    if table == STREAM:
        return isinstance(event, OperatorActed)
    return may_report(sources.get(event.device), event)
