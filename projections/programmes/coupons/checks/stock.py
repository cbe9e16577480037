"""Did finance have coupons as it must: approved, received, asked for, issued, counted, given back?"""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Final

from projections.engine.facts import Cents, SerialRef, Word, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import (
    FINANCE,
    Duty,
    EventContext,
    is_of,
    lacking,
    lacks_of,
    supervises,
)
from projections.programmes.coupons.expected_papers import month_ends
from projections.programmes.coupons.ledger import Coupon, Requisition
from schemas.coupon_log import (
    Distributed,
    Inventoried,
    Issued,
    Mailed,
    Played,
    Received,
    Requisitioned,
    Returned,
)

# ── Was what is used approved before? 603a.20(b), (p), (q) ────────────────────────────────────────────

_APPROVAL: Final = "An approval that was given but is not in the log."

DESIGN: Final = Duty(
    "coupon_design_not_approved",
    severity="medium",
    asks="Was the coupons' design approved before the first was issued or used?",
    false_positives=_APPROVAL,
    cites=("603a.20(b)(1)",),
)
CONTROLS: Final = Duty(
    "coupon_controls_not_approved",
    severity="medium",
    asks="Were the internal controls of the programme approved before the first coupon was issued or used?",
    false_positives=_APPROVAL,
    cites=("603a.20(b)(2)",),
)
PRODUCTION: Final = Duty(
    "coupon_production_not_approved",
    severity="medium",
    asks="Were the controls of printing in the house approved before coupons came from it?",
    false_positives=_APPROVAL,
    cites=("603a.20(p)",),
)
MAILING: Final = Duty(
    "coupon_mailing_not_approved",
    severity="medium",
    asks="Was mailing by a provider approved in the internal controls before the first coupon was mailed?",
    false_positives=_APPROVAL,
    cites=("603a.20(q)",),
)
APPROVAL_KINDS: Final = (DESIGN, CONTROLS, PRODUCTION, MAILING)

_FOR_ALL: Final = {"design": DESIGN, "controls": CONTROLS}


def check_approval(moment: EventContext) -> Iterator[Raised]:
    """Raise the first use of coupons without an approval, and each lot printed in the house without one."""
    event, ledger = moment.event, moment.ledger
    approved = ledger.approvals
    if isinstance(event, Received) and event.source == "produced" and "production" not in approved:
        yield moment.found(PRODUCTION, fact("coupons.produced_unapproved"))
    if isinstance(event, Mailed) and not ledger.mailed and "mailing" not in approved:
        yield moment.found(MAILING, fact("coupons.mailed_unapproved"), patron=event.patron)
    if isinstance(event, Issued | Distributed | Mailed | Played) and not ledger.used:
        for what, duty in _FOR_ALL.items():
            if what not in approved:
                mailed = ("603a.20(q)(1)",) if isinstance(event, Mailed) else ()
                unapproved = fact("coupons.used_unapproved", what=Word(what))
                yield moment.found(duty, unapproved, cites=mailed)


# ── Were coupons that came in examined, recorded and locked away? 603a.20(e), (f), (i) ────────────────

_LEDGER: Final = "An entry of the ledger that was made but is not in the log."

EXAMINED: Final = Duty(
    "receipt_not_examined_by_both",
    severity="medium",
    asks="Did someone of finance and someone of marketing open and examine the coupons?",
    false_positives=_LEDGER,
    cites=("603a.20(e)",),
)
DEVIATION: Final = Duty(
    "receipt_deviation_not_reported",
    severity="by_amount",
    asks="Was what differs from the invoice reported to finance and to the Bureau?",
    false_positives="A report that was made but is not in the log.",
    cites=("603a.20(e)",),
)
RECORDED: Final = Duty(
    "receipt_not_recorded_by_finance",
    severity="medium",
    asks="Did a supervisor of finance record the receipt in the ledger?",
    false_positives=_LEDGER,
    cites=("603a.20(f)",),
)
DATE: Final = Duty(
    "receipt_date_missing",
    severity="medium",
    asks="Does the ledger have the date of receipt?",
    false_positives=_LEDGER,
    cites=("603a.20(f)(1)",),
)
QUANTITY: Final = Duty(
    "receipt_quantity_missing",
    severity="medium",
    asks="Does the ledger have the quantity and denomination received?",
    false_positives=_LEDGER,
    cites=("603a.20(f)(2)",),
)
SERIALS: Final = Duty(
    "receipt_serials_wrong",
    severity="by_amount",
    asks="Are there as many serial numbers in the ledger as coupons were received?",
    false_positives="A quantity that counts sheets or books instead of coupons.",
    cites=("603a.20(f)(3)", "603a.20(f)(2)"),
)
CHECKERS: Final = Duty(
    "receipt_checkers_missing",
    severity="medium",
    asks="Does the ledger have name, signature and credential number of those who checked the coupons?",
    false_positives=_LEDGER,
    cites=("603a.20(f)(4)",),
)
SECURED: Final = Duty(
    "coupons_not_secured",
    severity="medium",
    asks="Were the coupons that are not issued locked away where the Bureau approved it?",
    false_positives="A store that was locked although the log does not say so.",
    cites=("603a.20(i)",),
)
RECEIPT_KINDS: Final = (EXAMINED, DEVIATION, RECORDED, DATE, QUANTITY, SERIALS, CHECKERS, SECURED)

_NOTIFIED: Final = ("finance", "bureau")


def check_receipt(moment: EventContext) -> Iterator[Raised]:
    """Raise what the receipt of a lot lacks."""
    event = moment.event
    if isinstance(event, Received):
        yield from _examination(moment, event)
        yield from _record(moment, event)
        if not event.stored_secured:
            yield moment.found(SECURED, fact("coupons.not_stored_secured"))


def _examination(moment: EventContext, event: Received) -> Iterator[Raised]:
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
        reported_to = {each.lower() for each in event.reported_to or ()}
        missing = [each for each in _NOTIFIED if not any(each in name for name in reported_to)]
        if missing:
            message = fact(
                "coupons.invoice_differs",
                came=event.quantity or len(moment.coupons),
                invoice=event.invoice_quantity,
                untold=listed(*map(Word, missing)),
            )
            yield moment.found(DEVIATION, message)


def _record(moment: EventContext, event: Received) -> Iterator[Raised]:
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


# ── Did marketing ask for coupons as it must? 603a.20(g) ──────────────────────────────────────────────

_PAPER: Final = "Something that stands on the requisition but is not in the log."

SUPERVISOR: Final = Duty(
    "requisition_not_by_marketing",
    severity="medium",
    asks="Did a supervisor of marketing complete the requisition?",
    false_positives=_PAPER,
    cites=("603a.20(g)", "603a.20(g)(4)"),
)
REQUISITION_DATE: Final = Duty(
    "requisition_date_missing",
    severity="medium",
    asks="Does the requisition say when it was prepared?",
    false_positives=_PAPER,
    cites=("603a.20(g)(1)",),
)
NEEDED: Final = Duty(
    "requisition_day_missing",
    severity="medium",
    asks="Does the requisition say for which date the coupons are needed?",
    false_positives=_PAPER,
    cites=("603a.20(g)(2)",),
)
REQUISITION_QUANTITY: Final = Duty(
    "requisition_quantity_missing",
    severity="medium",
    asks="Does the requisition say which denomination and how many?",
    false_positives=_PAPER,
    cites=("603a.20(g)(3)",),
)
PREPARER: Final = Duty(
    "requisition_preparer_missing",
    severity="medium",
    asks="Does the requisition have name, signature and credential number of who completed it?",
    false_positives=_PAPER,
    cites=("603a.20(g)(4)",),
)
AUTHORIZER: Final = Duty(
    "requisition_authorizer_missing",
    severity="medium",
    asks="Does the requisition have name, signature and credential number of finance's supervisor?",
    false_positives=_PAPER,
    cites=("603a.20(g)(5)",),
)
REQUISITION_KINDS: Final = (SUPERVISOR, REQUISITION_DATE, NEEDED, REQUISITION_QUANTITY, PREPARER, AUTHORIZER)


def check_requisition(moment: EventContext) -> Iterator[Raised]:
    """Raise what a requisition lacks."""
    event = moment.event
    if not isinstance(event, Requisitioned):
        return
    of = SerialRef(str(event.requisition)) if event.requisition is not None else None
    if event.date is None:
        yield moment.found(
            REQUISITION_DATE, fact("coupons.requisition_lacks", requisition=of, what="prepared")
        )
    if event.needed_for is None:
        yield moment.found(NEEDED, fact("coupons.requisition_lacks", requisition=of, what="needed"))
    if not event.denomination_cents or not event.quantity:
        yield moment.found(
            REQUISITION_QUANTITY, fact("coupons.requisition_lacks", requisition=of, what="quantity")
        )
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


# ── Did finance issue coupons as it must? 603a.20(h) ──────────────────────────────────────────────────

_ISSUE_LEDGER: Final = "An entry of the ledger, or a requisition, that is not in the log."

UNREQUISITIONED: Final = Duty(
    "issue_without_requisition",
    severity="medium",
    asks="Had finance a requisition before it issued coupons?",
    false_positives=_ISSUE_LEDGER,
    cites=("603a.20(h)", "603a.20(g)"),
)
RECORD: Final = Duty(
    "issue_before_record",
    severity="medium",
    asks="Did finance record the issue in the ledger before it issued the coupons?",
    false_positives="Clocks of two systems that lie apart.",
    cites=("603a.20(h)",),
)
ISSUE_SERIALS: Final = Duty(
    "issue_serials_wrong",
    severity="by_amount",
    asks="Were the coupons issued in finance's hands, each once?",
    false_positives="A receipt or a return that is not in the log.",
    cites=("603a.20(h)(1)",),
)
ISSUE_QUANTITY: Final = Duty(
    "issue_quantity_wrong",
    severity="by_amount",
    asks="Does the ledger have the quantity and denomination issued, as requisitioned?",
    false_positives=_ISSUE_LEDGER,
    cites=("603a.20(h)(2)",),
)
ISSUER: Final = Duty(
    "issue_supervisor_missing",
    severity="medium",
    asks="Does the ledger have name, signature and credential number of finance's supervisor who issued?",
    false_positives=_ISSUE_LEDGER,
    cites=("603a.20(h)(3)",),
)
ISSUE_KINDS: Final = (UNREQUISITIONED, RECORD, ISSUE_SERIALS, ISSUE_QUANTITY, ISSUER)


def check_issue(moment: EventContext) -> Iterator[Raised]:
    """Raise what an issue lacks."""
    event = moment.event
    if not isinstance(event, Issued):
        return
    requisition = moment.ledger.requisitions.get(str(event.requisition))
    if requisition is None:
        yield moment.found(UNREQUISITIONED, fact("coupons.issued_without_requisition"))
    if event.recorded_at is None:
        yield moment.found(RECORD, fact("coupons.issue_not_recorded"))
    elif event.recorded_at > event.at:
        late = int((event.recorded_at - event.at).total_seconds())
        yield moment.found(RECORD, fact("coupons.issue_recorded_late", seconds=late))
    yield from _serials(moment)
    yield from _quantity(moment, event, requisition)
    lacks = lacking(event.issued_by)
    if lacks:
        yield moment.found(ISSUER, fact("coupons.issuer_lacks", lacks=lacks_of(lacks)))
    elif not supervises(event.issued_by, FINANCE):
        yield moment.found(ISSUER, fact("coupons.not_issued_by_finance"))


def _serials(moment: EventContext) -> Iterator[Raised]:
    coupons = moment.ledger.coupons
    never = [serial for serial in moment.coupons if serial not in coupons]
    if never:
        message = fact("coupons.issued_never_received")
        yield moment.found(ISSUE_SERIALS, message, serials=never, cites=("603a.20(h)(1)", "603a.20(f)(3)"))
    out = [
        serial
        for serial in moment.coupons
        if serial in coupons
        and coupons[serial].place in ("marketing", "patron")
        and not coupons[serial].voided_on
    ]
    if out:
        yield moment.found(ISSUE_SERIALS, fact("coupons.issued_before"), serials=out)


def _quantity(moment: EventContext, event: Issued, requisition: Requisition | None) -> Iterator[Raised]:
    """Compare the quantity with the serial numbers, and both figures with the requisition."""
    coupons = moment.ledger.coupons
    issued = len(moment.coupons)
    good = sum(serial not in coupons or coupons[serial].voided_on is None for serial in moment.coupons)
    cents = {moment.ledger.denomination(serial) for serial in moment.coupons} - {None}
    wanted = requisition.denomination if requisition is not None else None
    if not event.quantity or not event.denomination_cents:
        yield moment.found(ISSUE_QUANTITY, fact("coupons.issue_lacks_quantity"))
    elif event.quantity not in (good, issued):
        message = fact("coupons.numbers_differ", numbers=issued, coupons=event.quantity)
        yield moment.found(ISSUE_QUANTITY, message, cites=("603a.20(h)(2)", "603a.20(h)(1)"))
    elif any(other not in (None, event.denomination_cents) for other in (wanted, *cents)):
        others = sorted({each for each in (wanted, *cents) if each is not None})
        message = fact(
            "coupons.issued_as",
            worth=Cents(event.denomination_cents),
            others=listed(*map(Cents, others)),
        )
        yield moment.found(ISSUE_QUANTITY, message, cites=("603a.20(h)(2)", "603a.20(g)(3)"))
    elif (
        requisition is not None and requisition.quantity and requisition.issued + good > requisition.quantity
    ):
        message = fact(
            "coupons.issued_beyond", issued=requisition.issued + good, requisitioned=requisition.quantity
        )
        yield moment.found(ISSUE_QUANTITY, message, cites=("603a.20(h)(2)", "603a.20(g)(3)"))


# ── Were the coupons that are not distributed counted each month, and are they all there? 603a.20(n) ────

MISSING: Final = Duty(
    "inventory_missing",
    severity="medium",
    asks="Were the coupons that are not distributed counted in every calendar month?",
    false_positives="An inventory that is not in the log.",
    cites=("603a.20(n)",),
)
WRONG: Final = Duty(
    "inventory_wrong",
    severity="by_amount",
    asks="Were as many coupons counted as the ledger has?",
    false_positives="A receipt, issue or return that is not in the log.",
    cites=("603a.20(n)",),
)
INVENTORY_RECORDED: Final = Duty(
    "inventory_not_in_ledger",
    severity="medium",
    asks="Was the result of the inventory recorded in the ledger?",
    false_positives="An entry of the ledger that is not in the log.",
    cites=("603a.20(n)",),
)
INVENTORY_KINDS: Final = (MISSING, WRONG, INVENTORY_RECORDED)


def check_inventory(moment: EventContext) -> Iterator[Raised]:
    """Raise months without an inventory, and inventories that differ from the ledger."""
    yield from _months(moment)
    event = moment.event
    if not isinstance(event, Inventoried):
        return
    if not event.in_ledger:
        yield moment.found(INVENTORY_RECORDED, fact("coupons.inventory_not_recorded"))
    counted = +Counter(event.counted or {})
    admitted = [_stock(moment, cancelled=cancelled) for cancelled in (True, False)]
    if any(
        0 in ledger_stock for ledger_stock in admitted
    ):  # cents missing in the ledger are raised at the receipt
        agrees = counted.total() in {ledger_stock.total() for ledger_stock in admitted}
    else:
        agrees = counted in admitted
    if not agrees:
        ledger_stock = admitted[0]
        differ = sorted(cents for cents in counted | ledger_stock if counted[cents] != ledger_stock[cents])
        reported = (
            fact(
                "coupons.inventory_of", worth=Cents(cents), counted=counted[cents], ledger=ledger_stock[cents]
            )
            for cents in differ
        )
        yield moment.found(WRONG, fact("coupons.inventory_differs", differing=listed(*reported)))


def _months(moment: EventContext) -> Iterator[Raised]:
    """Raise the months that are over since the last event, if there was something to count in them."""
    ledger = moment.ledger
    if ledger.today is None or moment.today <= ledger.today:
        return
    for end in month_ends(ledger.today, moment.today):
        if f"{end:%Y-%m}" not in ledger.inventories and _has_stock(moment, end):
            none = fact("coupons.no_inventory", month=f"{end:%Y-%m}")
            yield moment.found(MISSING, none, serials=(), day=end)


def _has_stock(moment: EventContext, day: date) -> bool:
    ledger = moment.ledger
    return any(
        _is_stock(moment, each) and (lot := ledger.lot_of(each)) is not None and lot.received <= day
        for each in ledger.coupons.values()
    )


def _is_stock(moment: EventContext, coupon: Coupon) -> bool:
    """Return True if a coupon is one that no patron was given."""
    here = coupon.place in ("finance", "marketing")
    return here and (coupon.voided_on is None or moment.settings.voided_in_inventory)


def _stock(moment: EventContext, *, cancelled: bool) -> Counter[int]:
    """Count what the ledger has by cents, with those that were cancelled or without."""
    ledger = moment.ledger
    stock: Counter[int] = Counter()
    for each in ledger.coupons.values():
        lot = ledger.lot_of(each)
        if lot is not None and _is_stock(moment, each) and (cancelled or each.cancelled_on is None):
            stock[lot.denomination or 0] += 1
    return stock


# ── Did finance record what marketing gave back? 603a.20(l) ───────────────────────────────────────────

RETURNED_DATE: Final = Duty(
    "return_date_missing",
    severity="medium",
    asks="Does the ledger have the date of the return?",
    false_positives=_LEDGER,
    cites=("603a.20(l)(1)",),
)
RETURNED_SERIALS: Final = Duty(
    "return_serials_wrong",
    severity="by_amount",
    asks="Had marketing the coupons that it gave back?",
    false_positives="An issue that is not in the log, or a misread serial number.",
    cites=("603a.20(l)(2)",),
)
RETURNED_QUANTITY: Final = Duty(
    "return_quantity_wrong",
    severity="by_amount",
    asks="Does the ledger have as many coupons as were given back?",
    false_positives=_LEDGER,
    cites=("603a.20(l)(3)", "603a.20(l)(2)"),
)
SIGNERS: Final = Duty(
    "return_signers_missing",
    severity="medium",
    asks="Did supervisors of marketing and finance sign the return, with their credential numbers?",
    false_positives=_LEDGER,
    cites=("603a.20(l)(5)",),
)
RETURNED_KINDS: Final = (RETURNED_DATE, RETURNED_SERIALS, RETURNED_QUANTITY, SIGNERS)


def check_returned(moment: EventContext) -> Iterator[Raised]:
    """Raise what a return lacks."""
    event = moment.event
    if not isinstance(event, Returned):
        return
    if event.date is None:
        yield moment.found(RETURNED_DATE, fact("coupons.return_lacks_date"))
    coupons = moment.ledger.coupons
    strange = [
        serial
        for serial in moment.coupons
        if serial not in coupons or "marketing" not in (coupons[serial].place, coupons[serial].voided_in)
    ]
    if strange:
        yield moment.found(RETURNED_SERIALS, fact("coupons.returned_not_held"), serials=strange)
    void = sum(serial in coupons and coupons[serial].voided_on is not None for serial in moment.coupons)
    if event.quantity is None:
        yield moment.found(RETURNED_QUANTITY, fact("coupons.return_lacks_quantity"))
    elif event.quantity not in (len(moment.coupons), len(moment.coupons) - void):
        message = fact("coupons.returned_differ", numbers=len(moment.coupons), coupons=event.quantity)
        yield moment.found(RETURNED_QUANTITY, message)
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


KINDS: Final = (
    *APPROVAL_KINDS,
    *RECEIPT_KINDS,
    *REQUISITION_KINDS,
    *ISSUE_KINDS,
    *INVENTORY_KINDS,
    *RETURNED_KINDS,
)
