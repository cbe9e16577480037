"""Times as the store has them, which are UTC and say no zone, and as everything else has them."""

from datetime import UTC, datetime
from typing import overload

from schemas.values import Micros, microseconds, moment


@overload
def utc(stored: datetime) -> datetime: ...
@overload
def utc(stored: datetime | None) -> datetime | None: ...
def utc(stored: datetime | None) -> datetime | None:
    """Read a time of the store, if there is one.

    >>> utc(datetime(2025, 3, 1, 20, 0)).isoformat()
    '2025-03-01T20:00:00+00:00'
    """
    return stored.replace(tzinfo=UTC) if stored is not None else None


@overload
def micros(stored: datetime) -> Micros: ...
@overload
def micros(stored: datetime | None) -> Micros | None: ...
def micros(stored: datetime | None) -> Micros | None:
    """Read a time of the store, if there is one, in microseconds UTC.

    >>> micros(datetime(1970, 1, 1, 0, 0, 1))
    1000000
    """
    return microseconds(stored.replace(tzinfo=UTC)) if stored is not None else None


def as_stored(at: datetime | Micros) -> datetime:
    """Return a time as the store has it; a number is microseconds UTC.

    >>> as_stored(1_000_000)
    datetime.datetime(1970, 1, 1, 0, 0, 1)
    """
    known = at if isinstance(at, datetime) else moment(at)
    return known.astimezone(UTC).replace(tzinfo=None)
