"""Deliveries of a partition: which record is due next, up to where all is applied, and its contents."""

from collections import deque
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from schemas.codec import UNREAD, Frame
from streams.topics import FRAMES

# ── One record of `floor.frames`, and the number of its frame ──────────────────────────────────────────


class Record(Struct, frozen=True):
    """Record of `floor.frames` as it came; `key` is empty if it had none.

    `cluster` is set if it came from another one than the present: Kafka was created again since, and the old
    offsets mean nothing in it.
    """

    partition: int
    offset: int
    key: str
    payload: bytes
    cluster: str | None = None

    @property
    def place(self) -> str:
        """Return where it stands, for messages and identities."""
        cluster = f"@{self.cluster}" if self.cluster is not None else ""
        return f"{FRAMES}{cluster}/{self.partition}/{self.offset}"


class _Numbered(Struct, frozen=True):
    table: str
    frame: int


_read_number: Final = msgspec.json.Decoder(_Numbered).decode


def number_of(record: Record) -> int | None:
    """Read a frame's number, even if nothing else of it can be read."""
    try:
        numbered = _read_number(record.payload)
    except UNREAD:
        return None
    return numbered.frame if numbered.table == record.key else None


def does_not_follow(place: str, frame: Frame, last: int) -> str:
    """Return how a frame's number does not follow the last one.

    >>> frame = Frame(v=1, table="BAC-1", frame=5, received=0, events=[])
    >>> does_not_follow("floor.frames/0/9", frame, 2)
    'floor.frames/0/9: frames 3 to 4 of table BAC-1 did not come before frame 5'
    >>> does_not_follow("floor.frames/0/9", frame, 5)
    'floor.frames/0/9: frame 5 of table BAC-1 came again, or its gateway numbers anew; the last was 5'
    """
    about = f"of table {frame.table}"
    if frame.frame > last:
        missing = (
            f"frame {last + 1}" if frame.frame == last + 2 else f"frames {last + 1} to {frame.frame - 1}"
        )
        return f"{place}: {missing} {about} did not come before frame {frame.frame}"
    return (
        f"{place}: frame {frame.frame} {about} came again, or its gateway numbers anew; the last was {last}"
    )


# ── Which record of a partition is due next, and up to where all that came are stored ──────────────────
# Kafka numbers the records of a partition consecutively. So one that was fetched from Kafka and never given
# to the agent shows as soon as the next one comes, or in the lag. How far a partition is stored is saved with
# the states of its tables: the offset that Faust commits can be behind it, and ahead of a record that Faust
# skipped in a rebalance.

_KEY: Final = "\x00partition "  # no table's name begins so


class Delivery:
    """A partition in one generation of the group: the offset due next, and those taken and not yet stored."""

    def __init__(self, due: int) -> None:
        self.due = due
        self._taken: deque[int] = deque()
        self._kept: set[int] = set()

    def take(self, offset: int) -> None:
        """Take a record; one that came before is ignored.

        >>> delivery = Delivery(5)
        >>> for offset in (5, 4, 6):
        ...     delivery.take(offset)
        >>> delivery.due, delivery.next_offset
        (7, 5)
        """
        if offset >= self.due:
            self._taken.append(offset)
            self.due = offset + 1

    def keep(self, offset: int) -> None:
        """Note that Kafka has all results of a record, in whatever order.

        >>> delivery = Delivery(5)
        >>> for offset in (5, 6, 7):
        ...     delivery.take(offset)
        >>> delivery.keep(6); delivery.next_offset
        5
        >>> delivery.keep(5); delivery.next_offset
        7
        """
        self._kept.add(offset)
        while self._taken and self._taken[0] in self._kept:
            self._kept.remove(self._taken.popleft())
        if not self._taken:
            self._kept.clear()

    @property
    def next_offset(self) -> int:
        """Return the first offset that is not stored."""
        return self._taken[0] if self._taken else self.due


class Arrival(Struct, frozen=True):
    """A record as it came, the delivery it belongs to, and how it is acknowledged."""

    record: Record
    delivery: Delivery
    ack: Callable[[], Any]


class _DeliveryProgress(Struct, frozen=True):
    next: int


def progress_key(partition: int) -> str:
    """Return the key in the state topic for how far a partition is stored."""
    return f"{_KEY}{partition}"


def progress_text(delivery: Delivery) -> str:
    """Return how far a partition is stored, in the state topic's form.

    >>> read_progress(progress_text(Delivery(7)))
    7
    """
    return msgspec.json.encode(_DeliveryProgress(delivery.next_offset)).decode()


def read_progress(text: str | None) -> int | None:
    """Return the first offset that is not stored; None if unknown."""
    return msgspec.json.decode(text, type=_DeliveryProgress).next if text is not None else None
