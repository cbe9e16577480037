"""The rounds that are over and can still be revised, with the state as it was before each of them."""

from collections.abc import Sequence

from msgspec import Struct, field

from projections.arrival import Mark, Span, parted
from projections.judge import Conclusion
from projections.table import TableState
from schemas.events import Event


class Kept(Struct):
    """A round that is over: its events, its barriers, the state before it, and what was concluded.

    Where the barrier between it and the next round was never reported, `shared` says that `upper` is one
    after the next: what is missing before it can be either's.
    """

    span: Span
    lower: Mark | None
    upper: Mark | None
    state: TableState
    shared: bool = False
    revision: int = 0
    concluded: Conclusion | None = None


class KeptRounds(Struct):
    """Kept rounds in their order; `let_go` says that there were others before the first."""

    rounds: list[Kept] = field(default_factory=list)
    let_go: bool = False

    def find(self, number: str) -> int | None:
        """Find a round by its number."""
        return next((n for n, kept in enumerate(self.rounds) if kept.span.number == number), None)

    def before(self, event: Event) -> int | None:
        """Find the first round whose closing barrier an event lies before; none if that was let go."""
        place = (event.epoch, event.seq)
        if self.let_go and place <= (self.rounds[0].lower or {}).get(event.device, (0, 0)):
            return None
        for index, kept in enumerate(self.rounds):
            if kept.upper is not None and place <= kept.upper.get(event.device, (0, 0)):
                return index
        return None

    def begins_after(self, event: Event) -> bool:
        """Tell whether the last round began after an event and its closing barrier lies after it too."""
        return (
            bool(self.rounds) and event.at < self.rounds[-1].span.begins() and self.before(event) is not None
        )

    def ended_before(self, event: Event) -> bool:
        """Tell whether an event lies after the last round."""
        last = self.rounds[-1].upper if self.rounds else None
        return last is not None and (event.epoch, event.seq) > last.get(event.device, (0, 0))

    def insert(self, index: int, span: Span) -> None:
        """Put a round in, all of whose events came late."""
        following = self.rounds[index]
        self.rounds.insert(index, Kept(span, following.lower, None, following.state.copied()))

    def set_barriers(self, index: int) -> list[Event]:
        """Set the barriers anew from a round on, and what was reported between them; give what is left."""
        between: list[Event] = []
        for n in range(index, len(self.rounds)):
            kept = self.rounds[n]
            own = kept.span.end()
            if own is None and n + 1 < len(self.rounds):
                following = self.rounds[n + 1]
                own = following.span.start()
                kept.shared = own is None
                kept.upper = own or following.span.end() or following.upper
            elif own is not None:
                kept.upper, kept.shared = own, False
            between += kept.span.before
            kept.span.before = []
        for n in range(index, len(self.rounds)):
            kept = self.rounds[n]
            if n > index:
                previous = self.rounds[n - 1]
                kept.lower = previous.lower if previous.shared else previous.upper or kept.lower
            kept.span.before, between = parted(between, kept.upper)
        return between

    def drop_before(self, oldest: int) -> None:
        """Drop the rounds that ended before a moment; the last one stays."""
        while len(self.rounds) > 1 and self.rounds[0].span.last_at < oldest:
            del self.rounds[0]
            self.let_go = True


def barrier_after(span: Span, barriers: Sequence[Mark], others: Sequence[Span]) -> tuple[Mark | None, bool]:
    """Find the first barrier after a round that was not seen to close.

    Tells too whether it lies after events of another round, so that the barrier between the two is unknown.
    """
    for mark in barriers:
        if all(_lies_before(event, mark) for event in span.events):
            return mark, any(_lies_before(event, mark) for other in others for event in other.events)
    return None, False


def _lies_before(event: Event, mark: Mark) -> bool:
    return (event.epoch, event.seq) <= mark.get(event.device, (0, 0))
