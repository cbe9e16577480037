"""Sessions of a floor: its gaming days, and from when to when tables are open on each."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from schemas.values import microseconds, moment
from streams.simulator.plan import GAMING_DAY_STARTS, ZONE

# The rates of `faults.rates` on each gaming day that is played.
Daily = Mapping[date, dict[str, float]]

_ZONE: Final = ZoneInfo(ZONE)
_DAY: Final = timedelta(days=1)
_COUNT: Final = timedelta(
    minutes=90
)  # before a gaming day's end: by then tables close, and the boxes are counted
_LEAST: Final = timedelta(minutes=15)  # no table is opened for less, unless less was asked for


class Session(Struct, frozen=True):
    """The play of one gaming day: its date, from when to when tables play, and when the gaming day is over.

    Moments in microseconds UTC.
    """

    day: date
    first: int
    last: int
    ends: int


def sessions(start: datetime, hours: float, days: int = 1) -> Iterator[Session]:
    """Part the time to play into gaming days; on several days as much is played on each, from the same hour.

    A day's play ends at the latest ninety minutes before the gaming day does. What one day does not hold of
    the hours is played from the beginning of the next, where only one day was asked for.

    >>> begun = datetime(2025, 3, 1, 23, tzinfo=ZoneInfo(ZONE))
    >>> [(str(each.day), (each.last - each.first) // 60_000_000) for each in sessions(begun, 8)]
    [('2025-03-01', 330), ('2025-03-02', 150)]
    >>> [(str(each.day), (each.last - each.first) // 60_000_000) for each in sessions(begun, 24, days=2)]
    [('2025-03-01', 330), ('2025-03-02', 330)]
    """
    for number in range(days):
        # On the clock of the property, whatever its changes.
        begin = (start.astimezone(_ZONE).replace(tzinfo=None) + number * _DAY).replace(tzinfo=_ZONE)
        yield from _of_one(begin.astimezone(UTC), timedelta(hours=hours), only=days == 1)


def _of_one(begin: datetime, left: timedelta, *, only: bool) -> Iterator[Session]:
    least = min(_LEAST, left)
    while left > timedelta():
        day, ends = _gaming_day(begin)
        last = min(begin + left, ends - _COUNT)
        if last - begin >= least:
            yield Session(day, microseconds(begin), microseconds(last), microseconds(ends))
            left -= last - begin
            least = min(least, left)
        if not only:
            return
        begin = ends


def _gaming_day(moment: datetime) -> tuple[date, datetime]:
    """Return the gaming date of a moment, and when that gaming day is over."""
    day = (moment.astimezone(_ZONE).replace(tzinfo=None) - timedelta(hours=GAMING_DAY_STARTS)).date()
    ends = datetime.combine(day + _DAY, time(GAMING_DAY_STARTS), _ZONE)
    return day, ends.astimezone(UTC)


def gaming_date(at: int) -> date:
    """Return the gaming date of a moment in microseconds UTC: the day on which its gaming day began."""
    return _gaming_day(moment(at))[0]
