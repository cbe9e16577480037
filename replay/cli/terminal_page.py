"""A page in a terminal or a pipe: its blocks as aligned rows, the table drawn with characters."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

import click
from msgspec import Struct
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from projections.engine.observation import Piece
from projections.views.cells import printable
from projections.views.table_picture import (
    LyingView,
    PicturePlace,
    TablePicture,
    called,
    counted,
    difference_parts,
    staked,
)
from projections.views.wager_view import AnySpot
from replay.exports.case_file.blocks import Block, is_id, is_sum

Form: TypeAlias = Literal["text", "json"]

_ANY_WIDTH: Final = 1 << 14  # a pipe has no width: one row, one line
_PIPE: Final = 80  # cells, of a picture where there is no terminal
_INDENT: Final = 2

# For both verbs that show one thing; the argument is called `form`, as `format` is Python's own.
form_option: Final = click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Form)),
    default="text",
    show_default=True,
    help="How to show it.",
)


def write_page(parts: Sequence[Block | TablePicture], *, ascii_only: bool = False) -> None:
    """Print blocks and pictures to standard output; a block without rows has a line for that.

    If the output cannot show all of Unicode, or with `ascii_only`, pictures are drawn in ASCII and other
    characters are escaped.
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


def _laid_out(part: Block | TablePicture, width: int, *, narrow: bool, plain: bool) -> Table | Text:
    if isinstance(part, TablePicture):
        # A line of a picture is not broken: it would be another picture.
        return Text("\n", no_wrap=True).join(draw_lines(part, width, PLAIN if plain else DRAWN))
    return _table(part, narrow=narrow) if part.rows else Text("none")


def _table(block: Block, *, narrow: bool) -> Table:
    """Align a block's cells; an empty column is left out. A `narrow` head has a word a line."""
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


# ── The table's picture in a terminal ───────────────────────────────────────────────────────────────────


_GAP: Final = 3  # blanks between columns
_CARD: Final = 3  # cells inside a card's frame, and inside a die's and half a tile's

# The pips of a number, row by row; the six of dice and tiles is the same.
_PIPS: Final[Mapping[str, tuple[str, str, str]]] = {
    "1": ("   ", " o ", "   "),
    "2": ("o  ", "   ", "  o"),
    "3": ("o  ", " o ", "  o"),
    "4": ("o o", "   ", "o o"),
    "5": ("o o", " o ", "o o"),
    "6": ("o o", "o o", "o o"),
}
_RED: Final = frozenset("dh")


class Ink(Struct, frozen=True):
    """Symbols of a drawing: frames, pips, backs, suits, chips, and the mark of a difference."""

    corners: str  # top left, top, top right, side, bottom left, bottom right, and where a tile is halved
    back: str
    pip: str
    chip: str
    mark: str
    sideways: str
    suits: Mapping[str, str]


DRAWN: Final = Ink("┌─┐│└┘┬│┴", "░", "●", "●", "◄", "×", dict(zip("cdhs?", "♣♦♥♠?", strict=True)))  # noqa: RUF001  a cross
PLAIN: Final = Ink("+-+|+++|+", "#", "o", "o", "<-", "x", dict(zip("cdhs?", "cdhs?", strict=True)))

# Lines of one width that are placed next to or below others.
Patch = list[Text]


def draw_lines(picture: TablePicture, width: int, ink: Ink) -> list[Text]:
    """Draw a table into lines of at most `width` cells, unless one piece alone is wider."""
    lines = _flowed([_place(place, width, ink) for place in picture.places], width)
    pieces = [piece for place in picture.places for hand in place.hands for piece in hand.pieces]
    key = ["The number below a piece is its line in what was seen."] if pieces else []
    if any(not piece.counts for piece in pieces):
        key.append(f"{ink.sideways} is disregarded.")
    return [*lines, *([Text(), Text(" ".join(key))] if key else [])]


def _place(place: PicturePlace, width: int, ink: Ink) -> Patch:
    hands = [_hand(hand, width, ink) for hand in place.hands]
    patch = _flowed(hands, width) if hands else [Text(printable(place.title), style="bold")]
    for spot in place.wagers:
        patch += _chips(spot, ink)
    return patch


def _chips(spot: AnySpot, ink: Ink) -> Patch:
    who = f" ({spot.bettor})" if spot.bettor else ""
    lines = [Text(printable(f"{ink.chip} {staked(spot)}{who}"))]
    parts = difference_parts(spot)
    return lines + [Text(printable(f"  {ink.mark} {part}"), style="bold") for part in parts]


def _hand(hand: LyingView, width: int, ink: Ink) -> Patch:
    count = counted(hand)
    title = Text(printable(called(hand.hand) + (f": {count}" if count else "")), style="bold")
    if not hand.pieces:
        return [title, Text("no cards")]
    return [title, *_flowed([_piece(piece, ink) for piece in hand.pieces], width, gap=1, between=0)]


def _piece(piece: Piece, ink: Ink) -> Patch:
    box = _framed(_cells(piece, ink), ink)
    number = f"{piece.line}{'' if piece.counts else ink.sideways}"
    return [*box, Text(number.center(box[0].cell_len))]


def _cells(piece: Piece, ink: Ink) -> list[list[Text]]:
    """Return the cells of a card, of a tile's two halves, or of the dice of a roll side by side."""
    face = piece.face
    if face is None:
        back = Text(ink.back * _CARD)
        return [[back] * 2] if piece.kind == "card" else [[back] * 3] * 2
    if piece.kind != "card":
        return [[Text(row.replace("o", ink.pip)) for row in _PIPS[each]] for each in face.split("-")]
    rank, suit = "10" if face[0] == "T" else face[0], face[1]
    return [[Text(cell.center(_CARD), "red" if suit in _RED else "") for cell in (rank, ink.suits[suit])]]


def _framed(halves: Sequence[Sequence[Text]], ink: Ink) -> Patch:
    """Return cells with a frame around them, and a line between halves."""
    left, over, right, side, low_left, low_right, above, between, below = list(ink.corners)
    top = left + above.join(over * _CARD for _ in halves) + right
    bottom = low_left + below.join(over * _CARD for _ in halves) + low_right
    rows = [Text.assemble(side, *_joined(cells, between), side) for cells in zip(*halves, strict=True)]
    return [Text(top), *rows, Text(bottom)]


def _joined(cells: Iterable[Text], between: str) -> list[Text]:
    parts: list[Text] = []
    for cell in cells:
        parts += [Text(between), cell] if parts else [cell]
    return parts


def _flowed(patches: Sequence[Patch], width: int, *, gap: int = _GAP, between: int = 1) -> Patch:
    """Return patches side by side as far as the width allows, then below, with blank lines `between`."""
    rows: list[list[Patch]] = []
    free = 0
    for patch in patches:
        wide = _width(patch)
        if rows and wide + gap <= free:
            rows[-1].append(patch)
            free -= wide + gap
        else:
            rows.append([patch])
            free = width - wide
    lines: Patch = []
    for row in rows:
        lines += [Text() for _ in range(between if lines else 0)]
        lines += _side_by_side(row, gap)
    return lines


def _side_by_side(row: Sequence[Patch], gap: int) -> Patch:
    widths = [_width(patch) for patch in row]
    lines = []
    for number in range(max(map(len, row))):
        line = Text()
        for patch, wide in zip(row, widths, strict=True):
            if line.cell_len or patch is not row[0]:
                line.append(" " * gap)
            cell = patch[number] if number < len(patch) else Text()
            line.append_text(cell).append(" " * (wide - cell.cell_len))
        line.rstrip()
        lines.append(line)
    return lines


def _width(patch: Patch) -> int:
    return max(line.cell_len for line in patch)
