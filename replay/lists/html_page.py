"""Rows as one page for a person: complete in itself, made for printing, with no script and no fetches.

Rows are written as they come, so that a page of any length is made in little memory.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

from projections.views.cells import printable
from schemas.values import in_words

_AT_ONCE: Final = 1000  # pieces of the page on their way to the file
PAGES: Final = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
PAGES.filters["printable"] = printable
PAGES.filters["words"] = in_words
_SHORT: Final = 32  # letters of a cell that is not broken over lines
PAGES.tests["short"] = lambda cell: len(cell) <= _SHORT


class Page(Struct, frozen=True):
    """Frame of the rows: a title, what is written before, and after, once the rows are written."""

    title: str
    facts: Sequence[tuple[str, str]]
    heads: Sequence[str]
    end: Callable[[], Sequence[tuple[str, str]]]


def write(rows: Iterable[Sequence[str]], page: Page, file: IO[bytes]) -> None:
    """Write a page to a file; a row has a cell for each head, and the first is its kind."""
    stream = PAGES.get_template("rows.html").stream(page=page, rows=rows)
    stream.enable_buffering(_AT_ONCE)
    stream.dump(file, encoding="utf-8")
