"""Baccarat dealt from a shoe of known cards, by the tableau of 631a.11 as it is printed.

It shares nothing with the games under projections: what a hand draws and what it pays stands here once more.
"""

import random
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
_WORTH: Final = {rank: min(place, 10) % 10 for place, rank in enumerate(RANKS, 1)}
# The Banker's count -> the Player's third cards, by their worth, upon which he draws.
_BANKER_DRAWS: Final = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}


def decks(number: int) -> list[str]:
    """Return so many decks in order."""
    return [f"{rank}{suit}" for suit in SUITS for rank in RANKS] * number


def shuffled(cards: list[str], rng: random.Random) -> list[str]:
    """Shuffle cards for a shoe, with an ace of clubs on top for the burn and no 8 of diamonds below it."""
    while True:
        shoe = [*cards]
        rng.shuffle(shoe)
        shoe.remove("Ac")
        if shoe[0] != "8d":
            return ["Ac", *shoe]


def points(cards: list[str]) -> int:
    """Count a hand."""
    return sum(_WORTH[card[0]] for card in cards) % 10


def deal(shoe: list[str]) -> tuple[str, str]:
    """Deal a round off the top of a shoe: its cards as `P9s B5d ...`, and who won."""
    player, banker = [shoe.pop(0)], [shoe.pop(0)]
    player.append(shoe.pop(0))
    banker.append(shoe.pop(0))
    third = ""
    if max(points(player), points(banker)) < 8:
        if points(player) <= 5:
            third = shoe.pop(0)
            player.append(third)
        if _banker_draws(points(banker), third):
            banker.append(shoe.pop(0))
    told = [f"P{player[0]}", f"B{banker[0]}", f"P{player[1]}", f"B{banker[1]}"]
    told += [f"P{card}" for card in player[2:]] + [f"B{card}" for card in banker[2:]]
    ahead = points(player) - points(banker)
    return " ".join(told), "tie" if ahead == 0 else "player" if ahead > 0 else "banker"


def _banker_draws(count: int, third: str) -> bool:
    if not third:
        return count <= 5
    return count <= 2 or _WORTH[third[0]] in _BANKER_DRAWS.get(count, set())
