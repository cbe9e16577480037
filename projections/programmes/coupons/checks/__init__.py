"""The checks of the coupon programme: one subject a file, all of them listed here.

A check looks at one moment, an event with the ledger as it was before, and raises what it finds; it never
fails and never writes. `CHECKS` are asked at every moment, `KINDS` are all their names.
"""

from collections.abc import Callable, Iterable
from typing import Final

from projections.engine.findings import Raised
from projections.programmes.coupons.checks import (
    approval,
    content,
    counting,
    distribution,
    dropping,
    form,
    inventory,
    issue,
    leftover,
    mailing,
    play,
    receipt,
    reconciliation,
    redeemable,
    report,
    requisition,
    retention,
    returned,
    void,
)
from projections.programmes.coupons.checks import form as form_kinds
from projections.programmes.coupons.event_context import Duty, Moment

CHECKS: Final[tuple[Callable[[Moment], Iterable[Raised]], ...]] = (
    approval.check,  # 603a.20(b), (p), (q)
    content.check,  # (c), (q)(1)
    receipt.check,  # (e), (f), (i)
    requisition.check,  # (g)
    issue.check,  # (h)
    distribution.check,  # (d)
    void.check,  # (h)(4), (j)(6), (l)(4)
    form.check,  # (j)
    leftover.check,  # (k)
    returned.check,  # (l)
    counting.check,  # (m)(1), (2), (4)
    reconciliation.check,  # (m)(2), (3)
    inventory.check,  # (n)
    report.check,  # (o)
    mailing.check,  # (q)(2)-(7)
    redeemable.check,  # (c)(4), (c)(5), (m)(3), (q)(5)
    play.check,  # 603a.21(a)-(d)
    dropping.check,  # (e)
    retention.check,  # 465a.6(c)(2)
)

KINDS: Final[tuple[Duty, ...]] = (
    *approval.KINDS,
    *content.KINDS,
    *receipt.KINDS,
    *requisition.KINDS,
    *issue.KINDS,
    *distribution.KINDS,
    *void.KINDS,
    *form_kinds.KINDS,
    *leftover.KINDS,
    *returned.KINDS,
    *counting.KINDS,
    *reconciliation.KINDS,
    *inventory.KINDS,
    *report.KINDS,
    *mailing.KINDS,
    *redeemable.KINDS,
    *play.KINDS,
    *dropping.KINDS,
    *retention.KINDS,
)
