"""The base game of Chapter 685a played out (`blackjack.simulation`), by the strategy of `strategy`.

The first four cards need no luck: all of their deals are weighed.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import reckon
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import ACE, TEN, worth
from projections.engine.games.blackjack.player_hand import End, is_blackjack
from projections.engine.games.blackjack.simulation import (
    UNIT,
    VALUES,
    Dealer,
    Drawing,
    Simulated,
    SimulatedShoe,
    counted,
    mean_of,
    played_out,
    with_card,
)
from projections.engine.games.downunder.rules import RANGES, Rules
from projections.engine.games.downunder.wagers import bet
from schemas.values import RANKS, SUITS

_LIKELY: Final = [0, *(1 for _ in range(ACE, TEN)), 4]  # of so many cards drawn, by value
_STAKE: Final = 10_000  # cents: every odds of the chapter comes to whole cents on it
_PAIR: Final = 2


class Choice(Struct, frozen=True):
    """Best decision on a hand, and its value by the hole card."""

    does: str
    worths: tuple[int, ...]


def gained(rules: Rules, end: End, dealer: DealerEnd) -> int:
    """Return what a Bet Wager gains, by the functions that settle it; in `UNIT`."""
    return (reckon(bet(rules, end, dealer, ""), _STAKE, 0).cents or 0) * (UNIT // _STAKE)


class Dealing:
    """Values of finished hands against a dealer who draws with replacement."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.stand_worth = lru_cache(maxsize=None)(self._stand_worth)
        self.gain = lru_cache(maxsize=None)(self._gain)
        self.end_of = lru_cache(maxsize=None)(self._end_of)
        self.dealer = Dealer(rules.manner, _LIKELY)

    def over(self, hand: Drawing) -> bool:
        """Return True if a player's hand may get no more cards."""
        return counted(hand, self.rules.manner.limit) >= self.rules.manner.limit

    def _stand_worth(self, dealer: Drawing, end: End) -> int:
        shares, total_shares = self.dealer.shares(dealer)
        return int(Fraction(sum(share * self.gain(end, at) for at, share in shares), total_shares))

    def _gain(self, end: End, at: int) -> int:
        """Return what a hand's end gains against a dealer's total."""
        return gained(self.rules, end, DealerEnd(ACE, at, blackjack=False))

    def _end_of(self, hand: Drawing, two: tuple[int, ...] = (), hands: int = 1) -> End:
        """Return a hand's end as the judgement has it; `two` are its cards if it has no more than two."""
        return End(
            cards=(),
            values=two,
            total=counted(hand, self.rules.manner.limit),
            blackjack=hands == 1 and is_blackjack(two),
            doubled=False,
            split=hands > 1,
            left=None,
            settles=True,
            defects=(),
        )


class DealerView:
    """Best play where a player knows the dealer's first card and of the hole card no more than `holes`."""

    def __init__(self, dealing: Dealing, up: int, holes: Sequence[int]) -> None:
        self.dealing, self.holes = dealing, holes
        self.dealers = [with_card(with_card((0, False), up), hole) for hole in holes]
        self.more = lru_cache(maxsize=None)(self._more)
        self.two = lru_cache(maxsize=None)(self._two)
        self.draw = lru_cache(maxsize=None)(self._draw)
        self.double = lru_cache(maxsize=None)(self._double)

    def stand(self, end: End) -> tuple[int, ...]:
        """Return what a finished hand is worth."""
        return tuple(self.dealing.stand_worth(dealer, end) for dealer in self.dealers)

    def _best(self, choices: Iterable[Choice]) -> Choice:
        return max(
            choices,
            key=lambda choice: sum(
                _LIKELY[hole] * each for hole, each in zip(self.holes, choice.worths, strict=True)
            ),
        )

    def _more(self, hand: Drawing) -> Choice:
        """Continue a hand that has been drawn to."""
        stand = Choice("stand", self.stand(self.dealing.end_of(hand)))
        if self.dealing.over(hand):
            return stand
        return self._best([stand, self.draw(hand)])

    def _draw(self, hand: Drawing) -> Choice:
        """Draw a card to a hand."""
        return Choice("draw", _mean([self.after_draw(hand, value) for value in VALUES]))

    def _double(self, hand: Drawing) -> Choice:
        """Double a hand, which gets one card."""
        return Choice("double", _mean([self.after_double(hand, value) for value in VALUES]))

    def after_draw(self, hand: Drawing, value: int) -> tuple[int, ...]:
        """Return what a hand is worth once a card has been drawn to it."""
        return self.more(with_card(hand, value)).worths

    def after_double(self, hand: Drawing, value: int) -> tuple[int, ...]:
        """Return what a doubled hand is worth with its card."""
        return tuple(2 * each for each in self.stand(self.dealing.end_of(with_card(hand, value))))

    def after_split(self, first: int, value: int) -> tuple[int, ...]:
        """Return what one hand of a pair is worth with its second card."""
        return self.two(first, value, 2).worths

    def _two(self, first: int, second: int, hands: int) -> Choice:
        """Play a hand of two cards, the only one of its seat or one of two."""
        hand = with_card(with_card((0, False), first), second)
        stand = Choice("stand", self.stand(self.dealing.end_of(hand, (first, second), hands)))
        if self.dealing.over(hand) or (hands > 1 and first == ACE):
            return stand
        choices = [stand, self.draw(hand), self.double(hand)]
        if hands == 1 and first == second:
            one = _mean([self.after_split(first, value) for value in VALUES])
            choices.append(Choice("split", tuple(_PAIR * each for each in one)))
        return self._best(choices)


def _mean(worths: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Weigh what each value brings with how likely it is to be drawn."""
    return tuple(mean_of(_LIKELY, column) for column in zip(*worths, strict=True))


class Strategy:
    """Best play for all that a player can know of the dealer's two cards, where they are no Blackjack."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.dealing = Dealing(rules)
        values = {name: sorted({worth(rank) for rank in rules.ranges[name]}) for name in RANGES}
        self._of: dict[tuple[int, int], tuple[DealerView, int]] = {}
        for up in VALUES:
            for holes in values.values():
                left = [hole for hole in holes if not is_blackjack([up, hole])]
                view = DealerView(self.dealing, up, left)
                self._of |= {(up, hole): (view, place) for place, hole in enumerate(left)}

    def seen(self, up: int, hole: int) -> tuple[DealerView, int]:
        """Return what the player knows, and the hole card's place among those that it can be."""
        return self._of[up, hole]

    def worth(self, first: int, second: int, up: int, hole: int) -> int:
        """Return what a deal is worth: the player's two cards, the dealer's, by best play."""
        if is_blackjack([up, hole]) or is_blackjack([first, second]):
            dealer = with_card(with_card((0, False), up), hole)
            end = self.dealing.end_of(with_card(with_card((0, False), first), second), (first, second))
            at = counted(dealer, self.rules.manner.dealer_limit)
            return gained(self.rules, end, DealerEnd(up, at, blackjack=is_blackjack([up, hole])))
        view, place = self.seen(up, hole)
        return view.two(first, second, 1).worths[place]


def shoe_of(decks: int, random: Random) -> SimulatedShoe:
    """Return a full shoe of so many decks."""
    cards = [(worth(rank), rank + suit) for rank, suit in product(RANKS, SUITS) for _ in range(decks)]
    return SimulatedShoe(cards, random)


class _Round:
    """Round while it is played; `luck` is what its draws brought, in `UNIT`."""

    def __init__(self, strategy: Strategy, shoe: SimulatedShoe) -> None:
        self.strategy, self.shoe = strategy, shoe
        self.luck = 0
        self.ends: list[tuple[End, int]] = []

    def draw(self, worths: Sequence[int]) -> int:
        (value, _), luck = self.shoe.luck(worths)
        self.luck += luck
        return value

    def play(self) -> tuple[int, int]:
        """Play the round; return its gain, and the worth of its first four cards."""
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
        """Play a hand of two cards to its end; `hands` is the number of hands of its seat."""
        ended = self.strategy.dealing.end_of
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
                sum(stakes * dealing.stand_worth(with_card(dealer, value), end) for end, stakes in self.ends)
                for value in VALUES
            ]
            dealer = with_card(dealer, self.draw(worths))
        against = DealerEnd(up, count, blackjack=False)
        return sum(stakes * gained(self.strategy.rules, end, against) for end, stakes in self.ends)


def simulate(strategy: Strategy, decks: int, rounds: int, seed: int) -> Simulated:
    """Play a number of rounds, each with a full shoe of a number of decks."""
    shoe = shoe_of(decks, Random(seed))  # noqa: S311  a simulation that anyone can repeat, not a secret

    def play() -> tuple[int, int]:
        now = _Round(strategy, shoe)
        gain, was_worth = now.play()
        return gain, was_worth + now.luck

    return played_out(rounds, play, first_four(strategy, shoe.full))


def first_four(strategy: Strategy, full: Sequence[int]) -> Fraction:
    """Return a round's worth by the strategy's own estimate over all deals of four cards, in `UNIT`."""
    weighed = deals = 0
    for first, up, second, hole in product(VALUES, repeat=4):
        left, ways = list(full), 1
        for value in (first, up, second, hole):
            ways *= left[value]
            left[value] -= 1
        weighed += ways * strategy.worth(first, second, up, hole)
        deals += ways
    return Fraction(weighed, deals)
