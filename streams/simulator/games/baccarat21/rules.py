"""Chapter 681a as the simulator knows it, worked from the text by hand."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

# 681a.8(c): pay table -> hand -> how many to 1.
PAYS: Final = {
    "A": {"three_7s": 100, "three_alike": 40, "straight": 11, "three_card_21": 5, "pair": 3},
    "B": {"three_7s": 80, "three_alike": 40, "straight": 12, "three_card_21": 5, "pair": 3},
    "C": {"three_7s": 80, "three_alike": 40, "straight": 10, "three_card_21": 6, "pair": 3},
    "D": {"three_7s": 100, "three_alike": 40, "straight": 10, "three_card_21": 5, "pair": 3},
    "E": {"three_7s": 80, "three_alike": 40, "straight": 11, "three_card_21": 5, "pair": 3},
    "F": {"three_7s": 80, "three_alike": 35, "straight": 12, "three_card_21": 5, "pair": 3},
}
# Ranks whose three in a row are a straight, the ace at either end.
_RUN: Final = "A23456789TJQKA"
_MOST: Final = 21


Paper: TypeAlias = Literal["A", "B", "C", "D", "E", "F"]


class Ways(Struct, frozen=True):
    """Choices of the house at a table."""

    bonus_paytable: Paper = "D"


def total(cards: Sequence[str]) -> int:
    """Count a hand, 681a.3(d): an ace 11, or 1 where that would be over 21; two aces are 12.

    >>> total(["Ah", "Kd"]), total(["Ah", "As"]), total(["Ah", "5s", "9c"]), total(["Kd", "6s", "9c"])
    (21, 12, 15, 25)
    """
    low = sum(1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in cards)
    return low + 10 if any(card[0] == "A" for card in cards) and low + 10 <= _MOST else low


def is_natural(cards: Sequence[str]) -> bool:
    """Two aces, or an ace and a ten-value card, 681a.1."""
    ranks = [card[0] for card in cards[:2]]
    return "A" in ranks and all(rank in "ATJQK" for rank in ranks)


def draws(cards: Sequence[str]) -> bool:
    """Return True if a hand takes a card, 681a.7(f)(2), (g): under a hard or soft 17."""
    return total(cards[:2]) < 17  # noqa: PLR2004  the text's own figure


def winner(player: Sequence[str], banker: Sequence[str]) -> str:
    """Compare what counts of two hands, 681a.7(i), (j): `player`, `banker` or `tie`.

    >>> winner(["Kd", "8s"], ["Kd", "6s", "9c"]), winner(["Kd", "6s", "8c"], ["Kd", "6s", "9c"])
    ('player', 'player')
    """
    ours, theirs = total(player), total(banker)
    if ours == theirs:
        return "tie"
    if ours <= _MOST and theirs <= _MOST:
        return "player" if ours > theirs else "banker"
    return "player" if ours < theirs else "banker"


def ties(player: Sequence[str], banker: Sequence[str]) -> bool:
    """Return True if the Tie Wager wins, 681a.6(d)(1): two aces tie only with two aces."""
    both = [[card[0] for card in hand] == ["A", "A"] for hand in (player, banker)]
    return all(both) if any(both) else total(player) == total(banker)


def bonus(cards: Sequence[str], table: str) -> int:
    """Return how many to 1 a Bonus Wager on a hand is paid, 681a.3(e), 681a.8(c); 0 if it loses.

    An initial pair whose third card makes 21 is paid for both.

    >>> bonus(["7h", "7s", "7c"], "D"), bonus(["6h", "6s", "9c"], "D"), bonus(["5h", "9s", "5c"], "D")
    (100, 8, 0)
    >>> bonus(["Qh", "Ks", "Ac"], "D"), bonus(["Kh", "As", "2c"], "D")
    (10, 0)
    """
    pays, ranks = PAYS[table], [card[0] for card in cards]
    pair = pays["pair"] if ranks[0] == ranks[1] else 0
    if len(ranks) < 3:  # noqa: PLR2004  a pair needs two cards, all else three
        return pair
    if ranks == ["7"] * 3:
        return pays["three_7s"]
    if len(set(ranks)) == 1:
        return pays["three_alike"]
    if any(sorted(ranks) == sorted(_RUN[start : start + 3]) for start in range(len(_RUN) - 2)):
        return pays["straight"]
    return pair + (pays["three_card_21"] if total(cards) == _MOST else 0)
