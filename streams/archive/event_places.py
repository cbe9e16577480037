"""Where the events of a part stand: each with its leaf and that of its envelope."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

from projections.evidence.bundle_events import Placed
from projections.evidence.part_leaves import contents
from schemas.codec import Frame, decode, encode
from schemas.errors import BadInput
from schemas.events import SOURCE_OF, Event
from streams.archive.record_names import Kept


def placed(records: Iterable[Kept], part: str, table: str) -> Iterator[Placed]:
    """Yield the events of a table's frames with their leaves; what cannot be read is of no hand."""
    index = 0
    for record in records:
        envelope = index
        pieces = list(contents(record, framed=True))
        index += len(pieces)
        if record.key != table.encode():
            continue
        try:
            frame, unread = decode(record.payload or b"", part)
        except BadInput:
            continue
        if frame.table != table:
            continue
        plain = _is_plain(frame, record.payload or b"")
        bad = {each.event for each in unread}
        places = (envelope + place for place in range(1, len(pieces)) if place not in bad)
        for at, event in zip(places, frame.events, strict=True):
            if type(event) in SOURCE_OF:
                yield Placed(part, at, envelope, cast("Event", event), plain)


def _is_plain(frame: Frame, payload: bytes) -> bool:
    """Return True if a payload says nothing beside its frame: no object in it has a name twice."""
    if encode(frame) == payload:
        return True
    try:
        json.loads(payload, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return False
    return True


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        raise ValueError("a name stands twice")
    return told
