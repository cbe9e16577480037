"""The ledger as events change it: one fold, a case for each event.

It follows what was reported even where that ought not to have been, as the checks that look at the ledger
before each event have said so by then. No clock, no chance, no I/O.
"""

from datetime import timedelta
from typing import assert_never

from projections.programmes.coupons import redemption
from projections.programmes.coupons.event_context import Moment, is_among
from projections.programmes.coupons.expected_papers import early, ways_at_hand
from projections.programmes.coupons.ledger import Asked, Coupon, Left, Lot, Place
from schemas import coupon_log as log


def evolve(moment: Moment) -> None:  # noqa: C901, PLR0912, PLR0915  one case an event
    """Let a moment's event change the moment's ledger in place."""
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
            ledger.requisitions[str(event.requisition)] = Asked(
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
            redemption.play(moment, event)
        case log.Settled():
            redemption.settle(moment, event)
        case log.Dropped():
            redemption.drop(moment, event)
        case log.Counted():
            redemption.count(moment)
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


def _pass_time(moment: Moment) -> None:
    """Take out of the ledger what the checks have just called overdue, so that it is said once."""
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


def _move(moment: Moment, place: Place) -> None:
    for each in moment.lives():
        each.place = place


def _leave(moment: Moment) -> None:
    """Note what marketing handed out: on the day for which it was needed, if that is later."""
    ledger = moment.ledger
    for serial in moment.coupons:
        day = max(moment.day, ledger.coupons[serial].needed_for or moment.day)
        ledger.left[serial] = Left("distributed", day)
        ledger.forms_due.setdefault(day, False)


def _receive(moment: Moment, event: log.Received) -> None:
    ledger = moment.ledger
    ledger.lots.append(Lot(moment.day, event.denomination_cents, event.expires, event.games or []))
    for serial in moment.coupons:
        ledger.coupons.setdefault(serial, Coupon(len(ledger.lots) - 1, "finance"))


def _mail(moment: Moment, event: log.Mailed) -> None:
    ledger = moment.ledger
    lot = Lot(moment.day, event.denomination_cents, event.expires, event.games or [], mailed=True)
    ledger.lots.append(lot)
    for serial in moment.coupons:
        ledger.coupons[serial] = Coupon(len(ledger.lots) - 1, "patron")
    ledger.tally(moment.day).mailed += len(moment.coupons)
    ledger.used = ledger.mailed = True


def _issue(moment: Moment, event: log.Issued) -> None:
    ledger = moment.ledger
    asked = ledger.requisitions.get(str(event.requisition))
    given = 0
    for each in moment.lives():
        if each.voided_on is None:
            given += 1
            each.place = "marketing"
            each.needed_for = max(moment.day, (asked and asked.needed_for) or moment.day)
            each.on_form = each.kept_on = each.returned_on = None
            ledger.forms_due.setdefault(each.needed_for, False)
    if asked is not None:
        asked.issued += given
    ledger.tally(moment.day).given += given
    ledger.used = True


def _void(moment: Moment, event: log.Voided) -> None:
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
            ledger.left[serial] = Left("voided", moment.day)
        elif each.place == "patron" and by_marketing:
            ledger.voids[serial] = moment.day
        else:
            continue
        ledger.forms_due.setdefault(moment.day, False)


def _return(moment: Moment) -> None:
    ledger = moment.ledger
    tally = ledger.tally(moment.day)
    for serial, each in zip(moment.coupons, moment.lives(), strict=True):
        if each.voided_on is None:
            tally.returned += 1
            lot = ledger.lot_of(each)
            if lot is not None and lot.expires is not None and lot.expires <= moment.day:
                tally.returned_expired += 1
            ledger.left[serial] = Left("returned", moment.day)
        else:
            tally.returned_void += 1
        each.place = "finance"
        each.returned_on = moment.day


def _close_day(moment: Moment) -> None:
    """Note what was at hand, and begin the next form."""
    ledger = moment.ledger
    ways = ways_at_hand(ledger, moment.day)
    counts = {len(each.whole | more) for each in ways for more in (frozenset(), each.unkept)}
    ledger.forms[moment.day] = sorted(counts)
    for serial in ways[0].whole:
        ledger.coupons[serial].on_form = moment.day
    ledger.left = {serial: left for serial, left in ledger.left.items() if left.day > moment.day}
    ledger.voids = {serial: day for serial, day in ledger.voids.items() if day > moment.day}
    ledger.forms_due = {day: kept for day, kept in ledger.forms_due.items() if day != moment.day}


def _reconcile(moment: Moment, event: log.Reconciled) -> None:
    ledger = moment.ledger
    for figure in early(event, ledger, moment.day):
        for tally in ledger.tallies.values():
            setattr(tally, figure, 0)
    for day in [day for day in ledger.tallies if day <= moment.day]:
        del ledger.tallies[day]
    before = ledger.due[0] if ledger.due is not None else moment.day
    ledger.due = (max(moment.day, before), moment.today)
