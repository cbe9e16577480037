"""Tiles: the high and the low hand of each position as they lie, and the stacks that were not opened."""

from projections.engine.facts import fact
from projections.engine.game import Game
from projections.engine.observation import Lying, Piece, Round, hand_name
from projections.engine.table_layout import is_piece, piece_at, pieces, places_of
from schemas.rulebook import Rulebook

_STACK = 4  # tiles, 535.8


def lying(game: Game, observed: Round, book: Rulebook | None) -> list[Lying]:
    """Return the layout: the roll, the hands in the order in which they were opened, unopened stacks."""
    del book
    laid = [
        Lying(each.hand, _lies(observed, each.hand), each.point_count)
        for each in game.hands(observed)
        if each.cards
    ]
    opened = {hand_name(each.hand).place for each in laid}
    rolls = pieces(observed, places_of(observed, "dice"))
    dice = [Lying("dice", rolls, None)] if rolls else []
    return [*dice, *laid, *_unopened(observed, opened)]


def _lies(observed: Round, hand: str) -> tuple[Piece, ...]:
    """Return the tiles of a hand as it was set last."""
    found: list[Piece] = []
    for place, (who, what) in enumerate(observed.play):
        if what == "reset" and who == hand_name(hand).place:
            found.clear()
        elif who == hand and is_piece(who, what):
            found.append(piece_at(observed, place))
    return tuple(found)


def _unopened(observed: Round, opened: set[str]) -> list[Lying]:
    """Return the stacks that were dealt and never opened: four backs."""
    return [
        Lying(who, (Piece(None, line, kind="tile"),) * _STACK, None, fact("games.paigow.not_laid_open"))
        for line, (who, what) in enumerate(observed.play, 1)
        if what == "deal" and who not in opened
    ]
