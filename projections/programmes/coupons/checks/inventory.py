"""Were the coupons that are not distributed counted each month, and are they all there? 603a.20(n)."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Final

from projections.engine.facts import Cents, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from projections.programmes.coupons.expected_papers import month_ends
from projections.programmes.coupons.ledger import Coupon
from schemas.coupon_log import Inventoried

MISSING: Final = Duty(
    "inventory_missing",
    severity="procedure",
    asks="Were the coupons that are not distributed counted in every calendar month?",
    false_positives="An inventory that is not in the log.",
    cites=("603a.20(n)",),
)
WRONG: Final = Duty(
    "inventory_wrong",
    severity="money",
    asks="Were as many coupons counted as the ledger has?",
    false_positives="A receipt, issue or return that is not in the log.",
    cites=("603a.20(n)",),
)
RECORDED: Final = Duty(
    "inventory_not_in_ledger",
    severity="procedure",
    asks="Was the result of the inventory recorded in the ledger?",
    false_positives="An entry of the ledger that is not in the log.",
    cites=("603a.20(n)",),
)
KINDS: Final = (MISSING, WRONG, RECORDED)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise months without an inventory, and inventories that differ from the ledger."""
    yield from _months(moment)
    event = moment.event
    if not isinstance(event, Inventoried):
        return
    if not event.in_ledger:
        yield moment.found(RECORDED, fact("coupons.inventory_not_recorded"))
    counted = +Counter(event.counted or {})
    admitted = [_stock(moment, cancelled=cancelled) for cancelled in (True, False)]
    if any(0 in there for there in admitted):  # cents that the ledger lacks, which is said of the receipt
        agrees = counted.total() in {there.total() for there in admitted}
    else:
        agrees = counted in admitted
    if not agrees:
        there = admitted[0]
        differ = sorted(cents for cents in counted | there if counted[cents] != there[cents])
        told = (
            fact("coupons.inventory_of", worth=Cents(cents), counted=counted[cents], ledger=there[cents])
            for cents in differ
        )
        yield moment.found(WRONG, fact("coupons.inventory_differs", differing=listed(*told)))


def _months(moment: Moment) -> Iterator[Raised]:
    """Raise the months that are over since the last event, if there was something to count in them."""
    ledger = moment.ledger
    if ledger.today is None or moment.today <= ledger.today:
        return
    for end in month_ends(ledger.today, moment.today):
        if f"{end:%Y-%m}" not in ledger.inventories and _has_stock(moment, end):
            none = fact("coupons.no_inventory", month=f"{end:%Y-%m}")
            yield moment.found(MISSING, none, serials=(), day=end)


def _has_stock(moment: Moment, day: date) -> bool:
    ledger = moment.ledger
    return any(
        _is_stock(moment, each) and (lot := ledger.lot_of(each)) is not None and lot.received <= day
        for each in ledger.coupons.values()
    )


def _is_stock(moment: Moment, coupon: Coupon) -> bool:
    """Return True if a coupon is one that no patron was given."""
    here = coupon.place in ("finance", "marketing")
    return here and (coupon.voided_on is None or moment.settings.voided_in_inventory)


def _stock(moment: Moment, *, cancelled: bool) -> Counter[int]:
    """Count what the ledger has by cents, with those that were cancelled or without."""
    ledger = moment.ledger
    there: Counter[int] = Counter()
    for each in ledger.coupons.values():
        lot = ledger.lot_of(each)
        if lot is not None and _is_stock(moment, each) and (cancelled or each.cancelled_on is None):
            there[lot.denomination or 0] += 1
    return there
