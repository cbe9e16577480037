"""What is typed to go somewhere, taken apart: a table, a gaming date, a time of day, another word."""

import re
from datetime import date, time
from typing import Final

from msgspec import Struct

from schemas.values import YEARS

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_TIME: Final = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)(?:[:.]([0-5]\d))?")


class Typed(Struct, frozen=True):
    """What was typed, taken apart: a table's name, a gaming date, a time of day, and one other word.

    `lasts` is for how many seconds the time of day is meant: a minute, where no second was typed.
    """

    table: str | None = None
    day: date | None = None
    at: time | None = None
    lasts: int = 0
    word: str | None = None


def read(typed: str, tables: list[str]) -> Typed | None:
    """Take apart what was typed; `tables` are those that there are. None where it is not to be understood.

    >>> read("bac-104 88", ["BAC-101", "BAC-104"])
    Typed(table='BAC-104', day=None, at=None, lasts=0, word='88')
    >>> read("BAC-104 2026-11-22 21:14", ["BAC-104"])
    Typed(table='BAC-104', day=datetime.date(2026, 11, 22), at=datetime.time(21, 14), lasts=60, word=None)
    >>> read("one two three", ["BAC-104"]) is None
    True
    """
    named = next((table for table in sorted(tables, key=len, reverse=True) if _begins(typed, table)), None)
    rest = typed[len(named) :] if named is not None else typed
    days: list[date] = []
    times: list[time] = []
    lasts = 0
    words: list[str] = []
    for word in rest.split():
        if (day := _day(word)) is not None:
            days.append(day)
        elif (found := _TIME.fullmatch(word)) is not None:
            hour, minute, second = (int(each or 0) for each in found.groups())
            times.append(time(hour, minute, second))
            lasts = 0 if found[3] else 60
        else:
            words.append(word)
    if max(len(days), len(times), len(words)) > 1 or (times and words):
        return None
    return Typed(named, next(iter(days), None), next(iter(times), None), lasts, next(iter(words), None))


def _begins(typed: str, table: str) -> bool:
    return f"{typed} ".casefold().startswith(f"{table} ".casefold())


def _day(word: str) -> date | None:
    try:
        day = date.fromisoformat(word) if _DATE.fullmatch(word) else None
    except ValueError:  # such as 30 February
        return None
    return day if day is not None and day.year in YEARS else None
