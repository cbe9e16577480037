"""Was what is used approved before? 603a.20(b), (p), (q)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Word, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from schemas.coupon_log import Distributed, Issued, Mailed, Played, Received

_APPROVAL: Final = "An approval that was given but is not in the log."

DESIGN: Final = Duty(
    "coupon_design_not_approved",
    severity="procedure",
    asks="Was the coupons' design approved before the first was issued or used?",
    false_positives=_APPROVAL,
    cites=("603a.20(b)(1)",),
)
CONTROLS: Final = Duty(
    "coupon_controls_not_approved",
    severity="procedure",
    asks="Were the internal controls of the programme approved before the first coupon was issued or used?",
    false_positives=_APPROVAL,
    cites=("603a.20(b)(2)",),
)
PRODUCTION: Final = Duty(
    "coupon_production_not_approved",
    severity="procedure",
    asks="Were the controls of printing in the house approved before coupons came from it?",
    false_positives=_APPROVAL,
    cites=("603a.20(p)",),
)
MAILING: Final = Duty(
    "coupon_mailing_not_approved",
    severity="procedure",
    asks="Was mailing by a provider approved in the internal controls before the first coupon was mailed?",
    false_positives=_APPROVAL,
    cites=("603a.20(q)",),
)
KINDS: Final = (DESIGN, CONTROLS, PRODUCTION, MAILING)

_FOR_ALL: Final = {"design": DESIGN, "controls": CONTROLS}


def check(moment: Moment) -> Iterator[Raised]:
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
