"""The verb `hand`: what it shows of a round, and what it cannot find."""

import io
import json
import sys
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
import pytest

from replay.cli.terminal_page import write_page
from replay.exports.case_file.blocks import Block
from schemas import events as e
from schemas.rulebook import rulebook
from tests.builders.round_records import (
    BANKER,
    DISPUTED,
    PLAYER,
    TIE,
    audit_record,
    build_record,
    finding_ids,
    page_lines,
    run_verb,
    show_hand,
    write_records,
    write_script_floor,
)
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, build_house
from tests.builders.texts import text_of


class Terminal(io.StringIO):
    """A place to write to that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


PAGE: Final = """\
Table BAC-7, round 41: mismatch
  Gaming date                     01/01/2025
  Opened                          01/01/2025 8:15:00 PM EST (America/New_York)
  Chapter                         631a Baccarat
  Text                            since 2014-02-01, adopted (44 Pa.B. 599, 44 Pa.B. 619)
  Decks                           8
  Shoe                            not recorded
  Dealer                          D-9
  Rulebook                        {rulebook}
  Option ez                       false (default false, 631a.1)
  Option vigorish_rounding_cents  25 (default 0, 631a.13(c))
  Result by the cards             banker
  Announced                       banker

The table
  Player's Hand: 6   Banker's Hand: 7   Seat 1
  ┌───┐ ┌───┐        ┌───┐ ┌───┐        ● $37.00 on banker
  │ 6 │ │ K │        │ 7 │ │ K │          ◄ vigorish $0.25 too little
  │ ♣ │ │ ♣ │        │ ♦ │ │ ♦ │          ◄ in favor of the patron
  └───┘ └───┘        └───┘ └───┘
    1     3            2     4

  Seat 2
  ● $10.00 on player (anna)
    ◄ gain $10.00 too much
    ◄ in favor of the patron

  The number below a piece is its line in what was seen.

Seen, in order
  1  player  6c
  2  banker  7d
  3  player  Kc
  4  banker  Kd

The play by the text
  Player's Hand 6c Kc: Point Count 6.                   631a.6(b)
  Banker's Hand 7d Kd: Point Count 7.                   631a.6(b)
  Player's Hand has 6 and stays.                        631a.11(b)(2)
  Banker's Hand has 7 against no third card and stays.  631a.11(c)(1)
  Banker's Hand wins, 7 to 6.                           631a.12(a)

Wagers
  Seat    Wager        Chips     Owed    Paid  Difference  Favours
  1       banker      $37.00   $37.00  $37.00       $0.00  patron
            vigorish            $2.00   $1.75      -$0.25
  2 anna  player      $10.00  -$10.00   $0.00      $10.00  patron

Sum of seat 1 banker
  banker: chips wagered          $37.00  631a.8(a)
  banker wins                            631a.8(a)(1)(i)
  paid at 1 to 1                 $37.00  631a.13(c)
  vigorish 5% of $37.00 won       $1.85  631a.13(c)
  rounded up as the house chose   $2.00  631a.13(c)

Sum of seat 2 anna player
  player: chips wagered                   $10.00  631a.8(a)
  player loses: the chips are collected  -$10.00  631a.8(a)(2)(ii)
"""


def test_a_hand_stands_on_the_table_again_card_by_card_and_chip_by_chip(tmp_path: Path) -> None:
    result = run_verb("hand", write_records(tmp_path, DISPUTED), "BAC-7", "41")
    assert result.exit_code == 0
    book = rulebook("631a", date(2025, 1, 1), {"vigorish_rounding_cents": 25})
    head, found = result.stdout.split("\nFindings\n")
    assert head == PAGE.replace("{rulebook}", book.digest)
    found, notes, missing = found.split("\n\n")
    audited = audit_record(DISPUTED).findings
    assert [each.check for each in audited] == ["loser_not_collected", "vigorish_rounding_wrong"]
    assert page_lines(found) == [
        line
        for each, at in zip(audited, ("seat 2 anna", "seat 1"), strict=True)
        for line in (
            f"{each.id} {each.check}: {at}: {text_of(each.message)}",
            f"{', '.join(each.citations)}, adopted; favours the patron",
        )
    ]
    assert notes == "Notes\n  none"
    assert missing == "Missing or contradicted\n  none\n"


def test_the_same_hand_as_data(tmp_path: Path) -> None:
    told = show_hand(write_records(tmp_path, DISPUTED))
    banker, anna = told["wagers"]
    assert (banker["owed_cents"], banker["owed_vigorish_cents"]) == (3700, 200)
    assert (banker["difference_cents"], banker["vigorish_difference_cents"]) == (0, -25)
    assert (anna["seat"], anna["bettor"], anna["paid_cents"], anna["difference_cents"]) == (
        2,
        "anna",
        0,
        1000,
    )
    assert told["heading"]["opened"] == "2025-01-01T20:15:00-05:00"
    assert told["heading"]["text"] == {"status": "adopted", "source": "44 Pa.B. 599, 44 Pa.B. 619"}
    assert told["reasons"][-1] == {
        "says": "Banker's Hand wins, 7 to 6.",
        "cents": None,
        "cited": {"provision": "631a.12(a)", "status": "adopted", "since": "2014-02-01"},
    }


def test_less_vigorish_favours_the_patron_and_less_gain_the_house(tmp_path: Path) -> None:
    told = build_record(
        BANKER,
        wagers=[{"seat": seat, "wager": "banker", "cents": 2000} for seat in (1, 2, 3)],
        paid=[
            {"seat": 1, "wager": "banker", "cents": 2000, "vigorish_cents": 0},
            {"seat": 2, "wager": "banker", "cents": 1900, "vigorish_cents": 100},
            {"seat": 3, "wager": "banker", "cents": 2000, "vigorish_cents": 100},
        ],
    )
    assert [each["favours"] for each in show_hand(write_records(tmp_path, told))["wagers"]] == [
        "patron",
        "house",
        None,
    ]


def test_what_was_paid_where_no_wager_lay_is_shown_against_nothing_owed(tmp_path: Path) -> None:
    told = build_record(BANKER, paid=[{"seat": 5, "wager": "player", "cents": 700}])
    (spot,) = show_hand(write_records(tmp_path, told))["wagers"]
    assert (spot["cents"], spot["owed_cents"], spot["paid_cents"], spot["difference_cents"]) == (
        0,
        0,
        700,
        700,
    )
    assert (spot["favours"], spot["steps"]) == ("patron", [])


def test_house_money_that_was_added_stands_in_the_sum(tmp_path: Path) -> None:
    """$20 of House Money on one pair, added to $100 on a Banker who wins, at 5%."""
    play = [["player", "6c"], ["banker", "Kd"], ["player", "6h"], ["banker", "8d"]]
    told = build_record(
        [*play, ["seat3", "house_money_add_banker"]],
        options={"house_money": True},
        wagers=[
            {"seat": 3, "wager": "house_money", "cents": 2000},
            {"seat": 3, "wager": "banker", "cents": 10000},
        ],
        paid=[
            {"seat": 3, "wager": "house_money", "cents": 6000},
            {"seat": 3, "wager": "banker", "cents": 16000, "vigorish_cents": 800},
        ],
    )
    data = show_hand(write_records(tmp_path, told))
    assert data["verdict"] == "clean"
    assert [(each["cents"], each["owed_cents"], each["owed_vigorish_cents"]) for each in data["wagers"]] == [
        (10000, 16000, 800),
        (2000, 6000, 0),
    ]
    assert [(step["cents"], step["cited"]["provision"]) for step in data["wagers"][0]["steps"]] == [
        (10000, "631a.8(a)"),
        (6000, "631a.9(e)(1)(i)"),
        (None, "631a.8(a)(1)(i)"),
        (16000, "631a.13(c)"),
        (800, "631a.13(c)"),
    ]
    assert data["play"][-1] == ["seat3", "house_money_add_banker"]
    # All of these would move this hand's money; the odds of a tie would not.
    assert [each["option"] for each in data["heading"]["options"]] == [
        "ez",
        "house_money",
        "house_money_portion",
        "house_money_vigorish",
    ]


def test_what_is_returned_of_a_void_round_is_what_lay_there(tmp_path: Path) -> None:
    told = build_record([["dealer", "void"]], wagers=[{"seat": 1, "wager": "banker", "cents": 2500}])
    (spot,) = show_hand(write_records(tmp_path, told))["wagers"]
    assert [(step["says"], step["cents"]) for step in spot["steps"]] == [
        ("banker: chips wagered", 2500),
        ("the round is void: the wager is returned", 0),
    ]


def test_only_options_that_bear_on_the_hand_are_named(tmp_path: Path) -> None:
    lost = build_record(
        PLAYER, options={"tie_odds": 9}, wagers=[{"seat": 1, "wager": "banker", "cents": 100}]
    )
    assert [
        (each["option"], each["value"])
        for each in show_hand(write_records(tmp_path, lost))["heading"]["options"]
    ] == [("tie_odds", "9")]


def test_money_that_hangs_on_a_card_that_was_not_read_is_open(tmp_path: Path) -> None:
    play = [["player", "?c"], ["banker", "7d"], ["player", "Kc"], ["banker", "Kd"]]
    told = build_record(play, wagers=[{"seat": 1, "wager": "banker", "cents": 100}], announced="banker")
    path = write_records(tmp_path, told)
    result = run_verb("hand", path, "BAC-7", "41")
    assert result.exit_code == 0
    assert result.stdout.startswith("Table BAC-7, round 41: undetermined\n")
    page = page_lines(result.stdout)
    assert "Player's Hand: not read Banker's Hand: 7 Seat 1" in page
    assert "1 banker $1.00 open not seen open" in page
    assert "Result by the cards not decided" in page
    assert "A card was not read: what followed cannot be told. 631a.6(b)" in page
    assert not any(line.startswith("Sum of") for line in page)


def test_a_game_without_a_result_of_the_whole_round_shows_none_and_no_call(tmp_path: Path) -> None:
    told = build_record([["shooter", "seat1"], ["dice", "3-4"]], chapter="623a")
    data = show_hand(write_records(tmp_path, told))
    assert (data["has_result"], data["outcome"], data["announced"]) == (False, None, None)
    page = page_lines(run_verb("hand", tmp_path / "rounds.jsonl", "BAC-7", "41").stdout)
    assert page[page.index("The table") - 2].startswith("Rulebook ")
    assert not any(line.startswith(("Result", "Announced")) for line in page)
    void = write_records(tmp_path, build_record([["shooter", "seat1"], ["dealer", "void"]], chapter="623a"))
    assert "Result void" in page_lines(run_verb("hand", void, "BAC-7", "41").stdout)
    assert show_hand(write_records(tmp_path, DISPUTED))["has_result"] is True


def test_a_hand_that_no_text_continues_has_no_explained_play(tmp_path: Path) -> None:
    """The Player's Hand drew rightly, and the Banker's Hand on 3 against a card worth 0 got none."""
    play = [["player", "5d"], ["banker", "2c"], ["player", "8s"], ["banker", "Ah"], ["player", "Js"]]
    assert [
        (line["says"], line["cited"]["provision"])
        for line in show_hand(write_records(tmp_path, build_record(play)))["reasons"]
    ] == [
        ("the Banker's Hand had 3 against a third card worth 0 and got no third card", "631a.11(c)(2)(iii)")
    ]


def test_a_day_without_a_text_is_said_and_nothing_is_settled(tmp_path: Path) -> None:
    told = build_record(
        BANKER, gaming_date="2010-05-01", wagers=[{"seat": 1, "wager": "banker", "cents": 100}]
    )
    data = show_hand(write_records(tmp_path, told))
    assert (data["heading"]["text"], data["heading"]["rulebook"], data["reasons"]) == (None, None, [])
    assert data["wagers"][0]["owed_cents"] is None
    page = run_verb("hand", tmp_path / "rounds.jsonl", "BAC-7", "41").stdout
    assert "none in force" in page
    assert "its text begins on 2012-05-19" in page


def test_a_text_that_was_reconstructed_says_so(tmp_path: Path) -> None:
    told = show_hand(write_records(tmp_path, build_record(BANKER, gaming_date="2013-05-01")))
    assert (told["heading"]["since"], told["heading"]["text"]["status"]) == ("2012-05-19", "reconstructed")
    assert {line["cited"]["status"] for line in told["reasons"]} == {"reconstructed"}


def test_nothing_in_the_data_reaches_the_terminal_as_a_command(tmp_path: Path) -> None:
    evil = "\x1b[2Jx"
    told = build_record(
        BANKER,
        table=evil,
        round=evil,
        shoe=evil,
        dealer=evil,
        announced="banker",
        wagers=[{"seat": 1, "wager": evil, "bettor": evil, "cents": 100, "coupon": evil}],
        paid=[{"seat": 1, "wager": evil, "bettor": evil, "cents": 100}],
    )
    result = run_verb("hand", write_records(tmp_path, told), evil, evil)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert result.stdout.count("\\x1b[2Jx") >= 8
    for found in finding_ids(told).values():
        page = run_verb("explain", tmp_path / "rounds.jsonl", found)
        assert page.exit_code == 0
        assert "\x1b" not in page.stdout


def test_no_sum_is_broken_over_two_lines_of_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "30")
    spot = ("dragon_bonus_banker", "$1,190.00", "-$1,190.00", "$56,789.25", "-$57,979.25")
    write_page([Block("Wagers", [spot], ("Wager", "Chips", "Owed", "Vigorish owed", "Paid"))])
    text = terminal.getvalue()
    assert "\x1b[1mWagers" in text
    assert all(sum_ in text for sum_ in spot[1:])


# ── finding the round ────────────────────────────────────────────────────────────────────────────────


def test_a_round_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    path = write_records(tmp_path, DISPUTED)
    for table, number, says in (
        ("BAC-7", "42", "round '42' of table 'BAC-7' is not there"),
        ("BAC-8", "41", "no table 'BAC-8'; it holds BAC-7"),
    ):
        result = run_verb("hand", path, table, number)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr == f"discardrack: {path}: {says}\n"


def test_a_line_that_cannot_be_read_may_be_the_one_and_is_named(tmp_path: Path) -> None:
    path = write_records(tmp_path, DISPUTED, build_record([["player", "1c"]], round="42"))
    result = run_verb("hand", path, "BAC-7", "42")
    assert result.exit_code == 2
    assert result.stderr.endswith(
        "is not there; 1 of its lines could not be read, the first is line 2: play: '1c' is not a card\n"
    )
    assert run_verb("hand", path, "BAC-7", "41").exit_code == 0


def test_what_could_not_be_read_is_quoted_safely(tmp_path: Path) -> None:
    twice = [{"seat": 1, "wager": "\x1b[2J", "cents": 100}] * 2
    result = run_verb("hand", write_records(tmp_path, build_record(BANKER, wagers=twice)), "BAC-7", "41")
    assert result.exit_code == 2
    assert "the first is line 1: seat 1, wager \\x1b[2J is listed twice" in result.stderr
    assert "\x1b" not in result.stderr


def test_a_number_of_several_days_asks_for_the_day(tmp_path: Path) -> None:
    path = write_records(tmp_path, DISPUTED, build_record(TIE, gaming_date="2025-01-02"))
    result = run_verb("hand", path, "BAC-7", "41")
    assert result.exit_code == 2
    assert result.stderr.endswith("was played on 2025-01-01, 2025-01-02; say which with --gaming-day\n")
    assert show_hand(path, "--date", "2025-01-02")["outcome"] == "tie"
    assert show_hand(path, "--date", "2025-01-01")["outcome"] == "banker"
    other = run_verb("hand", path, "BAC-7", "41", "--date", "2025-01-03")
    assert other.exit_code == 2
    assert other.stderr.endswith("is not there on 2025-01-03; it is there on 2025-01-01, 2025-01-02\n")


def test_records_that_contradict_each_other_about_a_round_are_both_shown(tmp_path: Path) -> None:
    path = write_records(tmp_path, DISPUTED, build_record(TIE), DISPUTED)
    result = run_verb("hand", path, "BAC-7", "41", "--format", "json")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["verdict"] for each in told] == ["undetermined"] * 3
    assert [each["findings"][0]["check"] for each in told] == ["source_conflict"] * 3
    assert told[0]["play"] == told[2]["play"] != told[1]["play"]


def test_a_round_that_is_recorded_twice_alike_is_shown_once(tmp_path: Path) -> None:
    assert (
        show_hand(write_records(tmp_path, DISPUTED, DISPUTED), "--date", "2025-01-01")["outcome"] == "banker"
    )


def test_a_house_file_says_what_the_record_does_not(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_bytes(msgspec.yaml.encode(build_house(tie_odds=9)))
    told = build_record(TIE, table="BAC-1", wagers=[{"seat": 1, "wager": "tie", "cents": 100}])
    result = run_verb(
        "hand", write_records(tmp_path, told), "BAC-1", "41", "--house", own, "--format", "json"
    )
    assert json.loads(result.stdout)["wagers"][0]["owed_cents"] == 900


# ── recorded events ──────────────────────────────────────────────────────────────────────────────────


def test_an_archive_is_read_only_where_the_table_stands(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.play(BANKER_WINS, {(1, "banker"): 2000}, "banker", {(1, "banker"): 2000}, {(1, "banker"): 100})
    path = write_script_floor(tmp_path, script, build_house())
    (path / "events" / "BAC-2.jsonl").mkdir()  # cannot be opened: whoever reads it fails
    result = run_verb("hand", path, "BAC-1", "1", "--format", "json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert (told["verdict"], told["outcome"], told["heading"]["shoe"]) == ("clean", "banker", "shoe 1")
    # START is 05:33:20 in New York, the table's shoe was loaded two seconds later.
    assert told["heading"]["opened"].startswith("2025-04-01T05:33:22")
    assert told["hands"] == [
        {
            "hand": hand,
            "pieces": [
                {"face": face, "line": line, "counts": True, "kind": "card"}
                for face, line in zip(cards, at, strict=True)
            ],
            "point_count": counts,
            "remark": "",
        }
        for hand, cards, at, counts in (
            ("player", ("6c", "Kc"), (2, 4), 6),
            ("banker", ("7d", "Kd"), (3, 5), 7),
        )
    ]
    missing = run_verb("hand", path, "BAC-3", "1")
    assert missing.exit_code == 2
    assert missing.stderr == f"discardrack: {path}: no table 'BAC-3'; it holds BAC-1, BAC-2\n"


def test_a_report_that_did_not_arrive_is_named_with_what_it_leaves_open(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.play(BANKER_WINS, {(1, "banker"): 2000}, "banker", {(1, "banker"): 2000}, {(1, "banker"): 100})
    lost = next(each for each in script.events if isinstance(each, e.ChipsPaid))
    script.events.remove(lost)
    told = json.loads(
        run_verb(
            "hand", write_script_floor(tmp_path, script, build_house()), "BAC-1", "1", "--format", "json"
        ).stdout
    )
    assert told["verdict"] == "undetermined"
    assert {
        "check": "data_missing",
        "message": f"C number {lost.seq} of epoch 1 did not arrive",
        "device": "C",
        "leaves_open": "what was wagered and paid",
    } in told["uncertain"]
    assert told["wagers"][0]["owed_cents"] is None
    assert told["outcome"] == "banker"


def test_an_announcement_in_no_word_of_the_game_is_shown_as_open(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.play(BANKER_WINS, {(1, "banker"): 2000}, "dragon", {(1, "banker"): 2000}, {(1, "banker"): 100})
    told = json.loads(
        run_verb(
            "hand", write_script_floor(tmp_path, script, build_house()), "BAC-1", "1", "--format", "json"
        ).stdout
    )
    assert {
        "check": "data_missing",
        "message": "announced 'dragon', which is no result of this game",
        "device": "T",
        "leaves_open": "what was announced",
    } in told["uncertain"]


def test_a_correction_is_part_of_what_was_paid_and_explained(tmp_path: Path) -> None:
    """$15 paid for $20: $5 more before the round closed; on seat 2 the same after it closed."""
    script = Script()
    script.open()
    wagers = {(1, "player"): 2000, (2, "player"): 2000}
    script.begin(wagers)
    script.no_more_bets(wagers)
    script.deal(PLAYER_WINS)
    script.announce("player")
    script.settle({(1, "player"): 1500, (2, "player"): 1500})
    script.adjust((1, "player"), 500)
    script.end()
    script.adjust((2, "player"), 500)
    path = write_script_floor(tmp_path, script, build_house())
    told = json.loads(run_verb("hand", path, "BAC-1", "1", "--format", "json").stdout)
    assert [
        (each["paid_cents"], each["righted_cents"], each["later_cents"], each["difference_cents"])
        for each in told["wagers"]
    ] == [(2000, 500, 0, 0), (2000, 0, 500, 0)]
    assert [found["check"] for found in told["findings"]] == ["paid_too_little"]
    page = page_lines(run_verb("hand", path, "BAC-1", "1").stdout)
    assert "seat 1 player before the round closed gain $5.00 vigorish $0.00" in page
    assert "seat 2 player after the round closed gain $5.00 vigorish $0.00" in page


def test_an_exhausted_shoe_is_explained_before_what_was_called(tmp_path: Path) -> None:
    script = Script()
    script.open()
    wagers = {(1, "player"): 2000}
    script.begin(wagers)
    script.no_more_bets(wagers)
    script.deal("P6c B7d PKc")
    script.say("S", e.ShoeExhausted, round="1")
    script.tell(e.RoundVoided)
    script.end()
    told = json.loads(
        run_verb(
            "hand", write_script_floor(tmp_path, script, build_house()), "BAC-1", "1", "--format", "json"
        ).stdout
    )
    assert told["play"][-2:] == [["shoe", "held no card to draw"], ["dealer", "void"]]
    assert (told["verdict"], told["outcome"], told["wagers"][0]["owed_cents"]) == ("clean", "void", 0)


@pytest.mark.parametrize("verb", [("hand", "BAC-7", "41"), ("explain", "0123456789")])
def test_a_folder_that_holds_no_events_is_refused(tmp_path: Path, verb: tuple[str, ...]) -> None:
    result = run_verb(verb[0], tmp_path, *verb[1:])
    assert result.exit_code == 2
    assert "neither a file nor an archive folder" in result.stderr
