"""The reorder buffer of a table: holds events until nothing earlier can come, and assigns them to rounds.

Closed rounds (see `watermark`) stay revisable for the lateness window, each with the state before it. If one
of their events comes late, everything held is rewound and folded again. Late events have no separate path.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from projections.engine.accounts.table_accounts import TableAccounts
from projections.engine.conclusion import Conclusion
from projections.engine.facts import DeviceRef, Fact, fact
from projections.engine.fold.seats import OF_SEATS, Seating
from projections.engine.fold.table_state import TableState
from projections.engine.fold.watermark import (
    ClosedWindow,
    Mark,
    Place,
    RoundSpan,
    SequenceTallies,
    SequenceTally,
    in_order,
    lies_before,
    mark_of,
    parted,
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

    `clock` is the terminal's latest. `unassigned` are events without an open round, `barriers` the marks of
    those that no round's closing has passed, `mark` the barrier that everything was concluded up to,
    `after_closing` what followed the last round when the table closed, `seating` who sat where. `revisable`
    are the closed rounds within the lateness window, `concluded_before` the revision, conclusion and
    seating of those that were rewound, by number. `has_dropped` is true once rounds left the window: events
    before the first revisable round can no longer be assigned.
    """

    terminal: str
    sources: Mapping[str, str]
    patience: int
    lateness: int
    tallies: SequenceTallies
    spans: dict[str, RoundSpan] = field(default_factory=dict)
    unassigned: list[Event] = field(default_factory=list)
    barriers: list[Mark] = field(default_factory=list)
    revisable: list[ClosedWindow] = field(default_factory=list)
    after_closing: list[Event] = field(default_factory=list)
    overtaken: list[Event] = field(default_factory=list)
    concluded_before: dict[str, tuple[int, Conclusion | None, dict[int, str]]] = field(default_factory=dict)
    too_late: list[Fact] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    mark: Mark | None = None
    clock: int = 0
    clock_read: Place = (0, 0)
    is_round_due: bool = False
    has_dropped: bool = False
    doubled: int = 0
    contradicted: list[EventId] = field(default_factory=list)
    must_refold: bool = False
    left_out: list[EventId] = field(default_factory=list)
    seating: Seating = field(default_factory=Seating)

    def take(self, events: Sequence[Event]) -> Iterator[None]:  # noqa: C901, PLR0912  the one hot loop
        """Add events as they came; pause wherever a round may be over, however the events were framed.

        Events that come after their round was over are `overtaken`.
        """
        spans, tallies, terminal, sources = self.spans, self.tallies, self.terminal, self.sources
        # A device's events come in runs: what is looked up for one serves the next.
        device, epoch, tally = "", 0, SequenceTally()
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
                # A seating report can change who sat at rounds that are over only now.
                self.must_refold |= self.seating.take(event) and bool(self.revisable)
            number = event.round
            span = spans.get(number) if number is not None else None
            if span is None:
                span = self._place(event)
            if span is not None:
                if len(span.events) < _HELD_AT_MOST:
                    span.events.append(event)
                elif not self._hold(span.events, event):
                    continue
                if not ordered:
                    span.disordered = True
                if device == terminal:
                    self._note_terminal(span, event)
            if self.too_late or (device == terminal and (self.is_round_due or self.overtaken)):
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
        """Skip an event whose number came before; if the two differ, note the number as contradicted."""
        self.doubled += 1
        spans = (*self.spans.values(), *(window.span for window in self.revisable))
        stored_events = (each for span in spans for each in (*span.events, *span.before))
        first = next((each for each in stored_events if id_of(each) == id_of(event)), event)
        if first != event and id_of(event) not in self.contradicted:
            self.contradicted = [*self.contradicted[-_KEPT_AT_MOST:], id_of(event)]
            self.must_refold = True

    def rewind(self) -> ClosedWindow:
        """Assign every held event again; return the first revisable round as it was."""
        self.must_refold = False
        first = self.revisable[0]
        events = [*self.overtaken, *self.unassigned, *self.after_closing]
        for each in (*(window.span for window in self.revisable), *self.spans.values()):
            events += each.before
            events += each.events
        self.concluded_before = {
            each.span.number: (each.revision, each.concluded, each.seated) for each in self.revisable
        }
        self.revisable, self.unassigned, self.barriers = [], [], []
        self.after_closing, self.overtaken = [], []
        self.spans.clear()
        self.mark = first.lower if self.has_dropped else None
        for event in in_order(events):
            span = self.spans.get(event.round) if event.round is not None else None
            span = span or self._place(event)
            if span is not None:
                if not self._hold(span.events, event):
                    continue
                span.disordered = True
                if event.device == self.terminal:
                    self._note_terminal(span, event)
        self.is_round_due = True
        return first

    def add_revisable(
        self,
        span: RoundSpan,
        lower: Mark | None,
        upper: Mark | None,
        state: TableState,
        accounts: TableAccounts,
    ) -> ClosedWindow:
        """Add a closed round for the lateness window and return it."""
        revision, concluded, seated = self.concluded_before.pop(span.number, (0, None, {}))
        window = ClosedWindow(span, lower, upper, state, accounts, revision, concluded, seated)
        self.revisable.append(window)
        return window

    def abandon(self) -> list[Event]:
        """Leave out the events that wait for a round that will not come; return those without a round."""
        for event in self.unassigned:
            if event.round is not None:
                self.leave_out(event)
        rest: list[Event] = [event for event in self.unassigned if event.round is None]
        self.unassigned = []
        return rest

    def drop_expired(self) -> None:
        """Drop the rounds that are past the lateness window."""
        while len(self.revisable) > 1 and (
            self.revisable[0].span.last_at < self.clock - self.lateness or len(self.revisable) > _KEPT_AT_MOST
        ):
            del self.revisable[0]
            self.has_dropped = True
            lower = self.revisable[0].lower or {}
            self.after_closing = [event for event in self.after_closing if not lies_before(event, lower)]
        self.seating.forget(self.revisable[0].span.begins())
        oldest = self.clock - self.lateness
        for event in [each for each in self.unassigned if each.round is not None and each.at < oldest]:
            self.unassigned.remove(event)
            self.leave_out(event)

    def _note_terminal(self, span: RoundSpan, event: Event) -> None:
        """Update the clock and the barriers from an event of the terminal in a round."""
        self._read_clock(event)
        span.last_at = max(span.last_at, event.at)
        if isinstance(event, RoundOpened):
            span.opened = event
            self.barriers.append(mark_of(event.heard, event.device, event.epoch, event.seq - 1))
            self.is_round_due = self.is_round_due or len(self.spans) > 1
        elif isinstance(event, RoundClosed):
            span.closed = event
            self.barriers.append(mark_of(event.heard, event.device, event.epoch, event.seq))
            self.is_round_due = True

    def _read_clock(self, event: Event) -> None:
        """Read the terminal's time from its highest-numbered event: a clock can be wrong for a while."""
        if (event.epoch, event.seq) >= self.clock_read:
            self.clock_read, self.clock = (event.epoch, event.seq), event.at

    def _place(self, event: Event) -> RoundSpan | None:
        """Find the place of an event of no open round: a new one, or none."""
        is_revisable = any(window.takes(event, self.lateness) for window in self.revisable)
        late = isinstance(event, SettlementAdjusted | ReportCorrected)
        if event.round is None or (late and not is_revisable):
            if event.device == self.terminal:
                self._read_clock(event)
                self.is_round_due = self.is_round_due or bool(self.spans)  # it may have waited long enough
                self._note_between(event)
            if isinstance(event, DevicesPolled):
                # Its barrier is noted; else it only matters that its number was missed.
                self.must_refold |= self._is_over(event) and not self._is_dropped(event)
            elif late or not self._is_over(event):
                self._hold(self.unassigned, event)
            else:
                self._overtake(event)
            return None
        if is_revisable:
            self.overtaken.append(event)
            return None
        if self._is_over(event):
            self._overtake(event)
            return None
        span = self.spans[event.round] = RoundSpan(event.round, last_at=self.clock)
        self.is_round_due = self.is_round_due or len(self.spans) > 1
        return span

    def _overtake(self, event: Event) -> None:
        """Buffer an event whose round is over, or leave it out if that round is no longer revisable."""
        if self._is_dropped(event):
            self.leave_out(event)
        else:
            self.overtaken.append(event)

    def _is_dropped(self, event: Event) -> bool:
        """Return True if an event is from before the rounds that can be revised."""
        return self.has_dropped and (not self.revisable or lies_before(event, self.revisable[0].lower or {}))

    def _is_over(self, event: Event) -> bool:
        """Return True if an event is from before the last barrier, so that its round was concluded."""
        return self.mark is not None and lies_before(event, self.mark)

    def leave_out(self, event: Event) -> None:
        """Note an event as too late to be used; for its round it counts as missing."""
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
        """Append an event and return True, unless the list is full: a state must not grow without end.

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

    def _note_between(self, event: Event) -> None:
        if isinstance(event, TableOpened) and self.mark is None:
            self.mark = mark_of(event.heard, event.device, event.epoch, event.seq - 1)
            self.tallies.begin(self.mark)
        elif isinstance(event, TableOpened | DevicesPolled | TableClosed):
            if not self.spans:
                self.barriers = self.barriers[-1:]  # only an open round needs to know all that came after it
            self.barriers.append(mark_of(event.heard, event.device, event.epoch, event.seq))
            self.is_round_due = True


# ── When a round is over, and when a table is ─────────────────────────────────────────────────────────

_OPEN_AT_MOST: Final = 64  # rounds, should the terminal's clock stand still


def pop_ended_round(
    buffer: ReorderBuffer, *, finishing: bool
) -> tuple[RoundSpan, Mark | None, Mark | None] | None:
    """Return the earliest open round if it is over, with the barriers before and after it.

    `finishing` is true if no more events will come, so that waiting is useless.
    """
    if not buffer.spans or not (buffer.is_round_due or finishing):
        return None
    span = _earliest(buffer)
    patient = (
        not finishing
        and buffer.clock - span.last_at <= buffer.patience
        and len(buffer.spans) <= _OPEN_AT_MOST
    )
    if patient and (buffer.mark is None or span.closed is None):
        return None  # the table's opening, or the round's closing, may still be under way
    upper = span.end() or _barrier_after(buffer, span)
    lower = buffer.mark if buffer.mark is not None else span.start()
    if buffer.mark is None and lower is not None:
        buffer.tallies.begin(lower)
    if upper is None and not finishing:
        buffer.is_round_due = False
        return None
    if upper is not None and not buffer.tallies.complete(lower or {}, upper):
        if patient:
            return None
        buffer.tallies.give_up(upper)
    del buffer.spans[span.number]
    if _is_stray(buffer, span, lower, upper):
        for event in span.events:
            buffer.leave_out(event)
        return pop_ended_round(buffer, finishing=finishing)
    _gather(buffer, span, upper)
    # Where no barrier parts a round from the next, what is missing between them may be of either.
    if upper is not None and not _reaches_past(buffer, upper):
        buffer.mark = upper
    return span, lower, upper


def awaits_terminal(buffer: ReorderBuffer) -> bool:
    """Return True if nothing can be over before the terminal's next report."""
    if _table_closed(buffer) is not None:
        return False
    if not buffer.spans:
        return True
    if len(buffer.spans) > 1 or buffer.mark is None:
        return False
    (span,) = buffer.spans.values()
    return span.closed is None and buffer.clock - span.last_at <= buffer.patience


def _is_stray(buffer: ReorderBuffer, span: RoundSpan, lower: Mark | None, upper: Mark | None) -> bool:
    """Return True if the terminal, all of whose reports came, never spoke of a round."""
    has_terminal = any(event.device == buffer.terminal for event in span.events)
    if has_terminal or upper is None:
        return False
    return all(device != buffer.terminal for device, *_ in buffer.tallies.missing(lower or {}, upper))


def events_to_close(
    buffer: ReorderBuffer, *, finishing: bool
) -> tuple[list[Event], Mark | None, Mark] | None:
    """Return what is left once the table closed and everything before it has come; what followed waits on."""
    closed = _table_closed(buffer)
    if closed is None:
        return None
    upper = mark_of(closed.heard, closed.device, closed.epoch, closed.seq)
    if any(lies_before(event, upper) for span in buffer.spans.values() for event in span.events):
        return None
    if not buffer.tallies.complete(buffer.mark or {}, upper):
        if not finishing and buffer.clock - closed.at <= buffer.patience:
            return None
        buffer.tallies.give_up(upper)
    events: list[Event] = [
        each for each in buffer.unassigned if each.round is None and lies_before(each, upper)
    ]
    buffer.unassigned = [
        each for each in buffer.unassigned if each.round is not None or not lies_before(each, upper)
    ]
    buffer.after_closing += events
    lower, buffer.mark = buffer.mark, upper
    return events, lower, upper


def _table_closed(buffer: ReorderBuffer) -> TableClosed | None:
    """Return the closing of the table that still waits for what came before it."""
    return next((event for event in buffer.unassigned if isinstance(event, TableClosed)), None)


def _reaches_past(buffer: ReorderBuffer, upper: Mark) -> bool:
    """Return True if a barrier is after events of a round that is still open."""
    return any(lies_before(event, upper) for span in buffer.spans.values() for event in span.events)


def _earliest(buffer: ReorderBuffer) -> RoundSpan:
    spans = buffer.spans.values()
    return next(iter(spans)) if len(spans) == 1 else min(spans, key=RoundSpan.begins)


def _barrier_after(buffer: ReorderBuffer, span: RoundSpan) -> Mark | None:
    """Find the first barrier after a round that was not seen to close."""
    later = [mark for mark in buffer.barriers if all(lies_before(event, mark) for event in span.events)]
    return min(later, key=lambda mark: mark[buffer.terminal], default=None)


def _gather(buffer: ReorderBuffer, span: RoundSpan, upper: Mark | None) -> None:
    """Assign to a round what was reported before or during it without its number."""
    if buffer.unassigned:
        of_round = [event for event in buffer.unassigned if event.round == span.number]
        span.events.extend(of_round)
        span.disordered = span.disordered or bool(of_round)
        span.before, buffer.unassigned = parted(
            [each for each in buffer.unassigned if each not in of_round], upper
        )
    if upper is not None:
        terminal = buffer.terminal
        buffer.barriers = [mark for mark in buffer.barriers if mark[terminal] > upper[terminal]]
