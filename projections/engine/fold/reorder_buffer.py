"""The waiting room of a table's events: where each belongs.

Rounds that are over (see `round_end`) are held for the lateness window beside the state as it was before
them. When an event of theirs comes late, everything held is put back and goes the same road again:
there is no second way for what is late.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from projections.engine.accounts.table_accounts import Accounts
from projections.engine.conclusion import Conclusion
from projections.engine.facts import DeviceRef, Fact, fact
from projections.engine.fold.seats import OF_SEATS, Seating
from projections.engine.fold.table_state import TableState
from projections.engine.fold.watermark import (
    ClosedWindow,
    Mark,
    Place,
    Span,
    Tallies,
    Tally,
    in_order,
    lies_before,
    mark_of,
)
from schemas.events import (
    KINDS_OF,
    DevicesPolled,
    Event,
    EventId,
    ReportCorrected,
    Reported,
    RoundClosed,
    RoundOpened,
    SettlementAdjusted,
    TableClosed,
    TableOpened,
    id_of,
)

_LEFT_OUT_AT_MOST: Final = 256  # events that came too late, to be known if they come again
_HELD_AT_MOST: Final = 10_000  # events of a round, or between two; a round has some fifty
# Without these a round or a table would never end.
_MARKS: Final = frozenset({RoundOpened, RoundClosed, TableOpened, TableClosed})
_KEPT_AT_MOST: Final = 64  # rounds, should the terminal's clock stand still


class ReorderBuffer(Struct):
    """The events that wait, and the rounds that can be revised; times in microseconds.

    `clock` is the terminal's latest. `loose` are events without an open round, `barriers` the marks of
    those that no round's closing has passed, `mark` the barrier that everything was concluded up to,
    `closed` what followed the last round when the table closed, `seating` who sat where. `begun` says that
    rounds were let go: what lies before the first one kept can no longer be told apart.
    """

    terminal: str
    sources: Mapping[str, str]
    patience: int
    lateness: int
    tallies: Tallies
    spans: dict[str, Span] = field(default_factory=dict)
    loose: list[Event] = field(default_factory=list)
    barriers: list[Mark] = field(default_factory=list)
    kept: list[ClosedWindow] = field(default_factory=list)
    closed: list[Event] = field(default_factory=list)
    overtaken: list[Event] = field(default_factory=list)
    told: dict[str, tuple[int, Conclusion | None, dict[int, str]]] = field(default_factory=dict)
    too_late: list[Fact] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    mark: Mark | None = None
    clock: int = 0
    clock_read: Place = (0, 0)
    due: bool = False
    begun: bool = False
    doubled: int = 0
    contradicted: list[EventId] = field(default_factory=list)
    again: bool = False
    left_out: list[EventId] = field(default_factory=list)
    seating: Seating = field(default_factory=Seating)

    def take(self, events: Sequence[Event]) -> Iterator[None]:  # noqa: C901, PLR0912  the one hot loop
        """Take events as they came; pauses wherever a round may be over, however the events were framed.

        Those that come after their round was over are `overtaken`.
        """
        spans, tallies, terminal, sources = self.spans, self.tallies, self.terminal, self.sources
        # A device's events come in runs: what is looked up for one serves the next.
        device, epoch, tally = "", 0, Tally()
        kinds: frozenset[type[Reported]] = frozenset()
        for event in events:
            if event.device != device:
                device, epoch = event.device, 0
                kinds = KINDS_OF.get(sources.get(device, ""), frozenset())
            if type(event) not in kinds:
                self._refuse(event)
                continue
            if event.epoch != epoch:
                epoch = event.epoch
                tally = tallies.tally(device, epoch)
            ordered = event.seq == tally.next and not tally.ahead
            if ordered:
                tally.next += 1
            elif not tally.take(event.seq):
                self._came_twice(event)
                continue
            if device == terminal and isinstance(event, OF_SEATS):
                # Who sat at rounds that are over may be told otherwise only now.
                self.again |= self.seating.take(event) and bool(self.kept)
            number = event.round
            span = spans.get(number) if number is not None else None
            if span is None:
                span = self._place(event)
            if span is not None:
                if not self._hold(span.events, event):
                    continue
                if not ordered:
                    span.disordered = True
                if device == terminal:
                    self._told(span, event)
            if self.too_late or (device == terminal and (self.due or self.overtaken)):
                yield
        yield

    def _refuse(self, event: Event) -> None:
        source = self.sources.get(event.device)
        self.strangers.append(
            f"has no device {event.device!r} in the house file"
            if source is None
            else f"has {event.device!r} as a source of {source}, which does not report {type(event).__name__}"
        )

    def _came_twice(self, event: Event) -> None:
        """Pass over what came before; where it says something else now, neither telling can be believed."""
        self.doubled += 1
        spans = (*self.spans.values(), *(window.span for window in self.kept))
        stored_events = (each for span in spans for each in (*span.events, *span.before))
        first = next((each for each in stored_events if id_of(each) == id_of(event)), event)
        if first != event and id_of(event) not in self.contradicted:
            self.contradicted = [*self.contradicted[-_KEPT_AT_MOST:], id_of(event)]
            self.again = True

    def rewind(self) -> ClosedWindow:
        """Put every event that is held back into its place; return the first round kept."""
        self.again = False
        first = self.kept[0]
        events = [*self.overtaken, *self.loose, *self.closed]
        for each in (*(window.span for window in self.kept), *self.spans.values()):
            events += each.before
            events += each.events
        self.told = {each.span.number: (each.revision, each.concluded, each.seated) for each in self.kept}
        self.kept, self.loose, self.barriers, self.closed, self.overtaken = [], [], [], [], []
        self.spans.clear()
        self.mark = first.lower if self.begun else None
        for event in in_order(events):
            span = self.spans.get(event.round) if event.round is not None else None
            span = span or self._place(event)
            if span is not None:
                if not self._hold(span.events, event):
                    continue
                span.disordered = True
                if event.device == self.terminal:
                    self._told(span, event)
        self.due = True
        return first

    def keep(
        self, span: Span, lower: Mark | None, upper: Mark | None, state: TableState, accounts: Accounts
    ) -> ClosedWindow:
        """Hold a round that is over for the lateness window."""
        revision, concluded, seated = self.told.pop(span.number, (0, None, {}))
        window = ClosedWindow(span, lower, upper, state, accounts, revision, concluded, seated)
        self.kept.append(window)
        return window

    def abandon(self) -> list[Event]:
        """Return up the events that still wait for a round: no more will come. Gives those of no round."""
        for event in self.loose:
            if event.round is not None:
                self.leave_out(event)
        rest: list[Event] = [event for event in self.loose if event.round is None]
        self.loose = []
        return rest

    def let_go(self) -> None:
        """Drop the rounds that are past the lateness window."""
        while len(self.kept) > 1 and (
            self.kept[0].span.last_at < self.clock - self.lateness or len(self.kept) > _KEPT_AT_MOST
        ):
            del self.kept[0]
            self.begun = True
            lower = self.kept[0].lower or {}
            self.closed = [event for event in self.closed if not lies_before(event, lower)]
        self.seating.forget(self.kept[0].span.begins())
        oldest = self.clock - self.lateness
        for event in [each for each in self.loose if each.round is not None and each.at < oldest]:
            self.loose.remove(event)
            self.leave_out(event)

    def _told(self, span: Span, event: Event) -> None:
        """Take note of what the terminal says: its clock, and the barriers."""
        self._read_clock(event)
        span.last_at = max(span.last_at, event.at)
        if isinstance(event, RoundOpened):
            span.opened = event
            self.barriers.append(mark_of(event.heard, event.device, event.epoch, event.seq - 1))
            self.due = self.due or len(self.spans) > 1
        elif isinstance(event, RoundClosed):
            span.closed = event
            self.barriers.append(mark_of(event.heard, event.device, event.epoch, event.seq))
            self.due = True

    def _read_clock(self, event: Event) -> None:
        """Keep the terminal's latest time: the latest by its numbers, as a clock can be wrong for a while."""
        if (event.epoch, event.seq) >= self.clock_read:
            self.clock_read, self.clock = (event.epoch, event.seq), event.at

    def _place(self, event: Event) -> Span | None:
        """Find the place of an event of no open round: a new one, or none."""
        is_kept = any(window.takes(event, self.lateness) for window in self.kept)
        late = isinstance(event, SettlementAdjusted | ReportCorrected)
        if event.round is None or (late and not is_kept):
            if event.device == self.terminal:
                self._read_clock(event)
                self._told_between(event)
            if isinstance(event, DevicesPolled):
                # Its barrier is noted; else it only matters that its number was missed.
                self.again |= self._is_over(event) and not self._is_let_go(event)
            elif late or not self._is_over(event):
                self._hold(self.loose, event)
            else:
                self._overtake(event)
            return None
        if is_kept:
            self.overtaken.append(event)
            return None
        if self._is_over(event):
            self._overtake(event)
            return None
        span = self.spans[event.round] = Span(event.round, last_at=self.clock)
        self.due = self.due or len(self.spans) > 1
        return span

    def _overtake(self, event: Event) -> None:
        """Hold an event whose round was over when it came, or say that it is too late for that."""
        if self._is_let_go(event):
            self.leave_out(event)
        else:
            self.overtaken.append(event)

    def _is_let_go(self, event: Event) -> bool:
        """Return True if an event lies before the rounds that can be revised."""
        return self.begun and (not self.kept or lies_before(event, self.kept[0].lower or {}))

    def _is_over(self, event: Event) -> bool:
        """Return True if an event lies before the last barrier, so that its round was concluded."""
        return self.mark is not None and lies_before(event, self.mark)

    def leave_out(self, event: Event) -> None:
        """Say that an event came and is not used: to its round it is as missing as before."""
        self._miss(event)
        name = id_of(event)
        if name in self.left_out:
            return  # it came again
        self.left_out = [*self.left_out[-_LEFT_OUT_AT_MOST:], name]
        self.too_late.append(
            fact(
                "fold.too_late",
                kind=type(event).__name__,
                device=DeviceRef(event.device),
                epoch=event.epoch,
                number=event.seq,
                round=event.round or None,
            )
        )

    def _hold(self, place: list[Event], event: Event) -> bool:
        """Hold an event where there is room, and tell so: a state must not grow without end.

        What there is no room for is left out, and its device named.
        """
        if len(place) < _HELD_AT_MOST or type(event) in _MARKS:
            place.append(event)
            return True
        self._miss(event)
        self.strangers.append(
            f"has more than {_HELD_AT_MOST:,} events in round {event.round or 'none'}; "
            f"of {event.device!r} the rest is left out"
        )
        return False

    def _miss(self, event: Event) -> None:
        """Count an event that came as one that did not."""
        self.tallies.tally(event.device, event.epoch).holes.append((event.seq, event.seq))

    def _told_between(self, event: Event) -> None:
        if isinstance(event, TableOpened) and self.mark is None:
            self.mark = mark_of(event.heard, event.device, event.epoch, event.seq - 1)
            self.tallies.begin(self.mark)
        elif isinstance(event, TableOpened | DevicesPolled | TableClosed):
            if not self.spans:
                self.barriers = self.barriers[-1:]  # only an open round needs to know all that came after it
            self.barriers.append(mark_of(event.heard, event.device, event.epoch, event.seq))
            self.due = True
