"""The cards of a table: shuffled, cut, burnt and drawn, 631a.5 and its like."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from schemas.values import RANKS, SUITS

_LEAST_CUT: Final = 10  # 631a.5(c)
_LEAST_BEHIND_COVER: Final = 14  # 631a.5(d)
_MOST_BEHIND_COVER: Final = 22


class Shoe:
    """A dealing shoe: its name, its decks and the cards in the order in which they will leave it."""

    def __init__(self, name: str, decks: int, rng: Random, ranks: str = RANKS) -> None:
        self.name = name
        self.decks = decks
        self.rng = rng
        self._deck = tuple(rank + suit for rank in ranks for suit in SUITS)
        self.cards = list(self._deck * decks)
        rng.shuffle(self.cards)
        cut = rng.randint(_LEAST_CUT, len(self.cards) - _LEAST_CUT)
        self.cards = self.cards[cut:] + self.cards[:cut]
        self.behind_cover = rng.randint(_LEAST_BEHIND_COVER, _MOST_BEHIND_COVER)
        self.drawn = 0
        self.read_from = 0  # how many had been drawn as play began, or one of them was burned unread last
        self._shown: Counter[str] = Counter()

    @property
    def left(self) -> int:
        """Return how many cards are still in the shoe."""
        return len(self.cards) - self.drawn

    @property
    def cover_is_out(self) -> bool:
        """Return True if the cover card has come to the front, 631a.10(d)."""
        return self.left < self.behind_cover

    def to_come(self, count: int) -> Sequence[str]:
        """Return the cards that would leave the shoe next, as no one at the table can know."""
        return self.cards[self.drawn : self.drawn + count]

    def bring(self, card: str, place: int) -> None:
        """Make a kind of card the `place`-th to come, from 1, if the shoe has one there or later."""
        at = self.drawn + place - 1
        for behind in range(at, len(self.cards)):
            if self.cards[behind] == card:
                self.cards[at], self.cards[behind] = card, self.cards[at]
                return

    def draw(self) -> str | None:
        """Draw the next card, or None if there is none."""
        if not self.left:
            return None
        self.drawn += 1
        return self.cards[self.drawn - 1]

    def show(self, card: str) -> bool:
        """Show a card; return True if the decks do not hold it that often, or not so many cards."""
        self._shown[card] += 1
        return self._shown[card] > self.decks or self.drawn > self.decks * len(self._deck)

    def slip_in(self, surplus: int) -> str:
        """Exchange cards for ones of a kind of which all are in the shoe already; return that kind."""
        foreign = self.rng.choice(self._deck)
        others = [place for place, card in enumerate(self.cards) if card != foreign]
        for place in self.rng.sample(others, surplus):
            self.cards[place] = foreign
        return foreign

    def mix_rest(self) -> None:
        """Reorder the cards that are still in the shoe."""
        rest = self.cards[self.drawn :]
        self.rng.shuffle(rest)
        self.cards[self.drawn :] = rest
