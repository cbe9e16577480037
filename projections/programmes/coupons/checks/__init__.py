"""The checks of the coupon programme: one question a function, all of them listed here.

A check looks at one moment, an event with the ledger as it was before, and raises what it finds; it never
fails and never writes. `CHECKS` are asked at every moment, `KINDS` are all their names.
"""

from collections.abc import Callable, Iterable
from typing import Final

from projections.engine.findings import Raised
from projections.programmes.coupons.checks import counting, distribution, form_and_reports, redemption, stock
from projections.programmes.coupons.event_context import Duty, EventContext

CHECKS: Final[tuple[Callable[[EventContext], Iterable[Raised]], ...]] = (
    stock.check_approval,  # 603a.20(b), (p), (q)
    distribution.check_content,  # (c), (q)(1)
    stock.check_receipt,  # (e), (f), (i)
    stock.check_requisition,  # (g)
    stock.check_issue,  # (h)
    distribution.check_distribution,  # (d)
    counting.check_void,  # (h)(4), (j)(6), (l)(4)
    form_and_reports.check_form,  # (j)
    distribution.check_leftover,  # (k)
    stock.check_returned,  # (l)
    counting.check_counting,  # (m)(1), (2), (4)
    form_and_reports.check_reconciliation,  # (m)(2), (3)
    stock.check_inventory,  # (n)
    form_and_reports.check_report,  # (o)
    distribution.check_mailing,  # (q)(2)-(7)
    redemption.check_redeemable,  # (c)(4), (c)(5), (m)(3), (q)(5)
    redemption.check_play,  # 603a.21(a)-(d)
    redemption.check_dropping,  # (e)
    counting.check_retention,  # 465a.6(c)(2)
)

KINDS: Final[tuple[Duty, ...]] = (
    *stock.APPROVAL_KINDS,
    *distribution.CONTENT_KINDS,
    *stock.RECEIPT_KINDS,
    *stock.REQUISITION_KINDS,
    *stock.ISSUE_KINDS,
    *distribution.DISTRIBUTION_KINDS,
    *counting.VOID_KINDS,
    *form_and_reports.FORM_KINDS,
    *distribution.LEFTOVER_KINDS,
    *stock.RETURNED_KINDS,
    *counting.COUNTING_KINDS,
    *form_and_reports.RECONCILIATION_KINDS,
    *stock.INVENTORY_KINDS,
    *form_and_reports.REPORT_KINDS,
    *distribution.MAILING_KINDS,
    *redemption.REDEEMABLE_KINDS,
    *redemption.PLAY_KINDS,
    *redemption.DROPPING_KINDS,
    *counting.RETENTION_KINDS,
)
