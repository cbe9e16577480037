"""The times that an investigator asks for: with their day, or as times of a gaming day named beside."""

from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from schemas.errors import BadInput
from schemas.house import House
from schemas.values import microseconds

MINUTES: Final = 5  # to either side of a moment, where it is not said how many
_MINUTE: Final = 60_000_000


def span(
    house: House,
    days: tuple[date, ...],
    since: str | None,
    until: str | None,
    around: str | None,
    minutes: int | None,
) -> tuple[int | None, int | None]:
    """Return what was asked for as microseconds UTC, from the one on and before the other; None is no end.

    Raises:
        BadInput: a time is none, nothing lies between them, or minutes have no time to be around.
    """
    if around is None and minutes is not None:
        raise BadInput("--minutes goes with --around TIME; a span of time is --from TIME --to TIME")
    # Where clocks are put back an hour comes twice: from its first coming on, and up to its second.
    first = _moment("--from", since, house, days, fold=0)
    last = _moment("--to", until, house, days, fold=1, ends=True)
    if first is not None and last is not None and last <= first:
        raise BadInput(f"--to {until!r} is not after --from {since!r}; --to is where it ends")
    begins, ends = (_moment("--around", around, house, days, fold=fold) for fold in (0, 1))
    if begins is None or ends is None:
        return first, last
    near = (MINUTES if minutes is None else minutes) * _MINUTE
    first = max(first or 0, begins - near)
    last = ends + near + 1 if last is None else min(last, ends + near + 1)
    if last <= first:
        raise BadInput(f"nothing of --around {around!r} lies between --from and --to")
    return first, last


def _moment(
    option: str, text: str | None, house: House, days: tuple[date, ...], *, fold: int, ends: bool = False
) -> int | None:
    """Read a moment, in the property's zone unless it has an offset, as microseconds UTC.

    >>> own = House(house="doctest")
    >>> _moment("--from", "2025-03-01T16:14", own, (), fold=0)
    1740863640000000
    >>> _moment("--from", "2025-03-01T16:14Z", own, (), fold=0)
    1740845640000000
    >>> _moment("--from", "16:14", own, (date(2025, 3, 1),), fold=0)
    1740863640000000

    Raises:
        BadInput: it is none.
    """
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
        zoned = read if read.tzinfo is not None else read.replace(tzinfo=ZoneInfo(house.zone), fold=fold)
        return max(microseconds(zoned), 0)
    except (ValueError, OverflowError):
        bare = _bare(text)
    if bare is not None and len(days) == 1:
        return _of_day(bare.replace(fold=fold), days[0], house, ends=ends)
    raise BadInput(
        f"{option} {text!r} is no time; write 2025-03-01T21:14, -05:00 or Z after it, or 21:14 beside one "
        "--gaming-day 2025-03-01"
    )


def _bare(text: str) -> time | None:
    try:
        return time.fromisoformat(text)
    except ValueError:
        return None


def _of_day(bare: time, day: date, house: House, *, ends: bool) -> int:
    """Find the time of a gaming day, which may be after midnight; one that `ends` a span may be its last.

    >>> from schemas.values import moment
    >>> own = House(house="doctest")  # its gaming day begins at six
    >>> [moment(_of_day(time(hour), date(2025, 3, 1), own, ends=ends)).day
    ...     for hour, ends in ((7, False), (5, False), (6, False), (6, True))]
    [1, 2, 1, 2]
    """
    begins, over = house.bounds(day)
    zone = bare.tzinfo or ZoneInfo(house.zone)
    for each in (day - timedelta(days=1), day, day + timedelta(days=1)):
        at = microseconds(datetime.combine(each, bare, zone))
        if begins < at <= over if ends else begins <= at < over:
            return at
    return over if ends else begins  # an hour that clocks leave out just there
