"""When a round is over, and when a table is.

A round is over when every device has reported up to the barrier that closed it, or when it has waited long
enough for what was heard and did not come.
"""

from typing import Final

from projections.engine.fold.reorder_buffer import Waiting
from projections.engine.fold.watermark import Mark, Span, lies_before, mark_of, parted
from schemas.events import Event, TableClosed

_OPEN_AT_MOST: Final = 64  # rounds, should the terminal's clock stand still


def over(waiting: Waiting, *, finishing: bool) -> tuple[Span, Mark | None, Mark | None] | None:
    """Return the earliest open round if it is over, with the barriers before and after it.

    `finishing` says that no more events will come, so that nothing is worth waiting for.
    """
    if not waiting.spans or not (waiting.due or finishing):
        return None
    span = _earliest(waiting)
    patient = (
        not finishing
        and waiting.clock - span.last_at <= waiting.patience
        and len(waiting.spans) <= _OPEN_AT_MOST
    )
    if patient and (waiting.mark is None or span.closed is None):
        return None  # the table's opening, or the round's closing, may still be under way
    upper = span.end() or _barrier_after(waiting, span)
    lower = waiting.mark if waiting.mark is not None else span.start()
    if waiting.mark is None and lower is not None:
        waiting.tallies.begin(lower)
    if upper is None and not finishing:
        waiting.due = False
        return None
    if upper is not None and not waiting.tallies.complete(lower or {}, upper):
        if patient:
            return None
        waiting.tallies.give_up(upper)
    del waiting.spans[span.number]
    if _is_stray(waiting, span, lower, upper):
        for event in span.events:
            waiting.leave_out(event)
        return over(waiting, finishing=finishing)
    _gather(waiting, span, upper)
    # Where no barrier parts a round from the next, what is missing between them may be of either.
    if upper is not None and not _reaches_past(waiting, upper):
        waiting.mark = upper
    return span, lower, upper


def _is_stray(waiting: Waiting, span: Span, lower: Mark | None, upper: Mark | None) -> bool:
    """Return True if the terminal, all of whose reports came, never spoke of a round."""
    told = any(event.device == waiting.terminal for event in span.events)
    if told or upper is None:
        return False
    return all(device != waiting.terminal for device, *_ in waiting.tallies.missing(lower or {}, upper))


def closing(waiting: Waiting, *, finishing: bool) -> tuple[list[Event], Mark | None, Mark] | None:
    """Return what is left once the table closed and everything before it has come; what followed waits on."""
    closed = next((event for event in waiting.loose if isinstance(event, TableClosed)), None)
    if closed is None:
        return None
    upper = mark_of(closed.heard, closed.device, closed.epoch, closed.seq)
    if any(lies_before(event, upper) for span in waiting.spans.values() for event in span.events):
        return None
    if not waiting.tallies.complete(waiting.mark or {}, upper):
        if not finishing and waiting.clock - closed.at <= waiting.patience:
            return None
        waiting.tallies.give_up(upper)
    events: list[Event] = [each for each in waiting.loose if each.round is None and lies_before(each, upper)]
    waiting.loose = [each for each in waiting.loose if each.round is not None or not lies_before(each, upper)]
    waiting.closed += events
    lower, waiting.mark = waiting.mark, upper
    return events, lower, upper


def _reaches_past(waiting: Waiting, upper: Mark) -> bool:
    """Return True if a barrier lies after events of a round that is still open."""
    return any(lies_before(event, upper) for span in waiting.spans.values() for event in span.events)


def _earliest(waiting: Waiting) -> Span:
    spans = waiting.spans.values()
    return next(iter(spans)) if len(spans) == 1 else min(spans, key=Span.begins)


def _barrier_after(waiting: Waiting, span: Span) -> Mark | None:
    """Find the first barrier after a round that was not seen to close."""
    later = [mark for mark in waiting.barriers if all(lies_before(event, mark) for event in span.events)]
    return min(later, key=lambda mark: mark[waiting.terminal], default=None)


def _gather(waiting: Waiting, span: Span, upper: Mark | None) -> None:
    """Assign to a round what was reported before or during it without its number."""
    if waiting.loose:
        named = [event for event in waiting.loose if event.round == span.number]
        span.events.extend(named)
        span.disordered = span.disordered or bool(named)
        span.before, waiting.loose = parted([each for each in waiting.loose if each not in named], upper)
    if upper is not None:
        terminal = waiting.terminal
        waiting.barriers = [mark for mark in waiting.barriers if mark[terminal] > upper[terminal]]
