"""Were coupons that came in examined, recorded and locked away? 603a.20(e), (f), (i)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Word, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import (
    FINANCE,
    Duty,
    Moment,
    is_of,
    lacking,
    lacks_of,
    supervises,
)
from schemas.coupon_log import Received

_LEDGER: Final = "An entry of the ledger that was made but is not in the log."

EXAMINED: Final = Duty(
    "receipt_not_examined_by_both",
    severity="procedure",
    asks="Did someone of finance and someone of marketing open and examine the coupons?",
    false_positives=_LEDGER,
    cites=("603a.20(e)",),
)
DEVIATION: Final = Duty(
    "receipt_deviation_not_reported",
    severity="money",
    asks="Was what differs from the invoice reported to finance and to the Bureau?",
    false_positives="A report that was made but is not in the log.",
    cites=("603a.20(e)",),
)
RECORDED: Final = Duty(
    "receipt_not_recorded_by_finance",
    severity="procedure",
    asks="Did a supervisor of finance record the receipt in the ledger?",
    false_positives=_LEDGER,
    cites=("603a.20(f)",),
)
DATE: Final = Duty(
    "receipt_date_missing",
    severity="procedure",
    asks="Does the ledger have the date of receipt?",
    false_positives=_LEDGER,
    cites=("603a.20(f)(1)",),
)
QUANTITY: Final = Duty(
    "receipt_quantity_missing",
    severity="procedure",
    asks="Does the ledger have the quantity and denomination received?",
    false_positives=_LEDGER,
    cites=("603a.20(f)(2)",),
)
SERIALS: Final = Duty(
    "receipt_serials_wrong",
    severity="money",
    asks="Are there as many serial numbers in the ledger as coupons were received?",
    false_positives="A quantity that counts sheets or books instead of coupons.",
    cites=("603a.20(f)(3)", "603a.20(f)(2)"),
)
CHECKERS: Final = Duty(
    "receipt_checkers_missing",
    severity="procedure",
    asks="Does the ledger have name, signature and credential number of those who checked the coupons?",
    false_positives=_LEDGER,
    cites=("603a.20(f)(4)",),
)
SECURED: Final = Duty(
    "coupons_not_secured",
    severity="procedure",
    asks="Were the coupons that are not issued locked away where the Bureau approved it?",
    false_positives="A store that was locked although the log does not say so.",
    cites=("603a.20(i)",),
)
KINDS: Final = (EXAMINED, DEVIATION, RECORDED, DATE, QUANTITY, SERIALS, CHECKERS, SECURED)

_TOLD: Final = ("finance", "bureau")


def check(moment: Moment) -> Iterator[Raised]:
    """Raise what the receipt of a lot lacks."""
    event = moment.event
    if isinstance(event, Received):
        yield from _examination(moment, event)
        yield from _record(moment, event)
        if not event.stored_secured:
            yield moment.found(SECURED, fact("coupons.not_stored_secured"))


def _examination(moment: Moment, event: Received) -> Iterator[Raised]:
    people = event.examined_by or []
    departments = {"finance": FINANCE, "marketing": moment.settings.marketing}
    absent = [name for name, each in departments.items() if not any(is_of(one, each) for one in people)]
    if absent:
        yield moment.found(EXAMINED, fact("coupons.not_examined_by", absent=listed(*map(Word, absent))))
    came = {event.quantity, len(moment.coupons)}
    if event.invoice_quantity is None:
        # What the house prints itself comes without an invoice.
        if event.source != "produced":
            yield moment.found(DEVIATION, fact("coupons.no_invoice"))
    elif event.invoice_quantity not in came:
        told = {each.lower() for each in event.reported_to or ()}
        missing = [each for each in _TOLD if not any(each in name for name in told)]
        if missing:
            message = fact(
                "coupons.invoice_differs",
                came=event.quantity or len(moment.coupons),
                invoice=event.invoice_quantity,
                untold=listed(*map(Word, missing)),
            )
            yield moment.found(DEVIATION, message)


def _record(moment: Moment, event: Received) -> Iterator[Raised]:
    if not supervises(event.recorded_by, FINANCE):
        yield moment.found(RECORDED, fact("coupons.receipt_not_by_finance"))
    if event.date is None:
        yield moment.found(DATE, fact("coupons.receipt_lacks_date"))
    missing = [
        name
        for name, figure in (("quantity", event.quantity), ("denomination", event.denomination_cents))
        if not figure
    ]
    if missing:
        yield moment.found(QUANTITY, fact("coupons.receipt_lacks", missing=listed(*map(Word, missing))))
    if event.quantity and event.quantity != len(moment.coupons):
        message = fact("coupons.numbers_differ", numbers=len(moment.coupons), coupons=event.quantity)
        yield moment.found(SERIALS, message)
    lacks = sorted({part for each in event.examined_by or () for part in lacking(each)})
    if lacks:
        yield moment.found(CHECKERS, fact("coupons.checkers_lack", lacks=lacks_of(lacks)))
