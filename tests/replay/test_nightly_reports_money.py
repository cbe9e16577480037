"""The reports of money, made from days that are written down here; every figure worked by hand."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

import pytest

from projections.engine.conclusion import Conclusion, Expected, Line, Verdict
from projections.engine.findings import Finding
from projections.engine.observation import Key, Paid, Round, Wager
from projections.programmes.ledgers.ledger_days import OutstandingCheck
from projections.programmes.ledgers.tables import Redeemed
from replay.exports.report import Report
from replay.nightly.day_book import Book
from replay.nightly.day_database import day_database
from replay.nightly.earlier_reports import Money
from replay.nightly.live_comparison import TableComparison
from replay.nightly.report_query import ReportQuery
from replay.nightly.reports import accounts, money, reconciling
from replay.nightly.survey import Counted, Moved, Survey
from replay.nightly.table_day import Sums, TableDay, sums_of
from replay.proofs.theoretical_win import Expected as Theory
from replay.recording.ledger_days import TableTotals
from schemas.coupon_log import Played, Settled
from schemas.values import microseconds
from tests.builders.night_books import DAY, build_books, build_money_finding, moment, report_rows


def table(
    name: str, sums: Sums | None = None, *lines: Line, chapter: str = "631a", **fields: Any
) -> TableDay:
    """Return a table's day with its rounds added up, and the lines of its inventory's account."""
    totals = fields.pop("totals", TableTotals())
    if lines:
        totals.accounts[name] = account(name, "inventory", lines)
    survey = fields.pop("survey", Survey())
    return TableDay(
        table=name, chapter=chapter, day=DAY, survey=survey, by_shift={0: sums or Sums()}, totals=totals
    )


def account(name: str, what: str, lines: Sequence[Line], *findings: Finding) -> Conclusion:
    return Conclusion(
        table=name,
        account=what,
        gaming_date=DAY,
        chapter="465a",
        verdict="mismatch" if findings else "clean",
        outcome=None,
        expected=(),
        findings=findings,
        notes=(),
        lines=tuple(lines),
    )


def made(query: ReportQuery, of_day: Book) -> Report:
    with day_database(of_day) as db:
        return query.report(of_day, db)


def total(report: Report) -> dict[str, Any]:
    assert report.total is not None
    return dict(zip([column.name for column in report.columns], report.total, strict=True))


# ── what makes up the win by settlements ─────────────────────────────────────────────────────────────

ONE: Final[Key] = Key(1, None, "player", None)
TWO: Final[Key] = Key(2, None, "banker", None)


def settled(verdict: Verdict, owed: dict[Key, int | None], paid: dict[Key, Paid], *findings: Finding) -> Sums:
    """Add up a round in which $100 lay on each wager that was owed something, or nobody knows what."""
    said = Conclusion(
        table="BAC-1",
        round="1",
        gaming_date=DAY,
        chapter="631a",
        verdict=verdict,
        outcome=None,
        expected=tuple(
            Expected(seat=key[0], wager=key[2], cents=cents, vigorish_cents=None if cents is None else 0)
            for key, cents in owed.items()
        ),
        findings=findings,
        notes=(),
    )
    wagers = {key: Wager(100_00) for key in owed}
    return sums_of(said, Round("BAC-1", "1", DAY, moment(6), wagers=wagers, paid=paid), None)


def parts(sums: Sums) -> tuple[int, int, int, int]:
    assert sums.owed + sums.otherwise + sums.left_open == sums.win
    return sums.owed, sums.otherwise, sums.left_open, sums.win


def test_what_was_settled_otherwise_is_what_is_proven() -> None:
    # Owed $100 to the one and paid $600; the other's $100 collected as owed.
    sums = settled("mismatch", {ONE: 100_00, TWO: -100_00}, {ONE: Paid(600_00), TWO: Paid(-100_00)})
    assert parts(sums) == (0, -500_00, 0, -500_00)


def test_a_wager_that_nobody_can_decide_is_left_open() -> None:
    # Beside one that was owed $100 and paid $600 another was paid $95, and $5 of vigorish taken.
    paid = {ONE: Paid(600_00), TWO: Paid(100_00, vigorish_cents=5_00)}
    assert parts(settled("mismatch", {ONE: 100_00, TWO: None}, paid)) == (
        -100_00,
        -500_00,
        -95_00,
        -695_00,
    )


def test_in_a_round_that_is_left_open_nothing_is_proven() -> None:
    # Owed $100 and $600 read as paid, but the round stayed open.
    assert parts(settled("undetermined", {ONE: 100_00}, {ONE: Paid(600_00)})) == (
        -100_00,
        0,
        -500_00,
        -600_00,
    )


def test_chips_paid_where_no_wager_lay_were_settled_otherwise() -> None:
    assert parts(settled("mismatch", {ONE: 100_00}, {ONE: Paid(100_00), TWO: Paid(50_00)})) == (
        -100_00,
        -50_00,
        0,
        -150_00,
    )


def test_what_was_won_by_a_wager_that_may_not_have_been_seen_is_left_open() -> None:
    # $50 was collected on a spot where no wager was reported, while a device was silent.
    silent = build_money_finding("data_missing", "C was silent", weight="undetermined", severity="data")
    paid = {ONE: Paid(-100_00), TWO: Paid(-50_00)}
    assert parts(settled("mismatch", {ONE: -100_00}, paid, silent)) == (100_00, 0, 50_00, 150_00)


# ── theory ───────────────────────────────────────────────────────────────────────────────────────────


def known(win: int, variance: int, staked: int, others: int = 0) -> Theory:
    return Theory(
        win_cents=Fraction(win), variance=Fraction(variance), known_cents=staked, unknown_wagers=others
    )


def test_a_table_whose_wagers_have_no_advantage_has_no_theoretical_win() -> None:
    bac = Sums(rounds=9, settled=8, staked=5000, win=-950, weighed_win=-950, theory=known(50, 250_000, 5000))
    tiles = Sums(rounds=3, settled=3, staked=700, win=400, theory=Theory(unknown_cents=700, unknown_wagers=3))
    report = made(
        money.THEORETICAL_WIN, build_books(table("BAC-1", bac), table("PG-1", tiles, chapter="535"))
    )
    first, second = report_rows(report)
    # 50 -+ 1.96 x 500: the win of -950 lies just outside.
    assert (first["theoretical_cents"], first["low_cents"], first["high_cents"]) == (50, -930, 1030)
    assert (first["within"], first["unknown_wagers"]) == ("no", 0)
    assert [second[name] for name in ("theoretical_cents", "low_cents", "high_cents", "within")] == [None] * 4
    assert (second["weighed_cents"], second["unknown_wagers"], second["unknown_cents"]) == (None, 3, 700)
    both = total(report)
    assert (both["theoretical_cents"], both["unknown_wagers"], both["unknown_cents"]) == (50, 3, 700)
    # Against theory stands what the wagers with one won, not the 400 of the others.
    assert (both["settled_win_cents"], both["weighed_cents"]) == (-550, -950)
    assert report.note is not None
    assert "1 of 12 rounds have no money here" in report.note


def test_the_interval_is_held_against_the_wagers_that_have_a_theory() -> None:
    sums = Sums(rounds=1, settled=1, win=-9000, weighed_win=10, theory=known(0, 100, 50, others=1))
    (row,) = report_rows(made(money.THEORETICAL_WIN, build_books(table("CR-1", sums, chapter="623a"))))
    assert (row["settled_win_cents"], row["weighed_cents"], row["within"]) == (-9000, 10, "yes")


# ── totals of the house ──────────────────────────────────────────────────────────────────────────────


def drop(*lines: tuple[str, str, int]) -> Conclusion:
    """Return the count room's account: line, table, cents."""
    return account("count_room", "drop", [Line(name=name, of=of, cents=cents) for name, of, cents in lines])


TWO_TABLES: Final = drop(
    ("drop", "BAC-1", 2000),
    ("win", "BAC-1", 300),
    ("drop_estimated", "CR-1", 1000),
    ("win_estimated", "CR-1", 200),
)


def test_the_house_has_a_total_by_table() -> None:
    earlier = {
        date(2025, 3, 31): [Money("BAC-1", "631a", 100, None)],
        date(2025, 4, 1): [Money("BAC-1", "631a", 1000, 100), Money("BAC-9", "631a", 500, -50)],
    }
    report = made(
        money.WIN_BY_TABLE,
        build_books(table("BAC-1"), table("CR-1", chapter="623a"), earlier=earlier, accounts=[TWO_TABLES]),
    )
    first, _, closed = report_rows(report)
    assert (first["month_drop_cents"], first["month_win_cents"]) == (3000, 400)
    # Of the one day in March nobody knows the win.
    assert (first["year_drop_cents"], first["year_win_cents"]) == (3100, None)
    # Not open today, and part of what is to date.
    assert (closed["table"], closed["basis"], closed["drop_cents"], closed["hold"]) == (
        "BAC-9",
        "not open",
        0,
        None,
    )
    assert (closed["month_drop_cents"], closed["month_win_cents"]) == (500, -50)
    house = total(report)
    assert (house["drop_cents"], house["win_cents"], house["hold"]) == (3000, 500, Fraction(1, 6))
    assert (house["month_drop_cents"], house["month_win_cents"]) == (4500, 550)
    assert house["month_hold"] == Fraction(550, 4500)
    assert (house["year_drop_cents"], house["year_win_cents"], house["basis"]) == (4600, None, "estimated")
    for name in ("drop_cents", "month_drop_cents", "year_drop_cents"):
        assert house[name] == sum(row[name] for row in report_rows(report))


def test_the_house_has_a_total_by_game() -> None:
    sums = Sums(rounds=10, settled=10, staked=4000, win=600, theory=known(40, 0, 4000))
    craps = Sums(rounds=5, settled=5, staked=100, win=-20, theory=Theory(unknown_cents=100, unknown_wagers=2))
    report = made(
        money.WIN_BY_GAME,
        build_books(table("BAC-1", sums), table("CR-1", craps, chapter="623a"), accounts=[TWO_TABLES]),
    )
    assert [row["basis"] for row in report_rows(report)] == ["counted", "estimated"]
    house = total(report)
    assert (house["tables"], house["drop_cents"], house["win_cents"]) == (2, 3000, 500)
    assert (house["rounds"], house["staked_cents"], house["settled_win_cents"]) == (15, 4100, 580)
    assert (house["theoretical_cents"], house["unknown_wagers"]) == (40, 2)


# ── usual hold ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("days", "says", "apart"),
    [
        (2, "too few days", None),
        (9, "too few days", None),
        # Five days of 10 % and five of 20 %: 15 % on average, each 5 points away: a deviation of
        # sqrt(10 x 25 / 9) = 5.2705 points. Today's 20 % is 5 points above: 0.949 of it.
        (10, "yes", Fraction(949, 1000)),
    ],
)
def test_few_days_are_not_called_usual(days: int, says: str, apart: Fraction | None) -> None:
    earlier = {
        date(2025, 3, 1 + number): [Money("BAC-1", "631a", 1000, 100 if number % 2 else 200)]
        for number in range(days)
    }
    today = drop(("drop", "BAC-1", 1000), ("win", "BAC-1", 200))
    (row,) = report_rows(
        made(money.USUAL_HOLD, build_books(table("BAC-1"), earlier=earlier, accounts=[today]))
    )
    assert (row["days"], row["says"], row["apart"]) == (days, says, apart)
    assert row["hold"] == Fraction(1, 5)


# ── boxes, checks, coupons ───────────────────────────────────────────────────────────────────────────


def box(of: str, name: str, seen: int, cash: int | None) -> list[Line]:
    lines = [Line(name="box_buy_ins", of=of, box=name, cents=seen)]
    if cash is not None:
        lines.append(Line(name="box_cash", of=of, box=name, cents=cash))
        lines.append(Line(name="box_difference", of=of, box=name, cents=cash - seen))
    return lines


def test_buy_ins_beside_the_cash_of_each_box() -> None:
    lines = [
        *box("BAC-1", "B-1", 500_00, 400_00),
        *box("BAC-2", "B-2", 300_00, 400_00),
        *box("BAC-2", "B-3", 900_00, None),
        *box("BAC-3", "B-4", 200_00, 200_00),
        *box("BAC-4", "B-5", 100_00, 85_00),
    ]
    found = [
        build_money_finding("box_cash_differs", "$400.00 counted", who="B-1", table="BAC-1"),
        build_money_finding("box_table_wrong", "B-1 was entered as that of BAC-2", who="B-1", table="BAC-1"),
        build_money_finding("box_not_counted", "B-3 was not counted", who="B-3", table="BAC-2"),
        build_money_finding(
            "box_cash_differs", "$85.00 counted", who="B-5", table="BAC-4", weight="undetermined"
        ),
    ]
    counts = [
        Counted(moment(6), "opening", "I-1", 0),
        Counted(moment(10), "drop", "I-2", 0),
        Counted(moment(14), "closing", "I-3", 0),
    ]
    of_day = build_books(
        table("BAC-1"),
        table("BAC-2", survey=Survey(counts=counts)),
        table("BAC-3"),
        table("BAC-4"),
        accounts=[account("count_room", "drop", lines, *found)],
    )
    report = made(accounts.BUY_INS, of_day)
    assert [
        (row["box"], row["shift"], row["seen_cents"], row["counted_cents"], row["difference_cents"])
        for row in report_rows(report)
    ] == [
        ("B-1", None, 500_00, 400_00, -100_00),
        ("B-2", "05:00", 300_00, 400_00, 100_00),
        ("B-3", "13:00", 900_00, None, None),
        ("B-4", None, 200_00, 200_00, 0),
        ("B-5", None, 100_00, 85_00, -15_00),
    ]
    assert [row["why"] for row in report_rows(report)] == [
        "B-1 was entered as that of BAC-2; as much above in drop box B-2 of table BAC-2",
        "as much below in drop box B-1 of table BAC-1",
        "B-3 was not counted",
        None,
        "not everything of the table was reported",
    ]
    # Without the box that nobody counted: 500 + 300 + 200 + 100 seen, 400 + 400 + 200 + 85 counted.
    sums = total(report)
    assert (sums["seen_cents"], sums["counted_cents"], sums["difference_cents"]) == (1100_00, 1085_00, -15_00)


def test_counter_checks_that_are_outstanding() -> None:
    # The gaming day of 2025-04-02 began at 05:00 in New York, which is 09:00 UTC.
    began = microseconds(datetime(2025, 4, 2, 9, tzinfo=ZoneInfo("UTC")))
    owed = {
        "K-3": OutstandingCheck("BAC-2", "p-7", 700_00, began + 7_200_000_000),
        "K-1": OutstandingCheck("BAC-1", "p-8", 500_00, began, redeemed=200_00),
        "K-2": OutstandingCheck("BAC-1", "p-9", 1000_00, began - 1),
    }
    found = build_money_finding(
        "counter_check_unsigned", "Counter Check K-3 was not signed", serial="K-3", patron="p-7"
    )
    report = made(
        accounts.COUNTER_CHECKS,
        build_books(
            table("BAC-1", None, Line(name="box_check", of="K-1", box="B-1", cents=500_00)),
            accounts=[account("counter_checks", "counter_checks", [], found)],
            outstanding=owed,
        ),
    )
    before = DAY - timedelta(days=1)
    said = "nothing redeemed; no table took it on that day; Counter Check K-3 was not signed"
    assert [tuple(row.values()) for row in report_rows(report)] == [
        ("K-1", "p-8", DAY, "BAC-1", 500_00, 300_00, "$200.00 redeemed"),
        ("K-2", "p-9", before, "BAC-1", 1000_00, 1000_00, "nothing redeemed"),
        ("K-3", "p-7", DAY, "BAC-2", 700_00, 700_00, said),
    ]
    assert (total(report)["made_cents"], total(report)["owed_cents"]) == (2200_00, 2000_00)
    assert report.restricted == "finance"  # it names patrons


def played(serial: str, result: Literal["win", "lose", "tie"] | None, cents: int) -> list[Redeemed]:
    moment = datetime(2025, 4, 2, 12, tzinfo=ZoneInfo("UTC"))
    return [
        Played(at=moment, serial=serial, table="BAC-1", value_cents=cents),
        Settled(at=moment, serial=serial, table="BAC-1", result=result),
    ]


def test_coupons_by_table() -> None:
    totals = TableTotals(
        played=[
            *played("C-1", "win", 10_00),
            *played("C-2", "tie", 25_00),
            *played("C-2", "lose", 25_00),
            *played("C-3", "tie", 5_00),
            *played("C-4", None, 5_00),
        ]
    )
    dropped = [Line(name="box_coupon", of=of, box="B-1") for of in ("C-1", "C-2", "C-4")]
    counted = [Line(name="box_coupons", of="BAC-1", box="B-1", count=2)]
    report = made(
        accounts.COUPONS_BY_TABLE,
        build_books(
            table("BAC-1", None, *dropped, totals=totals),
            table("BAC-2"),
            accounts=[account("count_room", "drop", counted)],
        ),
    )
    (row,) = report_rows(report)
    assert [row[name] for name in ("played", "played_cents", "won", "lost", "tied", "open")] == [
        5,
        70_00,
        1,
        1,
        2,
        1,
    ]
    assert (row["dropped"], row["counted"]) == (3, 2)


# ── the list ─────────────────────────────────────────────────────────────────────────────────────────


def test_rounds_stand_in_the_order_of_their_numbers() -> None:
    names = [f"2025-04-02|BAC-1|{number}" for number in ("1", "10", "11", "2")]
    held = [
        TableComparison(table="BAC-1", same=0, differing=tuple(names), missing=("2025-04-02|BAC-1|shoe|3",))
    ]
    of_day = build_books(table("BAC-1"), compared=held)
    about = [row["about"] for row in report_rows(made(reconciling.OPEN_ITEMS, of_day))]
    assert about == ["round 1", "round 2", "round 10", "round 11", "shoe 3"]
    report = made(reconciling.COMPARISON, of_day)
    (row,) = report_rows(report)
    assert row["names"] == "differing: round 1, round 2, round 10, round 11; missing: shoe 3"
    keys = [f"2025-04-02|BAC-1|{name}" for name in ("1", "2", "10", "11", "shoe|3")]
    assert report.row_keys == (tuple(keys),)
    assert made(reconciling.OPEN_ITEMS, of_day).row_keys == tuple((key,) for key in keys)


def test_the_list_says_how_severe_each_is() -> None:
    lines = [
        build_money_finding("box_not_counted", "B-1"),
        build_money_finding("data", "hole", weight="undetermined", severity="data"),
    ]
    of_day = build_books(
        table("BAC-1", survey=Survey(moved=[Moved(moment(6), "cash", 100)])),
        accounts=[account("count_room", "drop", [], *lines)],
        absent=("BAC-7",),
        compared=[TableComparison(table="BAC-1", same=0, extra=("2025-04-02|BAC-1|4",))],
    )
    report = made(reconciling.OPEN_ITEMS, of_day)
    assert [(row["what"], row["weight"], row["severity"]) for row in report_rows(report)] == [
        ("extra", "mismatch", "data"),
        ("absent", "undetermined", "data"),
        ("box_not_counted", "mismatch", "high"),
        ("data", "undetermined", "data"),
    ]
    assert report.note == "Proven: 1 high, 1 data. Left open: 2 data."
