"""A Craps table in play as far as the Bonus Craps wagers go, 623a.12, and what its dealer can get wrong.

A round is one shooter's turn: from his first roll to the 7 that ends it.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar, Final, Literal

from msgspec import Struct

from schemas import events
from streams.simulator.kinds import Kind
from streams.simulator.patrons import SIDES, Patron
from streams.simulator.plan import Layout, Plan
from streams.simulator.sitting import Chance, Owed, Sitting
from streams.simulator.table import Key, Made, Round, Stake, Table
from streams.simulator.wagering import lay, pocket

FAULTS: Final[Mapping[str, Kind]] = {
    "bonus_craps_late": Kind("late_wager", 0.02, "turn"),
    "bonus_craps_increased": Kind("late_wager", 0.02, "turn"),
    "bonus_craps_removed": Kind("late_wager", 0.02, "turn"),
    "bonus_craps_left_after_7": Kind("loser_not_collected", 0.003, "losing Bonus Craps Wager"),
    "all_paid_as_small": Kind("paid_too_little", 0.2, "All or Nothing at All Wager that wins"),
    "number_not_marked": Kind("number_not_marked", 0.01, "turn"),
    "markers_not_cleared": Kind("markers_not_cleared", 0.01, "turn"),
}

# 623a.3(a)(43), 623a.5(h): wager -> the numbers that must come before a 7, and how many to 1 it pays.
_SMALL: Final = frozenset({2, 3, 4, 5, 6})
_TALL: Final = frozenset({8, 9, 10, 11, 12})
WAGERS: Final[Mapping[str, tuple[frozenset[int], int]]] = {
    "all_small": (_SMALL, 34),
    "all_or_nothing_at_all": (_SMALL | _TALL, 175),
    "all_tall": (_TALL, 34),
}
_POINTS: Final = frozenset({4, 5, 6, 8, 9, 10})
_SEVEN: Final = 7
_OCCASION: Final = 0.2  # how often between two rolls someone reaches for a wager


class Ways(Struct, frozen=True):
    """Choices of the house at a table."""

    bonus_craps_made: Literal["initial_come_out", "any_come_out"] = "initial_come_out"


def lay_out(index: int) -> Layout:
    """Return the setup of the n-th table of the game."""
    return Layout(
        positions=12,
        ways=Ways(bonus_craps_made="any_come_out" if index % 2 else "initial_come_out"),
        sources=("terminal", "dice", "chips", *(("tray",) if index % 3 == 0 else ())),
    )


def play(plan: Plan, rng: Random, rates: dict[str, float], start: int, end: int) -> Table:
    """Play one table between two moments, microseconds UTC."""
    return _Sitting(plan, rng, rates, start).until(end)


class _Sitting(Sitting):
    faults: ClassVar[Mapping[str, Kind]] = FAULTS
    mains: ClassVar[tuple[str, ...]] = ()
    crew: ClassVar[int] = 4

    def prepare(self) -> None:
        """Change nothing: dice need no shoe."""

    def source(self) -> str:
        """Return the set of dice."""
        return f"dice {self.table.plan.number}"

    def wishes(self, patron: Patron) -> Iterator[tuple[str, int]]:
        """Return some of the three wagers to make, 623a.3(a)(43)."""
        for wager in WAGERS:
            if self.rng.random() < patron.likes_sides:
                yield wager, self.rng.choice(SIDES)

    def take_wagers(self, current: Round) -> None:
        """Announce the shooter and take the wagers that are made before his first roll, 623a.12(1)."""
        self.shooter = self.rng.choice(self.table.patrons).seat
        self.made: dict[Key, int] = {}
        self.script.wait(1500, 4000)
        self.script.tell(events.ShooterNamed, round=current.name, seat=self.shooter)
        self._wager(current, rolls=0, eagerness=1.0)

    def _wager(self, current: Round, *, rolls: int, eagerness: float) -> None:
        for patron in self.table.patrons:
            for wager, cents in self.wishes(patron):
                key = (patron.seat, patron.bettor, wager, None)
                if key not in current.stakes and self.rng.random() < eagerness:
                    self._put_down(current, patron, wager, cents)
                    self.made[key] = rolls
        self.script.wait(3000, 6000)

    def _put_down(self, current: Round, patron: Patron, wager: str, cents: int) -> None:
        pocket(self.table, patron, cents, current)
        self.script.wait(600, 2500)
        self.script.tell(events.ChipsPlaced, round=current.name, **lay(current, patron, wager, cents))

    def play(self, current: Round) -> Owed:
        """Roll until the 7 that ends the turn; return what each wager is owed by the rolls."""
        rolls: list[int] = []
        marked: set[int] = set()
        point: int | None = None
        while True:
            total = self._roll(current)
            rolls.append(total)
            self._mark(current, rolls, marked)
            ends = point is not None and total == _SEVEN
            if point is None:
                point = total if total in _POINTS else None
            elif total == point:
                point = None
            if ends:
                break
            self._between(current, rolls, come_out=point is None)
        return {
            key: stake.cents * self._odds(stake.wager, rolls[self.made[key] :])
            for key, stake in current.stakes.items()
            if not stake.is_open
        }

    @staticmethod
    def _odds(wager: str, rolls: list[int]) -> int:
        """Return what a unit gains: the pay if every number came before a 7, or a loss, 623a.12(4), (5)."""
        needed, pays = WAGERS[wager]
        before = rolls[: rolls.index(_SEVEN)]
        return pays if needed <= set(before) else -1

    def _roll(self, current: Round) -> int:
        self.script.wait(9000, 21_000)
        dice = sorted((self.rng.randint(1, 6), self.rng.randint(1, 6)), reverse=True)
        self.script.tell(events.DiceRolled, round=current.name, dice=f"{dice[0]}-{dice[1]}")
        return sum(dice)

    def _between(self, current: Round, rolls: list[int], *, come_out: bool) -> None:
        """Make wagers before a later come out roll if the house takes them, or change wagers wrongly."""
        ways = self.table.ways
        any_come_out = isinstance(ways, Ways) and ways.bonus_craps_made == "any_come_out"
        if any_come_out and come_out:
            self._wager(current, rolls=len(rolls), eagerness=0.1)
        elif self.table.patrons and self.rng.random() < _OCCASION:
            self._change_wrongly(current, rolls)

    def _change_wrongly(self, current: Round, rolls: list[int]) -> None:
        """Make a wager too late, or change one after it was made, 623a.12(1), (2), 623a.4(c)(4)."""
        patron, wager = self.rng.choice(self.table.patrons), self.rng.choice(tuple(WAGERS))
        key = (patron.seat, patron.bettor, wager, None)
        if key not in current.stakes:
            if self.table.strikes("bonus_craps_late", current):
                self._put_down(current, patron, wager, self.rng.choice(SIDES))
                self._blame(current, "bonus_craps_late", current.stakes[key])
                self.made[key] = len(rolls)  # it is on the layout, if wrongly
        elif self._lies(key, rolls):
            stake = current.stakes[key]
            if self.table.strikes("bonus_craps_increased", current):
                self._move(current, stake, events.ChipsPlaced, 500)
                self._blame(current, "bonus_craps_increased", stake)
            elif self.table.strikes("bonus_craps_removed", current):
                self._move(current, stake, events.ChipsRemoved, stake.cents)
                self._blame(current, "bonus_craps_removed", stake)

    def _move(self, current: Round, stake: Stake, kind: type[events.Reported], cents: int) -> None:
        added = cents if kind is events.ChipsPlaced else -cents
        pocket(self.table, stake.patron, added, current)
        self.script.wait(600, 2500)
        stake.patron.chips -= added
        stake.cents += added
        self.table.tell(kind, current, stake, cents)

    @staticmethod
    def _blame(current: Round, kind: str, stake: Stake) -> None:
        seat, bettor, wager, _ = stake.key
        stake.is_open = True
        current.made = Made(kind, seat, bettor, wager)

    def _lies(self, key: Key, rolls: list[int]) -> bool:
        """Return True if a wager is still undecided after some rolls."""
        since = rolls[self.made[key] :] if key in self.made else [_SEVEN]
        return _SEVEN not in since and not WAGERS[key[2]][0] <= set(since)

    def _mark(self, current: Round, rolls: list[int], marked: set[int]) -> None:
        """Place a button on a number, or remove all after a 7, while a wager needs it, 623a.12(3), (5)."""
        self.script.wait(900, 1900)
        total = rolls[-1]
        if total == _SEVEN:
            if marked and not self._errs(current, "markers_not_cleared"):
                self.script.tell(events.MarkersCleared, round=current.name)
            marked.clear()
        elif total not in marked and any(self._lies(key, rolls[:-1]) for key in self.made):
            if marked and self._errs(current, "number_not_marked"):
                return
            self.script.tell(events.NumberMarked, round=current.name, number=total)
            marked.add(total)

    def _errs(self, current: Round, kind: str) -> bool:
        if not self.table.strikes(kind, current):
            return False
        current.made = Made(kind, who="dealer")
        return True

    def chances(self, current: Round, stake: Stake, owed: int) -> Iterator[Chance]:
        """Overlook a loser, or pay the longest wager as if it were one of the others."""
        del current
        if owed < 0:
            yield "bonus_craps_left_after_7", stake, 0, 0
        elif stake.wager == "all_or_nothing_at_all":
            yield "all_paid_as_small", stake, stake.cents * WAGERS["all_small"][1], 0
