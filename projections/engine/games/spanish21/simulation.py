"""The game of Chapter 551 played out (`blackjack.simulation`), by the strategy of `strategy`.

Of the first three cards and the dealer's Blackjack every deal is weighed. The dealer's hole card is luck when
it is turned: of what is known then, any card that no one has seen and that would not have made a Blackjack is
as likely as another. The fixed payouts of 551.6(h) are left out: what they earn hangs on the stake.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random

from msgspec import Struct, structs

from projections.engine.games.blackjack.chances import VALUES, Drawing, with_card
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import ACE, worth
from projections.engine.games.blackjack.player_hand import RESCUED, is_blackjack
from projections.engine.games.blackjack.simulation import Shoe, Simulated, mean_of, played_out
from projections.engine.games.spanish21.rules import bonuses
from projections.engine.games.spanish21.strategy import Hand, Strategy, gained, split, two
from projections.engine.games.spanish21.wagers import SURRENDERED
from schemas.values import SUITS


def shoe_of(ranks: str, decks: int, random: Random) -> Shoe:
    """Return a full shoe of so many decks of some ranks."""
    return Shoe([(worth(rank), rank + suit) for rank, suit in product(ranks, SUITS)] * decks, random)


class HandInPlay(Struct):
    """A player's hand at the table, with its cards."""

    hand: Hand
    cards: list[str]
    values: list[int]


class Round:
    """One round while it is played; `luck` is what its draws brought, in `UNIT`."""

    def __init__(self, strategy: Strategy, shoe: Shoe) -> None:
        self.strategy, self.shoe = strategy, shoe
        self.luck = 0
        self.held: list[HandInPlay] = []
        self.up = 0

    def play(self) -> tuple[int, int]:
        """Play it and give what it gained, and what its first cards were worth."""
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
                worths = [self.strategy.best(self.up, in_play.hand.drawn(each)).worth for each in VALUES]
                self.put(in_play, worths)
                self.go_on(in_play, self.strategy.best(self.up, in_play.hand).does)
        else:
            self.go_on(HandInPlay(two(first, second), [one, other], [first, second]), does)
        return self.settle(hole), was_worth

    def put(self, in_play: HandInPlay, worths: Sequence[int]) -> None:
        """Draw a card to a hand, of which `worths` say what it is worth with each value; note the luck."""
        (value, card), luck = self.shoe.luck(worths)
        self.luck += luck
        in_play.hand = in_play.hand.drawn(value)
        in_play.cards.append(card)
        in_play.values.append(value)

    def go_on(self, in_play: HandInPlay, does: str) -> None:
        """Play a hand to its end, beginning with what is decided."""
        self.held.append(in_play)
        strategy, up = self.strategy, self.up
        while does == "draw":
            self.put(in_play, [strategy.best(up, in_play.hand.drawn(each)).worth for each in VALUES])
            does = strategy.best(up, in_play.hand).does
        if does == "double":
            in_play.hand = in_play.hand.decided(doubled=True)
            self.put(in_play, [strategy.doubled(up, in_play.hand.drawn(each)).worth for each in VALUES])
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
        """Put a card to the dealer's hand, one of so many by value; note the luck."""
        worths = [
            sum(self.strategy.stood(with_card(dealer, each), in_play.hand) for in_play in self.held)
            for each in VALUES
        ]
        self.luck += worths[value - ACE] - mean_of(among, worths)
        return with_card(dealer, value)

    def gain(self, in_play: HandInPlay, dealer: DealerEnd) -> int:
        """Settle a hand by the cards that lie on it."""
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
        # Whatever else the dealer has, a Blackjack is paid alike, 551.2(c)(1).
        return gained(strategy.rules, end, None, DealerEnd(up, strategy.rules.manner.limit, blackjack))
    return strategy.dealt(up, first, second).worth


def simulate(strategy: Strategy, decks: int, rounds: int, seed: int) -> Simulated:
    """Play so many rounds, each with a full shoe of so many decks."""
    shoe = shoe_of(strategy.rules.manner.ranks, decks, Random(seed))  # noqa: S311  a simulation that anyone can repeat, not a secret

    def play() -> tuple[int, int]:
        now = Round(strategy, shoe)
        gain, was_worth = now.play()
        return gain, was_worth + now.luck

    return played_out(rounds, play, first_cards(strategy, shoe.full))


def first_cards(strategy: Strategy, full: Sequence[int]) -> Fraction:
    """Return what a round is worth by the strategy's own reckoning, over every deal of its first cards."""
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
