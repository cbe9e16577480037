"""603a.20(m): finance reconciles each gaming day by the end of the next, and is asked where it does not."""

from datetime import date, timedelta
from typing import Any, Final

import msgspec
import pytest

from projections.programmes.ledgers.entries import OrderedLedger, order_entries
from projections.programmes.ledgers.reconciliation import Carried, reconcile
from schemas import ledgers as l
from tests.builders.coupon_day import (
    COUPON_HOUSE,
    PROGRAMME,
    CouponDay,
    account_with_coupons,
    coupon_entry,
    coupons_of_rounds,
)
from tests.builders.ledger_day import DAY, at, micros

NOT_RECONCILED: Final = ("reconciliation_missing", "mismatch", 0)
NOT_CANCELLED: Final = [("coupon_not_cancelled", "mismatch", 0), ("coupon_not_cancelled", "mismatch", 0)]
CANCELLED: Final = coupon_entry("cancelled", 34, first="M-01", last="M-02")
RECONCILED: Final[dict[str, Any]] = {
    "for": "2025-03-03",
    "given": 2,
    "returned": 0,
    "voided": 0,
    "distributed": 2,
    "redeemed": 2,
    "signatures_reviewed": True,
}


def reconciled(hour: int) -> tuple[int, Any]:
    """Return the reconciliation of the first day, so many hours after its midnight."""
    return coupon_entry("reconciled", hour, **RECONCILED)


def coupons(entries: list[tuple[int, Any]], days: int, *, open_on: int | None = None) -> OrderedLedger:
    """Return the programme's ledger, closed on each of so many days but one."""
    told: list[tuple[int, Any, dict[str, Any]]] = [
        (when, l.CouponEntered, {"entry": entry}) for when, entry in entries
    ]
    for number in range(days):
        if number != open_on:
            closed = {"date": DAY + timedelta(days=number)}
            told.append((micros(at(24 * number + 29, 59)), l.LedgerClosed, closed))
    told.sort(key=lambda each: each[0])
    return order_entries(
        "coupons",
        [
            kind(device="MP-1", epoch=1, seq=n, at=when, **says)
            for n, (when, kind, says) in enumerate(told, 1)
        ],
        COUPON_HOUSE,
    )


def asked(*after: tuple[int, Any], days: int = 5, open_on: int | None = None) -> list[list[tuple[Any, ...]]]:
    """Reconcile day after day, on the first of which coupons are played; what each raises, of which day."""
    day, carried, found = CouponDay(), Carried(), []
    ledgers = day.ledgers() | {"coupons": coupons([*PROGRAMME, *after], days, open_on=open_on)}
    for number in range(days):
        on = DAY + timedelta(days=number)
        first = number == 0
        accounts = (
            [account_with_coupons(table, box, *each) for (table, box), each in day.boxes.items()]
            if first
            else []
        )
        said = reconcile(
            on,
            ledgers,
            accounts,
            COUPON_HOUSE,
            carried,
            played=coupons_of_rounds(*day.rounds) if first else (),
        )
        carried = msgspec.json.decode(msgspec.json.encode(carried), type=Carried)
        found.append(
            [
                (each.check, each.weight, (each.day - DAY).days if isinstance(each.day, date) else None)
                for one in said
                for each in one.findings
                if one.account == "coupons" and each.check != "ledger_incomplete"
            ]
        )
    return found


def test_603a_20_m_finance_that_never_reconciles_is_asked_once_the_next_day_is_over() -> None:
    assert asked(CANCELLED) == [[], [], [NOT_RECONCILED], [], []]


def test_603a_20_m_what_was_to_be_done_by_then_is_asked_with_it() -> None:
    (raised,) = [each for each in asked() if each]
    assert sorted(raised) == [*NOT_CANCELLED, NOT_RECONCILED]


@pytest.mark.parametrize("hour", [30, 53])
def test_603a_20_m_a_day_that_is_reconciled_by_the_end_of_the_next_is_right(hour: int) -> None:
    cancelled = coupon_entry("cancelled", 30, first="M-01", last="M-02")
    assert asked(cancelled, reconciled(hour)) == [[], [], [], [], []]


def test_603a_20_m_a_reconciliation_that_comes_later_is_too_late_and_right_in_itself() -> None:
    assert asked(CANCELLED, reconciled(80)) == [[], [], [NOT_RECONCILED], [], []]


def test_603a_20_m_a_programme_that_is_no_longer_reconciled_after_its_first_day_is_asked_for_each_day() -> (
    None
):
    """Coupons go to patrons on the second and on the fourth day, with their forms."""
    later = [*handed_out("M-03", 34), *handed_out("M-04", 82)]
    found = asked(CANCELLED, reconciled(33), *later, days=7)
    missing = [[each[2] for each in raised if each[0] == "reconciliation_missing"] for raised in found]
    assert missing == [[], [], [], [1], [], [3], []]
    assert {each[0] for raised in found for each in raised} == {"reconciliation_missing"}


def handed_out(serial: str, hour: int) -> list[tuple[int, Any]]:
    """Requisition, issue and hand out one coupon, and close the gaming day with its form."""
    day = (at(hour) - timedelta(hours=6)).date().isoformat()
    marketing = PROGRAMME[-1][1].form.by
    finance = PROGRAMME[4][1].issued_by
    signed: dict[str, Any] = {"prepared_by": builtins(marketing), "authorized_by": builtins(finance)}
    asked_for: dict[str, Any] = {"requisition": f"R-{serial}", "denomination_cents": 1000, "quantity": 1}
    form = {
        "date": day, "received": 1, "to_distribute": 1, "distributed": 1, "remaining": 0, "voided": 0,
        "variations": [], "by": marketing,
    }  # fmt: skip
    return [
        coupon_entry("requisitioned", hour, **asked_for, date=day, needed_for=day, **signed),
        coupon_entry(
            "issued", hour, 10, **asked_for, serial=serial, recorded_at=at(hour, 5).isoformat(),
            issued_by=builtins(finance),
        ),
        coupon_entry("distributed", hour, 20, serial=serial, patron="Cora", by_department="marketing"),
        coupon_entry("day_closed", hour + 12, date=day, form=builtins(form)),
    ]  # fmt: skip


def builtins(value: Any) -> Any:
    return msgspec.to_builtins(value)


def test_603a_20_m_a_ledger_that_may_lack_the_reconciliation_leaves_it_open() -> None:
    found = asked(CANCELLED, open_on=1)
    assert found == [[], [], [("reconciliation_missing", "undetermined", 0)], [], []]


def test_603a_20_m_a_day_on_which_nothing_happens_needs_none() -> None:
    assert asked(CANCELLED, reconciled(36), days=9) == [[]] * 9
