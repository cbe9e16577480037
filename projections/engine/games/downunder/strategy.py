"""The strategy by which the base game is simulated: best play as if each card drawn were put back.

The rulemaking states none. The player knows his cards, the dealer's first card and the range of the hole card
(the card itself where both of the dealer's are Large), and does what earns most against cards drawn with
replacement, ten values of which the ten is four times as likely as any other. He never insures.

What a hand is worth is told for each hole card of the range, in whole numbers of `UNIT`. In a shoe it is only
nearly right; what is proven of the game does not hang on that (`simulation`).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from projections.engine.games.blackjack.chances import UNIT, VALUES, Dealer, Drawing, counted, with_card
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import ACE, TEN, worth
from projections.engine.games.blackjack.player_hand import End, is_blackjack
from projections.engine.games.downunder.rules import RANGES, Rules
from projections.engine.games.downunder.wagers import bet, reckon

_LIKELY: Final = [0, *(1 for _ in range(ACE, TEN)), 4]  # of so many cards drawn, by value
_OF: Final = sum(_LIKELY)
_STAKE: Final = 10_000  # cents: every odds of the chapter comes to whole cents on it
_PAIR: Final = 2


class Choice(Struct, frozen=True):
    """What is best done with a hand, and what it is worth by the hole card."""

    does: str
    worths: tuple[int, ...]


def gained(rules: Rules, end: End, dealer: DealerEnd) -> int:
    """Return what a Bet Wager gains, by the functions that settle it; in `UNIT`."""
    return (reckon(bet(rules, end, dealer, ""), _STAKE, 0).cents or 0) * (UNIT // _STAKE)


class Dealing:
    """What finished hands are worth against a dealer who draws from cards that are put back."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.stood = lru_cache(maxsize=None)(self._stood)
        self.ended = lru_cache(maxsize=None)(self._ended)
        self.dealer = Dealer(rules.manner, _LIKELY)

    def over(self, hand: Drawing) -> bool:
        """Return True if a player's hand may get no more cards."""
        return counted(hand, self.rules.manner.limit) >= self.rules.manner.limit

    def _stood(self, dealer: Drawing, end: End) -> int:
        chances = self.dealer.ends(dealer).items()
        return int(
            sum(
                chance * gained(self.rules, end, DealerEnd(ACE, at, blackjack=False))
                for at, chance in chances
            )
        )

    def _ended(self, hand: Drawing, two: tuple[int, ...] = (), hands: int = 1) -> End:
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

    def stand(self, end: End) -> tuple[int, ...]:
        """Return what a finished hand is worth."""
        return tuple(self.dealing.stood(dealer, end) for dealer in self.dealers)

    def _best(self, choices: Iterable[Choice]) -> Choice:
        return max(
            choices,
            key=lambda choice: sum(
                _LIKELY[hole] * each for hole, each in zip(self.holes, choice.worths, strict=True)
            ),
        )

    def _more(self, hand: Drawing) -> Choice:
        """Play a hand on that has been drawn to."""
        stand = Choice("stand", self.stand(self.dealing.ended(hand)))
        if self.dealing.over(hand):
            return stand
        return self._best([stand, Choice("draw", _mean([self.after_draw(hand, value) for value in VALUES]))])

    def after_draw(self, hand: Drawing, value: int) -> tuple[int, ...]:
        """Return what a hand is worth once a card has been drawn to it."""
        return self.more(with_card(hand, value)).worths

    def after_double(self, hand: Drawing, value: int) -> tuple[int, ...]:
        """Return what a doubled hand is worth with its card."""
        return tuple(2 * each for each in self.stand(self.dealing.ended(with_card(hand, value))))

    def after_split(self, kept: int, value: int) -> tuple[int, ...]:
        """Return what one hand of a pair is worth with its second card."""
        return self.two(kept, value, 2).worths

    def _two(self, first: int, second: int, hands: int) -> Choice:
        """Play a hand of two cards, the only one of its seat or one of two."""
        hand = with_card(with_card((0, False), first), second)
        stand = Choice("stand", self.stand(self.dealing.ended(hand, (first, second), hands)))
        if self.dealing.over(hand) or (hands > 1 and first == ACE):
            return stand
        choices = [
            stand,
            Choice("draw", _mean([self.after_draw(hand, value) for value in VALUES])),
            Choice("double", _mean([self.after_double(hand, value) for value in VALUES])),
        ]
        if hands == 1 and first == second:
            one = _mean([self.after_split(first, value) for value in VALUES])
            choices.append(Choice("split", tuple(_PAIR * each for each in one)))
        return self._best(choices)


def _mean(worths: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Weigh what each value brings with how likely it is to be drawn."""
    return tuple(
        sum(_LIKELY[value] * each for value, each in zip(VALUES, column, strict=True)) // _OF
        for column in zip(*worths, strict=True)
    )


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
            end = self.dealing.ended(with_card(with_card((0, False), first), second), (first, second))
            at = counted(dealer, self.rules.manner.dealer_limit)
            return gained(self.rules, end, DealerEnd(up, at, blackjack=is_blackjack([up, hole])))
        view, place = self.seen(up, hole)
        return view.two(first, second, 1).worths[place]
