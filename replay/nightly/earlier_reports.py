"""Earlier days' reports: what month and year have come to, and a table's usual hold."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta
from fractions import Fraction
from math import isqrt
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from replay.exports.report.folder import made_from
from schemas.errors import BadInput

WIN: Final = "win_by_table"
# The reports whose rows of a day are added up over days, by the place that each has in a day's folder.
FAIRNESS: Final = "fairness"
PACE_AND_WIN: Final = "pace_and_win"
FAIRNESS_BY_PERSON: Final = "fairness_by_person"
PACE_AND_WIN_BY_PERSON: Final = "pace_and_win_by_person"
_ADDED_UP: Final[Mapping[str, str]] = {
    FAIRNESS: FAIRNESS,
    PACE_AND_WIN: PACE_AND_WIN,
    FAIRNESS_BY_PERSON: f"surveillance_supervisor/{FAIRNESS_BY_PERSON}",
    PACE_AND_WIN_BY_PERSON: f"surveillance_supervisor/{PACE_AND_WIN_BY_PERSON}",
}
_FINE: Final = 10**6  # to what part of a whole a spread is given
_YEAR: Final = 366  # days back from which a table's usual hold is taken

_R = TypeVar("_R")


class Money(Struct, frozen=True):
    """A table's drop and win of one day, cents; the win is None if no count showed it."""

    table: str
    chapter: str
    drop_cents: int
    win_cents: int | None


class _Rows(Struct):
    rows: list[Money]


class DayRow(Struct, frozen=True):
    """A row of a day's report: its cells by column, and the keys of the conclusions that it is about."""

    cells: Mapping[str, Any]
    keys: tuple[str, ...]


class _KeyedRows(Struct):
    rows: list[dict[str, Any]]
    row_keys: list[tuple[str, ...]]

    def of_the_day(self) -> list[DayRow]:
        rows = (DayRow(*each) for each in zip(self.rows, self.row_keys, strict=True))
        return [each for each in rows if each.cells["period"] == "day"]


class Usual(Struct, frozen=True):
    """A table's hold on earlier days: of how many, the mean, and the standard deviation of a day from it."""

    days: int
    mean: Fraction
    spread: Fraction | None


class Earlier:
    """Contents of earlier days' folders in a folder of reports, newest day last.

    `rows` has the rows of a day of each report that is added up over days.
    """

    reports: Final = (WIN, *_ADDED_UP)

    def __init__(
        self,
        days: Mapping[date, list[Money]],
        day: date,
        rows: Mapping[str, Mapping[date, list[DayRow]]] | None = None,
    ) -> None:
        self.days, self.day, self._rows = days, day, rows or {}

    def to_date(self, *, year: bool) -> list[Money]:
        """Return every table's days since the month or the year began, without this day."""
        since = self._since(year=year)
        return [each for day, found in self.days.items() if since <= day for each in found]

    def rows_to_date(self, report: str, *, year: bool) -> list[DayRow]:
        """Return a report's rows of the days since the month or the year began, without this day."""
        since = self._since(year=year)
        return [each for day, found in self._rows.get(report, {}).items() if since <= day for each in found]

    def missing(self, report: str, *, year: bool) -> list[str]:
        """Return the days since the month or the year began that have no such report."""
        reported: Collection[date] = self.days if report == WIN else self._rows.get(report, {})
        since = self._since(year=year)
        days = (since + timedelta(days=n) for n in range((self.day - since).days))
        return list(spans(day for day in days if day not in reported))

    def _since(self, *, year: bool) -> date:
        return self.day.replace(day=1, month=1 if year else self.day.month)

    def usual(self, table: str) -> Usual | None:
        """Return a table's usual hold; None if no earlier day shows one."""
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
    rows: dict[str, dict[date, list[DayRow]]] = {name: {} for name in _ADDED_UP}
    for file in sorted(out.glob(f"????-??-??/{WIN}.json")):
        try:
            of = date.fromisoformat(file.parent.name)
        except ValueError:
            continue
        if day - timedelta(days=_YEAR) <= of < day and made_from(file.parent) == archive:
            found[of] = _decoded(file, _Rows).rows
            for name, place in _ADDED_UP.items():
                if (report := file.parent / f"{place}.json").is_file():  # an older version made none
                    rows[name][of] = _decoded(report, _KeyedRows).of_the_day()
    return Earlier(found, day, rows)


def _decoded(file: Path, kind: type[_R]) -> _R:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: not the report of a day: {error}; run nightly for that day again") from None


def spans(days: Iterable[date]) -> Iterator[str]:
    """Join days that follow one another into spans.

    >>> list(spans([date(2025, 1, 1), date(2025, 1, 2), date(2025, 1, 4)]))
    ['2025-01-01 to 2025-01-02', '2025-01-04']
    """
    run: list[date] = []
    for day in [*days, date.max]:
        if run and day != run[-1] + timedelta(days=1):
            yield str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}"
            run = []
        run.append(day)
