"""The table as its events rebuild it: one fold, `evolve`, over one state, and one shoe after another."""

from typing import assert_never

from projections.engine.accounts.inventory_entries import Reason
from projections.engine.facts import HandRef, fact
from projections.engine.fold.table_state import Building, TableState
from projections.engine.observation import Gap, Paid, Wager, key_of, who_of
from projections.engine.shoe import Lapse, Shoe
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

# ── One shoe after another: what is owing when a shoe ends or a player leaves was to be paid then ─────


def end_shoe(state: TableState) -> None:
    """End the shoe in play: what is owing now was to be paid before the next one."""
    departures(state)
    for who, cents in state.owing.items():
        _lapse(state, who, cents, "the end of the shoe")
    state.marks_missing = state.marks_missing or (state.shoe is not None and not state.shoe.counts_all())
    state.ended, state.shoe = state.shoe, None
    state.owing.clear()


def begin_shoe(state: TableState, name: str, *, is_named: bool = True) -> None:
    """Take a new shoe into play: the one that was loaded, or one whose loading was not reported."""
    end_shoe(state)
    loaded = state.next_shoe
    state.shoe = loaded if loaded is not None and loaded.name == name else Shoe(name)
    if not (state.turns or state.is_open):  # the table opened before the record begins
        state.marks_missing = True
        if state.shoe is not loaded:
            state.shoe.lack([Gap("", "terminal", fact("fold.begins_within_shoe"))])
    state.next_shoe = None
    state.shoes += 1
    state.shoe.number, state.shoe.named = state.shoes, is_named
    state.shoe.turn = state.turns[name] = state.turns.get(name, 0) + 1
    state.shoe.lack(state.loading_unknown)
    state.loading_unknown.clear()


def departures(state: TableState) -> None:
    """Let the players go who left: what each was owing was to be paid then (631a.13(d)(2)(i))."""
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
# Devices report side by side, so nothing here depends on the order of events of different devices; within
# one device they come in the order of their numbers.


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
                state.shoe.vigorish.of(who).collect(event.cents, event.round)
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
            if state.shoe is not None:
                state.shoe.end(0, ())
        case ShoeCounted():
            if state.shoe is not None and state.shoe.name == event.shoe:
                state.shoe.end(event.left, event.cards)
        case RoundVoided():
            state.round(event.round).void = True
        case SimulatedRoundDealt():
            state.round(event.round).simulated = True
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
            state.inventory.append(event)
            state.is_open = True
            state.turns.clear()
        case TableClosed():
            end_shoe(state)
            state.lying.clear()
            state.inventory.append(event)
            state.is_open = False
        case PlayerSeated() | CuratorNamed() | ChipsColoredUp() | DevicesPolled() | ReportCorrected():
            pass  # recorded for people; nothing that is concluded hangs on them here
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
    """Take a button of a sum away; where its mark was not reported nothing is left to lie."""
    left = lying.pop(who, 0) - cents
    if left > 0:
        lying[who] = left


def _opened(state: TableState, event: RoundOpened) -> None:
    departures(state)
    loaded = state.next_shoe is not None and state.next_shoe.name == event.shoe
    if state.shoe is None or state.shoe.name != event.shoe or loaded:
        begin_shoe(state, event.shoe)
    else:
        state.shoe.named = True
        state.shoe.end(None)
    state.round(event.round).opened = event


def _moved(state: TableState, number: str | None, reason: Reason, cents: int) -> None:
    """Book a change of the table inventory; positive is into the tray."""
    state.move(reason, cents)
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
    state.inventory.append(event)
    is_fill = isinstance(event, FillReceived)
    _moved(state, event.round, "fills" if is_fill else "credits", event.cents if is_fill else -event.cents)


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
    state.move("wagers_paid" if gain > 0 else "wagers_collected", into_tray)
    building.inventory_change += into_tray


def _vigorish(state: TableState, event: VigorishMarked | VigorishCollected) -> None:
    state.round(event.round).paid.setdefault(key_of(event), Paid()).vigorish_cents += event.cents


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
        state.put_off(event)


def _burned(state: TableState, event: CardBurned) -> None:
    shoe = state.next_shoe or state.shoe
    if shoe is None:
        return
    if event.card is not None:
        shoe.burned.append(event.card)
    else:
        shoe.face_down += 1
