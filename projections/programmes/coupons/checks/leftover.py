"""Where are the coupons that were not handed out? 603a.20(k)."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from projections.engine.facts import Word, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from projections.programmes.coupons.ledger import Coupon, has_expired
from schemas.coupon_log import Closed, Distributed, Kept, Returned, Voided

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
    """Raise coupons that marketing still has, had for too long, or keeps otherwise than it may."""
    if isinstance(moment.event, Kept):
        yield from _kept(moment, moment.event)
    elif isinstance(moment.event, Distributed):
        yield from _handed_out(moment, moment.event)
    if isinstance(moment.event, Returned | Kept | Voided):
        yield from _late(moment, moment.event)
    if moment.due is not None:
        yield from _still_held(moment)


def _still_held(moment: Moment) -> Iterator[Raised]:
    """Raise what marketing has when all of its gaming day must have been done."""
    left: dict[tuple[date, Duty], list[str]] = {}
    due = moment.now_due
    for serial, each in moment.ledger.held("marketing"):
        day = each.held_until
        if day in due and not _is_open(moment, day):
            left.setdefault((day, _duty(moment, each)), []).append(serial)
    for (day, duty), serials in left.items():
        message = fact("coupons.left_at_end", has_expired=int(duty is EXPIRED))
        yield moment.found(duty, message, serials=serials, day=day)


def _late(moment: Moment, event: Returned | Kept | Voided) -> Iterator[Raised]:
    """Raise what was returned, kept or voided only when its gaming day was over, and not raised by then."""
    late: dict[tuple[date, Duty], list[str]] = {}
    settled, due = moment.ledger.settled_until, moment.now_due
    for serial, each in _at_hand(moment):
        day = each.held_until
        said = day in due or (settled is not None and day <= settled)
        if moment.is_over(day) and not said:
            late.setdefault((day, _duty(moment, each)), []).append(serial)
    for (day, duty), serials in late.items():
        done = Word(type(event).__name__.lower())
        message = fact("coupons.left_until", day=str(day), done=done, on=str(moment.today))
        yield moment.found(duty, message, serials=serials, day=day)


def _handed_out(moment: Moment, event: Distributed) -> Iterator[Raised]:
    """Raise coupons handed out that had expired, or that stood on an earlier form and that nobody kept."""
    for serial, each in _at_hand(moment):
        if has_expired(moment.ledger.lot_of(each), moment.day, moment.settings):
            message = fact("coupons.expired_handed_out")
            yield moment.found(EXPIRED, message, serials=[serial], patron=event.patron)
        left = each.on_form
        if left is not None and left < moment.day and (each.kept_on is None or each.kept_on < left):
            message = fact("coupons.left_over_handed_out", on=str(left))
            yield moment.found(RETURNED, message, serials=[serial], patron=event.patron)


def _at_hand(moment: Moment) -> Iterator[tuple[str, Coupon]]:
    """Yield the event's coupons that marketing has and that are not void."""
    known = moment.ledger.coupons
    for serial in moment.coupons:
        each = known.get(serial)
        if each is not None and each.place == "marketing" and each.voided_on is None:
            yield serial, each


def _duty(moment: Moment, coupon: Coupon) -> Duty:
    """Return what was to be done with a coupon at the end of its gaming day: some cannot be kept."""
    over = has_expired(moment.ledger.lot_of(coupon), coupon.held_until, moment.settings)
    return EXPIRED if over else RETURNED


def _is_open(moment: Moment, day: date) -> bool:
    """Return True if the log ends within a gaming day that marketing has not closed."""
    return isinstance(moment.event, Closed) and day == moment.today and day not in moment.ledger.forms


def _kept(moment: Moment, event: Kept) -> Iterator[Raised]:
    coupons = moment.ledger.coupons
    if not event.secured or not event.approved_area:
        yield moment.found(SECURED, fact("coupons.kept_in_wrong_area", is_secured=int(bool(event.secured))))
    strange = [s for s in moment.coupons if s not in coupons or coupons[s].place != "marketing"]
    if strange:
        yield moment.found(NOT_HELD, fact("coupons.kept_not_held"), serials=strange)
    over = [
        serial
        for serial in moment.coupons
        if (each := coupons.get(serial)) is not None
        and has_expired(moment.ledger.lot_of(each), moment.kept_for(each), moment.settings)
    ]
    if over:
        yield moment.found(EXPIRED, fact("coupons.expired_kept"), serials=over)
