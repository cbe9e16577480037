"""The ledger as the tables and the count room change it: coupons played, settled, dropped and counted."""

from typing import Literal

from projections.programmes.coupons.event_context import Moment, just_tied
from projections.programmes.coupons.ledger import UNKNOWN, Coupon, Ledger, Left, Play, Redeemed, fault_of
from projections.programmes.coupons.periods import quarter_of
from schemas import coupon_log as log
from schemas.coupon_papers import Named


def play(moment: Moment, event: log.Played) -> None:
    """Let coupons lie under chips, whether they may or not."""
    ledger = moment.ledger
    for serial in moment.coupons:
        fault = fault_of(ledger, serial, moment.day, moment.settings)
        each = ledger.coupons.setdefault(serial, Coupon(UNKNOWN, "patron"))
        each.improper = fault is not None or each.lot == UNKNOWN
        if each.place == "marketing":
            ledger.left[serial] = Left("distributed", moment.day, presumed=True)
        if each.place == "marketing" or fault == "unknown":
            ledger.tally(moment.day).presumed_distributed += 1
        each.place = "table"
        each.redeemed_on = each.dropped_at = each.dropped_on = each.counted_on = None
        each.play = Play(_name(event.table), _name(event.round), moment.day, event.value_cents)
        ledger.awaiting_drop.pop(serial, None)
    ledger.used = True
    if (key := round_key(event)) is not None:
        ledger.rounds[key] = ledger.rounds.get(key, 0) + len(moment.coupons)


def round_key(event: log.Played) -> str | None:
    """Return a person's part in a round: by the patron, else by the seat.

    None where it is not known which.
    """
    who = f"patron {event.patron}" if event.patron is not None else f"seat {event.seat}"
    if event.round is None or (event.patron is None and event.seat is None):
        return None
    return f"{event.table}|{event.round}|{who}"


def settle(moment: Moment, event: log.Settled) -> None:
    """Let coupons be redeemed by a win or a loss, or stay the patron's on a tie."""
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


def _redeem(ledger: Ledger, serial: str, coupon: Coupon, times: Literal[1, -1] = 1) -> None:
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


def drop(moment: Moment, event: log.Dropped) -> None:
    """Let coupons go into a drop box; that is a redemption until a settlement says otherwise."""
    ledger = moment.ledger
    for serial in moment.coupons:
        each = ledger.coupons.setdefault(serial, Coupon(UNKNOWN, "patron"))
        if each.place in ("finance", "marketing", "patron") and not just_tied(moment, each):
            each.improper = True
            each.play = Play(_name(event.table), None, moment.day)
            _redeem(ledger, serial, each)
        each.place = "box"
        each.dropped_at, each.dropped_on = event.at, moment.day
        each.dropped_table, each.drop_box = _name(event.table), _name(event.drop_box)
        if each.play is not None and each.play.settled_at is None and each.redeemed_on is None:
            _redeem(ledger, serial, each)  # until the settlement says that it tied
        ledger.awaiting_drop.pop(serial, None)


def count(moment: Moment) -> None:
    """Let coupons be found in a box."""
    for serial, each in zip(moment.coupons, moment.lives("box"), strict=True):
        each.place = "count_room"
        each.counted_on = moment.day
        if isinstance(moment.event, log.Counted) and moment.event.electronically_cancelled:
            each.cancelled_on = each.cancelled_on or moment.day
        moment.ledger.awaiting_drop.pop(serial, None)


def _name(value: Named | None) -> str | None:
    return None if value is None else str(value)
