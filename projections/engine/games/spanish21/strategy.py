"""The strategy by which the wager is simulated: best play as if each card drawn were put back.

The text states none. The player knows his cards and the dealer's first one, and that the dealer has no
Blackjack, and does what earns most against cards drawn with replacement, of which a card worth ten is three
times as likely as any other. Of the bonus payouts he heeds those for 21 in so many cards, not suits. He
splits a pair once at most and never insures. In a shoe that is only nearly best; what is proven of the game
does not hang on that (`simulation`).
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, TypeVar

from msgspec import Struct

from projections.engine.games.blackjack.chances import UNIT, VALUES, Dealer, Drawing, counted, with_card
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import ACE, TEN
from projections.engine.games.blackjack.player_hand import RESCUED, End, is_blackjack
from projections.engine.games.blackjack.stakes import DOUBLE
from projections.engine.games.spanish21.rules import Bonus, Rules
from projections.engine.games.spanish21.wagers import SURRENDERED, reckon, ruling
from projections.engine.observation import Wager

LIKELY: Final = [0, *(1 for _ in range(ACE, TEN)), 3]  # of so many cards drawn, by value
_STAKE: Final = 10_000  # cents: every odds of the chapter comes to whole cents on it

_MOST_CARDS: Final = 7  # 551.6(g)(7)

_Answer = TypeVar("_Answer")


class Hand(Struct, frozen=True):
    """A player's hand by what bears on its play: points with each ace as one, an ace, and how many cards.

    More than seven cards are as good as seven, and a doubled hand has three at last, whatever it had.
    """

    points: int
    ace: bool
    cards: int
    split: bool
    doubled: bool = False
    left: str | None = None

    def drawn(self, value: int) -> "Hand":
        """Return the hand with one card more."""
        cards = min(self.cards + 1, _MOST_CARDS)
        return Hand(self.points + value, self.ace or value == ACE, cards, self.split, self.doubled, self.left)

    def decided(self, *, doubled: bool = False, left: str | None = None) -> "Hand":
        """Return the hand once it is doubled or given up."""
        cards = 2 if doubled else self.cards
        return Hand(self.points, self.ace, cards, self.split, doubled or self.doubled, left)


class Choice(Struct, frozen=True):
    """What is best done with a hand, and what it is worth, in `UNIT`."""

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
        self.stood: Callable[[Drawing, Hand], int] = _cached(self._stood)
        self.stand: Callable[[int, Hand], int] = _cached(self._stand)
        self.dealer = Dealer(rules.manner, LIKELY)

    def total(self, hand: Hand) -> int:
        """Count a hand."""
        return counted((hand.points, hand.ace), self._limit)

    def end(self, hand: Hand) -> End:
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

    def _stood(self, dealer: Drawing, hand: Hand) -> int:
        """Return what a finished hand is worth against a dealer of two cards or more."""
        end, bonus = self.end(hand), self.rules.by_cards.get(min(hand.cards, max(self.rules.by_cards)))
        return int(
            sum(
                chance * gained(self.rules, end, bonus, DealerEnd(ACE, count, blackjack=False))
                for count, chance in self.dealer.ends(dealer).items()
            )
        )

    def _stand(self, up: int, hand: Hand) -> int:
        """Return what a finished hand is worth against the dealer's first card, where he has no Blackjack."""
        holes = [value for value in VALUES if not is_blackjack([up, value])]
        of = sum(LIKELY[hole] for hole in holes)
        return sum(LIKELY[hole] * self.stood(with_card((up, up == ACE), hole), hand) for hole in holes) // of

    def doubled(self, up: int, hand: Hand) -> Choice:
        """Play a doubled hand that has got its card: rescued where that costs less."""
        stands = Choice("stand", self.stand(up, hand))
        if self.total(hand) > self._limit:
            return stands
        return _better([stands, Choice("rescue", self.stand(up, hand.decided(left=RESCUED)))])

    def _best(self, up: int, hand: Hand, pair: int = 0, *, first: bool = False) -> Choice:
        """Play a hand; `pair` is the value of both its cards, `first` says that it is the first decision."""
        choices = [Choice("stand", self.stand(up, hand))]
        if self.total(hand) < self._limit:
            choices.append(Choice("draw", _mean(self.best(up, hand.drawn(value)).worth for value in VALUES)))
        if self.total(hand) < self._limit and hand.cards <= (self._double_cards or hand.cards):
            double = hand.decided(doubled=True)
            worths = (self.doubled(up, double.drawn(value)).worth for value in VALUES)
            choices.append(Choice("double", _mean(worths)))
        if first:
            choices.append(Choice("surrender", self.stand(up, hand.decided(left=SURRENDERED))))
        if pair:
            halves = (self.best(up, split(pair).drawn(value)).worth for value in VALUES)
            choices.append(Choice("split", 2 * _mean(halves)))
        return _better(choices)

    def dealt(self, up: int, first: int, second: int) -> Choice:
        """Play the two cards dealt, which are no Blackjack."""
        pair = first if first == second else 0
        return self.best(up, two(first, second), pair, first=True)


def two(first: int, second: int) -> Hand:
    """Return the hand of two cards dealt."""
    return Hand(first + second, ACE in (first, second), 2, split=False)


def split(value: int) -> Hand:
    """Return one card of a pair."""
    return Hand(value, value == ACE, 1, split=True)


def gained(rules: Rules, end: End, bonus: Bonus | None, dealer: DealerEnd) -> int:
    """Return what a hand's wager and double gain, by the functions that settle them; in `UNIT`."""
    wagers: list[Any] = ["wager", DOUBLE] if end.doubled else ["wager"]
    cents = 0
    for wager in wagers:
        ruled = ruling(rules, wager, end, bonus, dealer, first=True)
        cents += reckon(rules, [ruled], Wager(_STAKE), 0).cents or 0
    return cents * (UNIT // _STAKE)


def _mean(worths: Iterable[int]) -> int:
    return sum(LIKELY[value] * worth for value, worth in zip(VALUES, worths, strict=True)) // sum(LIKELY)


def _better(choices: list[Choice]) -> Choice:
    return max(choices, key=lambda choice: choice.worth)
