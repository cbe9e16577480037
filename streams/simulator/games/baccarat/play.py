"""A table's time in play, from its opening to its close: shoes, rounds, and what happens between them."""

from random import Random
from typing import Final

from msgspec.structs import replace

from schemas import events
from streams.simulator import schemes
from streams.simulator.games.baccarat import wagers
from streams.simulator.games.baccarat.deal import Layout, initial_cards, runs_out_at_third, third_cards
from streams.simulator.games.baccarat.house_money import HouseMoney
from streams.simulator.games.baccarat.naming import label_of, way_of_vigorish
from streams.simulator.games.baccarat.procedures import BaccaratProcedures
from streams.simulator.games.baccarat.rules import SIMULATING, face_value
from streams.simulator.games.baccarat.settle import Act, announce, put_right, settle
from streams.simulator.games.baccarat.table import Round, Table
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.people import Crew, Curatorship, come, draw_crowd, go, settle_owed, toke
from streams.simulator.plan import Plan, options
from streams.simulator.shoe import Shoe
from streams.simulator.shoe_breaches import Breach, breach, end_shoe, is_in_order
from streams.simulator.table import Made

_SIMULATED: Final = 0.004  # how often a card is found face up in the shoe, 631a.15(d)
_COVER_TOO_DEEP: Final = 0.08  # how often the cover card stood so deep that a shoe runs out
_SHOE_OF_NEW_RULES: Final = 3
_CREW: Final = 3  # one calls the game, two pay and collect
_FIRST_CARDS: Final = 4
_TRIES: Final = 200


def play(plan: Plan, rng: Random, rates: dict[str, float], start: int, end: int) -> Table:
    """Play one table between two moments (microseconds UTC); a round that is open at the end is finished."""
    table = Table(plan, rng, rates, start)
    _Day(table).play_until(end)
    return table


class _Day:
    """Day of one table: its crew, its curator, and how its present shoe will end."""

    def __init__(self, table: Table) -> None:
        self.table = table
        table.script.tell(events.TableOpened, inventory_cents=table.opener)
        table.script.wait(30_000, 60_000)
        self.crew = Crew(table, _CREW)
        self.curator = Curatorship(table)
        self.procedures = BaccaratProcedures(table, self.crew.dealers)
        self.winner: str | None = None
        self.is_plain = False
        self.unsettled: FaultLabel | None = None  # of the last round, if no text settles its hands
        self.rounds = 0
        self.shoes = 0
        self.breach: Breach | None = None
        self.is_last_hand = False
        self.has_run_out = False
        self.runs_dry = False
        self.goes_uncalled = False
        self.ways_taken: set[str] = set()

    def play_until(self, end: int) -> None:
        """Play shoe after shoe until the time is over, and close the table."""
        table, script = self.table, self.table.script
        schemes.sit_down(table)
        self._load_shoe()
        while script.now < end:
            if self._shoe_is_over():
                script.wait(10_000, 20_000)
                settle_owed(table)
                self._label_mixed()
                end_shoe(table, table.shoe, self.breach)
                self._load_shoe()
            self._between_rounds()
            self._round()
        end_shoe(table, table.shoe, self.breach)
        script.wait(4000, 9000)
        self._label_mixed()
        schemes.label_schemes(table)
        go(table, everyone=True)
        script.wait(60_000, 120_000)
        script.tell(events.TableClosed)

    def _shoe_is_over(self) -> bool:
        """Return True if the last hand after the cover card has been played, or the cards have run out."""
        if self.has_run_out or (self.is_last_hand and not self.procedures.plays_on()):
            return True
        self.is_last_hand = self.table.shoe.cover_is_out and not self.runs_dry
        return False

    def _load_shoe(self) -> None:
        table, script = self.table, self.table.script
        before = table.shoe if self.shoes and is_in_order(self.breach) else None
        self.shoes += 1
        script.wait(100_000, 170_000)
        table.shoe = Shoe(f"{table.plan.number}-{self.shoes:02}", table.decks, table.rng)
        script.shoe = table.shoe.name
        # If every burned card is shown, the count of the shoe would report it a second time.
        if not self.procedures.shows_burn() and table.strikes("foreign_card"):
            table.shoe.slip_in(table.rng.choice((1, 1, 2)))
            self.breach = Breach("foreign_card", table.gaming_date(), len(table.shoe.cards) + 1)
        else:
            self.breach = breach(table, table.shoe, before)
        self.procedures.prepare(table.shoe, self.curator.seat)
        script.tell(events.ShoeLoaded, shoe=table.shoe.name, decks=table.shoe.decks)
        self._burn()
        self._take_new_rules()
        script.wait(1500, 3000)
        script.tell(events.DevicesPolled)
        self.is_last_hand = self.has_run_out = table.is_staged = False
        self.goes_uncalled = table.strikes("void_not_called")
        too_deep = 0 if self.procedures.is_asked else _COVER_TOO_DEEP
        self.runs_dry = self.goes_uncalled or table.rng.random() < too_deep
        self._choose_odd_dealer()
        draw_crowd(table)
        come(table)
        self.curator.begin()
        self.is_plain, self.unsettled = False, None

    def _burn(self) -> None:
        """Burn the first card and as many as its face value, 631a.5(f)."""
        table, script = self.table, self.table.script
        script.wait(3000, 6000)
        first = table.shoe.to_come(1)[0]
        table.shoe.show(first)
        for burnt in range(self.procedures.burn_count(table.shoe, 1 + face_value(first))):
            script.wait(700, 1200)
            card = table.shoe.draw()
            if burnt and card is not None and self.procedures.shows_burn():
                table.shoe.show(card)
                script.tell(events.CardBurned, card=card)
            else:
                script.tell(events.CardBurned, card=None if burnt else first)
                if burnt:
                    table.shoe.read_from = table.shoe.drawn

    def _take_new_rules(self) -> None:
        table = self.table
        if table.later is not None and self.shoes == _SHOE_OF_NEW_RULES:
            table.script.wait(1500, 3000)
            table.ways, table.rules = table.later, table.rules + 1
            table.script.tell(
                events.HouseRulesChanged, rules=table.rules, options=options(table.plan.chapter, table.ways)
            )

    def _choose_odd_dealer(self) -> None:
        """Make the dealer take vigorish the other way in this shoe for one half of the table."""
        table = self.table
        table.odd_seats = frozenset()
        if not table.ways.ez and table.strikes("vigorish_mixed"):
            table.odd_seats = frozenset(range(1, table.plan.positions // 2 + 1))

    def _label_mixed(self) -> None:
        table = self.table
        if len(self.ways_taken) > 1:
            table.labels.append(
                FaultLabel(
                    fault="vigorish_mixed",
                    table=table.plan.name,
                    gaming_date=table.gaming_date(),
                    round=None,
                    shoe=table.shoe.name,
                    primary=ExpectedFinding(check="vigorish_mixed", shoe=table.shoe.name),
                    follows=[],
                    delta_cents=None,
                )
            )
        self.ways_taken = set()

    def _between_rounds(self) -> None:
        table = self.table
        table.script.wait(3000, 7000)
        toke(table)
        go(table)
        come(table)
        if self.curator.go_on(self.winner, str(self.rounds + 1) if self.is_plain else None):
            self._leave_passing_open()
        self.crew.relieve()
        self.procedures.begin_round()
        table.fill_if_low()
        table.script.wait(800, 2000)

    def _leave_passing_open(self) -> None:
        """Label that it is open who had to deal the next round, as no text settles the last one's hands."""
        table = self.table
        if self.unsettled is None:
            return
        finding = ExpectedFinding(
            check="shoe_not_passed",
            table=table.plan.name,
            gaming_date=table.gaming_date(),
            who=f"round {self.rounds + 1}",
        )
        place = table.labels.index(self.unsettled)
        table.labels[place] = replace(self.unsettled, undetermined=[finding])

    def _round(self) -> None:
        table, script = self.table, self.table.script
        if self.goes_uncalled and table.shoe.cover_is_out and not table.is_staged:
            self._stage_the_end()
        self.rounds += 1
        current = Round(
            name=str(self.rounds),
            shoe=table.shoe.name,
            gaming_date=table.gaming_date(),
            ways=table.ways,
            unit=table.unit,
        )
        table.open_round(current)
        simulates = table.plan.chapter in SIMULATING and not self.runs_dry
        current.simulated = simulates and table.rng.random() < _SIMULATED
        if current.simulated:
            script.tell(events.SimulatedRoundDealt, round=current.name)
            script.wait(1500, 3000)
            if table.strikes("wager_in_simulated_round", current):
                wagers.place_in_simulated_round(table, current)
        else:
            wagers.take_wagers(table, current)
        script.wait(800, 1500)
        self._deal(current)
        if not (current.simulated or current.is_open or current.ran_out_after):
            schemes.move_late(table, current, current.counts.winner)
        late = self._conclude(current)
        is_called_void = current.is_void and (current.made is None or current.made.kind != "void_not_called")
        if not is_called_void:
            self.procedures.clear(current)
        if not (self.runs_dry or current.is_void):
            self.procedures.end_round(current)
        table.close_round(current)
        self.procedures.announce_last_hand()
        self._remember(current)
        for act in late:
            put_right(table, current, act)

    def _deal(self, current: Round) -> None:
        layout = Layout(self.table, current)
        house_money = HouseMoney(self.table, current, layout)
        initial_cards(self.table, current, layout, house_money.before_fourth_card)
        self.table.script.wait(1200, 2200)
        house_money.after_fourth_card()
        self.procedures.turn(current)
        third_cards(self.table, current, layout)
        self.procedures.turn_thirds(current)
        house_money.after_third_card()

    def _conclude(self, current: Round) -> list[Act]:
        """Settle the round, or call it void where its cards ran out, 631a.15(e)."""
        table = self.table
        if current.ran_out_after is not None:
            self.has_run_out = current.is_void = True
            if self.goes_uncalled and current.ran_out_after >= _FIRST_CARDS:
                current.made = Made("void_not_called")
            else:
                table.script.wait(4000, 9000)
                table.script.tell(events.RoundVoided, round=current.name)
                for stake in current.stakes.values():
                    stake.patron.chips += stake.total
                return []
        if current.simulated:
            return settle(table, current, current.believed.winner, self.procedures)
        return settle(table, current, announce(table, current), self.procedures)

    def _remember(self, current: Round) -> None:
        table = self.table
        self.winner = None if current.is_void else current.counts.winner
        self.is_plain = not (current.is_void or current.simulated) and current.made is None
        ways = [way_of_vigorish(current, stake) for stake in current.stakes.values()]
        self.ways_taken.update(way for way in ways if way is not None)
        label = label_of(table.plan.name, current)
        if label is not None:
            table.labels.append(label)
        is_unsettled = current.is_open and not (current.is_void or current.simulated)
        self.unsettled = label if is_unsettled else None

    def _stage_the_end(self) -> None:
        """Order the last cards so that a third card will be missing, if one of the orders tried does that."""
        shoe = self.table.shoe
        for _ in range(_TRIES):
            if runs_out_at_third(list(shoe.to_come(shoe.left))):
                break
            shoe.mix_rest()
        self.table.is_staged = True
