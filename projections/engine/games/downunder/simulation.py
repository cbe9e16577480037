"""The base game of Chapter 685a played out (`blackjack.simulation`), by the strategy of `strategy`.

The first four cards need no luck: all of their deals are weighed.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random

from projections.engine.games.blackjack.chances import VALUES, Drawing, with_card
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import worth
from projections.engine.games.blackjack.player_hand import End, is_blackjack
from projections.engine.games.blackjack.simulation import Shoe, Simulated, played_out
from projections.engine.games.downunder.strategy import DealerView, Strategy, gained
from schemas.values import RANKS, SUITS


def shoe_of(decks: int, random: Random) -> Shoe:
    """Return a full shoe of so many decks."""
    cards = [(worth(rank), rank + suit) for rank, suit in product(RANKS, SUITS) for _ in range(decks)]
    return Shoe(cards, random)


class _Round:
    """One round while it is played; `luck` is what its draws brought, in `UNIT`."""

    def __init__(self, strategy: Strategy, shoe: Shoe) -> None:
        self.strategy, self.shoe = strategy, shoe
        self.luck = 0
        self.ends: list[tuple[End, int]] = []

    def draw(self, worths: Sequence[int]) -> int:
        (value, _), luck = self.shoe.luck(worths)
        self.luck += luck
        return value

    def play(self) -> tuple[int, int]:
        """Play it and give what it gained, and what its first four cards were worth."""
        shoe, strategy = self.shoe, self.strategy
        shoe.refill()
        (first, _), (up, _), (second, _), (hole, _) = (shoe.draw() for _ in range(4))
        was_worth = strategy.worth(first, second, up, hole)
        if is_blackjack([first, second]) or is_blackjack([up, hole]):
            return was_worth, was_worth
        view, place = strategy.seen(up, hole)
        if view.two(first, second, 1).does == "split":
            for split_card in (first, second):
                value = self.draw([view.after_split(split_card, each)[place] for each in VALUES])
                self.two(view, place, split_card, value, 2)
        else:
            self.two(view, place, first, second, 1)
        return self.settle(up, with_card(with_card((0, False), up), hole)), was_worth

    def two(self, view: DealerView, place: int, first: int, second: int, hands: int) -> None:
        """Play a hand of two cards to its end; its seat has so many."""
        ended = self.strategy.dealing.ended
        hand = with_card(with_card((0, False), first), second)
        does = view.two(first, second, hands).does
        if does == "stand":
            self.ends.append((ended(hand, (first, second), hands), 1))
        elif does == "double":
            value = self.draw([view.after_double(hand, each)[place] for each in VALUES])
            self.ends.append((ended(with_card(hand, value)), 2))
        else:
            while does == "draw":
                hand = with_card(hand, self.draw([view.after_draw(hand, each)[place] for each in VALUES]))
                does = view.more(hand).does
            self.ends.append((ended(hand), 1))

    def settle(self, up: int, dealer: Drawing) -> int:
        """Draw the dealer's cards and settle every hand."""
        dealing = self.strategy.dealing
        while (count := dealing.dealer.stands(dealer)) is None:
            worths = [
                sum(stakes * dealing.stood(with_card(dealer, value), end) for end, stakes in self.ends)
                for value in VALUES
            ]
            dealer = with_card(dealer, self.draw(worths))
        against = DealerEnd(up, count, blackjack=False)
        return sum(stakes * gained(self.strategy.rules, end, against) for end, stakes in self.ends)


def simulate(strategy: Strategy, decks: int, rounds: int, seed: int) -> Simulated:
    """Play so many rounds, each with a full shoe of so many decks."""
    shoe = shoe_of(decks, Random(seed))  # noqa: S311  a simulation that anyone can repeat, not a secret

    def play() -> tuple[int, int]:
        now = _Round(strategy, shoe)
        gain, was_worth = now.play()
        return gain, was_worth + now.luck

    return played_out(rounds, play, first_four(strategy, shoe.full))


def first_four(strategy: Strategy, full: Sequence[int]) -> Fraction:
    """Return a round's worth by the strategy's own reckoning over all deals of four cards, in `UNIT`."""
    weighed = deals = 0
    for first, up, second, hole in product(VALUES, repeat=4):
        left, ways = list(full), 1
        for value in (first, up, second, hole):
            ways *= left[value]
            left[value] -= 1
        weighed += ways * strategy.worth(first, second, up, hole)
        deals += ways
    return Fraction(weighed, deals)
