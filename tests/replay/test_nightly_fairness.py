"""What went wrong for patrons and for the house, pace, and win beside theory; every figure worked by hand."""

import json
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import Conclusion, Expected
from projections.engine.observation import Key, Paid, Round, Wager
from replay.exports.report import Report
from replay.nightly.day_database import day_database
from replay.nightly.earlier_reports import FAIRNESS, PACE_AND_WIN, DayRow, Earlier
from replay.nightly.report_query import ReportQuery
from replay.nightly.reports import fairness
from replay.nightly.reports.play import PATRONS_AND_HOUSE
from replay.nightly.survey import Survey
from replay.nightly.table_day import Sums, TableDay
from replay.proofs.theoretical_win import Expected as Theory
from schemas import events as e
from tests.builders.night_books import DAY, HOUSE, build_books, build_money_finding, moment, report_rows
from tests.builders.nights import read_report, run_nightly, write_floor
from tests.builders.table_script import Script

MINUTE: Final = 60_000_000


def played(number: int, minute: int, dealer: str | None, *wrong: tuple[Any, ...], hour: int = 6) -> Any:
    """Return a round of four wagers of $100, the `wrong` of them with the side they favour and the cents.

    A fourth element is the check, if not that of losing wagers.
    """
    keys: list[Key] = [Key(seat, None, "player", None) for seat in range(1, 5)]
    conclusion = Conclusion(
        table="BAC-1",
        round=str(number),
        gaming_date=DAY,
        chapter="631a",
        verdict="mismatch" if wrong else "clean",
        outcome="banker",
        expected=tuple(Expected(seat=key[0], wager=key[2], cents=-100_00, vigorish_cents=0) for key in keys),
        findings=tuple(
            build_money_finding(
                *(check or ["loser_not_collected"]),
                f"{number} {seat} {cents}",
                seat=seat,
                wager="player",
                net_cents=cents if favours == "patron" else -cents,
                favours=favours,
            )
            for seat, favours, cents, *check in wrong
        ),
        notes=(),
    )
    seen = Round(
        "BAC-1",
        str(number),
        DAY,
        moment(hour) + minute * MINUTE,
        wagers={key: Wager(100_00) for key in keys},
        paid={key: Paid(-100_00) for key in keys},
        dealer=dealer,
        floorperson="FL-1",
    )
    return Concluded(conclusion, 1, seen)


def day_of(*rounds: Any) -> TableDay:
    table = TableDay(table="BAC-1", chapter="631a", day=DAY, survey=Survey())
    for each in rounds:
        table.add_conclusion(each, HOUSE, 0 if each.seen.at < moment(13) else 1)
    return table


def made(
    query: ReportQuery, *tables: TableDay, earlier: dict[str, dict[date, list[DayRow]]] | None = None
) -> Report:
    of_day = build_books(*tables)
    if earlier is not None:
        of_day.earlier = Earlier({}, DAY, earlier)
    with day_database(of_day) as db:
        return query.report(of_day, db)


# D-1 deals two rounds, D-2 three, the last of them after 13:00. Paid $100 too much in rounds 1 and 4, and
# $25 and, in the vigorish of the same wager, $5 too little in round 4.
WORKED: Final = (
    played(1, 0, "D-1", (1, "patron", 100_00)),
    played(2, 1, "D-1"),
    played(3, 3, "D-2"),
    played(4, 4, "D-2", (1, "patron", 100_00), (2, "house", 25_00), (2, "house", 5_00, "vigorish_wrong")),
    played(5, 0, "D-2", hour=13),
)


def test_what_went_wrong_stands_by_table_and_shift_for_both_sides() -> None:
    told = report_rows(made(fairness.BY_TABLE_AND_SHIFT, day_of(*WORKED)))
    today = [row for row in told if row["period"] == "day"]
    counted = [
        tuple(
            row[name] for name in ("by", "name", "wagers", "owed", "owed_cents", "overpaid", "overpaid_cents")
        )
        for row in today
    ]
    # Five rounds of four wagers; the wager that was underpaid twice is one wager with $30.
    assert counted == [
        ("table", "BAC-1", 20, 1, 30_00, 2, 200_00),
        ("shift", "05:00", 16, 1, 30_00, 2, 200_00),
        ("shift", "13:00", 4, 0, 0, 0, 0),
    ]


@pytest.mark.parametrize("query", [fairness.BY_TABLE_AND_SHIFT, PATRONS_AND_HOUSE])
def test_a_wager_counts_once_by_its_payment_and_its_vigorish_together(query: ReportQuery) -> None:
    # Seat 1 was paid $50.00 too much, and $3.00 too much was taken of it: $47.00. Seat 2 is even.
    wrong = [(1, "patron", 50_00), (1, "house", 3_00, "vigorish_wrong")]
    equal = [(2, "patron", 2_00), (2, "house", 2_00, "vigorish_wrong")]
    (row, *_) = report_rows(made(query, day_of(played(1, 0, "D-1", *wrong, *equal))))
    times, cents = ("house", "lost_cents") if query is PATRONS_AND_HOUSE else ("overpaid", "overpaid_cents")
    assert (row[times], row[cents], row["owed_cents"]) == (1, 47_00, 0)


def test_of_few_wagers_the_interval_stands_and_no_rate() -> None:
    (table, *_) = report_rows(made(fairness.BY_TABLE_AND_SHIFT, day_of(*WORKED)))
    assert (table["owed_rate"], table["overpaid_rate"], table["enough"]) == (None, None, "too few wagers")
    # One of twenty: 0.13 % to 24.87 %, as tables of Clopper and Pearson print it.
    assert (table["owed_low"], table["owed_high"]) == (Fraction(1265, 1000), Fraction(248_733, 1000))


def test_what_went_wrong_stands_by_who_called_and_who_supervised() -> None:
    told = made(fairness.BY_DEALER_AND_FLOORPERSON, day_of(*WORKED))
    today = [row for row in report_rows(told) if row["period"] == "day"]
    assert [(row["by"], row["name"], row["wagers"], row["owed"], row["overpaid"]) for row in today] == [
        ("dealer", "D-1", 8, 0, 1),
        ("dealer", "D-2", 12, 1, 1),
        ("floorperson", "FL-1", 20, 1, 2),
    ]
    assert (told.restricted, told.people) == (
        "surveillance_supervisor",
        {"D-1": "dealer", "D-2": "dealer", "FL-1": "floorperson"},
    )


def test_a_row_names_the_conclusions_that_it_counts() -> None:
    told = made(fairness.BY_DEALER_AND_FLOORPERSON, day_of(*WORKED))
    first, fourth = f"{DAY}|BAC-1|1", f"{DAY}|BAC-1|4"
    assert told.row_keys is not None
    assert told.row_keys[:3] == ((first,), (fourth,), (first, fourth))


def test_what_was_put_right_in_the_round_went_wrong_for_nobody() -> None:
    right = played(1, 0, "D-1", (1, "patron", 5_00))
    found = tuple(replace(each, put_right=True) for each in right.conclusion.findings)
    right = replace(right, conclusion=replace(right.conclusion, findings=found))
    (row, *_) = report_rows(made(fairness.BY_TABLE_AND_SHIFT, day_of(right)))
    assert (row["wagers"], row["owed"], row["overpaid"]) == (4, 0, 0)


def test_pace_is_that_of_rounds_which_follow_one_another() -> None:
    told = report_rows(made(fairness.PACE_BY_DEALER_AND_FLOORPERSON, day_of(*WORKED)))
    pace = {
        row["name"]: (row["timed"], row["seconds"], row["pace"]) for row in told if row["period"] == "day"
    }
    # D-1: one round a minute after the other. D-2: one more, a minute on; the third came after a pause.
    # FL-1 saw rounds at 0, 1, 3 and 4 minutes: three in four minutes.
    assert pace == {"D-1": (1, 60, 60), "D-2": (1, 60, 60), "FL-1": (3, 240, 45)}


def test_win_stands_beside_theory_for_the_wagers_that_have_one() -> None:
    theory = Theory(win_cents=Fraction(12_50), variance=Fraction(1), known_cents=1000_00, unknown_cents=5_00)
    table = TableDay(
        table="BAC-1",
        chapter="631a",
        day=DAY,
        survey=Survey(),
        by_shift={
            0: Sums(rounds=5, settled=5, staked=1005_00, weighed_win=-20_00, win=-15_00, theory=theory)
        },
    )
    (row, *_) = report_rows(made(fairness.PACE_BY_TABLE_AND_SHIFT, table))
    assert (row["known_cents"], row["won_cents"], row["theoretical_cents"]) == (1000_00, -20_00, 12_50)
    assert (row["won"], row["expected"]) == (Fraction(-1, 50), Fraction(1, 80))
    assert (row["rounds"], row["timed"], row["pace"]) == (5, 0, None)


def day_row(**cells: Any) -> DayRow:
    return DayRow({"period": "day", "by": "table", "name": "BAC-1"} | cells, (f"2025-03-31|BAC-1|{cells}",))


def test_month_and_year_add_up_what_earlier_days_report() -> None:
    before = {"wagers": 980, "owed": 3, "owed_cents": 10, "overpaid": 1, "overpaid_cents": 7}
    earlier = {FAIRNESS: {date(2025, 3, 31): [day_row(**before)], date(2025, 4, 1): [day_row(**before)]}}
    told = made(fairness.BY_TABLE_AND_SHIFT, day_of(*WORKED), earlier=earlier)
    by_period = {row["period"]: row for row in report_rows(told) if row["by"] == "table"}
    month, year = by_period["month"], by_period["year"]
    assert [month[name] for name in ("wagers", "owed", "owed_cents", "overpaid", "overpaid_cents")] == [
        1000, 4, 30_10, 3, 200_07,
    ]  # fmt: skip
    assert (month["enough"], month["owed_rate"], month["overpaid_rate"]) == ("yes", 4, 3)
    assert (year["wagers"], year["owed"]) == (1980, 7)
    assert told.note is not None
    assert told.note.endswith("Not reported, so not in the year to date: 2025-01-01 to 2025-03-30.")


def test_pace_of_a_month_is_that_of_all_its_rounds() -> None:
    before = {
        "rounds": 60,
        "timed": 57,
        "seconds": 3360,
        "known_cents": 0,
        "won_cents": 0,
        "theoretical_cents": 0,
    }
    earlier = {PACE_AND_WIN: {date(2025, 4, 1): [day_row(**before)]}}
    told = report_rows(made(fairness.PACE_BY_TABLE_AND_SHIFT, day_of(*WORKED), earlier=earlier))
    (month,) = (row for row in told if row["period"] == "month" and row["by"] == "table")
    # 57 rounds in 56 minutes, and of the day three in four: 60 in an hour.
    assert (month["rounds"], month["timed"], month["seconds"], month["pace"]) == (65, 60, 3600, 60)


# ── from an audited day to the files, and from those to the next day's ───────────────────────────────


def scripted(day: int) -> Script:
    script = Script()
    script.now += day * 24 * 3600 * 1_000_000
    script.open()
    script.say("T", e.FloorpersonAssigned, floorperson="FL-1")
    script.say("T", e.DealerAssigned, dealer="D-7", calling=True)
    script.play("P9s B5d P9d B5s", {(1, "player"): 100_00}, "player", {(1, "player"): 600_00})
    script.play("P9s B5d P9d B5s", {(1, "player"): 100_00}, "player", {(1, "player"): 100_00})
    script.close()
    return script


@pytest.mark.parametrize(
    ("name", "group"),
    [("fairness", ("table", "BAC-1")), ("surveillance_supervisor/fairness_by_person", ("dealer", "D-7"))],
)
def test_an_audited_day_has_the_report_in_every_form(
    tmp_path: Path, name: str, group: tuple[str, str]
) -> None:
    run_nightly(write_floor(tmp_path, scripted(0)), out=tmp_path, only={Path(name).name})
    (row, *_) = read_report(tmp_path, name)["rows"]
    assert (row["by"], row["name"]) == group
    # $500 too much of two wagers: $600 was paid for $100.
    assert (row["wagers"], row["owed"], row["overpaid"], row["overpaid_cents"]) == (2, 0, 1, 500_00)
    csv = (tmp_path / "2025-04-01" / f"{name}.csv").read_text(encoding="utf-8")
    assert csv.splitlines()[0].startswith("period,by,name,wagers,owed")
    assert "too few wagers" in (tmp_path / "2025-04-01" / f"{name}.html").read_text(encoding="utf-8")
    keys = json.loads((tmp_path / "2025-04-01" / f"{name}.json").read_bytes())["row_keys"]
    assert keys[0] == ["2025-04-01|BAC-1|1"]
