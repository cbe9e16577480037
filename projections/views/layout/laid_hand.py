"""A hand as it lies on the table: its cards, tiles or rolls with their lines in what was seen.

A card that the rules disregard lies there and does not count. One that was never turned up shows its back.
"""

import re
from collections.abc import Collection, Iterable
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from projections.engine.facts import Fact, fact, listed
from projections.engine.observation import Round
from projections.views.text import text
from schemas.values import CARDS, TILES

_W = TypeVar("_W", Fact, str)

_ROLL: Final = re.compile(r"[1-6](-[1-6])+")


Kind: TypeAlias = Literal["card", "tile", "dice"]


class Piece(Struct, frozen=True):
    """A card, a tile or a roll of dice: its face, and its line in what was seen, from 1.

    `face` is None where it lies face down. `counts` is false where the rules disregard it.
    """

    face: str | None
    line: int
    counts: bool = True
    kind: Kind = "card"


class LyingOf(Struct, Generic[_W], frozen=True):
    """One hand: its pieces in the order in which they came to it, and what they count.

    `point_count` is a number or the game's own words, None where a card was not read or none lies there;
    `remark` is what else is to be known of the count, empty where that is nothing.
    """

    hand: str
    pieces: tuple[Piece, ...]
    point_count: int | str | None
    remark: _W | Literal[""] = ""


Lying: TypeAlias = LyingOf[Fact]
LyingView: TypeAlias = LyingOf[str]


def remarks(*each: Fact) -> Fact | Literal[""]:
    """Return what else is to be known of a count, in one."""
    return fact("views.layout.remarks", each=listed(*each)) if each else ""


def lying_view(lying: Lying) -> LyingView:
    """Return a hand with its remark in words."""
    remark = text(lying.remark) if lying.remark else ""
    return LyingView(lying.hand, lying.pieces, lying.point_count, remark)


def is_piece(who: str, what: str) -> bool:
    """Return True if an act of the play is something that lies on the table.

    >>> is_piece("banker", "6d"), is_piece("dice", "3-4"), is_piece("dealer", "no_more_bets")
    (True, True, False)
    """
    return kind_of(who, what) is not None


def kind_of(who: str, what: str) -> Kind | None:
    """Return what an act of the play laid on the table: a card, a tile or a roll; None where it laid nothing.

    >>> kind_of("banker", "6d"), kind_of("dice", "3-4"), kind_of("dealer", "no_more_bets")
    ('card', 'dice', None)
    """
    if what in CARDS:
        return "card"
    if who == "dice":
        return "dice" if _ROLL.fullmatch(what) else None
    return "tile" if what in TILES else None


def piece_at(seen: Round, place: int, *, counts: bool = True) -> Piece:
    """Return what stands at a place of the play."""
    who, what = seen.play[place]
    return Piece(what, place + 1, counts, kind_of(who, what) or "card")


def pieces(seen: Round, places: Iterable[int], disregarded: Collection[int] = ()) -> tuple[Piece, ...]:
    """Return the pieces that stand at places of the play, in the order of these.

    `disregarded` are of them.
    """
    return tuple(piece_at(seen, place, counts=place not in disregarded) for place in sorted(places))


def places_of(seen: Round, hand: str) -> list[int]:
    """Return where in the play something came to a hand."""
    return [place for place, (who, what) in enumerate(seen.play) if who == hand and is_piece(who, what)]


def unturned(laid: Iterable[LyingOf[Any]]) -> frozenset[int]:
    """Return the lines of what lies face down.

    >>> unturned([Lying("dealer", (Piece("6c", 3), Piece(None, 6)), None)])
    frozenset({6})
    """
    return frozenset(piece.line for hand in laid for piece in hand.pieces if piece.face is None)
