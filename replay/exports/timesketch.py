"""Timesketch's import by JSON lines: one object a line, with message, datetime and timestamp_desc.

Its guide "Create timeline from JSONL or CSV file" names these three as mandatory and allows any other field;
a file's name must end in .jsonl.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC
from typing import Final

from replay.exports.flat_rows import Flat, FlatCell
from replay.exports.investigator_row import moment_of, sentence, sort_of
from replay.lists.writers import json_line, printable
from schemas.values import microseconds

_DESCRIBED: Final = {
    "round": "Round opened",
    "finding": "Round opened",
    "event": "Reported by the device",
}


def lines(rows: Iterable[Flat]) -> Iterator[bytes]:
    """Write rows as Timesketch takes them; what a row does not tell is left out."""
    for row in rows:
        at = moment_of(row).astimezone(UTC)
        told: Flat = {
            "message": sentence(row),
            "datetime": at.isoformat(timespec="microseconds"),
            "timestamp": microseconds(at),
            "timestamp_desc": _described(row),
        }
        for name, cell in row.items():
            if cell is not None and name not in ("at", "message"):
                told["finding_id" if name == "id" else name] = _plain(cell)
        yield json_line(told)


def _described(row: Flat) -> str:
    if row.get("account") is not None:
        return "End of the gaming day"
    if row.get("round") is None and row.get("check") is not None:
        return "Last round of the shoe"
    return _DESCRIBED[sort_of(row)[0]]


def _plain(cell: FlatCell) -> FlatCell:
    if isinstance(cell, str):
        return printable(cell)
    return [printable(each) for each in cell] if isinstance(cell, list) else cell
