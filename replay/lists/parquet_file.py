"""Rows as a Parquet file; apart from the other forms, as pyarrow takes long to load."""

import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import IO, Final

import pyarrow as pa
from pyarrow import parquet

from replay.lists.columns import PLACES, Cell, Column, Kind, stored
from schemas.errors import BadInput

# An exact number is a decimal: a float would be the only inexact figure.
_EXACT: Final = pa.decimal128(38, PLACES)
_TYPES: Final[Mapping[Kind, pa.DataType]] = {
    "text": pa.string(),
    "words": pa.list_(pa.string()),
    "whole": pa.int64(),
    "number": pa.int64(),
    "cents": pa.int64(),
    "fraction": _EXACT,
    "percent": _EXACT,
    "date": pa.date32(),
    "time": pa.timestamp("us", tz="UTC"),
    "moment": pa.timestamp("us", tz="UTC"),
}
_ROWS_AT_ONCE: Final = 50_000


def write(columns: Sequence[Column], rows: Iterable[Sequence[Cell]], file: IO[bytes]) -> None:
    """Write rows to a Parquet file as they come, with the columns named, whether or not there is a row.

    Raises:
        BadInput: a number is too large for a column of 64 bits.
    """
    schema, rows_left = _schema(columns), iter(rows)
    with parquet.ParquetWriter(file, schema) as writer:
        while batch := list(islice(rows_left, _ROWS_AT_ONCE)):
            writer.write_table(_table(schema, columns, batch, "a row"))


def table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> pa.Table:
    """Return rows as a table of Arrow.

    Raises:
        BadInput: a number is too large for a column of 64 bits.
    """
    return _table(_schema(columns), columns, rows, "a row")


def as_bytes(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], metadata: Mapping[str, str], what: str
) -> bytes:
    """Return a Parquet file of complete rows; `what` names it in the error if a cell does not fit.

    Raises:
        BadInput: a figure is too large for its column.
    """
    file = io.BytesIO()
    parquet.write_table(_table(_schema(columns, metadata), columns, rows, what), file)
    return file.getvalue()


def _schema(columns: Sequence[Column], metadata: Mapping[str, str] | None = None) -> pa.Schema:
    return pa.schema([(each.name, _TYPES[each.kind]) for each in columns], metadata=metadata)


def _table(
    schema: pa.Schema, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], what: str
) -> pa.Table:
    try:
        arrays = [
            pa.array([stored(row[place], column.kind) for row in rows], _TYPES[column.kind])
            for place, column in enumerate(columns)
        ]
    except (pa.ArrowInvalid, OverflowError) as error:
        raise BadInput(f"{what} does not fit a Parquet column: {error}") from None
    return pa.Table.from_arrays(arrays, schema=schema)
