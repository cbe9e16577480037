"""Did finance record what marketing gave back? 603a.20(l)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Word, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import FINANCE, Duty, Moment, lacking, lacks_of, supervises
from schemas.coupon_log import Returned

_LEDGER: Final = "An entry of the ledger that was made but is not in the log."

DATE: Final = Duty(
    "return_date_missing",
    severity="procedure",
    asks="Does the ledger have the date of the return?",
    false_positives=_LEDGER,
    cites=("603a.20(l)(1)",),
)
SERIALS: Final = Duty(
    "return_serials_wrong",
    severity="money",
    asks="Had marketing the coupons that it gave back?",
    false_positives="An issue that is not in the log, or a misread serial number.",
    cites=("603a.20(l)(2)",),
)
QUANTITY: Final = Duty(
    "return_quantity_wrong",
    severity="money",
    asks="Does the ledger have as many coupons as were given back?",
    false_positives=_LEDGER,
    cites=("603a.20(l)(3)", "603a.20(l)(2)"),
)
SIGNERS: Final = Duty(
    "return_signers_missing",
    severity="procedure",
    asks="Did supervisors of marketing and finance sign the return, with their credential numbers?",
    false_positives=_LEDGER,
    cites=("603a.20(l)(5)",),
)
KINDS: Final = (DATE, SERIALS, QUANTITY, SIGNERS)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise what a return lacks."""
    event = moment.event
    if not isinstance(event, Returned):
        return
    if event.date is None:
        yield moment.found(DATE, fact("coupons.return_lacks_date"))
    known = moment.ledger.coupons
    strange = [
        serial
        for serial in moment.coupons
        if serial not in known or "marketing" not in (known[serial].place, known[serial].voided_in)
    ]
    if strange:
        yield moment.found(SERIALS, fact("coupons.returned_not_held"), serials=strange)
    void = sum(serial in known and known[serial].voided_on is not None for serial in moment.coupons)
    if event.quantity is None:
        yield moment.found(QUANTITY, fact("coupons.return_lacks_quantity"))
    elif event.quantity not in (len(moment.coupons), len(moment.coupons) - void):
        message = fact("coupons.returned_differ", numbers=len(moment.coupons), coupons=event.quantity)
        yield moment.found(QUANTITY, message)
    signers = (
        ("marketing", event.returned_by, moment.settings.marketing),
        ("finance", event.received_by, FINANCE),
    )
    faults = [
        fact("coupons.return_signer", department=Word(department), lacks=lacks_of(lacking(signer)))
        for department, signer, departments in signers
        if lacking(signer) or not supervises(signer, departments)
    ]
    if faults:
        yield moment.found(SIGNERS, fact("coupons.return_lacks_signers", signers=listed(*faults)))
