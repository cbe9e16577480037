"""Earlier days' reports: what month and year have come to, and a table's usual hold."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from fractions import Fraction
from math import isqrt
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from replay.exports.report.folder import made_from
from schemas.errors import BadInput

WIN: Final = "win_by_table"
_FINE: Final = 10**6  # to what part of a whole a spread is told
_YEAR: Final = 366  # days back from which a table's usual hold is taken


class Money(Struct, frozen=True):
    """A table's drop and win of one day, cents; the win is None where no count told it."""

    table: str
    chapter: str
    drop_cents: int
    win_cents: int | None


class _Rows(Struct):
    rows: list[Money]


class Usual(Struct, frozen=True):
    """A table's hold on earlier days: of how many, the mean, and the standard deviation of a day from it."""

    days: int
    mean: Fraction
    spread: Fraction | None


class Earlier:
    """What the folders of earlier days in a folder of reports say, newest day last."""

    def __init__(self, days: Mapping[date, list[Money]], day: date) -> None:
        self.days, self.day = days, day

    def to_date(self, *, year: bool) -> list[Money]:
        """Return every table's days since the month or the year began, without this day."""
        since = self.day.replace(day=1, month=1 if year else self.day.month)
        return [each for day, found in self.days.items() if since <= day for each in found]

    def missing(self, *, year: bool) -> list[str]:
        """Return the days since the month or the year began of which there is no report."""
        since = self.day.replace(day=1, month=1 if year else self.day.month)
        days = (since + timedelta(days=n) for n in range((self.day - since).days))
        return list(spans(day for day in days if day not in self.days))

    def usual(self, table: str) -> Usual | None:
        """Return a table's usual hold; None where no earlier day tells one."""
        holds = [
            Fraction(each.win_cents, each.drop_cents)
            for found in self.days.values()
            for each in found
            if each.table == table and each.win_cents is not None and each.drop_cents
        ]
        if not holds:
            return None
        mean = sum(holds, Fraction()) / len(holds)
        if len(holds) == 1:
            return Usual(1, mean, None)
        variance = sum(((each - mean) ** 2 for each in holds), Fraction()) / (len(holds) - 1)
        return Usual(len(holds), mean, Fraction(isqrt(int(variance * _FINE**2)), _FINE))


def read(out: Path, day: date, archive: str) -> Earlier:
    """Read the reports of the year before a day that were made from an archive.

    Raises:
        BadInput: the report of a day is there and cannot be read.
    """
    found: dict[date, list[Money]] = {}
    for file in sorted(out.glob(f"????-??-??/{WIN}.json")):
        try:
            of = date.fromisoformat(file.parent.name)
        except ValueError:
            continue
        if day - timedelta(days=_YEAR) <= of < day and made_from(file.parent) == archive:
            try:
                found[of] = msgspec.json.decode(file.read_bytes(), type=_Rows).rows
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadInput(
                    f"{file}: not the report of a day: {error}; run nightly for that day again"
                ) from None
    return Earlier(found, day)


def spans(days: Iterable[date]) -> Iterator[str]:
    """Name days that follow one another together.

    >>> list(spans([date(2025, 1, 1), date(2025, 1, 2), date(2025, 1, 4)]))
    ['2025-01-01 to 2025-01-02', '2025-01-04']
    """
    run: list[date] = []
    for day in [*days, date.max]:
        if run and day != run[-1] + timedelta(days=1):
            yield str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}"
            run = []
        run.append(day)
