"""Dates and times for people, in the house's locale: 03/01/2025, 8:39:43 PM, or 2025-03-01, 20:39:43.

What programs read stays ISO 8601.
"""

from datetime import date, datetime
from typing import Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from msgspec import Struct

from schemas.house import Locale

_NOON: Final = 12
_MINUTE: Final = 60_000_000  # microseconds
_HOUR, _DAY = 60, 24 * 60  # minutes
_Precision: TypeAlias = Literal["minutes", "seconds", "milliseconds"]


class _Choice(Struct):
    """Choice of the locale, of this process: it reads one property's house file."""

    locale: Locale = "us"


_CHOICE: Final = _Choice()


def use_locale(locale: Locale) -> None:
    """Write dates and times in a locale from now on, in this process."""
    _CHOICE.locale = locale


def locale_in_use() -> Locale:
    """Return the locale in which this process writes dates and times."""
    return _CHOICE.locale


def date_text(day: date | str) -> str:
    """Write a day, from a date or from its ISO form, in as many characters as every other day.

    >>> date_text(date(2025, 3, 1)), date_text("2026-11-26")
    ('03/01/2025', '11/26/2026')
    >>> use_locale("iso")
    >>> date_text(date(2025, 3, 1)), date_text("2026-11-26")
    ('2025-03-01', '2026-11-26')
    >>> use_locale("us")
    """
    form = "%Y-%m-%d" if _CHOICE.locale == "iso" else "%m/%d/%Y"
    return f"{date.fromisoformat(day) if isinstance(day, str) else day:{form}}"


def time_text(local: datetime, precision: _Precision = "seconds") -> str:
    """Write the time of day of a local time by a clock of twelve hours, or of 24 where the locale is ISO.

    >>> time_text(datetime(2025, 3, 1, 0, 5, 31)), time_text(datetime(2025, 3, 1, 12, 5, 31), "minutes")
    ('12:05:31 AM', '12:05 PM')
    >>> time_text(datetime(2025, 3, 1, 14, 5, 31, 7_900), "milliseconds")
    '2:05:31.007 PM'
    >>> use_locale("iso")
    >>> time_text(datetime(2025, 3, 1, 0, 5, 31)), time_text(datetime(2025, 3, 1, 14, 5, 31), "minutes")
    ('00:05:31', '14:05')
    >>> use_locale("us")
    """
    seconds = "" if precision == "minutes" else f":{local.second:02}"
    fraction = f".{local.microsecond // 1_000:03}" if precision == "milliseconds" else ""
    if _CHOICE.locale == "iso":
        return f"{local:%H:%M}{seconds}{fraction}"
    half = "AM" if local.hour < _NOON else "PM"
    return f"{local.hour % _NOON or _NOON}:{local.minute:02}{seconds}{fraction} {half}"


def clock(at: datetime, zone: str) -> str:
    """Write the time of day in the property's zone; where clocks show it twice, also which of the two it is.

    >>> from datetime import UTC
    >>> clock(datetime(2025, 3, 1, 20, 39, 43, tzinfo=UTC), "America/New_York")
    '3:39:43 PM'
    >>> [clock(datetime(2025, 11, 2, hour, 34, 38, tzinfo=UTC), "America/New_York") for hour in (4, 5, 6, 7)]
    ['12:34:38 AM', '1:34:38 AM EDT', '1:34:38 AM EST', '2:34:38 AM']
    """
    return _time(at, zone, "seconds")


def minute(at: datetime, zone: str) -> str:
    """Write the time of day to the minute, as `clock` does.

    >>> from datetime import UTC
    >>> minute(datetime(2025, 11, 2, 6, 34, 38, tzinfo=UTC), "America/New_York")
    '1:34 AM EST'
    """
    return _time(at, zone, "minutes")


def clock_to_milliseconds(at: datetime, zone: str) -> str:
    """Write the time of day of a device to the millisecond, as `clock` does.

    >>> from datetime import UTC
    >>> clock_to_milliseconds(datetime(2025, 3, 2, 1, 39, 43, 250_000, tzinfo=UTC), "America/New_York")
    '8:39:43.250 PM'
    """
    return _time(at, zone, "milliseconds")


def day_and_minute(at: datetime, zone: str) -> str:
    """Write day and time to the minute, as `clock` does.

    >>> from datetime import UTC
    >>> day_and_minute(datetime(2025, 11, 2, 6, 34, 38, tzinfo=UTC), "America/New_York")
    '11/02/2025 1:34 AM EST'
    """
    return f"{date_text(at.astimezone(ZoneInfo(zone)))} {_time(at, zone, 'minutes')}"


def day_and_milliseconds(at: datetime, zone: str) -> str:
    """Write day and time of a device to the millisecond, as `clock` does.

    >>> from datetime import UTC
    >>> day_and_milliseconds(datetime(2025, 3, 2, 1, 39, 43, 250_000, tzinfo=UTC), "America/New_York")
    '03/01/2025 8:39:43.250 PM'
    """
    return f"{date_text(at.astimezone(ZoneInfo(zone)))} {_time(at, zone, 'milliseconds')}"


def moment_text(at: datetime, zone: str, precision: _Precision = "seconds") -> str:
    """Write day, time and zone.

    >>> from datetime import UTC
    >>> moment_text(datetime(2025, 3, 2, 1, 39, 43, tzinfo=UTC), "America/New_York")
    '03/01/2025 8:39:43 PM EST'
    """
    local = at.astimezone(ZoneInfo(zone))
    return f"{date_text(local)} {time_text(local, precision)} {local:%Z}"


def zone_of(at: datetime, zone: str) -> str:
    """Write what the property's zone is called at a time.

    >>> from datetime import UTC
    >>> zone_of(datetime(2025, 3, 1, tzinfo=UTC), "America/New_York")
    'EST'
    """
    return f"{at.astimezone(ZoneInfo(zone)):%Z}"


def other_day(at: datetime, now: datetime, zone: str) -> str:
    """Write the day of a time that is not of today, for a place where the time of day alone would mislead.

    >>> from datetime import UTC
    >>> now = datetime(2025, 3, 2, 1, tzinfo=UTC)  # 20:00 of the first in New York
    >>> other_day(datetime(2025, 3, 1, 6, tzinfo=UTC), now, "America/New_York")
    ''
    >>> other_day(datetime(2025, 3, 2, 6, tzinfo=UTC), now, "America/New_York")
    '03/02/2025'
    """
    day = at.astimezone(ZoneInfo(zone)).date()
    return "" if day == now.astimezone(ZoneInfo(zone)).date() else date_text(day)


def _time(at: datetime, zone: str, precision: _Precision) -> str:
    """Write a time in the property's zone, and which zone that is where clocks show the time twice."""
    local = at.astimezone(ZoneInfo(zone))
    comes_twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    return f"{time_text(local, precision)}{f' {local:%Z}' if comes_twice else ''}"


def duration_text(micros: int) -> str:
    """Write how long something lasted, to the minute, the hour or the day.

    >>> minute = 60_000_000
    >>> [duration_text(each * minute) for each in (0, 59, 125, 50 * 60)]
    ['under 1 min', '59 min', '2 h 5 min', '2 days 2 h']
    """
    minutes = micros // _MINUTE
    hours, days = minutes // 60, minutes // _DAY
    if minutes < 1:
        return "under 1 min"
    if minutes < _HOUR:
        return f"{minutes} min"
    if days < 1:
        return f"{hours} h {minutes % 60} min"
    return f"{days} day{'s' if days > 1 else ''} {hours % 24} h"
