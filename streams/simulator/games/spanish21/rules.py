"""Chapter 551 as the simulator knows it, worked from the text by hand."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Literal

from msgspec import Struct

from streams.simulator.games.hands import is_blackjack, total

_MOST: Final = 21
_TWO, _THREE = 2, 3
_EVEN, _3_TO_2, _2_TO_1, _3_TO_1 = Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)
_LOST, _RETURNED = Fraction(-1), Fraction(0)
# 551.6(g)(5) to (7): in how many cards a 21 pays what.
_LONG: Final = {5: _3_TO_2, 6: _2_TO_1, 7: _3_TO_1}
# 551.6(h): from how many cents of the original wager how many are paid, the higher first.
_FIXED: Final = ((2500, 500_000), (500, 100_000))
TO_OTHERS: Final = 5_000
# 551.7(e): by decks, what a matching card pays at least: of the same suit, of another.
LEAST_MATCH: Final = {6: (9, 4), 8: (12, 3)}


class Ways(Struct, frozen=True):
    """Choices of the house at a table."""

    match_the_dealer_odds: dict[str, int]
    fixed_payout_others: Literal["each", "once"] = "each"
    double_down_on: Literal["first_two", "any"] = "first_two"


def additional(cards: Sequence[str]) -> Fraction:
    """Return how many to 1 a winning hand that was not doubled is paid, 551.6(f), (g), a Blackjack apart.

    >>> [str(additional(hand.split())) for hand in ("6h 7s 8c", "6h 7h 8h", "8s 6s 7s")]
    ['3/2', '2', '3']
    >>> [str(additional(hand.split())) for hand in ("7h 7s 7c", "7d 7d 7d", "7s 7s 7s")]
    ['3/2', '2', '3']
    >>> [str(additional(hand.split())) for hand in ("2h 3h 4h 5h 7d", "2h 2d 3h 4h 5h 5d")]
    ['3/2', '2']
    >>> str(additional("As 2h 2d 3h 4h 4d 5h".split())), str(additional("Ah 2h 3h 4h 5h".split()))
    ('3', '1')
    """
    if total(cards) != _MOST:
        return _EVEN
    if len(cards) == _THREE and "".join(sorted(card[0] for card in cards)) in ("678", "777"):
        suits = {card[1] for card in cards}
        return _3_TO_2 if len(suits) > 1 else _3_TO_1 if suits == {"s"} else _2_TO_1
    return _LONG.get(min(len(cards), 7), _EVEN)


def times(cards: Sequence[str], dealer: Sequence[str], *, is_split: bool, is_doubled: bool) -> Fraction:
    """Return how many times itself the wager on a hand gains against the dealer's, 551.6(b), (c), (f), (g).

    A Blackjack wins 3 to 2 whatever the dealer has; a 21 in more cards wins unless he has a Blackjack.
    """
    ours, theirs = total(cards), total(dealer)
    if ours > _MOST:
        return _LOST
    if is_blackjack(cards) and not is_split:
        return _3_TO_2
    if is_blackjack(dealer):
        return _LOST
    if theirs > _MOST or ours > theirs or (ours == _MOST and len(cards) > _TWO):
        return _EVEN if is_doubled else additional(cards)
    return _RETURNED if ours == theirs else _LOST


def fixed(cards: Sequence[str], up: str, cents: int) -> int:
    """Return the fixed payout of a hand, in cents, neither doubled nor split, 551.6(h).

    >>> [fixed(["7h", "7h", "7h"], "7s", cents) for cents in (2500, 2499, 500, 499)]
    [500000, 100000, 100000, 0]
    >>> fixed(["7h", "7h", "7s"], "7s", 2500), fixed(["7h", "7h", "7h"], "8s", 2500)
    (0, 0)
    """
    all_sevens = len(cards) == _THREE and len(set(cards)) == 1 and cards[0][0] == "7"
    if not all_sevens or up[0] != "7":
        return 0
    return next((paid for least, paid in _FIXED if cents >= least), 0)
