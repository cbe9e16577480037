"""Rows in the forms that go into a file: Parquet, Timesketch's JSON lines, CSV for iTrak's incident files.

Timesketch's guide "Create timeline from JSONL or CSV file" names message, datetime and timestamp_desc as
mandatory and allows any other field; a file's name must end in .jsonl. The vendor of iTrak publishes the
fields of its form, and no format of an import: columns bear the names of the fields, and the importer of the
installation maps them once. What iTrak numbers and dates itself is left to it.
"""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, Literal, TextIO, TypeAlias, get_args
from zoneinfo import ZoneInfo

from replay.exports.flat_rows import Flat, FlatCell
from replay.lists.columns import Column
from replay.lists.writers import json_line, printable, write_csv
from schemas.errors import BadInput
from schemas.house import House
from schemas.values import dollars, microseconds

FileForm: TypeAlias = Literal["parquet", "html", "timesketch", "itrak"]

_WHERE: Final = ("table", "round", "shoe")
_SPOT: Final = ("seat", "bettor", "wager", "hand")
_SUMS: Final = (("cents", "wagered"), ("expected_cents", "owed"), ("paid_cents", "paid"))
_DESCRIBED: Final = {
    "round": "Round opened",
    "finding": "Round opened",
    "event": "Reported by the device",
}
_ITRAK: Final = tuple(
    Column(name, name, "value")
    for name in (
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
)


def output_file(form: str, out: Path | None) -> Path:
    """Return the file that a form needs.

    Raises:
        BadInput: none is named, or one whose name Timesketch would not take.
    """
    if out is None:
        raise BadInput(f"{form} is no text for a terminal or a pipe: say --out FILE")
    if form == "timesketch" and out.suffix != ".jsonl":
        raise BadInput(f"{out}: Timesketch takes a file whose name ends in .jsonl")
    return out


def is_file_form(form: str) -> bool:
    """Return True if a form needs a file."""
    return form in get_args(FileForm)


def write(form: str, rows: Iterable[Flat], columns: Sequence[Column], house: House, file: IO[bytes]) -> None:
    """Write rows to a file in a form that is no page.

    Raises:
        BadInput: a row does not fit the form.
    """
    if form == "parquet":
        from replay.lists import parquet_file  # noqa: PLC0415  pyarrow takes longer to load than most exports

        parquet_file.write(columns, ([row[each.name] for each in columns] for row in rows), file)
    elif form == "timesketch":
        file.writelines(line + b"\n" for line in timesketch_lines(rows))
    else:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        write_itrak(rows, house, text)
        text.detach()  # closing it would close the file


def moment_of(row: Mapping[str, FlatCell]) -> datetime:
    """Return a row's moment, with its offset.

    Raises:
        BadInput: it has none.
    """
    at = row.get("at")
    if not isinstance(at, str):
        raise BadInput("a row without a moment cannot be placed in time")
    return datetime.fromisoformat(at)


def sentence(row: Flat) -> str:
    """Return a row as a sentence: its own message, or what happened to a wager.

    >>> sentence({"table": "B-1", "round": "7", "seat": 5, "wager": "tie", "cents": 500, "paid_cents": 4000})
    'table B-1, round 7, seat 5 tie: wagered $5.00, paid $40.00'
    """
    where = ", ".join(f"{name} {row[name]}" for name in _WHERE if row.get(name) is not None)
    message = row.get("message")
    if message is not None:
        return printable(f"{where}: {message}")
    spot = " ".join(str(row[name]) for name in _SPOT if row.get(name) is not None)
    sums_named = ((wording, row.get(name)) for name, wording in _SUMS)
    sums = ", ".join(f"{wording} {dollars(cents)}" for wording, cents in sums_named if isinstance(cents, int))
    about = f"{where}, seat {spot}" if spot else where
    return printable(f"{about}: {sums or row.get('verdict') or ''}")


def comes_to(net: FlatCell, variance: FlatCell) -> str:
    """Return a finding's net or, of a count, its variance, in a word or two; "" without a sum.

    >>> comes_to(-19_500, None), comes_to(None, 2_500), comes_to(None, None)
    ('net -$195.00', 'variance $25.00', '')
    """
    sums = (("net", net), ("variance", variance))
    return next((f"{name} {dollars(cents)}" for name, cents in sums if isinstance(cents, int)), "")


def sort_of(row: Flat) -> tuple[str, str]:
    """Return what sort of row it is, and which: a finding by its check, an event by its name."""
    if row.get("check") is not None:
        return "finding", str(row["check"])
    if row.get("event") is not None:
        return "event", str(row["event"])
    return "round", str(row.get("verdict") or "")


def timesketch_lines(rows: Iterable[Flat]) -> Iterator[bytes]:
    """Write rows for Timesketch; missing fields are left out."""
    for row in rows:
        at = moment_of(row).astimezone(UTC)
        record: Flat = {
            "message": sentence(row),
            "datetime": at.isoformat(timespec="microseconds"),
            "timestamp": microseconds(at),
            "timestamp_desc": _described(row),
        }
        for name, cell in row.items():
            if cell is not None and name not in ("at", "message"):
                record["finding_id" if name == "id" else name] = _plain(cell)
        yield json_line(record)


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


def write_itrak(rows: Iterable[Flat], house: House, file: TextIO) -> None:
    """Write rows as CSV."""
    write_csv(file, _ITRAK, _itrak_rows(rows, house))


def _itrak_rows(rows: Iterable[Flat], house: House) -> Iterator[tuple[str, ...]]:
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
