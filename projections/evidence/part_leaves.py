"""Leaves of a sealed record in the tree of its part: its envelope, and each of its events."""

import hmac
from collections.abc import Iterator
from typing import Final, Protocol

import msgspec
from msgspec import Raw, Struct

from projections.evidence import canonical_json, merkle_tree
from projections.evidence.canonical_json import Count, Hexadecimal
from schemas.codec import UNREAD

SALT: Final = 16  # bytes of a leaf's salt
_encode: Final = msgspec.json.Encoder().encode


class ArchivedRecord(Protocol):
    """A record as an archive keeps it; `received` in microseconds UTC."""

    @property
    def cluster(self) -> str:
        """Kafka's id of the cluster."""

    @property
    def topic(self) -> str:
        """The topic."""

    @property
    def partition(self) -> int:
        """The partition."""

    @property
    def offset(self) -> int:
        """Return where it stood in its partition."""

    @property
    def received(self) -> int:
        """Kafka's time stamp."""

    @property
    def key(self) -> bytes | None:
        """The key, as it came."""

    @property
    def payload(self) -> bytes | None:
        """The payload, as it came."""


class Envelope(Struct, frozen=True, forbid_unknown_fields=True):
    """Envelope: place of a record, and its payload's pieces around the events; bytes in hexadecimal."""

    cluster: str
    topic: str
    partition: Count
    offset: Count
    received: Count
    key: Hexadecimal | None
    gaps: tuple[Hexadecimal, ...] | None

    def payload(self, events: tuple[bytes, ...]) -> bytes | None:
        """Join the payload again.

        Raises:
            ValueError: there are not as many events as the gaps ask for, or a gap is not hexadecimal.
        """
        if self.gaps is None:
            return None
        pieces = [bytes.fromhex(each) for each in self.gaps]
        between = (event + gap for event, gap in zip(events, pieces[1:], strict=True))
        return pieces[0] + b"".join(between)


class _Events(Struct):
    events: list[Raw]


_events: Final = msgspec.json.Decoder(_Events)


def contents(record: ArchivedRecord, *, framed: bool) -> Iterator[bytes]:
    """Yield the contents of a record's leaves: its envelope, then its events as they stand in the payload.

    `framed` is whether the topic's payloads are frames; others are not split.

    >>> from types import SimpleNamespace
    >>> at = {"cluster": "c", "topic": "t", "partition": 0, "offset": 7, "received": 1, "key": b"A"}
    >>> record = SimpleNamespace(**at, payload=b'{"v":1, "events":[ {"a":1},2]}')
    >>> told = list(contents(record, framed=True))
    >>> told[1:], envelope_of(told[0]).payload(tuple(told[1:])) == record.payload
    ([b'{"a":1}', b'2'], True)
    """
    events, gaps = _pieces(record.payload, framed=framed)
    yield _encode(
        Envelope(
            record.cluster,
            record.topic,
            record.partition,
            record.offset,
            record.received,
            record.key.hex() if record.key is not None else None,
            tuple(each.hex() for each in gaps) if gaps is not None else None,
        )
    )
    yield from events


def envelope_of(content: bytes) -> Envelope:
    """Read an envelope's leaf.

    Raises:
        BadInput: it is none, or not written as one is.
    """
    return canonical_json.written(content, "an envelope", Envelope)


def _pieces(payload: bytes | None, *, framed: bool) -> tuple[list[bytes], list[bytes] | None]:
    if payload is None:
        return [], None
    try:
        events = [bytes(each) for each in _events.decode(payload).events] if framed else []
    except UNREAD:
        events = []
    gaps, at = [], 0
    for event in events:
        found = payload.index(event, at)
        gaps.append(payload[at:found])
        at = found + len(event)
    return events, [*gaps, payload[at:]]


def salt(secret: bytes, path: str, index: int) -> bytes:
    """Return the salt of a part's leaf.

    >>> one, two = (salt(b"secret", "days/2025-03-01/BAC-1.parquet", index) for index in (0, 1))
    >>> len(one), one == two
    (16, False)
    """
    return hmac.digest(secret, f"{path}#{index}".encode(), "sha256")[:SALT]


def salted(secret: bytes, path: str, contents: Iterator[bytes]) -> Iterator[bytes]:
    """Hash the leaves of a part, in order."""
    return (merkle_tree.leaf(content, salt(secret, path, index)) for index, content in enumerate(contents))
