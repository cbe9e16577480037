"""A hand as it lies on the table: its cards, tiles or rolls with their lines in the play.

A card that the rules disregard is shown and does not count. One that was never turned up shows its back. A
game whose hands are more than the cards dealt to each has its own module `table_layout`.
"""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, Literal, TypeAlias

from projections.engine.facts import Fact, fact, listed
from projections.engine.game import Game
from projections.engine.games import game_of, module_of
from projections.engine.observation import OUT_OF_PLAY, Lying, LyingOf, Piece, PieceKind, Round
from schemas.rulebook import Rulebook
from schemas.values import CARDS, TILES

_ROLL: Final = re.compile(r"[1-6](-[1-6])+")
# The rulebook is absent if none was in force or the cards are in doubt: then nothing is disregarded.
Reader: TypeAlias = Callable[[Game, Round, Rulebook | None], list[Lying]]


def remarks(*each: Fact) -> Fact | Literal[""]:
    """Return what else is to be known of a count, in one."""
    return fact("engine.remarks", each=listed(*each)) if each else ""


def is_piece(who: str, what: str) -> bool:
    """Return True if an act of the play put something on the table.

    >>> is_piece("banker", "6d"), is_piece("dice", "3-4"), is_piece("dealer", "no_more_bets")
    (True, True, False)
    """
    return kind_of(who, what) is not None


def kind_of(who: str, what: str) -> PieceKind | None:
    """Return what an act of the play put on the table: a card, a tile or a roll; None if nothing.

    >>> kind_of("banker", "6d"), kind_of("dice", "3-4"), kind_of("dealer", "no_more_bets")
    ('card', 'dice', None)
    """
    if what in CARDS:
        return "card"
    if who == "dice":
        return "dice" if _ROLL.fullmatch(what) else None
    return "tile" if what in TILES else None


def piece_at(observed: Round, place: int, *, counts: bool = True) -> Piece:
    """Return what stands at a place of the play."""
    who, what = observed.play[place]
    return Piece(what, place + 1, counts, kind_of(who, what) or "card")


def pieces(observed: Round, places: Iterable[int], disregarded: Collection[int] = ()) -> tuple[Piece, ...]:
    """Return the pieces that stand at places of the play, in the order of these.

    `disregarded` are of them.
    """
    return tuple(piece_at(observed, place, counts=place not in disregarded) for place in sorted(places))


def places_of(observed: Round, hand: str) -> list[int]:
    """Return where in the play something came to a hand."""
    return [place for place, (who, what) in enumerate(observed.play) if who == hand and is_piece(who, what)]


def unturned(laid: Iterable[LyingOf[Any]]) -> frozenset[int]:
    """Return the lines of pieces that lie face down.

    >>> unturned([Lying("dealer", (Piece("6c", 3), Piece(None, 6)), None)])
    frozenset({6})
    """
    return frozenset(piece.line for hand in laid for piece in hand.pieces if piece.face is None)


def lying(chapter: str, observed: Round, book: Rulebook | None) -> tuple[Lying, ...]:
    """Return the layout of the hands of a round, the discards last.

    `book` is None if no text was in force or the cards are in doubt: then no card is disregarded.
    """
    own = module_of(chapter, "table_layout")
    reader: Reader = own.lying if own is not None else _as_dealt
    out_of_play = OUT_OF_PLAY & {who for who, _ in observed.play}
    discards = [
        Lying(hand, pieces(observed, at, at), None)
        for hand in sorted(out_of_play)
        if (at := places_of(observed, hand))
    ]
    return (*reader(game_of(chapter), observed, book), *discards)


def _as_dealt(game: Game, observed: Round, book: Rulebook | None) -> list[Lying]:
    del book
    return [
        Lying(each.hand, pieces(observed, places_of(observed, each.hand)), each.point_count)
        for each in game.hands(observed)
    ]
