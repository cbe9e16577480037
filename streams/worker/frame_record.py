"""One record of `floor.frames`, and what can be told of its frame's number."""

from typing import Final

import msgspec
from msgspec import Struct

from schemas.codec import UNREAD, Frame
from streams.topics import FRAMES


class Record(Struct, frozen=True):
    """One record of `floor.frames` as it came; `key` is empty where it had none.

    `cluster` is named where it came from another one than that which is followed: Kafka was begun anew since,
    and its offsets say nothing about those of today.
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
    """Read a frame's number, though perhaps nothing else of it can be read."""
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
