"""A seat's turn where hands can be doubled and split: what is decided, dealt and staked, rightly or not."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from streams.simulator.games.hands import Hand, Wish, wish
from streams.simulator.kinds import Kind
from streams.simulator.table import Round, Stake

if TYPE_CHECKING:
    from streams.simulator.games.splitting import Splitting

TURN_FAULTS: Final[Mapping[str, Kind]] = {
    "drew_on_21": Kind("hand_drew_wrongly", 0.03, "hand that came to 21"),
    "second_card_on_double": Kind("hand_drew_wrongly", 0.02, "doubled hand not over 21"),
    "card_not_given": Kind("card_missing", 0.003, "card asked for"),
    "split_of_unequal": Kind("decision_not_allowed", 0.001, "hand of two cards that are no pair"),
    "split_too_often": Kind("decision_not_allowed", 0.7, "pair that may not be split any more"),
    "split_without_stake": Kind("stake_missing", 0.04, "split"),
    "split_stake_short": Kind("split_stake_differs", 0.04, "split"),
    "double_without_stake": Kind("stake_missing", 0.02, "double"),
    "double_above_wager": Kind("double_too_high", 0.02, "double"),
}

_TWO: Final = 2
_KEYED: Final = 0.7  # a card asked for, or none, is keyed that often; what costs a stake always is
_FORGOTTEN: Final = 0.004


class Turn:
    """The turn of a seat; `hands` are its hands, and those that they are split into."""

    def __init__(self, sitting: "Splitting", current: Round, hands: list[Hand]) -> None:
        self.sitting, self.current, self.hands = sitting, current, hands
        self.rng = sitting.rng

    def play(self) -> None:
        """Play the seat's hands one after the other, 551.12(b), 685a.10(b)."""
        place = 0
        while place < len(self.hands):
            self._hand(place)
            place += 1

    def make_good(self) -> None:
        """Deal a card that was forgotten, once all others have theirs, 551.16(i), 685a.12(g)."""
        for hand in self.hands:
            if hand.end == "waiting":
                hand.end = None
                self._card(hand)

    def _hand(self, place: int) -> None:
        hand = self.hands[place]
        if len(hand.cards) == 1:
            self._card(hand)  # the second card of a split hand
        while not hand.is_blackjack and not self.sitting.is_complete(hand):
            if self.sitting.errs_in_deciding(self, hand) or self._err_in_deciding(place):
                return
            if not self._act(place, self._wish(hand)):
                return
        self._surplus(hand)

    def _wish(self, hand: Hand) -> Wish:
        is_sound = not hand.stake.is_open and self._is_staked(hand)
        if is_sound and len(hand.cards) == _TWO and self.sitting.tempts(hand):
            return "double"
        chosen = wish(
            hand,
            self.rng,
            weak=self.sitting.is_weak,
            may_split=is_sound and len(self.hands) < self.sitting.most_hands,
            may_double_late=self.sitting.doubles_late,
            may_surrender=is_sound and self.sitting.surrenders and not hand.is_split,
        )
        return "draw" if chosen == "double" and not is_sound else chosen

    def _is_staked(self, hand: Hand) -> bool:
        return hand.stake.key in self.current.stakes and hand.stake.cents == self.hands[0].stake.cents

    def _act(self, place: int, choice: Wish) -> bool:
        """Do what was wished; tell whether the hand goes on."""
        hand = self.hands[place]
        if choice == "split":
            self._split(place)
            return True
        if choice == "draw":
            return self._draw(hand)
        if choice == "double":
            self.double(hand)
        elif choice == "surrender":
            self._word(hand, choice)
            hand.end = choice
        elif self.rng.random() < _KEYED:
            self._word(hand, "stand")
        return False

    def _draw(self, hand: Hand) -> bool:
        forgotten = self.rng.random()
        if self.sitting.errs(self.current, "card_not_given", who=hand.name):
            self._word(hand, "draw")
            hand.leave_open()
            return False
        if forgotten < _FORGOTTEN and self.current.made is None:
            self._word(hand, "draw")
            if forgotten < _FORGOTTEN / 2:
                self._word(hand, "dead")
                hand.end = "dead"
            else:
                hand.end = "waiting"
            return False
        if forgotten < _KEYED:
            self._word(hand, "draw")
        self._card(hand)
        return True

    def double(self, hand: Hand) -> None:
        """Double a hand: a stake, and one card."""
        cents = hand.stake.cents
        if self.rng.random() < 0.1:  # noqa: PLR2004  some double for less
            cents = max(100, cents // 200 * 100)
        double = Stake(hand.stake.patron, "double_down", cents, hand=hand.stake.hand)
        self._word(hand, "double")
        if self.sitting.errs(self.current, "double_above_wager", who=hand.name, stake=double):
            double.cents, double.is_open = hand.stake.cents + 500, True
        if not self.sitting.errs(self.current, "double_without_stake", who=hand.name, stake=double):
            self.sitting.wager_in_play(self.current, double)
        hand.double = double
        self._card(hand)
        self.sitting.doubled(self.current, hand)
        if not hand.is_over and hand.end is None:
            self._surplus(hand, "second_card_on_double")

    def _split(self, place: int) -> None:
        hand = self.hands[place]
        self._word(hand, "split")
        name = f"{self.hands[0].name}.{len(self.hands) + 1}"
        stake = Stake(hand.stake.patron, hand.stake.wager, self.hands[0].stake.cents, hand=name)
        if self.sitting.errs(self.current, "split_stake_short", who=name, stake=stake):
            stake.cents, stake.is_open = max(100, stake.cents // 200 * 100), True
        if not self.sitting.errs(self.current, "split_without_stake", who=name, stake=stake):
            self.sitting.wager_in_play(self.current, stake)
        self.hands.insert(place + 1, Hand(name, stake, [hand.cards.pop()], is_split=True))
        hand.is_split = True
        self._card(hand)

    def _err_in_deciding(self, place: int) -> bool:
        """Let a decision be taken that the text does not allow; what is owed on the hand is then open."""
        hand = self.hands[place]
        if hand.stake.is_open or not self._is_staked(hand):
            return False
        if len(hand.cards) > _TWO:
            return False
        too_often = hand.is_pair and len(self.hands) >= self.sitting.most_hands
        kind = "split_too_often" if too_often else "split_of_unequal"
        if (too_often or not hand.is_pair) and self.sitting.errs(self.current, kind, who=hand.name):
            self._split(place)
            for each in self.hands[place : place + 2]:
                each.leave_open()
            return True
        return False

    def _surplus(self, hand: Hand, kind: str | None = None) -> None:
        """Let a complete hand get another card, which does not count."""
        if hand.is_over or hand.is_blackjack or hand.end is not None:
            return
        kind = kind or self.sitting.surplus(hand)
        if self.sitting.errs(self.current, kind, who=hand.name):
            hand.counting = len(hand.cards)
            self._card(hand)

    def _word(self, hand: Hand, word: str) -> None:
        self.sitting.decide(self.current, hand.name, word)

    def _card(self, hand: Hand) -> None:
        hand.cards.append(self.sitting.draw(self.current, hand.name))
