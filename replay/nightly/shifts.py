"""The shifts of a gaming day, by the hours at which the house says that they begin."""

from bisect import bisect_right
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from replay.nightly.gaming_days import Day
from schemas.house import House
from schemas.values import microseconds


class Shifts:
    """The shifts of one day in order; a house that names none has one, the day.

    >>> from datetime import date
    >>> from replay.nightly.gaming_days import day_of
    >>> house = House(house="doctest", shifts=["04:00", "12:00", "20:00"])
    >>> day = day_of(house, date(2025, 3, 1))
    >>> shifts = Shifts(house, day)
    >>> shifts.names, shifts.number(day.begins), shifts.number(day.ends - 1)
    (['04:00', '12:00', '20:00', '04:00'], 0, 3)
    """

    def __init__(self, house: House, day: Day) -> None:
        zone = ZoneInfo(house.zone)
        begins = {
            microseconds(datetime.combine(on, time.fromisoformat(hour), zone)): hour
            for on in (day.date, day.date + timedelta(days=1))
            for hour in house.shifts
        }
        within = sorted(at for at in begins if day.begins < at < day.ends)
        first = begins.get(day.begins, _before(house, begins[within[0]]) if within else "")
        self.starts = within
        self.names = [first, *(begins[at] for at in within)]

    def number(self, at: int) -> int:
        """Return the number of the shift of a moment of the day, from 0."""
        return bisect_right(self.starts, at)


def _before(house: House, hour: str) -> str:
    """Return the hour at which the shift before begins."""
    hours = sorted(house.shifts)
    return hours[hours.index(hour) - 1]
