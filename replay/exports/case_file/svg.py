"""A picture as SVG that stands on its own: vector shapes, no script, no font or image from elsewhere.

It carries its text alternative, and is no wider than a sheet of Letter is between its margins.
"""

import textwrap
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element

from msgspec import Struct
from rich.cells import cell_len

from projections.engine.observation import Piece
from projections.views.shapes import (
    FAINT,
    FONT,
    SVG,
    Shape,
    add,
    chip,
    element,
    markup,
    piece,
    pointer,
    words,
)
from projections.views.table_picture import (
    LyingView,
    PicturePlace,
    TablePicture,
    called,
    counted,
    describe_piece,
    difference,
    picture_text,
    staked,
    sums,
)
from projections.views.wager_view import AnySpot
from replay.lists.writers import printable

WIDTH: Final = 760
_MARGIN: Final = 12
_GAP: Final = 8  # between pieces
_APART: Final = 20  # between hands and between places
_LINE: Final = 17
_CELL: Final = 7.25  # a character of 12 units in a typewriter's face
_TITLE: Final = 16
_LONGEST: Final = 62  # characters of a line below a hand
_DOWN_TO_NUMBER: Final = 14
_INSIDE: Final = 10  # between a place's frame and its contents


class HandDrawing(Struct, frozen=True):
    """A picture with the lines that name it; the first is the heading."""

    heading: tuple[str, ...]
    picture: TablePicture


def drawing(shots: Sequence[HandDrawing]) -> bytes:
    """Draw pictures below each other into one file."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{markup(svg(shots))}\n'.encode()


def svg(shots: Sequence[HandDrawing]) -> Element:
    """Draw pictures below each other."""
    tells = [sentence for shot in shots for sentence in (*shot.heading, *picture_text(shot.picture))]
    root = _root("hand", "; ".join(shot.heading[0] for shot in shots), " ".join(tells))
    paper = add(root, "rect", width=WIDTH, fill="#fff")
    down = _MARGIN
    for shot in shots:
        down = _shot(root, shot, down) + _MARGIN
    _sized(root, WIDTH, down)
    paper.set("height", str(down))
    return root


def places(picture: TablePicture, name: str) -> list[Element]:
    """Draw each place separately, as a page of text can use them; `name` distinguishes pictures."""
    shapes = []
    for number, place in enumerate(picture.places, 1):
        alone = TablePicture(place.title, (place,))
        root = _root(f"{name}-{number}", place.title, " ".join(picture_text(alone)))
        shape = _place(place)
        shape.draw(root, 1, 1)
        _sized(root, shape.width + 2, shape.height + 2)
        shapes.append(root)
    return shapes


def _root(name: str, title: str, desc: str) -> Element:
    labels = f"{name}-title {name}-desc"
    root = element("svg", xmlns=SVG, role="img", aria_labelledby=labels, font_family=FONT)
    add(root, "title", title, id=f"{name}-title")
    add(root, "desc", desc, id=f"{name}-desc")
    return root


def _sized(root: Element, width: int, height: int) -> None:
    root.set("viewBox", f"0 0 {width} {height}")
    root.set("width", str(width))
    root.set("height", str(height))


def _shot(into: Element, shot: HandDrawing, down: int) -> int:
    for place, text in enumerate(shot.heading):
        longest, size, weight = (100, 12, "normal") if place else (70, _TITLE, "bold")
        for line in textwrap.wrap(printable(text), longest):
            down += _LINE + (0 if place else 4)
            words(into, line, _MARGIN, down, size, font_weight=weight)
    down += _APART
    shape = _flowed([_place(each) for each in shot.picture.places], WIDTH - 2 * _MARGIN, _APART)
    shape.draw(into, _MARGIN, down)
    down += shape.height + _APART
    words(into, key(shot.picture), _MARGIN, down, 11, fill=FAINT)
    return down


def key(picture: TablePicture) -> str:
    """Return what the numbers and marks of a picture mean."""
    pieces = [piece for place in picture.places for hand in place.hands for piece in hand.pieces]
    message = ["The number below a piece is its line in what was seen."] if pieces else []
    if not all(piece.counts for piece in pieces):
        message.append("A card that is crossed out is disregarded.")
    return " ".join(message)


# ── places ───────────────────────────────────────────────────────────────────────────────────────────


def _place(place: PicturePlace) -> Shape:
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


def _hand(hand: LyingView, width: int) -> Shape:
    count = counted(hand)
    title = _lines([called(hand.hand) + (f": {count}" if count else "")], bold=True)
    pieces = [_piece(each) for each in hand.pieces] or [_lines(["no cards"])]
    lies = _flowed(pieces, width, _GAP)

    def draw(into: Element, x: int, y: int) -> None:
        title.draw(into, x, y)
        lies.draw(into, x, y + title.height + 4)

    return Shape(max(title.width, lies.width), title.height + 4 + lies.height, draw)


def _piece(lies: Piece) -> Shape:
    shape = piece(lies)

    def draw(into: Element, x: int, y: int) -> None:
        group = add(into, "g")
        add(group, "title", f"line {lies.line}: {describe_piece(lies)}")
        shape.draw(group, x, y)
        number = {"text_anchor": "middle", "fill": FAINT}
        words(
            group, str(lies.line), x + shape.width // 2, y + shape.height + _DOWN_TO_NUMBER - 1, 11, **number
        )

    return Shape(shape.width, shape.height + _DOWN_TO_NUMBER, draw)


def _wager(spot: AnySpot) -> Shape:
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


def _flowed(shapes: Sequence[Shape], width: int, gap: int) -> Shape:
    """Return shapes side by side as far as the width allows, then below."""
    placed: list[tuple[Shape, int, int]] = []
    x = y = tall = wide = 0
    for shape in shapes:
        if x and x + shape.width > width:
            x, y, tall = 0, y + tall + gap, 0
        placed.append((shape, x, y))
        wide, tall = max(wide, x + shape.width), max(tall, shape.height)
        x += shape.width + gap

    def draw(into: Element, left: int, top: int) -> None:
        for shape, right, down in placed:
            shape.draw(into, left + right, top + down)

    return Shape(wide, y + tall, draw)
