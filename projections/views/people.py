"""The people whom a record names, by its types: fields that hold a person, and arguments of facts."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final

from msgspec import Struct

from projections.engine.accounts.account_lines import OF_FLOORPERSONS, OF_PATRONS
from projections.engine.conclusion import Line
from projections.engine.facts import Arg, Fact, HandRef, PatronRef, StaffRef, WagerRef, leaves
from projections.engine.observation import is_name
from schemas.values import Person

# Fields that hold one person or several, and their roles.
PEOPLE: Final[Mapping[str, str]] = {
    "patron": "patron",
    "bettor": "patron",
    "people": "patron",
    "dealer": "dealer",
    "dealers": "dealer",
    "calling": "dealer",
    "floorperson": "floorperson",
    "supervisor": "floorperson",
    "caller": "caller",
    "ruled_by": "person",
}
BETTORS: Final = ("bettor", "patron")  # where several bet at a seat, a letter may stand for each
# Types of values that name nobody, wherever they stand.
_NAMELESS: Final = frozenset({int, bool, float, date, datetime, type(None)})
# A place of somebody at a seat where several bet: `seat2/anna`, `2.1/anna`.
AT_SEAT: Final = re.compile(r"((?:seat)?\d+(?:\.\w+)?/)(.+)", re.DOTALL)


def named_people(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield every person that a field of a record names, and as what."""
    match value:
        case str() if field in BETTORS and not is_name(value):
            return
        case str() if field in PEOPLE:
            yield value, PEOPLE[field]
        case str() if value.startswith("seat"):
            yield from _at_seat(value)
        case Fact():
            for each in leaves(value):
                yield from _named_by(each)
        case Person():
            yield value.name, value.role
        case Line(of=str(patron)) if value.name in OF_PATRONS:
            yield patron, "patron"
        case Line(of=str(floorperson)) if value.name in OF_FLOORPERSONS:
            yield floorperson, "floorperson"
        case _:
            for name, each in parts_of(value, field):
                yield from named_people(each, name)


def _named_by(arg: Arg) -> Iterator[tuple[str, str]]:
    """Yield the person whom an argument of a fact names, and as what."""
    match arg:
        case PatronRef(name):
            yield name, "patron"
        case StaffRef(name, role):
            yield name, role or "person"
        case HandRef(hand):
            yield from _at_seat(hand)
        case WagerRef(_, bettor, _, hand):
            yield from _bettor(bettor or "")
            yield from _at_seat(hand or "")


def _at_seat(hand: str) -> Iterator[tuple[str, str]]:
    if (found := AT_SEAT.fullmatch(hand)) is not None:
        yield from _bettor(found[2])


def _bettor(value: str) -> Iterator[tuple[str, str]]:
    if is_name(value):
        yield value, "patron"


def parts_of(value: Any, field: str) -> Iterable[tuple[str, Any]]:
    """Return what a value is made of, each part with the field that it stands in.

    Parts of a record that cannot name anybody are left out.
    """
    match value:
        case Struct():
            fields = ((name, getattr(value, name)) for name in value.__struct_fields__)
            return [(name, each) for name, each in fields if type(each) not in _NAMELESS]
        case dict():
            return [(str(key), each) for key, each in value.items()]
        case list() | tuple():
            return [(field, each) for each in value]
    return []
