"""A picture drawn in a terminal: cards, tiles and dice as boxes, below each its line in what was seen.

Everything can be told without colour, and in plain ASCII.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from rich.text import Text

from projections.engine.observation import Piece
from projections.views.table_picture import (
    LyingView,
    Picture,
    Place,
    called,
    counted,
    difference_parts,
    staked,
)
from projections.views.wager_view import AnySpot
from replay.lists.writers import printable

_GAP: Final = 3  # blanks between what lies side by side
_CARD: Final = 3  # cells inside a card's frame, and inside a die's and half a tile's

# Where the pips of a number lie, row by row; the six of dice and tiles is the same.
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
    """What is drawn with: frames, pips, backs, suits, chips, and the mark of a difference."""

    corners: str  # top left, top, top right, side, bottom left, bottom right, and where a tile is halved
    back: str
    pip: str
    chip: str
    mark: str
    aside: str
    suits: Mapping[str, str]


DRAWN: Final = Ink("┌─┐│└┘┬│┴", "░", "●", "●", "◄", "×", dict(zip("cdhs?", "♣♦♥♠?", strict=True)))  # noqa: RUF001  a cross
PLAIN: Final = Ink("+-+|+++|+", "#", "o", "o", "<-", "x", dict(zip("cdhs?", "cdhs?", strict=True)))

# Lines of one width that are put beside or below others.
Patch = list[Text]


def draw_lines(picture: Picture, width: int, ink: Ink) -> list[Text]:
    """Draw a table into lines of at most `width` cells, unless one piece alone is wider."""
    lines = _flowed([_place(place, width, ink) for place in picture.places], width)
    pieces = [piece for place in picture.places for hand in place.hands for piece in hand.pieces]
    key = ["The number below a piece is its line in what was seen."] if pieces else []
    if any(not piece.counts for piece in pieces):
        key.append(f"{ink.aside} is disregarded.")
    return [*lines, *([Text(), Text(" ".join(key))] if key else [])]


def _place(place: Place, width: int, ink: Ink) -> Patch:
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
    number = f"{piece.line}{'' if piece.counts else ink.aside}"
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
    """Put a frame around cells, and a line between halves."""
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
    """Put patches side by side as long as there is room, then below, with blank lines `between`."""
    rows: list[list[Patch]] = []
    room = 0
    for patch in patches:
        wide = _width(patch)
        if rows and wide + gap <= room:
            rows[-1].append(patch)
            room -= wide + gap
        else:
            rows.append([patch])
            room = width - wide
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
