"""Did marketing ask for coupons as it must? 603a.20(g)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import FINANCE, Duty, Moment, lacking, supervises
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
    of = f"requisition {event.requisition}" if event.requisition is not None else "the requisition"
    if event.date is None:
        yield moment.found(DATE, f"{of} lacks the date on which it was prepared")
    if event.needed_for is None:
        yield moment.found(NEEDED, f"{of} lacks the date for which the coupons are needed")
    if not event.denomination_cents or not event.quantity:
        yield moment.found(QUANTITY, f"{of} lacks the denomination or the quantity")
    lacks = lacking(event.prepared_by)
    if event.prepared_by is not None and not supervises(event.prepared_by, moment.settings.marketing):
        yield moment.found(SUPERVISOR, f"{of} was not completed by a supervisor of marketing")
    elif lacks:
        yield moment.found(PREPARER, f"{of} lacks the {' and '.join(lacks)} of who completed it")
    lacks = lacking(event.authorized_by)
    if not supervises(event.authorized_by, FINANCE) or lacks:
        what = f"lacks the {' and '.join(lacks)} of" if lacks else "was not authorized by"
        yield moment.found(AUTHORIZER, f"{of} {what} a supervisor of finance")
