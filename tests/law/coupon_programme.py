"""A coupon programme of a few days in which everything is by 603a.20 and 603a.21, to be changed by tests.

Ten coupons of $10 come on 2013-10-01 and five are issued. Anna wins with 1001, Bela loses with 1002, Cora
ties with 1003; 1004 is torn and voided, 1005 goes back. All times are UTC, four hours ahead of the property.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from projections.programmes.coupons.coupon_audit import CouponConclusion, judge_case
from schemas import coupon_log, house
from schemas.house import CouponSettings

Happened = dict[str, Any]

DAY: Final = "2013-10-01"
CONTENT: Final = ["name", "value", "serial", "restrictions", "expiry", "area"]


def signer(department: str, *, supervisor: bool = True, **changed: Any) -> Happened:
    person = {"name": f"{department.title()} One", "signature": True, "credential": "C-1"}
    return person | {"department": department, "supervisor": supervisor} | changed


FINANCE: Final = signer("finance")
MARKETING: Final = signer("marketing")


def at(event: str, when: str, **fields: Any) -> Happened:
    return {"event": event, "at": f"{when}Z" if "T" in when else f"{when}T16:00:00Z", **fields}


RECEIVED: Final = at(
    "received",
    "2013-10-01T13:00:00",
    date=DAY,
    denomination_cents=1000,
    quantity=10,
    invoice_quantity=10,
    first="1001",
    last="1010",
    source="provider",
    content=CONTENT,
    expires="2013-10-31",
    games=["631a", "623a", "617a"],
    examined_by=[signer("finance", supervisor=False), signer("marketing", supervisor=False)],
    recorded_by=FINANCE,
    stored_secured=True,
)
APPROVED: Final = [
    at("approved", "2013-09-02", what="design"),
    at("approved", "2013-09-02", what="controls"),
]
REQUISITIONED: Final = at(
    "requisitioned",
    "2013-10-01T13:30:00",
    requisition="R-1",
    date=DAY,
    needed_for=DAY,
    denomination_cents=1000,
    quantity=5,
    prepared_by=MARKETING,
    authorized_by=FINANCE,
)
ISSUED: Final = at(
    "issued",
    "2013-10-01T14:00:00",
    requisition="R-1",
    recorded_at="2013-10-01T13:55:00Z",
    denomination_cents=1000,
    quantity=5,
    first="1001",
    last="1005",
    issued_by=FINANCE,
)


def given(serial: str, patron: str, when: str = "2013-10-01T15:00:00") -> Happened:
    return at("distributed", when, serial=serial, patron=patron, by_department="marketing")


def played(serial: str, patron: str, number: str, minute: int, **changed: Any) -> Happened:
    """Play a coupon of $10 under chips of $25 on Baccarat, at so many minutes past eight in the evening."""
    return (
        at(
            "played",
            f"2013-10-02T00:{minute:02d}:00",
            serial=serial,
            table="BAC-1",
            round=number,
            chapter="631a",
            seat=3,
            patron=patron,
            wager="player",
            value_cents=1000,
            chips_cents=2500,
            on_coupon_cents=1000,
            underneath=True,
            visible=True,
            in_betting_area=True,
            against_house=True,
            by="dealer",
            expiry_verified=True,
        )
        | changed
    )


def settled(serial: str, number: str, minute: int, result: str) -> Happened:
    when = f"2013-10-02T00:{minute:02d}:30"
    return at("settled", when, serial=serial, table="BAC-1", round=number, result=result)


def dropped(serial: str, minute: int, second: int = 40) -> Happened:
    when = f"2013-10-02T00:{minute:02d}:{second:02d}"
    return at("dropped", when, serial=serial, table="BAC-1", drop_box="B-1")


FORM: Final = {
    "date": DAY,
    "received": {"first": "1001", "last": "1005"},
    "to_distribute": {"1000": 5},
    "distributed": {"1000": 3},
    "remaining": [{"denomination_cents": 1000, "quantity": 1, "serials": ["1005"]}],
    "voided": [{"serial": "1004", "reason": "torn"}],
    "variations": [],
    "by": MARKETING,
}
RETURNED: Final = at(
    "returned",
    "2013-10-02T03:40:00",
    date=DAY,
    serials=["1005"],
    quantity=1,
    returned_by=MARKETING,
    received_by=FINANCE,
)
RECONCILED: Final = at(
    "reconciled",
    "2013-10-02T16:00:00",
    **{"for": DAY},
    given=5,
    returned=1,
    voided=1,
    distributed=3,
    redeemed=2,
    signatures_reviewed=True,
)


def counted(serial: str, **changed: Any) -> Happened:
    found = {"serial": serial, "table": "BAC-1", "drop_box": "B-1", "electronically_cancelled": True}
    return at("counted", "2013-10-02T14:00:00", **(found | changed))


def cancelled(*serials: str) -> Happened:
    return at("cancelled", "2013-10-02T15:00:00", serials=list(serials))


def programme() -> list[Happened]:
    """Script the gaming day of 2013-10-01 and its reconciliation, to the end of the log on the day after."""
    return [
        *APPROVED,
        RECEIVED,
        REQUISITIONED,
        ISSUED,
        given("1001", "anna"),
        given("1002", "bela"),
        given("1003", "cora"),
        at("voided", "2013-10-01T16:00:00", serial="1004", reason="torn", by_department="marketing"),
        played("1001", "anna", "1", 0),
        settled("1001", "1", 0, "win"),
        dropped("1001", 0),
        played("1002", "bela", "2", 2),
        settled("1002", "2", 2, "lose"),
        dropped("1002", 2),
        played("1003", "cora", "3", 4),
        settled("1003", "3", 4, "tie"),
        at("day_closed", "2013-10-02T03:30:00", date=DAY, form=FORM),
        RETURNED,
        counted("1001", electronically_cancelled=False),
        counted("1002", electronically_cancelled=False),
        cancelled("1001", "1002", "1004"),
        RECONCILED,
        at("closed", "2013-10-02T20:00:00"),
    ]


def life() -> list[Happened]:
    """Go on with the programme to the day on which six months are over, and the used coupons destroyed."""
    months = ("2013-10-31", "2013-11-30", "2013-12-31", "2014-01-31", "2014-02-28", "2014-03-31")
    return [
        *programme()[:-1],
        *(at("inventoried", day, counted={"1000": 6}, in_ledger=True) for day in months),
        at("quarterly_report", "2014-01-31T18:00:00", quarter="2013Q4", redeemed={"1000": 2000}),
        at("destroyed", "2014-04-02", serials=["1001", "1002", "1004"]),
        at("closed", "2014-04-02T20:00:00"),
    ]


MAILED: Final = at(
    "mailed",
    "2013-10-01T13:00:00",
    serial="M-7",
    patron="dora",
    address="1 Main Street",
    denomination_cents=2500,
    expires="2013-10-01",
    content=CONTENT,
    games=["631a"],
    machine_code="0123456789",
    listed_to_finance=True,
    excluded=False,
)


def mailing() -> list[Happened]:
    """Script one coupon of $25 that a provider mailed, played on the day on which it expires."""
    return [
        *APPROVED,
        at("approved", "2013-09-02", what="mailing"),
        MAILED,
        played("M-7", "dora", "1", 0, value_cents=2500),
        settled("M-7", "1", 0, "win"),
        dropped("M-7", 0),
        counted("M-7"),
        RECONCILED | {"given": 0, "returned": 0, "voided": 0, "distributed": 1, "redeemed": 1},
        at("closed", "2013-10-02T20:00:00"),
    ]


def keeping() -> list[Happened]:
    """Script 1005 as kept for the next gaming day, not returned, and then handed to Dora."""
    next_day = "2013-10-02"
    form = FORM | {
        "date": next_day,
        "received": [],
        "to_distribute": 1,
        "distributed": 1,
        "remaining": 0,
        "voided": [],
        "variations": "none",
    }
    told = {"for": next_day, "given": 1, "returned": 0, "voided": 0, "distributed": 1, "redeemed": 0}
    return [
        *(each for each in programme()[:-1] if each["event"] not in ("returned", "reconciled")),
        at("kept", "2013-10-02T03:40:00", serials=["1005"], secured=True, approved_area=True),
        RECONCILED | {"returned": 0},
        given("1005", "dora", "2013-10-02T18:00:00"),
        at("day_closed", "2013-10-03T03:30:00", date=next_day, form=form),
        RECONCILED | told | {"at": "2013-10-03T16:00:00Z"},
        at("closed", "2013-10-03T20:00:00"),
    ]


def judged(events: Sequence[Happened], **settings: Any) -> CouponConclusion:
    """Judge a log as the verb `audit` does, by the settings of a house where some are given."""
    case = coupon_log.read(msgspec.json.encode({"case": 1, "events": events}))
    own = msgspec.structs.replace(house.DEFAULT, coupons=CouponSettings(**settings))
    return judge_case(case, own)


def found(events: Sequence[Happened], **settings: Any) -> list[tuple[str, str, str | None]]:
    """Return check, first citation and serial number of each finding."""
    return [
        (each.check, each.citations[0], each.serial if isinstance(each.serial, str) else None)
        for each in judged(events, **settings).findings
    ]


def changed(
    events: Sequence[Happened], event: str, serial: str | None = None, **fields: Any
) -> list[Happened]:
    """Change fields of the first event of a sort, or of a serial number's; `...` takes a field out."""
    altered = list(events)
    n = next(n for n, each in enumerate(altered) if each["event"] == event and _is_of(each, serial))
    kept = {**altered[n], **fields}
    altered[n] = {name: value for name, value in kept.items() if value is not ...}
    return altered


def without(events: Sequence[Happened], event: str, serial: str | None = None) -> list[Happened]:
    """Remove the events of a kind, or those of a serial number."""
    return [each for each in events if each["event"] != event or not _is_of(each, serial)]


def _is_of(event: Happened, serial: str | None) -> bool:
    return serial is None or serial == event.get("serial") or serial in event.get("serials", ())
