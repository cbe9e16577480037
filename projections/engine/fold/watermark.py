"""The order of events, what is missing among them, and which rounds are over and still held."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final, TypeAlias

from msgspec import Struct, field

from projections.engine.accounts.table_accounts import TableAccounts
from projections.engine.conclusion import Conclusion
from projections.engine.fold.table_state import TableState
from schemas.events import (
    KINDS_OF,
    Event,
    EventId,
    Heard,
    ReportCorrected,
    RoundClosed,
    RoundOpened,
    SettlementAdjusted,
    TableClosed,
)

# ── The order of events, what is missing among them, and when a round is complete ──────────────────────
# Devices number their events; the terminal reports at each barrier where every device stood. From the two
# follows which events belong before a barrier, whether all have come, and which never did. Nothing here
# depends on how events were framed, or on any clock except the terminal's.

Place: TypeAlias = tuple[int, int]  # epoch, number
Mark: TypeAlias = dict[str, Place]  # device -> the last place before a barrier

_BY_TERMINAL: Final = KINDS_OF["terminal"]
_EPOCHS_HELD: Final = 8  # of one device
_HOLES_HELD: Final = 256  # ranges of an epoch that can still be distinguished from duplicates


class SequenceTally(Struct):
    """Numbers of one device's epoch that have come: all below `next`, those `ahead`, but not the `holes`.

    `holes` are ranges that were given up. Numbers below `base` were given before the record begins: they
    are not missed, and `early` are those of them that came all the same.
    """

    next: int = 1
    ahead: set[int] = field(default_factory=set)
    holes: list[tuple[int, int]] = field(default_factory=list)
    base: int = 1
    early: set[int] = field(default_factory=set)

    def take(self, seq: int) -> bool:
        """Note a number; False where it has come before."""
        if seq == self.next:
            self.next += 1
            self._catch_up()
            return True
        if seq > self.next:
            if seq in self.ahead:
                return False
            self.ahead.add(seq)
            return True
        if seq < self.base and seq not in self.early:
            self.early.add(seq)
            return True
        return self._fill(seq)

    def begin(self, base: int) -> None:
        """Count numbers below this one as received: they are from before the record begins."""
        if base <= self.next:
            return
        self.early |= set(range(self.base, self.next)) | {seq for seq in self.ahead if seq < base}
        self.ahead -= self.early
        self.base = self.next = base
        self._catch_up()

    def give_up(self, upto: int) -> None:
        """Wait no longer for numbers up to this one: those that have not come are holes."""
        self.holes += self._waited_for(upto)
        self.ahead = {seq for seq in self.ahead if seq > upto}
        self.next = max(self.next, upto + 1)
        self._catch_up()
        del self.holes[:-_HOLES_HELD]

    def missing(self, after: int, upto: int) -> Iterator[tuple[int, int]]:
        """Yield the ranges that have not come, of the numbers after one and up to another."""
        for first, last in (*self.holes, *self._waited_for(upto)):
            if last > after and first <= upto:
                yield max(first, after + 1), min(last, upto)

    def _waited_for(self, upto: int) -> Iterator[tuple[int, int]]:
        first = self.next
        for seq in sorted(self.ahead):
            if seq > upto:
                break
            if seq > first:
                yield first, seq - 1
            first = seq + 1
        if first <= upto:
            yield first, upto

    def _catch_up(self) -> None:
        while self.ahead and self.next in self.ahead:
            self.ahead.remove(self.next)
            self.next += 1

    def _fill(self, seq: int) -> bool:
        for index, (first, last) in enumerate(self.holes):
            if first <= seq <= last:
                parts = [(first, seq - 1), (seq + 1, last)]
                self.holes[index : index + 1] = [part for part in parts if part[0] <= part[1]]
                return True
        return False


class SequenceTallies(Struct):
    """The tallies of a table's devices, by device and epoch; polls of other `devices` do not count."""

    devices: frozenset[str]
    of: dict[str, dict[int, SequenceTally]] = field(default_factory=dict)

    def tally(self, device: str, epoch: int) -> SequenceTally:
        """Return the tally of a device's epoch."""
        epochs = self.of.setdefault(device, {})
        if epoch not in epochs:
            epochs[epoch] = SequenceTally()
            if len(epochs) > _EPOCHS_HELD:
                del epochs[min(epochs)]
        return epochs[epoch]

    def begin(self, mark: Mark) -> None:
        """Count everything up to a mark as received: it is from before the record begins."""
        for device, (epoch, seq) in self._polled(mark):
            self.tally(device, epoch).begin(seq + 1)

    def complete(self, lower: Mark, upper: Mark) -> bool:
        """Return True if everything between two barriers has come."""
        for device, (epoch, seq) in self._polled(upper):
            if seq == 0:
                continue
            epochs = self.of.get(device)
            if epochs is None or epoch not in epochs or epochs[epoch].next <= seq:
                return False
            if device in lower and lower[device][0] != epoch:
                return False
        return True

    def give_up(self, upper: Mark) -> None:
        """Wait no longer for anything before a barrier."""
        for device, (epoch, seq) in self._polled(upper):
            self.tally(device, epoch).give_up(seq)

    def missing(self, lower: Mark, upper: Mark) -> Iterator[tuple[str, int, int, int]]:
        """Yield the ranges that never came between two barriers: device, epoch, first and last number."""
        for device, (epoch, seq) in self._polled(upper):
            tally = self.of.get(device, {}).get(epoch) or SequenceTally()
            if seq and (tally.holes or tally.next <= seq):
                start = lower[device][1] if device in lower and lower[device][0] == epoch else 0
                for first, last in tally.missing(start, seq):
                    yield device, epoch, first, last

    def restarted(self, lower: Mark, upper: Mark) -> list[str]:
        """Return the devices that began a new epoch between two barriers."""
        return [
            device
            for device, (epoch, _) in self._polled(upper)
            if device in lower and lower[device][0] != epoch
        ]

    def _polled(self, mark: Mark) -> Iterable[tuple[str, Place]]:
        if mark.keys() <= self.devices:
            return mark.items()
        return [(device, place) for device, place in mark.items() if device in self.devices]


def mark_of(polled: dict[str, Heard], terminal: str, epoch: int, seq: int) -> Mark:
    """Turn a poll into a mark; `seq` is the terminal's own last number before the barrier."""
    mark = {device: (each.epoch, each.seq) for device, each in polled.items()}
    mark[terminal] = (epoch, seq)
    return mark


class RoundSpan(Struct):
    """The events of one round as they came, and the barriers around it as far as they are known."""

    number: str
    events: list[Event] = field(default_factory=list)
    before: list[Event] = field(default_factory=list)
    opened: RoundOpened | None = None
    closed: RoundClosed | None = None
    last_at: int = 0
    disordered: bool = False

    def begins(self) -> int:
        """Return when the round opened, by the terminal's events of the round so far."""
        if self.opened is not None:
            return self.opened.at
        moments = [event.at for event in self.events if type(event) in _BY_TERMINAL]
        return min(moments or [event.at for event in self.events])

    def start(self) -> Mark | None:
        """Return where every device stood as the round opened."""
        event = self.opened
        return mark_of(event.heard, event.device, event.epoch, event.seq - 1) if event is not None else None

    def end(self) -> Mark | None:
        """Return where every device stood as the round closed."""
        event = self.closed
        return mark_of(event.heard, event.device, event.epoch, event.seq) if event is not None else None


def lies_before(event: Event, mark: Mark) -> bool:
    """Return True if an event was reported before a barrier."""
    return (event.epoch, event.seq) <= mark.get(event.device, (0, 0))


def in_order(events: list[Event]) -> list[Event]:
    """Sort events by their devices' numbers; devices stay side by side."""
    return sorted(events, key=_by_device)


def in_time(events: Sequence[Event], polled: Mapping[str, Heard]) -> list[Event]:
    """Sort events of several devices: each by its own numbers, between devices by the terminal's clock.

    `polled` has each clock's offset. Only what people count depends on this order.
    """
    return [event for _, event in by_terminal_clock(events, polled)]


def by_terminal_clock(events: Sequence[Event], polled: Mapping[str, Heard]) -> list[tuple[int, Event]]:
    """Return events in the order of `in_time`, each with its moment by the terminal's clock."""
    timed = []
    latest: dict[str, int] = {}
    for event in in_order([*events]):
        offset = polled[event.device].offset if event.device in polled else 0
        latest[event.device] = at = max(event.at - offset, latest.get(event.device, 0))
        timed.append((at, event))
    timed.sort(key=itemgetter(0))
    return timed


def _by_device(event: Event) -> tuple[str, int, int]:
    return event.device, event.epoch, event.seq


def place_of(event: EventId) -> str:
    """Return an event by its device and number.

    >>> place_of(EventId("C-104", 1, 17))
    'C-104 1/17'
    """
    return f"{event.device} {event.epoch}/{event.seq}"


def parted(events: list[Event], upper: Mark | None) -> tuple[list[Event], list[Event]]:
    """Part events of no round by a barrier: those before it, and the rest.

    A table's closing is folded by itself, and what names a round waits for that round.
    """
    before: list[Event] = []
    after: list[Event] = []
    for event in events:
        place = (event.epoch, event.seq)
        lies_before = upper is None or place <= upper.get(event.device, (0, 0))
        if lies_before and event.round is None and not isinstance(event, TableClosed):
            before.append(event)
        else:
            after.append(event)
    return before, after


# ── A round that is over and can still be revised ─────────────────────────────────────────────────────


class ClosedWindow(Struct):
    """A round that is over: its events and barriers, state and accounts before it, what was concluded."""

    span: RoundSpan
    lower: Mark | None
    upper: Mark | None
    state: TableState
    accounts: TableAccounts
    revision: int = 0
    concluded: Conclusion | None = None
    seated: dict[int, str] = {}

    def takes(self, event: Event, lateness: int) -> bool:
        """Return True if an event is of this round: by its number, unless a later one has that number."""
        return event.round == self.span.number and (
            self.span.closed is None
            or self.upper is None
            or lies_before(event, self.upper)
            or event.at - self.span.last_at <= lateness
            or isinstance(event, SettlementAdjusted | ReportCorrected)
        )
