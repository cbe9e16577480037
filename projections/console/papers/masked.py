"""What is written down of a dispute, masked: a role that was typed before a name is not said twice."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from projections.console.access.masking import Masking

_T = TypeVar("_T", bound=Struct)

# A mask says its role; where the same role was typed before the name, that one stands.
_TWICE: Final = re.compile(r"\b(\w+) \1(?= ·[0-9a-f]{6}\b)", re.IGNORECASE)


def masked(masking: Masking, told: _T, subjects: Iterable[str], names: Mapping[str, str]) -> _T:
    """Mask the names in what is told, `names` by their roles, unless one of its `subjects` is unmasked.

    >>> class Said(Struct):
    ...     patron: str
    ...     claim: str
    >>> said = masked(Masking(b"a key"), Said("anna", "Patron anna says; anna won"), [], {})
    >>> mask = said.patron.removeprefix("patron ")
    >>> said.claim == f"Patron {mask} says; patron {mask} won"
    True
    """
    return cast("_T", _once(masking.masked(told, subjects, names)))


def _once(told: Any) -> Any:
    match told:
        case str():
            return _TWICE.sub(r"\1", told)
        case Struct():
            return replace(told, **{name: _once(getattr(told, name)) for name in told.__struct_fields__})
        case list() | tuple():
            return type(told)(map(_once, told))
    return told
