"""Frames to be played, in the order of their receipt: of an archive, or of a simulated floor."""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Raw, Struct

from schemas.codec import UNREAD, Frame, encode
from schemas.values import Micros
from streams.log import Log


class Timed(Struct, frozen=True, order=True):
    """A frame as text, of a table or another stream, and when it was received, microseconds UTC.

    `place` orders those of one moment.
    """

    at: int
    place: tuple[int, int]
    key: str
    payload: bytes


class _Envelope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    v: Raw
    table: Raw
    frame: Raw
    received: Micros
    events: Raw


_envelope: Final = msgspec.json.Decoder(_Envelope).decode
_encode: Final = msgspec.json.Encoder().encode


def recorded(logs: Sequence[Log]) -> Iterator[Timed]:
    """Return the frames of logs, each of one table.

    A line that is no frame has the time of the one before.
    """
    return heapq.merge(*(_of_log(place, each) for place, each in enumerate(logs)))


def _of_log(place: int, log: Log) -> Iterator[Timed]:
    at = 0
    for number, (_, _, payload) in enumerate(log.payloads()):
        # Receipt never goes back within a stream, whatever the gateway's clock did.
        at = max(at, _received(payload))
        yield Timed(at, (place, number), log.key or log.name, payload)


def _received(payload: bytes) -> int:
    try:
        return _envelope(payload).received
    except UNREAD:
        return 0


def simulated(frames: Mapping[str, Iterable[Frame]]) -> Iterator[Timed]:
    """Return the frames of a simulated floor's tables."""
    return heapq.merge(
        *(
            [Timed(each.received, (place, each.frame), table, encode(each)) for each in of_table]
            for place, (table, of_table) in enumerate(frames.items())
        )
    )


def received_anew(payload: bytes, now: int) -> bytes:
    """Return a frame as if it was received now, microseconds UTC; nothing else of it is read.

    >>> received_anew(b'{"v":1,"table":"BAC-1","frame":2,"received":3,"events":[{}]}', 9)
    b'{"v":1,"table":"BAC-1","frame":2,"received":9,"events":[{}]}'
    >>> received_anew(b"no frame", 9)
    b'no frame'
    """
    try:
        return _encode(msgspec.structs.replace(_envelope(payload), received=now))
    except UNREAD:
        return payload
