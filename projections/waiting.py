"""The waiting room of a table's events: where each belongs, and when a round is over.

A round is over when every device has reported up to the barrier that closed it, or when it has waited long
enough for what was heard and did not come. Rounds that are over are held for the lateness window beside
the state as it was before them. When an event of theirs comes late, everything held is put back and goes
the same road again: there is no second way for what is late.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from projections.arrival import Mark, Span, Tallies, in_order, mark_of, parted
from projections.judge import Conclusion
from projections.table import TableState
from schemas.events import (
    DevicesPolled,
    Event,
    ReportCorrected,
    RoundClosed,
    RoundOpened,
    SettlementAdjusted,
    TableClosed,
    TableOpened,
)


class Kept(Struct):
    """A round that is over: its events, its barriers, the state before it, and what was concluded."""

    span: Span
    lower: Mark | None
    upper: Mark | None
    state: TableState
    revision: int = 0
    concluded: Conclusion | None = None


class Waiting(Struct):
    """The events that wait, and the rounds that can be revised; times in microseconds.

    `clock` is the terminal's latest. `loose` are events without an open round, `barriers` the marks of
    those that no round's closing has passed, `mark` the barrier that everything was concluded up to,
    `closed` what followed the last round when the table closed. `begun` says that rounds were let go: what
    lies before the first one kept can no longer be told apart.
    """

    terminal: str
    sources: Mapping[str, str]
    patience: int
    lateness: int
    tallies: Tallies
    spans: dict[str, Span] = field(default_factory=dict)
    loose: list[Event] = field(default_factory=list)
    barriers: list[Mark] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    closed: list[Event] = field(default_factory=list)
    overtaken: list[Event] = field(default_factory=list)
    told: dict[str, tuple[int, Conclusion | None]] = field(default_factory=dict)
    too_late: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    mark: Mark | None = None
    clock: int = 0
    due: bool = False
    begun: bool = False
    taken: int = 0
    doubled: int = 0

    def take(self, events: Sequence[Event]) -> None:
        """Take events as they came; those that come after their round was over are `overtaken`."""
        spans, tallies, terminal = self.spans, self.tallies, self.terminal
        for event in events:
            epochs = tallies.of.get(event.device)
            tally = epochs.get(event.epoch) if epochs is not None else None
            if tally is None:
                if event.device not in self.sources:
                    self.strangers.append(event.device)
                    continue
                tally = tallies.tally(event.device, event.epoch)
            ordered = event.seq == tally.next and not tally.ahead
            if ordered:
                tally.next += 1
            elif not tally.take(event.seq):
                self.doubled += 1
                continue
            self.taken += 1
            number = event.round
            span = spans.get(number) if number is not None else None
            if span is None:
                span = self._place(event)
                if span is None:
                    continue
            span.events.append(event)
            if not ordered:
                span.disordered = True
            if event.device == terminal:
                self._told(span, event)

    def rewind(self) -> TableState:
        """Put every event that is held back into its place; give the state before the first round kept."""
        first = self.kept[0]
        events = [*self.overtaken, *self.loose, *self.closed]
        for each in (*(kept.span for kept in self.kept), *self.spans.values()):
            events += each.before
            events += each.events
        self.told = {kept.span.number: (kept.revision, kept.concluded) for kept in self.kept}
        self.kept, self.loose, self.barriers, self.closed, self.overtaken = [], [], [], [], []
        self.spans.clear()
        self.mark = first.lower if self.begun else None
        for event in in_order(events):
            span = self.spans.get(event.round) if event.round is not None else None
            span = span or self._place(event)
            if span is not None:
                span.events.append(event)
                span.disordered = True
                if event.device == self.terminal:
                    self._told(span, event)
        self.due = True
        return first.state

    def keep(self, span: Span, lower: Mark | None, upper: Mark | None, state: TableState) -> Kept:
        """Hold a round that is over for the lateness window."""
        revision, concluded = self.told.pop(span.number, (0, None))
        kept = Kept(span, lower, upper, state, revision, concluded)
        self.kept.append(kept)
        return kept

    def over(self, *, finishing: bool) -> tuple[Span, Mark | None, Mark | None] | None:
        """Give the earliest open round if it is over, with the barriers before and after it.

        `finishing` says that no more events will come, so that nothing is worth waiting for.
        """
        if not self.spans or not (self.due or finishing):
            return None
        span = self._earliest()
        patient = not finishing and self.clock - span.last_at <= self.patience
        if patient and (self.mark is None or span.closed is None):
            return None  # the table's opening, or the round's closing, may still be under way
        upper = span.end() or self._barrier_after(span)
        lower = self.mark if self.mark is not None else span.start()
        if self.mark is None and lower is not None:
            self.tallies.begin(lower)
        if upper is None:
            if not finishing:
                self.due = False
                return None
        elif not self.tallies.complete(lower or {}, upper):
            if patient:
                return None
            self.tallies.give_up(upper)
        del self.spans[span.number]
        self._gather(span, upper)
        # Where no barrier parts a round from the next, what is missing between them may be of either.
        if upper is not None and not self._reaches_past(upper):
            self.mark = upper
        return span, lower, upper

    def closing(self, *, finishing: bool) -> tuple[list[Event], Mark | None, Mark] | None:
        """Give what is left once the table closed and everything before it has come."""
        closed = next((event for event in self.loose if isinstance(event, TableClosed)), None)
        if closed is None:
            return None
        upper = mark_of(closed.heard, closed.device, closed.epoch, closed.seq)
        if any(self._lies_before(event, upper) for span in self.spans.values() for event in span.events):
            return None
        if not self.tallies.complete(self.mark or {}, upper):
            if not finishing and self.clock - closed.at <= self.patience:
                return None
            self.tallies.give_up(upper)
        events: list[Event] = [each for each in self.loose if each.round is None]
        self.loose = [each for each in self.loose if each.round is not None]
        self.closed += events
        lower, self.mark = self.mark, upper
        return events, lower, upper

    def abandon(self) -> None:
        """Give up the events that still wait for a round: no more will come."""
        for event in [each for each in self.loose if each.round is not None]:
            self.loose.remove(event)
            self._too_late(event)

    def let_go(self) -> None:
        """Drop the rounds that are past the lateness window."""
        while len(self.kept) > 1 and self.kept[0].span.last_at < self.clock - self.lateness:
            del self.kept[0]
            self.begun = True
            lower = self.kept[0].lower or {}
            self.closed = [event for event in self.closed if not self._lies_before(event, lower)]
        oldest = self.clock - self.lateness
        for event in [each for each in self.loose if each.round is not None and each.at < oldest]:
            self.loose.remove(event)
            self._too_late(event)

    # ── where an event belongs ───────────────────────────────────────────────────────────────────────

    def _told(self, span: Span, event: Event) -> None:
        """Take note of what the terminal says: its clock, and the barriers."""
        self.clock = max(self.clock, event.at)
        span.last_at = max(span.last_at, event.at)
        if isinstance(event, RoundOpened):
            span.opened = event
            self.barriers.append(mark_of(event.heard, event.device, event.epoch, event.seq - 1))
            self.due = self.due or len(self.spans) > 1
        elif isinstance(event, RoundClosed):
            span.closed = event
            self.barriers.append(mark_of(event.heard, event.device, event.epoch, event.seq))
            self.due = True

    def _place(self, event: Event) -> Span | None:
        """Find the place of an event of no open round: a new one, or none."""
        is_kept = event.round is not None and any(kept.span.number == event.round for kept in self.kept)
        late = isinstance(event, SettlementAdjusted | ReportCorrected)
        if event.round is None or (late and not is_kept):
            if event.device == self.terminal:
                self.clock = max(self.clock, event.at)
                self._told_between(event)
            if late or not self._is_over(event):
                self.loose.append(event)
            else:
                self._overtake(event)
            return None
        if is_kept:
            self.overtaken.append(event)
            return None
        if self._is_over(event):
            self._overtake(event)
            return None
        span = self.spans[event.round] = Span(event.round, last_at=event.at)
        self.due = self.due or len(self.spans) > 1
        return span

    def _overtake(self, event: Event) -> None:
        """Hold an event whose round was over when it came, or say that it is too late for that."""
        if self.begun and (not self.kept or self._lies_before(event, self.kept[0].lower or {})):
            self._too_late(event)
        else:
            self.overtaken.append(event)

    def _is_over(self, event: Event) -> bool:
        """Tell whether an event lies before the last barrier, so that its round was concluded."""
        return self.mark is not None and self._lies_before(event, self.mark)

    @staticmethod
    def _lies_before(event: Event, mark: Mark) -> bool:
        return (event.epoch, event.seq) <= mark.get(event.device, (0, 0))

    def _reaches_past(self, upper: Mark) -> bool:
        """Tell whether a barrier lies after events of a round that is still open."""
        return any(self._lies_before(event, upper) for span in self.spans.values() for event in span.events)

    def _too_late(self, event: Event) -> None:
        self.too_late.append(
            f"{type(event).__name__} {event.device} {event.epoch}/{event.seq} of round "
            f"{event.round or 'none'} came after its round could be revised"
        )

    def _told_between(self, event: Event) -> None:
        if isinstance(event, TableOpened):
            mark = mark_of(event.heard, event.device, event.epoch, event.seq - 1)
            self.tallies.begin(mark)
            self.mark = self.mark or mark
        elif isinstance(event, DevicesPolled | TableClosed):
            self.barriers.append(mark_of(event.heard, event.device, event.epoch, event.seq))
            self.due = True

    # ── which round is over ──────────────────────────────────────────────────────────────────────────

    def _earliest(self) -> Span:
        spans = self.spans.values()
        return next(iter(spans)) if len(spans) == 1 else min(spans, key=Span.begins)

    def _barrier_after(self, span: Span) -> Mark | None:
        """Find the first barrier after a round that was not seen to close."""
        later = [
            mark for mark in self.barriers if all(self._lies_before(event, mark) for event in span.events)
        ]
        return min(later, key=lambda mark: mark[self.terminal], default=None)

    def _gather(self, span: Span, upper: Mark | None) -> None:
        """Give a round what was reported before or during it without its number."""
        if self.loose:
            named = [event for event in self.loose if event.round == span.number]
            span.events.extend(named)
            span.disordered = span.disordered or bool(named)
            span.before, self.loose = parted([each for each in self.loose if each not in named], upper)
        if upper is not None:
            terminal = self.terminal
            self.barriers = [mark for mark in self.barriers if mark[terminal] > upper[terminal]]
