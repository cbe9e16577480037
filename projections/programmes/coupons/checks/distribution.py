"""Does the right department hand out coupons, and only those that it has? 603a.20(d), (h), (m)(3)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import FINANCE, Duty, Moment, is_among
from projections.programmes.coupons.ledger import UNKNOWN
from schemas.coupon_log import Distributed, Voided

DEPARTMENT: Final = Duty(
    "coupon_department_wrong",
    severity="procedure",
    asks="Did marketing hand out the coupon, or one of the two departments void it?",
    false_positives="A department that the internal controls name but the house file does not.",
    cites=("603a.20(d)",),
)
NOT_ISSUED: Final = Duty(
    "distributed_not_issued",
    severity="money",
    asks="Had finance issued the coupon to marketing before it was handed out?",
    false_positives="An issue that is not in the log.",
    cites=("603a.20(h)", "603a.20(i)", "603a.20(m)(3)"),
)
TWICE: Final = Duty(
    "distributed_twice",
    severity="money",
    asks="Was the coupon handed out once?",
    false_positives="A serial number that was misread.",
    cites=("603a.20(m)(3)", "603a.20(j)(4)"),
)
KINDS: Final = (DEPARTMENT, NOT_ISSUED, TWICE)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise coupons handed out by others, to nobody, or that marketing did not have."""
    event = moment.event
    marketing = moment.settings.marketing
    if isinstance(event, Voided) and not is_among(event.by_department, (*marketing, *FINANCE)):
        yield moment.found(DEPARTMENT, fact("coupons.voided_by", department=event.by_department))
    if not isinstance(event, Distributed):
        return
    patron = event.patron
    if not is_among(event.by_department, marketing):
        message = fact("coupons.distributed_by", department=event.by_department)
        yield moment.found(DEPARTMENT, message, patron=patron)
    elif patron is None:
        yield moment.found(DEPARTMENT, fact("coupons.distributed_to_nobody"))
    yield from _held(moment, event)


def _held(moment: Moment, event: Distributed) -> Iterator[Raised]:
    coupons = moment.ledger.coupons
    for serial in moment.coupons:
        each = coupons.get(serial)
        if each is None or (each.place == "finance" and each.voided_on is None and each.lot != UNKNOWN):
            message = fact("coupons.distributed_unissued", is_known=int(each is not None))
            yield moment.found(NOT_ISSUED, message, serials=[serial], patron=event.patron)
        elif each.voided_on is None and each.place in ("patron", "table"):
            message = fact("coupons.distributed_twice")
            yield moment.found(TWICE, message, serials=[serial], patron=event.patron)
