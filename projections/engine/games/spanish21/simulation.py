"""The game of Chapter 551 played out (`blackjack.simulation`), by the strategy of `strategy`.

Every deal of the first three cards and the dealer's Blackjack is weighted. The dealer's hole card counts as
luck when it is turned: by what is known then, any unseen card that would not have made a Blackjack is equally
likely. The fixed payouts of 551.6(h) are left out, because what they earn depends on the stake.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, Final, TypeVar

from msgspec import Struct, structs

from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import ACE, TEN, worth
from projections.engine.games.blackjack.player_hand import RESCUED, End, is_blackjack
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
from projections.engine.games.blackjack.stakes import DOUBLE
from projections.engine.games.spanish21.rules import CardBonus, Rules, bonuses
from projections.engine.games.spanish21.wagers import SURRENDERED, reckon, ruling
from projections.engine.observation import Wager
from schemas.values import SUITS

LIKELY: Final = [0, *(1 for _ in range(ACE, TEN)), 3]  # of so many cards drawn, by value
_STAKE: Final = 10_000  # cents: every odds of the chapter comes to whole cents on it

_MOST_CARDS: Final = 7  # 551.6(g)(7)

_Answer = TypeVar("_Answer")


class DrawnHand(Struct, frozen=True):
    """A player's hand by what matters to its play: points with each ace as one, an ace, number of cards.

    More than seven cards count as seven. A doubled hand always has three in the end.
    """

    points: int
    ace: bool
    cards: int
    split: bool
    doubled: bool = False
    left: str | None = None

    def with_value(self, value: int) -> "DrawnHand":
        """Return the hand with one card more."""
        cards = min(self.cards + 1, _MOST_CARDS)
        return DrawnHand(
            self.points + value, self.ace or value == ACE, cards, self.split, self.doubled, self.left
        )

    def decided(self, *, doubled: bool = False, left: str | None = None) -> "DrawnHand":
        """Return the hand once it is doubled or given up."""
        cards = 2 if doubled else self.cards
        return DrawnHand(self.points, self.ace, cards, self.split, doubled or self.doubled, left)


class Choice(Struct, frozen=True):
    """Best decision on a hand, and its value, in `UNIT`."""

    does: str
    worth: int


def _cached(function: Callable[..., _Answer]) -> Callable[..., _Answer]:
    return lru_cache(maxsize=None)(function)


class Strategy:
    """Best play by one rulebook, worked out as it is asked for."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._limit = rules.manner.limit
        self._double_cards = rules.manner.double_cards
        self.best: Callable[..., Choice] = _cached(self._best)
        self.stand_worth: Callable[[Drawing, DrawnHand], int] = _cached(self._stand_worth)
        self.stand: Callable[[int, DrawnHand], int] = _cached(self._stand)
        self.gain: Callable[[DrawnHand, int], int] = _cached(self._gain)
        self.dealer = Dealer(rules.manner, LIKELY)

    def total(self, hand: DrawnHand) -> int:
        """Count a hand."""
        return counted((hand.points, hand.ace), self._limit)

    def end(self, hand: DrawnHand) -> End:
        """Return a hand's end as the judgement has it, without its cards."""
        return End(
            cards=(),
            values=(0,) * hand.cards,
            total=self.total(hand),
            blackjack=False,
            doubled=hand.doubled,
            split=hand.split,
            left=hand.left,
            settles=True,
            defects=(),
        )

    def _stand_worth(self, dealer: Drawing, hand: DrawnHand) -> int:
        """Return what a finished hand is worth against a dealer of two cards or more."""
        shares, total_shares = self.dealer.shares(dealer)
        return int(Fraction(sum(share * self.gain(hand, count) for count, share in shares), total_shares))

    def _gain(self, hand: DrawnHand, count: int) -> int:
        """Return what a finished hand gains against a dealer's total."""
        bonus = self.rules.by_cards.get(min(hand.cards, max(self.rules.by_cards)))
        return gained(self.rules, self.end(hand), bonus, DealerEnd(ACE, count, blackjack=False))

    def _stand(self, up: int, hand: DrawnHand) -> int:
        """Return what a finished hand is worth against the dealer's first card, where he has no Blackjack."""
        holes = [value for value in VALUES if not is_blackjack([up, value])]
        of = sum(LIKELY[hole] for hole in holes)
        return (
            sum(LIKELY[hole] * self.stand_worth(with_card((up, up == ACE), hole), hand) for hole in holes)
            // of
        )

    def doubled(self, up: int, hand: DrawnHand) -> Choice:
        """Play a doubled hand that has got its card: rescued if that costs less."""
        stands = Choice("stand", self.stand(up, hand))
        if self.total(hand) > self._limit:
            return stands
        return _better([stands, Choice("rescue", self.stand(up, hand.decided(left=RESCUED)))])

    def _best(self, up: int, hand: DrawnHand, pair: int = 0, *, first: bool = False) -> Choice:
        """Play a hand; `pair` is the value of both its cards, `first` is true for the first decision."""
        choices = [Choice("stand", self.stand(up, hand))]
        if self.total(hand) < self._limit:
            choices.append(
                Choice("draw", _mean(self.best(up, hand.with_value(value)).worth for value in VALUES))
            )
        if self.total(hand) < self._limit and hand.cards <= (self._double_cards or hand.cards):
            double = hand.decided(doubled=True)
            worths = (self.doubled(up, double.with_value(value)).worth for value in VALUES)
            choices.append(Choice("double", _mean(worths)))
        if first:
            choices.append(Choice("surrender", self.stand(up, hand.decided(left=SURRENDERED))))
        if pair:
            halves = (self.best(up, split(pair).with_value(value)).worth for value in VALUES)
            choices.append(Choice("split", 2 * _mean(halves)))
        return _better(choices)

    def dealt(self, up: int, first: int, second: int) -> Choice:
        """Play the two cards dealt, which are no Blackjack."""
        pair = first if first == second else 0
        return self.best(up, two(first, second), pair, first=True)


def two(first: int, second: int) -> DrawnHand:
    """Return the hand of two cards dealt."""
    return DrawnHand(first + second, ACE in (first, second), 2, split=False)


def split(value: int) -> DrawnHand:
    """Return one card of a pair."""
    return DrawnHand(value, value == ACE, 1, split=True)


def gained(rules: Rules, end: End, bonus: CardBonus | None, dealer: DealerEnd) -> int:
    """Return what a hand's wager and double gain, by the functions that settle them; in `UNIT`."""
    wagers: list[Any] = ["wager", DOUBLE] if end.doubled else ["wager"]
    cents = 0
    for wager in wagers:
        ruled = ruling(rules, wager, end, bonus, dealer, first=True)
        cents += reckon(rules, [ruled], Wager(_STAKE), 0).cents or 0
    return cents * (UNIT // _STAKE)


def _mean(worths: Iterable[int]) -> int:
    return mean_of(LIKELY, list(worths))


def _better(choices: list[Choice]) -> Choice:
    return max(choices, key=lambda choice: choice.worth)


def shoe_of(ranks: str, decks: int, random: Random) -> SimulatedShoe:
    """Return a full shoe of so many decks of some ranks."""
    return SimulatedShoe([(worth(rank), rank + suit) for rank, suit in product(ranks, SUITS)] * decks, random)


class HandInPlay(Struct):
    """A player's hand at the table, with its cards."""

    hand: DrawnHand
    cards: list[str]
    values: list[int]


class SimulatedRound:
    """Round while it is played; `luck` is what its draws brought, in `UNIT`."""

    def __init__(self, strategy: Strategy, shoe: SimulatedShoe) -> None:
        self.strategy, self.shoe = strategy, shoe
        self.luck = 0
        self.held: list[HandInPlay] = []
        self.up = 0

    def play(self) -> tuple[int, int]:
        """Play the round; return its gain, and the worth of its first cards."""
        self.shoe.refill()
        (first, one), (self.up, _), (second, other), (hole, _) = (self.shoe.draw() for _ in range(4))
        blackjack = is_blackjack([self.up, hole])
        was_worth = dealt_worth(self.strategy, first, self.up, second, blackjack=blackjack)
        if blackjack or is_blackjack([first, second]):
            return was_worth, was_worth
        does = self.strategy.dealt(self.up, first, second).does
        if does == "split":
            for value, card in ((first, one), (second, other)):
                in_play = HandInPlay(split(value), [card], [value])
                worths = [self.strategy.best(self.up, in_play.hand.with_value(each)).worth for each in VALUES]
                self.put(in_play, worths)
                self.go_on(in_play, self.strategy.best(self.up, in_play.hand).does)
        else:
            self.go_on(HandInPlay(two(first, second), [one, other], [first, second]), does)
        return self.settle(hole), was_worth

    def put(self, in_play: HandInPlay, worths: Sequence[int]) -> None:
        """Draw a card to a hand, whose `worths` are its worth with each value; add the luck."""
        (value, card), luck = self.shoe.luck(worths)
        self.luck += luck
        in_play.hand = in_play.hand.with_value(value)
        in_play.cards.append(card)
        in_play.values.append(value)

    def go_on(self, in_play: HandInPlay, does: str) -> None:
        """Play a hand to its end, beginning with a decision."""
        self.held.append(in_play)
        strategy, up = self.strategy, self.up
        while does == "draw":
            self.put(in_play, [strategy.best(up, in_play.hand.with_value(each)).worth for each in VALUES])
            does = strategy.best(up, in_play.hand).does
        if does == "double":
            in_play.hand = in_play.hand.decided(doubled=True)
            self.put(in_play, [strategy.doubled(up, in_play.hand.with_value(each)).worth for each in VALUES])
            does = strategy.doubled(up, in_play.hand).does
        if does == "rescue":
            in_play.hand = in_play.hand.decided(left=RESCUED)
        elif does == "surrender":
            in_play.hand = in_play.hand.decided(left=SURRENDERED)

    def settle(self, hole: int) -> int:
        """Turn the hole card, draw the dealer's cards and settle every hand."""
        unseen = list(self.shoe.left)
        unseen[hole] += 1
        for value in VALUES:
            if is_blackjack([self.up, value]):
                unseen[value] = 0
        dealer = self.turn((self.up, self.up == ACE), hole, unseen)
        while (count := self.strategy.dealer.stands(dealer)) is None:
            left = list(self.shoe.left)
            dealer = self.turn(dealer, self.shoe.draw()[0], left)
        end = DealerEnd(self.up, count, blackjack=False)
        return sum(self.gain(in_play, end) for in_play in self.held)

    def turn(self, dealer: Drawing, value: int, among: Sequence[int]) -> Drawing:
        """Add a card to the dealer's hand, one of so many by value; note the luck."""
        worths = [
            sum(self.strategy.stand_worth(with_card(dealer, each), in_play.hand) for in_play in self.held)
            for each in VALUES
        ]
        self.luck += worths[value - ACE] - mean_of(among, worths)
        return with_card(dealer, value)

    def gain(self, in_play: HandInPlay, dealer: DealerEnd) -> int:
        """Settle a hand by its cards."""
        rules = self.strategy.rules
        lies = self.strategy.end(in_play.hand)
        end = structs.replace(lies, cards=tuple(in_play.cards), values=tuple(in_play.values))
        (bonus,) = bonuses(rules, in_play.cards, in_play.values)
        return gained(rules, end, bonus, dealer)


def dealt_worth(strategy: Strategy, first: int, up: int, second: int, *, blackjack: bool) -> int:
    """Return what the first cards are worth, where the dealer has a Blackjack or has none."""
    own = is_blackjack([first, second])
    if own or blackjack:
        end = structs.replace(strategy.end(two(first, second)), blackjack=own)
        # A Blackjack is paid the same whatever else the dealer has, 551.2(c)(1).
        return gained(strategy.rules, end, None, DealerEnd(up, strategy.rules.manner.limit, blackjack))
    return strategy.dealt(up, first, second).worth


def simulate(strategy: Strategy, decks: int, rounds: int, seed: int) -> Simulated:
    """Play a number of rounds, each with a full shoe of a number of decks."""
    shoe = shoe_of(strategy.rules.manner.ranks, decks, Random(seed))  # noqa: S311  a simulation that anyone can repeat, not a secret

    def play() -> tuple[int, int]:
        now = SimulatedRound(strategy, shoe)
        gain, was_worth = now.play()
        return gain, was_worth + now.luck

    return played_out(rounds, play, first_cards(strategy, shoe.full))


def first_cards(strategy: Strategy, full: Sequence[int]) -> Fraction:
    """Return a round's worth by the strategy's own estimate, over every deal of its first cards."""
    weighed = deals = 0
    for first, up, second in product(VALUES, repeat=3):
        left, ways = list(full), 1
        for value in (first, up, second):
            ways *= left[value]
            left[value] -= 1
        making = sum(left[hole] for hole in VALUES if is_blackjack([up, hole]))
        without = sum(left) - making
        weighed += ways * making * dealt_worth(strategy, first, up, second, blackjack=True)
        weighed += ways * without * dealt_worth(strategy, first, up, second, blackjack=False)
        deals += ways * sum(left)
    return Fraction(weighed, deals)
