"""Signals of the cards to a wager beyond what it is owed: the next card, and the count of the shoe.

No hand is judged by them. A game that has such signals has a module `card_signals` with these functions,
which the patterns over many rounds use.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from projections.engine.games import module_of
from projections.engine.observation import Key
from schemas.values import CARDS

Result: TypeAlias = Literal["win", "push", "lose"]


class WagerSignals(Struct, frozen=True):
    """Relation of one person's wagers of a round to the cards.

    `size_cents` is the size that would go with the next card to be drawn, signed if that card may be for or
    against it. `is_ahead` is true if the card was one to be ahead by. Both are None if there is no such size
    or card. `counted_cents` is the sum of the wagers that depend on the cards that have left the shoe.
    """

    size_cents: int | None = None
    is_ahead: bool | None = None
    counted_cents: int = 0


class CardSignals(Struct, frozen=True):
    """A game's signals; the defaults are those of a game that has none.

    `signals` takes a seat, the cents of its wagers and the play. `tags` are what a rank that left the shoe
    adds to its count. If wagers `end_alike`, all wagers of one name end the same way, and `by_outcome` maps
    the announced result to that end.
    """

    signals: Callable[[int, Mapping[Key, int], Sequence[tuple[str, str]]], WagerSignals] = (
        lambda _seat, _stakes, _play: WagerSignals()
    )
    tags: Mapping[str, int] = {}
    end_alike: bool = False
    by_outcome: Callable[[str | None, str], Result | None] = lambda _outcome, _wager: None

    def count(self, cards: Iterable[str]) -> int:
        """Return what cards that leave the shoe add to its count."""
        return sum(self.tags.get(card[0], 0) for card in cards)


_NONE: Final = CardSignals()


def signals_of(chapter: str) -> CardSignals:
    """Return the signals of a chapter's game."""
    module = module_of(chapter, "card_signals")
    found: CardSignals = module.SIGNALS if module is not None else _NONE
    return found


def first_card(play: Iterable[tuple[str, str]], hand: str) -> str | None:
    """Return the first card of a hand; None if none was read.

    >>> first_card([("banker", "9d"), ("player", "6c")], "player")
    '6c'
    """
    return next((what for who, what in play if who == hand and what in CARDS), None)
