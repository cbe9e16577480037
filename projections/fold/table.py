"""The table as its events rebuild it: one fold, `evolve`, over one state.

The state between rounds is small and can be copied; the open round is put together in `Building` and
taken from it when the round is over. Devices report side by side, so nothing here depends on the order of
events of different devices; within one device they come in the order of their numbers.
"""

from collections.abc import Iterable
from copy import copy
from datetime import date
from typing import Any, Final, assert_never

from msgspec import Struct, field

from projections.hand.owing import VigorishLedger
from projections.hand.round import Gap, Key, Paid, Wager, key_of, who_of
from projections.tray.records import Reason
from projections.tray.tray import Tray
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
    DeviceWentSilent,
    DropBoxChanged,
    Event,
    FillReceived,
    FloorpersonAssigned,
    HouseRulesChanged,
    InventoryCounted,
    InventoryListed,
    MarkerButtonRemoved,
    OutcomeAnnounced,
    PayoutAdded,
    PayoutHanded,
    PlayerLeft,
    PlayerSeated,
    ReportCorrected,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SettlementAdjusted,
    ShoeExhausted,
    ShoeLoaded,
    SimulatedRoundDealt,
    SlipDropped,
    StackSeen,
    TableClosed,
    TableOpened,
    TokeGiven,
    VigorishCollected,
    VigorishMarked,
    WagersClosed,
)

_GAPS_TOLD: Final = 8


class Lapse(Struct, frozen=True):
    """Vigorish that was still owing when it had to be paid: by whom, how much, and at which occasion.

    It is not `sure` where something of the shoe was not reported that could have changed the sum.
    """

    who: str
    cents: int
    occasion: str
    sure: bool


class Shoe(Struct):
    """A dealing shoe: its cards as far as they were seen, and what only its whole history tells.

    `day` is the gaming date of its first round. It is not `named` while no round's opening has named it.
    `turn` tells it from earlier shoes of the same name since the table opened. `decks` is what was loaded.
    Of the cards `seen` those `alone` were read by one of two readers, as the other had a hole.
    `ways` is in which round vigorish was first taken exact, and first rounded, where the two differ.
    """

    name: str
    day: date | None = None
    named: bool = True
    turn: int = 1
    decks: int | None = None
    seen: dict[str, int] = field(default_factory=dict)
    ways: dict[str, str] = field(default_factory=dict)
    lapses: list[Lapse] = field(default_factory=list)
    conflicts: dict[str, int] = field(default_factory=dict)
    unknown: list[Gap] = field(default_factory=list)
    vigorish: VigorishLedger = field(default_factory=VigorishLedger)
    alone: dict[str, int] = field(default_factory=dict)

    def title(self) -> str:
        """Name the shoe so that it can be told from earlier ones of the same name.

        >>> Shoe("A").title(), Shoe("A", turn=2).title()
        ('A', 'A (2)')
        """
        return self.name if self.turn == 1 else f"{self.name} ({self.turn})"

    def raises(self) -> bool:
        """Tell whether there is anything to say of the shoe before it ends."""
        return bool(self.lapses or len(self.ways) > 1 or self.conflicts or self.unknown)

    def lack(self, gaps: Iterable[Gap]) -> None:
        """Note what was not reported; of each device the first few say enough."""
        for gap in gaps:
            if sum(1 for each in self.unknown if each.device == gap.device) < _GAPS_TOLD:
                self.unknown.append(gap)

    def counts_all(self) -> bool:
        """Tell whether everything about its vigorish was reported."""
        return all(gap.source not in ("chips", "terminal") for gap in self.unknown)

    def copied(self) -> "Shoe":
        """Copy it for a fold that may have to be done again."""
        return Shoe(
            self.name,
            self.day,
            self.named,
            self.turn,
            self.decks,
            dict(self.seen),
            dict(self.ways),
            list(self.lapses),
            dict(self.conflicts),
            list(self.unknown),
            self.vigorish.copied(),
            dict(self.alone),
        )


class Building(Struct, gc=False):
    """A round while it is put together from its devices' reports; sums in cents, times in microseconds."""

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


class TableState(Struct):
    """A table between rounds: its shoe, the vigorish owed on marker buttons, its people and its money.

    `owing` is keyed by seat, or seat/person; `lapsed` is what was not paid when it was due, and
    `marks_missing` says that an ended shoe's marks were not all reported. `lying` is what the marker buttons
    stand for, by the same keys: one lies until its vigorish is collected (631a.13(d)(2)(iii)), also beyond
    its shoe and the player's leaving, or until the table closes. `tray` is the
    table inventory of the gaming day, `trays` those of days that are over and not concluded yet.
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
    calling: str | None = None
    floorperson: str | None = None
    silent: list[str] = field(default_factory=list)
    tray: Tray = field(default_factory=Tray)
    trays: list[Tray] = field(default_factory=list)
    building: Building | None = None

    def copied(self) -> "TableState":
        """Copy the state between two rounds."""
        other = copy(self)
        other.shoe = self.shoe.copied() if self.shoe is not None else None
        other.next_shoe = self.next_shoe.copied() if self.next_shoe is not None else None
        other.loading_unknown = list(self.loading_unknown)
        other.owing = dict(self.owing)
        other.lapsed = dict(self.lapsed)
        other.lying = dict(self.lying)
        other.turns = dict(self.turns)
        other.leaving = list(self.leaving)
        other.silent = list(self.silent)
        other.tray = self.tray.copied()
        other.trays = list(self.trays)
        return other

    def keep_day(self, day: date) -> None:
        """Begin the account of a gaming day, where the one that is kept is of an earlier one."""
        if self.tray.day is None:
            self.tray.day = day
        elif self.tray.day < day:
            self.trays.append(self.tray)
            self.tray = self.tray.next_day(day)

    def round(self, number: str) -> Building:
        """Give the round that is being put together; the first of its events begins it."""
        if self.building is None:
            self.building = Building(number, silent=list(self.silent))
        return self.building


def evolve(state: TableState, event: Event) -> TableState:  # noqa: C901, PLR0912, PLR0915  one case an event
    """Fold one event into the table's state, which is changed in place and returned.

    Most frequent kinds come first, as the cases are tried in order.
    """
    match event:
        case ChipsPlaced():
            _placed(state.round(event.round), event)
        case CardDrawn():
            state.round(event.round).cards.append(event)
        case StackSeen():
            state.round(event.round).stacks[key_of(event)] = event.cents
        case CardSeen():
            state.round(event.round).seen_cards.append(event)
        case ChipsCollected():
            _settled(state, event, -event.cents, event.cents)
        case ChipsPaid():
            _settled(state, event, event.cents, -event.cents)
        case InventoryCounted():
            if event.round is not None:
                state.round(event.round).counts.append(event.cents)
        case VigorishMarked():
            _vigorish(state, event)
            who = who_of(event.seat, event.bettor)
            if state.shoe is not None:
                state.shoe.vigorish.of(who).marked += event.cents
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
            state.round(event.round).wagers_closed_at = event.at
        case OutcomeAnnounced():
            state.round(event.round).announced = event.outcome
        case RoundClosed():
            state.round(event.round).closed = event
        case ChipsRemoved():
            _removed(state.round(event.round), event)
        case PayoutHanded():
            _paid_out(state, event, event.cents)
        case PayoutAdded():
            _paid_out(state, event, event.cents + event.handed_cents)
        case Deed():
            state.round(event.round).deeds.append(event)
        case CouponPlaced():
            _coupon(state.round(event.round), event)
        case MarkerButtonRemoved():
            who = who_of(event.seat, event.bettor)
            state.owing[who] = state.owing.get(who, 0) - event.cents
            _take_away(state.lying, who, event.cents)
            if state.shoe is not None:
                state.shoe.vigorish.of(who).collected += event.cents
            _moved(state, event.round, "vigorish", event.cents)
        case SettlementAdjusted():
            _adjusted(state, event)
        case CardBurned():
            _burned(state, event)
        case CardDiscarded():
            state.round(event.round).discards.append(event)
        case ShoeLoaded():
            state.next_shoe = Shoe(event.shoe, decks=event.decks)
        case ShoeExhausted():
            state.round(event.round).exhausted = True
        case RoundVoided():
            state.round(event.round).void = True
        case SimulatedRoundDealt():
            state.round(event.round).simulated = True
        case ChipsBought():
            state.tray.box.cash += event.cents
            _moved(state, event.round, "cash", -event.cents)
        case CounterCheckTaken():
            state.tray.box.checks[event.check] = (event.cents, event.at)
            _moved(state, event.round, "counter_checks", -event.cents)
        case FillReceived() | CreditSent():
            _carried(state, event)
        case InventoryListed():
            state.tray.listed(event)
        case SlipDropped():
            state.tray.box.slips.append(event.slip)
        case CouponDropped():
            state.tray.box.coupons.append((event.coupon, event.at))
        case DropBoxChanged():
            state.tray.change_box(event)
        case TokeGiven():
            state.tray.tips += event.cents
        case PlayerLeft():
            state.leaving.append(who_of(event.seat, event.bettor))
        case DealerAssigned():
            state.calling = event.dealer if event.calling else state.calling
        case DealerRelieved():
            state.calling = None if event.dealer == state.calling else state.calling
        case FloorpersonAssigned():
            state.floorperson = event.floorperson
        case HouseRulesChanged():
            state.rules, state.options = event.rules, dict(event.options)
        case DeviceWentSilent():
            state.silent = [*dict.fromkeys((*state.silent, event.silent))]
            if state.building is not None:
                state.building.silent.append(event.silent)
        case DeviceCameBack():
            state.silent = [device for device in state.silent if device != event.back]
        case TableOpened():
            state.tray.open(event.inventory_cents)
            state.turns.clear()
        case TableClosed():
            end_shoe(state)
            state.lying.clear()
            state.tray.close()
        case PlayerSeated() | CuratorNamed() | ChipsColoredUp() | DevicesPolled() | ReportCorrected():
            pass  # recorded for people; nothing that is concluded hangs on them here
        case _:
            assert_never(event)
    return state


def end_shoe(state: TableState) -> None:
    """End the shoe in play: what is owing now was to be paid before the next one."""
    _departures(state)
    for who, cents in state.owing.items():
        _lapse(state, who, cents, "the end of the shoe")
    state.marks_missing = state.marks_missing or (state.shoe is not None and not state.shoe.counts_all())
    state.ended, state.shoe = state.shoe, None
    state.owing.clear()


def begin_shoe(state: TableState, name: str, *, named: bool = True) -> None:
    """Take a new shoe into play: the one that was loaded, or one whose loading was not reported."""
    end_shoe(state)
    loaded = state.next_shoe
    state.shoe = loaded if loaded is not None and loaded.name == name else Shoe(name)
    if not (state.turns or state.tray.is_open):  # the table opened before the record begins
        state.marks_missing = True
        if state.shoe is not loaded:
            state.shoe.lack([Gap("", "terminal", "the record begins in the middle of the shoe")])
    state.next_shoe = None
    state.shoe.named = named
    state.shoe.turn = state.turns[name] = state.turns.get(name, 0) + 1
    state.shoe.lack(state.loading_unknown)
    state.loading_unknown.clear()


def _departures(state: TableState) -> None:
    for who in state.leaving:
        _lapse(state, who, state.owing.pop(who, 0), "the player's leaving")
    state.leaving.clear()


def _lapse(state: TableState, who: str, cents: int, occasion: str) -> None:
    """Note what is owing; what was paid beyond what is marked now pays what lapsed before."""
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
            message = f"what {who} paid beyond the shoe's marks may be owed from an earlier one"
            state.shoe.lack([Gap("", "chips", message)])
        state.shoe.lapses.append(Lapse(who, cents, occasion, state.shoe.counts_all()))


def _take_away(lying: dict[str, int], who: str, cents: int) -> None:
    """Take a button of a sum away; where its mark was not reported nothing is left to lie."""
    left = lying.pop(who, 0) - cents
    if left > 0:
        lying[who] = left


def _opened(state: TableState, event: RoundOpened) -> None:
    _departures(state)
    loaded = state.next_shoe is not None and state.next_shoe.name == event.shoe
    if state.shoe is None or state.shoe.name != event.shoe or loaded:
        begin_shoe(state, event.shoe)
    else:
        state.shoe.named = True
    state.round(event.round).opened = event


def _moved(state: TableState, number: str | None, reason: Reason, cents: int) -> None:
    """Book a change of the table inventory; positive is into the tray."""
    state.tray.move(reason, cents)
    if number is not None:
        state.round(number).inventory_change += cents


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
    state.tray.take(event)
    if event.round is not None:
        cents = event.cents if isinstance(event, FillReceived) else -event.cents
        state.round(event.round).inventory_change += cents


def _settled(state: TableState, event: ChipsPaid | ChipsCollected, gain: int, into_tray: int) -> None:
    building = state.round(event.round)
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
    state.tray.move("wagers_paid" if gain > 0 else "wagers_collected", into_tray)
    building.inventory_change += into_tray


def _vigorish(state: TableState, event: VigorishMarked | VigorishCollected) -> None:
    building = state.round(event.round)
    key = key_of(event)
    paid = building.paid.get(key)
    if paid is None:
        paid = building.paid[key] = Paid()
    paid.vigorish_cents += event.cents


def _paid_out(state: TableState, event: PayoutHanded | PayoutAdded, cents: int) -> None:
    building = state.round(event.round)
    key = (event.seat, event.bettor, event.wager, None)
    paid = building.paid.setdefault(key, Paid())
    paid.cents += cents
    building.deeds.append(event)
    _moved(state, event.round, "wagers_paid", -cents)


def _adjusted(state: TableState, event: SettlementAdjusted) -> None:
    """Book a mistake put right: before the round closed it is part of what was paid, afterwards beside it."""
    building = state.round(event.round)
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
        state.tray.put_off(event)


def _burned(state: TableState, event: CardBurned) -> None:
    shoe = state.next_shoe or state.shoe
    if shoe is not None and event.card is not None:
        shoe.seen[event.card] = shoe.seen.get(event.card, 0) + 1
