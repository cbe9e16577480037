"""When a round is over, and when a table is.

A round is over when every device has reported up to the barrier that closed it, or when it has waited long
enough for what was heard and did not come.
"""

from typing import Final

from projections.engine.fold.reorder_buffer import ReorderBuffer
from projections.engine.fold.watermark import Mark, Span, lies_before, mark_of, parted
from schemas.events import Event, TableClosed

_OPEN_AT_MOST: Final = 64  # rounds, should the terminal's clock stand still


def over(buffer: ReorderBuffer, *, finishing: bool) -> tuple[Span, Mark | None, Mark | None] | None:
    """Return the earliest open round if it is over, with the barriers before and after it.

    `finishing` says that no more events will come, so that nothing is worth waiting for.
    """
    if not buffer.spans or not (buffer.due or finishing):
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
        buffer.due = False
        return None
    if upper is not None and not buffer.tallies.complete(lower or {}, upper):
        if patient:
            return None
        buffer.tallies.give_up(upper)
    del buffer.spans[span.number]
    if _is_stray(buffer, span, lower, upper):
        for event in span.events:
            buffer.leave_out(event)
        return over(buffer, finishing=finishing)
    _gather(buffer, span, upper)
    # Where no barrier parts a round from the next, what is missing between them may be of either.
    if upper is not None and not _reaches_past(buffer, upper):
        buffer.mark = upper
    return span, lower, upper


def _is_stray(buffer: ReorderBuffer, span: Span, lower: Mark | None, upper: Mark | None) -> bool:
    """Return True if the terminal, all of whose reports came, never spoke of a round."""
    has_terminal = any(event.device == buffer.terminal for event in span.events)
    if has_terminal or upper is None:
        return False
    return all(device != buffer.terminal for device, *_ in buffer.tallies.missing(lower or {}, upper))


def events_to_close(
    buffer: ReorderBuffer, *, finishing: bool
) -> tuple[list[Event], Mark | None, Mark] | None:
    """Return what is left once the table closed and everything before it has come; what followed waits on."""
    closed = next((event for event in buffer.loose if isinstance(event, TableClosed)), None)
    if closed is None:
        return None
    upper = mark_of(closed.heard, closed.device, closed.epoch, closed.seq)
    if any(lies_before(event, upper) for span in buffer.spans.values() for event in span.events):
        return None
    if not buffer.tallies.complete(buffer.mark or {}, upper):
        if not finishing and buffer.clock - closed.at <= buffer.patience:
            return None
        buffer.tallies.give_up(upper)
    events: list[Event] = [each for each in buffer.loose if each.round is None and lies_before(each, upper)]
    buffer.loose = [each for each in buffer.loose if each.round is not None or not lies_before(each, upper)]
    buffer.closed += events
    lower, buffer.mark = buffer.mark, upper
    return events, lower, upper


def _reaches_past(buffer: ReorderBuffer, upper: Mark) -> bool:
    """Return True if a barrier lies after events of a round that is still open."""
    return any(lies_before(event, upper) for span in buffer.spans.values() for event in span.events)


def _earliest(buffer: ReorderBuffer) -> Span:
    spans = buffer.spans.values()
    return next(iter(spans)) if len(spans) == 1 else min(spans, key=Span.begins)


def _barrier_after(buffer: ReorderBuffer, span: Span) -> Mark | None:
    """Find the first barrier after a round that was not seen to close."""
    later = [mark for mark in buffer.barriers if all(lies_before(event, mark) for event in span.events)]
    return min(later, key=lambda mark: mark[buffer.terminal], default=None)


def _gather(buffer: ReorderBuffer, span: Span, upper: Mark | None) -> None:
    """Assign to a round what was reported before or during it without its number."""
    if buffer.loose:
        of_round = [event for event in buffer.loose if event.round == span.number]
        span.events.extend(of_round)
        span.disordered = span.disordered or bool(of_round)
        span.before, buffer.loose = parted([each for each in buffer.loose if each not in of_round], upper)
    if upper is not None:
        terminal = buffer.terminal
        buffer.barriers = [mark for mark in buffer.barriers if mark[terminal] > upper[terminal]]
