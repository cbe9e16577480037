"""How many of a player's first two cards match the dealer's up card."""

from collections.abc import Sequence
from itertools import product

from projections.engine.games.blackjack.counting import ranks_of, suits_of

Matches = tuple[int, int]  # cards of the dealer's rank and suit, cards of his rank alone


def matches(first_two: Sequence[str], up: str, ranks: str) -> set[Matches]:
    """Return how many cards match in suit too and how many in rank alone, in every way unread ones allow.

    A ten-value card matches its own rank only.

    >>> matches(["Ks", "Kd"], "Ks", "A23456789JQK")
    {(1, 1)}
    >>> sorted(matches(["Ks", "2d"], "K?", "A23456789JQK"))
    [(0, 1), (1, 0)]
    """
    found: set[Matches] = set()
    for rank, suit in product(ranks_of(up, ranks), suits_of(up)):
        ways = [_ways(card, rank, suit, ranks) for card in first_two]
        for combined in product(*ways):
            found.add((sum(same for same, _ in combined), sum(other for _, other in combined)))
    return found


def _ways(card: str, rank: str, suit: str, ranks: str) -> list[Matches]:
    """Return how one card can match a dealer's card of certain rank and suit."""
    own, suits = ranks_of(card, ranks), suits_of(card)
    ways: list[Matches] = []
    if own != rank:
        ways.append((0, 0))
    if rank in own:
        ways += [(1, 0)] if suit in suits else []
        ways += [(0, 1)] if suits != suit else []
    return ways
