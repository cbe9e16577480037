"""Rows as one page for a person: whole in itself, made to be printed, with no script and nothing to fetch.

Rows are written as they come, so that a page of any length is made in little memory.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

from replay.exports.flat_rows import Cell, Flat
from replay.lists.writers import printable, words
from schemas.values import dollars

_AT_ONCE: Final = 1000  # pieces of the page on their way to the file
_PAGES: Final = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.filters["printable"] = printable
# What a column is called where it is not by its own name with blanks.
_CALLED: Final[Mapping[str, str]] = {
    "at": "Time (UTC)",
    "id": "Finding",
    "check": "Found",
    "message": "Says",
    "play": "Seen, in order",
    "who": "Whose hand",
    "cents": "Wagered",
    "coupon_cents": "Coupon's value",
    "expected_cents": "Expected",
    "expected_vigorish_cents": "Vigorish expected",
    "observed_cents": "Observed",
    "paid_cents": "Paid",
    "paid_vigorish_cents": "Vigorish taken",
    "gross_cents": "Gross",
    "vigorish_cents": "Vigorish",
    "net_cents": "Net",
    "variance_cents": "Variance",
    "concerns_table": "Of table",
    "concerns_day": "Of gaming day",
}
_SHORT: Final = 28  # letters of a cell that is not broken over lines
_PAGES.tests["short"] = lambda cell: len(cell) <= _SHORT


def called(column: str) -> str:
    """Return a column of flat rows to a person.

    >>> called("gaming_date"), called("net_cents"), called("at")
    ('Gaming date', 'Net', 'Time (UTC)')
    """
    return _CALLED.get(column) or column.replace("_", " ").capitalize()


def told(row: Flat) -> list[str]:
    """Write the cells of a flat row for a person, cents as dollars.

    >>> told({"seat": 5, "net_cents": -2500, "citations": ["631a.8(a)", "631a.12(b)"], "bettor": None})
    ['5', '-$25.00', '631a.8(a), 631a.12(b)', '']
    """
    return [_cell(column, cell) for column, cell in row.items()]


def _cell(column: str, cell: Cell) -> str:
    if column == "at" and isinstance(cell, str):
        return cell.removesuffix("Z").replace("T", " ")
    return dollars(cell) if column.endswith("cents") and isinstance(cell, int) else words(cell)


class Page(Struct, frozen=True):
    """What stands around the rows: a title, what is said before, and after, once the rows are written."""

    title: str
    facts: Sequence[tuple[str, str]]
    heads: Sequence[str]
    end: Callable[[], Sequence[tuple[str, str]]]


def write(rows: Iterable[Sequence[str]], page: Page, path: Path) -> None:
    """Write a page to a file; a row has a cell for each head, and the first says what sort of row it is."""
    stream = _PAGES.get_template("rows.html").stream(page=page, rows=rows)
    stream.enable_buffering(_AT_ONCE)
    with path.open("wb") as file:
        stream.dump(file, encoding="utf-8")
