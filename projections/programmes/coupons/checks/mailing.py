"""Was what a provider mails listed, marked and checked as it must be? 603a.20(q)(2)-(7)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from projections.programmes.coupons.ledger import fault_of
from schemas.coupon_log import Counted, Mailed, Played

_LIST: Final = "Something that stands on the list for the provider but is not in the log."

PATRON: Final = Duty(
    "mailed_name_missing",
    severity="procedure",
    asks="Does the list for the provider have the patron's name?",
    false_positives=_LIST,
    cites=("603a.20(q)(2)(i)",),
)
ADDRESS: Final = Duty(
    "mailed_address_missing",
    severity="procedure",
    asks="Does the list for the provider have the patron's address?",
    false_positives=_LIST,
    cites=("603a.20(q)(2)(ii)",),
)
DENOMINATION: Final = Duty(
    "mailed_denomination_missing",
    severity="procedure",
    asks="Does the list for the provider have the coupon's denomination?",
    false_positives=_LIST,
    cites=("603a.20(q)(2)(iii)",),
)
EXPIRY: Final = Duty(
    "mailed_expiry_missing",
    severity="procedure",
    asks="Does the list for the provider have the coupon's expiration date?",
    false_positives=_LIST,
    cites=("603a.20(q)(2)(iv)",),
)
SERIAL: Final = Duty(
    "mailed_serials_wrong",
    severity="procedure",
    asks="Does the list for the provider have one serial number for the coupon?",
    false_positives=_LIST,
    cites=("603a.20(q)(2)(v)",),
)
CODE: Final = Duty(
    "mailed_code_missing",
    severity="procedure",
    asks="Has the coupon a magnetic strip or bar code by which the computer knows it?",
    false_positives=_LIST,
    cites=("603a.20(q)(3)",),
)
FINANCE_LIST: Final = Duty(
    "mailed_not_listed_to_finance",
    severity="procedure",
    asks="Was finance given the list for its reconciliation?",
    false_positives="A list that was given but is not in the log.",
    cites=("603a.20(q)(4)",),
)
VERIFIED: Final = Duty(
    "mailed_expiry_not_verified",
    severity="procedure",
    asks="Did the dealer verify before redeeming that the mailed coupon has not expired?",
    false_positives="A dealer who looked at the date although the log does not say so.",
    cites=("603a.20(q)(5)",),
)
CANCELLED: Final = Duty(
    "mailed_not_cancelled",
    severity="money",
    asks="Was the mailed coupon cancelled in the computer at its redemption or at the count?",
    false_positives="A cancellation that the computer has but the log has not.",
    cites=("603a.20(q)(6)",),
)
EXCLUDED: Final = Duty(
    "mailed_to_excluded",
    severity="grave",
    asks="Was it made sure that the patron is on no list of excluded persons?",
    false_positives="Another person of that name, or a list that was checked but not noted.",
    cites=("603a.20(q)(7)",),
)
KINDS: Final = (
    PATRON,
    ADDRESS,
    DENOMINATION,
    EXPIRY,
    SERIAL,
    CODE,
    FINANCE_LIST,
    VERIFIED,
    CANCELLED,
    EXCLUDED,
)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise what a mailed coupon lacks when it is mailed, played and counted."""
    event = moment.event
    if isinstance(event, Mailed):
        yield from _listed(moment, event)
    elif isinstance(event, Played) and not event.expiry_verified:
        unverified = [serial for serial in _mailed(moment) if not _is_over(moment, serial)]
        if unverified:
            message = fact("coupons.expiry_not_verified")
            yield moment.found(VERIFIED, message, serials=unverified, patron=event.patron, table=event.table)
    elif isinstance(event, Counted) and not event.electronically_cancelled:
        coupons = moment.ledger.coupons
        left = [serial for serial in _mailed(moment) if coupons[serial].cancelled_on is None]
        if left:
            message = fact("coupons.counted_not_cancelled")
            yield moment.found(CANCELLED, message, serials=left, table=event.table)


def _listed(moment: Moment, event: Mailed) -> Iterator[Raised]:
    lacks = (
        (PATRON, event.patron is None, fact("coupons.mailed_to_nobody")),
        (ADDRESS, not event.address, fact("coupons.list_lacks", what="address")),
        (DENOMINATION, not event.denomination_cents, fact("coupons.list_lacks", what="denomination")),
        (EXPIRY, event.expires is None, fact("coupons.list_lacks", what="expiry")),
        (SERIAL, len(moment.coupons) != 1, fact("coupons.numbers_for_one", numbers=len(moment.coupons))),
        (CODE, not event.machine_code, fact("coupons.no_machine_code")),
        (FINANCE_LIST, not event.listed_to_finance, fact("coupons.list_not_given")),
    )
    for duty, is_lacking, message in lacks:
        if is_lacking:
            yield moment.found(duty, message, patron=event.patron)
    if event.excluded is not False:
        message = fact("coupons.mailed_to_excluded") if event.excluded else fact("coupons.mailed_unchecked")
        yield moment.found(EXCLUDED, message, patron=event.patron)


def _mailed(moment: Moment) -> list[str]:
    """Return those of the event's coupons that a provider mailed."""
    ledger = moment.ledger
    found = []
    for serial in moment.coupons:
        coupon = ledger.coupons.get(serial)
        lot = ledger.lot_of(coupon) if coupon is not None else None
        if lot is not None and lot.mailed:
            found.append(serial)
    return found


def _is_over(moment: Moment, serial: str) -> bool:
    """Return True if the coupon may not be redeemed anyway, which is said by name."""
    return fault_of(moment.ledger, serial, moment.day, moment.settings) is not None
