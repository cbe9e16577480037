"""Where are the coupons that were not handed out? 603a.20(k)."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from projections.coupons.ledger import Coupon, has_expired
from projections.coupons.moment import Duty, Moment
from projections.findings import Raised
from schemas.coupon_log import Closed, Distributed, Kept

RETURNED: Final = Duty(
    "leftover_not_returned",
    severity="money",
    asks="Were coupons that no patron was given returned or kept at the end of the gaming day?",
    false_positives="A promotion of several days, or a return that is not in the log.",
    cites=("603a.20(k)",),
)
EXPIRED: Final = Duty(
    "expired_not_returned",
    severity="money",
    asks="Were expired coupons returned to finance on their day?",
    false_positives="A return that is not in the log.",
    cites=("603a.20(k)",),
)
SECURED: Final = Duty(
    "kept_not_secured",
    severity="procedure",
    asks="Were coupons kept for the next gaming day locked away where the Bureau approved it?",
    false_positives="A store that was locked although the log does not say so.",
    cites=("603a.20(k)",),
)
NOT_HELD: Final = Duty(
    "kept_not_held",
    severity="money",
    asks="Had marketing the coupons that it kept for the next gaming day?",
    false_positives="A misread serial number.",
    cites=("603a.20(k)", "603a.20(j)(5)"),
)
KINDS: Final = (RETURNED, EXPIRED, SECURED, NOT_HELD)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise coupons that marketing still has, or that it keeps otherwise than it may."""
    if isinstance(moment.event, Kept):
        yield from _kept(moment, moment.event)
    elif isinstance(moment.event, Distributed):
        yield from _over_night(moment, moment.event)
    if moment.due is None:
        return
    late: dict[tuple[date, Duty], list[str]] = {}
    for serial, each in moment.ledger.held("marketing"):
        day = _until(each)
        if moment.now_due(day) and not _is_open(moment, day):
            over = has_expired(moment.ledger.lot_of(each), day, moment.settings)
            late.setdefault((day, EXPIRED if over else RETURNED), []).append(serial)
    for (day, duty), serials in late.items():
        what = "expired and not returned" if duty is EXPIRED else "neither handed out, returned nor kept"
        yield moment.found(duty, f"{what} at the end of the gaming day", serials=serials, day=day)


def _over_night(moment: Moment, event: Distributed) -> Iterator[Raised]:
    """Raise coupons handed out that stood on the form of a day before and that nobody kept."""
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        if each is None or each.place != "marketing" or each.on_form is None or each.on_form >= moment.day:
            continue
        if each.kept_on is None or each.kept_on < each.on_form:
            message = f"left over on {each.on_form}, not kept, and handed out"
            yield moment.found(RETURNED, message, serials=[serial], patron=event.patron)


def _until(coupon: Coupon) -> date:
    """Give the gaming day at whose end a coupon in marketing's hands is to be returned or kept."""
    if coupon.kept_on is not None:
        return coupon.kept_on + timedelta(days=1)
    return coupon.needed_for or date.max


def _is_open(moment: Moment, day: date) -> bool:
    """Tell whether the log ends within a gaming day that marketing has not closed."""
    return isinstance(moment.event, Closed) and day == moment.today and day not in moment.ledger.forms


def _kept(moment: Moment, event: Kept) -> Iterator[Raised]:
    coupons = moment.ledger.coupons
    if not event.secured or not event.approved_area:
        where = "secured and locked" if not event.secured else "approved"
        yield moment.found(SECURED, f"kept for the next gaming day in an area that is not {where}")
    strange = [s for s in moment.coupons if s not in coupons or coupons[s].place != "marketing"]
    if strange:
        yield moment.found(NOT_HELD, "kept, though marketing did not have them", serials=strange)
    over = [
        serial
        for serial in moment.coupons
        if serial in coupons
        and has_expired(moment.ledger.lot_of(coupons[serial]), moment.day, moment.settings)
    ]
    if over:
        yield moment.found(EXPIRED, "expired and kept in place of being returned", serials=over)
