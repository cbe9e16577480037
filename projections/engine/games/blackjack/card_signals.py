"""Signals of the cards to the wager in games of Blackjack: the first card, and the count of high cards."""

from collections.abc import Mapping, Sequence
from typing import Final

from projections.engine.card_signals import CardSignals, WagerSignals, first_card
from projections.engine.observation import Key

_AHEAD: Final = frozenset("ATJQK")
# Low cards that are gone leave high ones, and those the player is paid more for.
_TAGS: Final = dict.fromkeys("23456", 1) | dict.fromkeys("TJQKA", -1)


def signals_on(main: str) -> CardSignals:
    """Return the signals of a game whose first wager is called so."""

    def signals(seat: int, stakes: Mapping[Key, int], play: Sequence[tuple[str, str]]) -> WagerSignals:
        size = sum(cents for (_, _, wager, hand), cents in stakes.items() if wager == main and hand is None)
        card = first_card(play, f"seat{seat}")
        return WagerSignals(size or None, card[0] in _AHEAD if card is not None else None, size)

    return CardSignals(signals=signals, tags=_TAGS)
