"""609a.13(c)(3): books of Counter Checks handed over and returned, and what happens to their checks."""

from collections.abc import Callable

import pytest

from projections.engine.conclusion import Line
from projections.programmes.ledgers.reconciliation import Carried
from schemas import ledgers as l
from schemas.values import Person
from tests.builders.ledger_day import CLERK, FLOORPERSON, GAMES, NEXT, SECURITY, LedgerDay, Raised, at, only
from tests.builders.texts import text_of

Change = Callable[[LedgerDay], None]


def make(day: LedgerDay, check: str, hour: int = 15) -> None:
    """Make a check of $100 for BAC-2, exchange it there, and find it in the box."""
    made = {"check": check, "table": "BAC-2", "patron": "Bela", "cents": 10_000, "by": CLERK}
    day.add(f"check {check}", "counter_checks", at(hour), l.CheckMade, **made)
    day.lines["BAC-2"].append(Line(name="box_check", of=check, box="B-2", cents=10_000))
    in_box = day.made["count B-2"][3].get("counter_checks", {})
    day.change("count B-2", counter_checks=in_box | {check: 10_000})


def never_out(day: LedgerDay) -> None:
    day.drop("book out", "book in")


def before_it_was_out(day: LedgerDay) -> None:
    day.change("book out", when=at(10, 30))
    day.change("book in", next=None, when=at(12))
    day.change("book out", first="K-002", last="K-002")


def after_it_came_back(day: LedgerDay) -> None:
    day.change("book in", when=at(12))
    make(day, "K-003")


def outside_its_numbers(day: LedgerDay) -> None:
    make(day, "K-011")


@pytest.mark.parametrize(
    ("change", "serial", "message"),
    [
        (never_out, "K-001", "made outside every book that was signed out"),
        (before_it_was_out, "K-001", "made outside every book that was signed out"),
        (after_it_came_back, "K-003", "made out of book BK-1, not signed out"),
        (outside_its_numbers, "K-011", "made outside every book that was signed out"),
    ],
)
def test_609a_13_c_3(change: Change, serial: str, message: str) -> None:
    found = only(change)
    assert (found.check, found.serial, text_of(found.message)) == (
        "counter_check_book_not_out",
        serial,
        message,
    )
    assert (found.citations, found.status) == (("609a.13(c)(3)",), "proposed")


def test_609a_13_c_3_a_book_that_was_not_out_is_reported_once_for_all_its_checks() -> None:
    day = LedgerDay()
    never_out(day)
    make(day, "K-003")
    make(day, "K-004")
    assert day.raised() == [("counter_check_book_not_out", "mismatch", "K-001, K-003-K-004")]


@pytest.mark.parametrize(
    ("entry", "field", "person", "message"),
    [
        ("book out", "given_by", GAMES, "book BK-1 was handed out by table games Tess"),
        ("book out", "taken_by", SECURITY, "book BK-1 was taken by security Sam"),
        ("book in", "taken_by", FLOORPERSON, "book BK-1 was taken back by floorperson Faye"),
    ],
)
def test_609a_13_c_3_finance_hands_the_book_to_table_games_and_takes_it_back(
    entry: str, field: str, person: Person, message: str
) -> None:
    found = only(lambda day: day.change(entry, **{field: person}))
    assert (found.check, found.who, text_of(found.message)) == ("counter_check_book_hands", "BK-1", message)
    assert found.citations == ("609a.13(c)(3)",)


def two_numbers_gone(day: LedgerDay) -> None:
    day.change("book in", next="K-005")


def all_gone(day: LedgerDay) -> None:
    day.change("book in", next=None)


@pytest.mark.parametrize(
    ("change", "serials"), [(two_numbers_gone, "K-003-K-004"), (all_gone, "K-003-K-010")]
)
def test_609a_13_c_3_what_the_returned_book_lacks_was_made_out_or_voided(
    change: Change, serials: str
) -> None:
    found = only(change)
    assert (found.check, found.who, found.serial) == ("counter_check_number_missing", "BK-1", serials)
    assert text_of(found.message) == "gone from the book and neither made out nor voided"


def test_609a_13_c_3_separate_gaps_in_the_numbers_are_reported_separately() -> None:
    day = LedgerDay()
    make(day, "K-005")
    day.change("book in", next="K-007")
    assert day.raised() == [
        ("counter_check_number_missing", "mismatch", "K-003-K-004"),
        ("counter_check_number_missing", "mismatch", "K-006"),
    ]


def test_609a_13_c_3_a_next_number_is_one_of_the_book() -> None:
    found = only(lambda day: day.change("book in", next="K-012"))
    assert (found.check, found.serial) == ("counter_check_number_missing", "K-012")
    assert text_of(found.message) == "came back with K-012 as its next number, which is none of its own"


def test_609a_13_c_3_what_was_made_out_is_gone_from_the_book() -> None:
    found = only(lambda day: day.change("book in", next="K-002"))
    assert (found.check, found.who, found.serial) == ("counter_check_past_return", "BK-1", "K-002")


# ── what the paragraph does not say is the house's own control ───────────────────────────────────────


def test_a_check_is_signed_by_the_patron() -> None:
    found = only(lambda day: day.change("check", signed=False))
    assert (found.check, found.serial, found.patron) == ("counter_check_unsigned", "K-001", "Anna")
    assert found.citations == ("house control",)


def test_a_check_is_made_out_once() -> None:
    def twice(day: LedgerDay) -> None:
        made = {"check": "K-001", "table": "BAC-1", "patron": "Bela", "cents": 20_000, "by": CLERK}
        day.add("again", "counter_checks", at(13), l.CheckMade, **made)

    found = only(twice)
    assert (found.check, found.serial, found.patron) == ("counter_check_repeated", "K-001", "Bela")
    assert found.citations == ("465a.3(c)",)


def test_a_voided_check_bears_two_persons_signatures() -> None:
    found = only(lambda day: day.change("check voided", signatures=(CLERK,)))
    assert (found.check, found.serial) == ("counter_check_voided_unsigned", "K-002")
    assert text_of(found.message) == "Counter Check K-002 was voided with 1 of 2 signatures"


def test_no_more_is_redeemed_than_is_owed() -> None:
    found = only(lambda day: day.change("redeemed", cents=20_100))
    assert (found.check, found.serial) == ("counter_check_overredeemed", "K-001")
    assert (found.expected_cents, found.observed_cents, found.favours) == (20_000, 20_100, "house")


def test_a_check_that_is_not_on_record_may_be_older_than_the_record() -> None:
    found = only(lambda day: day.change("redeemed", check="K-900"))
    assert (found.check, found.serial, found.weight) == (
        "counter_check_overredeemed",
        "K-900",
        "undetermined",
    )


# ── over the days ────────────────────────────────────────────────────────────────────────────────────


def next_day(carried: Carried, *entries: tuple[str, type, dict[str, object]]) -> list[Raised]:
    """Reconcile a next day with nothing but these entries on Counter Checks; give what is raised."""
    day = LedgerDay()
    day.made, day.lines = {}, {}
    for n, (name, kind, fields) in enumerate(entries):
        day.add(name, "counter_checks", at(32, n), kind, **fields)
    for ledger in day.house.ledgers:
        day.add(f"{ledger} closed", ledger, at(53), l.LedgerClosed, date=NEXT)
    return day.raised(carried, NEXT)


def test_what_is_outstanding_is_carried_over_the_days() -> None:
    carried = Carried()
    lines = LedgerDay().concluded(carried)["counter_checks"].lines
    told = [(each.name, each.of, each.cents, each.count) for each in lines]
    assert told == [
        ("made", None, 20_000, 1),
        ("exchanged", None, 20_000, 1),
        ("redeemed", None, 5_000, 1),
        ("voided", None, None, 1),
        ("outstanding", None, 15_000, 1),
        ("outstanding", "K-001", 15_000, None),
    ]
    rest = ("rest", l.CheckRedeemed, {"check": "K-001", "cents": 15_000})
    assert next_day(carried, rest) == []
    assert carried.checks.owed == {}


def test_what_was_redeemed_whole_is_not_redeemed_again() -> None:
    carried = Carried()
    LedgerDay().concluded(carried)
    rest = ("rest", l.CheckRedeemed, {"check": "K-001", "cents": 15_000})
    more = ("more", l.CheckRedeemed, {"check": "K-001", "cents": 100})
    assert next_day(carried, rest, more) == [("counter_check_overredeemed", "mismatch", "K-001")]


def test_a_book_stays_out_over_the_days() -> None:
    first, carried = LedgerDay(), Carried()
    first.drop("book in")
    concluded = first.concluded(carried)["counter_checks"]
    assert [each.of for each in concluded.lines if each.name == "book_out"] == ["BK-1"]
    back = {"book": "BK-1", "next": "K-004", "given_by": GAMES, "taken_by": Person("Fred", "finance")}
    assert next_day(carried, ("book in", l.BookSignedIn, back)) == [
        ("counter_check_number_missing", "mismatch", "K-003")
    ]


def test_609a_13() -> None:
    test_609a_13_c()


def test_609a_13_c() -> None:
    found = only(never_out)
    assert (found.check, found.serial) == ("counter_check_book_not_out", "K-001")
    assert found.citations == ("609a.13(c)(3)",)
