"""Cards, tiles, dice and chips as vector shapes of our own, and the elements of SVG and HTML that they are.

Lengths are in the units of the drawing. Names, attributes and words are all escaped by the serialiser.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final
from xml.etree.ElementTree import Element, tostring

from msgspec import Struct

from projections.engine.observation import Piece
from projections.views.cells import printable

SVG: Final = "http://www.w3.org/2000/svg"
FONT: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"
INK: Final = "#1a1a1a"
RED: Final = "#b00020"
FAINT: Final = "#555"

HEIGHT: Final = 66  # of a card and a tile
_WIDE: Final = 48
_TILE: Final = 34
_DIE: Final = 32
_PIP: Final = 2.6
_BACK: Final = 6  # between the lines of a back

# Suits in a square of 100, drawn for this page.
_SUITS: Final[Mapping[str, str]] = {
    "h": "M50 94C14 64 2 47 2 29C2 13 13 4 26 4C37 4 46 11 50 23C54 11 63 4 74 4C87 4 98 13 98 29"
    "C98 47 86 64 50 94Z",
    "d": "M50 2C60 20 74 36 90 50C74 64 60 80 50 98C40 80 26 64 10 50C26 36 40 20 50 2Z",
    "s": "M50 2C58 24 98 42 98 66C98 80 88 87 77 87C67 87 59 81 54 72C55 85 60 94 68 98L32 98"
    "C40 94 45 85 46 72C41 81 33 87 23 87C12 87 2 80 2 66C2 42 42 24 50 2Z",
    "c": "M28 25a22 22 0 1 1 44 0a22 22 0 1 1-44 0ZM2 60a22 22 0 1 1 44 0a22 22 0 1 1-44 0Z"
    "M54 60a22 22 0 1 1 44 0a22 22 0 1 1-44 0ZM40 38L60 38L56 62C56 80 60 92 68 98L32 98C40 92 44 80 44 62Z",
}
# The places of a number's pips, in a square of 4.
_PIPS: Final[Mapping[str, Sequence[tuple[int, int]]]] = {
    "1": ((2, 2),),
    "2": ((1, 1), (3, 3)),
    "3": ((1, 1), (2, 2), (3, 3)),
    "4": ((1, 1), (3, 1), (1, 3), (3, 3)),
    "5": ((1, 1), (3, 1), (2, 2), (1, 3), (3, 3)),
    "6": ((1, 1), (3, 1), (1, 2), (3, 2), (1, 3), (3, 3)),
}


class Shape(Struct, frozen=True):
    """Drawable: its size, and how to draw it with its upper left corner at a place."""

    width: int
    height: int
    draw: Callable[[Element, int, int], None]


def words(parent: Element, text: str, x: int, y: int, size: int = 12, **more: object) -> None:
    """Write a line; `y` is its base."""
    add(parent, "text", text, **{"x": x, "y": y, "font_size": size, "fill": INK} | more)


def piece(lies: Piece) -> Shape:
    """Draw a card, a tile, a roll of dice, or the back of a piece that lies face down."""
    face, wide = lies.face, _TILE if lies.kind == "tile" else _WIDE
    if face is None:
        return Shape(wide, HEIGHT, lambda into, x, y: _back(into, x, y, wide))
    if lies.kind == "card":
        return Shape(wide, HEIGHT, lambda into, x, y: _card(into, x, y, face, counts=lies.counts))
    numbers = face.split("-")
    if lies.kind == "dice":
        return Shape(_DIE * len(numbers) + 4, _DIE, lambda into, x, y: _dice(into, x, y, numbers))
    return Shape(_TILE, HEIGHT, lambda into, x, y: _tile(into, x, y, numbers))


def _card(into: Element, x: int, y: int, face: str, *, counts: bool) -> None:
    _paper(into, x, y, _WIDE, HEIGHT, counts=counts)
    rank, suit = "10" if face[0] == "T" else face[0], face[1]
    ink = RED if suit in "dh" else INK
    words(into, rank, x + 5, y + 18, 17, fill=ink, font_weight="bold")
    if suit in _SUITS:
        _suit(into, suit, x + 6, y + 23, 11, ink)
        _suit(into, suit, x + 19, y + 34, 25, ink)
    else:
        words(into, "?", x + 24, y + 56, 24, fill=ink)
    if not counts:
        add(
            into, "path", d=f"M{x + 4} {y + HEIGHT - 4}L{x + _WIDE - 4} {y + 4}", stroke=FAINT, stroke_width=2
        )


def _suit(into: Element, suit: str, x: int, y: int, size: int, ink: str) -> None:
    add(into, "path", d=_SUITS[suit], fill=ink, transform=f"translate({x} {y}) scale({size / 100})")


def _back(into: Element, x: int, y: int, wide: int) -> None:
    _paper(into, x, y, wide, HEIGHT, counts=True)
    lines = "".join(
        f"M{x + 5} {y + at}L{x + wide - 5} {y + at}" for at in range(_BACK, HEIGHT - _BACK + 1, _BACK)
    )
    across = "".join(f"M{x + at} {y + 5}L{x + at} {y + HEIGHT - 5}" for at in range(_BACK, wide, _BACK))
    add(into, "path", d=lines + across, stroke=FAINT, stroke_width=1, fill="none")


def _tile(into: Element, x: int, y: int, numbers: Sequence[str]) -> None:
    _paper(into, x, y, _TILE, HEIGHT, counts=True)
    half = HEIGHT // 2
    add(into, "path", d=f"M{x} {y + half}L{x + _TILE} {y + half}", stroke=INK, stroke_width=1)
    for place, number in enumerate(numbers):
        _pips(into, x, y + place * half, _TILE, half, number)


def _dice(into: Element, x: int, y: int, numbers: Sequence[str]) -> None:
    for place, number in enumerate(numbers):
        at = x + place * _DIE + 2 * place
        _paper(into, at, y, _DIE, _DIE, counts=True)
        _pips(into, at, y, _DIE, _DIE, number)


def _pips(into: Element, x: int, y: int, width: int, height: int, number: str) -> None:
    for across, down in _PIPS[number]:
        add(into, "circle", cx=x + width * across // 4, cy=y + height * down // 4, r=_PIP, fill=INK)


def _paper(into: Element, x: int, y: int, width: int, height: int, *, counts: bool) -> None:
    edge = {} if counts else {"stroke_dasharray": "4 3"}
    paper = "#fff" if counts else "#eee"
    add(into, "rect", x=x, y=y, width=width, height=height, rx=5, fill=paper, stroke=INK, **edge)


def chip(into: Element, x: int, y: int) -> None:
    """Draw a chip around a place."""
    add(into, "circle", cx=x, cy=y, r=7, fill="#fff", stroke=INK, stroke_width=2)
    add(into, "circle", cx=x, cy=y, r=4, fill="none", stroke=INK, stroke_dasharray="2 2")


def pointer(into: Element, x: int, y: int) -> None:
    """Draw the mark of a difference: a filled triangle that points to the left."""
    add(into, "path", d=f"M{x} {y}L{x + 10} {y - 6}L{x + 10} {y + 6}Z", fill=RED)


def element(tag: str, text: str = "", /, **attributes: object) -> Element:
    """Make an element; an underscore in the name of an attribute stands for a hyphen.

    >>> markup(element("text", "a<b", font_size=12, x=1))
    '<text font-size="12" x="1">a&lt;b</text>'
    """
    attributes_text = {name.strip("_").replace("_", "-"): str(value) for name, value in attributes.items()}
    made = Element(tag, attributes_text)
    made.text = printable(text) or None
    return made


def add(parent: Element, tag: str, text: str = "", /, **attributes: object) -> Element:
    """Make an element within another."""
    made = element(tag, text, **attributes)
    parent.append(made)
    return made


def markup(root: Element) -> str:
    """Write an element and all that is in it, well-formed as XML; what a terminal would hide is escaped."""
    return tostring(root, encoding="unicode")
