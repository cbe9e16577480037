"""A Down Under Blackjack table in play, 685a.6 to 685a.12, and what its dealer can get wrong."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import ClassVar, Final

from schemas import events
from streams.simulator.games import split_hands
from streams.simulator.games.downunder.rules import MATCH, Ways, dealer_total, range_of, times
from streams.simulator.games.hands import Hand, low, match
from streams.simulator.games.split_hands import SplitHandTable, Turn
from streams.simulator.kinds import Kind
from streams.simulator.patrons import SIDES, Patron
from streams.simulator.plan import Layout, Plan
from streams.simulator.sitting import Act, Chance
from streams.simulator.table import Key, Made, Round, Stake, Table

FAULTS: Final[Mapping[str, Kind]] = {
    **split_hands.FAULTS,
    "double_on_three_cards": Kind("decision_not_allowed", 0.006, "hand of three cards or more under 21"),
    "match_not_offered": Kind("wager_not_permitted", 0.004, "wager at a table of four or five decks"),
    "wrong_range_shown": Kind("wrong_range", 0.012, "hole card that the reader is shown"),
    "drew_after_blackjack": Kind("hand_drew_wrongly", 0.1, "round that a dealer's Blackjack ends"),
    "third_card_on_ace": Kind("hand_drew_wrongly", 0.05, "ace that was split"),
    "even_money_paid_3_to_2": Kind("paid_too_much", 0.2, "Blackjack that takes even money"),
    "blackjack_paid_against_blackjack": Kind("push_paid", 0.5, "Blackjack against a Blackjack"),
    "paid_on_22": Kind("push_paid", 0.03, "wager returned on the dealer's 22"),
    "large_not_paid_on_22": Kind("paid_too_little", 0.1, "wager paid on the dealer's 22"),
    "over_returned_on_22": Kind(
        "loser_not_collected", 0.1, "hand over 21 that loses against the dealer's 22"
    ),
    "best_match_paid": Kind("paid_too_little", 0.6, "two matches that pay each"),
    "each_match_paid": Kind("paid_too_much", 0.6, "two matches of which the best pays"),
}

_DECKS: Final = (6, 8, 6, 4, 8, 5)
_WAYS: Final = (
    Ways(),
    Ways(dealer_ace_limit=21, match_the_dealer_pays="best"),
    Ways(large_after_split=True, bust_on_22="return"),
    Ways(dealer_ace_limit=21, large_after_split=True),
    Ways(bust_on_22="return", match_the_dealer_pays="best"),
)
_RANGES: Final = {"small": 3, "medium": 7, "large": 10}
_STIFF: Final = (12, 16)
_STANDOFF: Final = 22
_SETTLED_LAST: Final = ("bet", "double_down")


def lay_out(index: int) -> Layout:
    """Return the setup of the n-th table of the game."""
    return Layout(
        positions=6,  # 685a.2(a)
        ways=_WAYS[index % len(_WAYS)],
        sources=("terminal", "shoe", "chips", "reader", *(("tray",) if index % 2 == 0 else ())),
        decks=_DECKS[index % len(_DECKS)],
    )


def play(plan: Plan, rng: Random, rates: dict[str, float], start: int, end: int) -> Table:
    """Play one table between two moments, microseconds UTC."""
    return _Sitting(plan, rng, rates, start).until(end)


class _Sitting(SplitHandTable):
    faults: ClassVar[Mapping[str, Kind]] = FAULTS
    mains: ClassVar[tuple[str, ...]] = ("bet",)
    most_hands: ClassVar[int] = 2

    @property
    def ways(self) -> Ways:
        """Return what the house chose."""
        ways = self.table.ways
        assert isinstance(ways, Ways)  # noqa: S101  the layout of this game
        return ways

    def settling_order(self, current: Round, acts: Mapping[Key, Act]) -> list[Key]:
        """Return losers from the dealer's right, then the others, 685a.7(r)(1); or a winner too soon."""
        order = sorted(acts, key=lambda key: (acts[key][0] >= 0, -key[0], str(key)))
        losers = [key for key in order if acts[key][0] < 0 and key[2] in _SETTLED_LAST]
        winners = [key for key in order if acts[key][0] > 0 and key[2] in _SETTLED_LAST]
        kinds = ["paid_too_soon"] if losers and winners and not current.is_void else []
        if self.procedures.settles_wrongly(current, kinds):
            order.remove(winners[0])
            order.insert(0, winners[0])
        return order

    @property
    def dealer_most(self) -> int:
        """Return what the dealer's hand may count before it is over, 685a.7(o)(1)."""
        return _STANDOFF

    @property
    def dealer_total(self) -> int:
        """Return what the dealer's hand counts."""
        return dealer_total(self.counted, self.ways)

    @property
    def is_weak(self) -> bool:
        """Return True if the dealer looks likely to draw himself out, by his up card and the range shown."""
        return _STIFF[0] <= low(self.dealer[0]) + _RANGES[self.shown] <= _STIFF[1]

    # ── the play ─────────────────────────────────────────────────────────────────────────────────────

    def match_odds(self) -> tuple[int, int] | None:
        """Return the odds of 685a.11(c); with four or five decks none is offered, 685a.6(e)."""
        return MATCH.get(self.table.plan.decks or 0)

    def wishes(self, patron: Patron) -> Iterator[tuple[str, int]]:
        """Return the game's wagers to make, and now and then one that is not to be had."""
        wished = False
        for wager, cents in super().wishes(patron):
            wished = True
            yield wager, cents
        if wished and self.match_odds() is None and self.table.strikes("match_not_offered", self.current):
            yield "match_the_dealer", self.rng.choice(SIDES)
            stake = self.current.stakes.get((patron.seat, None, "match_the_dealer", None))
            if stake is not None:
                stake.is_open = True
                self.current.made = Made("match_not_offered", patron.seat, None, "match_the_dealer")

    def opens(self, current: Round) -> bool:
        """Offer insurance and even money, show the hole card's range, end on a Blackjack, 685a.7(g), (h)."""
        self.offer_insurance(current)
        self.shown = range_of(self.dealer[1])
        is_wrong = not self.has_blackjack and self.errs(current, "wrong_range_shown", who="dealer")
        if is_wrong:
            self.shown = self.rng.choice([name for name in _RANGES if name != self.shown])
        self.script.wait(1500, 3000)
        self.script.tell(events.RangeIndicated, round=current.name, range=self.shown)
        self.script.wait(1500, 3000)
        if self.has_blackjack:
            self._draw_on(current)
        elif is_wrong and self.rng.random() < 0.5:  # noqa: PLR2004  or the round goes on, 685a.12(h)
            self._call_dead(current)
        return not self.has_blackjack

    def insures(self, current: Round, hand: Hand) -> bool:
        """Return True if a person takes insurance, or even money instead where he has a Blackjack."""
        if hand.is_blackjack and self.rng.random() < 0.5:  # noqa: PLR2004  half do
            self.decide(current, hand.name, "even_money")
            hand.end = "even_money"
            return False
        return super().insures(current, hand)

    def _draw_on(self, current: Round) -> None:
        """Deal a card although the dealer has a Blackjack."""
        hand = self.rng.choice(self.hands)
        if not hand.is_blackjack and self.errs(current, "drew_after_blackjack", who=hand.name):
            hand.counting = len(hand.cards)
            hand.cards.append(self.draw(current, hand.name))

    def errs_in_deciding(self, turn: Turn, hand: Hand) -> bool:
        """Double a hand of more than two cards, 685a.9(a), if that fault is due; return True if it was."""
        is_late = len(hand.cards) > 2 and not hand.stake.is_open  # noqa: PLR2004  the text's own figure
        if not is_late or not self.errs(turn.current, "double_on_three_cards", who=hand.name):
            return False
        turn.double(hand)
        hand.leave_open()
        return True

    def _call_dead(self, current: Round) -> None:
        """Call the hands dead that have not won yet, 685a.12(h)."""
        insured = {stake.patron.seat for stake in current.stakes.values() if stake.wager == "insurance"}
        for hand in self.hands:
            if hand.end is None and not hand.is_blackjack and hand.stake.patron.seat not in insured:
                self.decide(current, hand.name, "dead")
                hand.end = "dead"

    def is_complete(self, hand: Hand) -> bool:
        """Return True if a hand may have no more cards: a split ace gets one, 685a.10(e)."""
        return super().is_complete(hand) or self._is_ace(hand)

    def surplus(self, hand: Hand) -> str:
        """Return the fault of a card on a hand that is complete."""
        return "third_card_on_ace" if self._is_ace(hand) else super().surplus(hand)

    @staticmethod
    def _is_ace(hand: Hand) -> bool:
        return hand.is_split and len(hand.cards) > 1 and hand.cards[0][0] == "A"

    def hangs(self, hand: Hand) -> bool:
        """Return True if what happens to a hand depends on the dealer's further cards."""
        if hand.is_over:
            return self.ways.bust_on_22 == "return" and hand.end is None
        return not hand.is_blackjack and hand.end is None

    def draws_in_vain(self, current: Round) -> bool:
        """Return True if the dealer draws though no hand depends on it; the text is silent, 685a.7(m)."""
        return int(current.name) % 2 == 0

    # ── the money ────────────────────────────────────────────────────────────────────────────────────

    def owed_on(self, stake: Stake, hand: Hand) -> Fraction:
        """Return how many times itself a hand's own wager, or its double, gains."""
        del stake
        if hand.end == "dead":
            return Fraction(0)
        if hand.end == "even_money":
            return Fraction(1)
        return times(hand.counted, self.counted, self.ways, is_split=hand.is_split)

    def matched(self, cards: Sequence[str], same: int, other: int) -> int:
        """Return what a Match-the-Dealer Wager gains at these odds: each match, or the best."""
        pays = [same if suited else other for suited in match(cards, self.dealer[0])]
        return (sum(pays) if self.ways.match_the_dealer_pays == "each" else max(pays, default=0)) or -1

    def chances(self, current: Round, stake: Stake, owed: int) -> Iterator[Chance]:
        """Pay by a rule of another hand."""
        yield from super().chances(current, stake, owed)
        if stake.wager == "match_the_dealer" and owed > 0:
            yield from self._matched_otherwise(stake, owed)
        for hand in self.hands:
            if hand.stake is stake or hand.double is stake:
                yield from self._mispaid(hand, stake, owed)

    def _matched_otherwise(self, stake: Stake, owed: int) -> Iterator[Chance]:
        same, other = self.match_odds() or (0, 0)
        cards = self.seats[stake.patron.seat][0].opening
        pays = [same if suited else other for suited in match(cards, self.dealer[0])]
        yield from self.paid_as("best_match_paid", stake, owed, stake.cents * max(pays))
        yield from self.paid_as("each_match_paid", stake, owed, stake.cents * sum(pays))

    def _mispaid(self, hand: Hand, stake: Stake, owed: int) -> Iterator[Chance]:
        if hand.end == "even_money":
            yield from self.paid_as("even_money_paid_3_to_2", stake, owed, stake.cents * 3 // 2)
        elif hand.end is None and hand.is_blackjack and self.has_blackjack:
            yield from self.paid_as("blackjack_paid_against_blackjack", stake, owed, stake.cents * 3 // 2)
        elif self.dealer_total == _STANDOFF and hand.end is None and not hand.is_blackjack:
            yield from self.paid_as("paid_on_22", stake, owed, stake.cents)
            yield from self.paid_as("large_not_paid_on_22", stake, owed, 0)
            yield from self.paid_as("over_returned_on_22", stake, owed, 0)
