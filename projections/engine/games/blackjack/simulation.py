"""A game played out with a seeded shoe, where enumeration would take more than a minute.

A round is played against a full shoe by a strategy, and settled by the functions that judge hands. The luck
of each draw is subtracted from the round's gain: the hand's worth with the card drawn, by the strategy's own
estimate, less its average worth over all cards that it could have been. That average is exact, so the luck is
zero on average, however rough the estimate is. The mean stays the same and only its error shrinks. Every deal
of the first cards is weighted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import isqrt, lcm
from random import Random
from typing import Any, Final, TypeAlias

from msgspec import Struct

from projections.engine.games.blackjack.hands import ACE, TEN, total
from projections.engine.games.blackjack.manner import Manner
from projections.engine.games.proving import Proven

UNIT: Final = 10**12  # worths are counted in this unit of one wager
VALUES: Final = range(ACE, TEN + 1)

# A hand that draws: its points with each ace as one, and whether there is an ace.
Drawing = tuple[int, bool]


def with_card(hand: Drawing, value: int) -> Drawing:
    """Add a card to a hand.

    >>> with_card((10, False), 1)
    (11, True)
    """
    return hand[0] + value, hand[1] or value == ACE


@cache
def counted(hand: Drawing, limit: int) -> int:
    """Return a hand's total; an ace may count 11 up to a limit.

    >>> counted((7, True), 21), counted((12, True), 21), counted((12, True), 22)
    (17, 12, 22)
    """
    points, ace = hand
    return total([ACE, points - ACE] if ace else [points], limit)


class Dealer:
    """Dealer's draws by a chapter; of the cards, `likely` are how many of each value there are, from 0."""

    def __init__(self, manner: Manner, likely: Sequence[int]) -> None:
        self._manner, self._likely = manner, likely
        self.ends = lru_cache(maxsize=None)(self._ends)
        self.shares = lru_cache(maxsize=None)(self._shares)

    def stands(self, hand: Drawing) -> int | None:
        """Return the total on which he stands, None if he draws."""
        count = counted(hand, self._manner.dealer_limit)
        return count if count >= self._manner.dealer_stands_at else None

    def _ends(self, hand: Drawing) -> dict[int, Fraction]:
        """Return how likely he ends with each total."""
        count = self.stands(hand)
        if count is not None:
            return {count: Fraction(1)}
        ends: dict[int, Fraction] = {}
        for value in VALUES:
            for end, chance in self.ends(with_card(hand, value)).items():
                share = chance * Fraction(self._likely[value], sum(self._likely))
                ends[end] = ends.get(end, Fraction(0)) + share
        return ends

    def _shares(self, hand: Drawing) -> tuple[tuple[tuple[int, int], ...], int]:
        """Return the same in whole shares, and how many there are: to add fractions takes far longer."""
        ends = self.ends(hand)
        total_shares = lcm(*(chance.denominator for chance in ends.values()))
        return tuple((end, int(chance * total_shares)) for end, chance in ends.items()), total_shares


Card: TypeAlias = tuple[int, str]  # its value, and itself
_PLACES: Final = 6


class Simulated(Struct, frozen=True):
    """Result of the rounds played: how many were won, returned and lost, and what the house kept.

    `house_advantage` is of one wager, `error` three standard errors of it; `variance` is the sample variance
    of one wager's gain.
    """

    win: int
    push: int
    lose: int
    house_advantage: Fraction
    error: Fraction
    variance: Fraction


class SimulatedShoe:
    """A full shoe for each round; `left` counts the cards that are in it by value, from 0."""

    def __init__(self, cards: Iterable[Card], random: Random) -> None:
        self._random = random
        self._cards = list(cards)
        self.full = [sum(value == each for value, _ in self._cards) for each in range(max(VALUES) + 1)]
        self.refill()

    def refill(self) -> None:
        """Return all cards to the shoe."""
        self._out = 0
        self.left = list(self.full)

    def draw(self) -> Card:
        """Draw a card."""
        place = self._random.randrange(self._out, len(self._cards))
        cards = self._cards
        cards[self._out], cards[place] = cards[place], cards[self._out]
        card = cards[self._out]
        self._out += 1
        self.left[card[0]] -= 1
        return card

    def luck(self, worths: Sequence[int]) -> tuple[Card, int]:
        """Draw a card; return it and how much better than average it is, by each value's worth."""
        average = mean_of(self.left, worths)
        card = self.draw()
        return card, worths[card[0] - ACE] - average


def mean_of(among: Sequence[int], worths: Sequence[int]) -> int:
    """Average what each value is worth over so many cards by value, from 0; rounded down.

    >>> mean_of([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 3], [8, 0, 0, 0, 0, 0, 0, 0, 0, 4])
    5
    """
    return sum(map(int.__mul__, among[ACE:], worths)) // sum(among)


def played_out(rounds: int, play: Callable[[], tuple[int, int]], first_cards: Fraction) -> Simulated:
    """Play a number of rounds.

    `play` returns a round's gain, and the part of it that is the worth of its first cards and the luck of its
    draws. `first_cards` is the worth of the first cards over every deal of them. All are in `UNIT`.
    """
    results = [0, 0, 0]
    gains: list[int] = []
    rests: list[int] = []
    for _ in range(rounds):
        gain, chance = play()
        results[(gain > 0) - (gain < 0)] += 1
        gains.append(gain)
        rests.append(gain - chance)
    mean = Fraction(sum(rests), rounds)
    return Simulated(
        win=results[1],
        push=results[0],
        lose=results[-1],
        house_advantage=-(first_cards + mean) / UNIT,
        error=Fraction(3 * isqrt(int(_variance(rests) / rounds)) + 1, UNIT),
        variance=_variance(gains) / UNIT**2,
    )


def _variance(sample: Sequence[int]) -> Fraction:
    """Return the variance of a distribution as estimated from a sample."""
    total = sum(sample)
    return (sum(each * each for each in sample) - Fraction(total * total, len(sample))) / (len(sample) - 1)


def proven(
    played: Simulated,
    wager: str,
    decks: int,
    *,
    hangs_on: Mapping[str, Any],
    counts_in: tuple[str, ...],
    terms: str,
    option: str | None = None,
    published: str | None = None,
) -> Proven:
    """Return what was simulated of a wager in the form of every proof."""
    return Proven(
        wager=wager,
        option=option,
        decks=decks,
        win=played.win,
        push=played.push,
        lose=played.lose,
        house_advantage=played.house_advantage,
        variance=played.variance,
        published=published,
        method="simulation",
        error=above(played.error),
        hangs_on=hangs_on,
        counts_in=counts_in,
        terms=terms,
    )


def above(error: Fraction) -> str:
    """Write an error as a decimal, rounded up.

    >>> above(Fraction(1, 30_000)), above(Fraction(7, 10_000))
    ('0.000034', '0.000700')
    """
    units, part = divmod(-(-error.numerator * 10**_PLACES // error.denominator), 10**_PLACES)
    return f"{units}.{part:0{_PLACES}d}"
