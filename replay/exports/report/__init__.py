"""Reports: exact values in named columns, and what they were made from.

A report is the same whenever it is made from the same events: it has no time of its own, but names the
gaming day and the last receipt that the archive held. `writers` and `pages` give it its forms, `folder` has
all of a day.
"""

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from replay.lists.columns import Cell, Column, Kind
from schemas.values import Micros

Role: TypeAlias = Literal["finance", "surveillance_supervisor"]

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_TAKEN: Final = frozenset({"index", "manifest"})  # files of a folder that are no report's
_TYPES: Final[dict[Kind, tuple[type, ...]]] = {
    "text": (str,),
    "words": (list,),
    "time": (str,),
    "number": (int,),
    "whole": (int,),
    "cents": (int,),
    "fraction": (Fraction, int),
    "percent": (Fraction, int),
    "date": (date,),
    "moment": (int,),
}
_FIGURES: Final[frozenset[Kind]] = frozenset({"whole", "cents", "fraction", "percent"})


class Period(Struct, frozen=True):
    """The gaming days that a report is about, the last included, and the moments of their bounds."""

    first: date
    last: date
    begins: Micros
    ends: Micros


class Origin(Struct, frozen=True):
    """Source of a report, and when in its time: the gaming day that was closed, its last receipt.

    `archive` identifies the archive by a unique word.
    """

    gaming_day: date
    received: Micros | None
    archive: str


class About(Struct, frozen=True):
    """Provenance of a report, which every form of it states: what it was made with and from.

    `rulebooks` are digests of the rulebooks that the rounds were judged by, `filters` what narrows the
    report, in words, and `zone` the property's time zone.
    """

    software: str
    rulebooks: tuple[str, ...]
    filters: tuple[str, ...]
    period: Period
    made: Origin
    zone: str


class Bars(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="bars"):
    """A bar a row: the column that names it, and the column of figures that is its length.

    Bars of one name have the cell of the column `namesakes` behind it.
    """

    names: str
    values: str
    namesakes: str | None = None


class Line(Struct, frozen=True, tag_field="kind", tag="line"):
    """A figure over days with its interval; the columns of the date, the figure, and the interval's ends."""

    days: str
    values: str
    low: str
    high: str


class Histogram(Struct, frozen=True, tag_field="kind", tag="histogram"):
    """Counts of each class, side by side in the order of the rows: the columns of class and count."""

    classes: str
    counts: str


Plot: TypeAlias = Bars | Line | Histogram


class Report(Struct, frozen=True):
    """A report; `name` is its file's name without the ending.

    `total` has a cell for each column, and is separate from the rows. `restricted` is the only role that may
    read it; such a report has a folder of its own. `plot` shows columns of the report itself. `row_keys` has
    for each row the keys of the conclusions that it is about, as a store has them, so that they need not be
    read out of its cells; None if a row is about no single ones. `people` are the patrons and the staff in
    the cells, each name with its role, so that names can be masked.

    Raises:
        ValueError: a name that is no file's name, a row of another length, a plot of columns that are not
            there or are no figures, keys for other rows than there are.
        TypeError: a cell that is not of its column's kind.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    about: About
    note: str | None = None
    plot: Plot | None = None
    restricted: Role | None = None
    total: tuple[Cell, ...] | None = None
    row_keys: tuple[tuple[str, ...], ...] | None = None
    people: Mapping[str, str] = {}

    def __post_init__(self) -> None:
        """Check that every form can show it; an error is the report's code's, not the day's data's."""
        names = [column.name for column in self.columns]
        for name in (self.name, *names):
            if not _NAME.fullmatch(name):
                raise ValueError(f"report {self.name!r}: {name!r} is no name for a file or a column")
        if self.name in _TAKEN or not names or len(set(names)) < len(names):
            raise ValueError(f"report {self.name!r}: a name that is taken, or no column")
        for row in (*self.rows, *([self.total] if self.total is not None else [])):
            _hold(self, row)
        if self.plot is not None:
            _hold_plot(self, self.plot)
        if self.row_keys is not None and len(self.row_keys) != len(self.rows):
            raise ValueError(f"report {self.name!r}: keys of {len(self.row_keys)} rows, not {len(self.rows)}")

    def column(self, name: str) -> tuple[Cell, ...]:
        """Return the cells of a column, without the total."""
        place = next(at for at, column in enumerate(self.columns) if column.name == name)
        return tuple(row[place] for row in self.rows)

    def kind(self, name: str) -> Kind:
        """Return the kind of a column."""
        return next(column.kind for column in self.columns if column.name == name)


def is_figure(kind: Kind) -> bool:
    """Return True if a column is one of figures, that stand to the right and can be plotted."""
    return kind in _FIGURES


def _hold(report: Report, row: tuple[Cell, ...]) -> None:
    if len(row) != len(report.columns):
        raise ValueError(f"report {report.name!r}: {len(row)} cells for {len(report.columns)} columns")
    for cell, column in zip(row, report.columns, strict=True):
        # A flag is an int to Python, but no count.
        if cell is not None and type(cell) not in _TYPES.get(column.kind, ()):
            raise TypeError(
                f"report {report.name!r}: {column.name} is {column.kind}, not {type(cell).__name__}"
            )


def _hold_plot(report: Report, plot: Plot) -> None:
    kinds = {column.name: column.kind for column in report.columns}
    match plot:
        case Bars(names, values, namesakes):
            texts = [kinds.get(each) for each in (names, namesakes) if each is not None]
            fits = set(texts) == {"text"} and values in kinds and is_figure(kinds[values])
        case Line(days, values, low, high):
            plotted_kinds = {kinds.get(each) for each in (values, low, high)}
            fits = kinds.get(days) == "date" and len(plotted_kinds) == 1 and plotted_kinds <= _FIGURES
        case Histogram(classes, counts):
            fits = kinds.get(classes) == "text" and kinds.get(counts) == "whole"
    if not fits:
        raise ValueError(f"report {report.name!r}: {plot} is no plot of its columns")
