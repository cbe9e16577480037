"""The cards that a shoe should hold: number of decks, their ranks, and counts by card."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from msgspec import Struct

from schemas.rulebook import Rulebook
from schemas.values import RANKS, RANKS_OF, SUITS

_OF_A_RANK: Final = len(SUITS)


class Pack(Struct, frozen=True, gc=False):
    """So many decks of cards of some ranks, each rank in four suits: 52 cards a deck, 48 without the tens."""

    decks: int
    ranks: str = RANKS

    @property
    def kinds(self) -> int:
        """Return how many kinds of card there are, by rank and suit."""
        return len(self.ranks) * _OF_A_RANK

    @property
    def size(self) -> int:
        """Return how many cards there are."""
        return self.decks * self.kinds

    def cards(self) -> Iterator[str]:
        """Yield each kind of card once, in the order of suits and ranks.

        >>> list(Pack(6, "AK").cards())
        ['Ac', 'Kc', 'Ad', 'Kd', 'Ah', 'Kh', 'As', 'Ks']
        """
        return (rank + suit for suit in SUITS for rank in self.ranks)

    def holds(self, card: str) -> int:
        """Return how often the pack holds a card; for a partly read one, how many cards it may be.

        >>> Pack(8).holds("9d"), Pack(8).holds("9?"), Pack(8).holds("??"), Pack(6, "A23456789JQK").holds("0?")
        (8, 32, 416, 72)
        """
        ranks = sum(1 for rank in RANKS_OF[card[0]] if rank in self.ranks)
        return self.decks * ranks * (1 if card[1] != "?" else _OF_A_RANK)


@cache
def _pack(decks: int, ranks: str) -> Pack:
    return Pack(decks, ranks)


def pack_of(book: Rulebook, loaded: int | None = None) -> Pack | None:
    """Return what a shoe should hold by a rulebook; None if the game is played without cards.

    Where more decks were `loaded` than the rulebook asks for it holds those: no card of them proves anything.
    """
    if not book.shoe_decks:
        return None
    ranks = book.numbers.get("ranks")
    return _pack(max(book.shoe_decks, loaded or 0), RANKS if ranks is None else ranks.value)
