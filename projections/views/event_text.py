"""An event in words for a person: its kind, and whatever it tells."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from schemas.events import EventId, Reported
from schemas.surveillance import OperatorActed
from schemas.values import Person, dollars, in_words

_NOTHING_SAID: Final = "{}"
_UNTOLD: Final = frozenset({*Reported.__struct_fields__, "heard"})


def says(event: Reported) -> str:
    """Say an event in words: its kind, and whatever it tells.

    >>> from schemas.events import DealerAssigned, FillReceived
    >>> says(DealerAssigned(device="T-1", epoch=1, seq=2, at=0, dealer="D-7", calling=True))
    'dealer assigned: dealer D-7, calling'
    >>> says(FillReceived(device="T-1", epoch=1, seq=2, at=0, slip="F-1", cents=250_000))
    'fill received: slip F-1, $2,500.00'

    Of an operator's action that is who, what and to what, and what was said with it.
    """
    if isinstance(event, OperatorActed):
        done = event.action if event.subject is None else f"{event.action} {event.subject}"
        said = f", {event.details}" if event.details != _NOTHING_SAID else ""
        return f"{event.role} {event.who}: {done}{said}"
    told_of = ", ".join(_words(event))
    return f"{_named(type(event).__name__)}: {told_of}" if told_of else _named(type(event).__name__)


def _words(event: Any) -> Iterator[str]:
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if name in _UNTOLD or value is None or value is False or value in ((), {}):
            continue
        word = in_words(name)
        if name == "denominations":
            yield "chips " + " ".join(f"{count} x {dollars(cents)}" for cents, count in value.items())
        elif name.endswith("cents"):
            kind = word.removesuffix("cents").strip()
            yield f"{kind} {dollars(value)}".strip()
        else:
            told = in_words(value) if name == "wager" else _told(value)
            yield word if value is True else f"{word} {told}"


def _told(value: object) -> str:
    if isinstance(value, EventId):
        return f"{value.device} {value.epoch}/{value.seq}"
    if isinstance(value, Person):
        return f"{value.name} ({in_words(value.role)})"
    if isinstance(value, Reported):
        return f"({says(value)})"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={each}" for name, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(_told(each) for each in value)
    return str(value)


@cache
def _named(kind: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r" \1", kind).lower()
