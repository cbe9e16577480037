"""The floor's procedures as people do them: rightly, or with a labelled fault, where a table reports them.

The figures are worked by hand from each chapter's text. For a table without a source of procedures nothing is
reported, and nothing drawn.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from schemas import events
from schemas.procedures import ProcedureStep
from schemas.values import Person
from streams.simulator.dice import DICE, DICE_OF, DiceDelivery
from streams.simulator.kinds import Kind
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.patrons import Patron
from streams.simulator.people import come, draw_crowd
from streams.simulator.shoe import Shoe
from streams.simulator.table import Round, Table

_SHOE: Final = "shoe"
_TILES: Final = "opening of tiles"
_ROUND_OF_TILES: Final = "round of Pai Gow"

# docs/faults.md explains each kind.
PROCEDURES: Final[Mapping[str, Kind]] = {
    "decks_left_in_play": Kind("decks_not_changed", 0.05, "shoe of new decks"),
    "cards_not_inspected": Kind("cards_not_inspected", 0.05, "opening of cards"),
    "inspected_alone": Kind("cards_not_inspected", 0.05, "opening of cards"),
    "cards_not_spread": Kind("cards_not_spread", 0.05, "opening of cards"),
    "cards_not_washed": Kind("opening_step_missing", 0.05, "opening of cards"),
    "cards_not_shuffled": Kind("cards_not_shuffled", 0.02, _SHOE),
    "shuffled_by_fewer": Kind("not_each_dealer_shuffled", 0.04, "shoe that each dealer shuffles"),
    "shuffle_not_verified": Kind("shuffle_not_verified", 0.04, "shoe whose shuffle is verified"),
    "cut_by_favourite": Kind("cut_order_wrong", 0.03, _SHOE),
    "cards_not_cut": Kind("cards_not_cut", 0.02, _SHOE),
    "cut_at_the_edge": Kind("cut_too_shallow", 0.03, _SHOE),
    "stack_not_rotated": Kind("cut_not_completed", 0.02, _SHOE),
    "cover_card_at_the_end": Kind("cover_card_too_low", 0.03, _SHOE),
    "burned_too_few": Kind("burn_wrong", 0.03, "burn of several cards"),
    "burn_forgotten": Kind("burn_wrong", 0.03, "dealer who comes"),
    "last_hand_not_called": Kind("last_hand_not_announced", 0.06, "last hand"),
    "hand_after_the_last": Kind("played_past_cover_card", 0.03, "last hand"),
    "rack_not_counted": Kind("cards_not_collected", 0.03, "shoe whose cards are counted"),
    "card_gone": Kind("cards_not_collected", 0.03, "shoe whose cards are counted"),
    "player_passed_over": Kind("curator_order_wrong", 0.01, "offer of the dealing shoe"),
    "shoe_kept": Kind("shoe_not_passed", 0.01, "Banker's Hand that loses"),
    "shoe_of_other_kind": Kind("shoe_not_admitted", 0.05, "table whose shoe is to be manual"),
    "turned_by_lower": Kind("turned_by_other", 0.004, "hand with wagers of several sums"),
    "third_card_to_other": Kind("turned_by_other", 0.01, "third card that a player turns"),
    "spoken_not_confirmed": Kind("verbal_wager_wrong", 0.05, "spoken wager at Spanish 21"),
    "cash_not_turned": Kind("verbal_wager_wrong", 0.05, "spoken wager"),
    "spoken_accepted": Kind("verbal_wager_wrong", 0.002, _ROUND_OF_TILES),
    "banked_twice": Kind("bank_not_allowed", 0.05, "round after one that a player banked"),
    "paid_too_soon": Kind(
        "settled_out_of_order", 0.004, "round with losers and winners to be settled in order"
    ),
    "paid_out_of_turn": Kind(
        "settled_out_of_order", 0.004, "round with more seats to settle in order than dealers who pay"
    ),
    "vigorish_out_of_turn": Kind("settled_out_of_order", 0.004, "round with vigorish on a winner"),
    "boxes_apart": Kind("too_many_boxes", 0.002, "round of a blackjack game with free boxes"),
    "reader_not_inspected": Kind("reader_not_inspected", 0.05, "table with a card reader and day"),
    "logo_missing": Kind("layout_wrong", 0.05, "opening of a table"),
    "layout_not_approved": Kind("layout_not_approved", 0.05, "opening of a table"),
    "layout_approved_late": Kind("layout_not_approved", 0.05, "opening of a table"),
    "box_misplaced": Kind("equipment_wrong", 0.05, "opening of a table"),
    "card_left_lying": Kind("cards_not_cleared", 0.002, "round whose cards are counted"),
    **DICE,
    "tiles_not_inspected": Kind("tiles_not_inspected", 0.25, _TILES),
    "tiles_unsealed": Kind("unsuitable_tiles_played", 0.25, _TILES),
    "tiles_not_spread": Kind("tiles_not_spread", 0.25, _TILES),
    "tiles_not_mixed": Kind("tiles_not_mixed", 0.005, _ROUND_OF_TILES),
    "circles_too_few": Kind("tiles_not_mixed", 0.005, _ROUND_OF_TILES),
    "shaken_too_little": Kind("shaker_wrong", 0.005, _ROUND_OF_TILES),
    "shaker_not_put_away": Kind("shaker_wrong", 0.005, _ROUND_OF_TILES),
    "delivered_otherwise": Kind("delivery_wrong", 0.005, _ROUND_OF_TILES),
}
SOURCES: Final = ("pit", "shuffler", "cards", "staff", "recorder", "register")

# Worked from the texts; chapters that are not named have no requirements about their cards.
_CUT_CHAPTERS: Final = ("631a", "541", "543", "545", "551", "681a", "685a")
_SHAPE: Final = {"541": "rows", "543": "rows", "545": "columns"}  # of all others fans
_NEW_DECKS_EACH_SHOE: Final = ("631a", "543", "545")
_HOURS: Final = {"541": 2}  # after which decks are changed at the next shoe, well within 4; of others 20
_EACH_DEALER: Final = ("631a", "545")
_VERIFIED: Final = ("541", "543")
_CURATOR_CUTS: Final = ("631a", "545")
_BLACKJACK: Final = ("551", "685a")
_BURN_OF_ONE: Final = ("551", "681a", "685a")
_BURN_FACE_UP: Final = ("541", "543", "545")
_LAST_HAND: Final = ("631a", "541", "543", "545")
_CLEARED: Final = ("631a", "541", "543", "545", "551", "681a", "685a")
_SEVERAL_PAY: Final = ("631a", "545")
_WITH_BOXES: Final = ("631a", "541", "543", "545", "551", "681a", "685a", "535", "623a")
_LEAST_CUT: Final = 10
_BEHIND: Final = {"681a": 10}  # the least behind the cover card; of the others 14
_QUARTER: Final = ("551", "685a")  # or a quarter of the stack
_SPOKEN: Final = ("631a", "541", "543", "545", "551", "685a")
_SPOKEN_RATE: Final = 0.03  # of the rounds
_HOUR: Final = 3_600_000_000
FLOORPERSON: Final = Person("FL", "floorperson")


class Procedures:
    """Procedures of a table's people from its opening to its close, with the faults that they make."""

    def __init__(self, table: Table, dealers: Sequence[str]) -> None:
        self.table = table
        self.dealers = dealers
        self.is_reported = "pit" in table.plan.devices
        self.is_asked = self.is_reported and table.plan.chapter in _CUT_CHAPTERS
        self.shoes = 0
        self.received_at = 0
        self.inspected_on = ""
        self.batch: str | None = None
        self.cover_hand: str | None = None
        self.is_cover_out = False
        self.is_loaded = False
        self.uncalled: str | None = None
        self.overplayed: str | None = None
        self.is_overplayed = False
        self.rounds = 0
        self.spoken: tuple[int, bool] | None = None
        self.boxes: tuple[Patron, ...] = ()

    # ── the cards of a shoe, before they are played ──────────────────────────────────────────────────

    def prepare(self, shoe: Shoe, curator: int | None = None) -> None:
        """Open new cards where they are due, shuffle and cut the cards, and insert the cover card."""
        if not self.is_asked:
            return
        table, chapter = self.table, self.table.plan.chapter
        if not table.patrons:
            draw_crowd(table)
            come(table)
        self.shoes += 1
        if self.shoes > 1:
            self._collect(shoe)
        if self._are_new_due():
            self._open_cards(shoe)
        if table.strikes("cards_not_shuffled"):
            self._label("cards_not_shuffled", f"shoe {shoe.name}")
        else:
            self._shuffle(shoe)
        self._cut(shoe, curator if self.shoes > 1 and chapter in _CURATOR_CUTS else None)
        self.is_cover_out, self.cover_hand, self.is_loaded = False, None, True

    def _are_new_due(self) -> bool:
        chapter, now = self.table.plan.chapter, self.table.script.now
        hours = _HOURS.get(chapter, 20)
        if chapter in _NEW_DECKS_EACH_SHOE and self.shoes > 1 and self.table.strikes("decks_left_in_play"):
            self._label("decks_left_in_play", f"shoe {self.table.shoe.name}")
            return False
        return chapter in _NEW_DECKS_EACH_SHOE or now - self.received_at > hours * _HOUR

    def _collect(self, shoe: Shoe) -> None:
        """Gather the cards of the last shoe and count them, and end it if no cover card did."""
        table, stack = self.table, shoe.decks * _deck(shoe)
        last = f"shoe {table.plan.number}-{self.shoes - 1:02}"
        if table.plan.chapter in _BLACKJACK and not self.is_cover_out:
            self._step("reshuffle_directed", by=FLOORPERSON)
            self.cover_hand = "directed"
        if table.plan.chapter not in _BURN_OF_ONE:
            return
        if table.strikes("rack_not_counted"):
            self._label("rack_not_counted", last)
            return
        count = stack
        if table.strikes("card_gone"):
            count -= table.rng.choice((1, 1, 2))
            self._label("card_gone", last)
        self._step("cards_collected", by=self._dealer(), count=count)

    def _open_cards(self, shoe: Shoe) -> None:
        """Receive decks, inspect and spread them, and wash and stack them once a player has looked."""
        table, who = self.table, f"shoe {shoe.name}"
        self.received_at = table.script.now
        if self.batch is not None:
            table.script.wait(3000, 9000)
            table.script.tell(
                events.ItemMoved, source="cards", kind="cards", item=self.batch, place="storage"
            )
        self.batch = batch = f"{table.plan.number}-{self.shoes:02}"
        table.script.wait(3000, 9000)
        table.script.tell(
            events.ItemMoved,
            source="cards",
            kind="cards",
            item=batch,
            place="table",
            figures={"decks": shoe.decks, "cards_per_deck": _deck(shoe), "cover_cards": 2},
            marks={"back_color": table.rng.choice(("red", "blue")), "design": "house"},
        )
        if table.strikes("cards_not_inspected"):
            self._label("cards_not_inspected", who)
        else:
            alone = table.strikes("inspected_alone")
            if alone:
                self._label("inspected_alone", who)
            table.script.wait(60_000, 120_000)
            verifier = {} if alone else {"verified_by": FLOORPERSON}
            table.script.tell(
                events.ItemInspected,
                source="pit",
                kind="cards",
                item=batch,
                passed=True,
                by=self._dealer(),
                figures={"decks": shoe.decks},
                **verifier,
            )
        if table.strikes("cards_not_spread"):
            self._label("cards_not_spread", who)
        else:
            self._step("spread", face="up", manner=_SHAPE.get(table.plan.chapter, "fans"))
        table.script.wait(10_000, 30_000)
        self._step("turned", face="down")
        if table.strikes("cards_not_washed"):
            self._label("cards_not_washed", f"{who}, washed")
        else:
            self._step("washed", by=self._dealer())
        self._step("stacked", by=self._dealer(), count=1)

    def _shuffle(self, shoe: Shoe) -> None:
        table, who = self.table, f"shoe {shoe.name}"
        each = table.plan.chapter in _EACH_DEALER
        dealers = list(self.dealers) if each else list(self.dealers[:1])
        if each and table.strikes("shuffled_by_fewer"):
            dealers.pop()
            self._label("shuffled_by_fewer", who)
        for dealer in dealers:
            self._step("shuffled", by=Person(dealer, "dealer"))
        if table.plan.chapter in _VERIFIED:
            if table.strikes("shuffle_not_verified"):
                self._label("shuffle_not_verified", who)
            else:
                self._step("shuffle_verified", by=FLOORPERSON)

    def _cut(self, shoe: Shoe, curator: int | None) -> None:
        """Cut the cards of a shoe and insert the cover card, 631a.5(b) to (d) and its like."""
        table, who = self.table, f"shoe {shoe.name}"
        rng, stack = table.rng, len(shoe.cards)
        depth, dealer = rng.randint(_LEAST_CUT, stack - _LEAST_CUT), self._dealer()
        if table.strikes("cards_not_cut"):
            self._label("cards_not_cut", who)
        else:
            cutter = self._offer(shoe, curator)
            if table.strikes("cut_at_the_edge"):
                depth = rng.choice((rng.randint(1, _LEAST_CUT - 1), stack - rng.randint(1, _LEAST_CUT - 1)))
                self._label("cut_at_the_edge", who)
            by = {"by": dealer} if cutter is None else {"seat": cutter}
            self._step("cut_made", count=depth, total=stack, **by)
            if table.strikes("stack_not_rotated"):
                self._label("stack_not_rotated", f"{who}, stack_rotated")
            else:
                self._step("stack_rotated", by=dealer)
        quarter = -(-stack // 4)
        least = quarter if table.plan.chapter in _QUARTER else _BEHIND.get(table.plan.chapter, 14)
        behind = rng.randint(least, least + 8)
        if table.strikes("cover_card_at_the_end"):
            behind = rng.randint(0, least - 1)
            self._label("cover_card_at_the_end", who)
        self._step("cover_card_inserted", by=dealer, count=behind, total=stack)
        shoe.behind_cover = behind

    def _offer(self, shoe: Shoe, curator: int | None) -> int | None:
        """Offer the cut in its order until somebody takes it; return the seat, None if the dealer cuts."""
        table = self.table
        order = self._order(curator)
        if len(order) > 1 and table.strikes("cut_by_favourite"):
            self._label("cut_by_favourite", f"shoe {shoe.name}")
            self._step("cut_offered", seat=order[1])
            return order[1]
        for seat in order:
            self._step("cut_offered", seat=seat)
            if table.rng.random() < 0.7:  # noqa: PLR2004  most accept
                return seat
            self._step("cut_declined", seat=seat)
        return None

    def _order(self, curator: int | None) -> list[int]:
        """Return the occupied seats in the order in which the cut is offered to them."""
        table = self.table
        rising = sorted({patron.seat for patron in table.patrons})
        if table.plan.chapter not in _BLACKJACK:
            falling = rising[::-1]
            if curator is None:
                return falling
            return [seat for seat in falling if seat <= curator] + [
                seat for seat in falling if seat > curator
            ]
        # Blackjack seats are numbered clockwise from the dealer's left: the farthest right is the last.
        if self.shoes == 1:
            first = table.patrons[0].seat
        elif self.cover_hand is not None and self.cover_hand.startswith("seat"):
            first = int(self.cover_hand.removeprefix("seat"))
        else:
            first = rising[-1]
        if table.plan.chapter == "551":
            return [seat for seat in rising if seat >= first] + [seat for seat in rising if seat < first]
        falling = rising[::-1]
        return [seat for seat in falling if seat <= first] + [seat for seat in falling if seat > first]

    # ── the burn ─────────────────────────────────────────────────────────────────────────────────────

    def burn_count(self, shoe: Shoe, count: int) -> int:
        """Return how many cards are burned if a number is due, the first of which is shown."""
        if self.is_asked and count > 2 and self.table.strikes("burned_too_few"):  # noqa: PLR2004  one and its value
            self._label("burned_too_few", f"shoe {shoe.name}")
            return count - 1
        return count

    def shows_burn(self) -> bool:
        """Return True if all burned cards are shown, 541.5(g) and its like."""
        return self.is_asked and self.table.plan.chapter in _BURN_FACE_UP

    def welcome_dealer(self, number: int) -> None:
        """Burn a card for a new dealer, 681a.7(c) and its like, before round `number` is dealt."""
        table = self.table
        if not self.is_asked or table.plan.chapter not in _BURN_OF_ONE:
            return
        # With a new batch one burned card may count for both.
        if not self.is_loaded and table.strikes("burn_forgotten"):
            self._label("burn_forgotten", f"round {number}")
            return
        table.script.wait(1500, 3000)
        table.shoe.draw()
        table.script.tell(events.CardBurned, card=None)

    # ── rounds, and the end of a shoe ────────────────────────────────────────────────────────────────

    def begin_round(self) -> None:
        """Inspect the card reader at the beginning of each gaming day, 551.2(e).

        That "last hand" was not called, or another dealt after it, shows once that hand is dealt.
        """
        table = self.table
        self.is_loaded = False
        self.rounds += 1
        if self.is_reported and self.rounds == 1 and table.plan.chapter in _WITH_BOXES:
            self._inspect_table()
        if self.is_reported and self.rounds == 1 and table.plan.chapter in DICE_OF:
            DiceDelivery(table, self._dealer(), self._label).bring()
        if self.is_asked and table.plan.chapter in _BLACKJACK and not self.boxes:
            self._take_boxes_apart()
        if self.is_asked and table.plan.chapter in _SPOKEN and table.patrons:
            self._speak_a_wager()
        if self.uncalled is not None:
            self._label("last_hand_not_called", f"shoe {self.uncalled}")
            self.uncalled = None
        if self.is_overplayed:
            self._label("hand_after_the_last", f"shoe {self.overplayed}")
            self.is_overplayed = False
        today = table.gaming_date()
        if not self.is_asked or table.plan.chapter not in _BLACKJACK or self.inspected_on == today:
            return
        self.inspected_on = today
        if table.strikes("reader_not_inspected"):
            self._label("reader_not_inspected", "card reader")
            return
        table.script.wait(20_000, 60_000)
        table.script.tell(
            events.ItemInspected,
            source="pit",
            kind="card_reader",
            item=f"reader {table.plan.number}",
            passed=True,
            by=FLOORPERSON,
        )

    def _take_boxes_apart(self) -> None:
        """Seat one person at two boxes that do not adjoin for a few rounds, 551.14, 685a.6(f)."""
        table = self.table
        taken = {patron.seat for patron in table.patrons}
        free = [seat for seat in range(1, table.plan.positions + 1) if seat not in taken]
        pairs = [(one, two) for one in free for two in free if two > one + 1]
        if not pairs or not table.strikes("boxes_apart"):
            return
        rounds, name = table.rng.randint(2, 5), f"Z-{table.plan.number}-{self.rounds}"
        self.boxes = tuple(Patron(seat, None, table.rng) for seat in table.rng.choice(pairs))
        for patron in self.boxes:
            patron.rounds_left = rounds
            table.patrons.append(patron)
            table.script.wait(800, 2500)
            table.script.tell(events.PlayerSeated, seat=patron.seat, patron=name)
            table.script.wait(800, 2500)
            table.buys_in(patron)

    def _label_boxes(self, current: Round) -> None:
        """Label a round in which one person wagered on two boxes that do not adjoin."""
        if not all(patron in self.table.patrons for patron in self.boxes):
            self.boxes = ()
        wagered: set[int] = set()
        for each in reversed(self.table.script.happenings):
            if each.kind is events.RoundOpened:
                break
            if each.kind is events.ChipsPlaced:
                wagered.add(each.fields["seat"])
        if self.boxes and wagered.issuperset(patron.seat for patron in self.boxes):
            self._label("boxes_apart", f"round {current.name}, seat {self.boxes[0].seat}")

    def _speak_a_wager(self) -> None:
        """Accept a wager that a player speaks with cash, 541.8(b) and its like, and turn it into chips."""
        table = self.table
        self.spoken = None
        if table.rng.random() >= _SPOKEN_RATE:
            return
        patron = table.rng.choice(table.patrons)
        self._step("verbal_wager_confirmed", seat=patron.seat, by=self._dealer())
        is_confirmed = table.plan.chapter != "551" or not table.strikes("spoken_not_confirmed")
        if table.plan.chapter == "551" and is_confirmed:
            self._step("verbal_wager_confirmed", seat=patron.seat, by=FLOORPERSON)
        if not table.strikes("cash_not_turned"):
            table.script.wait(2000, 6000)
            table.buys_in(patron)
        self.spoken = patron.seat, is_confirmed

    def _label_spoken(self, current: Round) -> None:
        """Label what a spoken wager lacked, when the round counts and is over."""
        if self.spoken is None:
            return
        (seat, is_confirmed), who = self.spoken, f"round {current.name}, seat {self.spoken[0]}, wager"
        self.spoken = None
        if not is_confirmed:
            self._label("spoken_not_confirmed", who)
        for each in reversed(self.table.script.happenings):
            if each.kind is events.ChipsBought and each.fields["seat"] == seat:
                return
            if each.kind is events.ProcedureStepTaken and each.fields["step"] == "verbal_wager_confirmed":
                self._label("cash_not_turned", f"{who}, cash")
                return

    def settles_wrongly(self, current: Round, kinds: Iterable[str]) -> str | None:
        """Return the one of these mistakes that is made as the wagers are settled; None if none is."""
        made = next((kind for kind in kinds if self.is_reported and self.table.strikes(kind)), None)
        if made is not None:
            self._label(made, f"round {current.name}")
        return made

    @property
    def paying(self) -> int:
        """Return how many dealers pay: all but who calls the game, where the text has several, 631a.12(b)."""
        return max(1, len(self.dealers) - 1) if self.table.plan.chapter in _SEVERAL_PAY else 1

    def clear(self, current: Round) -> None:
        """Collect the cards of a round, 631a.12(c) and its like."""
        table = self.table
        self._label_spoken(current)
        self._label_boxes(current)
        if not self.is_reported or table.plan.chapter not in _CLEARED:
            return
        drawn = 0
        for each in reversed(table.script.happenings):
            if each.kind is events.RoundOpened:
                break
            drawn += each.kind is events.CardDrawn
        if drawn and table.strikes("card_left_lying"):
            self._label("card_left_lying", f"round {current.name}")
            drawn -= 1
        self._step("cards_cleared", round=current.name, by=self._dealer(), count=drawn)

    def _inspect_table(self) -> None:
        """Go through the checklist of layout and boxes, 541.2(c) and (e) and its like."""
        table, checklist = self.table, {"logo": True, "box_places": True}
        for fault, point in (("logo_missing", "logo"), ("box_misplaced", "box_places")):
            if table.strikes(fault):
                self._label(fault, f"table, {point}")
                checklist[point] = False
        layout = f"layout {table.plan.number} of {table.gaming_date()}"
        if table.strikes("layout_not_approved"):
            self._label("layout_not_approved", "table, layout")
        else:
            self._approve(layout)
        table.script.wait(20_000, 60_000)
        table.script.tell(
            events.ItemInspected,
            source="register",
            kind="table",
            item=f"table {table.plan.number}",
            passed=all(checklist.values()),
            by=FLOORPERSON,
            checklist=checklist,
            marks={"layout": layout},
        )

    def _approve(self, layout: str) -> None:
        """File the approval of a layout, of the year before or, wrongly, of the day after."""
        table = self.table
        today = date.fromisoformat(table.gaming_date())
        dated = today - timedelta(days=365)
        if table.strikes("layout_approved_late"):
            self._label("layout_approved_late", "table, layout")
            dated = today + timedelta(days=1)
        table.script.wait(20_000, 60_000)
        table.script.tell(
            events.DocumentFiled,
            source="register",
            document="approval",
            number=f"A-{table.plan.number}",
            dated=dated,
            kind="layout",
            item=layout,
        )

    def end_round(self, current: Round) -> None:
        """Remove the cover card once it has come in a round."""
        table = self.table
        if not self.is_asked or self.is_cover_out or not table.shoe.cover_is_out:
            return
        self.is_cover_out = True
        seats = sorted({patron.seat for patron in table.patrons})
        self.cover_hand = "dealer"
        if table.plan.chapter in _BLACKJACK and seats and table.rng.random() < 0.8:  # noqa: PLR2004  most often
            self.cover_hand = f"seat{table.rng.choice(seats)}"
        self._step(
            "cover_card_reached", round=current.name, count=table.shoe.behind_cover, hand=self.cover_hand
        )

    def announce_last_hand(self) -> None:
        """Call "last hand" after the hand in which the cover card came, 631a.10(d)."""
        if not self.is_asked or not self.is_cover_out or self.table.plan.chapter not in _LAST_HAND:
            return
        if self.cover_hand is None:
            return  # it was called already, or overlooked
        self.cover_hand = None
        if self.table.strikes("last_hand_not_called"):
            self.uncalled = self.table.shoe.name
        else:
            self._step("last_hand_announced", by=self._dealer())

    def plays_on(self) -> bool:
        """Return True if the dealers deal another hand after the last one."""
        if not self.is_asked or not self.is_cover_out or self.overplayed == self.table.shoe.name:
            return False
        if self.table.strikes("hand_after_the_last"):
            self.overplayed = self.table.shoe.name
            self.is_overplayed = True
            return True
        return False

    def _dealer(self) -> Person:
        return Person(self.dealers[0], "dealer")

    def _step(self, step: ProcedureStep, **fields: Any) -> None:
        self.table.script.wait(3000, 9000)
        self.table.script.tell(events.ProcedureStepTaken, source="pit", step=step, **fields)

    def _label(self, kind: str, who: str) -> None:
        check = PROCEDURES[kind].check
        if check is None:
            return
        self.table.labels.append(
            FaultLabel(
                fault=kind,
                table=self.table.plan.name,
                gaming_date=self.table.gaming_date(),
                round=None,
                shoe=None,
                primary=ExpectedFinding(check=check, who=who),
                follows=[],
                delta_cents=None,
            )
        )


def _deck(shoe: Shoe) -> int:
    """Return how many cards a deck of a shoe has, be it short or long itself."""
    return len(set(shoe.cards))
