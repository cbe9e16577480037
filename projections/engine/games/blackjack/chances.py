"""Hands by what bears on drawing, and how the dealer ends, where each card drawn is put back.

What a strategy reckons with that plays a game out (`simulation`). In a shoe it is only nearly right.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final

from projections.engine.games.blackjack.hands import ACE, TEN, total
from projections.engine.games.blackjack.manner import Manner

UNIT: Final = 10**12  # in which worths are told, to one wager
VALUES: Final = range(ACE, TEN + 1)

# A hand that draws: its points with each ace as one, and whether there is an ace.
Drawing = tuple[int, bool]


def with_card(hand: Drawing, value: int) -> Drawing:
    """Put a card to a hand.

    >>> drawn((10, False), 1)
    (11, True)
    """
    return hand[0] + value, hand[1] or value == ACE


@cache
def counted(hand: Drawing, limit: int) -> int:
    """Return a hand's total, of which an ace may count 11 up to a limit.

    >>> counted((7, True), 21), counted((12, True), 21), counted((12, True), 22)
    (17, 12, 22)
    """
    points, ace = hand
    return total([ACE, points - ACE] if ace else [points], limit)


class Dealer:
    """How a chapter's dealer draws; of the cards, `likely` are how many of each value there are, from 0."""

    def __init__(self, manner: Manner, likely: Sequence[int]) -> None:
        self._manner, self._likely = manner, likely
        self.ends = lru_cache(maxsize=None)(self._ends)

    def stands(self, hand: Drawing) -> int | None:
        """Return the total on which he stands, None where he draws."""
        count = counted(hand, self._manner.dealer_limit)
        return count if count >= self._manner.dealer_stands_at else None

    def _ends(self, hand: Drawing) -> dict[int, Fraction]:
        """Return how likely he ends with each total."""
        count = self.stands(hand)
        if count is not None:
            return {count: Fraction(1)}
        ends: dict[int, Fraction] = {}
        for value in VALUES:
            for end, chance in self.ends(with_card(hand, value)).items():
                share = chance * Fraction(self._likely[value], sum(self._likely))
                ends[end] = ends.get(end, Fraction(0)) + share
        return ends
