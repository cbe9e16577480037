"""Cells for people and for spreadsheets: no text can act on a terminal or as a formula."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Final, TextIO

import msgspec

from schemas.values import decimal, dollars

# A cell that begins so, whatever space is before it, is a formula to a spreadsheet.
_FORMULA: Final = ("=", "+", "-", "@")
_NUMBER: Final = re.compile("-[0-9]+")  # no formula: a number below zero is itself
_encode: Final = msgspec.json.Encoder()

# How a person reads the figures of a report, by their kind; a fraction may be written as `1/80`.
FIGURES: Final[Mapping[str, Callable[[str | int | Fraction], str]]] = {
    "whole": lambda value: f"{int(value):,}",
    "cents": lambda value: dollars(int(value)),
    "fraction": lambda value: decimal(Fraction(value), 3, grouped=True),
    "percent": lambda value: f"{decimal(Fraction(value) * 100, 2, grouped=True)}%",
}


def words(value: object) -> str:
    """Write a value as a person reads it.

    >>> words(["paid_too_much", "push_paid"]), words(None), words(True), words({"cents": 5})
    ('paid_too_much, push_paid', '', 'true', '{"cents":5}')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return _encode.encode(value).decode()


def csv_cell(value: object) -> str:
    """Write a value as a spreadsheet may take it: words that look like a formula get an apostrophe.

    >>> csv_cell("=1+1"), csv_cell("-"), csv_cell(-2500), csv_cell("631a.13(c)")
    ("'=1+1", "'-", '-2500', '631a.13(c)')
    >>> csv_cell("-2"), csv_cell("-2+3"), csv_cell("--2"), csv_cell(" -2")
    ('-2', "'-2+3", "'--2", "' -2")
    """
    text = words(value)
    is_formula = text.lstrip().startswith(_FORMULA) and not _NUMBER.fullmatch(text)
    return f"'{printable(text)}" if is_formula else printable(text)


def write_csv(file: TextIO, head: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    r"""Write rows as CSV under a head of ours; no cell can act as a formula.

    >>> import io
    >>> file = io.StringIO()
    >>> write_csv(file, ["Table", "Says"], [["BAC-1", "=1+1"]])
    >>> file.getvalue()
    "Table,Says\nBAC-1,'=1+1\n"
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow([csv_cell(cell) for cell in row])


def printable(text: str) -> str:
    r"""Escape what a terminal would obey or hide rather than show.

    >>> printable("a\x1b[2Jb\n")
    'a\\x1b[2Jb\\n'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
