"""Chapter 685a as the simulator knows it, worked from the text by hand."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Literal

from msgspec import Struct

from streams.simulator.games.hands import is_blackjack, total

_MOST: Final = 21
_STANDOFF: Final = 22
_LOST, _RETURNED, _EVEN, _3_TO_2 = Fraction(-1), Fraction(0), Fraction(1), Fraction(3, 2)
# 685a.1: the value ranges, by the ranks as they stand on a card.
_RANGES: Final = {"small": "2345", "medium": "6789", "large": "TJQKA"}
# 685a.11(c): by decks, what a matching card pays: of the same suit, of another; 685a.6(e): no other decks.
MATCH: Final = {6: (11, 4), 8: (14, 3)}


class Ways(Struct, frozen=True):
    """Choices of the house at a table."""

    dealer_ace_limit: Literal[21, 22] = 22
    large_after_split: bool = False
    bust_on_22: Literal["collect", "return"] = "collect"
    match_the_dealer_pays: Literal["each", "best"] = "each"


def range_of(card: str) -> str:
    """Return the value range of a card, 685a.1.

    >>> [range_of(card) for card in ("2c", "5c", "6c", "9c", "Tc", "Ac")]
    ['small', 'small', 'medium', 'medium', 'large', 'large']
    """
    return next(name for name, ranks in _RANGES.items() if card[0] in ranks)


def dealer_total(cards: Sequence[str], ways: Ways) -> int:
    """Count the dealer's hand: an ace 11 while the whole is not over the limit, 685a.3(d)(3).

    >>> dealer_total(["Ac", "Ad"], Ways()), dealer_total(["Ac", "Ad"], Ways(dealer_ace_limit=21))
    (22, 12)
    >>> dealer_total(["Ac", "5d", "6d"], Ways()), dealer_total(["Ac", "5d", "6d"], Ways(dealer_ace_limit=21))
    (22, 12)
    """
    return total(cards, ways.dealer_ace_limit)


def times(cards: Sequence[str], dealer: Sequence[str], ways: Ways, *, is_split: bool) -> Fraction:
    """Return how many times itself the Bet Wager on a hand gains against the dealer's, 685a.7(h) to (q).

    A Blackjack is paid 3 to 2 before the dealer draws, 685a.7(i)(1).
    """
    ours, theirs = total(cards), dealer_total(dealer, ways)
    if is_blackjack(cards) and not is_split:
        return _RETURNED if is_blackjack(dealer) else _3_TO_2
    if is_blackjack(dealer):
        return _LOST
    if ours > _MOST:
        return _RETURNED if theirs == _STANDOFF and ways.bust_on_22 == "return" else _LOST
    if theirs == _STANDOFF:
        return _EVEN if ours == _MOST or _is_large(cards, ways, is_split=is_split) else _RETURNED
    if theirs > _STANDOFF or ours > theirs:
        return _EVEN
    return _RETURNED if ours == theirs else _LOST


def _is_large(cards: Sequence[str], ways: Ways, *, is_split: bool) -> bool:
    """Exactly two original cards, both Large, 685a.7(n)(1)."""
    is_original = len(cards) == 2 and (ways.large_after_split or not is_split)  # noqa: PLR2004  the text's own figure
    return is_original and all(range_of(card) == "large" for card in cards)
