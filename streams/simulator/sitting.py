"""A table's time in play in any game: people come and go, wagers are made, and what is owed is paid.

A game defines how its rounds are wagered and played and what each stake is owed; it may err on the way.
Paying and collecting, and the mistakes that every dealer can make in it, are here.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar, Final

from schemas import events
from streams.simulator.kinds import SHARED, Kind
from streams.simulator.naming import Wrong, label, money_check
from streams.simulator.patrons import LEAST_WAGER, Patron
from streams.simulator.people import Crew, come, draw_crowd, go, toke
from streams.simulator.plan import Plan
from streams.simulator.procedures import Procedures
from streams.simulator.table import Key, Made, Round, Stake, Table
from streams.simulator.wagering import Move, close, late, place

_CHIPS: Final = (500, 2500, 10000)

# What a stake is owed, in cents; a stake without an entry has no money that a text settles.
Owed = Mapping[Key, int]
Act = tuple[int, int]  # gain and vigorish
Chance = tuple[str, Stake, int, int]  # kind of fault, stake, gain and vigorish as it would be settled


class Sitting(ABC):
    """Sitting: one table from its opening to its close; a subclass is one game.

    `faults` are the kinds that only this game has, `mains` the wagers that a round is played for, `crew` how
    many dealers there are; where `friends`, several persons may wager on one position.
    """

    faults: ClassVar[Mapping[str, Kind]] = {}
    mains: ClassVar[tuple[str, ...]]
    crew: ClassVar[int] = 1
    friends: ClassVar[bool] = True

    def __init__(self, plan: Plan, rng: Random, rates: dict[str, float], start: int) -> None:
        self.table = Table(plan, rng, rates, start)
        self.rng, self.script = rng, self.table.script
        self.kinds = {**SHARED, **self.faults}
        self.rounds = 0
        self.script.tell(events.TableOpened, inventory_cents=self.table.opener)
        self.script.wait(30_000, 60_000)
        self._crew = Crew(self.table, self.crew)
        self.procedures = Procedures(self.table, self._crew.dealers)
        draw_crowd(self.table)

    # ── what a game defines ──────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def prepare(self) -> None:
        """Prepare the table for its next round: a new shoe when the old one is over."""

    def end_source(self) -> None:
        """End the shoe that was played with, as the table closes."""
        return

    @abstractmethod
    def source(self) -> str:
        """Return the shoe, or the set of tiles or dice, that the next round is played with."""

    @abstractmethod
    def wishes(self, patron: Patron) -> Iterator[tuple[str, int]]:
        """Return the wagers that a person would make before the round is played, and their cents."""

    @abstractmethod
    def play(self, current: Round) -> Owed:
        """Play the round, rightly or with one fault; return what each stake is owed by what was played."""

    def chances(self, current: Round, stake: Stake, owed: int) -> Iterator[Chance]:
        """Yield the mistakes in paying that only this game has occasion for."""
        del current, stake, owed
        yield from ()

    def end_round(self, current: Round) -> None:
        """Finish a round before it is closed."""
        del current

    def vigorish(self, stake: Stake, gain: int) -> int:
        """Return the vigorish on a gain, in cents."""
        del stake, gain
        return 0

    def follow(self, current: Round, acts: dict[Key, Act]) -> None:
        """Carry a wrong collection or payment on into what else is paid; in place."""
        del current, acts

    def settling_order(self, current: Round, acts: Mapping[Key, Act]) -> list[Key]:
        """Return the stakes in the order in which they are settled: losers first."""
        del current
        return sorted(acts, key=lambda key: (acts[key][0] >= 0, str(key)))

    def wrongs(self, current: Round, owed: Owed) -> list[Wrong]:
        """Return every stake that was not settled as it was owed; open ones have no money to judge."""
        found = []
        for key, stake in current.stakes.items():
            if key not in owed or stake.is_open:
                continue
            check = money_check(owed[key], stake.gain, is_wagered=stake.cents > 0)
            if check is not None:
                found.append(Wrong(check, stake, stake.gain - owed[key]))
        return found

    # ── what every game does ─────────────────────────────────────────────────────────────────────────

    def until(self, end: int) -> Table:
        """Play until a moment, microseconds UTC; a round that is open then is finished."""
        table, script = self.table, self.script
        while script.now < end:
            self.prepare()
            self._between_rounds()
            self._round()
        self.end_source()
        script.wait(4000, 9000)
        go(table, everyone=True)
        script.wait(60_000, 120_000)
        script.tell(events.TableClosed)
        return table

    def _between_rounds(self) -> None:
        table = self.table
        self.script.wait(3000, 7000)
        toke(table)
        go(table)
        come(table, friends=self.friends)
        if self._crew.relieve():
            self.procedures.welcome_dealer(self.rounds + 1)
        table.fill_if_low()
        self.procedures.begin_round()
        self.script.wait(800, 2000)

    def _round(self) -> None:
        table, script = self.table, self.script
        self.rounds += 1
        current = Round(name=str(self.rounds), shoe=self.source(), gaming_date=table.gaming_date())
        self.current = current
        table.open_round(current)
        self.take_wagers(current)
        script.wait(800, 1500)
        owed = self.play(current)
        self.settle(current, owed)
        self.end_round(current)
        table.close_round(current)
        found = self.wrongs(current, owed)
        called_wrong = current.is_called_wrong
        labelled = label(table.plan.name, current, self.kinds, found, called_wrong=called_wrong)
        if labelled is not None:
            table.labels.append(labelled)

    def take_wagers(self, current: Round) -> None:
        """Accept wagers until "no more bets", and make some late."""
        table = self.table
        span = 1000 * self.rng.randint(13_000, 21_000)
        moves: list[Move] = []
        for patron in table.patrons:
            for wager, cents in self.wishes(patron):
                moves += place(table, current, patron, wager, cents, span)
        close(table, current, moves, span)
        stakes = [stake for stake in current.stakes.values() if stake.wager in self.mains]
        seated = {stake.key[:2] for stake in stakes}
        idle = [patron for patron in table.patrons if (patron.seat, patron.bettor) not in seated]
        late(table, current, idle, stakes, self.mains)

    def stake_of(self, patron: Patron, most: int = 100_000) -> int:
        """Return the cents that a person would put on a main wager: whole chips of those they play with."""
        cents = patron.base * self.rng.randint(60, 200) // 100 // patron.unit * patron.unit
        return min(most, max(LEAST_WAGER, cents))

    def wager_in_play(self, current: Round, stake: Stake) -> None:
        """Place the chips of a wager made during play, such as a double."""
        patron = stake.patron
        while patron.chips < stake.cents:
            self.table.buys_in(patron, current.name)
        patron.chips -= stake.cents
        current.stakes[stake.key] = stake
        self.script.wait(900, 2200)
        self.table.tell(events.ChipsPlaced, current, stake, stake.cents)

    def settle(self, current: Round, owed: Owed) -> None:
        """Pay and collect, with one mistake at most."""
        acts = {
            stake.key: (gain := owed.get(stake.key, 0), self.vigorish(stake, gain))
            for stake in current.stakes.values()
        }
        if current.made is None and not current.is_void:
            chances = [
                chance
                for stake in current.stakes.values()
                if not stake.is_open and stake.key in owed and stake.cents
                for chance in (
                    *self.shared_chances(stake, owed[stake.key]),
                    *self.chances(current, stake, owed[stake.key]),
                )
            ]
            self.rng.shuffle(chances)
            for kind, stake, gain, vigorish in chances:
                if self.table.strikes(kind, current):
                    seat, bettor, wager, _ = stake.key
                    current.made = Made(kind, seat, bettor, wager)
                    acts[stake.key] = (gain, vigorish)
                    break
        self.follow(current, acts)
        for key in self.settling_order(current, acts):
            self._carry_out(current, current.stakes[key], *acts[key])

    def shared_chances(self, stake: Stake, owed: int) -> Iterator[Chance]:
        """Yield the mistakes in paying that every game has occasion for."""
        vigorish = self.vigorish(stake, owed)
        if owed > 0:
            chip = self.rng.choice([chip for chip in _CHIPS if chip < owed] or [owed])
            yield "winner_overpaid", stake, owed + chip, self.vigorish(stake, owed + chip)
            yield "winner_not_paid", stake, 0, 0
            yield "winner_collected", stake, -stake.cents, 0
            if owed > chip:
                yield "winner_underpaid", stake, owed - chip, self.vigorish(stake, owed - chip)
        elif owed < 0:
            yield "loser_not_collected", stake, 0, 0
            yield "loser_paid", stake, stake.cents, self.vigorish(stake, stake.cents)
        else:
            yield "push_collected", stake, -stake.cents, vigorish
            yield "push_paid", stake, stake.cents, self.vigorish(stake, stake.cents)

    def _carry_out(self, current: Round, stake: Stake, gain: int, vigorish: int) -> None:
        table = self.table
        self.script.wait(500, 1100)
        stake.gain, stake.vigorish, stake.is_settled = gain, vigorish, True
        stake.patron.chips += stake.cents + gain - vigorish
        table.tray -= gain - vigorish
        if gain:
            kind = events.ChipsPaid if gain > 0 else events.ChipsCollected
            table.tell(kind, current, stake, abs(gain))
        if vigorish:
            self.script.wait(300, 700)
            table.tell(events.VigorishCollected, current, stake, vigorish)
