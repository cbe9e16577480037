"""A report read back from its JSON, so that what the console shows of it has the same drawings and files."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any, Final

import msgspec
from msgspec import Struct

from replay.exports.report import About, Origin, Period, Plot, Report, Role
from replay.lists.columns import Cell, Column, Kind
from schemas.values import microseconds

_EXACT: Final = frozenset({"fraction", "percent"})


class _Document(Struct):
    """A report's JSON, as `writers.as_json` writes it."""

    report: str
    title: str
    about: dict[str, Any]
    columns: list[Column]
    rows: list[dict[str, str | int | None]]
    note: str | None = None
    total: dict[str, str | int | None] | None = None
    plot: Plot | None = None
    restricted: Role | None = None


def report_of(document: Mapping[str, Any]) -> Report:
    """Return the report of a JSON document; without the keys of its rows and the people in its cells.

    Raises:
        msgspec.ValidationError: it is no report's.
        ValueError: a cell is not of its column's kind.
    """
    read = msgspec.convert(document, _Document)
    return Report(
        name=read.report,
        title=read.title,
        columns=tuple(read.columns),
        rows=tuple(_row(read.columns, row) for row in read.rows),
        about=_about(read.about),
        note=read.note,
        plot=read.plot,
        restricted=read.restricted,
        total=_row(read.columns, read.total) if read.total is not None else None,
    )


def _about(document: Mapping[str, Any]) -> About:
    period, made = document["period"], document["made"]
    return About(
        software=document["software"],
        rulebooks=tuple(document["rulebooks"]),
        filters=tuple(document["filters"]),
        period=Period(
            date.fromisoformat(period["first"]),
            date.fromisoformat(period["last"]),
            _micros(period["begins"]),
            _micros(period["ends"]),
        ),
        made=Origin(
            date.fromisoformat(made["gaming_day"]),
            _micros(made["received"]) if made["received"] is not None else None,
            made["archive"],
        ),
        zone=document["zone"],
    )


def _row(columns: list[Column], row: Mapping[str, str | int | None]) -> tuple[Cell, ...]:
    return tuple(_cell(row[column.name], column.kind) for column in columns)


def _cell(value: str | int | None, kind: Kind) -> Cell:
    """Read a cell that `columns.exact` wrote.

    >>> _cell("1/80", "percent"), _cell("2025-03-01", "date"), _cell("1970-01-01T00:00:01Z", "moment")
    (Fraction(1, 80), datetime.date(2025, 3, 1), 1000000)
    >>> _cell(-250, "cents"), _cell(None, "cents")
    (-250, None)
    """
    if value is None:
        return None
    if kind in _EXACT:
        return Fraction(value)
    if kind == "date":
        return date.fromisoformat(str(value))
    return _micros(str(value)) if kind == "moment" else value


def _micros(moment: str) -> int:
    return microseconds(datetime.fromisoformat(moment).astimezone(UTC))
