"""A Pai Gow table in play, 535.7 to 535.12: wagers, a player's bank, stacks, hands opened and paid."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import ClassVar, Final

from streams.simulator.games.paigow import settle, wagers
from streams.simulator.games.paigow.deal import Fate, call_void, deal, show_a_tile
from streams.simulator.games.paigow.hands import Laid, set_all
from streams.simulator.games.paigow.layouts import FAULTS
from streams.simulator.games.paigow.procedures import TileProcedures
from streams.simulator.games.paigow.rules import Ways, in_order, vigorish
from streams.simulator.games.paigow.settle import HandDisplay, by_words, gains, lawful, results
from streams.simulator.games.paigow.wagers import DEALERS, MAIN, Bank, Rotation, centre
from streams.simulator.kinds import Kind
from streams.simulator.naming import Wrong
from streams.simulator.patrons import Patron
from streams.simulator.plan import Plan
from streams.simulator.sitting import Act, Chance, Owed, Sitting
from streams.simulator.table import Key, Round, Stake, Table
from streams.simulator.wagering import Move, close, late, place

_SITS_OUT: Final = 0.05
_LEAVES: Final = 0.004


def play(plan: Plan, rng: Random, rates: dict[str, float], start: int, end: int) -> Table:
    """Play one table between two moments, microseconds UTC."""
    return _Sitting(plan, rng, rates, start).until(end)


class _Sitting(Sitting):
    faults: ClassVar[Mapping[str, Kind]] = FAULTS
    mains: ClassVar[tuple[str, ...]] = (MAIN,)
    friends: ClassVar[bool] = False  # 535.7(b): only who is seated may wager

    def __init__(self, plan: Plan, rng: Random, rates: Mapping[str, float], start: int) -> None:
        super().__init__(plan, rng, dict(rates), start)
        assert isinstance(plan.ways, Ways)  # noqa: S101  the layout of this game
        self.ways = plan.ways
        self.house = Patron(0, None, rng)  # who makes the dealer's wager
        self.rotation = Rotation(self.table, self.ways)
        self.tiles = self.procedures = TileProcedures(self.table, self.procedures.dealers)

    def prepare(self) -> None:
        """Reset the state of the round."""
        self.table.is_staged = False
        self.bank: Bank | None = None
        self.is_bank_again = False
        self.words: dict[str, str] = {}
        self.laid = Laid()
        self.actual: dict[Key, int] = {}
        self.miscalled: list[str] = []  # after hands that were set wrongly
        self.has_erred = False
        self.is_void = False

    def source(self) -> str:
        """Return the set of tiles."""
        return f"tiles {self.table.plan.number}"

    # ── wagers ───────────────────────────────────────────────────────────────────────────────────────

    def wishes(self, patron: Patron) -> Iterator[tuple[str, int]]:
        """Return a Pai Gow Wager to make; some sit a round out."""
        if self.rng.random() >= _SITS_OUT:
            yield MAIN, self.stake_of(patron)

    def take_wagers(self, current: Round) -> None:
        """Offer the bank, 535.11(c), and take wagers until "no more bets", 535.7(c)."""
        table = self.table
        if self.rounds > 1:  # 535.11(b)
            last = self.rotation.last  # only where players bank
            again = last if last in table.patrons and self.tiles.banks_twice() else None
            self.bank = wagers.offer_bank(table, current, self.rotation, self.ways, again)
            self.is_bank_again = again is not None
        others = [patron for patron in table.patrons if self.bank is None or patron is not self.bank.patron]
        span = 1000 * self.rng.randint(14_000, 24_000)
        moves: list[Move] = []
        for patron in others:
            for wager, cents in self.wishes(patron):
                moves += place(table, current, patron, wager, cents, span)
        stakes = list(current.stakes.values())
        if self.bank is not None:
            moves += wagers.place_wagers(table, current, self.bank, self.rotation, self.house, span)
        else:
            moves += wagers.place_unknown(table, current)
            self.rotation.remember(current)
        close(table, current, moves, span)
        idle = [patron for patron in others if all(stake.patron is not patron for stake in stakes)]
        late(table, current, idle, stakes, self.mains)
        wagers.leave_open(current, self.bank)

    # ── the round ────────────────────────────────────────────────────────────────────────────────────

    def play(self, current: Round) -> Owed:
        """Deal, set and open the hands, and compare them; return what is owed."""
        seats, compared = self._seats(current), self._compared(current)
        bank = self.bank
        self.tiles.shake(current, bank.patron.seat if bank is not None else None)
        fate = deal(self.table, current, bank.position if bank is not None else "dealer", self.tiles)
        self.tiles.put_away(current)
        if fate == "sound":
            safe = [bank.position] if bank is not None else []
            fate, voided = show_a_tile(self.table, current, seats, safe)
            if voided is not None:
                self.words[voided] = "void"
        if fate == "called":
            call_void(self.table, current)
            self.is_void = True
            return dict.fromkeys(self._judged(current), 0)
        self.tiles.label_deal()
        self.tiles.show(current, is_bank_again=self.is_bank_again and bank is not None)
        self.laid = set_all(self.table, current, [*compared, *seats], bank, self.ways)
        became = results(self.laid.final, self.words, bank, self.ways)
        display = HandDisplay(self.table, current, self.laid, self.words, became)
        self._before_the_dealer(current, display, seats)
        display.lay_open(compared, seats, bank)
        return self._reckon(current, fate, display)

    def _seats(self, current: Round) -> list[str]:
        """Return the seats that wager, in order."""
        bank = self.bank
        wagering = {
            stake.patron.seat
            for stake in current.stakes.values()
            if stake.wager == MAIN and stake.cents and (bank is None or stake.patron is not bank.patron)
        }
        return [f"seat{seat}" for seat in sorted(wagering)]

    def _compared(self, current: Round) -> list[str]:
        """Return the positions that open before the seats': the dealer's if he wagers, the bank's."""
        if self.bank is None:
            return ["dealer"]
        against = ["dealer"] if (0, None, DEALERS, None) in current.stakes else []
        return [*against, self.bank.position]

    def _before_the_dealer(self, current: Round, display: HandDisplay, seats: list[str]) -> None:
        """Wait while players set their hands; one may leave, or decide what is not allowed or too early."""
        strikes = self.table.strikes
        free = [seat for seat in seats if seat not in self.words]
        self.script.wait(12_000, 26_000)
        if not free:
            return
        seat = self.rng.choice(free)
        if strikes("voided_without_cause", current):
            display.wrongly("voided_without_cause", seat, "void")
        elif self.bank is None and strikes("surrender_too_early", current):
            display.wrongly("surrender_too_early", seat, "surrender")
        elif self.rng.random() < _LEAVES:
            display.decide(seat, "left")
            patron = next(each for each in self.table.patrons if f"seat{each.seat}" == seat)
            patron.rounds_left = 0
            if self.ways.abandoned_wager == "lose":
                self.words[seat] = "left"

    # ── the money ────────────────────────────────────────────────────────────────────────────────────

    def _judged(self, current: Round) -> list[Key]:
        return [key for key, stake in current.stakes.items() if not stake.is_open]

    def _reckon(self, current: Round, fate: Fate, display: HandDisplay) -> Owed:
        """Return what is owed, and note what the dealer makes of it."""
        bank = self.bank
        became = display.became | by_words(self.words)
        self.actual = gains(current, became, bank)
        law = lawful(current, self.laid, self.words, bank, self.ways)
        owed = law.owed if fate != "overlooked" else dict.fromkeys(law.owed, 0)
        if self.laid.instead:
            self.miscalled = [
                seat for seat, call in display.called.items() if law.results[seat] not in (call, None)
            ]
        for key, stake in current.stakes.items():
            unsettled = display.unsettled is not None and (
                (bank is not None and key == bank.key)
                or (stake.wager == MAIN and f"seat{stake.patron.seat}" == display.unsettled)
            )
            stake.is_open = stake.is_open or unsettled or fate == "open"
        self.has_erred = current.made is not None
        return {key: owed[key] for key in self._judged(current)}

    def vigorish(self, stake: Stake, gain: int) -> int:
        """Take 5% of what a player or a bank won, 535.10(k), 535.11(o) to (r)."""
        return 0 if stake.wager == DEALERS else vigorish(gain, self.ways.vigorish_rounding_cents)

    def shared_chances(self, stake: Stake, owed: int) -> Iterator[Chance]:
        """Yield the mistakes of every game; a bank's chips are on no spot to be paid or collected whole."""
        if self.bank is None or stake.key != self.bank.key:
            yield from super().shared_chances(stake, owed)

    def chances(self, current: Round, stake: Stake, owed: int) -> Iterator[Chance]:
        """Misjudge a hand or what the centre leaves."""
        seat, opponent = f"seat{stake.patron.seat}", self.bank.position if self.bank is not None else "dealer"
        word = self.words.get(seat)
        if self.bank is not None and stake.key == self.bank.key:
            if not self.is_void:
                yield from settle.mistakes_at_bank(current, self.bank, owed, self.actual, self.ways)
        elif stake.wager == MAIN and word is not None:
            yield from settle.mistakes_after_word(word, stake)
        elif stake.wager == MAIN and seat in self.laid.final:
            mine, theirs = self.laid.final[seat], in_order(self.laid.final[opponent])
            if self.ways.low_above_high == "by_rank" or in_order(mine) == mine:
                yield from settle.mistakes_at_table(stake, owed, in_order(mine), theirs, self.ways)

    def follow(self, current: Round, acts: dict[Key, Act]) -> None:
        """Move the money as the hands were taken; after a wrong payment the centre has the rest."""
        gained = self.actual
        if not self.has_erred:
            if current.made is None or self.bank is None or self.is_void or _is_about(current, self.bank):
                return
            gained = {key: gain for key, (gain, _) in acts.items()}
            gained = {self.bank.key: centre(gained, self.bank)}
        for key, gain in gained.items():
            acts[key] = (gain, self.vigorish(current.stakes[key], gain))

    def settling_order(self, current: Round, acts: Mapping[Key, Act]) -> list[Key]:
        """Return losers, then winners from seat 1, at the dealer's right, 535.10(j)."""
        order = super().settling_order(current, acts)
        winners = [key for key in order if key[2] == MAIN and acts[key][0] > 0]
        is_in_turn = self.bank is None and not self.is_void and len({key[0] for key in winners}) > 1
        if self.procedures.settles_wrongly(current, ["paid_out_of_turn"] if is_in_turn else []):
            order = [key for key in order if key not in winners] + winners[::-1]
        return order

    def settle(self, current: Round, owed: Owed) -> None:
        """Settle, and return the dealer's wager and what it won to the table inventory, 535.11(n), (p)."""
        super().settle(current, owed)
        self.table.tray += self.house.chips
        self.house.chips = 0

    def wrongs(self, current: Round, owed: Owed) -> list[Wrong]:
        """Label, besides wrong money, the calls that wrong hands caused, and vigorish that was wrong."""
        found = super().wrongs(current, owed)
        check = FAULTS[current.made.kind].check if current.made and current.made.kind in FAULTS else None
        for stake in current.stakes.values():
            if stake.wager == MAIN and f"seat{stake.patron.seat}" in self.miscalled:
                found.append(Wrong("announced_wrong", stake, 0))
            over = stake.vigorish - self.vigorish(stake, stake.gain)
            if over and check is not None and check.startswith("vigorish"):
                found.append(Wrong(check, stake, over))
        return found


def _is_about(current: Round, bank: Bank) -> bool:
    made = current.made
    return made is not None and (made.seat, made.wager) == (bank.patron.seat, bank.wager)
