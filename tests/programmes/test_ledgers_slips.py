"""The slips of fills and table credits: each goes into a drop box of its table, whoever reports it."""

import pytest

from projections.engine.conclusion import Line
from schemas import ledgers as l
from tests.builders.ledger_day import (
    FILL,
    HOUSE,
    SECURITY,
    LedgerDay,
    Raised,
    at,
    count_later,
    empty_day,
    leave_table_open,
    only,
    reconcile_two_days,
)
from tests.builders.texts import text_of

NOT_DROPPED: Raised = ("fill_slip_not_dropped", "mismatch", "FS-001")


def keep_out(day: LedgerDay, table: str, box: str, slip: str) -> None:
    """Remove a slip from the drops and the counts."""
    day.drop_line(table, "box_slip", slip)
    slips = day.made[f"count {box}"][3]["slips"]
    day.change(f"count {box}", slips={each: cents for each, cents in slips.items() if each != slip})


@pytest.mark.parametrize(
    ("table", "box", "slip", "check", "message"),
    [
        (
            "BAC-1",
            "B-11",
            "FS-001",
            "fill_slip_not_dropped",
            "Fill Slip FS-001 of table BAC-1 was not reported as dropped, and is in no drop box",
        ),
        (
            "BAC-2",
            "B-2",
            "CS-001",
            "credit_slip_not_dropped",
            "Credit Slip CS-001 of table BAC-2 was not reported as dropped, and is in no drop box",
        ),
    ],
)
def test_a_slip_that_never_went_into_a_box_is_found(
    table: str, box: str, slip: str, check: str, message: str
) -> None:
    found = only(lambda day: keep_out(day, table, box, slip))
    assert (found.check, found.serial, found.table, text_of(found.message)) == (check, slip, table, message)
    assert (found.citations, found.weight, found.severity) == (("house control",), "mismatch", "medium")


@pytest.mark.parametrize(("box", "table"), [("B-11", "BAC-1"), ("B-12", "BAC-1"), ("B-2", "BAC-2")])
def test_a_slip_that_is_found_in_a_box_was_dropped_whoever_reported_it(box: str, table: str) -> None:
    day = LedgerDay()
    keep_out(day, "BAC-1", "B-11", "FS-001")
    day.deposit(table, box, "FS-001", 350_000)
    day.drop_line(table, "box_slip", "FS-001")
    assert day.raised() == []


def test_a_slip_that_went_in_and_is_not_found_is_another_finding() -> None:
    def lost(day: LedgerDay) -> None:
        keep_out(day, "BAC-1", "B-11", "FS-001")
        day.lines["BAC-1"].append(Line(name="box_slip", of="FS-001", box="B-12"))

    assert (only(lost).check, only(lost).weight) == ("slip_not_in_box", "mismatch")

    def unseen(day: LedgerDay) -> None:
        lost(day)
        day.unreported = {"BAC-1"}  # it may have been the box's change

    assert (only(unseen).check, only(unseen).weight) == ("slip_not_in_box", "undetermined")


def test_a_slip_that_one_side_alone_has_is_not_asked_for() -> None:
    day = LedgerDay()
    keep_out(day, "BAC-1", "B-11", "FS-001")
    day.drop("request", "fill", "escort")
    assert day.raised() == [("fill_unmatched", "mismatch", "FS-001")]


def test_where_the_cage_keeps_no_ledger_the_table_s_fills_are_asked_for() -> None:
    day = LedgerDay()
    day.house = HOUSE.__class__(house="count alone", tables=HOUSE.tables, ledgers={"count_room": ["CR-1"]})
    keep_out(day, "BAC-1", "B-11", "FS-001")
    drop = day.concluded()["drop"]
    assert [(each.check, each.serial) for each in drop.findings if "dropped" in each.check] == [
        ("fill_slip_not_dropped", "FS-001")
    ]


@pytest.mark.parametrize("hole", ["count room", "table"])
def test_where_something_may_be_missing_it_stays_open(hole: str) -> None:
    day = LedgerDay()
    keep_out(day, "BAC-1", "B-11", "FS-001")
    if hole == "table":
        day.unreported = {"BAC-1"}
    else:
        day.lose("receive B-12")
    assert ("fill_slip_not_dropped", "undetermined", "FS-001") in day.raised()


# ── a box that is counted later ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("told", "found", "raised"),
    [(False, False, [NOT_DROPPED]), (True, True, []), (False, True, [])],
)
def test_a_slip_may_go_into_the_box_that_stays_on_its_table(
    *, told: bool, found: bool, raised: list[Raised]
) -> None:
    first, second = LedgerDay(), empty_day()
    keep_out(first, "BAC-1", "B-11", "FS-001")
    leave_table_open(first)
    count_later(second)
    if told:
        second.lines["BAC-1"].append(Line(name="box_slip", of="FS-001", box="B-12"))
    if found:
        second.change("count", slips=second.made["count"][3]["slips"] | {"FS-001": 350_000})
    assert reconcile_two_days(first, second) == ([("slip_number_missing", "mismatch", "TI-003")], raised)


def test_a_slip_that_was_found_on_the_day_is_not_asked_for_with_the_box_that_stays() -> None:
    first, second = LedgerDay(), empty_day()
    first.drop_line("BAC-1", "box_slip", "FS-001")  # not reported, and in B-11 all the same
    leave_table_open(first)
    count_later(second)
    assert reconcile_two_days(first, second) == ([("slip_number_missing", "mismatch", "TI-003")], [])


def test_a_slip_is_asked_for_when_a_box_that_was_missed_is_counted() -> None:
    first, second = LedgerDay(), empty_day()
    keep_out(first, "BAC-2", "B-2", "CS-001")
    for step in ("receive", "empty", "count"):
        second.made[f"{step} B-2"] = first.made[f"{step} B-2"]
        second.change(f"{step} B-2", when=at(55))
        first.drop(f"{step} B-2")
    assert reconcile_two_days(first, second) == (
        [("box_not_counted", "mismatch", "B-2")],
        [("credit_slip_not_dropped", "mismatch", "CS-001")],
    )


def test_a_fill_at_the_turn_of_the_day_is_asked_for_on_the_day_of_its_table() -> None:
    first, second = LedgerDay(), empty_day()
    for name, hour, minute in (("request", 29, 40), ("fill", 29, 45), ("escort", 29, 50)):
        first.change(name, when=at(hour, minute))
    first.drop_line("BAC-1", "fill", "FS-001")
    keep_out(first, "BAC-1", "B-11", "FS-001")
    second.lines["BAC-1"] = [
        Line(name="fill", of="FS-001", cents=350_000, denominations=FILL),
        Line(name="listing_closing", of="TI-006", cents=1_650_000, denominations={10_000: 165}),
        Line(name="box", of="B-21", cents=0),
    ]
    received = {"box": "B-21", "table": "BAC-1"}
    second.add("receive", "count_room", at(53), l.BoxReceived, **received, by=SECURITY)
    second.add("empty", "count_room", at(54), l.BoxEmptied, box="B-21", shown=True)
    second.add("count", "count_room", at(55), l.BoxCounted, **received, cash={})
    assert reconcile_two_days(first, second) == ([], [NOT_DROPPED])
