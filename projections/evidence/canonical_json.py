"""The forms of a checkpoint's and a bundle's statements, and JSON that every parser reads the same."""

import json
from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from schemas.errors import BadInput

_T = TypeVar("_T")
_MOST: Final = 2**63 - 1

Count: TypeAlias = Annotated[int, Meta(ge=0, le=_MOST)]
Sum: TypeAlias = Annotated[int, Meta(ge=-_MOST, le=_MOST)]
Hash: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Random: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
Hexadecimal: TypeAlias = Annotated[str, Meta(pattern=r"\A([0-9a-f]{2})*\Z")]
Provision: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9A-Za-z.()]{1,40}\Z")]
Moment: TypeAlias = Annotated[datetime, Meta(tz=True)]


def parse_canonical(text: bytes, where: str) -> Any:
    """Parse JSON that every parser reads the same: no name twice in an object, no infinite number.

    >>> parse_canonical(b'{"a":1}', "here")
    {'a': 1}
    >>> parse_canonical(b'{"a":1,"a":2}', "here")
    Traceback (most recent call last):
    schemas.errors.BadInput: here: cannot be read: an object in it says 'a' twice

    Raises:
        BadInput: it is not such JSON.
    """
    try:
        parsed = json.loads(text.decode(), object_pairs_hook=_once)
        json.dumps(parsed, ensure_ascii=False, allow_nan=False).encode()  # half characters cannot be
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where}: cannot be read: {error}") from None
    return parsed


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"an object in it says {name!r} twice")
        fields[name] = value
    return fields


def decoded(text: bytes, where: str, kind: type[_T]) -> _T:
    """Parse JSON of a form that may contain more than is read of it.

    Raises:
        BadInput: it is invalid, or not of that form.
    """
    parse_canonical(text, where)
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{where}: cannot be read: {error}") from None


def written(text: bytes, where: str, kind: type[_T]) -> _T:
    """Read JSON of our own, which is written in one way only.

    Raises:
        BadInput: it is none, not of that form, or written in another way.
    """
    value = decoded(text, where, kind)
    if msgspec.json.encode(value) != text:
        raise BadInput(f"{where}: is not written in the one way: without spaces, its names in their order")
    return value


def whole_second(moment: datetime, where: str) -> None:
    """Verify that a moment is in UTC and whole seconds.

    >>> whole_second(datetime(2025, 3, 1, 12, 0, 0, 1, UTC), "here")
    Traceback (most recent call last):
    schemas.errors.BadInput: here: a moment is not told in whole seconds, UTC

    Raises:
        BadInput: it is not.
    """
    if moment.tzinfo != UTC or moment.microsecond:
        raise BadInput(f"{where}: a moment is not told in whole seconds, UTC")
