"""Did finance issue coupons as it must? 603a.20(h)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Cents, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import FINANCE, Duty, Moment, lacking, lacks_of, supervises
from projections.programmes.coupons.ledger import Asked
from schemas.coupon_log import Issued

_LEDGER: Final = "An entry of the ledger, or a requisition, that is not in the log."

UNREQUISITIONED: Final = Duty(
    "issue_without_requisition",
    severity="procedure",
    asks="Had finance a requisition before it issued coupons?",
    false_positives=_LEDGER,
    cites=("603a.20(h)", "603a.20(g)"),
)
RECORD: Final = Duty(
    "issue_before_record",
    severity="procedure",
    asks="Did finance record the issue in the ledger before it issued the coupons?",
    false_positives="Clocks of two systems that lie apart.",
    cites=("603a.20(h)",),
)
SERIALS: Final = Duty(
    "issue_serials_wrong",
    severity="money",
    asks="Were the coupons issued in finance's hands, each once?",
    false_positives="A receipt or a return that is not in the log.",
    cites=("603a.20(h)(1)",),
)
QUANTITY: Final = Duty(
    "issue_quantity_wrong",
    severity="money",
    asks="Does the ledger have the quantity and denomination issued, as requisitioned?",
    false_positives=_LEDGER,
    cites=("603a.20(h)(2)",),
)
ISSUER: Final = Duty(
    "issue_supervisor_missing",
    severity="procedure",
    asks="Does the ledger have name, signature and credential number of finance's supervisor who issued?",
    false_positives=_LEDGER,
    cites=("603a.20(h)(3)",),
)
KINDS: Final = (UNREQUISITIONED, RECORD, SERIALS, QUANTITY, ISSUER)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise what an issue lacks."""
    event = moment.event
    if not isinstance(event, Issued):
        return
    asked = moment.ledger.requisitions.get(str(event.requisition))
    if asked is None:
        yield moment.found(UNREQUISITIONED, fact("coupons.issued_without_requisition"))
    if event.recorded_at is None:
        yield moment.found(RECORD, fact("coupons.issue_not_recorded"))
    elif event.recorded_at > event.at:
        late = int((event.recorded_at - event.at).total_seconds())
        yield moment.found(RECORD, fact("coupons.issue_recorded_late", seconds=late))
    yield from _serials(moment)
    yield from _quantity(moment, event, asked)
    lacks = lacking(event.issued_by)
    if lacks:
        yield moment.found(ISSUER, fact("coupons.issuer_lacks", lacks=lacks_of(lacks)))
    elif not supervises(event.issued_by, FINANCE):
        yield moment.found(ISSUER, fact("coupons.not_issued_by_finance"))


def _serials(moment: Moment) -> Iterator[Raised]:
    known = moment.ledger.coupons
    never = [serial for serial in moment.coupons if serial not in known]
    if never:
        message = fact("coupons.issued_never_received")
        yield moment.found(SERIALS, message, serials=never, cites=("603a.20(h)(1)", "603a.20(f)(3)"))
    out = [
        serial
        for serial in moment.coupons
        if serial in known and known[serial].place in ("marketing", "patron") and not known[serial].voided_on
    ]
    if out:
        yield moment.found(SERIALS, fact("coupons.issued_before"), serials=out)


def _quantity(moment: Moment, event: Issued, asked: Asked | None) -> Iterator[Raised]:
    """Hold the quantity against the serial numbers, and both figures against the requisition."""
    known = moment.ledger.coupons
    whole = len(moment.coupons)
    good = sum(serial not in known or known[serial].voided_on is None for serial in moment.coupons)
    cents = {moment.ledger.denomination(serial) for serial in moment.coupons} - {None}
    wanted = asked.denomination if asked is not None else None
    if not event.quantity or not event.denomination_cents:
        yield moment.found(QUANTITY, fact("coupons.issue_lacks_quantity"))
    elif event.quantity not in (good, whole):
        message = fact("coupons.numbers_differ", numbers=whole, coupons=event.quantity)
        yield moment.found(QUANTITY, message, cites=("603a.20(h)(2)", "603a.20(h)(1)"))
    elif any(other not in (None, event.denomination_cents) for other in (wanted, *cents)):
        others = sorted({each for each in (wanted, *cents) if each is not None})
        message = fact(
            "coupons.issued_as",
            worth=Cents(event.denomination_cents),
            others=listed(*map(Cents, others)),
        )
        yield moment.found(QUANTITY, message, cites=("603a.20(h)(2)", "603a.20(g)(3)"))
    elif asked is not None and asked.quantity and asked.issued + good > asked.quantity:
        message = fact("coupons.issued_beyond", issued=asked.issued + good, requisitioned=asked.quantity)
        yield moment.found(QUANTITY, message, cites=("603a.20(h)(2)", "603a.20(g)(3)"))
