"""465a.25(a): who opens files of the count; each box emptied, shown empty, counted by itself."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from msgspec.structs import replace

from schemas import ledgers as l
from schemas.house import CountFileAccess
from schemas.values import Person
from tests.builders.ledger_day import SECURITY, LedgerDay, at, only
from tests.builders.texts import text_of

Change = Callable[[LedgerDay], None]


def not_counted(day: LedgerDay) -> None:
    day.drop("count B-2")


def never_came(day: LedgerDay) -> None:
    day.drop("receive B-2", "empty B-2", "count B-2")


def not_emptied(day: LedgerDay) -> None:
    day.drop("empty B-2")


def emptied_once_counted(day: LedgerDay) -> None:
    day.change("empty B-2", when=day.made["count B-2"][1] + timedelta(minutes=1))


def not_shown(day: LedgerDay) -> None:
    day.change("empty B-2", shown=False)


def not_received(day: LedgerDay) -> None:
    day.drop("receive B-2")


def counted_twice(day: LedgerDay) -> None:
    ledger, when, kind, fields = day.made["count B-2"]
    day.add("count again", ledger, when, kind, **fields)


def unknown(day: LedgerDay) -> None:
    day.add("receive", "count_room", at(29), l.BoxReceived, box="B-7", table="BAC-2", by=SECURITY)


def of_another_table(day: LedgerDay) -> None:
    day.change("count B-2", table="BAC-1")


@pytest.mark.parametrize(
    ("change", "check", "who", "cite", "message"),
    [
        (
            not_counted,
            "box_not_counted",
            "B-2",
            "465a.25(a)(3)(i)",
            "drop box B-2 came off table BAC-2 and was not counted; received, emptied",
        ),
        (
            never_came,
            "box_not_counted",
            "B-2",
            "465a.25(a)(3)(i)",
            "drop box B-2 came off table BAC-2 and was not counted; not received, not emptied",
        ),
        (
            not_emptied,
            "box_not_emptied",
            "B-2",
            "465a.25(a)(3)(i)",
            "drop box B-2 was counted and was not emptied on the count table before",
        ),
        (
            emptied_once_counted,
            "box_not_emptied",
            "B-2",
            "465a.25(a)(3)(i)",
            "drop box B-2 was counted and was not emptied on the count table before",
        ),
        (
            not_shown,
            "box_not_shown_empty",
            "B-2",
            "465a.25(a)(3)(ii)",
            "drop box B-2 was counted and was emptied and not shown to be empty",
        ),
        (
            not_received,
            "box_not_received",
            "B-2",
            "house control",
            "drop box B-2 was counted and was not entered as it came",
        ),
        (
            counted_twice,
            "box_counted_twice",
            "B-2",
            "465a.25(a)(3)(i)",
            "drop box B-2 was counted 2 times",
        ),
        (
            unknown,
            "box_unknown",
            "B-7",
            "465a.25(a)(3)(i)",
            "drop box B-7 was entered as that of table BAC-2, and no table gave it up",
        ),
        (
            of_another_table,
            "box_table_wrong",
            "B-2",
            "465a.25(a)(3)(i)",
            "drop box B-2 of table BAC-2 was entered as that of table BAC-1",
        ),
    ],
)
def test_465a_25_a_3_i(change: Change, check: str, who: str, cite: str, message: str) -> None:
    found = only(change)
    assert (found.check, found.who, found.citations, text_of(found.message)) == (check, who, (cite,), message)
    assert (found.weight, found.table) == ("mismatch", "BAC-2")


def test_465a_25_a_3_ii() -> None:
    found = only(not_shown)
    assert (found.check, found.citations) == ("box_not_shown_empty", ("465a.25(a)(3)(ii)",))


def test_cash_counted_beside_buy_ins_seen_is_a_line_and_a_difference_of_house_control() -> None:
    day = LedgerDay()
    day.change("count B-2", cash={10_000: 2, 2_000: 2})  # $240 of the $300 that was bought in for
    drop = day.concluded()["drop"]
    (found,) = drop.findings
    assert (found.check, found.who, found.citations) == ("box_cash_differs", "B-2", ("house control",))
    assert (found.expected_cents, found.observed_cents, found.delta_cents) == (30_000, 24_000, -6_000)
    assert (
        text_of(found.message)
        == "$240.00 counted in drop box B-2, $60.00 below the buy-ins seen at table BAC-2"
    )
    (line,) = [each for each in drop.lines if each.name == "box_difference" and each.box == "B-2"]
    assert (line.of, line.cents) == ("BAC-2", -6_000)


FIGURES = {
    # drop 500 + 200; win 700 + 13,000 + 0 - 10,000 - 3,500
    "BAC-1": (1_000_000, 350_000, 0, 1_300_000, 50_000, 20_000, 70_000, 20_000),
    # drop 300; win 300 + 3,900 + 1,000 - 5,000 - 0
    "BAC-2": (500_000, 0, 100_000, 390_000, 30_000, 0, 30_000, 20_000),
    None: (1_500_000, 350_000, 100_000, 1_690_000, 80_000, 20_000, 100_000, 40_000),
}


@pytest.mark.parametrize("table", FIGURES)
def test_win_is_drop_and_closer_and_credits_less_opener_and_fills(table: str | None) -> None:
    lines = LedgerDay().concluded()["drop"].lines
    of = {each.name: each.cents for each in lines if each.of == table and each.box is None}
    names = ("opener", "fills", "credits", "closer", "cash", "counter_checks", "drop", "win")
    assert tuple(of[name] for name in names) == FIGURES[table]
    assert of["buy_ins"] == of["cash"]
    assert of.keys() == {*names, "buy_ins"}


def test_before_the_count_drop_and_win_are_estimated_by_what_the_table_saw() -> None:
    day = LedgerDay()
    for name in [name for name, made in day.made.items() if made[0] == "count_room"]:
        day.drop(name)
    drop = day.concluded()["drop"]
    assert drop.verdict == "undetermined"
    assert {each.weight for each in drop.findings} == {"undetermined"}
    assert [text_of(each.message) for each in drop.findings if each.check == "ledger_incomplete"] == [
        "count room: it is not closed for the day"
    ]
    of = {(each.of, each.name): each.cents for each in drop.lines if each.box is None}
    assert (of["BAC-1", "drop_estimated"], of["BAC-1", "win_estimated"]) == (70_000, 20_000)
    assert (of[None, "drop_estimated"], of[None, "win_estimated"]) == (100_000, 40_000)
    assert not {"drop", "win"} & {name for _, name in of}


def test_without_a_last_count_the_win_is_estimated_by_what_the_account_says_was_there() -> None:
    day = LedgerDay()
    day.drop_line("BAC-2", "closer")
    day.change_line("BAC-2", "untyped", None, cents=-500)
    of = {(each.of, each.name): each.cents for each in day.concluded()["drop"].lines if each.box is None}
    assert of["BAC-2", "win_estimated"] == 19_500  # $5 less than was there by the closing slip
    assert of["BAC-1", "win"] == 20_000
    assert of[None, "win_estimated"] == 39_500


def test_where_nobody_knows_what_was_there_at_first_there_is_no_win() -> None:
    day = LedgerDay()
    day.drop_line("BAC-2", "opener")
    of = {(each.of, each.name): each.cents for each in day.concluded()["drop"].lines if each.box is None}
    assert ("BAC-2", "win") not in of
    assert of["BAC-2", "drop"] == 30_000
    assert of[None, "win"] == 20_000


def test_a_table_that_stayed_open_gives_its_box_up_on_the_next_day() -> None:
    day = LedgerDay()
    # The last listing is that of the drop: the box attached then is still on the table.
    for name, of in (("listing_closing", "TI-003"), ("closer", "TI-003"), ("box_slip", "TI-003")):
        day.drop_line("BAC-1", name, of)
    day.drop("receive B-12", "empty B-12", "count B-12")
    raised = [each for each in day.raised() if each[0].startswith("box_")]
    assert raised == []


COUNTER: Final = Person("cora", "count_team")
FINANCE: Final = Person("finn", "finance")


def opened(when: datetime, by: Person, access: str = "read", file: str = "drop", **house: Any) -> LedgerDay:
    """Return a day on which somebody opened a file of the count; the first box is emptied after 31:00."""
    day = LedgerDay()
    day.house = replace(day.house, **house)
    day.add("file", "count_room", when, l.CountFileOpened, file=file, by=by, access=access)
    return day


def files(day: LedgerDay) -> list[tuple[str, str, tuple[str, ...]]]:
    return [
        (each.check, each.weight, each.citations)
        for account in day.concluded().values()
        for each in account.findings
        if each.check.startswith("count_file")
    ]


LISTED: Final = {"drop": CountFileAccess(read=("cora", "finn"), write=("cora",))}


@pytest.mark.parametrize(
    ("by", "access", "file", "is_listed"),
    [
        (COUNTER, "read", "drop", True),
        (COUNTER, "write", "drop", True),
        (FINANCE, "read", "drop", True),
        (FINANCE, "write", "drop", False),
        (COUNTER, "read", "hold", False),
    ],
)
def test_465a_25_a_2_i(by: Person, access: str, file: str, is_listed: bool) -> None:  # noqa: FBT001  a row
    wanted = [] if is_listed else [("count_file_unlisted", "mismatch", ("465a.25(a)(2)(i)",))]
    assert files(opened(at(29), by, access, file, count_files=LISTED)) == wanted
    assert files(opened(at(29), by, access, file)) == []  # a house that lists none


def test_465a_25_a_2_ii() -> None:
    early = [("count_file_opened_early", "mismatch", ("465a.25(a)(2)(ii)",))]
    emptied = LedgerDay().made["empty B-11"][1]
    assert files(opened(emptied - timedelta(seconds=1), FINANCE)) == []  # the count has not begun
    assert files(opened(emptied, FINANCE)) == early
    assert files(opened(emptied, COUNTER)) == []


def test_465a_25_a_2_ii_silence() -> None:
    day = opened(LedgerDay().made["empty B-11"][1], FINANCE)
    day.lost.add("count B-2")
    assert files(day) == [("count_file_opened_early", "undetermined", ("465a.25(a)(2)(ii)",))]


@pytest.mark.parametrize(("days", "is_early"), [(0, False), (1, True), (-400, False)])
def test_465a_25_a(days: int, is_early: bool) -> None:  # noqa: FBT001  a row
    # Approved so many days after the one of the count.
    day = LedgerDay()
    day.house = replace(day.house, count_approved=at(12).date() + timedelta(days))
    found = [
        (each.check, each.weight, each.citations)
        for account in day.concluded().values()
        for each in account.findings
        if each.check == "count_not_approved"
    ]
    assert found == ([("count_not_approved", "mismatch", ("465a.25(a)",))] if is_early else [])


def test_465a_25_a_not_in_the_house_file() -> None:
    findings = [each.check for account in LedgerDay().concluded().values() for each in account.findings]
    assert "count_not_approved" not in findings


def test_465a_25() -> None:
    test_465a_25_a(1, is_early=True)
    test_465a_25_a_2()
    test_465a_25_a_3()


def test_465a_25_a_2() -> None:
    test_465a_25_a_2_i(FINANCE, "write", "drop", is_listed=False)
    test_465a_25_a_2_ii()


def test_465a_25_a_3() -> None:
    found = only(counted_twice)
    assert (found.check, found.citations) == ("box_counted_twice", ("465a.25(a)(3)(i)",))
    test_465a_25_a_3_ii()
