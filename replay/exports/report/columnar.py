"""A report as Parquet, apart from the other forms as pyarrow takes long to load."""

import io
import json
from collections.abc import Mapping
from typing import Final

import msgspec
import pyarrow as pa
from pyarrow import parquet

from replay.exports.report.model import Kind, Report
from replay.exports.report.writers import NO_ACTIVITY, about_told
from replay.lists.columns import PLACES, stored
from schemas.errors import BadInput

# An exact number is a decimal: a float would be the only inexact figure of a report.
_EXACT: Final = pa.decimal128(38, PLACES)
_TYPES: Final[Mapping[Kind, pa.DataType]] = {
    "text": pa.string(),
    "whole": pa.int64(),
    "cents": pa.int64(),
    "fraction": _EXACT,
    "percent": _EXACT,
    "date": pa.date32(),
    "moment": pa.timestamp("us", tz="UTC"),
}


def as_parquet(report: Report) -> bytes:
    """Write a report as a Parquet file whose metadata, under `discardrack`, tells what it was made from.

    Raises:
        BadInput: a figure is too large for its column.
    """
    schema = pa.schema(
        [(column.name, _TYPES[column.kind]) for column in report.columns], metadata=_said(report)
    )
    cells = [
        [stored(row[place], column.kind) for row in report.rows]
        for place, column in enumerate(report.columns)
    ]
    try:
        arrays = [pa.array(each, field.type) for each, field in zip(cells, schema, strict=True)]
    except (pa.ArrowInvalid, OverflowError) as error:
        raise BadInput(f"report {report.name}: a figure does not fit a Parquet column: {error}") from None
    written = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), written)
    return written.getvalue()


def _said(report: Report) -> dict[str, str]:
    said: dict[str, object] = {
        "title": report.title,
        "restricted": report.restricted,
        "about": about_told(report.about),
        "note": report.note,
        "columns": [msgspec.to_builtins(column) for column in report.columns],
    }
    if not report.rows:
        said["says"] = NO_ACTIVITY
    return {"discardrack": json.dumps(said)}
