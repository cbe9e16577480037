"""A report line: what a device sends, read as far as its envelope and no farther."""

import codecs
import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from schemas.codec import UNREAD, VERSION
from schemas.errors import BadInput
from schemas.events import RoundClosed, RoundOpened
from schemas.values import Name
from streams.gateway.lines import LONGEST, Line


class Report(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Events of one table, in order, each as the bytes that came.

    A line from an archive carries a frame's number and receipt; they are another gateway's and are not kept.
    """

    table: Name
    events: list[Raw]
    v: int = VERSION
    frame: Raw | UnsetType = UNSET
    received: Raw | UnsetType = UNSET


class _Tag(Struct, frozen=True):
    event: Any = None


class _Reporter(Struct, frozen=True):
    device: str
    epoch: int
    seq: int


_report: Final = msgspec.json.Decoder(Report)
_tag: Final = msgspec.json.Decoder(_Tag)
_reporter: Final = msgspec.json.Decoder(_Reporter)
_OPENED: Final = RoundOpened.__name__
CLOSED: Final = RoundClosed.__name__
_HTTP: Final = re.compile(rb"[A-Z]+ \S+ HTTP/\d")
_TURNS: Final = (_OPENED.encode(), CLOSED.encode())


def read(line: Line) -> Report:
    """Read a line's envelope; its events stay as they are, readable or not.

    Raises:
        BadInput: it is no report line: the reason.
    """
    if not line.is_whole:
        raise BadInput(f"longer than {LONGEST} bytes")
    if _HTTP.match(line.text):
        raise BadInput("HTTP is spoken to the port for report lines; the console has another address")
    text = line.text.removeprefix(codecs.BOM_UTF8) if line.number == 1 else line.text
    try:
        text.decode()
        return _report.decode(text)
    except UNREAD as error:
        raise BadInput(str(error)) from None


def turns(events: Iterable[Raw]) -> list[str]:
    """Return in order which of the events opened a round, and which closed one, by their kind.

    >>> turns([Raw(b'{"event": "RoundClosed"}'), Raw(b'{"event": "RoundOpened"}')])
    ['RoundClosed', 'RoundOpened']
    >>> turns([Raw(b'{"event": "Xyz", "round": "RoundClosed"}'), Raw(b"[]")])
    []
    """
    kinds = (_kind(event) for event in events if any(word in bytes(event) for word in _TURNS))
    return [kind for kind in kinds if kind in (_OPENED, CLOSED)]


def reporters(events: Iterable[Raw]) -> dict[str, list[int]]:
    """Return the first and last number of each device and epoch: how an event leads to its frame.

    What does not say who reported it is passed over.

    >>> reporters([Raw(b'{"device": "S-1", "epoch": 1, "seq": 7}'), Raw(b"{}")])
    {'S-1/1': [7, 7]}
    """
    found: dict[str, list[int]] = {}
    for event in events:
        try:
            who = _reporter.decode(event)
        except UNREAD:
            continue
        numbers = found.setdefault(f"{who.device}/{who.epoch}", [who.seq, who.seq])
        numbers[:] = min(numbers[0], who.seq), max(numbers[1], who.seq)
    return found


def _kind(event: Raw) -> Any:
    try:
        return _tag.decode(event).event
    except UNREAD:
        return None
