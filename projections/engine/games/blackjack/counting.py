"""Cards read and added: what each counts, what an ace counts, and what an unread card could be."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from schemas.values import RANKS_OF, SUITS

ACE: Final = 1  # an ace is carried as one until the hand is added up
TEN: Final = 10  # tens, jacks, queens and kings
ACE_HIGH: Final = 11


def worth(rank: str) -> int:
    """Return a card's value by its rank: face value, ten for the court cards, an ace as one.

    >>> [worth(rank) for rank in "A29TK"]
    [1, 2, 9, 10, 10]
    """
    return "A23456789".find(rank) + 1 or TEN


def total(values: Iterable[int], limit: int) -> int:
    """Add up a hand: an ace counts 11 unless that leads beyond the limit.

    >>> total([1, 6], 21), total([1, 6, 9], 21), total([1, 1], 21), total([1, 1], 22)
    (17, 16, 12, 22)
    """
    counts, aces = 0, 0
    for value in values:
        counts += value
        aces += value == ACE
    while aces and counts + ACE_HIGH - ACE <= limit:
        counts += ACE_HIGH - ACE
        aces -= 1
    return counts


@lru_cache(maxsize=1024)
def ranks_of(card: str, ranks: str) -> str:
    """Return the ranks of the deck that a reading leaves possible.

    None for a card that the deck does not hold.

    >>> ranks_of("0?", "A23456789JQK"), ranks_of("Ts", "A23456789JQK"), ranks_of("9?", "A23456789JQK")
    ('JQK', '', '9')
    """
    return "".join(rank for rank in RANKS_OF[card[0]] if rank in ranks)


@lru_cache(maxsize=1024)
def values_of(card: str, ranks: str) -> tuple[int, ...]:
    """Return the values that a reading leaves possible, lowest first.

    >>> values_of("0?", "A23456789JQK"), values_of("Kd", "A23456789JQK")
    ((10,), (10,))
    >>> values_of("?s", "A23456789JQK")
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    """
    return tuple(sorted({worth(rank) for rank in ranks_of(card, ranks)}))


def suits_of(card: str) -> str:
    """Return the suits that a reading leaves possible.

    >>> suits_of("9s"), suits_of("9?")
    ('s', 'cdhs')
    """
    return card[1] if card[1] in SUITS else SUITS
