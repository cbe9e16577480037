"""A page for a person: titled blocks of aligned rows, the same on a terminal and in a pipe."""

import re
import sys
from collections.abc import Sequence
from datetime import date
from typing import Final, Literal, TypeAlias, get_args

import click
from msgspec import Struct
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from projections.engine.observation import Piece
from projections.views.conclusion_view import LineView
from projections.views.hand_view import Heading
from projections.views.table_picture import LyingView, Picture, called, counted
from replay.exports.drawing.terminal import DRAWN, PLAIN, draw_lines
from replay.lists.writers import printable
from schemas.values import Option, dollars

Form: TypeAlias = Literal["text", "json"]
Unknown: TypeAlias = Literal["", "open", "not seen"]  # what stands where there is no sum

_ANY_WIDTH: Final = 1 << 14  # a pipe has no width: one row, one line
_PIPE: Final = 80  # cells, of a picture where there is no terminal
_INDENT: Final = 2
KNOWN_LATER: Final = "Known since"  # beside a patron whom the table knew as another, or not
_ID: Final = re.compile("[0-9a-f]{16}")

# For both verbs that show one thing; the argument is called `form`, as `format` is Python's own.
form_option: Final = click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Form)),
    default="text",
    show_default=True,
    help="How to show it.",
)


class Block(Struct, frozen=True):
    """A part of a page: its title, and rows of cells, below a head where the columns need names."""

    title: str
    rows: Sequence[Sequence[str]]
    head: Sequence[str] = ()


def write_page(parts: Sequence[Block | Picture], *, ascii_only: bool = False) -> None:
    """Print blocks and pictures to standard output; a block without rows says so.

    Where the output cannot take all of Unicode, or `ascii_only` is asked for, pictures are drawn in ASCII and
    what else is not of it is escaped.
    """
    on_terminal = sys.stdout.isatty()
    plain = ascii_only or not _takes_all()
    console = Console(
        file=sys.stdout,
        force_terminal=on_terminal,
        width=None if on_terminal else _ANY_WIDTH,
        highlight=False,
    )
    width = (console.width if on_terminal else _PIPE) - _INDENT
    blocks = [_laid_out(part, width, narrow=on_terminal, plain=plain) for part in parts]
    # A sum that is broken over two lines reads as another: rather wider than the terminal.
    roomy = console.options.update(width=_ANY_WIDTH, max_width=_ANY_WIDTH)
    least = [Measurement.get(console, roomy, each).minimum + _INDENT for each in blocks]
    console.width = max(console.width, *least)
    with console.capture() as printed:
        for place, (part, each) in enumerate(zip(parts, blocks, strict=True)):
            if place:
                console.print()
            console.print(Text(printable(part.title), style="bold"))
            console.print(Padding(each, (0, 0, 0, _INDENT), expand=False))
    text = "\n".join(line.rstrip() for line in printed.get().splitlines())
    click.echo(text.encode("ascii", "backslashreplace").decode() if plain else text)


def _takes_all() -> bool:
    return (sys.stdout.encoding or "utf-8").lower().replace("-", "").startswith("utf")


def _laid_out(part: Block | Picture, width: int, *, narrow: bool, plain: bool) -> Table | Text:
    if isinstance(part, Picture):
        # A line of a picture is not broken: it would be another picture.
        return Text("\n", no_wrap=True).join(draw_lines(part, width, PLAIN if plain else DRAWN))
    return _table(part, narrow=narrow) if part.rows else Text("none")


def _table(block: Block, *, narrow: bool) -> Table:
    """Align a block's cells; a column with nothing in it is left out. A `narrow` head has a word a line."""
    table = Table(box=None, show_header=bool(block.head), pad_edge=False, padding=(0, 2, 0, 0))
    columns = [cells for cells in enumerate(zip(*block.rows, strict=True)) if any(cells[1])]
    for column, cells in columns:
        head = printable(block.head[column]) if block.head else ""
        is_money = all(map(is_sum, cells))
        table.add_column(
            Text(head.replace(" ", "\n") if narrow else head),
            justify="right" if is_money else "left",
            no_wrap=is_money or all(not cell or is_id(cell) for cell in cells),
            overflow="fold",
        )
    for row in zip(*(cells for _, cells in columns), strict=True):
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table


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
        ("Gaming date", str(heading.gaming_date)),
        ("Opened", f"{heading.opened:%Y-%m-%d %H:%M:%S %Z} ({heading.zone})" if heading.opened else ""),
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
    """Return each hand with its cards in the order dealt, and what lies there counts."""
    return [(called(each.hand), _lies(each.pieces), counted(each)) for each in hands]


def _lies(pieces: Sequence[Piece]) -> str:
    """Write what lies there, what is disregarded in brackets.

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

    >>> standing("adopted", date(2014, 2, 1)), standing("house control", None)
    ('adopted, since 2014-02-01', '')
    """
    return f"{status}, since {since}" if since is not None else ""


def money(cents: int | None, unknown: Unknown = "") -> str:
    """Write cents as dollars, or say what is the matter where they are not known.

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
