"""`discardrack nightly`: a day audited again and reported; figures worked by hand on a scripted table."""

import json
import os
import shutil
import subprocess
import sys
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import duckdb
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from projections.engine.audit.table_audit import Concluded
from replay.cli import main
from replay.nightly import live_comparison
from replay.nightly.earlier_reports import PACE_AND_WIN
from replay.nightly.gaming_days import day_of, origin
from replay.recording.event_audit import audit_logs
from replay.recording.ledger_days import with_ledgers
from replay.recording.recording import Recording
from schemas import events as e
from schemas.house import CashLimits, House
from schemas.ledgers import CheckMade, CheckRedeemed, CheckVoided
from schemas.side_wagers import CardTest, Condition, PayLine, SideWager
from schemas.values import Person
from streams import log
from streams.log import Unread, frames
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.nights import (
    DAY,
    only_row,
    read_folder,
    read_report,
    read_report_rows,
    run_nightly,
    script_three_rounds,
    store_audit,
    unreconciled_items,
    with_fields,
    write_floor,
)
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, SECOND, Script, build_house


class Reported:
    """Three rounds of which every report was made, of a house where cash in of $1,000 is reported."""

    def __init__(self, folder: Path) -> None:
        own = with_fields(build_house(), cash_limits=CashLimits(in_cents=1_000_00, out_cents=1_000_00))
        self.floor = write_floor(folder, script_three_rounds(), own)
        self.out = folder / "out"
        self.ran = run_nightly(self.floor, out=self.out)


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    return Reported(tmp_path_factory.mktemp("reported"))


def test_a_clean_day_reconciles(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.close()
    ran = run_nightly(write_floor(tmp_path, script), out=tmp_path / "out", only=())
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "2025-04-01: new" in ran.stderr


def test_what_does_not_reconcile_is_listed_and_reported(reported: Reported) -> None:
    assert reported.ran.exit_code == 1
    found = only_row(unreconciled_items(reported.ran))
    assert (found["table"], found["about"], found["what"], found["cents"]) == (
        "BAC-1",
        "round 3",
        "paid_too_much",
        500_00,
    )
    assert only_row(read_report_rows(reported.out, "open_items"))["citations"] == found["citations"]
    assert read_report(reported.out, "comparison")["note"] == "No snapshot was given."


def test_a_side_wager_of_the_house_is_settled_and_stands_in_the_theoretical_win(tmp_path: Path) -> None:
    """Perfect Pairs at 25, 12 and 6 to 1, of which the published house advantage is 17/415 with 8 decks."""
    lines = [("rank", "suit", "25 to 1"), ("rank", "color", "12 to 1"), ("rank", None, "6 to 1")]
    pays = tuple(
        PayLine(str(n), Condition(player_first_two=CardTest(same=tuple(each for each in same if each))), pays)
        for n, (*same, pays) in enumerate(lines)
    )
    house = build_house()
    (general,) = house.submissions
    offered = {"perfect_pairs_player": SideWager("631b.1", pays)}
    spot = (1, "perfect_pairs_player")
    script = Script()
    script.open()
    # 9 and 9 of spades to 7; 4 and 4 of one color to a Natural 8; no pair.
    script.play("P9s B2d P9s B5d", {spot: 5_00}, "player", {spot: 125_00})
    script.play("P4s B3d P4c B4h", {spot: 5_00}, "player", {spot: 30_00})
    script.play(PLAYER_WINS, {spot: 5_00}, "player", {spot: -5_00})
    script.close()
    floor = write_floor(tmp_path, script, replace(house, submissions=[replace(general, offered=offered)]))
    ran = run_nightly(floor, out=tmp_path, only={PACE_AND_WIN})
    found = only_row(unreconciled_items(ran))
    assert (found["about"], found["what"], found["cents"]) == ("round 2", "paid_too_little", -30_00)
    assert found["citations"].startswith("631b.1")
    pace = next(row for row in read_report_rows(tmp_path, PACE_AND_WIN) if row["by"] == "table")
    assert pace["known_cents"] == 15_00
    assert pace["theoretical_cents"] == round(15_00 * Fraction(17, 415))


def test_each_row_that_names_a_record_has_its_key(reported: Reported) -> None:
    """Whoever withholds a record finds it by that, and by no word."""
    told = [json.loads(each.read_bytes()) for each in (reported.out / DAY).rglob("*.json")]
    naming = [
        each
        for each in told
        if {"about", "names", "round", "shoe", "account"} & {of["name"] for of in each.get("columns", ())}
    ]
    assert {each["report"] for each in naming} == {
        *("open_items", "comparison", "findings", "undetermined", "breaches", "vigorish_by_shoe"),
        *("ledger_findings", "ledgers"),
    }
    assert {each["report"]: len(each["rows"]) - len(each["row_keys"]) for each in naming} == {
        each["report"]: 0 for each in naming
    }
    assert read_report(reported.out, "open_items")["row_keys"] == [["2025-04-01|BAC-1|3"]]
    assert read_report(reported.out, "findings")["row_keys"] == [["2025-04-01|BAC-1|3"]]
    assert "row_keys" not in read_report(reported.out, "pace")
    assert not [
        name
        for name, body in read_folder(reported.out / DAY).items()
        if b"row_keys" in body and "json" not in name
    ]


def test_money_of_the_rounds(tmp_path: Path) -> None:
    run_nightly(
        write_floor(tmp_path, script_three_rounds()),
        out=tmp_path,
        only={"theoretical_win", "win_by_table", "patrons_and_house", "mismatches"},
    )
    row = only_row(read_report_rows(tmp_path, "theoretical_win"))
    # $100 lost, $100 and $600 won by the patron; by the rules the third brings $100.
    assert (row["rounds"], row["staked_cents"], row["settled_win_cents"], row["owed_cents"]) == (
        3,
        300_00,
        -600_00,
        -100_00,
    )
    # Player at 8 decks: 1.2351 % of $300.
    assert row["theoretical_cents"] == 371
    win = only_row(read_report_rows(tmp_path, "win_by_table"))
    assert (win["drop_cents"], win["win_cents"], win["basis"]) == (1_200_00, None, "estimated")
    both = only_row(read_report_rows(tmp_path, "patrons_and_house"))
    assert (both["patrons"], both["owed_cents"], both["house"], both["lost_cents"]) == (0, 0, 1, 500_00)
    assert only_row(read_report_rows(tmp_path, "mismatches"))["favours"] == "patron"


def test_rounds_an_hour_by_the_time_that_the_table_was_open(tmp_path: Path) -> None:
    script = script_three_rounds(close=False)
    script.now = 1800.0
    script.say("T", e.TableClosed, after=0.5, heard=script.heard())
    run_nightly(write_floor(tmp_path, script), out=tmp_path, only={"pace"})
    row = only_row(read_report_rows(tmp_path, "pace"))
    # Opened at 0.5 s and closed half an hour later.
    assert (row["rounds"], row["hours"], row["pace"]) == (3, "1/2", "6")


def test_cash_by_patron_is_for_finance_alone(reported: Reported) -> None:
    row = only_row(read_report_rows(reported.out, "finance/cash_by_patron"))
    assert row == {"patron": "p-7", "in_cents": 1_000_00, "out_cents": 0, "reached": "in"}
    told = read_report(reported.out, "finance/cash_by_patron")
    assert told["restricted"] == "finance"
    assert "not known: $200.00" in told["note"]
    open_ = read_folder(reported.out / DAY)
    assert not [name for name, body in open_.items() if b"p-7" in body and not name.startswith("finance/")]


def test_a_purchase_that_was_reported_by_mistake_is_none(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.say("T", e.PlayerSeated, seat=1, patron="p-7")
    wrong = [script.say("T", e.ChipsBought, seat=1, cents=cents) for cents in (100_00, 900_00)]
    instead = replace(wrong[1], cents=300_00)
    script.say("T", e.ReportCorrected, mistaken=e.id_of(wrong[0]))
    script.say("T", e.ReportCorrected, mistaken=e.id_of(wrong[1]), instead=instead)
    script.tray -= 300_00
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.close()
    run_nightly(write_floor(tmp_path, script), out=tmp_path, only={"cash_by_patron", "win_by_table"})
    assert only_row(read_report_rows(tmp_path, "finance/cash_by_patron"))["in_cents"] == 300_00
    assert only_row(read_report_rows(tmp_path, "win_by_table"))["drop_cents"] == 300_00


def test_a_report_without_rows_says_so(reported: Reported) -> None:
    for name in ("fills_and_credits", "coupons", "changes", "closings", "alert_ageing", "undetermined"):
        told = read_report(reported.out, name)
        assert (told["rows"], told["says"]) == ([], "No activity")
    about = read_report(reported.out, "pace")["about"]
    assert about["software"].startswith("discardrack ")
    assert len(about["rulebooks"]) == 1
    assert about["period"]["begins"] == "2025-04-01T09:00:00Z"
    # The last frame: three rounds of some 22 s each after the opening.
    assert about["made"]["received"] < "2025-04-01T09:40:00Z"


def test_a_change_of_rules_and_what_it_changed(tmp_path: Path) -> None:
    script = Script()
    script.open()
    wager = {(1, "banker"): 101_00}
    # 5 % of $101 is $5.05: rounded up to a quarter $5.25, then exact, $5.05.
    script.play(BANKER_WINS, wager, "banker", {(1, "banker"): 101_00}, {(1, "banker"): 5_25})
    script.change_rules(vigorish_rounding_cents=0)
    script.play(BANKER_WINS, wager, "banker", {(1, "banker"): 101_00}, {(1, "banker"): 5_05})
    script.play(PLAYER_WINS, wager, "player", {(1, "banker"): -101_00})
    script.close()
    ran = run_nightly(
        write_floor(tmp_path, script, build_house(vigorish_rounding_cents=25)), out=tmp_path, only={"changes"}
    )
    assert [each["what"] for each in unreconciled_items(ran)] == ["vigorish_mixed"]  # within one shoe
    row = only_row(read_report_rows(tmp_path, "changes"))
    assert row["options"] == "vigorish_rounding_cents: 25 to 0"
    assert (row["first"], row["rounds"], row["differing"], row["open"], row["cents"]) == ("2", 2, 1, 0, -20)


def test_silences_of_devices_and_the_rounds_that_hang_on_them(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.say("T", e.DeviceWentSilent, silent="V")
    script.now += 59.5
    script.say("T", e.DeviceCameBack, back="V")
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    lost = next(each for each in script.events if isinstance(each, e.CardDrawn))
    seen = next(each for each in script.events if isinstance(each, e.CardSeen))
    script.events = [each for each in script.events if each not in (lost, seen)]
    script.close()
    ran = run_nightly(write_floor(tmp_path, script), out=tmp_path, only={"undetermined", "sensor_gaps"})
    assert ran.exit_code == 1
    assert only_row(read_report_rows(tmp_path, "undetermined"))["round"] == "1"
    gaps = {row["device"]: row for row in read_report_rows(tmp_path, "sensor_gaps")}
    assert (gaps["V"]["silences"], gaps["V"]["minutes"]) == (1, "1")
    assert gaps["S"]["rounds"] == 1


def test_a_silence_whose_end_was_not_reported_ends_with_a_poll(tmp_path: Path) -> None:
    script = Script()
    script.open()
    lost = script.say("T", e.DeviceWentSilent, silent="V")
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    shown = script.events[-1]
    assert isinstance(shown, e.RoundClosed)
    script.now += 600
    script.close()
    ran = run_nightly(write_floor(tmp_path, script), out=tmp_path, only={"sensor_gaps"})
    assert ran.exit_code == 0
    (row,) = read_report_rows(tmp_path, "sensor_gaps")
    assert (row["device"], row["silences"]) == ("V", 1)
    assert Fraction(row["minutes"]) == round(Fraction(shown.at - lost.at, 60_000_000), 3)


# ── which day, and whether it has closed ─────────────────────────────────────────────────────────────


def test_a_day_that_has_not_closed_is_refused(tmp_path: Path) -> None:
    floor = write_floor(tmp_path, script_three_rounds(close=False))
    ran = run_nightly(floor, out=tmp_path / "out", only=())
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "gaming day 2025-04-01 has not closed: BAC-1 is open" in ran.stderr
    assert not (tmp_path / "out" / DAY).exists()
    assert run_nightly(floor, "--even-if-open", out=tmp_path / "out", only=()).exit_code == 1
    assert (tmp_path / "out" / DAY).exists()


def test_a_table_that_reported_past_the_day_need_not_be_closed(tmp_path: Path) -> None:
    script = script_three_rounds(close=False)
    own = build_house()
    ends = day_of(own, date.fromisoformat(DAY)).ends
    script.now = (ends - script.start) / SECOND + own.lateness_seconds + 1
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    floor = write_floor(tmp_path, script, own)
    assert run_nightly(floor, out=tmp_path, only={"pace"}).exit_code == 1
    assert only_row(read_report_rows(tmp_path, "pace"))["rounds"] == 3


def test_the_last_day_that_has_closed_is_taken_unless_one_is_named(tmp_path: Path) -> None:
    script = script_three_rounds()
    run_nightly(write_floor(tmp_path, script), out=tmp_path, day=None, only=())
    assert (tmp_path / DAY).is_dir()
    # Opened again on the day after, and not closed: the last that has closed is still the first.
    script.now = 86_400.0
    script.open()
    again = write_floor(tmp_path, script, name="again")
    run_nightly(again, out=tmp_path / "again_out", day=None, only=())
    assert [each.name for each in (tmp_path / "again_out").glob("2*")] == [DAY]


def test_a_day_without_anything_is_bad_input(tmp_path: Path) -> None:
    ran = run_nightly(write_floor(tmp_path, script_three_rounds()), out=tmp_path / "out", day="2025-04-07")
    assert ran.exit_code == 2
    assert ran.stderr == "discardrack: nothing of gaming day 2025-04-07 was recorded\n"


@pytest.mark.parametrize(
    ("day", "hours"), [("2025-03-08", 23), ("2025-03-09", 24), ("2025-11-01", 25), ("2025-11-02", 24)]
)
def test_a_day_on_which_clocks_are_changed(day: str, hours: int, tmp_path: Path) -> None:
    own = House(house="clocks")
    found = day_of(own, date.fromisoformat(day))
    assert (found.ends - found.begins) // (3600 * SECOND) == hours
    # From 05:30 on the day itself to 05:30 on the next: the last half hour before either turn.
    of = with_fields(build_house(), gaming_day_starts="06:00")
    script = Script(start=_at(day, 5, 30))
    script.open()
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.now = (hours * 3600) - 10.0
    script.play(PLAYER_WINS, {(1, "player"): 100_00}, "player", {(1, "player"): 100_00})
    script.close()
    assert run_nightly(write_floor(tmp_path, script, of), out=tmp_path, day=day, only={"pace"}).exit_code == 0
    row = only_row(read_report_rows(tmp_path, "pace", day))
    # The first round belongs to the day before. Open from 06:00 to 05:30, less the hour that is not there.
    assert row["rounds"] == 1
    assert abs(Fraction(row["hours"]) - (hours - Fraction(1, 2))) < Fraction(1, 60)
    assert read_report(tmp_path, "pace", day)["about"]["period"]["first"] == day


def _at(day: str, hour: int, minute: int) -> int:
    moment = datetime.fromisoformat(f"{day}T{hour:02}:{minute:02}").replace(
        tzinfo=ZoneInfo("America/New_York")
    )
    return round(moment.timestamp()) * SECOND


# ── what the live side stored ────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a floor of three rounds, and the store that has what was concluded of them."""
    folder = tmp_path_factory.mktemp("audited")
    floor = write_floor(folder, script_three_rounds())
    return floor, store_audit(floor, folder / "s.duckdb")


@pytest.fixture
def stored(audited: tuple[Path, Path], tmp_path: Path) -> tuple[Path, Path]:
    """Return the floor, and the test's own copy of the store."""
    floor, store = audited
    return floor, Path(shutil.copy(store, tmp_path))


def test_a_store_that_has_the_same_is_the_same(stored: tuple[Path, Path], tmp_path: Path) -> None:
    floor, store = stored
    ran = run_nightly(floor, "--live", str(store), out=tmp_path, only={"comparison"})
    assert [each["what"] for each in unreconciled_items(ran)] == ["paid_too_much"]
    row = only_row(read_report_rows(tmp_path, "comparison"))
    assert (row["same"], row["differing"], row["missing"], row["extra"]) == (4, 0, 0, 0)  # rounds and a shoe
    assert "run live 1 of version 1" in read_report(tmp_path, "comparison")["note"]


_DIGEST: Final = "digest: not its own in the store, its own in the audit"


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (
            "UPDATE rounds SET outcome = 'tie' WHERE round = '2'",
            "outcome: tie in the store, player in the audit; " + _DIGEST,
        ),
        (
            "UPDATE rounds SET dealer = 'nobody' WHERE round = '2'",
            "round dealer",
        ),
        (
            "UPDATE rounds SET opened = opened + INTERVAL 1 MICROSECOND WHERE round = '2'",
            "round opened; " + _DIGEST,
        ),
        (
            "UPDATE settlements SET paid_cents = paid_cents + 1 WHERE id LIKE '%|2'",
            "settlement seat 1 player paid: $100.01 in the store, $100.00 in the audit",
        ),
        (
            "UPDATE settlements SET expected_cents = expected_cents + 1 WHERE id LIKE '%|2'",
            "settlement seat 1 player expected: $100.01 in the store, $100.00 in the audit; " + _DIGEST,
        ),
        (
            "UPDATE wagers SET cents = cents + 1 WHERE id LIKE '%|2'",
            "wager seat 1 player cents: $100.01 in the store, $100.00 in the audit",
        ),
        (
            "DELETE FROM wagers WHERE id LIKE '%|2'",
            (
                "wager seat 1 player cents: nothing in the store, $100.00 in the audit; "
                "wager seat 1 player coupon: nothing in the store, $0.00 in the audit"
            ),
        ),
        (
            "UPDATE rounds SET digest = '0123456789abcdef' WHERE round = '2'",
            _DIGEST,
        ),
    ],
)
def test_a_row_of_the_store_that_was_changed_by_hand_is_named(
    changed: str, says: str, stored: tuple[Path, Path], tmp_path: Path
) -> None:
    floor, store = stored
    with duckdb.connect(str(store)) as db:
        db.execute(changed)
    found = unreconciled_items(run_nightly(floor, "--live", str(store), out=tmp_path, only=()))
    assert [(each["about"], each["what"]) for each in found[:-1]] == [("round 2", "differs")]
    assert found[0]["says"] == f"the live store has it otherwise than the audit: {says}"


def test_a_finding_of_the_store_that_was_changed_by_hand_is_named(
    stored: tuple[Path, Path], tmp_path: Path
) -> None:
    floor, store = stored
    with duckdb.connect(str(store)) as db:
        db.execute("UPDATE findings SET net_cents = 1")
    found = unreconciled_items(run_nightly(floor, "--live", str(store), out=tmp_path, only=()))
    assert found[0]["about"] == "round 3"
    assert found[0]["what"] == "differs"
    # Paid 600 where 100 was owed: 500 too much.
    says = "finding paid_too_much net: $0.01 in the store, $500.00 in the audit"
    assert says in found[0]["says"]


def test_a_different_verdict_comes_first(stored: tuple[Path, Path], tmp_path: Path) -> None:
    floor, store = stored
    with duckdb.connect(str(store)) as db:
        db.execute("UPDATE rounds SET verdict = 'clean' WHERE round = '3'")
        db.execute("UPDATE settlements SET paid_cents = expected_cents WHERE id LIKE '%|3'")
        db.execute("DELETE FROM findings WHERE round_id LIKE '%|3'")
    found = unreconciled_items(run_nightly(floor, "--live", str(store), out=tmp_path, only=()))
    assert found[0]["says"].endswith(
        ": verdict: clean in the store, mismatch in the audit; finding paid_too_much in the audit alone; "
        "settlement seat 1 player paid: $100.00 in the store, $600.00 in the audit; and 1 more"
    )


def test_where_many_tables_differ_the_command_stands_that_lists_how(
    stored: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_comparison, "_TABLES", 0)
    floor, store = stored
    with duckdb.connect(str(store)) as db:
        db.execute("UPDATE rounds SET outcome = 'tie' WHERE round = '2'")
    found = unreconciled_items(run_nightly(floor, "--live", str(store), out=tmp_path, only=()))
    command = f"discardrack diff {store} {floor}"
    assert found[0]["says"].endswith(f": see {command}")
    listed = CliRunner().invoke(main, [*command.split()[1:], "--format", "jsonl"])
    assert listed.exit_code == 1
    assert '"round":"2"' in listed.stdout


def test_what_one_side_lacks_is_named(stored: tuple[Path, Path], tmp_path: Path) -> None:
    floor, store = stored
    with duckdb.connect(str(store)) as db:
        db.execute("UPDATE rounds SET round = '9', id = '2025-04-01|BAC-1|9' WHERE round = '1'")
    found = unreconciled_items(run_nightly(floor, "--live", str(store), out=tmp_path, only=()))
    assert [(each["about"], each["what"]) for each in found[:-1]] == [
        ("round 1", "missing"),
        ("round 9", "extra"),
        ("round 1", "extra"),  # its wagers and settlements still lie there
    ]


def test_a_word_that_is_no_name_is_printed_unchanged(stored: tuple[Path, Path], tmp_path: Path) -> None:
    floor, store = stored
    with duckdb.connect(str(store)) as db:
        db.execute("UPDATE rounds SET id = 'abc' WHERE round = '1'")
    found = unreconciled_items(run_nightly(floor, "--live", str(store), out=tmp_path, only=()))
    assert ("abc", "extra") in [(each["about"], each["what"]) for each in found]


def test_a_store_without_one_of_its_tables_is_one_line(stored: tuple[Path, Path], tmp_path: Path) -> None:
    floor, store = stored
    with duckdb.connect(str(store)) as db:
        db.execute("DROP TABLE settlements")
    ran = run_nightly(floor, "--live", str(store), out=tmp_path)
    assert ran.exit_code == 2
    assert "the store cannot be read" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_record_of_the_archive_that_was_changed_by_hand_is_named(
    stored: tuple[Path, Path], tmp_path: Path
) -> None:
    floor, store = Path(shutil.copytree(stored[0], tmp_path / "floor")), stored[1]
    file = floor / "events" / "BAC-1.jsonl"
    text = file.read_text(encoding="utf-8")
    assert text.count('"cents":60000') == 1
    file.write_text(text.replace('"cents":60000', '"cents":10000'), encoding="utf-8")
    found = unreconciled_items(run_nightly(floor, "--live", str(store), out=tmp_path, only=()))
    assert ("round 3", "differs") in [(each["about"], each["what"]) for each in found]


def test_the_newest_live_run_counts_and_what_is_not_live_does_not(
    stored: tuple[Path, Path], tmp_path: Path
) -> None:
    floor, store = stored
    store_audit(floor, store)  # the same again is nothing new
    with duckdb.connect(str(store)) as db:
        db.execute("INSERT INTO runs VALUES ('what if', '2026-01-01', '1', 'a file', 'UTC', 'recorded')")
        db.execute("INSERT INTO rounds SELECT * REPLACE ('what if' AS run, 'tie' AS outcome) FROM rounds")
    row = run_nightly(floor, "--live", str(store), out=tmp_path, only=())
    assert [each["what"] for each in unreconciled_items(row)] == ["paid_too_much"]


def test_a_store_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    floor = write_floor(tmp_path, script_three_rounds())
    says = "there is no such file; name the live store's, or the address of serve, http://HOST:PORT"
    for live, said in (
        (str(tmp_path / "none.duckdb"), says),
        ("127.0.0.1:8000", says),
        (str(tmp_path), says),
        ("http://127.0.0.1:9", "is serve --broker running there?"),
    ):
        ran = run_nightly(floor, "--live", live, out=tmp_path)
        assert ran.exit_code == 2
        assert ran.stderr.count("\n") == 1
        assert said in ran.stderr
        assert not [*tmp_path.glob(".*.audited/*/*.json")]  # it is told before the audit


def test_an_unwritable_store_is_reported_before_the_audit(tmp_path: Path) -> None:
    floor = write_floor(tmp_path, script_three_rounds())
    for store in (tmp_path / "none" / "s.duckdb", floor / "house.yaml" / "s.duckdb"):
        ran = run_nightly(floor, "--store", str(store), out=tmp_path / "out")
        assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
        assert f"{store}: cannot be written: there is no folder {store.parent}" in ran.stderr
        assert not (tmp_path / "out").exists()


def test_without_a_home_that_can_be_written_to_nothing_more_is_reported(tmp_path: Path) -> None:
    floor = write_floor(tmp_path, script_three_rounds())
    known = {name: each for name, each in os.environ.items() if not name.startswith(("MPL", "XDG_"))}
    command = [str(Path(sys.executable).with_name("discardrack")), "nightly", str(floor), "--gaming-day", DAY]
    ran = subprocess.run(  # noqa: S603  our own command
        [*command, "--out", str(tmp_path / "out"), "--jobs", "1"],
        env=known | {"HOME": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    assert any("<svg" in page.read_text("utf-8") for page in (tmp_path / "out" / DAY).glob("*.html"))
    assert ran.stderr.splitlines() == [f"{tmp_path / 'out' / DAY}: new"]


# ── earlier days ─────────────────────────────────────────────────────────────────────────────────────


def test_month_and_year_to_date_and_usual_hold(tmp_path: Path) -> None:
    floor = write_floor(tmp_path, script_three_rounds())
    for day, win in (("2025-03-31", 100), ("2025-03-30", 200)):
        (tmp_path / day).mkdir()
        (tmp_path / day / "manifest.json").write_text(
            f'{{"about": {{"made": {{"archive": "{origin(floor)}"}}}}, "files": []}}', encoding="utf-8"
        )
        (tmp_path / day / "win_by_table.json").write_text(
            f'{{"rows": [{{"table": "BAC-1", "chapter": "631a", "drop_cents": 1000, "win_cents": {win}}}]}}',
            encoding="utf-8",
        )
    run_nightly(floor, out=tmp_path, only={"win_by_table", "usual_hold"})
    win = only_row(read_report_rows(tmp_path, "win_by_table"))
    assert (win["month_drop_cents"], win["year_drop_cents"]) == (1_200_00, 1_200_00 + 2000)
    note = read_report(tmp_path, "win_by_table")["note"]
    assert "not in the year to date: 2025-01-01 to 2025-03-29." in note
    assert "month" not in note
    usual = only_row(read_report_rows(tmp_path, "usual_hold"))
    # 10 % and 20 %: 15 % on average, each half a tenth away; of two days that is a deviation of 0.0707.
    assert (usual["hold"], usual["days"], usual["mean"]) == (None, 2, "3/20")
    assert Fraction(usual["spread"]) == Fraction(70710, 1_000_000)


# ── twice, and through the store ─────────────────────────────────────────────────────────────────────


def test_twice_is_once(reported: Reported, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(reported.out, out)
    again = run_nightly(reported.floor, out=out)
    assert "2025-04-01: unchanged" in again.stderr
    assert read_folder(out) == read_folder(reported.out)
    assert sorted(each.name for each in out.iterdir()) == [".lock", DAY]


def test_the_reports_are_in_the_store_once(tmp_path: Path) -> None:
    floor, store = write_floor(tmp_path, script_three_rounds()), tmp_path / "console.duckdb"
    for _ in range(2):
        run_nightly(floor, "--store", str(store), out=tmp_path, only={"cash_by_patron", "pace"})
    with duckdb.connect(str(store)) as db:
        counted = db.execute("SELECT count(*), max(edition) FROM reports").fetchone()
        ((body, role),) = db.execute(
            "SELECT body, restricted FROM reports_now WHERE report = 'cash_by_patron'"
        ).fetchall()
    names = {each.stem for each in (tmp_path / DAY).rglob("*.html")} - {"index"}
    assert {"cash_by_patron", "pace"} < names
    assert counted == (len(names), 1)
    assert body.encode() == (tmp_path / DAY / "finance" / "cash_by_patron.json").read_bytes()
    assert role == "finance"


def test_a_report_that_is_made_again_is_another_edition(tmp_path: Path) -> None:
    store = tmp_path / "console.duckdb"
    script = script_three_rounds()
    run_nightly(write_floor(tmp_path, script), "--store", str(store), out=tmp_path, only={"pace"})
    script.open()
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.close()
    run_nightly(
        write_floor(tmp_path, script, name="later"), "--store", str(store), out=tmp_path, only={"pace"}
    )
    with duckdb.connect(str(store)) as db:
        ((edition, body),) = db.execute(
            "SELECT edition, body FROM reports_now WHERE report = 'pace'"
        ).fetchall()
        ((every,),) = db.execute("SELECT count(*) FROM reports WHERE report = 'pace'").fetchall()
    assert (edition, every) == (2, 2)
    assert '"rounds": 4' in body


def test_without_out_the_reports_lie_beside_the_archive(tmp_path: Path) -> None:
    floor = write_floor(tmp_path, script_three_rounds())
    run_nightly(floor, out=None, only=())
    assert (tmp_path / "reports" / DAY / "index.html").is_file()


# ── counts, shifts and ledgers ───────────────────────────────────────────────────────────────────────

DEALER: Final = Person("D. Rahn", "dealer")
FLOOR: Final = Person("F. Oduya", "floorperson")


def counted(script: Script, occasion: str, slip: str) -> None:
    """Script a count of the inventory onto a slip, which goes into the drop box: as much as the tray has."""
    rest = script.tray - 25_00 * 400
    script.say(
        "T",
        e.InventoryListed,
        slip=slip,
        occasion=occasion,
        denominations={100_00: rest // 100_00, 25_00: 400, 25: rest % 100_00 // 25},
        counted_by=DEALER,
        witnessed_by=FLOOR,
        signatures=(DEALER, FLOOR),
    )
    script.say("T", e.SlipDropped, slip=slip)


def two_shifts() -> Script:
    """Two shifts: the first sells $500 and wins $100, the second gets a fill of $1,000 and loses $100."""
    script = Script()
    script.say("T", e.TableOpened, inventory_cents=script.tray, heard=script.heard())
    script.say("T", e.DropBoxChanged, attached="B-1")
    counted(script, "opening", "I-1")
    script.load("shoe 1")
    script.buy(1, 500_00)
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.now = 4 * 3600.0
    counted(script, "shift", "I-2")
    script.say("T", e.FillReceived, slip="F-1", cents=1_000_00, denominations={100_00: 10}, counted_by=DEALER)
    script.tray += 1_000_00
    script.play(PLAYER_WINS, {(1, "player"): 100_00}, "player", {(1, "player"): 100_00})
    script.now = 6 * 3600.0
    counted(script, "closing", "I-3")
    script.say("T", e.DropBoxChanged, removed="B-1")
    script.close()
    return script


def test_win_by_shift_where_the_inventory_was_counted(tmp_path: Path) -> None:
    # The script begins at 05:33: four hours later one shift goes, as another comes.
    own = with_fields(build_house(), shifts=["05:00", "09:30", "17:30"])
    run_nightly(write_floor(tmp_path, two_shifts(), own), out=tmp_path, only={"win_by_shift"})
    shifts = [
        (row["shift"], row["drop_cents"], row["win_cents"], row["rounds"], row["settled_win_cents"])
        for row in read_report_rows(tmp_path, "win_by_shift")
    ]
    assert shifts == [("05:00", 500_00, 100_00, 1, 100_00), ("09:30", 0, -100_00, 1, -100_00)]


def test_what_was_not_counted_between_two_shifts_is_the_win_of_neither(tmp_path: Path) -> None:
    # Between 05:33 and 09:33 a shift goes at 07:30, and nobody counts then.
    own = with_fields(build_house(), shifts=["05:00", "07:30", "09:30", "17:30"])
    run_nightly(write_floor(tmp_path, two_shifts(), own), out=tmp_path, only={"win_by_shift"})
    counted_ones = [
        (row["shift"], row["drop_cents"], row["win_cents"])
        for row in read_report_rows(tmp_path, "win_by_shift")
        if row["win_cents"] is not None
    ]
    assert counted_ones == [("09:30", 0, -100_00)]


def test_inventory_win_and_fills_by_the_table_s_own_account(tmp_path: Path) -> None:
    own = with_fields(build_house(), ledgers={"cage": ["CG-1"]})
    run_nightly(
        write_floor(tmp_path, two_shifts(), own),
        out=tmp_path,
        only={"inventory", "fills_and_credits", "win_by_table"},
    )
    row = only_row(read_report_rows(tmp_path, "inventory"))
    assert {
        name: row[f"{name}_cents"] for name in ("opener", "cash", "fills", "expected", "closer", "untyped")
    } == {
        "opener": 100_000_00,
        "cash": -500_00,
        "fills": 1_000_00,
        "expected": 100_500_00,
        "closer": 100_500_00,
        "untyped": 0,
    }
    assert (row["wagers_collected_cents"], row["wagers_paid_cents"]) == (100_00, -100_00)
    fill = only_row(read_report_rows(tmp_path, "fills_and_credits"))
    assert (fill["kind"], fill["slip"], fill["cents"], fill["denominations"]) == (
        "fill",
        "F-1",
        1_000_00,
        "10 x $100",
    )
    # 500 + 100,500 - 100,000 - 1,000 = 0
    win = only_row(read_report_rows(tmp_path, "win_by_table"))
    assert (win["drop_cents"], win["win_cents"], win["hold"], win["basis"]) == (500_00, 0, "0", "estimated")


LEDGER_DAYS: Final = ("2025-03-01", "2025-03-02")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return two simulated days of two tables, with every ledger."""
    folder = tmp_path_factory.mktemp("ledgers") / "floor"
    simulate(folder, tables=2, hours=0.75, seed="3", rates=faults.rates(), days=2)
    return folder


@pytest.fixture(scope="module")
def of_ledgers(floor: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return reports of both days, the second day's made first: it needs what the first left over."""
    out = tmp_path_factory.mktemp("of_ledgers")
    for day in reversed(LEDGER_DAYS):
        run_nightly(floor, out=out, day=day, only={"counter_checks", "win_by_table", "ledger_findings"})
    return out


def test_counter_checks_of_earlier_days_are_listed_with_their_patron_and_day(
    floor: Path, of_ledgers: Path
) -> None:
    of_floor = Recording(floor).house
    (ledger,) = [each for each in log.logs(floor) if each.name == "counter_checks"]
    entries = [entry for frame in frames(ledger) if not isinstance(frame, Unread) for entry in frame.events]
    made = {each.check: each for each in entries if isinstance(each, CheckMade)}
    gone = {each.check for each in entries if isinstance(each, CheckVoided)}
    for day in LEDGER_DAYS:
        owed = {
            check: each.cents
            - sum(
                entry.cents
                for entry in entries
                if isinstance(entry, CheckRedeemed)
                and entry.check == check
                and str(of_floor.gaming_date(entry.at)) <= day
            )
            for check, each in made.items()
            if str(of_floor.gaming_date(each.at)) <= day and check not in gone
        }
        told = read_report_rows(of_ledgers, "finance/counter_checks", day)
        assert [
            (row["check"], row["patron"], row["day"], row["table"], row["owed_cents"]) for row in told
        ] == [
            (check, made[check].patron, str(of_floor.gaming_date(made[check].at)), made[check].table, cents)
            for check, cents in sorted(owed.items())
            if cents > 0
        ]
    assert {row["day"] for row in read_report_rows(of_ledgers, "finance/counter_checks", "2025-03-02")} == {
        *LEDGER_DAYS
    }


def test_the_ledgers_of_simulated_days_are_those_of_the_audit(floor: Path, of_ledgers: Path) -> None:
    house_of_floor = Recording(floor).house
    told = [
        each.conclusion
        for each in with_ledgers(audit_logs(log.logs(floor), house_of_floor), Recording(floor))
        if isinstance(each, Concluded) and each.conclusion.account is not None
    ]
    assert {each.account for each in told} == {"inventory", "slips", "drop", "counter_checks", "coupons"}
    for day in LEDGER_DAYS:
        of_day = [each for each in told if str(each.gaming_date) == day]
        found = {row["id"] for row in read_report_rows(of_ledgers, "ledger_findings", day)}
        assert found == {finding.id for each in of_day for finding in each.findings}
        lines = [line for each in of_day if each.account == "drop" for line in each.lines]
        wins = {
            row["table"]: (row["drop_cents"], row["win_cents"])
            for row in read_report_rows(of_ledgers, "win_by_table", day)
        }
        assert wins == {
            table: tuple(
                next(each.cents for each in lines if (each.name, each.of) == (name, table))
                for name in ("drop", "win")
            )
            for table in house_of_floor.tables
        }
