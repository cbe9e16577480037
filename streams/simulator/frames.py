"""Frames as a gateway cuts them: at a round's end, or a quarter of a second after their first event."""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Final

from msgspec import Struct

from schemas.codec import VERSION, AnyEvent, Frame
from schemas.events import RoundClosed

_LONGEST: Final = 250_000  # microseconds


class Arrival(Struct, gc=False):
    """An event as it reaches the gateway, microseconds UTC."""

    at: int
    event: AnyEvent


def cut(table: str, arrivals: Iterable[Arrival]) -> Iterator[Frame]:
    """Cut a table's events, in order of arrival, into frames; a frame's receipt is that of its last event."""
    number = 0
    batch: list[Arrival] = []
    for arrival in sorted(arrivals, key=attrgetter("at")):
        if batch and arrival.at > batch[0].at + _LONGEST:
            number += 1
            yield _frame(table, number, batch)
            batch = []
        batch.append(arrival)
        if isinstance(arrival.event, RoundClosed):
            number += 1
            yield _frame(table, number, batch)
            batch = []
    if batch:
        yield _frame(table, number + 1, batch)


def _frame(table: str, number: int, batch: list[Arrival]) -> Frame:
    return Frame(
        v=VERSION,
        table=table,
        frame=number,
        received=batch[-1].at,
        events=[arrival.event for arrival in batch],
    )
