"""Were coupons kept for six months before they were destroyed? 465a.6(c)(2)."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from projections.coupons.ledger import Coupon
from projections.coupons.moment import Duty, Moment
from projections.coupons.periods import months_after
from projections.hand.findings import Raised
from schemas.coupon_log import Destroyed
from schemas.law_text import chapter

EARLY: Final = Duty(
    "coupon_destroyed_early",
    severity="procedure",
    asks="Was the coupon kept as long as it must be before it was destroyed?",
    false_positives="A count, voiding or return that was earlier than the log has it.",
    cites=("465a.6(c)(2)",),
)
KINDS: Final = (EARLY,)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise coupons that were destroyed before their time."""
    if not isinstance(moment.event, Destroyed):
        return
    months = chapter("465a").numbers_on(moment.day)["coupons_kept_months"].value
    early: dict[date, list[str]] = {}
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        since = _since(moment, each) if each is not None else None
        if since is not None and moment.day < months_after(since, months):
            early.setdefault(months_after(since, months), []).append(serial)
    for until, serials in early.items():
        yield moment.found(EARLY, f"destroyed; to be kept until {until}", serials=serials)


def _since(moment: Moment, coupon: Coupon) -> date | None:
    """Say from when a coupon is to be kept; where nothing of that happened, from its last move."""
    dates = {"count": coupon.counted_on, "voiding": coupon.voided_on, "return": coupon.returned_on}
    began = [day for name in moment.settings.kept_from if (day := dates[name]) is not None]
    if began:
        return max(began)
    lot = moment.ledger.lot_of(coupon)
    return coupon.dropped_on or coupon.redeemed_on or (lot.received if lot is not None else None)
