"""Months and quarters of the calendar, in which coupons are kept, counted and reported."""

import calendar
from collections.abc import Iterator
from datetime import MAXYEAR, date, timedelta


def months_after(day: date, months: int) -> date:
    """Return the same day of a later month, or that month's last; at the calendar's end its last day.

    >>> months_after(date(2013, 8, 31), 6), months_after(date(2013, 10, 2), 6)
    (datetime.date(2014, 2, 28), datetime.date(2014, 4, 2))
    """
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    if year > MAXYEAR:
        return date.max
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def month_ends(first: date, last: date) -> Iterator[date]:
    """Yield the last days of the months that were over between two days.

    >>> [str(day) for day in month_ends(date(2013, 10, 30), date(2013, 12, 1))]
    ['2013-10-31', '2013-11-30']
    """
    begins = first.replace(day=1)
    while (begins := months_after(begins, 1)) <= last:
        yield begins - timedelta(days=1)


def quarter_of(day: date) -> str:
    """Return a day's quarter.

    >>> quarter_of(date(2013, 10, 1)), quarter_of(date(2014, 3, 31))
    ('2013Q4', '2014Q1')
    """
    return f"{day.year}Q{(day.month + 2) // 3}"


def quarter_ends(quarter: str) -> date:
    """Return the first day that is no longer in a quarter.

    >>> quarter_ends("2013Q4")
    datetime.date(2014, 1, 1)
    """
    year, _, number = quarter.partition("Q")
    return months_after(date(int(year), 1, 1), 3 * int(number))
