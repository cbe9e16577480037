"""465a.36: what a table's chips come and go against, compared with the other side's paper, and every count.

The account of a table is proven on its own events: $100,000.00 as it opens, rounds of $10.00, a tray reader.
"""

from collections.abc import Callable

import msgspec
import pytest

from projections.engine.conclusion import Line
from projections.engine.findings import Finding
from schemas import events as e
from schemas import ledgers as l
from tests.builders.ledger_day import BANK, CREDIT, FILL, LedgerDay, at, only
from tests.builders.table_audit import account_sums, audit_events
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, build_house_with_cage
from tests.builders.texts import text_of

Change = Callable[[LedgerDay], None]


# ── (b)(5): fills and credits ────────────────────────────────────────────────────────────────────────


def test_465a_36_b_5() -> None:
    def short(day: LedgerDay) -> None:
        day.change_line("BAC-1", "fill", "FS-001", cents=347_500, denominations={2500: 99, 500: 200})

    found = only(short)
    assert (found.check, found.serial, found.table) == ("fill_count_differs", "FS-001", "BAC-1")
    assert (found.expected_cents, found.observed_cents, found.delta_cents) == (350_000, 347_500, -2_500)
    assert (found.citations, found.status, found.severity) == (("465a.36(b)(5)",), "adopted", "medium")
    assert text_of(found.message) == "Fill Slip FS-001: $25.00 short; $25.00 99 instead of 100"
    for is_fill in (True, False):
        test_465a_36_b_5_the_tray_has_as_many_more_or_less(500, is_fill=is_fill)


def test_465a_36_b_5_a_fill_of_other_chips_is_found_though_the_sums_agree() -> None:
    def changed(day: LedgerDay) -> None:
        day.change_line("BAC-1", "fill", "FS-001", denominations={2500: 140})

    found = only(changed)
    assert (found.check, found.delta_cents) == ("fill_count_differs", 0)
    assert text_of(found.message) == (
        "Fill Slip FS-001: the sums agree; $5.00 0 instead of 200, $25.00 140 instead of 100"
    )


def test_465a_36_b_5_a_fill_counted_in_sum_alone_is_held_against_the_sum() -> None:
    day = LedgerDay()
    day.change_line("BAC-1", "fill", "FS-001", denominations=None)
    assert day.raised() == []
    day.change_line("BAC-1", "fill", "FS-001", cents=352_500)
    (found,) = day.concluded()["slips"].findings
    assert (found.check, found.delta_cents) == ("fill_count_differs", 2_500)
    assert text_of(found.message) == "Fill Slip FS-001: $25.00 over"


def fill_without_the_cage(day: LedgerDay) -> None:
    day.lines["BAC-2"].append(Line(name="fill", of="FS-003", cents=50_000, denominations={500: 100}))


def fill_that_never_came(day: LedgerDay) -> None:
    day.drop_line("BAC-1", "fill", "FS-001")


def fill_at_another_table(day: LedgerDay) -> None:
    day.lines["BAC-2"].append(day.line("BAC-1", "fill", "FS-001"))
    day.drop_line("BAC-1", "fill", "FS-001")


def fill_that_was_voided(day: LedgerDay) -> None:
    day.lines["BAC-2"].append(Line(name="fill", of="FS-002", cents=50_000, denominations={500: 100}))


def credit_that_never_came(day: LedgerDay) -> None:
    day.drop("credit")


def credit_without_the_table(day: LedgerDay) -> None:
    more = {"slip": "CS-002", "table": "BAC-1", "denominations": {500: 20}}
    day.add("credit 2", "cage", at(13), l.CreditReceived, **more, signatures=(BANK,))


@pytest.mark.parametrize(
    ("change", "check", "serial", "message", "cents"),
    [
        (
            fill_without_the_cage,
            "fill_unmatched",
            "FS-003",
            "Fill Slip FS-003 over $500.00 at table BAC-2 is none of the cage",
            (0, 50_000),
        ),
        (
            fill_that_never_came,
            "fill_unmatched",
            "FS-001",
            "Fill Slip FS-001 over $3,500.00, issued by the cage for table BAC-1, is none of the table",
            (350_000, 0),
        ),
        (
            fill_at_another_table,
            "fill_unmatched",
            "FS-001",
            "Fill Slip FS-001 was issued by the cage for table BAC-1 and counted at table BAC-2",
            (0, 350_000),
        ),
        (
            fill_that_was_voided,
            "fill_unmatched",
            "FS-002",
            "Fill Slip FS-002 was voided, and its chips were counted at table BAC-2",
            (0, 50_000),
        ),
        (
            credit_that_never_came,
            "credit_unmatched",
            "CS-001",
            "Credit Slip CS-001 over $1,000.00 at table BAC-2 is none of the cage",
            (100_000, 0),
        ),
        (
            credit_without_the_table,
            "credit_unmatched",
            "CS-002",
            "Credit Slip CS-002 over $100.00, received by the cage from table BAC-1, is none of the table",
            (0, 10_000),
        ),
    ],
)
def test_465a_36_b_5_each_fill_and_credit_is_one_of_both_sides(
    change: Change, check: str, serial: str, message: str, cents: tuple[int, int]
) -> None:
    found = only(change)
    assert (found.check, found.serial, text_of(found.message)) == (check, serial, message)
    assert (found.expected_cents, found.observed_cents) == cents
    assert (found.delta_cents, found.favours) == (cents[1] - cents[0], msgspec.UNSET)
    assert (found.weight, found.citations) == ("mismatch", ("465a.36(b)(5)",))


def test_465a_36_b_5_a_credit_that_comes_short_to_the_cage_is_short() -> None:
    found = only(lambda day: day.change("credit", denominations={10_000: 9, 500: 15}))
    assert (found.check, found.serial) == ("credit_count_differs", "CS-001")
    assert (found.expected_cents, found.observed_cents, found.delta_cents) == (100_000, 97_500, -2_500)
    assert text_of(found.message) == (
        "Credit Slip CS-001: $25.00 short; $5.00 15 instead of 0, $100.00 9 instead of 10"
    )


def test_the_slips_of_the_cage_are_lines_one_by_one_by_table_and_in_all() -> None:
    lines = LedgerDay().concluded()["slips"].lines
    told = [(each.name, each.of, each.cents, each.count) for each in lines]
    assert told == [
        ("requests", None, None, 1),
        ("fill", "FS-001", 350_000, None),
        ("fills", "BAC-1", 350_000, 1),
        ("fills", None, 350_000, 1),
        ("credit", "CS-001", 100_000, None),
        ("credits", "BAC-2", 100_000, 1),
        ("credits", None, 100_000, 1),
        ("voided", None, None, 1),
        ("error_notifications", None, None, 1),
        ("cashed_out", None, 52_500, 3),
        ("cashed_out", "Anna", 50_000, 2),
    ]
    assert [each.denominations for each in lines if each.denominations] == [FILL, CREDIT]


# ── (b)(2): Counter Checks ───────────────────────────────────────────────────────────────────────────


def check_that_was_not_exchanged(day: LedgerDay) -> None:
    more = {"check": "K-003", "table": "BAC-2", "patron": "Bela", "cents": 30_000, "by": BANK}
    day.add("check 2", "counter_checks", at(14), l.CheckMade, **more)
    day.change("book in", next="K-004")


def check_that_no_one_made(day: LedgerDay) -> None:
    day.lines["BAC-2"].append(Line(name="box_check", of="K-009", box="B-2", cents=30_000))
    day.change("count B-2", counter_checks={"K-009": 30_000})


def check_at_another_table(day: LedgerDay) -> None:
    day.change("check", table="BAC-2")


def check_that_was_voided(day: LedgerDay) -> None:
    day.lines["BAC-2"].append(Line(name="box_check", of="K-002", box="B-2", cents=30_000))
    day.change("count B-2", counter_checks={"K-002": 30_000})


@pytest.mark.parametrize(
    ("change", "check", "serial", "message"),
    [
        (
            check_that_was_not_exchanged,
            "counter_check_not_exchanged",
            "K-003",
            "Counter Check K-003 of $300.00 was made out for table BAC-2; no chips went out against it",
        ),
        (
            check_that_no_one_made,
            "counter_check_unmatched",
            "K-009",
            "Counter Check K-009: chips of $300.00 went out at table BAC-2, and no such check was made out",
        ),
        (
            check_at_another_table,
            "counter_check_unmatched",
            "K-001",
            (
                "Counter Check K-001: chips of $200.00 went out at table BAC-1, "
                "and the check was made out for table BAC-2"
            ),
        ),
        (
            check_that_was_voided,
            "counter_check_unmatched",
            "K-002",
            "Counter Check K-002: chips of $300.00 went out at table BAC-2, and the check was voided",
        ),
    ],
)
def test_465a_36_b_2(change: Change, check: str, serial: str, message: str) -> None:
    found = only(change)
    assert (found.check, found.serial, text_of(found.message)) == (check, serial, message)
    assert (found.weight, found.citations) == ("mismatch", ("465a.36(b)(2)",))
    test_465a_36_b_2_no_more_chips_go_out_than_the_check_says(500)


def test_465a_36_b_2_chips_of_the_check_s_sum_go_out() -> None:
    found = only(lambda day: day.change("check", cents=25_000))
    assert (found.check, found.serial) == ("counter_check_sum_differs", "K-001")
    assert (found.expected_cents, found.observed_cents, found.favours) == (25_000, 20_000, "house")


@pytest.mark.parametrize(
    ("in_box", "message", "cents"),
    [
        ({}, "Counter Check K-001 of $200.00 is not in drop box B-11", (20_000, 0)),
        (
            {"K-001": 20_000, "K-008": 5_000},
            "Counter Check K-008 of $50.00 is in drop box B-11, and no chips went out against it there",
            (0, 5_000),
        ),
        (
            {"K-001": 2_000},
            "Counter Check K-001 in drop box B-11 is over $20.00; chips of $200.00 went out",
            (20_000, 2_000),
        ),
    ],
)
def test_465a_36_b_2_the_checks_in_the_box_are_those_that_were_exchanged(
    in_box: dict[str, int], message: str, cents: tuple[int, int]
) -> None:
    found = only(lambda day: day.change("count B-11", counter_checks=in_box))
    assert (found.check, text_of(found.message), found.citations) == (
        "box_counter_checks_differ",
        message,
        ("465a.36(b)(2)",),
    )
    assert (found.expected_cents, found.observed_cents) == cents


# ── (a), (b), (c): a table's own account ─────────────────────────────────────────────────────────────


def table(between: Callable[[Script], None] = lambda _: None) -> Script:
    """Open a table, play, let something happen, play on, close it."""
    s = Script()
    s.open_counted()
    s.play(PLAYER_WINS, {(4, "player"): 1000}, "player", {(4, "player"): 1000})
    between(s)
    s.play(BANKER_WINS, {(4, "player"): 1000}, "banker", {(4, "player"): -1000})
    s.close_counted()
    return s


def findings(s: Script) -> tuple[Finding, ...]:
    return audit_events(s.events, build_house_with_cage(vigorish_deferred=True)).account().findings


def test_465a_36_a() -> None:
    def again_uncounted(s: Script) -> None:
        s.close_counted("TI-8")
        s.change_box(None, "B-1")
        s.open()

    assert findings(table()) == ()
    (found,) = findings(table(again_uncounted))
    assert (found.check, found.citations, found.status) == ("opening_not_counted", ("465a.36(a)",), "adopted")


def test_465a_36_b() -> None:
    def short(s: Script) -> None:
        s.tray -= 500

    (found,) = findings(table(short))
    assert (found.check, found.who, found.citations) == (
        "inventory_untyped",
        "round 2 as it opened",
        ("465a.36(b)",),
    )
    assert (found.expected_cents, found.observed_cents) == (9_999_000, 9_998_500)


@pytest.mark.parametrize("keyed", [True, False])
def test_465a_36_b_1(*, keyed: bool) -> None:
    def bought(s: Script) -> None:
        if keyed:
            s.buy(4, 20_000)
        else:
            s.tray -= 20_000

    assert [each.delta_cents for each in findings(table(bought))] == ([] if keyed else [-20_000])


@pytest.mark.parametrize("short", [0, 500])
def test_465a_36_b_2_no_more_chips_go_out_than_the_check_says(short: int) -> None:
    def exchanged(s: Script) -> None:
        s.take_check(4, "K-001", 20_000)
        s.tray -= short

    untyped = [("inventory_untyped", -short)] if short else []
    assert [(each.check, each.delta_cents) for each in findings(table(exchanged))] == untyped


@pytest.mark.parametrize("short", [0, 500])
@pytest.mark.parametrize("is_fill", [True, False])
def test_465a_36_b_5_the_tray_has_as_many_more_or_less(short: int, *, is_fill: bool) -> None:
    def carried(s: Script) -> None:
        if is_fill:
            s.fill("FS-001", 350_000)
        else:
            s.credit("CS-001", 350_000)
        s.tray -= short

    untyped = [("inventory_untyped", -short)] if short else []
    assert [(each.check, each.delta_cents) for each in findings(table(carried))] == untyped


@pytest.mark.parametrize("kept", [0, 100])
def test_465a_36_b_3(kept: int) -> None:
    def lost(s: Script) -> None:
        s.begin({(4, "player"): 1000})
        s.no_more_bets({(4, "player"): 1000})
        s.deal(BANKER_WINS)
        s.announce("banker")
        s.settle({(4, "player"): -1000})
        s.tray -= kept
        s.end()

    assert [each.who for each in findings(table(lost))] == (["round 2 as it closed"] if kept else [])


@pytest.mark.parametrize("short", [0, 500])
def test_465a_36_b_4(short: int) -> None:
    def coloured(s: Script) -> None:
        s.say("T", e.ChipsColoredUp, seat=4, cents=50_000)
        s.tray -= short  # the patron got more than was given in

    assert [each.delta_cents for each in findings(table(coloured))] == ([-short] if short else [])


@pytest.mark.parametrize("found", [50, 25])
def test_465a_36_b_6(found: int) -> None:
    def owed(s: Script) -> None:
        bank = (1, "banker")
        s.play(BANKER_WINS, {bank: 1000}, "banker", {bank: 1000}, {bank: 50}, marked=True)
        s.pay_off(1, 50)
        s.tray -= 50 - found

    s = table(owed)
    assert [each.delta_cents for each in findings(s)] == ([] if found == 50 else [-25])
    account = audit_events(s.events, build_house_with_cage(vigorish_deferred=True)).account()
    assert account_sums(account)["vigorish"] == 50


def test_465a_36_c() -> None:
    s = Script()
    s.open_counted()
    s.play(PLAYER_WINS, {}, "player", {})
    s.change_box("B-1", None)
    s.close()
    (found,) = findings(s)
    assert (found.check, found.citations) == ("closing_not_counted", ("465a.36(c)",))
    s.list_inventory("TI-5", "drop")
    assert "closing_not_counted" in {each.check for each in findings(s)}
    s.list_inventory("TI-2", "closing")
    assert "closing_not_counted" not in {each.check for each in findings(s)}
    test_465a_36_c_the_slip_says_what_lies_there()
    test_465a_36_c_what_lies_closed_for_a_day_is_listed()


def test_465a_36_c_the_slip_says_what_lies_there() -> None:
    s = Script()
    s.open_counted()
    s.play(PLAYER_WINS, {}, "player", {})
    s.list_inventory("TI-2", "closing", cents=s.tray - 500)
    s.drop_slip("TI-2")
    s.change_box("B-1", None)
    s.close()
    (found,) = findings(s)
    assert (found.check, found.serial, found.citations) == ("inventory_slip_wrong", "TI-2", ("465a.36(c)",))
    assert (found.expected_cents, found.observed_cents) == (10_000_000, 9_999_500)


def test_465a_36_c_what_lies_closed_for_a_day_is_listed() -> None:
    s = table()
    s.now += 2 * 86_400  # the day between has no count
    s.open_counted("TI-8", "B-2")
    s.play(PLAYER_WINS, {}, "player", {})
    s.close_counted("TI-9", "B-2")
    heard = audit_events(s.events, build_house_with_cage(vigorish_deferred=True))
    raised = [
        (each.check, each.citations) for account in heard.accounts.values() for each in account.findings
    ]
    assert raised == [("unopened_not_counted", ("465a.36(c)",))]


def test_465a_36() -> None:
    test_465a_36_a()
    test_465a_36_b()
    test_465a_36_c()
