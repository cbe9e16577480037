"""The base game of Chapter 685a played out with a seeded shoe: what cannot be enumerated in a minute.

A round is played against a full shoe by the strategy of `strategy`, and settled by the functions that judge
hands. Each draw's luck is taken out of what the round gained: what the hand was worth with the card drawn, by
the strategy's own reckoning, less what it was worth on average over all cards that were left. That average
is exact and the luck is nothing on average, however rough the reckoning is, so the mean stays what it was and
only its error shrinks. The first four cards need no luck: all of their deals are weighed.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import isqrt
from random import Random
from typing import Final

from msgspec import Struct

from projections.games.blackjack.counting import ACE, TEN
from projections.games.blackjack.dealing import DealerEnd
from projections.games.blackjack.playing import End, is_blackjack
from projections.games.downunder.strategy import UNIT, VALUES, Hand, Seen, Strategy, drawn, gained

_SUITS: Final = 4


class Simulated(Struct, frozen=True):
    """What came of the rounds played: how many were won, returned and lost, and what the house kept.

    `house_advantage` is of one Bet Wager, `error` three standard errors of it.
    """

    win: int
    push: int
    lose: int
    house_advantage: Fraction
    error: Fraction


class Shoe:
    """A full shoe for each round, of which cards are drawn by value; `left` counts them by value."""

    def __init__(self, decks: int, random: Random) -> None:
        self._random = random
        self._full = [0, *(_SUITS * decks for _ in range(ACE, TEN)), _SUITS * _SUITS * decks]
        self._cards = [value for value in VALUES for _ in range(self._full[value])]
        self.refill()

    def refill(self) -> None:
        """Put all cards back."""
        self._out = 0
        self.left = list(self._full)

    def draw(self) -> int:
        """Draw a card by its value."""
        place = self._random.randrange(self._out, len(self._cards))
        cards = self._cards
        cards[self._out], cards[place] = cards[place], cards[self._out]
        value = cards[self._out]
        self._out += 1
        self.left[value] -= 1
        return value

    def luck(self, worths: Sequence[int]) -> tuple[int, int]:
        """Draw a card; say how much better it is than cards are on average, by what each value is worth."""
        average = sum(map(int.__mul__, self.left[ACE:], worths)) // (len(self._cards) - self._out)
        value = self.draw()
        return value, worths[value - ACE] - average


class _Round:
    """One round while it is played; `luck` is what its draws brought, in `UNIT`."""

    def __init__(self, strategy: Strategy, shoe: Shoe) -> None:
        self.strategy, self.shoe = strategy, shoe
        self.luck = 0
        self.ends: list[tuple[End, int]] = []

    def draw(self, worths: Sequence[int]) -> int:
        value, luck = self.shoe.luck(worths)
        self.luck += luck
        return value

    def play(self) -> tuple[int, int]:
        """Play it and give what it gained, and what its first four cards were worth."""
        shoe, strategy = self.shoe, self.strategy
        shoe.refill()
        first, up, second, hole = shoe.draw(), shoe.draw(), shoe.draw(), shoe.draw()
        worth = strategy.worth(first, second, up, hole)
        if is_blackjack([first, second]) or is_blackjack([up, hole]):
            return worth, worth
        seen, place = strategy.seen(up, hole)
        if seen.two(first, second, 1).does == "split":
            for kept in (first, second):
                value = self.draw([seen.after_split(kept, each)[place] for each in VALUES])
                self.two(seen, place, kept, value, 2)
        else:
            self.two(seen, place, first, second, 1)
        return self.settle(up, drawn(drawn((0, False), up), hole)), worth

    def two(self, seen: Seen, place: int, first: int, second: int, hands: int) -> None:
        """Play a hand of two cards to its end; its seat has so many."""
        ended = self.strategy.dealing.ended
        hand = drawn(drawn((0, False), first), second)
        does = seen.two(first, second, hands).does
        if does == "stand":
            self.ends.append((ended(hand, (first, second), hands), 1))
        elif does == "double":
            value = self.draw([seen.after_double(hand, each)[place] for each in VALUES])
            self.ends.append((ended(drawn(hand, value)), 2))
        else:
            while does == "draw":
                hand = drawn(hand, self.draw([seen.after_draw(hand, each)[place] for each in VALUES]))
                does = seen.more(hand).does
            self.ends.append((ended(hand), 1))

    def settle(self, up: int, dealer: Hand) -> int:
        """Draw the dealer's cards and settle every hand."""
        dealing = self.strategy.dealing
        while (count := dealing.stands(dealer)) is None:
            worths = [
                sum(stakes * dealing.stood(drawn(dealer, value), end) for end, stakes in self.ends)
                for value in VALUES
            ]
            dealer = drawn(dealer, self.draw(worths))
        against = DealerEnd(up, count, blackjack=False)
        return sum(stakes * gained(self.strategy.rules, end, against) for end, stakes in self.ends)


def simulate(strategy: Strategy, decks: int, rounds: int, seed: int) -> Simulated:
    """Play so many rounds, each with a full shoe of so many decks."""
    shoe = Shoe(decks, Random(seed))  # noqa: S311  a simulation that anyone can repeat, not a secret
    results = [0, 0, 0]
    total = squares = 0
    for _ in range(rounds):
        played = _Round(strategy, shoe)
        gain, worth = played.play()
        results[(gain > 0) - (gain < 0)] += 1
        rest = gain - worth - played.luck
        total += rest
        squares += rest * rest
    mean = Fraction(total, rounds)
    variance = (squares - total * mean) / (rounds - 1)
    error = 3 * isqrt(int(variance / rounds)) + 1
    return Simulated(
        win=results[1],
        push=results[0],
        lose=results[-1],
        house_advantage=-(first_four(strategy, decks) + mean) / UNIT,
        error=Fraction(error, UNIT),
    )


def first_four(strategy: Strategy, decks: int) -> Fraction:
    """Give what a round is worth by the strategy's own reckoning over every deal of four cards, in `UNIT`."""
    held = {value: _SUITS * decks * (_SUITS if value == TEN else 1) for value in VALUES}
    weighed = deals = 0
    for first, up, second, hole in product(VALUES, repeat=4):
        left = dict(held)
        ways = 1
        for value in (first, up, second, hole):
            ways *= left[value]
            left[value] -= 1
        weighed += ways * strategy.worth(first, second, up, hole)
        deals += ways
    return Fraction(weighed, deals)
