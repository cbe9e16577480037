"""A 21 Baccarat table in play, 681a.6 to 681a.9, and what its dealer can get wrong."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar, Final

from schemas import events
from streams.simulator.dealing import Dealing
from streams.simulator.games.baccarat21.rules import (
    PAYS,
    Paper,
    Ways,
    bonus,
    draws,
    is_natural,
    ties,
    total,
    winner,
)
from streams.simulator.kinds import Kind
from streams.simulator.patrons import SIDES, Patron
from streams.simulator.plan import Layout, Plan
from streams.simulator.sitting import Act, Chance, Owed
from streams.simulator.table import Key, Made, Round, Stake, Table

FAULTS: Final[Mapping[str, Kind]] = {
    "drew_on_17": Kind("hand_drew_wrongly", 0.006, "hand of 17 or more"),
    "card_not_drawn": Kind("card_missing", 0.004, "hand under 17"),
    "dealt_banker_first": Kind("card_order_wrong", 0.003, "round"),
    "seventeen_paid_even": Kind("paid_too_much", 0.02, "hand that wins with 17"),
    "bonus_by_wrong_table": Kind("paid_too_much", 0.02, "Bonus Wager that another table pays higher"),
    "natural_card_counted": Kind("announced_wrong", 0.05, "round with a card for the Bonus Wager only"),
}

_CHANCES: Final[tuple[tuple[Paper, int], ...]] = (("D", 8), ("A", 4), ("E", 8), ("B", 4), ("F", 8), ("C", 4))
_READERS: Final = (("camera", "tray"), ("tray",), ())
_BONUSES: Final = {"bonus_player": "player", "bonus_banker": "banker"}


def lay_out(index: int) -> Layout:
    """Return the setup of the n-th table of the game."""
    table, decks = _CHANCES[index % len(_CHANCES)]
    return Layout(
        positions=8,  # 681a.2(a)
        ways=Ways(bonus_paytable=table),
        sources=("terminal", "shoe", "chips", *_READERS[index % len(_READERS)]),
        decks=decks,
    )


def play(plan: Plan, rng: Random, rates: dict[str, float], start: int, end: int) -> Table:
    """Play one table between two moments, microseconds UTC."""
    return _Sitting(plan, rng, rates, start).until(end)


class _Sitting(Dealing):
    faults: ClassVar[Mapping[str, Kind]] = FAULTS
    mains: ClassVar[tuple[str, ...]] = ("player", "banker")
    longest: ClassVar[int] = 8

    def wishes(self, patron: Patron) -> Iterator[tuple[str, int]]:
        """Yield a Player or a Banker Wager to make, and now and then one besides it, 681a.6(c), (d)."""
        if self.rng.random() < 0.08:  # noqa: PLR2004  some sit a round out
            return
        main = self.rng.choice(self.mains)
        yield main, self.stake_of(patron)
        if (patron.seat, patron.bettor, main, None) not in self.current.stakes:  # it was withdrawn at once
            return
        for wager in ("tie", *_BONUSES):
            if self.rng.random() < patron.likes_sides:
                yield wager, self.rng.choice(SIDES)

    def play(self, current: Round) -> Owed:
        """Deal, announce, and return what is owed."""
        order = ["player", "banker", "player", "banker"]
        if self.table.strikes("dealt_banker_first", current):
            order = ["banker", "player", "banker", "player"]
            current.made = Made("dealt_banker_first")
        self.hands: dict[str, list[str]] = {"player": [], "banker": []}
        for hand in order:
            self.hands[hand].append(self.draw(current, hand))
        self.script.wait(1000, 2000)
        counts = {hand: tuple(cards) for hand, cards in self.hands.items()}
        faulty = self._faulty(current)
        left_out = self._draw_further(current, faulty)
        if not any(is_natural(cards) for cards in counts.values()):
            counts = {hand: tuple(cards) for hand, cards in self.hands.items()}
            counts = {hand: cards[:2] if hand in left_out else cards for hand, cards in counts.items()}
        called = winner(counts["player"], counts["banker"])
        short = faulty - left_out
        if short:
            for stake in current.stakes.values():
                stake.is_open = stake.wager not in _BONUSES or _BONUSES[stake.wager] in short
            called = ""
        self._announce(current, counts, called)
        return {
            key: self._owed(stake, counts, left_out)
            for key, stake in current.stakes.items()
            if not stake.is_open
        }

    def settling_order(self, current: Round, acts: Mapping[Key, Act]) -> list[Key]:
        """Return Player and Banker Wagers from seat 1, at the dealer's right, 681a.7(h), then the others."""
        order = sorted(acts, key=lambda key: (key[2] not in self.mains, key[0], str(key)))
        mains = [key for key in order if key[2] in self.mains]
        kinds = ["paid_out_of_turn"] if len({key[0] for key in mains if acts[key][0]}) > 1 else []
        if not current.is_void and self.procedures.settles_wrongly(current, kinds):
            order = [*reversed(mains), *order[len(mains) :]]
        return order

    def _faulty(self, current: Round) -> set[str]:
        """Choose the hand on which the dealer errs, if the occasion is taken."""
        if any(is_natural(cards) for cards in self.hands.values()):
            return set()
        for hand, cards in self.hands.items():
            kind = "card_not_drawn" if draws(cards) else "drew_on_17"
            if self.table.strikes(kind, current):
                current.made = Made(kind, who=hand)
                return {hand}
        return set()

    def _draw_further(self, current: Round, wrongly: set[str]) -> set[str]:
        """Draw one card to each hand under 17, 681a.7(f), (g); give the hands whose card does not count."""
        surplus = set()
        natural = any(is_natural(cards) for cards in self.hands.values())
        has_bonus = any(stake.wager in _BONUSES for stake in current.stakes.values())
        for hand, cards in self.hands.items():
            due = draws(cards) and not is_natural(cards)
            if natural and not has_bonus:
                due = False
            if due is not (hand in wrongly):
                cards.append(self.draw(current, hand))
                if hand in wrongly:
                    surplus.add(hand)
        return surplus

    def _announce(self, current: Round, counts: Mapping[str, tuple[str, ...]], called: str) -> None:
        """Call the result, now and then with a card counted that was the Bonus Wager's only."""
        self.script.wait(900, 1800)
        if not called:
            return
        winner_name = winner(self.hands["player"], self.hands["banker"])
        for_bonus_only = any(is_natural(cards) for cards in counts.values())
        if for_bonus_only and winner_name != called and self.table.strikes("natural_card_counted", current):
            current.made = Made("natural_card_counted")
            called = winner_name
        self.script.tell(events.OutcomeAnnounced, round=current.name, outcome=called)

    def _owed(self, stake: Stake, counts: Mapping[str, tuple[str, ...]], left_out: set[str]) -> int:
        """Return what a stake gains in cents, 681a.7(i) to (k), 681a.8; a fraction of a cent is dropped."""
        won = winner(counts["player"], counts["banker"])
        if stake.wager in _BONUSES:
            hand = _BONUSES[stake.wager]
            cards = self.hands[hand][:2] if hand in left_out else self.hands[hand]
            return stake.cents * (bonus(cards, self._paper()) or -1)
        if stake.wager == "tie":
            return stake.cents * (10 if ties(counts["player"], counts["banker"]) else -1)
        if won == "tie":
            return 0
        if won != stake.wager:
            return -stake.cents
        return stake.cents // 2 if total(counts[won]) == 17 else stake.cents  # noqa: PLR2004  681a.8(a)

    def chances(self, current: Round, stake: Stake, owed: int) -> Iterator[Chance]:
        """Pay a 17 at even money, or a Bonus Wager by another table."""
        if stake.wager in self.mains and 0 < owed < stake.cents:
            yield "seventeen_paid_even", stake, stake.cents, 0
        if stake.wager in _BONUSES and owed > 0:
            cards = self.hands[_BONUSES[stake.wager]]
            for table in PAYS:
                wrong = stake.cents * bonus(cards, table)
                if wrong > owed and current.made is None:
                    yield "bonus_by_wrong_table", stake, wrong, 0

    def _paper(self) -> str:
        ways = self.table.ways
        assert isinstance(ways, Ways)  # noqa: S101  the layout of this game
        return ways.bonus_paytable
