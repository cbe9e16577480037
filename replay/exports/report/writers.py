"""A report as JSON with all its contents, as CSV for a spreadsheet, and as Parquet for a data frame."""

import io
import json
from typing import Final

import msgspec

from replay.exports.report import About, Report
from replay.lists.columns import Cell, exact, moment
from replay.lists.writers import write_csv

NO_ACTIVITY: Final = "No activity"

Row = dict[str, object]


def as_json(report: Report) -> bytes:
    """Write a report as a JSON document: exact values, money in cents, moments in UTC."""
    document: Row = {
        "report": report.name,
        **_headed(report),
        "rows": [_record(report, row) for row in report.rows],
        "total": _record(report, report.total) if report.total is not None else None,
        "plot": msgspec.to_builtins(report.plot),
    }
    if report.row_keys is not None:
        document["row_keys"] = report.row_keys
    document["people"] = report.people
    if not report.rows:
        document["says"] = NO_ACTIVITY
    return dumped(document)


def _headed(report: Report) -> Row:
    """Return a report's description of itself before its rows."""
    return {
        "title": report.title,
        "restricted": report.restricted,
        "about": about_row(report.about),
        "note": report.note,
        "columns": [msgspec.to_builtins(column) for column in report.columns],
    }


def about_row(about: About) -> Row:
    """Return what a report was made with and from, as JSON has it."""
    period, made = about.period, about.made
    return {
        "software": about.software,
        "rulebooks": list(about.rulebooks),
        "filters": list(about.filters),
        "period": {
            "first": str(period.first),
            "last": str(period.last),
            "begins": moment(period.begins),
            "ends": moment(period.ends),
        },
        "made": {
            "gaming_day": str(made.gaming_day),
            "received": moment(made.received) if made.received is not None else None,
            "archive": made.archive,
        },
        "zone": about.zone,
    }


def dumped(document: Row) -> bytes:
    r"""Write a document in ASCII, so that it cannot control a terminal, and nothing is lost.

    >>> dumped({"table": "\x9b2J\u202e"})
    b'{\n "table": "\\u009b2J\\u202e"\n}\n'
    """
    return f"{json.dumps(document, indent=1)}\n".encode("ascii")


def as_csv(report: Report) -> bytes:
    """Write a report as CSV: the columns' names, then the rows, or a row for an empty report.

    The total is left out: a sum over the column would count everything twice.
    """
    text = io.StringIO()
    write_csv(text, report.columns, report.rows)
    if not report.rows:
        text.write(NO_ACTIVITY + "," * (len(report.columns) - 1) + "\n")
    return text.getvalue().encode()


def as_parquet(report: Report) -> bytes:
    """Write a report as a Parquet file whose metadata, under `discardrack`, has what it was made from.

    Raises:
        BadInput: a figure is too large for its column.
    """
    from replay.lists import parquet_file  # noqa: PLC0415  pyarrow takes longer to load than the other forms

    header = _headed(report)
    if not report.rows:
        header["says"] = NO_ACTIVITY
    metadata = {"discardrack": json.dumps(header)}
    return parquet_file.as_bytes(report.columns, report.rows, metadata, f"report {report.name}: a figure")


def _record(report: Report, row: tuple[Cell, ...]) -> Row:
    return {column.name: exact(cell, column.kind) for cell, column in zip(row, report.columns, strict=True)}
