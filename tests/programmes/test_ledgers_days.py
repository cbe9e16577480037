"""Gaming days of ledgers: what is carried from one to the next, and what stays open where data is missing."""

from collections.abc import Callable

import msgspec
import pytest

from projections.engine.conclusion import Line
from schemas import ledgers as l
from tests.builders.ledger_day import (
    DAY,
    DEVICES,
    FILL,
    FINANCE,
    GAMES,
    HOUSE,
    SECURITY,
    LedgerDay,
    at,
    count_later,
    empty_day,
    leave_table_open,
    reconcile_two_days,
    subjects,
)
from tests.builders.texts import text_of

Change = Callable[[LedgerDay], None]


# ── what outlives a day ──────────────────────────────────────────────────────────────────────────────


def test_what_is_carried_can_be_written_and_read() -> None:
    assert reconcile_two_days(LedgerDay(), empty_day()) == ([], [])


def test_a_fill_on_its_way_at_the_turn_of_the_day_comes_on_the_next() -> None:
    first, second = LedgerDay(), empty_day()
    for name, hour, minute in (("request", 29, 40), ("fill", 29, 45), ("escort", 29, 50)):
        first.change(name, when=at(hour, minute))
    for name in ("fill", "box_slip"):
        first.drop_line("BAC-1", name, "FS-001")
    slips = first.made["count B-11"][3]["slips"]
    first.change("count B-11", slips={slip: cents for slip, cents in slips.items() if slip != "FS-001"})
    second.lines["BAC-1"] = [Line(name="fill", of="FS-001", cents=350_000, denominations=FILL)]
    assert reconcile_two_days(first, second) == ([], [])
    second.lines["BAC-1"] = []
    assert reconcile_two_days(first, second) == ([], [("fill_unmatched", "mismatch", "FS-001")])


def test_a_request_made_at_the_turn_of_the_day_is_filled_on_the_next() -> None:
    first, second = LedgerDay(), empty_day()
    for name in ("request", "fill", "escort"):
        second.made[name] = first.made[name]
        second.change(name, when=at(31))
    first.drop("fill", "escort")
    first.change("request", when=at(29, 59))
    second.drop("request")
    for name in ("fill", "box_slip"):
        first.drop_line("BAC-1", name, "FS-001")
    slips = first.made["count B-11"][3]["slips"]
    first.change("count B-11", slips={slip: cents for slip, cents in slips.items() if slip != "FS-001"})
    second.lines["BAC-1"] = [Line(name="fill", of="FS-001", cents=350_000, denominations=FILL)]
    assert reconcile_two_days(first, second) == ([], [])


def test_a_credit_that_comes_to_the_cage_a_day_late_is_raised_once() -> None:
    first, second = LedgerDay(), empty_day()
    second.made["credit"] = first.made["credit"]
    second.change("credit", when=at(31))
    first.drop("credit")
    assert reconcile_two_days(first, second) == ([("credit_unmatched", "mismatch", "CS-001")], [])


def test_a_box_that_is_counted_a_day_late_was_received_and_emptied_before() -> None:
    first, second = LedgerDay(), empty_day()
    second.made["count B-2"] = first.made["count B-2"]
    second.change("count B-2", when=at(55))
    first.drop("count B-2")
    assert reconcile_two_days(first, second) == ([("box_not_counted", "mismatch", "B-2")], [])


def test_a_box_of_the_next_day_may_come_while_the_day_is_still_counted() -> None:
    first, second = LedgerDay(), empty_day()
    first.change("count room closed", when=at(34))
    first.add("receive B-21", "count_room", at(33), l.BoxReceived, box="B-21", table="BAC-1", by=SECURITY)
    second.lines["BAC-1"] = [
        Line(name="listing_closing", of="TI-006", cents=1_320_000, denominations={10_000: 132}),
        Line(name="box", of="B-21", cents=0),
    ]
    second.add("empty B-21", "count_room", at(55), l.BoxEmptied, box="B-21", shown=True)
    counted = {"box": "B-21", "table": "BAC-1", "cash": {}}
    second.add("count B-21", "count_room", at(56), l.BoxCounted, **counted)
    assert reconcile_two_days(first, second) == ([], [])


def test_a_box_that_stayed_on_its_table_is_counted_with_what_went_in_on_both_days() -> None:
    first, second = LedgerDay(), empty_day()
    leave_table_open(first)
    count_later(second)
    # The numbers of Table Inventory Slips were TI-004 and TI-005 on the first day, TI-003 comes on the next.
    assert reconcile_two_days(first, second) == ([("slip_number_missing", "mismatch", "TI-003")], [])


def test_a_missed_box_is_reported_once_and_its_content_checked_when_it_is_counted() -> None:
    first, second = LedgerDay(), empty_day()
    for step in ("receive", "empty", "count"):
        second.made[f"{step} B-2"] = first.made[f"{step} B-2"]
        second.change(f"{step} B-2", when=at(55))
        first.drop(f"{step} B-2")
    second.change("count B-2", cash={10_000: 2})
    assert reconcile_two_days(first, second) == (
        [("box_not_counted", "mismatch", "B-2")],
        [("box_cash_differs", "mismatch", "B-2")],
    )
    assert reconcile_two_days(first, empty_day())[1] == []


def test_a_number_of_an_earlier_day_is_not_made_out_again() -> None:
    first, second = LedgerDay(), empty_day()
    for name in ("request", "fill", "escort"):
        second.made[name] = first.made[name]
        second.change(name, when=at(40))
    second.change("request", request="FR-002")
    second.change("fill", request="FR-002")
    second.lines["BAC-1"] = [Line(name="fill", of="FS-001", cents=350_000, denominations=FILL)]
    assert reconcile_two_days(first, second) == ([], [("slip_number_repeated", "mismatch", "FS-001")])


def test_a_number_that_comes_late_is_no_new_gap_and_no_repeat() -> None:
    first, second = LedgerDay(), empty_day()
    first.drop("void")
    for name in ("request", "fill", "escort"):
        second.made[name] = first.made[name]
        second.change(name, when=at(40))
    second.change("request", request="FR-002")
    second.change("fill", request="FR-002", slip="FS-003")
    second.change("escort", slip="FS-003")
    second.lines["BAC-1"] = [Line(name="fill", of="FS-003", cents=350_000, denominations=FILL)]
    assert reconcile_two_days(first, second)[1] == [("slip_number_missing", "mismatch", "FS-002")]
    second.add("void", "cage", at(41), l.SlipVoided, slip="FS-002", signatures=(SECURITY, SECURITY))
    assert reconcile_two_days(first, second)[1] == [("slip_voided_unsigned", "mismatch", "FS-002")]


# ── what is missing leaves open what hangs on it ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "raised"),
    [
        ("request", ("fill_without_request", "FS-001")),
        ("escort", ("fill_not_escorted", "FS-001")),
        ("credit", ("credit_unmatched", "CS-001")),
        ("count B-2", ("box_not_counted", "B-2")),
        ("empty B-2", ("box_not_emptied", "B-2")),
        ("book out", ("counter_check_book_not_out", "K-001")),
        ("check", ("counter_check_unmatched", "K-001")),
    ],
)
def test_what_a_gap_may_have_held_is_left_open_and_the_gap_named(name: str, raised: tuple[str, str]) -> None:
    day = LedgerDay()
    ledger = day.made[name][0]
    # So that no other entry is the first of its device.
    day.add("first of the cage", "cage", at(7), l.ChipsCashed, cents=100)
    book = {"book": "BK-0", "first": "K-900", "last": "K-910", "given_by": FINANCE, "taken_by": GAMES}
    day.add("first book", "counter_checks", at(7), l.BookSignedOut, **book)
    gone = day.lose(name)
    concluded = day.concluded()
    found = subjects(concluded.values())
    assert (raised[0], "undetermined", raised[1]) in found
    assert {weight for _, weight, _ in found} == {"undetermined"}
    device = DEVICES[ledger][0]  # type: ignore[index]  a ledger's name
    holes = [each for one in concluded.values() for each in one.findings if each.check == "ledger_incomplete"]
    assert [text_of(each.message) for each in holes] == [
        f"{ledger.replace('_', ' ')}: entry {gone} of device {device} (epoch 1) is missing"
    ]
    assert {one.verdict for one in concluded.values()} <= {"clean", "undetermined"}


@pytest.mark.parametrize(
    ("name", "raised"),
    [("request", "fill_without_request"), ("book out", "counter_check_book_not_out")],
)
def test_a_record_that_begins_in_the_middle_of_a_day_leaves_that_day_open(name: str, raised: str) -> None:
    day = LedgerDay()
    assert day.lose(name) == 1  # the first entry of its device
    ((check, weight, _),) = day.raised()
    assert (check, weight) == (raised, "undetermined")


def test_what_a_table_may_have_failed_to_report_is_left_open() -> None:
    day = LedgerDay()
    day.drop_line("BAC-1", "fill", "FS-001")
    day.unreported = {"BAC-1": ["numbers 4 to 6 of its terminal are missing"]}
    assert day.raised() == [("fill_unmatched", "undetermined", "FS-001")]


def test_a_table_whose_account_is_open_leaves_its_own_open_and_no_other() -> None:
    day = LedgerDay()
    day.drop_line("BAC-1", "fill", "FS-001")
    day.found["BAC-1"] = [
        msgspec.structs.replace(day.found["BAC-2"][0], check="inventory_untyped", weight="undetermined")
    ]
    day.change("count B-2", cash={10_000: 2})
    assert day.raised() == [
        ("fill_unmatched", "undetermined", "FS-001"),
        ("box_cash_differs", "mismatch", "B-2"),
    ]


def test_a_ledger_that_is_not_kept_is_not_asked() -> None:
    day = LedgerDay()
    day.house = HOUSE.__class__(house="cage alone", tables=HOUSE.tables, ledgers={"cage": ["CG-1"]})
    concluded = day.concluded()
    assert list(concluded) == ["slips"]
    assert concluded["slips"].verdict == "clean"


def test_each_account_says_whose_it_is_and_by_which_chapter() -> None:
    told = [
        (each.table, each.account, each.chapter, each.gaming_date)
        for each in LedgerDay().concluded().values()
    ]
    assert told == [
        ("cage", "slips", "465a", DAY),
        ("count_room", "drop", "465a", DAY),
        ("counter_checks", "counter_checks", "609a", DAY),
    ]
