"""Blocks of a page for a person: titled, of aligned cells, the same in a terminal and in HTML."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from projections.engine.observation import Piece
from projections.views.conclusion_view import LineView
from projections.views.hand_view import Heading
from projections.views.table_picture import LyingView, called, counted
from projections.views.time_text import date_text, moment_text
from schemas.values import Option, dollars

Unknown: TypeAlias = Literal["", "open", "not seen"]  # what stands where there is no sum

KNOWN_LATER: Final = "Known since"  # for a patron whom the table knew as another, or not
_ID: Final = re.compile("[0-9a-f]{16}")


class Block(Struct, frozen=True):
    """A part of a page: its title, and rows of cells, below a head where the columns need names."""

    title: str
    rows: Sequence[Sequence[str]]
    head: Sequence[str] = ()


def is_sum(cell: str) -> bool:
    """Return True if a cell holds money, or what stands where there is none."""
    return not cell or cell in get_args(Unknown) or cell.startswith(("$", "-$"))


def is_id(cell: str) -> bool:
    """Return True if a cell holds a finding's id, which is searched for as a whole.

    >>> is_id("4e1f9c7be9f16259"), is_id("4e1f9c")
    (True, False)
    """
    return _ID.fullmatch(cell) is not None


def heading_rows(heading: Heading) -> list[tuple[str, str]]:
    """Return the round or shoe, and the text and choices by which it is judged."""
    rows = [
        ("Gaming date", date_text(heading.gaming_date)),
        ("Opened", f"{moment_text(heading.opened, heading.zone)} ({heading.zone})" if heading.opened else ""),
        ("Chapter", f"{heading.chapter} {heading.title}"),
        ("Text", "none in force"),
        ("Decks", str(heading.decks or "")),
        ("Shoe", heading.shoe or "not recorded"),
        ("Dealer", (heading.dealer or "not recorded") if heading.round is not None else ""),
        ("Floorperson", heading.floorperson or ""),
        ("Rulebook", heading.rulebook or ""),
        *(
            (f"Option {each.option}", f"{word(each.value)} (default {word(each.default)}, {each.cite})")
            for each in heading.options
        ),
        *((f"Option {option}", "chosen before the text had it: no effect") for option in heading.not_yet_law),
    ]
    text = heading.text
    if text is not None:
        rows[3] = ("Text", f"since {heading.since}, {text.status} ({text.source})")
    return [row for row in rows if row[1]]


def hand_rows(hands: Sequence[LyingView]) -> list[tuple[str, ...]]:
    """Return each hand with its cards in the order dealt, and their count."""
    return [(called(each.hand), _lies(each.pieces), counted(each)) for each in hands]


def _lies(pieces: Sequence[Piece]) -> str:
    """Write the cards that lie there, disregarded ones in brackets.

    >>> _lies([Piece("6d", 1), Piece("9c", 2, counts=False)]), _lies([Piece(None, 3)] * 4), _lies([])
    ('6d (9c)', '4 face down', 'no cards')
    """
    read = [piece.face if piece.counts else f"({piece.face})" for piece in pieces if piece.face is not None]
    down = len(pieces) - len(read)
    return " ".join([*read, *([f"{down} face down"] if down else [])]) or "no cards"


def line_rows(lines: Sequence[LineView], *, dated: bool = False) -> list[tuple[str, ...]]:
    """Return each step with its cents and its section; `dated` adds the status and date of the text."""
    return [
        (
            each.says,
            money(each.cents),
            each.cited.provision,
            *((status_since(each.cited.status, each.cited.since),) if dated else ()),
        )
        for each in lines
    ]


def status_since(status: str, since: date | None) -> str:
    """Return what a text is worth and since when it has stood.

    >>> status_since("adopted", date(2014, 2, 1)), status_since("house control", None)
    ('adopted, since 2014-02-01', '')
    """
    return f"{status}, since {since}" if since is not None else ""


def money(cents: int | None, unknown: Unknown = "") -> str:
    """Write cents as dollars, or the reason if they are not known.

    >>> money(-2500), money(None, "open")
    ('-$25.00', 'open')
    """
    return unknown if cents is None else dollars(cents)


def word(value: Option) -> str:
    """Write an option's value as a house file has it.

    >>> word(None), word(True), word("1/2")
    ('not chosen', 'true', '1/2')
    """
    if value is None:
        return "not chosen"
    return str(value).lower() if isinstance(value, bool) else str(value)
