"""The state of a table: between rounds it is small and can be copied.

The open round is built in `Building` and taken from it when the round is over.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import date
from typing import Any, Final, assert_never

from msgspec import Struct, field

from projections.engine.accounts.inventory_entries import ChipsMoved, Entry, GamingDayBegan, Reason
from projections.engine.crew import Crew
from projections.engine.facts import HandRef, fact
from projections.engine.observation import Gap, Key, Paid, Wager, key_of, who_of
from projections.engine.procedures.entries import (
    RELIED_ON,
    DayBegan,
    Noted,
    ProcedureEntry,
    Unreported,
    is_noted,
)
from projections.engine.shoe import Lapse, Shoe
from projections.engine.silence import SilentDevices
from schemas.events import (
    CardBurned,
    CardDiscarded,
    CardDrawn,
    CardSeen,
    ChipsBought,
    ChipsCollected,
    ChipsColoredUp,
    ChipsPaid,
    ChipsPlaced,
    ChipsRemoved,
    CounterCheckTaken,
    CouponDropped,
    CouponPlaced,
    CreditSent,
    CuratorNamed,
    DealerAssigned,
    DealerRelieved,
    Deed,
    DeviceCameBack,
    DevicesPolled,
    DeviceStateReported,
    DeviceWentSilent,
    DocumentFiled,
    DropBoxChanged,
    Event,
    FillReceived,
    FloorpersonAssigned,
    Heard,
    HouseRulesChanged,
    InventoryCounted,
    InventoryListed,
    ItemInspected,
    ItemMoved,
    MarkerButtonRemoved,
    NoticeGiven,
    OutcomeAnnounced,
    PayoutAdded,
    PayoutHanded,
    PlayerLeft,
    PlayerSeated,
    ProcedureStepTaken,
    ReportCorrected,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SettlementAdjusted,
    ShoeCounted,
    ShoeExhausted,
    ShoeLoaded,
    SimulatedRoundDealt,
    SlipDropped,
    StackSeen,
    StaffAssigned,
    TableClosed,
    TableOpened,
    TokeGiven,
    VigorishCollected,
    VigorishMarked,
    WagersClosed,
)

_ADJUSTED_HELD: Final = 64


class Building(Struct, gc=False):
    """A round while it is built from its devices' reports; sums in cents, times in microseconds."""

    number: str
    cards: list[CardDrawn] = []
    discards: list[CardDiscarded] = []
    seen_cards: list[CardSeen] = []
    wagers: dict[Key, Wager] = {}
    second_coupons: list[Key] = []
    stacks: dict[Key, int] = {}
    paid: dict[Key, Paid] = {}
    settled_at: dict[Key, int] = {}
    deeds: list[Deed] = []
    counts: list[int] = []
    inventory_change: int = 0
    announced: str | None = None
    opened: RoundOpened | None = None
    closed: RoundClosed | None = None
    wagers_closed_at: int | None = None
    last_move_at: int = 0
    void: bool = False
    simulated: bool = False
    exhausted: bool = False
    silent: list[str] = []


class Later(Struct, frozen=True):
    """Chips that moved into the tray when an earlier round was corrected; the terminal's number of it."""

    epoch: int
    seq: int
    cents: int
    number: str | None = None


class TableState(Struct):
    """A table between rounds: its shoe, the vigorish owed on marker buttons, its people and its chips.

    It is a function of the table's events alone.

    `owing` is keyed by seat, or seat/person. `lapsed` is what was not paid when it was due. `marks_missing`
    is true if not all marks of an ended shoe were reported. `lying` is the sum of the marker buttons on the
    table, by the same keys. A button lies until its vigorish is collected (631a.13(d)(2)(iii)), also beyond
    its shoe and the player's leaving, or until the table closes. `shoes` is how many were begun. `inventory`
    is what happened to the table inventory and its drop box since its account was last updated. `chips` is by
    how much the tray has changed since the record begins, and `later` the part of it that is still to be
    booked. `adjusted` are the terminal's numbers of late corrections, and `reached` how far they were booked.
    `procedures` is what was done by the floor's procedures since their account was last updated, as far as
    `noted_until` by the terminal's clock; None if no source of them is connected. `offsets` are how far each
    device's clock was from it when it was last polled, in microseconds.
    """

    shoe: Shoe | None = None
    next_shoe: Shoe | None = None
    loading_unknown: list[Gap] = field(default_factory=list)
    ended: Shoe | None = None
    owing: dict[str, int] = field(default_factory=dict)
    lapsed: dict[str, int] = field(default_factory=dict)
    lying: dict[str, int] = field(default_factory=dict)
    marks_missing: bool = False
    turns: dict[str, int] = field(default_factory=dict)
    leaving: list[str] = field(default_factory=list)
    rules: int = 0
    options: dict[str, Any] | None = None
    crew: Crew = Crew()
    silent: SilentDevices = SilentDevices()
    is_open: bool = False
    day: date | None = None
    shoes: int = 0
    inventory: list[Entry] = field(default_factory=list)
    chips: int = 0
    later: list[Later] = field(default_factory=list)
    adjusted: list[tuple[int, int]] = field(default_factory=list)
    reached: tuple[int, int] = (0, 0)
    building: Building | None = None
    procedures: list[ProcedureEntry] | None = None
    noted_until: int = 0
    offsets: dict[str, int] = field(default_factory=dict)

    def copied(self) -> "TableState":
        """Copy the state between two rounds; what is only ever replaced is shared."""
        other = copy(self)
        other.shoe = self.shoe.copied() if self.shoe is not None else None
        other.next_shoe = self.next_shoe.copied() if self.next_shoe is not None else None
        other.loading_unknown = list(self.loading_unknown)
        other.owing = dict(self.owing)
        other.lapsed = dict(self.lapsed)
        other.lying = dict(self.lying)
        other.turns = dict(self.turns)
        other.leaving = list(self.leaving)
        other.inventory = list(self.inventory)
        other.later = list(self.later)
        other.procedures = None if self.procedures is None else list(self.procedures)
        return other

    def keep_day(self, day: date) -> None:
        """Begin the inventory of a gaming day if the present one is of an earlier day."""
        if self.day is None or self.day < day:
            self.day = day
            self.inventory.append(GamingDayBegan(day))
            if self.procedures is not None:
                self.procedures.append(DayBegan(day))

    def move(self, reason: Reason, cents: int, number: str | None = None) -> None:
        """Book a change of the table inventory with its reason; positive is into the tray.

        `number` names an earlier round that it put right.
        """
        self.chips += cents
        self.inventory.append(ChipsMoved(reason, cents, number))

    def note(self, events: Iterable[Event], positions: Mapping[str, Heard]) -> int:
        """Pass on events to the account of procedures; return when the last of them was, 0 if there was none.

        `positions` has each device's clock.
        """
        if self.procedures is None:
            return 0
        latest: dict[str, int] = {}
        for event in events:
            if is_noted(event):
                offset = positions[event.device].offset if event.device in positions else 0
                latest[event.device] = at = max(event.at - offset, latest.get(event.device, 0))
                self.procedures.append(Noted(at, event))
        return max(latest.values(), default=0)

    def note_unreported(self, gaps: Iterable[Gap], until: int) -> None:
        """Pass on what was not reported between the last moment noted and another one."""
        if self.procedures is None:
            return
        since, self.noted_until = self.noted_until, max(until, self.noted_until)
        for gap in gaps:
            if gap.source in RELIED_ON:
                self.procedures.append(Unreported(gap.source, since, max(since, until), gap.message))

    def queue_correction(self, event: SettlementAdjusted) -> None:
        """Store a correction after a round had closed until the terminal's reports have come that far.

        One that comes when they have already passed it is not used: counts have been compared with the
        account without it.
        """
        place = (event.epoch, event.seq)
        if place > self.reached and place not in self.adjusted:
            self.adjusted = [*self.adjusted[-_ADJUSTED_HELD:], place]
            self.later.append(Later(*place, event.vigorish_cents - event.cents, event.round))

    def catch_up(self, place: tuple[int, int] | None = None) -> int:
        """Book stored corrections before a terminal's number, or all of them; return their sum."""
        if place is not None and place > self.reached:
            self.reached = place
        if not self.later:
            return 0
        due = [each for each in self.later if place is None or (each.epoch, each.seq) < place]
        for each in due:
            self.move("put_right", each.cents, each.number)
            self.later.remove(each)
        return sum(each.cents for each in due)

    def ensure_round(self, number: str) -> Building:
        """Return the round that is being built; its first event begins it."""
        if self.building is None:
            self.building = Building(number, silent=list(self.silent.devices))
        return self.building


# ── One shoe after another: what is owing when a shoe ends or a player leaves was to be paid then ─────


def end_shoe(state: TableState) -> None:
    """End the shoe in play: what is owed now had to be paid before the next one."""
    departures(state)
    for who, cents in state.owing.items():
        _lapse(state, who, cents, "the end of the shoe")
    state.marks_missing = state.marks_missing or (state.shoe is not None and not state.shoe.counts_all())
    state.ended, state.shoe = state.shoe, None
    state.owing.clear()


def begin_shoe(state: TableState, name: str, *, is_named: bool = True) -> None:
    """Bring a new shoe into play: the one that was loaded, or one whose loading was not reported."""
    end_shoe(state)
    loaded = state.next_shoe
    if loaded is not None and not loaded.name:
        loaded.name = name
    state.shoe = loaded if loaded is not None and loaded.name == name else Shoe(name)
    if not (state.turns or state.is_open):  # the table opened before the record begins
        state.marks_missing = True
        if state.shoe is not loaded:
            state.shoe.lack([Gap("", "terminal", fact("fold.begins_within_shoe"))])
    state.next_shoe = None
    state.shoes += 1
    state.shoe.number, state.shoe.is_named = state.shoes, is_named
    state.shoe.turn = state.turns[name] = state.turns.get(name, 0) + 1
    state.shoe.lack(state.loading_unknown)
    state.loading_unknown.clear()


def departures(state: TableState) -> None:
    """Close the vigorish accounts of players who left: each was to pay what was owing (631a.13(d)(2)(i))."""
    for who in state.leaving:
        _lapse(state, who, state.owing.pop(who, 0), "the player's leaving")
    state.leaving.clear()


def _lapse(state: TableState, who: str, cents: int, occasion: str) -> None:
    """Note what is owing; what was paid beyond what is marked now pays what lapsed before."""
    booked = state.shoe.vigorish.close(who) if state.shoe is not None else ()
    paid = 0
    if cents < 0:
        paid = min(-cents, state.lapsed.get(who, 0))
        state.lapsed[who] = state.lapsed.get(who, 0) - paid
        if not state.lapsed[who]:
            del state.lapsed[who]
        cents += paid
    elif cents:
        state.lapsed[who] = state.lapsed.get(who, 0) + cents
    if cents and state.shoe is not None:
        # What was paid beyond this shoe's marks may be of an earlier one, whose marks were not all reported.
        if cents < 0 and state.marks_missing and state.shoe.counts_all():
            beyond = fact("fold.paid_beyond_marks", who=HandRef(f"seat{who}"))
            state.shoe.lack([Gap("", "chips", beyond)])
        state.shoe.lapses.append(Lapse(who, cents, occasion, state.shoe.counts_all(), booked, paid))


# ── The table as its events rebuild it: one fold, `evolve`, over one state ────────────────────────────
# Devices report in parallel, so nothing here depends on the order of events of different devices. Events of
# one device come in the order of their numbers.


def evolve(state: TableState, event: Event) -> TableState:  # noqa: C901, PLR0912, PLR0915  one case an event
    """Fold one event into the table's state, which is changed in place and returned.

    Most frequent kinds come first, as the cases are tried in order, and ask for the round at hand first.
    """
    building = state.building
    match event:
        case ChipsPlaced():
            _placed(building or state.ensure_round(event.round), event)
        case CardDrawn():
            (building or state.ensure_round(event.round)).cards.append(event)
        case StackSeen():
            (building or state.ensure_round(event.round)).stacks[key_of(event)] = event.cents
        case CardSeen():
            (building or state.ensure_round(event.round)).seen_cards.append(event)
        case ChipsCollected():
            _settled(state, event, -event.cents, event.cents)
        case ChipsPaid():
            _settled(state, event, event.cents, -event.cents)
        case InventoryCounted():
            if event.round is not None:
                state.ensure_round(event.round).counts.append(event.cents)
        case VigorishMarked():
            _vigorish(state, event)
            who = who_of(event.seat, event.bettor)
            if state.shoe is not None:
                state.shoe.vigorish.of(who).mark(event.cents, event.round)
            state.owing[who] = state.owing.get(who, 0) + event.cents
            state.lying[who] = state.lying.get(who, 0) + event.cents
        case VigorishCollected():
            _vigorish(state, event)
            if state.shoe is not None:
                state.shoe.vigorish.of(who_of(event.seat, event.bettor)).taken += event.cents
            _moved(state, event.round, "vigorish", event.cents)
        case RoundOpened():
            _opened(state, event)
        case WagersClosed():
            state.ensure_round(event.round).wagers_closed_at = event.at
        case OutcomeAnnounced():
            state.ensure_round(event.round).announced = event.outcome
        case RoundClosed():
            state.ensure_round(event.round).closed = event
            state.silent = state.silent.after(event)
        case ChipsRemoved():
            _removed(state.ensure_round(event.round), event)
        case PayoutHanded():
            _paid_out(state, event, event.cents)
        case PayoutAdded():
            _paid_out(state, event, event.cents + event.handed_cents)
        case Deed():
            state.ensure_round(event.round).deeds.append(event)
        case CouponPlaced():
            _coupon(state.ensure_round(event.round), event)
        case MarkerButtonRemoved():
            who = who_of(event.seat, event.bettor)
            state.owing[who] = state.owing.get(who, 0) - event.cents
            _take_away(state.lying, who, event.cents)
            if state.shoe is not None:
                state.shoe.vigorish.of(who).collect(event.cents, event.round)
            _moved(state, event.round, "vigorish", event.cents)
        case SettlementAdjusted():
            _adjusted(state, event)
        case CardBurned():
            _burned(state, event)
        case CardDiscarded():
            state.ensure_round(event.round).discards.append(event)
        case ShoeLoaded():
            state.next_shoe = Shoe(event.shoe, decks=event.decks)
        case ShoeExhausted():
            state.ensure_round(event.round).exhausted = True
            if state.shoe is not None:
                state.shoe.end(0, ())
        case ShoeCounted():
            if state.shoe is not None and state.shoe.name == event.shoe:
                state.shoe.end(event.left, event.cards)
        case RoundVoided():
            state.ensure_round(event.round).void = True
        case SimulatedRoundDealt():
            state.ensure_round(event.round).simulated = True
        case ChipsBought():
            state.inventory.append(event)
            _moved(state, event.round, "cash", -event.cents)
        case CounterCheckTaken():
            state.inventory.append(event)
            _moved(state, event.round, "counter_checks", -event.cents)
        case FillReceived() | CreditSent():
            _carried(state, event)
        case InventoryListed() | SlipDropped() | CouponDropped() | DropBoxChanged() | TokeGiven():
            state.inventory.append(event)
        case PlayerLeft():
            state.leaving.append(who_of(event.seat, event.bettor))
        case DealerAssigned() | DealerRelieved() | FloorpersonAssigned():
            state.crew = state.crew.after(event)  # also beyond the closing: the terminal reports who leaves
        case HouseRulesChanged():
            state.rules, state.options = event.rules, dict(event.options)
        case DeviceWentSilent():
            state.silent = state.silent.after(event)
            if building is not None:
                building.silent.append(event.silent)
        case DeviceCameBack() | DevicesPolled():
            state.silent = state.silent.after(event)
        case TableOpened():
            state.silent = state.silent.after(event)
            state.inventory.append(event)
            state.is_open = True
            state.turns.clear()
        case TableClosed():
            state.silent = state.silent.after(event)
            end_shoe(state)
            state.lying.clear()
            state.inventory.append(event)
            state.is_open = False
        case PlayerSeated() | CuratorNamed() | ChipsColoredUp() | ReportCorrected():
            pass  # recorded for people; no conclusion depends on them here
        case (
            ProcedureStepTaken()
            | ItemInspected()
            | ItemMoved()
            | NoticeGiven()
            | DeviceStateReported()
            | DocumentFiled()
            | StaffAssigned()
        ):
            pass  # the account of procedures takes them as they are
        case _:
            assert_never(event)
    return state


def _take_away(lying: dict[str, int], who: str, cents: int) -> None:
    """Remove a button of a sum; if its mark was not reported nothing is left to remove."""
    left = lying.pop(who, 0) - cents
    if left > 0:
        lying[who] = left


def _opened(state: TableState, event: RoundOpened) -> None:
    state.silent = state.silent.after(event)
    departures(state)
    loaded = state.next_shoe is not None and state.next_shoe.name == event.shoe
    if state.shoe is None or state.shoe.name != event.shoe or loaded:
        begin_shoe(state, event.shoe)
    else:
        state.shoe.is_named = True
        state.shoe.end(None)
        if state.next_shoe is not None and not state.next_shoe.name:
            state.shoe.burned += state.next_shoe.burned
            state.shoe.face_down += state.next_shoe.face_down
            state.next_shoe = None
    state.ensure_round(event.round).opened = event


def _moved(state: TableState, number: str | None, reason: Reason, cents: int) -> None:
    """Book a change of the table inventory; positive is into the tray."""
    state.move(reason, cents)
    if number is not None:
        state.ensure_round(number).inventory_change += cents


def _placed(building: Building, event: ChipsPlaced) -> None:
    key = key_of(event)
    wager = building.wagers.get(key)
    if wager is None:
        building.wagers[key] = Wager(event.cents)
    else:
        wager.cents += event.cents
    building.last_move_at = max(building.last_move_at, event.at)


def _removed(building: Building, event: ChipsRemoved) -> None:
    key = key_of(event)
    wager = building.wagers.setdefault(key, Wager(0))
    wager.cents -= event.cents
    building.last_move_at = max(building.last_move_at, event.at)


def _coupon(building: Building, event: CouponPlaced) -> None:
    key = key_of(event)
    wager = building.wagers.setdefault(key, Wager(0))
    if wager.coupon is not None:
        building.second_coupons.append(key)
    else:
        wager.coupon, wager.coupon_cents = event.coupon, event.cents


def _carried(state: TableState, event: FillReceived | CreditSent) -> None:
    """Book chips from the cage, or to it."""
    state.inventory.append(event)
    is_fill = isinstance(event, FillReceived)
    _moved(state, event.round, "fills" if is_fill else "credits", event.cents if is_fill else -event.cents)


def _settled(state: TableState, event: ChipsPaid | ChipsCollected, gain: int, into_tray: int) -> None:
    building = state.building or state.ensure_round(event.round)
    key = key_of(event)
    paid = building.paid.get(key)
    if paid is None:
        building.paid[key] = Paid(gain)
    else:
        paid.cents += gain
    wager = building.wagers.get(key)
    if wager is not None and wager.coupon is not None:
        building.settled_at[key] = event.at
    if event.seat == 0:
        return  # what the dealer wagered never left the table inventory by the other seats' account
    state.move("wagers_paid" if gain > 0 else "wagers_collected", into_tray)
    building.inventory_change += into_tray


def _vigorish(state: TableState, event: VigorishMarked | VigorishCollected) -> None:
    building = state.building or state.ensure_round(event.round)
    building.paid.setdefault(key_of(event), Paid()).vigorish_cents += event.cents


def _paid_out(state: TableState, event: PayoutHanded | PayoutAdded, cents: int) -> None:
    building = state.ensure_round(event.round)
    key = Key(event.seat, event.bettor, event.wager, None)
    paid = building.paid.setdefault(key, Paid())
    paid.cents += cents
    building.deeds.append(event)
    _moved(state, event.round, "wagers_paid", -cents)


def _adjusted(state: TableState, event: SettlementAdjusted) -> None:
    """Book a correction: part of what was paid if before the round closed, recorded apart if after."""
    building = state.ensure_round(event.round)
    paid = building.paid.setdefault(key_of(event), Paid())
    if state.shoe is not None and event.vigorish_cents:
        state.shoe.vigorish.of(who_of(event.seat, event.bettor)).taken += event.vigorish_cents
    if building.closed is None:
        paid.cents += event.cents
        paid.vigorish_cents += event.vigorish_cents
        paid.righted_cents += event.cents
        paid.righted_vigorish_cents += event.vigorish_cents
        _moved(state, event.round, "put_right", event.vigorish_cents - event.cents)
    else:
        paid.later_cents += event.cents
        paid.later_vigorish_cents += event.vigorish_cents
        state.queue_correction(event)


def _burned(state: TableState, event: CardBurned) -> None:
    if state.next_shoe is None and state.shoe is not None and state.shoe.left is not None:
        # That one's end was counted before: the card left another shoe, whose loading was not reported.
        state.next_shoe = Shoe("")
    shoe = state.next_shoe or state.shoe
    if shoe is None:
        return
    if event.card is not None:
        shoe.burned.append(event.card)
    else:
        shoe.face_down += 1
