"""Rows for iTrak's incident files, as CSV whose columns bear the names of that form's fields.

The vendor publishes the fields of the form, and no format of an import: which column goes into which field is
said once to the importer of the installation. What iTrak numbers and dates itself is left to it.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC
from typing import Final, TextIO
from zoneinfo import ZoneInfo

from projections.views.cells import write_csv
from replay.exports.flat_rows import Flat
from replay.exports.investigator_row import comes_to, moment_of, sentence, sort_of
from schemas.house import House

COLUMNS: Final = (
    "Property",
    "Location",
    "Sublocation",
    "Reference",
    "Occurred Date",
    "Occurred Date UTC",
    "Incident Type",
    "Specific",
    "Category",
    "Synopsis",
)


def write(rows: Iterable[Flat], house: House, file: TextIO) -> None:
    """Write rows as CSV."""
    write_csv(file, COLUMNS, _rows(rows, house))


def _rows(rows: Iterable[Flat], house: House) -> Iterator[tuple[str, ...]]:
    zone = ZoneInfo(house.zone)
    for row in rows:
        at = moment_of(row)
        sort, kind = sort_of(row)
        yield (
            house.house,
            str(row.get("pit") or ""),
            str(row["table"]),
            str(row.get("id") or row.get("round") or ""),
            f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S}",
            f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
            "Table games",
            sort,
            kind,
            _synopsis(row),
        )


def _synopsis(row: Flat) -> str:
    citations = row.get("citations")
    more = [
        comes_to(row.get("net_cents"), row.get("variance_cents")),
        f"favours {row['favours']}" if row.get("favours") else "",
        f"dealer {row['dealer']}" if row.get("dealer") else "",
        ", ".join(citations) if isinstance(citations, list) else "",
    ]
    return "; ".join(part for part in (sentence(row), *more) if part)
