"""Is each voided coupon explained by the department that had it? 603a.20(h)(4), (j)(6), (l)(4)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment, is_among
from schemas.coupon_log import Voided

_REASON: Final = "A reason that stands on the paper but is not in the log."

IN_LEDGER: Final = Duty(
    "void_unexplained_by_finance",
    severity="money",
    asks="Does the ledger explain why finance voided the coupon?",
    false_positives=_REASON,
    cites=("603a.20(h)(4)",),
)
ON_FORM: Final = Duty(
    "void_unexplained_by_marketing",
    severity="money",
    asks="Does marketing's form say why the coupon was voided?",
    false_positives=_REASON,
    cites=("603a.20(j)(6)", "603a.20(l)(4)"),
)
AT_RETURN: Final = Duty(
    "void_unexplained_at_return",
    severity="money",
    asks="Does the ledger say why a coupon that came back was voided?",
    false_positives=_REASON,
    cites=("603a.20(l)(4)", "603a.20(h)(4)"),
)
KINDS: Final = (IN_LEDGER, ON_FORM, AT_RETURN)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise coupons that were voided without a reason."""
    event = moment.event
    if not isinstance(event, Voided) or event.reason:
        return
    coupons = moment.ledger.coupons
    by_marketing = is_among(event.by_department, moment.settings.marketing)
    for serial in moment.coupons:
        each = coupons.get(serial)
        in_marketing = each is not None and each.place == "marketing"
        if each is not None and each.returned_on is not None:
            duty = AT_RETURN
        else:
            duty = ON_FORM if by_marketing or in_marketing else IN_LEDGER
        yield moment.found(duty, fact("coupons.void_unexplained"), serials=[serial])
