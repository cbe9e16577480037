"""The waiting room of a table's events: where each belongs, and when a round is over.

A round is over when every device has reported up to the barrier that closed it, or when it has waited long
enough for what was heard and did not come. Rounds that are over are held for the lateness window beside
the state as it was before them, so that what comes late can still be put where it belongs.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from projections.arrival import Mark, Place, Span, Tallies, mark_of, parted
from projections.kept import Kept, KeptRounds, barrier_after
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


class Waiting(Struct):
    """The events that wait, and the rounds that can be revised; times in microseconds.

    `clock` is the terminal's latest. `loose` are events without an open round, `barriers` the marks of
    those that no round's closing has passed, `mark` the barrier that everything was concluded up to, `closed`
    what followed the last round when the table closed.
    """

    terminal: str
    sources: Mapping[str, str]
    patience: int
    lateness: int
    tallies: Tallies
    spans: dict[str, Span] = field(default_factory=dict)
    loose: list[Event] = field(default_factory=list)
    barriers: list[Mark] = field(default_factory=list)
    kept: KeptRounds = field(default_factory=KeptRounds)
    closed: tuple[list[Event], Mark | None, Mark] | None = None
    too_late: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    mark: Mark | None = None
    clock: int = 0
    due: bool = False
    taken: int = 0
    doubled: int = 0

    def take(self, events: Sequence[Event]) -> int | None:  # noqa: C901  the one hot loop
        """Take events as they came; give the first kept round that they revise, if they do."""
        spans, tallies, terminal = self.spans, self.tallies, self.terminal
        revised: int | None = None
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
                span, index = self._place(event)
                if index is not None:
                    revised = index if revised is None else min(revised, index)
                if span is None:
                    continue
            span.events.append(event)
            if not ordered:
                span.disordered = True
            if event.device == terminal:
                self._told(span, event)
        return revised

    def over(self, *, finishing: bool, state: TableState) -> Kept | None:
        """Give the earliest open round if it is over; it is kept beside a copy of the state before it.

        `finishing` says that no more events will come, so that nothing is worth waiting for.
        """
        if not self.spans or not (self.due or finishing):
            return None
        span = self._earliest()
        patient = not finishing and self.clock - span.last_at <= self.patience
        if patient and (self.mark is None or span.closed is None):
            return None  # the table's opening, or the round's closing, may still be under way
        upper, shared = span.end(), False
        if upper is None:
            others = [other for other in self.spans.values() if other is not span]
            barriers = sorted(self.barriers, key=self._by_terminal)
            upper, shared = barrier_after(span, barriers, others)
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
        kept = Kept(span, lower, upper, state.copied(), shared)
        self.kept.rounds.append(kept)
        if not shared:
            self.mark = upper or self.mark
        self.closed = None
        return kept

    def closing(self, *, finishing: bool) -> tuple[list[Event], Mark | None, Mark] | None:
        """Give what is left once the table closed and everything before it has come."""
        closed = next((event for event in self.loose if isinstance(event, TableClosed)), None)
        if closed is None or self.spans:
            return None
        upper = mark_of(closed.heard, closed.device, closed.epoch, closed.seq)
        if not self.tallies.complete(self.mark or {}, upper):
            if not finishing and self.clock - closed.at <= self.patience:
                return None
            self.tallies.give_up(upper)
        events, self.loose = self.loose, []
        for event in [each for each in events if each.round is not None]:
            events.remove(event)
            self._too_late(event)
        self.closed, self.mark = (events, self.mark, upper), upper
        return self.closed

    def abandon(self) -> None:
        """Give up the events that still wait for a round: no more will come."""
        for event in [each for each in self.loose if each.round is not None]:
            self.loose.remove(event)
            self._too_late(event)

    def let_go(self) -> None:
        """Drop the rounds that are past the lateness window."""
        oldest = self.clock - self.lateness
        self.kept.drop_before(oldest)
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

    def _place(self, event: Event) -> tuple[Span | None, int | None]:
        """Find the place of an event of no open round: a new one, a kept one by its index, or neither."""
        if event.round is None:
            return None, self._between(event)
        index = self.kept.find(event.round)
        if index is not None:
            return None, self._revise(index, event)
        if isinstance(event, SettlementAdjusted | ReportCorrected):
            self.clock = max(self.clock, event.at)
            self.loose.append(event)  # waits for its round
            return None, None
        if self._is_over(event) or self.kept.begins_after(event):
            return None, self._overtaken(event, event.round)
        span = self.spans[event.round] = Span(event.round, last_at=event.at)
        self.due = self.due or len(self.spans) > 1
        return span, None

    def _revise(self, index: int, event: Event) -> int:
        """Give a kept round an event that came late; the first round that changes by it."""
        span = self.kept.rounds[index].span
        span.events.append(event)
        span.disordered = True
        if event.device == self.terminal:
            self._told(span, event)
            self.loose += self.kept.set_barriers(index)
            self._set_mark()
        return index

    def _set_mark(self) -> None:
        """Set anew where the last kept round ended, and what followed it."""
        last = self.kept.rounds[-1]
        mark = last.lower if last.shared else last.upper or self.mark
        if self.closed is None:
            self.mark = mark
        else:
            events, _, upper = self.closed
            followed, self.loose = parted(self.loose, upper)
            self.closed = ([*events, *followed], mark, upper)

    def _overtaken(self, event: Event, number: str) -> int | None:
        """Begin a round among the kept ones, all of whose events came late."""
        index = self.kept.before(event)
        if index is None:
            self._too_late(event)
            return None
        span = Span(number, last_at=event.at)
        self._gather_named(span)
        self.kept.insert(index, span)
        return self._revise(index, event)

    def _is_over(self, event: Event) -> bool:
        """Tell whether an event lies before the last barrier, so that its round was concluded."""
        place = self.mark.get(event.device) if self.mark is not None else None
        return place is not None and (event.epoch, event.seq) <= place

    def _between(self, event: Event) -> int | None:
        """Keep an event that is of no open round; give the kept round that it revises, if any."""
        if event.device == self.terminal:
            self.clock = max(self.clock, event.at)
            self._told_between(event)
        if not self._is_over(event):
            self.loose.append(event)
            return None
        index = self.kept.before(event)
        if index is not None:
            self.kept.rounds[index].span.before.append(event)
        elif self.closed is not None and self.kept.ended_before(event):
            self.closed[0].append(event)
            index = len(self.kept.rounds) - 1
        else:
            self._too_late(event)
        return index

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

    def _by_terminal(self, mark: Mark) -> Place:
        return mark[self.terminal]

    def _gather_named(self, span: Span) -> None:
        """Give a round what waited for it."""
        named = [event for event in self.loose if event.round == span.number]
        if named:
            span.events.extend(named)
            span.disordered = True
            self.loose = [event for event in self.loose if event.round != span.number]

    def _gather(self, span: Span, upper: Mark | None) -> None:
        """Give a round what was reported before or during it without its number."""
        if self.loose:
            self._gather_named(span)
            span.before, self.loose = parted(self.loose, upper)
        if upper is not None:
            terminal = self.terminal
            self.barriers = [mark for mark in self.barriers if mark[terminal] > upper[terminal]]
