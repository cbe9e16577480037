"""State of the fold over the coupon programme: every coupon and the programme's papers.

It can be written and read by msgspec at any time, so that a day goes on where the day before ended. A
coupon's life is its place and a few dates; what a whole lot has in common stands once, in its lot.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from schemas.house import CouponSettings

# Where a coupon is. Marketing holds what it was issued until it gives it to a patron or back.
Place: TypeAlias = Literal["finance", "marketing", "patron", "table", "box", "count_room", "destroyed"]

# Why a coupon may not be redeemed.
Fault: TypeAlias = Literal["unknown", "void", "reused", "not_distributed", "expired"]

UNKNOWN: Final = -1  # the lot of a coupon that was never received nor mailed


class Lot(Struct):
    """Batch: coupons that came together; `mailed` by a provider straight to a patron."""

    received: date
    denomination: int | None = None
    expires: date | None = None
    games: list[str] = []
    mailed: bool = False


class CouponPlay(Struct):
    """Last play of a coupon: where, and what happened to the wager."""

    table: str | None
    round: str | None
    day: date
    value: int | None = None
    result: Literal["win", "lose", "tie"] | None = None
    settled_at: datetime | None = None


class Coupon(Struct):
    """Coupon of one serial number. `improper` is true if its last redemption was not allowed."""

    lot: int
    place: Place
    improper: bool = False
    needed_for: date | None = None
    on_form: date | None = None
    kept_on: date | None = None
    returned_on: date | None = None
    voided_on: date | None = None
    voided_in: Place | None = None
    cancelled_on: date | None = None
    counted_on: date | None = None
    redeemed_on: date | None = None
    play: CouponPlay | None = None
    dropped_at: datetime | None = None
    dropped_on: date | None = None
    dropped_table: str | None = None
    drop_box: str | None = None

    @property
    def held_until(self) -> date:
        """Return the gaming day at whose end marketing is to return it or keep it, 603a.20(k)."""
        if self.kept_on is not None:
            return self.kept_on + timedelta(days=1)
        return self.needed_for or date.max


class Requisition(Struct):
    """A requisition, and how many coupons were issued on it."""

    denomination: int | None
    quantity: int | None
    needed_for: date | None
    issued: int = 0


class PendingCoupons(Struct):
    """Coupons of a gaming day that await reconciliation; the longer names are parts of the shorter.

    `voided_issued` are those that finance had issued to marketing and that were not back.
    """

    given: int = 0
    returned: int = 0
    returned_expired: int = 0
    returned_void: int = 0
    voided: int = 0
    voided_issued: int = 0
    distributed: int = 0
    presumed_distributed: int = 0
    mailed: int = 0
    redeemed: int = 0
    redeemed_improperly: int = 0

    @property
    def awaits(self) -> bool:
        """Return True if there is something to reconcile."""
        marketing = self.given or self.returned or self.voided_issued
        return bool(marketing or self.distributed or self.redeemed)


class LeftoverCoupons(Struct):
    """Release of a coupon by marketing: how and when; `presumed` if it was only played later."""

    how: Literal["distributed", "voided", "returned"]
    day: date
    presumed: bool = False


class Redeemed(Struct):
    """Redemptions of a quarter, cents of one coupon to cents in all; and the improper part."""

    cents: dict[int, int] = {}
    improperly: dict[int, int] = {}


class CouponLedger(Struct):
    """The whole programme.

    `left` is what left marketing since its last form. `voids` is which coupons marketing voided after it had
    handed them out, and when, until they are on a form. `awaiting_drop` is when the wager over a coupon was
    settled that is not yet in a drop box, `rounds` how many coupons a person played in a round of today.
    `due` is the day of the last reconciliation and the day on which it was made; duties were checked up to
    `settled_until`. `forms_due` are the days for which marketing owes its form, and whether only because
    coupons were kept for them. `reported_forms` are the existing ones, with the ways to count what was at
    hand. `overdue` is the last day that was raised because nobody reconciled it in time.
    """

    coupons: dict[str, Coupon] = {}
    lots: list[Lot] = []
    approvals: list[str] = []
    used: bool = False
    mailed: bool = False
    refused: bool = False
    today: date | None = None
    requisitions: dict[str, Requisition] = {}
    tallies: dict[date, PendingCoupons] = {}
    left: dict[str, LeftoverCoupons] = {}
    voids: dict[str, date] = {}
    reported_forms: dict[date, list[int]] = {}
    forms_due: dict[date, bool] = {}
    due: tuple[date, date] | None = None
    settled_until: date | None = None
    overdue: date | None = None
    awaiting_drop: dict[str, datetime] = {}
    rounds: dict[str, int] = field(default_factory=dict)
    inventories: list[str] = []
    redeemed: dict[str, Redeemed] = {}
    reported: list[str] = []

    def lot_of(self, coupon: Coupon) -> Lot | None:
        """Return the lot of a coupon; None if it is not the programme's own."""
        return None if coupon.lot == UNKNOWN else self.lots[coupon.lot]

    def coupons_at(self, place: Place) -> Iterator[tuple[str, Coupon]]:
        """Return the coupons at a place that are not void, with their numbers."""
        return (
            (serial, each)
            for serial, each in self.coupons.items()
            if each.place == place and each.voided_on is None
        )

    def tally(self, day: date) -> PendingCoupons:
        """Return what awaits reconciliation for a gaming day, to be added to."""
        return self.tallies.setdefault(day, PendingCoupons())

    def unsettled(self) -> set[date]:
        """Return the gaming days that await reconciliation, or marketing's form."""
        return {day for day, tally in self.tallies.items() if tally.awaits} | self.forms_due.keys()

    def denomination(self, serial: str) -> int | None:
        """Return a coupon's cents, where the ledger has them."""
        coupon = self.coupons.get(serial)
        lot = self.lot_of(coupon) if coupon is not None else None
        return lot.denomination if lot is not None else None


def fault_of(ledger: CouponLedger, serial: str, day: date, settings: CouponSettings) -> Fault | None:
    """Return why a coupon may not be redeemed on a day, if it may not."""
    coupon = ledger.coupons.get(serial)
    if coupon is None:
        return "unknown"
    if coupon.lot == UNKNOWN:
        return None  # raised when it first appeared
    if coupon.voided_on is not None:
        return "void"
    if coupon.redeemed_on is not None or coupon.place in ("table", "box", "count_room", "destroyed"):
        return "reused"
    if coupon.place != "patron":
        return "not_distributed"
    return "expired" if has_expired(ledger.lot_of(coupon), day, settings) else None


def has_expired(lot: Lot | None, day: date, settings: CouponSettings) -> bool:
    """Return True if coupons of a lot are no longer good on a day."""
    if lot is None or lot.expires is None:
        return False
    return day > lot.expires if settings.good_through_expiry else day >= lot.expires
