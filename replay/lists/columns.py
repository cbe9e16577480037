"""Columns, and a cell in its forms: shown to a person, exact for a program, in spreadsheet and data frame."""

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal, TypeAlias, cast

from msgspec import Struct, field

from projections.views.cells import FIGURES, csv_cell, printable, words
from projections.views.time_text import date_text, moment_text, time_text
from schemas import values
from schemas.values import decimal

Kind: TypeAlias = Literal[
    "text", "words", "value", "whole", "number", "cents", "fraction", "percent", "date", "time", "moment"
]
Cell: TypeAlias = str | int | Fraction | date | list[str] | None

UNKNOWN: Final = "\N{EN DASH}"
PLACES: Final = 12  # decimal places of an exact number where a form knows no fractions
_EXACT: Final = frozenset({"fraction", "percent"})


class Column(Struct, frozen=True):
    """A column: its name for programs, its heading for people, and what its cells are; each may be None.

    `words` are several texts; `whole` is a count, `number` a whole number that names something, as a seat;
    `cents` an int, the money of the house or a person, as the heading says; `fraction` an exact number;
    `percent` an exact share, where 1 is 100 %; `moment` microseconds UTC, and `time` one that is written out
    already. A `value` is anything that JSON knows.
    """

    name: str
    heading: str = field(name="says")
    kind: Kind


def cell_text(cell: Cell, kind: Kind, zone: str) -> str:
    """Write a cell for a person; what is not known is `UNKNOWN`, moments are in the property's zone.

    >>> cell_text(1234, "whole", "UTC"), cell_text(-250000, "cents", "UTC")
    ('1,234', '-$2,500.00')
    >>> cell_text(None, "cents", "UTC") == UNKNOWN
    True
    >>> cell_text(Fraction(1, 80), "percent", "UTC"), cell_text(Fraction(-5, 2), "fraction", "UTC")
    ('1.25%', '-2.500')
    >>> cell_text(1_740_859_200_000_000, "moment", "America/New_York"), cell_text(1234, "number", "UTC")
    ('03/01/2025 3:00:00 PM EST', '1234')
    """
    return UNKNOWN if cell is None else printable(in_words(cell, kind, zone))


def in_words(cell: Cell, kind: Kind, zone: str) -> str:
    """Write a cell as text, without escaping for a terminal; empty if it is not known.

    >>> in_words(["631a.8(a)", "631a.12(b)"], "words", "UTC"), in_words("2025-03-01T10:00:00Z", "time", "UTC")
    ('631a.8(a), 631a.12(b)', '03/01/2025 10:00:00 AM')
    """
    if cell is None:
        return ""
    if kind == "moment":
        return local(_int(cell), zone)
    if kind == "time":
        written = datetime.fromisoformat(str(cell))
        return f"{date_text(written)} {time_text(written)}"
    if kind == "date":
        return date_text(cast("date | str", cell))
    return FIGURES[kind](_number(cell)) if kind in FIGURES else words(cell)


def local(at: int, zone: str) -> str:
    """Write a moment (microseconds UTC) in a zone, to the second.

    >>> local(0, "America/New_York")
    '12/31/1969 7:00:00 PM EST'
    """
    return moment_text(values.moment(at), zone)


def moment(at: int) -> str:
    """Write a moment (microseconds UTC) as a round record does.

    >>> moment(1_735_763_983_000_000)
    '2025-01-01T20:39:43Z'
    """
    return f"{values.moment(at).replace(tzinfo=None).isoformat()}Z"


def exact(cell: Cell, kind: Kind) -> str | int | None:
    """Write a cell for JSON with nothing lost: exact numbers as fractions, moments in UTC.

    >>> exact(Fraction(1, 80), "percent"), exact(-250, "cents"), exact(0, "moment"), exact("a", "text")
    ('1/80', -250, '1970-01-01T00:00:00Z', 'a')
    """
    if cell is None:
        return None
    if kind in {"whole", "number", "cents"}:
        return _int(cell)
    return moment(_int(cell)) if kind == "moment" else str(cell)


def spread(cell: Cell, kind: Kind) -> str:
    r"""Write a cell for a spreadsheet: plain numbers, and words that it takes for words.

    A fraction is a decimal, as `1/8` would become a day in August.

    >>> spread(Fraction(1, 8), "percent"), spread(-250, "cents"), spread(None, "cents")
    ('0.125000000000', '-250', '')
    >>> spread(Fraction(0), "percent")
    '0.000000000000'
    >>> spread("=1+1", "text"), spread("a\x1b[2J", "text")
    ("'=1+1", 'a\\x1b[2J')
    """
    if kind == "text":
        return csv_cell(printable(words(cell)))
    if kind in {"value", "words", "time"} or cell is None:
        return csv_cell(cell)
    # Not by way of a Decimal, which would write a zero as 0E-12.
    return decimal(_exact(cell), PLACES) if kind in _EXACT else str(exact(cell, kind))


def stored(cell: Cell, kind: Kind) -> str | int | Decimal | date | list[str] | None:
    """Return a cell as a column of a data frame has it; exact numbers are decimals, rounded half to even.

    Dates and times that were written out are dates and times again.

    >>> stored(Fraction(2, 3), "fraction"), stored(5, "cents"), stored("2025-03-01", "date")
    (Decimal('0.666666666667'), 5, datetime.date(2025, 3, 1))
    """
    if isinstance(cell, str) and kind == "date":
        return date.fromisoformat(cell)
    if isinstance(cell, str) and kind == "time":
        return datetime.fromisoformat(cell)
    if cell is not None and kind in _EXACT:
        return Decimal(decimal(_exact(cell), PLACES))
    return cast("str | int | date | list[str] | None", cell)


def _int(cell: Cell) -> int:
    return cast("int", cell)  # a report holds its cells to their kinds


def _number(cell: Cell) -> int | Fraction:
    return cast("int | Fraction", cell)


def _exact(cell: Cell) -> Fraction:
    return Fraction(_number(cell))
