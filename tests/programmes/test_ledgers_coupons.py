"""Coupons over tables, ledger and count room: one day of them, worked by hand, and what each mistake brings.

Ten coupons of $10 come in, two go to patrons; one wins at BAC-1 and the other loses at BAC-2. Both are in the
boxes in the morning and cancelled with the day's reconciliation.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Any, Final

import msgspec
import pytest

from projections.engine.conclusion import Conclusion, Expected, Line
from projections.engine.observation import Paid, Round, Wager
from projections.programmes.ledgers.entries import order_entries
from projections.programmes.ledgers.reconciliation import Carried, reconcile
from projections.programmes.ledgers.tables import TableBox, TableDay, coupons_at_tables, coupons_dropped
from schemas import coupon_log as log
from schemas import ledgers as l
from schemas.house import House
from tests.ledger_day import DAY, HOUSE, NEXT, SECURITY, at, micros

KEPT: Final = msgspec.structs.replace(
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
LATER: Final = NEXT + timedelta(days=1)
SPOT: Final = (3, None, "player", None)


def entered(event: str, hour: int, minute: int = 0, **fields: Any) -> tuple[int, Any]:
    """Give an entry of the coupons' ledger, at a moment of the day."""
    when = at(hour, minute)
    told = {"event": event, "at": when.isoformat()} | fields
    return micros(when), msgspec.convert(told, log.CouponEvent)


PROGRAMME: Final = [
    entered("approved", 6, what="design"),
    entered("approved", 6, what="controls"),
    entered(
        "received", 7, date="2025-03-03", denomination_cents=1000, quantity=10, invoice_quantity=10,
        first="M-01", last="M-10", source="provider", expires="2025-03-31", games=["631a"],
        content=["name", "value", "serial", "restrictions", "expiry", "area"],
        examined_by=[FINANCE, MARKETING], recorded_by=FINANCE, stored_secured=True,
    ),
    entered(
        "requisitioned", 8, requisition="R-1", date="2025-03-03", needed_for="2025-03-03",
        denomination_cents=1000, quantity=2, prepared_by=MARKETING, authorized_by=FINANCE,
    ),
    entered(
        "issued", 9, requisition="R-1", recorded_at=at(8, 55).isoformat(), denomination_cents=1000,
        quantity=2, first="M-01", last="M-02", issued_by=FINANCE,
    ),
    entered("distributed", 10, serial="M-01", patron="Anna", by_department="marketing"),
    entered("distributed", 10, serial="M-02", patron="Bela", by_department="marketing"),
    entered(
        "day_closed", 29, date="2025-03-03",
        form={
            "date": "2025-03-03", "received": 2, "to_distribute": 2, "distributed": 2, "remaining": 0,
            "voided": 0, "variations": [], "by": MARKETING,
        },
    ),
]  # fmt: skip
AFTER: Final = [
    entered("cancelled", 34, first="M-01", last="M-02"),
    entered(
        "reconciled", 36, **{"for": "2025-03-03"}, given=2, returned=0, voided=0, distributed=2, redeemed=2,
        signatures_reviewed=True,
    ),
]  # fmt: skip


def round_(number: str, table: str, minute: int, serial: str, gain: int | None, **changed: Any) -> Round:
    """Give a round with one coupon of $10 under $25 at seat 3, and what its wager brought."""
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


WON: Final = round_("7", "BAC-1", 0, "M-01", 3500)
LOST: Final = round_("9", "BAC-2", 5, "M-02", -2500)


def tell(*rounds: Round, owed: int | None = None) -> list[log.Played | log.Settled]:
    expected = [Expected(seat=3, wager="player", cents=owed, vigorish_cents=0)]
    return [told for seen in rounds for told in coupons_at_tables(seen, expected, "631a")]


def account(table: str, box: str, *coupons: str, minute: int = 6) -> Conclusion:
    """Give a table's account: its box, and the coupons that went into it."""
    dropped = [Line(name="box_coupon", of=each, box=box, at=micros(at(20, minute))) for each in coupons]
    return Conclusion(
        table=table, account="inventory", gaming_date=DAY, chapter="465a", verdict="clean", outcome=None,
        expected=(), findings=(), notes=(),
        lines=(Line(name="listing_closing", of=f"T-{table}"), Line(name="box", of=box, cents=0), *dropped),
    )  # fmt: skip


class Day:
    """What tables, count room and ledger told of one day; everything is as it must be."""

    def __init__(self) -> None:
        self.rounds = [WON, LOST]
        self.boxes: dict[tuple[str, str], list[str]] = {
            ("BAC-1", "B-1"): ["M-01"],
            ("BAC-2", "B-2"): ["M-02"],
        }
        self.found: dict[str, list[str]] = {"B-1": ["M-01"], "B-2": ["M-02"]}
        self.programme = list(PROGRAMME)
        self.house = KEPT

    def ledgers(self) -> dict[l.Ledger, Any]:
        """Give the count room's and the programme's ledgers."""
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
            "count_room": order_entries("count_room", counted, KEPT),
            "coupons": order_entries("coupons", entries, KEPT),
        }

    def concluded(self, unreported: Collection[str] = ()) -> list[Conclusion]:
        """Reconcile the day and the next, on which nothing is played."""
        carried = Carried()
        accounts = [account(table, box, *coupons) for (table, box), coupons in self.boxes.items()]
        first = reconcile(
            DAY,
            self.ledgers(),
            accounts,
            self.house,
            carried,
            played=tell(*self.rounds),
            unreported=unreported,
        )
        carried = msgspec.json.decode(msgspec.json.encode(carried), type=Carried)
        return [*first, *reconcile(NEXT, self.ledgers(), [], self.house, carried)]

    def raised(self) -> list[tuple[str, str, str, str]]:
        """Give each finding's account, check, weight and coupon."""
        return [
            (str(one.account), each.check, each.weight, str(each.serial))
            for one in self.concluded()
            for each in one.findings
        ]


def test_a_day_on_which_all_is_done_is_clean_and_so_is_the_next() -> None:
    assert Day().raised() == []


def test_the_day_s_lines_say_how_many_and_how_much() -> None:
    (coupons,) = [each for each in Day().concluded() if (each.account, each.gaming_date) == ("coupons", DAY)]
    assert (coupons.table, coupons.chapter, coupons.verdict) == ("coupons", "603a", "clean")
    assert [(each.name, each.of, each.count, each.cents) for each in coupons.lines] == [
        ("received", None, 10, 10_000),
        ("issued", None, 2, 2_000),
        ("distributed", None, 2, 2_000),
        ("played", None, 2, 2_000),
        ("dropped", None, 2, 2_000),
        ("counted", None, 2, 2_000),
        ("voided", None, 0, 0),
        ("returned", None, 0, 0),
        ("cancelled", None, 0, 0),
        ("outstanding", None, 0, 0),
        ("redeemed_in_quarter", "1000", None, 2_000),
    ]


def test_603a_21_e_a_coupon_that_is_not_dropped_is_found() -> None:
    day = Day()
    day.boxes["BAC-1", "B-1"], day.found["B-1"] = [], []
    assert day.raised() == [("coupons", "coupon_not_dropped", "mismatch", "M-01")]


def test_603a_21_e_a_coupon_dropped_without_play_is_found() -> None:
    day = Day()
    day.rounds = [WON]
    assert day.raised() == [("coupons", "dropped_without_play", "mismatch", "M-02")]


def test_a_coupon_played_twice_is_found() -> None:
    day = Day()
    day.rounds = [WON, LOST, round_("12", "BAC-2", 30, "M-01", -2500)]
    assert day.raised() == [("coupons", "coupon_reused", "mismatch", "M-01")]


def test_a_coupon_that_the_ledger_does_not_know_is_found() -> None:
    day = Day()
    day.rounds = [WON, LOST, round_("12", "BAC-2", 30, "M-77", -2500)]
    assert day.raised() == [("coupons", "coupon_unknown", "mismatch", "M-77")]


def test_603a_20_m_1_a_coupon_that_is_not_in_its_box_is_found_at_once() -> None:
    day = Day()
    day.found["B-2"] = []
    assert day.raised() == [("drop", "box_coupon_missing", "mismatch", "M-02")]


def test_a_coupon_is_not_missed_in_a_box_that_may_have_been_changed_unseen() -> None:
    day = Day()
    day.found["B-2"] = []
    (found,) = [each for one in day.concluded({"BAC-2": ["T 88"]}) for each in one.findings]
    assert (found.check, found.weight, found.serial) == ("box_coupon_missing", "undetermined", "M-02")
    elsewhere = [each for one in day.concluded({"BAC-1": ["T 88"]}) for each in one.findings]
    assert ("box_coupon_missing", "mismatch") in [(each.check, each.weight) for each in elsewhere]


def test_a_coupon_in_a_box_into_which_it_did_not_go_is_the_coupons_question() -> None:
    day = Day()
    day.found["B-2"] = ["M-02", "M-05"]
    assert day.raised() == [("coupons", "counted_without_play", "mismatch", "M-05")]


@pytest.mark.parametrize(("lost", "weight"), [(False, "mismatch"), (True, "undetermined")])
def test_603a_20_j_a_form_is_asked_for_when_its_day_is_over_whatever_else_happens(
    *, lost: bool, weight: str
) -> None:
    """A form that was made out and did not arrive leaves it open, also on a day that is whole itself."""
    day = Day()
    ledgers = day.ledgers()
    entries = [each for listed in ledgers["coupons"].days.values() for each in listed]
    told: list[Any] = [
        each
        for each in entries
        if not (isinstance(each, l.CouponEntered) and isinstance(each.entry, log.DayClosed))
    ]
    last = len(entries) + 1
    told.append(l.LedgerClosed(device="MP-1", epoch=1, seq=last, at=micros(at(77)), date=LATER))
    if not lost:
        told = [msgspec.structs.replace(each, seq=n) for n, each in enumerate(told, 1)]
    ledgers["coupons"] = order_entries("coupons", told, KEPT)
    carried = Carried()
    accounts = [account(table, box, *coupons) for (table, box), coupons in day.boxes.items()]
    reconcile(DAY, ledgers, accounts, KEPT, carried, played=tell(*day.rounds))
    reconcile(NEXT, ledgers, [], KEPT, carried)
    carried = msgspec.json.decode(msgspec.json.encode(carried), type=Carried)
    said = [each for each in reconcile(LATER, ledgers, [], KEPT, carried) if each.account == "coupons"]
    assert [(one.check, one.weight, one.day) for each in said for one in each.findings] == [
        ("form_missing", weight, DAY)
    ]


def test_603a_20_m_3_what_was_redeemed_hangs_on_every_table() -> None:
    """A round with a coupon did not arrive: that finance found one more is no mismatch, on the next day."""
    day = Day()
    day.rounds, day.boxes["BAC-2", "B-2"], day.found["B-2"] = [WON], [], []
    for unreported, weight in ((), "mismatch"), (("BAC-2",), "undetermined"):
        said = [one for each in day.concluded(unreported) for one in each.findings]
        wrong = [one for one in said if one.check == "reconciliation_wrong"]
        assert [(one.weight, one.day) for one in wrong] == [(weight, DAY)]


def test_what_a_table_may_not_have_told_of_its_coupons_is_left_open() -> None:
    day = Day()
    day.rounds = [WON]
    weights = {
        each.weight
        for one in day.concluded({"BAC-2": ["round 9 was not reported"]})
        for each in one.findings
        if each.check == "dropped_without_play"
    }
    assert weights == {"undetermined"}


# ── what rounds and accounts tell ────────────────────────────────────────────────────────────────────


def test_a_round_tells_of_its_coupon_what_a_reader_sees_and_takes_the_rest_as_done() -> None:
    played, settled = tell(WON)
    assert isinstance(played, log.Played)
    assert isinstance(settled, log.Settled)
    assert (played.serial, played.table, played.round, played.chapter) == ("M-01", "BAC-1", "7", "631a")
    assert (played.seat, played.patron, played.wager) == (3, None, "player")
    assert (played.value_cents, played.chips_cents, played.on_coupon_cents) == (1000, 2500, 1000)
    unseen = (played.underneath, played.visible, played.in_betting_area, played.against_house)
    assert (*unseen, played.expiry_verified, played.by) == (True, True, True, True, True, "dealer")
    assert (settled.serial, settled.round, settled.result) == ("M-01", "7", "win")
    assert played.at == settled.at == at(20)


@pytest.mark.parametrize(
    ("seen", "owed", "result"),
    [
        (WON, None, "win"),
        (LOST, None, "lose"),
        (round_("1", "BAC-1", 0, "M-01", 0), None, "tie"),
        (round_("1", "BAC-1", 0, "M-01", 3500, void=True), None, "tie"),
        (round_("1", "BAC-1", 0, "M-01", 0, paid=None), 3500, "win"),
        (round_("1", "BAC-1", 0, "M-01", 0, paid=None), None, None),
    ],
)
def test_a_wager_ended_as_it_was_paid_else_as_it_was_owed(
    seen: Round, owed: int | None, result: str | None
) -> None:
    results = [each.result for each in tell(seen, owed=owed) if isinstance(each, log.Settled)]
    assert results == ([] if result is None else [result])


def test_a_wager_without_a_coupon_is_not_told_of() -> None:
    assert tell(round_("1", "BAC-1", 0, "M-01", 3500, wagers={SPOT: Wager(2500)})) == []


def drops(
    played: list[log.Played | log.Settled], *coupons: tuple[str, int | None]
) -> list[tuple[str, str, object]]:
    """Give what is told of drops at BAC-1: the event, its coupon, and its result or its moment."""
    day = TableDay("BAC-1", boxes=[TableBox("B-1", coupons=list(coupons))])
    told = coupons_dropped(played, [day], at(29, 59))
    return [
        ("settled", str(each.serial), each.result)
        if isinstance(each, log.Settled)
        else ("dropped", str(each.serial), each.at.astimezone(at(0).tzinfo).strftime("%H:%M"))
        for each in told
    ]


def when(minute: int) -> int:
    return micros(at(20) + timedelta(minutes=minute))


def test_a_drop_belongs_to_the_play_before_it() -> None:
    again = round_("8", "BAC-1", 10, "M-01", -2500)
    assert drops(tell(WON, again), ("M-01", when(1)), ("M-01", when(11))) == [
        ("dropped", "M-01", "20:00"),
        ("dropped", "M-01", "20:10"),
    ]


def test_a_coupon_that_tied_is_dropped_with_its_later_play() -> None:
    tied, later = round_("7", "BAC-1", 0, "M-01", 0), round_("8", "BAC-1", 10, "M-01", 3500)
    assert drops(tell(tied, later), ("M-01", when(11))) == [("dropped", "M-01", "20:10")]


def test_a_coupon_that_tied_may_be_dropped_with_its_round_and_not_long_after() -> None:
    tied = round_("7", "BAC-1", 0, "M-01", 0)
    assert drops(tell(tied), ("M-01", when(2))) == [("dropped", "M-01", "20:00")]
    assert drops(tell(tied), ("M-01", when(23))) == [("dropped", "M-01", "20:23")]


def test_of_a_play_whose_end_is_not_known_the_drop_says_that_it_was_settled() -> None:
    unknown = round_("7", "BAC-1", 0, "M-01", 0, paid=None)
    assert drops(tell(unknown), ("M-01", when(1))) == [
        ("settled", "M-01", None),
        ("dropped", "M-01", "20:00"),
    ]
    assert drops(tell(unknown)) == [("settled", "M-01", "tie")]


def test_what_was_never_played_is_told_where_it_was_dropped_or_at_the_day_s_end() -> None:
    assert drops([], ("M-01", when(3))) == [("dropped", "M-01", "20:03")]
    assert drops([], ("M-01", None)) == [("dropped", "M-01", "05:59")]


def test_a_house_that_keeps_no_coupons_is_not_asked() -> None:
    day = Day()
    day.house = House(house="none", tables=HOUSE.tables, ledgers={"count_room": ["CR-1"]})
    day.found["B-2"] = []
    assert day.raised() == []
