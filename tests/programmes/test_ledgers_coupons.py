"""Coupons over tables, ledger and count room: one day of them, worked by hand, and what each mistake brings.

Ten coupons of $10 come in, two go to patrons; one wins at BAC-1 and the other loses at BAC-2. Both are in the
boxes in the morning and cancelled with the day's reconciliation.
"""

from datetime import timedelta
from typing import Any, Final

import msgspec
import pytest

from projections.engine.observation import Round, Wager
from projections.programmes.ledgers.entries import order_entries
from projections.programmes.ledgers.reconciliation import Carried, reconcile
from projections.programmes.ledgers.tables import TableBox, TableDayAccount, coupons_dropped
from schemas import coupon_log as log
from schemas import ledgers as l
from schemas.house import House
from tests.builders.coupon_day import (
    COUPON_HOUSE,
    LOST,
    SPOT,
    WON,
    CouponDay,
    account_with_coupons,
    build_coupon_round,
    coupons_of_rounds,
)
from tests.builders.ledger_day import DAY, HOUSE, NEXT, at, micros

LATER: Final = NEXT + timedelta(days=1)


def test_a_day_on_which_all_is_done_is_clean_and_so_is_the_next() -> None:
    assert CouponDay().raised() == []


def test_the_day_s_lines_say_how_many_and_how_much() -> None:
    (coupons,) = [
        each for each in CouponDay().concluded() if (each.account, each.gaming_date) == ("coupons", DAY)
    ]
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
    day = CouponDay()
    day.boxes["BAC-1", "B-1"], day.found["B-1"] = [], []
    assert day.raised() == [("coupons", "coupon_not_dropped", "mismatch", "M-01")]


def test_603a_21_e_a_coupon_dropped_without_play_is_found() -> None:
    day = CouponDay()
    day.rounds = [WON]
    assert day.raised() == [("coupons", "dropped_without_play", "mismatch", "M-02")]


def test_a_coupon_played_twice_is_found() -> None:
    day = CouponDay()
    day.rounds = [WON, LOST, build_coupon_round("12", "BAC-2", 30, "M-01", -2500)]
    assert day.raised() == [("coupons", "coupon_reused", "mismatch", "M-01")]


def test_a_coupon_that_the_ledger_does_not_know_is_found() -> None:
    day = CouponDay()
    day.rounds = [WON, LOST, build_coupon_round("12", "BAC-2", 30, "M-77", -2500)]
    assert day.raised() == [("coupons", "coupon_unknown", "mismatch", "M-77")]


def test_603a_20_m_1_a_coupon_that_is_not_in_its_box_is_found_at_once() -> None:
    day = CouponDay()
    day.found["B-2"] = []
    assert day.raised() == [("drop", "box_coupon_missing", "mismatch", "M-02")]


def test_a_coupon_is_not_missed_in_a_box_that_may_have_been_changed_unseen() -> None:
    day = CouponDay()
    day.found["B-2"] = []
    (found,) = [each for one in day.concluded({"BAC-2": ["T 88"]}) for each in one.findings]
    assert (found.check, found.weight, found.serial) == ("box_coupon_missing", "undetermined", "M-02")
    elsewhere = [each for one in day.concluded({"BAC-1": ["T 88"]}) for each in one.findings]
    assert ("box_coupon_missing", "mismatch") in [(each.check, each.weight) for each in elsewhere]


def test_a_coupon_in_a_box_into_which_it_did_not_go_is_the_coupons_question() -> None:
    day = CouponDay()
    day.found["B-2"] = ["M-02", "M-05"]
    assert day.raised() == [("coupons", "counted_without_play", "mismatch", "M-05")]


@pytest.mark.parametrize(("lost", "weight"), [(False, "mismatch"), (True, "undetermined")])
def test_603a_20_j_a_form_is_asked_for_when_its_day_is_over_whatever_else_happens(
    *, lost: bool, weight: str
) -> None:
    """A form that was made out and did not arrive leaves it open, also on a day that is whole itself."""
    day = CouponDay()
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
    ledgers["coupons"] = order_entries("coupons", told, COUPON_HOUSE)
    carried = Carried()
    accounts = [account_with_coupons(table, box, *coupons) for (table, box), coupons in day.boxes.items()]
    reconcile(DAY, ledgers, accounts, COUPON_HOUSE, carried, played=coupons_of_rounds(*day.rounds))
    reconcile(NEXT, ledgers, [], COUPON_HOUSE, carried)
    carried = msgspec.json.decode(msgspec.json.encode(carried), type=Carried)
    said = [
        each for each in reconcile(LATER, ledgers, [], COUPON_HOUSE, carried) if each.account == "coupons"
    ]
    assert [(one.check, one.weight, one.day) for each in said for one in each.findings] == [
        ("form_missing", weight, DAY)
    ]


def test_603a_20_m_3_what_was_redeemed_hangs_on_every_table() -> None:
    """A round with a coupon did not arrive: that finance found one more is no mismatch, on the next day."""
    day = CouponDay()
    day.rounds, day.boxes["BAC-2", "B-2"], day.found["B-2"] = [WON], [], []
    for unreported, weight in ((), "mismatch"), (("BAC-2",), "undetermined"):
        said = [one for each in day.concluded(unreported) for one in each.findings]
        wrong = [one for one in said if one.check == "reconciliation_wrong"]
        assert [(one.weight, one.day) for one in wrong] == [(weight, DAY)]


def test_coupons_that_a_table_may_have_failed_to_report_are_left_open() -> None:
    day = CouponDay()
    day.rounds = [WON]
    weights = {
        each.weight
        for one in day.concluded({"BAC-2": ["round 9 was not reported"]})
        for each in one.findings
        if each.check == "dropped_without_play"
    }
    assert weights == {"undetermined"}


# ── what rounds and accounts tell ────────────────────────────────────────────────────────────────────


def test_a_round_has_of_its_coupon_what_a_reader_sees_and_assumes_the_rest() -> None:
    played, settled = coupons_of_rounds(WON)
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
        (build_coupon_round("1", "BAC-1", 0, "M-01", 0), None, "tie"),
        (build_coupon_round("1", "BAC-1", 0, "M-01", 3500, void=True), None, "tie"),
        (build_coupon_round("1", "BAC-1", 0, "M-01", 0, paid=None), 3500, "win"),
        (build_coupon_round("1", "BAC-1", 0, "M-01", 0, paid=None), None, None),
    ],
)
def test_a_wager_ended_as_it_was_paid_else_as_it_was_owed(
    seen: Round, owed: int | None, result: str | None
) -> None:
    results = [each.result for each in coupons_of_rounds(seen, owed=owed) if isinstance(each, log.Settled)]
    assert results == ([] if result is None else [result])


def test_a_wager_without_a_coupon_is_not_reported() -> None:
    assert (
        coupons_of_rounds(build_coupon_round("1", "BAC-1", 0, "M-01", 3500, wagers={SPOT: Wager(2500)})) == []
    )


def drops(
    played: list[log.Played | log.Settled], *coupons: tuple[str, int | None]
) -> list[tuple[str, str, object]]:
    """Return the drops reported at BAC-1: the event, its coupon, and its result or its moment."""
    day = TableDayAccount("BAC-1", boxes=[TableBox("B-1", coupons=list(coupons))])
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
    again = build_coupon_round("8", "BAC-1", 10, "M-01", -2500)
    assert drops(coupons_of_rounds(WON, again), ("M-01", when(1)), ("M-01", when(11))) == [
        ("dropped", "M-01", "20:00"),
        ("dropped", "M-01", "20:10"),
    ]


def test_a_coupon_that_tied_is_dropped_with_its_later_play() -> None:
    tied, later = (
        build_coupon_round("7", "BAC-1", 0, "M-01", 0),
        build_coupon_round("8", "BAC-1", 10, "M-01", 3500),
    )
    assert drops(coupons_of_rounds(tied, later), ("M-01", when(11))) == [("dropped", "M-01", "20:10")]


def test_a_coupon_that_tied_may_be_dropped_with_its_round_and_not_long_after() -> None:
    tied = build_coupon_round("7", "BAC-1", 0, "M-01", 0)
    assert drops(coupons_of_rounds(tied), ("M-01", when(2))) == [("dropped", "M-01", "20:00")]
    assert drops(coupons_of_rounds(tied), ("M-01", when(23))) == [("dropped", "M-01", "20:23")]


def test_of_a_play_whose_end_is_not_known_the_drop_says_that_it_was_settled() -> None:
    unknown = build_coupon_round("7", "BAC-1", 0, "M-01", 0, paid=None)
    assert drops(coupons_of_rounds(unknown), ("M-01", when(1))) == [
        ("settled", "M-01", None),
        ("dropped", "M-01", "20:00"),
    ]
    assert drops(coupons_of_rounds(unknown)) == [("settled", "M-01", "tie")]


def test_an_unplayed_coupon_is_reported_where_it_was_dropped_or_at_the_end_of_the_day() -> None:
    assert drops([], ("M-01", when(3))) == [("dropped", "M-01", "20:03")]
    assert drops([], ("M-01", None)) == [("dropped", "M-01", "05:59")]


def test_a_house_that_keeps_no_coupons_is_not_asked() -> None:
    day = CouponDay()
    day.house = House(house="none", tables=HOUSE.tables, ledgers={"count_room": ["CR-1"]})
    day.found["B-2"] = []
    assert day.raised() == []
