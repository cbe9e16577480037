"""A Spanish 21 table in play, 551.6 to 551.16, and what its dealer can get wrong."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import ClassVar, Final

from schemas import events
from streams.simulator.games import split_hands
from streams.simulator.games.hands import Hand, total
from streams.simulator.games.spanish21.rules import LEAST_MATCH, TO_OTHERS, Ways, additional, fixed, times
from streams.simulator.games.split_hands import SplitHandTable, Turn
from streams.simulator.kinds import Kind
from streams.simulator.plan import Layout, Plan
from streams.simulator.shoe_breaches import keeps_order
from streams.simulator.sitting import Act, Chance, Owed
from streams.simulator.table import Key, Made, Round, Stake, Table

FAULTS: Final[Mapping[str, Kind]] = {
    **split_hands.FAULTS,
    "dealer_drew_in_vain": Kind("dealer_drew_wrongly", 0.15, "round in which nothing hangs on his cards"),
    "surrendered_after_draw": Kind("decision_not_allowed", 0.006, "hand of three cards or more under 21"),
    "rescued_when_over": Kind("decision_not_allowed", 0.5, "doubled hand over 21"),
    "tens_played_on": Kind("void_not_called", 0.5, "second 10 in a round"),
    "surrendered_whole": Kind("paid_too_little", 0.05, "hand that was surrendered"),
    "surrendered_to_blackjack": Kind("loser_not_collected", 0.5, "hand surrendered to a Blackjack"),
    "blackjack_returned": Kind("paid_too_little", 0.5, "Blackjack against a Blackjack"),
    "twenty_one_returned": Kind("paid_too_little", 0.1, "21 in more than two cards against a 21"),
    "doubled_bonus_paid": Kind("paid_too_much", 0.9, "doubled hand whose 21 would pay more undoubled"),
    "bonus_overlooked": Kind("paid_too_little", 0.1, "hand paid more than even money for its 21"),
    "bonus_by_suit": Kind("paid_too_much", 0.3, "6-7-8 or 7-7-7 not of spades"),
    "blackjack_took_double": Kind("push_collected", 0.4, "double or split stake against a Blackjack"),
    "rescued_double_collected": Kind("push_collected", 0.1, "double that was rescued"),
    "rescued_for_nothing": Kind("loser_not_collected", 0.1, "wager of a rescued hand"),
    "fixed_payout_forgotten": Kind("paid_too_little", 0.15, "fixed payout"),
    "fixed_payout_by_lower": Kind("paid_too_little", 0.3, "fixed payout of $5,000"),
}

_SOURCES: Final = (("tray",), (), ("tray",))
_10S: Final = ("Tc", "Td", "Th", "Ts")
_LOWER, _HIGHER = 100_000, 500_000  # 551.6(h)


def lay_out(index: int) -> Layout:
    """Return the setup of the n-th table of the game."""
    decks = 8 if index % 2 else 6
    same, other = LEAST_MATCH[decks]
    raised = index % 3 == 2  # noqa: PLR2004  one table in three pays more than the least
    return Layout(
        positions=7,  # 551.2(b)(2)
        ways=Ways(
            match_the_dealer_odds={"same_suit": same + raised, "different_suit": other + raised},
            fixed_payout_others="once" if index % 4 in (1, 2) else "each",
            double_down_on="any" if index % 4 > 1 else "first_two",
        ),
        sources=("terminal", "shoe", "chips", *_SOURCES[index % len(_SOURCES)]),
        decks=decks,
    )


def play(plan: Plan, rng: Random, rates: dict[str, float], start: int, end: int) -> Table:
    """Play one table between two moments, microseconds UTC."""
    return _Sitting(plan, rng, rates, start).until(end)


class _RoundVoidError(Exception):
    """Two 10s were found in the shoe, 551.16(b)."""


class _Sitting(SplitHandTable):
    faults: ClassVar[Mapping[str, Kind]] = FAULTS
    mains: ClassVar[tuple[str, ...]] = ("wager",)
    ranks: ClassVar[str] = "A23456789JQK"  # 551.3(a)
    most_hands: ClassVar[int] = 3
    surrenders: ClassVar[bool] = True

    @property
    def ways(self) -> Ways:
        """Return what the house chose."""
        ways = self.table.ways
        assert isinstance(ways, Ways)  # noqa: S101  the layout of this game
        return ways

    @property
    def doubles_late(self) -> bool:
        """551.11(a): a hand is doubled on its first two cards, unless the house reads it otherwise."""
        return self.ways.double_down_on == "any"

    def prepare(self) -> None:
        """Begin a new shoe when the old one is over; leave a 10 or two in some."""
        before = self.shoes
        super().prepare()
        self.tens, shoe = 0, self.table.shoe
        is_new = before != self.shoes and not keeps_order(self.breach)
        if is_new and self.rng.random() < 0.2:  # noqa: PLR2004  in one shoe of five
            first = self.rng.randrange(shoe.drawn, len(shoe.cards) - self.longest)
            for place in {first, first + self.rng.randint(1, 6)}:
                shoe.cards[place] = self.rng.choice(_10S)
        # If the round may end void, nothing else goes wrong in it.
        self.table.is_staged = sum(card in _10S for card in shoe.to_come(self.longest)) > 1

    def draw(self, current: Round, hand: str, *, place: int | None = None) -> str:
        """Deal a card; a 10 that comes out is removed, and a second one ends the round, 551.16(b)."""
        while self.table.shoe.to_come(1)[0] in _10S:
            self.discard(current)
            self.tens += 1
            if self.tens == 2:  # noqa: PLR2004  "more than one"
                if self.rng.random() >= self.table.rates["tens_played_on"]:
                    raise _RoundVoidError
                current.made = Made("tens_played_on")
        return super().draw(current, hand, place=place)

    def play(self, current: Round) -> Owed:
        """Play the round out, or call it void; a void round returns every wager."""
        self._stack(current)
        try:
            owed = super().play(current)
        except _RoundVoidError:
            self.script.wait(1500, 3000)
            self.script.tell(events.RoundVoided, round=current.name)
            current.is_void = True
            return dict.fromkeys(current.stakes, 0)
        if self.tens > 1:
            self.mistaken, current.is_called_wrong = owed, True
            return dict.fromkeys(owed, 0)
        return owed

    def _stack(self, current: Round) -> None:
        """Stack three suited 7s against a 7, or 6-7-8, more often than chance would."""
        if keeps_order(self.breach):
            return
        seats = sorted(stake.patron.seat for stake in current.stakes.values() if stake.wager == "wager")
        if current.made is not None or not seats or self.rng.random() > 0.012:  # noqa: PLR2004  one round in eighty
            return
        suit, count = self.rng.choice("cdhs"), len(seats)
        ranks = self.rng.choice(("777", "777", "678"))
        for rank, place in zip(ranks, (1, count + 2, 2 * count + 3), strict=True):
            self.table.shoe.bring(rank + suit, place)
        if ranks == "777":
            self.table.shoe.bring("7h", count + 1)

    # ── the play ─────────────────────────────────────────────────────────────────────────────────────

    def deal_otherwise(self, rounds: list[list[Hand | None]]) -> None:
        """Make the dealer miss his first card too, and take both once the boxes have theirs, 551.16(f)."""
        if self.rng.random() < 0.004:  # noqa: PLR2004  rarely
            rounds[1].append(rounds[0].pop())
        else:
            super().deal_otherwise(rounds)

    def match_odds(self) -> tuple[int, int]:
        """Return the house's odds, 551.7(e)."""
        odds = self.ways.match_the_dealer_odds
        return odds["same_suit"], odds["different_suit"]

    def opens(self, current: Round) -> bool:
        """Offer insurance; look for a Blackjack, and end most rounds on it, 551.8(e)."""
        self.offer_insurance(current)
        return not self.has_blackjack or self.rng.random() < 0.4  # noqa: PLR2004  no clause ends the round

    def hangs(self, hand: Hand) -> bool:
        """Return True if the dealer's count has an effect on a hand, 551.13(c)."""
        is_sure = hand.total == 21 and len(hand.counted) > 2  # noqa: PLR2004  551.6(b)(4)
        return not (hand.is_over or hand.is_blackjack or hand.end is not None or is_sure)

    def draws_in_vain(self, current: Round) -> bool:
        """Make the dealer draw where he may not, once."""
        if not self.errs(current, "dealer_drew_in_vain", who="dealer"):
            return False
        self.dealer_counting = len(self.dealer)
        return True

    def errs_in_deciding(self, turn: Turn, hand: Hand) -> bool:
        """Surrender a hand after a card was drawn, 551.9(a), if that fault is due; return True if it was."""
        current, is_late = turn.current, len(hand.cards) > 2 and not hand.stake.is_open  # noqa: PLR2004  the cards dealt
        if not is_late or not self.errs(current, "surrendered_after_draw", who=hand.name):
            return False
        self.decide(current, hand.name, "surrender")
        hand.leave_open()
        return True

    def tempts(self, hand: Hand) -> bool:
        """Return True if a hand is doubled that is on its way to 6-7-8, by one who forgets 551.6(g)."""
        ranks = {card[0] for card in hand.cards}
        return len(ranks) == 2 and ranks < set("678") and self.rng.random() < 0.25  # noqa: PLR2004  some do

    def doubled(self, current: Round, hand: Hand) -> None:
        """Rescue a double, 551.11(d), now and then; one that is over only as a fault."""
        is_staked = hand.double is not None and hand.double.key in current.stakes
        if hand.is_over:
            if self.errs(current, "rescued_when_over", who=hand.name):
                self.decide(current, hand.name, "rescue")
                hand.leave_open()
        elif is_staked and hand.total < 17 and self.rng.random() < 0.4:  # noqa: PLR2004  a bad card
            self.decide(current, hand.name, "rescue")
            hand.end = "rescue"

    # ── the money ────────────────────────────────────────────────────────────────────────────────────

    def owed_on(self, stake: Stake, hand: Hand) -> Fraction:
        """Return how many times itself a hand's own wager, or its double, gains."""
        is_double = stake.wager == "double_down"
        if hand.end == "dead":
            return Fraction(0)
        if self.has_blackjack and (is_double or stake.hand is not None):
            return Fraction(0)  # 551.11(c), 551.12(d)
        if hand.end == "rescue":
            return Fraction(0 if is_double else -1)
        if hand.end == "surrender":
            return Fraction(-1) if self.has_blackjack else Fraction(-1, 2)  # 551.9(a)(2)
        return times(hand.counted, self.counted, is_split=hand.is_split, is_doubled=hand.double is not None)

    def owed(self, current: Round) -> dict[Key, int]:
        """Return what each stake gains, and the fixed payouts of a hand and of the others, 551.6(h)."""
        owed = super().owed(current)
        hands = [hands[0] for hands in self.seats.values() if len(hands) == 1 and hands[0].double is None]
        won = {
            hand.stake.patron.seat: cents
            for hand in hands
            if hand.end is None and (cents := fixed(hand.counted, self.dealer[0], hand.stake.cents))
        }
        for seat, (first, *_) in self.seats.items():
            others = len(won.keys() - {seat})
            cents = TO_OTHERS * (others if self.ways.fixed_payout_others == "each" else min(others, 1))
            cents += won.get(seat, 0)
            if cents:
                stake = Stake(first.stake.patron, "fixed_payout", 0)
                current.stakes[stake.key] = stake
                owed[stake.key] = cents
        return owed

    def follow(self, current: Round, acts: dict[Key, Act]) -> None:
        """Forget a fixed payout, or pay the one of a smaller wager."""
        super().follow(current, acts)
        for key, stake in current.stakes.items():
            if stake.wager != "fixed_payout":
                continue
            gain, _ = acts[key]
            if self.errs(current, "fixed_payout_forgotten", stake=stake):
                acts[key] = (0, 0)
            elif gain >= _HIGHER and self.errs(current, "fixed_payout_by_lower", stake=stake):
                acts[key] = (gain - _HIGHER + _LOWER, 0)

    def chances(self, current: Round, stake: Stake, owed: int) -> Iterator[Chance]:
        """Pay by a rule of another hand."""
        yield from super().chances(current, stake, owed)
        for hand in self.hands:
            if hand.stake is stake or hand.double is stake:
                yield from self._mispaid(hand, stake, owed)

    def _mispaid(self, hand: Hand, stake: Stake, owed: int) -> Iterator[Chance]:
        cents, is_long = stake.cents, len(hand.cards) > 2  # noqa: PLR2004  551.6(b)(4)
        if self.has_blackjack:
            if hand.is_blackjack:
                yield from self.paid_as("blackjack_returned", stake, owed, 0)
            if hand.end == "surrender":
                yield from self.paid_as("surrendered_to_blackjack", stake, owed, -cents // 2)
            elif owed == 0 and hand.end is None:
                yield from self.paid_as("blackjack_took_double", stake, owed, -cents)
        elif hand.end == "surrender":
            yield from self.paid_as("surrendered_whole", stake, owed, -cents)
        elif hand.end == "rescue":
            if stake is hand.double:
                yield from self.paid_as("rescued_double_collected", stake, owed, -cents)
            else:
                yield from self.paid_as("rescued_for_nothing", stake, owed, 0)
        elif owed > 0 and is_long and hand.total == 21:  # noqa: PLR2004  the hands that pay more
            yield from self._mispaid_21(hand, stake, owed)

    def _mispaid_21(self, hand: Hand, stake: Stake, owed: int) -> Iterator[Chance]:
        cents = stake.cents
        if total(self.dealer) == 21:  # noqa: PLR2004  551.6(b)(4)
            yield from self.paid_as("twenty_one_returned", stake, owed, 0)
        if hand.double is not None:
            yield from self.paid_as("doubled_bonus_paid", stake, owed, int(cents * additional(hand.cards)))
            return
        yield from self.paid_as("bonus_overlooked", stake, owed, cents)
        in_spades = [card[0] + "s" for card in hand.cards]
        if len(in_spades) == 3:  # noqa: PLR2004  551.6(g)(1) to (4)
            yield from self.paid_as("bonus_by_suit", stake, owed, int(cents * additional(in_spades)))
