"""A picture as SVG that stands on its own: vector shapes, no script, no font or image from elsewhere.

It carries its text alternative, and is as wide as a page of A4 is between its margins.
"""

import textwrap
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element

from msgspec import Struct
from rich.cells import cell_len

from projections.drawing.lying import Lying, Piece
from projections.drawing.picture import Picture, Place, told
from projections.drawing.words import called, counted, difference, piece_told, staked, sums
from projections.spots import Spot
from replay.drawing.markup import SVG, add, element, markup
from replay.drawing.shapes import FAINT, FONT, HEIGHT, Shape, chip, piece, pointer, words
from replay.rows import printable

WIDTH: Final = 760
_MARGIN: Final = 12
_GAP: Final = 8  # between pieces
_APART: Final = 20  # between hands and between places
_LINE: Final = 17
_CELL: Final = 7.25  # a character of 12 units in a typewriter's face
_TITLE: Final = 16
_LONGEST: Final = 62  # characters of a line below a hand
_DOWN_TO_NUMBER: Final = 14
_INSIDE: Final = 10  # between a place's frame and what lies in it


class Shot(Struct, frozen=True):
    """A picture with the lines that name it; the first is the heading."""

    heading: tuple[str, ...]
    picture: Picture


def drawing(shots: Sequence[Shot]) -> bytes:
    """Draw pictures below each other into one file."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{markup(svg(shots))}\n'.encode()


def svg(shots: Sequence[Shot], name: str = "hand", *, headed: bool = True) -> Element:
    """Draw pictures below each other; `name` tells its title and description from others on a page.

    A drawing that is not `headed` stands below its heading on a page.
    """
    root = element(
        "svg",
        xmlns=SVG,
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        font_family=FONT,
    )
    add(root, "title", "; ".join(shot.heading[0] for shot in shots), id=f"{name}-title")
    tells = [sentence for shot in shots for sentence in (*shot.heading, *told(shot.picture))]
    add(root, "desc", " ".join(tells), id=f"{name}-desc")
    paper = add(root, "rect", width=WIDTH, fill="#fff")
    down = _MARGIN
    for shot in shots:
        down = _shot(root, shot, down, headed=headed) + _MARGIN
    root.set("viewBox", f"0 0 {WIDTH} {down}")
    root.set("width", str(WIDTH))
    root.set("height", str(down))
    paper.set("height", str(down))
    return root


def _shot(into: Element, shot: Shot, down: int, *, headed: bool) -> int:
    for place, text in enumerate(shot.heading if headed else ()):
        for line in textwrap.wrap(printable(text), 70 if place == 0 else 100):
            down += _LINE + (4 if place == 0 else 0)
            words(
                into,
                line,
                _MARGIN,
                down,
                _TITLE if place == 0 else 12,
                font_weight="normal" if place else "bold",
            )
    down += _APART if headed else 0
    shape = _flowed([_place(each) for each in shot.picture.places], WIDTH - 2 * _MARGIN, _APART)
    shape.draw(into, _MARGIN, down)
    down += shape.height + _APART
    pieces = [piece for place in shot.picture.places for hand in place.hands for piece in hand.pieces]
    if pieces:
        crossed = (
            " A card that is crossed out is disregarded." if not all(each.counts for each in pieces) else ""
        )
        says = f"The number below a piece is its line in what was seen.{crossed}"
        words(into, says, _MARGIN, down, 11, fill=FAINT)
    return down


# ── places ───────────────────────────────────────────────────────────────────────────────────────────


def _place(place: Place) -> Shape:
    inner = WIDTH - 2 * _MARGIN - 2 * _INSIDE
    parts = [_hand(hand, inner) for hand in place.hands] or [_lines([place.title], bold=True)]
    hands = _flowed(parts, inner, _APART)
    wagers = [_wager(spot) for spot in place.wagers]
    width = max(shape.width for shape in (hands, *wagers)) + 2 * _INSIDE
    height = hands.height + sum(shape.height for shape in wagers) + 2 * _INSIDE

    def draw(into: Element, x: int, y: int) -> None:
        add(into, "rect", x=x, y=y, width=width, height=height, rx=8, fill="none", stroke="#bbb")
        hands.draw(into, x + _INSIDE, y + _INSIDE)
        down = y + _INSIDE + hands.height
        for shape in wagers:
            shape.draw(into, x + _INSIDE, down)
            down += shape.height

    return Shape(width, height, draw)


def _hand(hand: Lying, room: int) -> Shape:
    count = counted(hand)
    title = _lines([called(hand.hand) + (f": {count}" if count else "")], bold=True)
    pieces = [_piece(each) for each in hand.pieces] or [_lines(["no cards"])]
    lies = _flowed(pieces, room, _GAP)

    def draw(into: Element, x: int, y: int) -> None:
        title.draw(into, x, y)
        lies.draw(into, x, y + title.height + 4)

    return Shape(max(title.width, lies.width), title.height + 4 + lies.height, draw)


def _piece(lies: Piece) -> Shape:
    shape = piece(lies)

    def draw(into: Element, x: int, y: int) -> None:
        group = add(into, "g")
        add(group, "title", f"line {lies.line}: {piece_told(lies)}")
        shape.draw(group, x, y)
        number = {"text_anchor": "middle", "fill": FAINT}
        words(group, str(lies.line), x + shape.width // 2, y + HEIGHT + _DOWN_TO_NUMBER - 1, 11, **number)

    return Shape(shape.width, HEIGHT + _DOWN_TO_NUMBER, draw)


def _wager(spot: Spot) -> Shape:
    who = f" ({spot.bettor})" if spot.bettor else ""
    stake, came = _lines([f"{staked(spot)}{who}"]), _lines([sums(spot)])
    off = difference(spot)
    wrong = _lines([off], bold=True) if off else None
    rows = [shape for shape in (stake, came, wrong) if shape is not None]
    height = sum(shape.height for shape in rows) + _GAP

    def draw(into: Element, x: int, y: int) -> None:
        down = y + _GAP
        chip(into, x + 8, down + _LINE // 2 + 1)
        for shape in rows:
            if shape is wrong:
                pointer(into, x + 4, down + _LINE // 2 + 1)
            shape.draw(into, x + 22, down)
            down += shape.height

    return Shape(max(shape.width for shape in rows) + 22, height, draw)


def _lines(texts: Sequence[str], *, bold: bool = False) -> Shape:
    lines = [line for text in texts for line in _wrapped(printable(text))]
    weight = {"font_weight": "bold"} if bold else {}

    def draw(into: Element, x: int, y: int) -> None:
        for place, line in enumerate(lines, 1):
            words(into, line, x, y + place * _LINE - 4, 12, **weight)

    return Shape(int(max(map(cell_len, lines)) * _CELL) + 1, len(lines) * _LINE, draw)


def _wrapped(text: str) -> list[str]:
    """Break a text into lines; characters that are two cells wide have half as many."""
    longest = _LONGEST if cell_len(text) <= len(text) else _LONGEST // 2
    return textwrap.wrap(text, longest) or [""]


def _flowed(shapes: Sequence[Shape], room: int, gap: int) -> Shape:
    """Put shapes side by side as long as there is room, then below."""
    placed: list[tuple[Shape, int, int]] = []
    x = y = tall = wide = 0
    for shape in shapes:
        if x and x + shape.width > room:
            x, y, tall = 0, y + tall + gap, 0
        placed.append((shape, x, y))
        wide, tall = max(wide, x + shape.width), max(tall, shape.height)
        x += shape.width + gap

    def draw(into: Element, left: int, top: int) -> None:
        for shape, right, down in placed:
            shape.draw(into, left + right, top + down)

    return Shape(wide, y + tall, draw)
