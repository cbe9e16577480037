"""`whatif`: the same hands under other rules, with every cent worked out here by hand."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from schemas import events as e
from tests.builders.round_records import (
    BANKER,
    build_record,
    printed_rows,
    rows_of_kind,
    run_verb,
    write_records,
    write_script_floor,
)
from tests.builders.table_script import BANKER_WINS, TIE, Script, Spot, build_house

ANN: Spot = (3, "tie")
BOB: Spot = (6, "tie")
Rows = list[dict[str, Any]]


def rows(path: Path, *arguments: object) -> Rows:
    return printed_rows("whatif", path, *arguments)


def money(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["owed_cents"], row["whatif_cents"], row["difference_cents"]


def ties() -> Script:
    """Play two ties, paid 8 to 1, and a Banker's win under two dealers; Ann, who is known, changes seats."""
    s = Script()
    s.open()
    s.say("T", e.PlayerSeated, seat=3, patron="Ann")
    s.say("T", e.DealerAssigned, dealer="dana", calling=True)
    s.play(TIE, {ANN: 1000, (5, "player"): 2000}, "tie", {ANN: 8000})
    s.play(BANKER_WINS, {ANN: 500}, "banker", {ANN: -500})
    s.say("T", e.PlayerLeft, seat=3)
    s.say("T", e.PlayerSeated, seat=6, patron="Ann")
    s.say("T", e.DealerAssigned, dealer="eric", calling=True)
    s.play(TIE, {ANN: 700, BOB: 500}, "tie", {ANN: 5600, BOB: 4000})
    s.close()
    return s


def test_ties_at_9_to_1_by_patron_dealer_table_and_in_all(tmp_path: Path) -> None:
    found = rows(write_script_floor(tmp_path, ties(), build_house()), "--set", "631a.tie_odds=9")
    wagers = [(row["round"], row["seat"], row["patron"], *money(row)) for row in rows_of_kind(found, "wager")]
    assert wagers == [
        ("1", 3, "Ann", 8000, 9000, 1000),
        ("3", 3, None, 5600, 6300, 700),
        ("3", 6, "Ann", 4000, 4500, 500),
    ]
    assert [(row["round"], *money(row)) for row in rows_of_kind(found, "round")] == [
        ("1", 8000, 9000, 1000),
        ("3", 9600, 10800, 1200),
    ]
    assert {row["patron"]: money(row) for row in rows_of_kind(found, "patron")} == {
        "Ann": (12000, 13500, 1500),
        "not known": (5600, 6300, 700),
    }
    assert {row["dealer"]: money(row) for row in rows_of_kind(found, "dealer")} == {
        "dana": (8000, 9000, 1000),
        "eric": (9600, 10800, 1200),
    }
    (table,), (total,) = rows_of_kind(found, "table"), rows_of_kind(found, "total")
    assert (table["table"], *money(table)) == ("BAC-1", 17600, 19800, 2200)
    assert (total["rounds"], total["hands"], total["to_patron_cents"], total["to_house_cents"]) == (
        2,
        3,
        2200,
        0,
    )


def test_an_option_without_a_chapter_counts_wherever_it_is(tmp_path: Path) -> None:
    found = rows(write_script_floor(tmp_path, ties(), build_house()), "--set", "tie_odds=9")
    assert [row["difference_cents"] for row in rows_of_kind(found, "total")] == [2200]


def test_the_rules_on_record_change_nothing(tmp_path: Path) -> None:
    assert rows(write_script_floor(tmp_path, ties(), build_house()), "--set", "631a.tie_odds=8") == []


def test_another_house_brings_its_own_choices(tmp_path: Path) -> None:
    s = Script()
    s.open()
    banker: Spot = (1, "banker")
    # 5% of $35.00 is $1.75; rounded up to a quarter it is the same, of $33.00 it is $1.65, rounded $1.75.
    s.play(BANKER_WINS, {banker: 3500}, "banker", {banker: 3500}, {banker: 175})
    s.play(BANKER_WINS, {banker: 3300}, "banker", {banker: 3300}, {banker: 165})
    s.close()
    (tmp_path / "there").mkdir()
    other = write_script_floor(tmp_path / "there", s, build_house(vigorish_rounding_cents=25)) / "house.yaml"
    (tmp_path / "here").mkdir()
    found = rows(write_script_floor(tmp_path / "here", s, build_house()), "--house", str(other))
    assert [(row["round"], row["says"], *money(row)) for row in rows_of_kind(found, "wager")] == [
        ("2", "vigorish", 3135, 3125, -10)
    ]
    assert [(row["to_patron_cents"], row["to_house_cents"]) for row in rows_of_kind(found, "total")] == [
        (0, -10)
    ]


# ── another date, another reading ────────────────────────────────────────────────────────────────────


def test_before_ez_baccarat_the_banker_paid_vigorish_and_there_was_no_dragon_7(tmp_path: Path) -> None:
    told = build_record(
        BANKER,
        options={"ez": True},
        wagers=[
            {"seat": 1, "wager": "banker", "cents": 2000},
            {"seat": 2, "wager": "dragon_7", "cents": 500},
            {"seat": 4, "wager": "player", "cents": 1000},
        ],
        paid=[
            {"seat": 1, "wager": "banker", "cents": 2000},
            {"seat": 2, "wager": "dragon_7", "cents": -500},
            {"seat": 4, "wager": "player", "cents": -1000},
        ],
    )
    found = rows(write_records(tmp_path, told), "--as-of", "2012-09-01")
    wagers = {row["wager"]: (row["effect"], *money(row)) for row in rows_of_kind(found, "wager")}
    # 5% of $20.00 is $1.00; the Player's wager is lost under either text.
    assert wagers == {
        "banker": ("changed", 2000, 1900, -100),
        "dragon_7": ("unplayable", -500, None, None),
    }
    (unplayable,) = (row for row in rows_of_kind(found, "wager") if row["wager"] == "dragon_7")
    assert unplayable["says"] == "the wager is in the text from 2014-02-01 only (631a.8(a))"
    totals = {
        row["effect"]: (row["rounds"], row["hands"], row["difference_cents"])
        for row in rows_of_kind(found, "total")
    }
    assert totals == {"all": (1, 2, -100), "changed": (1, 1, -100), "unplayable": (1, 1, None)}


def test_before_the_chapter_nothing_could_be_wagered(tmp_path: Path) -> None:
    told = build_record(BANKER, wagers=[{"seat": 1, "wager": "player", "cents": 1000}])
    (wager,) = rows_of_kind(rows(write_records(tmp_path, told), "--as-of", "2011-01-01"), "wager")
    assert (wager["effect"], *money(wager)) == ("unplayable", -1000, None, None)
    assert "Chapter 631a is not in force on 2011-01-01" in wager["says"]


def two_aces(play: list[list[str]], wager: str, **options: Any) -> dict[str, Any]:
    return build_record(
        play,
        chapter="681a",
        options=options,
        # Without one on a hand no Tie or Bonus Wager may be made, 681a.6(d).
        wagers=[
            {"seat": 3, "wager": wager, "cents": 100},
            {"seat": 3, "bettor": "beside", "wager": "player", "cents": 100},
        ],
        announced=None,
    )


def test_the_other_reading_of_a_tie_with_two_aces(tmp_path: Path) -> None:
    # 681a.6(d)(1), 681a.7(k)(1): two aces count 12; with a 12 of other cards they tie by value, at 10 to 1.
    play = [["player", "Ac"], ["banker", "Td"], ["player", "Ad"], ["banker", "2c"]]
    found = rows(write_records(tmp_path, two_aces(play, "tie")), "--set", "681a.ace_ace_tie=value")
    assert [money(row) for row in rows_of_kind(found, "wager")] == [(-100, 1000, 1100)]


def test_a_hand_that_would_have_been_dealt_otherwise_has_no_amount(tmp_path: Path) -> None:
    # 681a.7(f)(2): two aces take a card for the Bonus Wager by one reading, and none by the other.
    play = [["player", "Ac"], ["banker", "Td"], ["player", "Ad"], ["banker", "8c"], ["player", "9h"]]
    told = two_aces(play, "bonus_player", ace_ace_bonus_card="drawn")
    found = rows(write_records(tmp_path, told), "--set", "21_baccarat.ace_ace_bonus_card=none")
    (wager,) = [each for each in rows_of_kind(found, "wager") if each["wager"] == "bonus_player"]
    assert (wager["effect"], *money(wager)) == ("plays_otherwise", 800, None, None)


def test_what_is_open_on_record_is_said_apart(tmp_path: Path) -> None:
    unread = [["player", "6c"], ["banker", "7d"], ["player", "??"], ["banker", "Kd"]]
    told = build_record(unread, wagers=[{"seat": 1, "wager": "tie", "cents": 1000}])
    (wager,) = rows_of_kind(rows(write_records(tmp_path, told), "--set", "631a.tie_odds=9"), "wager")
    assert (wager["effect"], wager["says"], *money(wager)) == (
        "not_known",
        "what is owed is not known on record and under the other rules",
        None,
        None,
        None,
    )


def test_events_without_their_own_house_file_are_read_by_the_one_that_is_named(tmp_path: Path) -> None:
    folder = write_script_floor(tmp_path, ties(), build_house())
    own = (folder / "house.yaml").rename(tmp_path / "own.yaml")
    result = run_verb("whatif", folder, "--set", "631a.tie_odds=9")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "say theirs with --own-house FILE" in result.stderr
    found = rows(folder, "--set", "631a.tie_odds=9", "--own-house", str(own))
    assert [row["difference_cents"] for row in rows_of_kind(found, "total")] == [2200]


def test_text_of_a_record_reaches_no_spreadsheet_or_terminal_as_a_command(tmp_path: Path) -> None:
    wager = {"seat": 1, "wager": "tie", "cents": 1000, "bettor": "=1+1\x1b[2J"}
    path = write_records(tmp_path, build_record(TIE_PLAY, wagers=[wager], dealer="@dana"))
    for form in ("csv", "table"):
        printed = run_verb("whatif", path, "--set", "631a.tie_odds=9", "--format", form).stdout
        assert "\x1b" not in printed
    assert ",'@dana," in run_verb("whatif", path, "--set", "631a.tie_odds=9", "--format", "csv").stdout


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────────


def test_a_what_if_is_stored_as_an_audit_under_those_rules_concludes(tmp_path: Path) -> None:
    folder, store = write_script_floor(tmp_path, ties(), build_house()), tmp_path / "what_if.duckdb"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert rows(folder, "--set", "631a.tie_odds=9", "--store", store)
    assert {path: path.read_bytes() for path in before} == before
    (tmp_path / "nine").mkdir()
    nine = write_script_floor(tmp_path / "nine", ties(), build_house(tie_odds=9))
    told = run_verb("diff", store, nine, "--format", "jsonl").stdout.splitlines()
    differing = [json.loads(line) for line in told]
    # Its shoes are not concluded again; of the rounds nothing differs.
    assert [(row["what"], row["round"], row["shoe"]) for row in differing] == [("only in B", None, "shoe 1")]
    with duckdb.connect(str(store), read_only=True) as db:
        assert db.execute("SELECT source FROM runs").fetchall() == [
            (f"what if 631a.tie_odds=9: {folder.name}",)
        ]


def test_a_what_if_goes_into_no_store_that_is_there(tmp_path: Path) -> None:
    folder, store = write_script_floor(tmp_path, ties(), build_house()), tmp_path / "live.duckdb"
    store.write_bytes(b"the live record")
    result = run_verb("whatif", folder, "--set", "631a.tie_odds=9", "--store", store)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is there already" in result.stderr
    assert store.read_bytes() == b"the live record"


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = write_records(
        tmp_path, build_record(TIE_PLAY, wagers=[{"seat": 1, "wager": "tie", "cents": 1000}])
    )
    path.write_text(f"{path.read_text()}no record\n")
    result = run_verb("whatif", path, "--set", "631a.tie_odds=9", "--format", "jsonl")
    assert result.exit_code == 2
    assert f"{path}:2: " in result.stderr
    assert json.loads(result.stdout.splitlines()[-1])["difference_cents"] == 1000


TIE_PLAY = [["player", "6c"], ["banker", "6d"], ["player", "Kc"], ["banker", "Kd"]]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "nothing is otherwise"),
        (("--set", "tie_pays=9"), "no option 'tie_pays' in any chapter; nearest: tie_odds"),
        (("--set", "bacarat.tie_odds=9"), "no game 'bacarat'; nearest: baccarat"),
        (("--set", "631a.tie_odds"), "write CHAPTER.OPTION=VALUE"),
        (("--set", "631a.tie_odds={"), "the value is written as in a house file"),
        (("--set", "631a.vigorish=4%"), "'4%' is not among \"5%\""),
        (("--house", "nowhere.yaml"), "no house file 'nowhere.yaml'"),
    ],
)
def test_a_wrong_call_says_what_to_do(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    result = run_verb("whatif", write_script_floor(tmp_path, ties(), build_house()), *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr
