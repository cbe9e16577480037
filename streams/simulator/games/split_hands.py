"""A table in play where hands can be doubled and split and the dealer draws last, and its faults.

It is what Spanish 21 and Down Under Blackjack share. Each has its own pays, allowed decisions, and end of a
round.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import ClassVar, Final

from schemas import events
from streams.simulator.games.boxes import BOX_FAULTS, SIDE_WAGERS, Boxes
from streams.simulator.games.hands import Hand, Wish, total, wish
from streams.simulator.kinds import Kind
from streams.simulator.sitting import Act, Chance, Owed
from streams.simulator.table import Key, Round, Stake

TURN_FAULTS: Final[Mapping[str, Kind]] = {
    "drew_on_21": Kind("hand_drew_wrongly", 0.03, "hand that came to 21"),
    "second_card_on_double": Kind("hand_drew_wrongly", 0.02, "doubled hand not over 21"),
    "card_not_given": Kind("card_missing", 0.003, "card asked for"),
    "next_hand_too_soon": Kind("card_order_wrong", 0.04, "card for a split hand before another"),
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

    def __init__(self, sitting: "SplitHandTable", current: Round, hands: list[Hand]) -> None:
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
        """Carry out a decision; return True if the hand goes on."""
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
        if not self._deal_next_too_soon(hand) and forgotten < _KEYED:
            self._word(hand, "draw")
        self._card(hand)
        return True

    def _deal_next_too_soon(self, hand: Hand) -> bool:
        """Deal the next hand of a pair its second card first, if that fault is due; return True if so."""
        following = self.hands[self.hands.index(hand) + 1 :]
        if not following or len(following[0].cards) > 1:
            return False
        if not self.sitting.errs(self.current, "next_hand_too_soon", who=hand.name):
            return False
        self._card(following[0])
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
        """Split wrongly, if that fault is due, and leave open what is owed; return True if it was done."""
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
        """Make a complete hand get another card, which does not count."""
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


FAULTS: Final[Mapping[str, Kind]] = {
    **BOX_FAULTS,
    "dealer_drew_on_17": Kind("dealer_drew_wrongly", 0.012, "dealer's hand of 17 or more, not over"),
    "dealer_stood_on_16": Kind("dealer_stood_wrongly", 0.01, "dealer's hand of 16 or less that must draw"),
    "total_miscalled": Kind("announced_wrong", 0.008, "round with 17 to 21 to be called"),
    **TURN_FAULTS,
    "blackjack_paid_6_to_5": Kind("paid_too_little", 0.04, "Blackjack that is paid 3 to 2"),
}

_STANDS: Final = 17
_OFF: Final = (("17", "18"), ("19", "20"))
_MISCALLED: Final = {a: b for pair in _OFF for a, b in (pair, pair[::-1])} | {"21": "20"}


class SplitHandTable(Boxes):
    """A table where hands split.

    A pair may become `most_hands`. If it `surrenders`, a hand may be given up; if it `doubles_late`, a hand
    of more than two cards may be doubled.
    """

    most_hands: ClassVar[int]
    surrenders: ClassVar[bool] = False

    # ── what a game defines ──────────────────────────────────────────────────────────────────────────

    @property
    def doubles_late(self) -> bool:
        """Return True if a hand of more than two cards may be doubled."""
        return False

    @property
    def dealer_most(self) -> int:
        """Return what the dealer's hand may count before it is over."""
        return 21

    @abstractmethod
    def opens(self, current: Round) -> bool:
        """Play what follows the first two cards; return True if the round goes on."""

    @abstractmethod
    def hangs(self, hand: Hand) -> bool:
        """Return True if what happens to a hand depends on the dealer's further cards."""

    @abstractmethod
    def owed_on(self, stake: Stake, hand: Hand) -> Fraction:
        """Return how many times itself a hand's own wager, or its double, gains."""

    def is_complete(self, hand: Hand) -> bool:
        """Return True if a hand may have no more cards: over 21, 21, or ended."""
        return hand.total >= 21 or hand.end is not None  # noqa: PLR2004  551.13(a), 685a.7(k)

    def doubled(self, current: Round, hand: Hand) -> None:
        """Play what follows the card on a doubled hand."""

    def tempts(self, hand: Hand) -> bool:
        """Return True if its owner doubles a hand of two cards against all advice."""
        del hand
        return False

    def errs_in_deciding(self, turn: Turn, hand: Hand) -> bool:
        """Take a decision that only this game forbids, which ends the hand; return whether it was taken."""
        del turn, hand
        return False

    def surplus(self, hand: Hand) -> str:
        """Return the fault of a card on a hand that is complete."""
        del hand
        return "drew_on_21"

    def draws_in_vain(self, current: Round) -> bool:
        """Return True if the dealer draws though no hand depends on it."""
        del current
        return False

    # ── the round ────────────────────────────────────────────────────────────────────────────────────

    def play(self, current: Round) -> Owed:
        """Deal, play every seat and then the dealer, and return what is owed."""
        self.dealer_counting: int | None = None
        self.mistaken: Owed = {}
        self.goes_unnoticed = self.rng.random() < 0.5  # noqa: PLR2004  half of the surplus cards are counted
        self.open_boxes(current)
        if not self.seats:
            return dict.fromkeys(current.stakes, 0)
        self.deal_two(current)
        if self.opens(current):
            for hands in self.seats.values():
                Turn(self, current, hands).play()
            for hands in self.seats.values():
                Turn(self, current, hands).make_good()
            self._dealers_turn(current)
        owed = self.owed(current)
        lawful = self._result()
        self._pay_by_surplus(current)
        self._announce(current, lawful)
        return owed

    @property
    def hands(self) -> list[Hand]:
        """All hands of all seats."""
        return [hand for hands in self.seats.values() for hand in hands]

    @property
    def counted(self) -> list[str]:
        """The dealer's cards that count."""
        return self.dealer if self.dealer_counting is None else self.dealer[: self.dealer_counting]

    @property
    def dealer_total(self) -> int:
        """Return what the dealer's hand counts."""
        return total(self.counted, self.dealer_most)

    @property
    def is_weak(self) -> bool:
        """Return True if the dealer looks likely to draw himself out."""
        return self.dealer[0][0] in "23456"

    def _dealers_turn(self, current: Round) -> None:
        """Draw to 17, 551.13(b), 685a.7(m)."""
        self.script.wait(1500, 3000)
        due = any(self.hangs(hand) for hand in self.hands)
        while self.dealer_total < _STANDS and (due or self.draws_in_vain(current)):
            if due and self.errs(current, "dealer_stood_on_16", who="dealer"):
                for hand in filter(self.hangs, self.hands):
                    hand.leave_open()
                return
            self.dealer.append(self.draw(current, "dealer"))
            if self.dealer_counting is not None:
                return
        stands = _STANDS <= self.dealer_total <= self.dealer_most and not self.has_blackjack
        if stands and self.errs(current, "dealer_drew_on_17", who="dealer"):
            self.dealer_counting = len(self.dealer)
            self.dealer.append(self.draw(current, "dealer"))

    # ── the money ────────────────────────────────────────────────────────────────────────────────────

    def owed(self, current: Round) -> dict[Key, int]:
        """Return what each stake gains in cents; a fraction of a cent is dropped."""
        by_name = {hand.name: hand for hand in self.hands}
        found = {}
        for key, stake in current.stakes.items():
            hand = by_name.get(stake.hand or f"seat{stake.patron.seat}")
            if not stake.is_open and hand is not None:
                found[key] = int(stake.cents * self._times(stake, hand))
            elif not stake.is_open:
                found[key] = 0  # no cards were dealt there, 551.16(h), 685a.12(f)
        return found

    def _times(self, stake: Stake, hand: Hand) -> Fraction:
        return (
            Fraction(self.side_times(stake, hand))
            if stake.wager in SIDE_WAGERS
            else self.owed_on(stake, hand)
        )

    def _pay_by_surplus(self, current: Round) -> None:
        """Settle by a card that does not count, where no one noticed it."""
        surplus = [hand for hand in self.hands if hand.counting is not None]
        if not self.goes_unnoticed or not (surplus or self.dealer_counting is not None):
            return
        for hand in surplus:
            hand.counting = None
        self.dealer_counting = None
        self.mistaken = self.owed(current)

    def _result(self) -> str:
        if self.has_blackjack:
            return "blackjack"
        return "bust" if self.dealer_total > self.dealer_most else str(self.dealer_total)

    def _announce(self, current: Round, lawful: str) -> None:
        """Call the dealer's total as he takes it, or now and then a wrong one."""
        called = self._result()
        current.is_called_wrong = called != lawful
        if called in _MISCALLED and self.errs(current, "total_miscalled"):
            called = _MISCALLED[called]
        self.script.wait(900, 1800)
        self.script.tell(events.OutcomeAnnounced, round=current.name, outcome=called)

    def follow(self, current: Round, acts: dict[Key, Act]) -> None:
        """Settle by what the dealer took the play for, where he took it for another."""
        del current
        acts.update({key: (gain, 0) for key, gain in self.mistaken.items()})

    def chances(self, current: Round, stake: Stake, owed: int) -> Iterator[Chance]:
        """Pay a Blackjack at 6 to 5, or another wager by a wrong rule."""
        del current
        yield from self.side_chances(stake, owed)
        if owed > stake.cents and any(hand.stake is stake and hand.is_blackjack for hand in self.hands):
            yield from self.paid_as("blackjack_paid_6_to_5", stake, owed, stake.cents * 6 // 5)
