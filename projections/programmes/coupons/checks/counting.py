"""Was every coupon that was redeemed or voided counted and cancelled? 603a.20(m)(1), (2), (4)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Word, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from projections.programmes.coupons.ledger import UNKNOWN
from schemas.coupon_log import Counted, Distributed, Issued

NOT_COUNTED: Final = Duty(
    "coupon_not_counted",
    severity="money",
    asks="Was the coupon that was dropped counted by the next reconciliation?",
    false_positives="A count that is not in the log.",
    cites=("603a.20(m)(1)", "603a.20(m)"),
)
COUNTED_WRONGLY: Final = Duty(
    "coupon_counted_wrongly",
    severity="money",
    asks="Was the coupon counted once, and in the box into which it was dropped?",
    false_positives="A misread serial number, or a drop box that goes by two names.",
    cites=("603a.20(m)(1)",),
)
NOT_CANCELLED: Final = Duty(
    "coupon_not_cancelled",
    severity="money",
    asks="Was the redeemed or voided coupon cancelled by the next reconciliation?",
    false_positives="A cancellation that is not in the log.",
    cites=("603a.20(m)(2)", "603a.20(m)"),
)
IN_USE_AGAIN: Final = Duty(
    "coupon_in_use_again",
    severity="grave",
    asks="Do coupons stay with finance once they were counted, cancelled or destroyed?",
    false_positives="A misread serial number.",
    cites=("603a.20(m)(4)",),
)
KINDS: Final = (NOT_COUNTED, COUNTED_WRONGLY, NOT_CANCELLED, IN_USE_AGAIN)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise coupons counted twice or elsewhere, coupons out again, and what is due and not done."""
    event = moment.event
    if isinstance(event, Counted):
        yield from _counted(moment, event)
    if isinstance(event, Issued | Distributed):
        out = [serial for serial in moment.coupons if _is_done_with(moment, serial)]
        if out:
            yield moment.found(IN_USE_AGAIN, fact("coupons.in_use_again"), serials=out)
    if moment.due is not None:
        yield from _due(moment)


def _counted(moment: Moment, event: Counted) -> Iterator[Raised]:
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        if each is None or each.lot == UNKNOWN:
            continue
        if each.place == "count_room":
            twice = fact("coupons.counted_twice")
            yield moment.found(COUNTED_WRONGLY, twice, serials=[serial], table=event.table)
        elif each.place == "box":
            for what, then, now in (
                ("drop_box", each.drop_box, event.drop_box),
                ("table", each.dropped_table, event.table),
            ):
                if then is not None and now is not None and then != str(now):
                    message = fact(
                        "coupons.counted_elsewhere", what=Word(what), dropped=then, counted=str(now)
                    )
                    yield moment.found(COUNTED_WRONGLY, message, serials=[serial], table=event.table)
                    break


def _is_done_with(moment: Moment, serial: str) -> bool:
    each = moment.ledger.coupons.get(serial)
    return (
        each is not None
        and each.voided_on is None
        and (each.place in ("box", "count_room", "destroyed") or each.cancelled_on is not None)
    )


def _due(moment: Moment) -> Iterator[Raised]:
    due = moment.now_due
    for serial, each in moment.ledger.coupons.items():
        if each.lot == UNKNOWN or each.improper:
            continue
        table = each.dropped_table
        lot = moment.ledger.lot_of(each)
        # What a provider mailed is cancelled in the computer: (q)(6) asks for that at its count.
        done = each.cancelled_on is not None or (lot is not None and lot.mailed)
        if each.place == "box" and each.dropped_on in due:
            message = fact("coupons.not_counted")
            yield moment.found(NOT_COUNTED, message, serials=[serial], table=table, day=each.dropped_on)
        elif not done and each.place in ("count_room", "destroyed") and each.redeemed_on in due:
            message = fact("coupons.redeemed_not_cancelled")
            yield moment.found(NOT_CANCELLED, message, serials=[serial], table=table, day=each.redeemed_on)
        elif not done and each.voided_on in due:
            message = fact("coupons.voided_not_cancelled")
            yield moment.found(NOT_CANCELLED, message, serials=[serial], day=each.voided_on)
