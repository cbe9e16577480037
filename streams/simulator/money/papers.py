"""The papers of a coupon programme, in the coupon log's own words, each filled in as 603a.20 wants it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from msgspec import Struct

from schemas import coupon_log as log
from schemas.coupon_log import ReconciliationForm
from streams.simulator.games import SCRIPTS
from streams.simulator.money.people import signer

_BEARS: Final = ["name", "value", "serial", "restrictions", "expiry", "area"]
_SOON: Final = timedelta(seconds=15)


class Lot(Struct, frozen=True):
    """Coupons of one value: so many of them were received, and so many of these issued to marketing."""

    value: int
    serials: Sequence[str]
    issued: int
    expires: date


def receive_and_issue(day: date, at: datetime, lot: Lot) -> Iterator[log.CouponEvent]:
    """Receive a lot, and issue marketing what it asks for, within the minute."""
    yield log.Received(
        at=at,
        date=day,
        denomination_cents=lot.value,
        quantity=len(lot.serials),
        invoice_quantity=len(lot.serials),
        first=lot.serials[0],
        last=lot.serials[-1],
        source="provider",
        content=_BEARS,
        expires=lot.expires,
        games=list(SCRIPTS),
        examined_by=[signer("finance", supervisor=False), signer("marketing", supervisor=False)],
        recorded_by=signer("finance"),
        stored_secured=True,
    )
    requisition = f"MPR-{day}-{lot.value}"
    yield log.Requisitioned(
        at=at + _SOON,
        requisition=requisition,
        date=day,
        needed_for=day,
        denomination_cents=lot.value,
        quantity=lot.issued,
        prepared_by=signer("marketing"),
        authorized_by=signer("finance"),
    )
    yield log.Issued(
        at=at + 2 * _SOON,
        requisition=requisition,
        recorded_at=at + _SOON,
        denomination_cents=lot.value,
        quantity=lot.issued,
        first=lot.serials[0],
        last=lot.serials[lot.issued - 1],
        issued_by=signer("finance"),
    )


def distributed(at: datetime, serial: str, patron: str) -> log.CouponEvent:
    """Hand a coupon to a patron."""
    return log.Distributed(at=at, serial=serial, patron=patron, by_department="marketing")


def form(
    day: date, at: datetime, issued: Mapping[int, int], handed: Mapping[int, int], left: Mapping[int, int]
) -> log.CouponEvent:
    """Fill in marketing's form: how many coupons of each value came, were handed out, and are left."""
    return log.DayClosed(
        at=at,
        date=day,
        form=ReconciliationForm(
            date=day,
            received=_by_value(issued),
            to_distribute=_by_value(issued),
            distributed=_by_value(handed),
            remaining=_by_value(left),
            voided=[],
            variations=[],
            by=signer("marketing"),
        ),
    )


def returned(day: date, at: datetime, serials: Sequence[str]) -> log.CouponEvent:
    """Return coupons back to finance."""
    return log.Returned(
        at=at,
        date=day,
        serials=[*serials],
        quantity=len(serials),
        returned_by=signer("marketing"),
        received_by=signer("finance"),
    )


def reconciled(day: date, at: datetime, *, handed: int, back: int, redeemed: int) -> log.CouponEvent:
    """Reconcile a gaming day: how many coupons were handed out, came back, and were redeemed."""
    return log.Reconciled(
        at=at,
        day=day,
        given=handed + back,
        returned=back,
        voided=0,
        distributed=handed,
        redeemed=redeemed,
        signatures_reviewed=True,
    )


def _by_value(counts: Mapping[int, int]) -> dict[str, Any]:
    return {str(value): count for value, count in counts.items()}
