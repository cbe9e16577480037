"""Rows of a Parquet file with its dates and times written out, as the other forms have them."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from pyarrow import parquet


def parquet_rows(path: Path, timespec: str = "auto") -> list[dict[str, Any]]:
    """Return the rows of a Parquet file; `timespec` is as `isoformat` takes it."""
    return [
        {name: _written(cell, timespec) for name, cell in row.items()}
        for row in parquet.read_table(path).to_pylist()
    ]


def _written(cell: Any, timespec: str) -> Any:
    if isinstance(cell, datetime):
        return f"{cell.astimezone(UTC).replace(tzinfo=None).isoformat(timespec=timespec)}Z"
    return cell.isoformat() if isinstance(cell, date) else cell
