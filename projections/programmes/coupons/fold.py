"""The coupon ledger as events change it: those of the programme, of the tables and of the count room."""

from datetime import timedelta
from typing import Literal, assert_never

from projections.programmes.coupons.event_context import EventContext, is_among, just_tied
from projections.programmes.coupons.expected_papers import early, quarter_of, ways_at_hand
from projections.programmes.coupons.ledger import (
    UNKNOWN,
    Coupon,
    CouponLedger,
    CouponPlay,
    LeftoverCoupons,
    Lot,
    Place,
    Redeemed,
    Requisition,
    fault_of,
)
from schemas import coupon_log as log
from schemas.coupon_log import NameOrNumber

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The ledger as the tables and the count room change it: coupons played, settled, dropped and counted.


def play(moment: EventContext, event: log.Played) -> None:
    """Move coupons to the table, under chips, whether they are allowed there or not."""
    ledger = moment.ledger
    for serial in moment.coupons:
        fault = fault_of(ledger, serial, moment.day, moment.settings)
        each = ledger.coupons.setdefault(serial, Coupon(UNKNOWN, "patron"))
        each.improper = fault is not None or each.lot == UNKNOWN
        if each.place == "marketing":
            ledger.left[serial] = LeftoverCoupons("distributed", moment.day, presumed=True)
        if each.place == "marketing" or fault == "unknown":
            ledger.tally(moment.day).presumed_distributed += 1
        each.place = "table"
        each.redeemed_on = each.dropped_at = each.dropped_on = each.counted_on = None
        each.play = CouponPlay(_name(event.table), _name(event.round), moment.day, event.value_cents)
        ledger.awaiting_drop.pop(serial, None)
    ledger.used = True
    if (key := round_key(event)) is not None:
        ledger.rounds[key] = ledger.rounds.get(key, 0) + len(moment.coupons)


def round_key(event: log.Played) -> str | None:
    """Return a person's part in a round: by the patron, else by the seat.

    None if it is not known which.
    """
    who = f"patron {event.patron}" if event.patron is not None else f"seat {event.seat}"
    if event.round is None or (event.patron is None and event.seat is None):
        return None
    return f"{event.table}|{event.round}|{who}"


def settle(moment: EventContext, event: log.Settled) -> None:
    """Redeem coupons by a win or a loss; on a tie they stay the patron's."""
    ledger = moment.ledger
    for serial in moment.coupons:
        each = ledger.coupons.get(serial)
        if each is None or each.play is None:
            continue
        each.play.result, each.play.settled_at = event.result, event.at
        if event.result == "tie" and not moment.settings.tie_redeems:
            each.place = "patron" if each.place == "table" else each.place
            if each.redeemed_on is not None:
                _redeem(ledger, serial, each, -1)
            continue
        if each.redeemed_on is None:
            _redeem(ledger, serial, each)
        if each.dropped_at is None and not each.improper:
            ledger.awaiting_drop[serial] = event.at


def _redeem(ledger: CouponLedger, serial: str, coupon: Coupon, times: Literal[1, -1] = 1) -> None:
    """Book a redemption under the gaming day of its round, or take it back."""
    if coupon.play is None:
        return
    day = coupon.play.day
    coupon.redeemed_on = day if times > 0 else None
    tally = ledger.tally(day)
    tally.redeemed += times
    cents = ledger.denomination(serial) or coupon.play.value or 0
    quarter = ledger.redeemed.setdefault(quarter_of(day), Redeemed())
    quarter.cents[cents] = quarter.cents.get(cents, 0) + times * cents
    if coupon.improper:
        tally.redeemed_improperly += times
        quarter.improperly[cents] = quarter.improperly.get(cents, 0) + times * cents


def drop(moment: EventContext, event: log.Dropped) -> None:
    """Move coupons into a drop box, which redeems them unless a settlement shows otherwise."""
    ledger = moment.ledger
    for serial in moment.coupons:
        each = ledger.coupons.setdefault(serial, Coupon(UNKNOWN, "patron"))
        if each.place in ("finance", "marketing", "patron") and not just_tied(moment, each):
            each.improper = True
            each.play = CouponPlay(_name(event.table), None, moment.day)
            _redeem(ledger, serial, each)
        each.place = "box"
        each.dropped_at, each.dropped_on = event.at, moment.day
        each.dropped_table, each.drop_box = _name(event.table), _name(event.drop_box)
        if each.play is not None and each.play.settled_at is None and each.redeemed_on is None:
            _redeem(ledger, serial, each)  # unless the settlement shows a tie
        ledger.awaiting_drop.pop(serial, None)


def count(moment: EventContext) -> None:
    """Move coupons that were found in a box to the count room."""
    for serial, each in zip(moment.coupons, moment.lives("box"), strict=True):
        each.place = "count_room"
        each.counted_on = moment.day
        if isinstance(moment.event, log.Counted) and moment.event.electronically_cancelled:
            each.cancelled_on = each.cancelled_on or moment.day
        moment.ledger.awaiting_drop.pop(serial, None)


def _name(value: NameOrNumber | None) -> str | None:
    return None if value is None else str(value)


# ── The ledger as events change it: one fold, a case for each event ───────────────────────────────────
# It follows what was reported even if that was wrong: the checks, which see the ledger before each event,
# have raised that by then. No clock, no chance, no I/O.


def post_event(moment: EventContext) -> None:  # noqa: C901, PLR0912, PLR0915  one case an event
    """Apply an event to its ledger, in place."""
    _pass_time(moment)
    ledger, event = moment.ledger, moment.event
    match event:
        case log.Approved():
            if event.what is not None:
                ledger.approvals.append(event.what)
        case log.Received():
            _receive(moment, event)
        case log.Mailed():
            _mail(moment, event)
        case log.Requisitioned():
            ledger.requisitions[str(event.requisition)] = Requisition(
                event.denomination_cents, event.quantity, event.needed_for
            )
        case log.Issued():
            _issue(moment, event)
        case log.Distributed():
            _move(moment, "patron")
            _leave(moment)
            ledger.tally(moment.day).distributed += len(moment.coupons)
            ledger.used = True
        case log.Played():
            play(moment, event)
        case log.Settled():
            settle(moment, event)
        case log.Dropped():
            drop(moment, event)
        case log.Counted():
            count(moment)
        case log.Voided():
            _void(moment, event)
        case log.Kept():
            for each in moment.lives():
                each.kept_on = moment.kept_for(each)
                ledger.forms_due.setdefault(each.held_until, True)
        case log.Returned():
            _return(moment)
        case log.DayClosed():
            _close_day(moment)
        case log.Cancelled():
            for each in moment.lives():
                each.cancelled_on = moment.day
        case log.Destroyed():
            _move(moment, "destroyed")
        case log.Reconciled():
            _reconcile(moment, event)
        case log.Inventoried():
            # By the gaming day or by the clock: at the turn of a month either is by the text.
            ledger.inventories += sorted({f"{moment.today:%Y-%m}", f"{event.at:%Y-%m}"})
        case log.QuarterlyReport():
            if event.quarter is not None:
                ledger.reported.append(event.quarter)
        case log.Closed():
            ledger.awaiting_drop.clear()
            ledger.tallies.clear()
        case _:
            assert_never(event)


def _pass_time(moment: EventContext) -> None:
    """Remove from the ledger what the checks have just raised as overdue, so that it is raised once."""
    ledger = moment.ledger
    limit = timedelta(seconds=moment.settings.drop_seconds)
    while (first := next(iter(ledger.awaiting_drop.items()), None)) and moment.event.at - first[1] > limit:
        del ledger.awaiting_drop[first[0]]
    due = moment.due
    ledger.overdue = moment.overdue or ledger.overdue
    if due is not None:
        for day in [day for day in ledger.forms_due if day <= due]:
            del ledger.forms_due[day]
        ledger.due = None
        ledger.settled_until = max(due, ledger.settled_until or due)
    if moment.today != ledger.today:
        ledger.rounds.clear()
        ledger.today = max(moment.today, ledger.today or moment.today)


def _move(moment: EventContext, place: Place) -> None:
    for each in moment.lives():
        each.place = place


def _leave(moment: EventContext) -> None:
    """Note what marketing handed out: on the day for which it was needed, if that is later."""
    ledger = moment.ledger
    for serial in moment.coupons:
        day = max(moment.day, ledger.coupons[serial].needed_for or moment.day)
        ledger.left[serial] = LeftoverCoupons("distributed", day)
        ledger.forms_due.setdefault(day, False)


def _receive(moment: EventContext, event: log.Received) -> None:
    ledger = moment.ledger
    ledger.lots.append(Lot(moment.day, event.denomination_cents, event.expires, event.games or []))
    for serial in moment.coupons:
        ledger.coupons.setdefault(serial, Coupon(len(ledger.lots) - 1, "finance"))


def _mail(moment: EventContext, event: log.Mailed) -> None:
    ledger = moment.ledger
    lot = Lot(moment.day, event.denomination_cents, event.expires, event.games or [], mailed=True)
    ledger.lots.append(lot)
    for serial in moment.coupons:
        ledger.coupons[serial] = Coupon(len(ledger.lots) - 1, "patron")
    ledger.tally(moment.day).mailed += len(moment.coupons)
    ledger.used = ledger.mailed = True


def _issue(moment: EventContext, event: log.Issued) -> None:
    ledger = moment.ledger
    requisition = ledger.requisitions.get(str(event.requisition))
    issued = 0
    for each in moment.lives():
        if each.voided_on is None:
            issued += 1
            each.place = "marketing"
            each.needed_for = max(moment.day, (requisition and requisition.needed_for) or moment.day)
            each.on_form = each.kept_on = each.returned_on = None
            ledger.forms_due.setdefault(each.needed_for, False)
    if requisition is not None:
        requisition.issued += issued
    ledger.tally(moment.day).given += issued
    ledger.used = True


def _void(moment: EventContext, event: log.Voided) -> None:
    """Note what was voided: on marketing's form stands what it had, and what it voided itself, (j)(6)."""
    ledger = moment.ledger
    tally = ledger.tally(moment.day)
    by_marketing = is_among(event.by_department, moment.settings.marketing)
    for serial, each in zip(moment.coupons, moment.lives(), strict=True):
        tally.voided += 1
        each.voided_on, each.voided_in = moment.day, each.place
        if each.place == "marketing" or (each.place == "patron" and each.needed_for is not None):
            tally.voided_issued += 1
        if each.place == "marketing":
            ledger.left[serial] = LeftoverCoupons("voided", moment.day)
        elif each.place == "patron" and by_marketing:
            ledger.voids[serial] = moment.day
        else:
            continue
        ledger.forms_due.setdefault(moment.day, False)


def _return(moment: EventContext) -> None:
    ledger = moment.ledger
    tally = ledger.tally(moment.day)
    for serial, each in zip(moment.coupons, moment.lives(), strict=True):
        if each.voided_on is None:
            tally.returned += 1
            lot = ledger.lot_of(each)
            if lot is not None and lot.expires is not None and lot.expires <= moment.day:
                tally.returned_expired += 1
            ledger.left[serial] = LeftoverCoupons("returned", moment.day)
        else:
            tally.returned_void += 1
        each.place = "finance"
        each.returned_on = moment.day


def _close_day(moment: EventContext) -> None:
    """Note what was at hand, and begin the next form."""
    ledger = moment.ledger
    ways = ways_at_hand(ledger, moment.day)
    counts = {len(each.available | more) for each in ways for more in (frozenset(), each.unkept)}
    ledger.reported_forms[moment.day] = sorted(counts)
    for serial in ways[0].available:
        ledger.coupons[serial].on_form = moment.day
    ledger.left = {serial: left for serial, left in ledger.left.items() if left.day > moment.day}
    ledger.voids = {serial: day for serial, day in ledger.voids.items() if day > moment.day}
    ledger.forms_due = {day: form for day, form in ledger.forms_due.items() if day != moment.day}


def _reconcile(moment: EventContext, event: log.Reconciled) -> None:
    ledger = moment.ledger
    for figure in early(event, ledger, moment.day):
        for tally in ledger.tallies.values():
            setattr(tally, figure, 0)
    for day in [day for day in ledger.tallies if day <= moment.day]:
        del ledger.tallies[day]
    before = ledger.due[0] if ledger.due is not None else moment.day
    ledger.due = (max(moment.day, before), moment.today)
