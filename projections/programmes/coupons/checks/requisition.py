"""Did marketing ask for coupons as it must? 603a.20(g)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import SerialRef, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import FINANCE, Duty, Moment, lacking, lacks_of, supervises
from schemas.coupon_log import Requisitioned

_PAPER: Final = "Something that stands on the requisition but is not in the log."

SUPERVISOR: Final = Duty(
    "requisition_not_by_marketing",
    severity="procedure",
    asks="Did a supervisor of marketing complete the requisition?",
    false_positives=_PAPER,
    cites=("603a.20(g)", "603a.20(g)(4)"),
)
DATE: Final = Duty(
    "requisition_date_missing",
    severity="procedure",
    asks="Does the requisition say when it was prepared?",
    false_positives=_PAPER,
    cites=("603a.20(g)(1)",),
)
NEEDED: Final = Duty(
    "requisition_day_missing",
    severity="procedure",
    asks="Does the requisition say for which date the coupons are needed?",
    false_positives=_PAPER,
    cites=("603a.20(g)(2)",),
)
QUANTITY: Final = Duty(
    "requisition_quantity_missing",
    severity="procedure",
    asks="Does the requisition say which denomination and how many?",
    false_positives=_PAPER,
    cites=("603a.20(g)(3)",),
)
PREPARER: Final = Duty(
    "requisition_preparer_missing",
    severity="procedure",
    asks="Does the requisition have name, signature and credential number of who completed it?",
    false_positives=_PAPER,
    cites=("603a.20(g)(4)",),
)
AUTHORIZER: Final = Duty(
    "requisition_authorizer_missing",
    severity="procedure",
    asks="Does the requisition have name, signature and credential number of finance's supervisor?",
    false_positives=_PAPER,
    cites=("603a.20(g)(5)",),
)
KINDS: Final = (SUPERVISOR, DATE, NEEDED, QUANTITY, PREPARER, AUTHORIZER)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise what a requisition lacks."""
    event = moment.event
    if not isinstance(event, Requisitioned):
        return
    of = SerialRef(str(event.requisition)) if event.requisition is not None else None
    if event.date is None:
        yield moment.found(DATE, fact("coupons.requisition_lacks", requisition=of, what="prepared"))
    if event.needed_for is None:
        yield moment.found(NEEDED, fact("coupons.requisition_lacks", requisition=of, what="needed"))
    if not event.denomination_cents or not event.quantity:
        yield moment.found(QUANTITY, fact("coupons.requisition_lacks", requisition=of, what="quantity"))
    lacks = lacking(event.prepared_by)
    if event.prepared_by is not None and not supervises(event.prepared_by, moment.settings.marketing):
        yield moment.found(SUPERVISOR, fact("coupons.requisition_not_by_marketing", requisition=of))
    elif lacks:
        message = fact("coupons.preparer_lacks", requisition=of, lacks=lacks_of(lacks))
        yield moment.found(PREPARER, message)
    lacks = lacking(event.authorized_by)
    if lacks:
        message = fact("coupons.authorizer_lacks", requisition=of, lacks=lacks_of(lacks))
        yield moment.found(AUTHORIZER, message)
    elif not supervises(event.authorized_by, FINANCE):
        yield moment.found(AUTHORIZER, fact("coupons.requisition_not_authorized", requisition=of))
