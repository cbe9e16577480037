"""Gaming day of coupons at tables, in the count room and in their ledger."""

from collections.abc import Collection
from typing import Any, Final

import msgspec

from projections.engine.conclusion import Conclusion, Expected, Line
from projections.engine.observation import Key, Paid, Round, Wager
from projections.programmes.ledgers.entries import order_entries
from projections.programmes.ledgers.reconciliation import Carried, reconcile
from projections.programmes.ledgers.tables import coupons_at_tables
from schemas import coupon_log as log
from schemas import ledgers as l
from tests.builders.ledger_day import DAY, HOUSE, NEXT, SECURITY, at, micros

COUPON_HOUSE: Final = msgspec.structs.replace(
    HOUSE, ledgers={"count_room": ["CR-1"], "coupons": ["MP-1"]}
)  # fmt: skip


FINANCE: Final = {
    "name": "Fred",
    "signature": True,
    "credential": "C-1",
    "department": "finance",
    "supervisor": True,
}


MARKETING: Final = FINANCE | {"name": "Mary", "department": "marketing"}


SPOT: Final = Key(3, None, "player", None)


def coupon_entry(event: str, hour: int, minute: int = 0, **fields: Any) -> tuple[int, Any]:
    """Return an entry of the coupons' ledger, at a moment of the day."""
    when = at(hour, minute)
    told = {"event": event, "at": when.isoformat()} | fields
    return micros(when), msgspec.convert(told, log.CouponEvent)


PROGRAMME: Final = [
    coupon_entry("approved", 6, what="design"),
    coupon_entry("approved", 6, what="controls"),
    coupon_entry(
        "received", 7, date="2025-03-03", denomination_cents=1000, quantity=10, invoice_quantity=10,
        first="M-01", last="M-10", source="provider", expires="2025-03-31", games=["631a"],
        content=["name", "value", "serial", "restrictions", "expiry", "area"],
        examined_by=[FINANCE, MARKETING], recorded_by=FINANCE, stored_secured=True,
    ),
    coupon_entry(
        "requisitioned", 8, requisition="R-1", date="2025-03-03", needed_for="2025-03-03",
        denomination_cents=1000, quantity=2, prepared_by=MARKETING, authorized_by=FINANCE,
    ),
    coupon_entry(
        "issued", 9, requisition="R-1", recorded_at=at(8, 55).isoformat(), denomination_cents=1000,
        quantity=2, first="M-01", last="M-02", issued_by=FINANCE,
    ),
    coupon_entry("distributed", 10, serial="M-01", patron="Anna", by_department="marketing"),
    coupon_entry("distributed", 10, serial="M-02", patron="Bela", by_department="marketing"),
    coupon_entry(
        "day_closed", 29, date="2025-03-03",
        form={
            "date": "2025-03-03", "received": 2, "to_distribute": 2, "distributed": 2, "remaining": 0,
            "voided": 0, "variations": [], "by": MARKETING,
        },
    ),
]  # fmt: skip


AFTER: Final = [
    coupon_entry("cancelled", 34, first="M-01", last="M-02"),
    coupon_entry(
        "reconciled", 36, **{"for": "2025-03-03"}, given=2, returned=0, voided=0, distributed=2, redeemed=2,
        signatures_reviewed=True,
    ),
]  # fmt: skip


def build_coupon_round(
    number: str, table: str, minute: int, serial: str, gain: int | None, **changed: Any
) -> Round:
    """Return a round with one coupon of $10 under $25 at seat 3, and what its wager brought."""
    seen = Round(
        table=table,
        number=number,
        day=DAY,
        at=micros(at(20, minute)),
        wagers={SPOT: Wager(2500, 1000, serial)},
        paid={} if gain == 0 else {SPOT: Paid(gain or 0)},
    )
    for name, value in changed.items():
        setattr(seen, name, value)
    return seen


WON: Final = build_coupon_round("7", "BAC-1", 0, "M-01", 3500)


LOST: Final = build_coupon_round("9", "BAC-2", 5, "M-02", -2500)


def coupons_of_rounds(*rounds: Round, owed: int | None = None) -> list[log.Played | log.Settled]:
    expected = [Expected(seat=3, wager="player", cents=owed, vigorish_cents=0)]
    return [told for seen in rounds for told in coupons_at_tables(seen, expected, "631a")]


def account_with_coupons(table: str, box: str, *coupons: str, minute: int = 6) -> Conclusion:
    """Return a table's account: its box, and the coupons that went into it."""
    dropped = [Line(name="box_coupon", of=each, box=box, at=micros(at(20, minute))) for each in coupons]
    return Conclusion(
        table=table, account="inventory", gaming_date=DAY, chapter="465a", verdict="clean", outcome=None,
        expected=(), findings=(), notes=(),
        lines=(Line(name="listing_closing", of=f"T-{table}"), Line(name="box", of=box, cents=0), *dropped),
    )  # fmt: skip


class CouponDay:
    """Reports of tables, count room and ledger of one day; everything is as it must be."""

    def __init__(self) -> None:
        self.rounds = [WON, LOST]
        self.boxes: dict[tuple[str, str], list[str]] = {
            ("BAC-1", "B-1"): ["M-01"],
            ("BAC-2", "B-2"): ["M-02"],
        }
        self.found: dict[str, list[str]] = {"B-1": ["M-01"], "B-2": ["M-02"]}
        self.programme = list(PROGRAMME)
        self.house = COUPON_HOUSE

    def ledgers(self) -> dict[l.Ledger, Any]:
        """Return the count room's and the programme's ledgers."""
        entries: list[Any] = []
        steps: list[tuple[int, Any, dict[str, Any]]] = []
        for table, box in self.boxes:
            steps += [
                (micros(at(29)), l.BoxReceived, {"box": box, "table": table, "by": SECURITY}),
                (micros(at(31)), l.BoxEmptied, {"box": box, "shown": True}),
                (
                    micros(at(32)),
                    l.BoxCounted,
                    {"box": box, "table": table, "cash": {}, "coupons": tuple(self.found[box])},
                ),
            ]
        steps.append((micros(at(33)), l.LedgerClosed, {"date": DAY}))
        steps.append((micros(at(57)), l.LedgerClosed, {"date": NEXT}))
        steps.sort(key=lambda step: step[0])
        counted = [
            kind(device="CR-1", epoch=1, seq=n, at=when, **told)
            for n, (when, kind, told) in enumerate(steps, 1)
        ]
        said = [*self.programme, *AFTER]
        for n, (when, event) in enumerate(sorted(said, key=lambda each: each[0]), 1):
            entries.append(l.CouponEntered(device="MP-1", epoch=1, seq=n, at=when, entry=event))
        last = len(entries)
        for n, day in ((1, DAY), (2, NEXT)):
            when = micros(at(29 + 24 * (n - 1) + 1))
            entries.append(l.LedgerClosed(device="MP-1", epoch=1, seq=last + n, at=when, date=day))
        return {
            "count_room": order_entries("count_room", counted, COUPON_HOUSE),
            "coupons": order_entries("coupons", entries, COUPON_HOUSE),
        }

    def concluded(self, unreported: Collection[str] = ()) -> list[Conclusion]:
        """Reconcile the day and the next, on which nothing is played."""
        carried = Carried()
        accounts = [
            account_with_coupons(table, box, *coupons) for (table, box), coupons in self.boxes.items()
        ]
        first = reconcile(
            DAY,
            self.ledgers(),
            accounts,
            self.house,
            carried,
            played=coupons_of_rounds(*self.rounds),
            unreported=unreported,
        )
        carried = msgspec.json.decode(msgspec.json.encode(carried), type=Carried)
        return [*first, *reconcile(NEXT, self.ledgers(), [], self.house, carried)]

    def raised(self) -> list[tuple[str, str, str, str]]:
        """Return each finding's account, check, weight and coupon."""
        return [
            (str(one.account), each.check, each.weight, str(each.serial))
            for one in self.concluded()
            for each in one.findings
        ]
