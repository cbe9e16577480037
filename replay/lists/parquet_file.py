"""Flat rows as a Parquet file; apart from its verb, as pyarrow takes longer to load than most exports."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyarrow import parquet

from replay.exports.flat_rows import Flat, Kind
from schemas.errors import BadInput

_TYPES: Final[Mapping[Kind, pa.DataType]] = {
    "text": pa.string(),
    "whole": pa.int64(),
    "words": pa.list_(pa.string()),
}
_ROWS_AT_ONCE: Final = 50_000


def write(rows: Iterable[Flat], columns: Mapping[str, Kind], path: Path) -> None:
    """Write rows to a Parquet file with the columns named, whether or not there is a row.

    Raises:
        BadInput: a number is too large for a column of 64 bits.
    """
    schema = pa.schema([(column, _TYPES[kind]) for column, kind in columns.items()])
    with parquet.ParquetWriter(path, schema) as writer:
        for batch in _batches(rows):
            try:
                table = pa.Table.from_pylist(batch, schema=schema)
            except (pa.ArrowInvalid, OverflowError) as error:
                raise BadInput(f"a row does not fit a Parquet column: {error}") from None
            writer.write_table(table)


def _batches(rows: Iterable[Flat]) -> Iterator[list[Flat]]:
    coming = iter(rows)
    while batch := list(islice(coming, _ROWS_AT_ONCE)):
        yield batch
