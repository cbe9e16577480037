"""Bytes to frames and back, and what could not be read.

A frame is an ordered batch of one table's events with the gateway's time of receipt. It is read in one step;
only if that fails are its events read one by one, so that one bad event affects only itself. A field that the
schema does not have is dropped, and the event is valid without it: a device's new firmware blinds no table.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias, get_args

import msgspec
from msgspec import Raw, Struct

from schemas.errors import BadInput
from schemas.events import Event
from schemas.ledgers import LedgerEvent
from schemas.near_names import nearest_name, nearest_names
from schemas.surveillance import OperatorActed
from schemas.values import Micros, Name, Seq

VERSION: Final = 1

# What a frame may bring: a table's events, a ledger's entries, or what the surveillance room did.
AnyEvent: TypeAlias = Event | LedgerEvent | OperatorActed


class Frame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A batch of one table's events: schema version, table, the gateway's number and time of receipt.

    A ledger's entries and the surveillance room's actions come in frames too; `table` names them then.
    """

    v: int
    table: Name
    frame: Seq
    received: Micros
    events: list[AnyEvent]


class Unreadable(Struct, frozen=True):
    """An event that could not be read: its place, its number in its frame, why, and the text itself."""

    where: str
    event: int
    reason: str
    payload: str


class _Envelope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    v: int
    table: Name
    frame: Seq
    received: Micros
    events: list[Raw]


_frame: Final = msgspec.json.Decoder(Frame)
_event: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent)
_envelope: Final = msgspec.json.Decoder(_Envelope)
_encode: Final = msgspec.json.Encoder()

# What a payload can be at fault in: its form, its text, or nesting deeper than any event has.
UNREAD: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


# The fields of each event, by its name on the wire.
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    each.__struct_config__.tag: each.__struct_fields__ for each in get_args(AnyEvent)
}


def nearest_field(event: str, field: str) -> str | None:
    """Return the field of an event that may have been meant by one that it does not have.

    >>> nearest_field("CardDrawn", "hnad"), nearest_field("CardDrawn", "confidence")
    ('hand', None)
    """
    return nearest_name(field, _FIELDS.get(event, ()))


class ReadEvent(Struct, frozen=True):
    """An event, and the fields of it that the schema does not know; None and why where it cannot be read."""

    event: AnyEvent | None
    dropped: tuple[str, ...] = ()
    reason: str = ""


_UNKNOWN_FIELD: Final = re.compile(r"Object contains unknown field `(.*?)`(?: - at `\$(.*)`)?", re.DOTALL)
_UNKNOWN_EVENT: Final = re.compile(r"Invalid value '(.*)' - at `\$\.event`", re.DOTALL)
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]")
_MOST_DROPPED: Final = 64  # fields of one event


_AT_MOMENT: Final = "- at `$.at`"
_MOMENT_ASKED: Final = "; microseconds since 1970 are asked, such as 1740880415000000"


def read_event(text: bytes | Raw) -> ReadEvent:
    """Read one event as `decode` reads those of a frame.

    >>> text = b'{"event": "DeviceCameBack", "device": "T", "epoch": 1, "seq": 1, "at": 0, "back": "S"'
    >>> read_event(text + b', "led": 1}').dropped
    ('led',)
    """
    try:
        return ReadEvent(_event.decode(text))
    except msgspec.ValidationError as error:
        if (unknown := _UNKNOWN_EVENT.fullmatch(str(error))) is not None:
            return ReadEvent(
                None, reason=f"there is no event {unknown[1]!r}{nearest_names(unknown[1], _FIELDS)}"
            )
        if _UNKNOWN_FIELD.fullmatch(str(error)) is None:
            form_of_moment = _MOMENT_ASKED if str(error).endswith(_AT_MOMENT) else ""
            return ReadEvent(None, reason=f"{error}{form_of_moment}")
    except UNREAD as error:
        return ReadEvent(None, reason=str(error))
    return _without_unknown(msgspec.json.decode(text))


def _without_unknown(document: Any) -> ReadEvent:
    """Read an event's JSON without the fields that the schema does not know."""
    dropped: list[str] = []
    while True:
        try:
            event: AnyEvent = msgspec.convert(document, AnyEvent, str_keys=True)
        except msgspec.ValidationError as error:
            unknown = _UNKNOWN_FIELD.fullmatch(str(error))
            if unknown is None or len(dropped) == _MOST_DROPPED:
                return ReadEvent(None, reason=f"{error}; unknown fields: {', '.join(dropped)}")
            name, place = unknown[1], unknown[2] or ""
            holder = document
            for key, number in _STEP.findall(place):
                holder = holder[key] if key else holder[int(number)]
            del holder[name]
            dropped.append(f"{place}.{name}".removeprefix("."))
        else:
            return ReadEvent(event, tuple(dropped))


def encode(frame: Frame) -> bytes:
    """Write a frame as one line of JSON, without the line's end."""
    return _encode.encode(frame)


def decode(payload: bytes, where: str) -> tuple[Frame, list[Unreadable]]:
    """Read a frame; `where` names the place for messages (file and line, or topic, partition and offset).

    Unreadable events of a frame are returned separately from the frame with the others. Fields that the
    schema does not have are left out.

    Raises:
        BadInput: nothing of the frame could be read.
    """
    try:
        frame = _frame.decode(payload)
        if frame.v == VERSION:
            return frame, []
    except UNREAD:
        pass
    return _take_apart(payload, where)


def _take_apart(payload: bytes, where: str) -> tuple[Frame, list[Unreadable]]:
    try:
        _check_version(payload, where)
        envelope = _envelope.decode(payload)
    except UNREAD as error:
        raise BadInput(f"{where}: not a frame: {error}") from None
    events: list[AnyEvent] = []
    unread: list[Unreadable] = []
    for n, raw in enumerate(envelope.events, 1):
        read = read_event(raw)
        if read.event is not None:
            events.append(read.event)
        else:
            text = bytes(raw).decode(errors="replace")
            unread.append(Unreadable(f"{where}, event {n}", n, read.reason, text))
    frame = Frame(
        v=VERSION, table=envelope.table, frame=envelope.frame, received=envelope.received, events=events
    )
    return frame, unread


def _check_version(payload: bytes, where: str) -> None:
    version = msgspec.json.decode(payload, type=dict[str, Any]).get("v")
    if version != VERSION:
        raise BadInput(f"{where}: schema version {version!r} is unknown; this software reads {VERSION}")
