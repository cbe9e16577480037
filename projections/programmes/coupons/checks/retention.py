"""Were coupons kept for six months before they were destroyed, and by finance? 465a.6(c)(2)."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from msgspec.structs import replace

from projections.engine.facts import fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from projections.programmes.coupons.expected_papers import months_after
from projections.programmes.coupons.ledger import UNKNOWN, Coupon
from schemas.coupon_log import Destroyed
from schemas.law_text import chapter

EARLY: Final = Duty(
    "coupon_destroyed_early",
    severity="procedure",
    asks="Was the coupon kept as long as it must be before it was destroyed?",
    false_positives="A count, voiding or return that was earlier than the log has it.",
    cites=("465a.6(c)(2)",),
)
NOT_HELD: Final = Duty(
    "coupon_destroyed_not_held",
    severity="data",
    asks="Was a coupon that was destroyed no more in a patron's hands?",
    false_positives="A coupon that came back, of which the log does not tell.",
    cites=("465a.6(c)(2)", "603a.20(m)"),
)
KINDS: Final = (EARLY, NOT_HELD)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise coupons that were destroyed before their time, and those that by the log a patron still has.

    No text forbids to destroy these; the log contradicts itself, so they are undetermined.
    """
    if not isinstance(moment.event, Destroyed):
        return
    months = chapter("465a").numbers_on(moment.day)["coupons_kept_months"].value
    early: dict[date, list[str]] = {}
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        since = _since(moment, each) if each is not None else None
        if since is not None and moment.day < months_after(since, months):
            early.setdefault(months_after(since, months), []).append(serial)
    known = moment.ledger.coupons
    held = [serial for serial in moment.coupons if serial in known and _is_held(known[serial])]
    if held:
        raised = moment.found(NOT_HELD, fact("coupons.destroyed_not_held"), serials=held)
        yield replace(raised, weight="undetermined")
    for until, serials in early.items():
        yield moment.found(EARLY, fact("coupons.destroyed_early", until=str(until)), serials=serials)


def _is_held(coupon: Coupon) -> bool:
    return coupon.place == "patron" and coupon.voided_on is None and coupon.lot != UNKNOWN


def _since(moment: Moment, coupon: Coupon) -> date | None:
    """Return from when a coupon is to be kept; where nothing of that happened, from its last move."""
    dates = {"count": coupon.counted_on, "voiding": coupon.voided_on, "return": coupon.returned_on}
    began = [day for name in moment.settings.kept_from if (day := dates[name]) is not None]
    if began:
        return max(began)
    lot = moment.ledger.lot_of(coupon)
    return coupon.dropped_on or coupon.redeemed_on or (lot.received if lot is not None else None)
