"""The verb import: vendors' rows into round records, none of them guessed."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from replay.cli import main

ROUNDS = "round_id,dealt_at,P1,B1,P2,B2,P3,B3,site_outcome\n"
SHOES = "shoe,round,winner,player_total,banker_total,point_values_player_then_banker\n"
P, B = "player", "banker"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# The form with rank and suit.


def test_ranks_and_suits_in_the_order_in_which_they_were_dealt(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "log.csv",
        ROUNDS
        + "77,2025-03-02 01:15:00,H.13,D.6,S.4,C.1,H.5,,P\n"  # 4 draws a 5; the Banker's 7 stays
        + "78,2025-07-02 01:15:00,H.6,D.10,S.11,C.3,,S.2,B\n"  # 6 stays; the Banker's 3 draws a 2
        + "79,2025-07-02 01:16:00,C.4,D.12,S.4,C.8,,,T\n",  # 8 and 8
    )
    done = run("import", file, "--table", "B1", "--zone", "America/New_York")
    assert done.exit_code == 0, done.stderr
    assert objects(done.stdout) == [
        {
            "table": "B1", "round": "77", "chapter": "631a", "at": "2025-03-02T06:15:00Z", "wagers": [],
            "play": [[P, "Kh"], [B, "6d"], [P, "4s"], [B, "Ac"], [P, "5h"]],
            "announced": "player",
        },
        {
            "table": "B1", "round": "78", "chapter": "631a", "at": "2025-07-02T05:15:00Z", "wagers": [],
            "play": [[P, "6h"], [B, "Td"], [P, "Js"], [B, "3c"], [B, "2s"]],
            "announced": "banker",
        },
        {
            "table": "B1", "round": "79", "chapter": "631a", "at": "2025-07-02T05:16:00Z", "wagers": [],
            "play": [[P, "4c"], [B, "Qd"], [P, "4s"], [B, "8c"]],
            "announced": "tie",
        },
    ]  # fmt: skip
    assert done.stderr == f"{file}: 3 rounds: 3 written, 0 ambiguous, 0 repeated, 0 unreadable\n"


def test_the_clock_is_utc_and_decks_are_unknown_unless_given(tmp_path: Path) -> None:
    file = write(tmp_path, "log.csv", ROUNDS + "77,2025-03-02 01:15:00,H.13,D.6,S.4,C.1,H.5,,P\n")
    (record,) = objects(run("import", file, "--table", "B1").stdout)
    assert record["at"] == "2025-03-02T01:15:00Z"
    assert "decks" not in record
    (record,) = objects(run("import", file, "--table", "B1", "--decks", "6").stdout)
    assert record["decks"] == 6


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("1,2025-03-02 01:15:00,H.14,D.6,S.4,C.1,H.5,,P", "P1 'H.14' is not a card"),
        ("1,2025-03-02 01:15:00,H.0,D.6,S.4,C.1,H.5,,P", "P1 'H.0' is not a card"),
        ("1,2025-03-02 01:15:00,H.3,X.6,S.4,C.1,H.5,,P", "B1 'X.6' is not a card"),
        ("1,2025-03-02 01:15:00,H.3,D.6,,C.1,H.5,,P", "P2 '' is not a card"),
        ("1,2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H5,,P", "P3 'H5' is not a card"),
        ("1,2025-03-02 01:15:00,H.3,D.6,S.4,C.1,,.5,P", "B3 '.5' is not a card"),
        ("1,2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H.5,,player", "site_outcome 'player' is none of P, B, T"),
        ("1,2025-02-30 01:15:00,H.3,D.6,S.4,C.1,H.5,,P", "dealt_at '2025-02-30 01:15:00' is not a time"),
        ("1,0001-01-01 00:00:00,H.3,D.6,S.4,C.1,H.5,,P", "dealt_at '0001-01-01 00:00:00' is not a time"),
        (",2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H.5,,P", "round_id is empty"),
        ("1,2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H.5,P", "8 cells where the head has 9"),
        ('1,"2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H.5,,P', "unexpected end of data"),
    ],
)
def test_a_bad_row_is_named_and_the_others_go_on(tmp_path: Path, row: str, says: str) -> None:
    good = "8,2025-03-02 01:15:00,H.13,D.6,S.4,C.1,H.5,,P\n"
    file = write(tmp_path, "log.csv", ROUNDS + row + "\n" + good)
    done = run("import", file, "--table", "B1", "--zone", "Asia/Tokyo")
    assert done.exit_code == 1
    assert [record["round"] for record in objects(done.stdout)] == ["8"]
    reason, summary = done.stderr.splitlines()
    assert reason.startswith(f"{file}:2: unreadable: {says}")
    assert summary == f"{file}: 2 rounds: 1 written, 0 ambiguous, 0 repeated, 1 unreadable"


# The form with values only.


def test_values_by_hand_become_cards_as_they_left_the_shoe(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "shoes.csv",
        SHOES
        + '4,0,P,9,7,"4,5,1,6"\n'  # two each
        + '4,1,P,9,7,"2,3,4,1,6"\n'  # 2+3+4 and 1+6; 2+3 would be 5
        + '4,2,B,7,9,"1,6,2,3,4"\n'  # 1+6 and 2+3+4; 1+6+2 would be 9
        + '4,3,B,3,8,"0,1,2,3,4,1"\n',  # three each
    )
    done = run("import", file, "--table", "B2", "--date", "2025-03-01")
    assert done.exit_code == 0, done.stderr
    records = objects(done.stdout)
    assert [record["round"] for record in records] == ["4-0", "4-1", "4-2", "4-3"]
    assert {(each["table"], each["shoe"], each["gaming_date"]) for each in records} == {
        ("B2", "4", "2025-03-01")
    }
    assert [record["announced"] for record in records] == ["player", "player", "banker", "banker"]
    assert [record["play"] for record in records] == [
        [[P, "4?"], [B, "A?"], [P, "5?"], [B, "6?"]],
        [[P, "2?"], [B, "A?"], [P, "3?"], [B, "6?"], [P, "4?"]],
        [[P, "A?"], [B, "2?"], [P, "6?"], [B, "3?"], [B, "4?"]],
        [[P, "0?"], [B, "3?"], [P, "A?"], [B, "4?"], [P, "2?"], [B, "A?"]],
    ]


def test_what_the_file_does_not_say_is_not_guessed(tmp_path: Path) -> None:
    # A Player's 7 stays and a Banker's 2 draws: the tableau would tell, the file does not.
    file = write(tmp_path, "shoes.csv", SHOES + '4,3,B,7,9,"6,1,0,2,7"\n4,4,P,9,7,"4,5,1,6"\n')
    done = run("import", file, "--table", "B2", "--date", "2025-03-01")
    assert done.exit_code == 1
    assert [record["round"] for record in objects(done.stdout)] == ["4-4"]
    reason, summary = done.stderr.splitlines()
    assert reason == (
        f"{file}:2: ambiguous: the third card of 6,1,0,2,7 may be either hand's: the totals fit both ways"
    )
    assert summary == f"{file}: 2 rounds: 1 written, 1 ambiguous, 0 repeated, 0 unreadable"


def test_a_repeated_round_is_written_once(tmp_path: Path) -> None:
    natural = '4,4,P,9,7,"4,5,1,6"\n'
    file = write(tmp_path, "shoes.csv", SHOES + natural + '4,5,P,9,7,"4,5,6,1"\n' + natural)
    done = run("import", file, "--table", "B2", "--date", "2025-03-01")
    assert done.exit_code == 1
    assert [record["round"] for record in objects(done.stdout)] == ["4-4", "4-5"]
    assert done.stderr.splitlines()[0] == f"{file}:4: repeated: round 4-4 stands on line 2 already"


def test_a_row_that_equals_the_one_before_under_the_next_number_is_left_out_and_named(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "shoes.csv",
        SHOES
        + '4,4,P,9,7,"4,5,1,6"\n'
        + '4,5,P,9,7,"4,5,1,6"\n'  # logged twice
        + '4,6,P,9,7,"4,5,1,6"\n'  # and a third time
        + '4,7,P,9,7,"4,5,6,1"\n'
        + '4,8,P,9,7,"4,5,1,6"\n'  # as round 4, and not as the one before: a round of its own
        + '5,9,P,9,7,"4,5,1,6"\n'  # from another shoe
        + '5,10,P,7,5,"0,7,0,0,5"\n'  # 0+7 against 0+0+5, or 0+7+0 against 0+5
        + '5,11,P,7,5,"0,7,0,0,5"\n',  # whichever it is, it was logged twice
    )
    done = run("import", file, "--table", "B2", "--date", "2025-03-01")
    assert done.exit_code == 1
    assert [record["round"] for record in objects(done.stdout)] == ["4-4", "4-7", "4-8", "5-9"]
    says = "all but its number equals line"
    assert done.stderr.splitlines() == [
        f"{file}:3: repeated: {says} 2, the row before: logged twice",
        f"{file}:4: repeated: {says} 3, the row before: logged twice",
        f"{file}:8: ambiguous: the third card of 0,7,0,0,5 may be either hand's: the totals fit both ways",
        f"{file}:9: repeated: {says} 8, the row before: logged twice",
        f"{file}: 8 rounds: 4 written, 1 ambiguous, 3 repeated, 0 unreadable",
    ]


def test_with_rank_and_suit_too_and_only_if_the_time_is_the_same(tmp_path: Path) -> None:
    cards = "H.13,D.6,S.4,C.1,H.5,,P"
    rows = (("1", "01:15:00"), ("2", "01:15:00"), ("3", "01:16:00"))
    text = "".join(f"{number},2025-03-02 {at},{cards}\n" for number, at in rows)
    done = run("import", write(tmp_path, "log.csv", ROUNDS + text), "--table", "B1")
    assert [record["round"] for record in objects(done.stdout)] == ["1", "3"]


def test_a_contradictory_round_is_not_written(tmp_path: Path) -> None:
    file = write(tmp_path, "shoes.csv", SHOES + '4,4,P,9,7,"4,5,1,6"\n4,4,P,9,6,"4,5,1,5"\n')
    done = run("import", file, "--table", "B2", "--date", "2025-03-01")
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[:2] == [
        f"{file}:{line}: ambiguous: round 4-4 stands on lines 2 and 3, with different data" for line in (2, 3)
    ]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('4,4,P,9,8,"4,5,1,6"', "the values 4,5,1,6 do not come to 9 and 8"),
        ('4,4,P,9,8,"2,3,4,1,6"', "the values 2,3,4,1,6 do not come to 9 and 8"),
        ('4,4,P,9,7,"4,5,1"', "point_values_player_then_banker '4,5,1' has 3 cards"),
        ('4,4,P,9,7,"4,5,1,6,0,0,0"', "point_values_player_then_banker '4,5,1,6,0,0,0' has 7 cards"),
        (
            '4,4,P,9,7,"4,5,10,7"',
            "point_values_player_then_banker '4,5,10,7' has something other than values",
        ),
        ('4,4,P,9,7,"4,5,,7"', "point_values_player_then_banker '4,5,,7' has something other than values"),
        ('4,4,X,9,7,"4,5,1,6"', "winner 'X' is none of P, B, T"),
        ('four,4,P,9,7,"4,5,1,6"', "shoe 'four' is not a number"),
        ('4,-1,P,9,7,"4,5,1,6"', "round '-1' is not a number"),
        (f'4,{"9" * 5000},P,9,7,"4,5,1,6"', "round '9999"),
        ("4,4,P,9,7,4,5,1,6", "9 cells where the head has 6"),
    ],
)
def test_a_bad_row_of_values_is_named(tmp_path: Path, row: str, says: str) -> None:
    file = write(tmp_path, "shoes.csv", SHOES + row + "\n")
    done = run("import", file, "--table", "B2", "--date", "2025-03-01")
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[0].startswith(f"{file}:2: unreadable: {says}")


# Round records, and files that cannot be read at all.


def test_round_records_pass_as_they_stand(tmp_path: Path) -> None:
    natural = '[["player","4d"],["banker","Ac"],["player","5s"],["banker","6h"]]'
    whole = (
        f'{{"table":"B1", "round":"1","chapter":"631a","at":"2025-03-01T20:00:00-05:00","play":{natural},'
        '"decks":6,"wagers":[],"announced":"player"}'
    )
    silent = whole.replace('"decks":6,', "").replace('"round":"1"', '"round":"2"')
    ancient = whole.replace("2025", "2001")
    bad = whole.replace("5s", "5x")
    file = write(tmp_path, "records.jsonl", f"{whole}\n{silent}\n{bad}\n{{\n{ancient}\n")
    done = run("import", file, "--decks", "7")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[0] == whole
    assert json.loads(lines[1]) == json.loads(silent) | {"decks": 7}
    assert lines[2:] == [ancient]
    reasons = done.stderr.splitlines()
    assert reasons[0] == f"{file}:3: unreadable: play: '5x' is not a card"
    assert reasons[1].startswith(f"{file}:4: unreadable: ")
    assert reasons[2] == f"{file}: 5 rounds: 3 written, 0 ambiguous, 0 repeated, 2 unreadable"


def test_a_round_record_that_repeats_another_is_left_out_and_named(tmp_path: Path) -> None:
    play = '[["player","4d"],["banker","Ac"],["player","5s"],["banker","6h"]]'
    one = (
        f'{{"table":"B1","round":"1","chapter":"631a","at":"2025-03-01T20:00:00-05:00","play":{play},'
        '"wagers":[{"seat":1,"wager":"tie","cents":100},{"seat":2,"wager":"tie","cents":100}]}'
    )
    # The same, though its members, its wagers and its offset are written otherwise.
    alike = json.loads(one)
    alike = {name: alike[name] for name in reversed(alike)} | {"at": "2025-03-02T01:00:00Z"}
    alike["wagers"].reverse()
    next_number = one.replace('"round":"1"', '"round":"2"')
    two_ways = [next_number.replace('"2"', '"3"').replace("4d", card) for card in ("4h", "4s")]
    file = write(tmp_path, "records.jsonl", "\n".join([one, json.dumps(alike), next_number, *two_ways]))
    done = run("import", file)
    assert done.exit_code == 1
    assert done.stdout == f"{one}\n"
    assert [line.split(": ")[1:3] for line in done.stderr.splitlines()[:4]] == [
        ["repeated", "the same round stands on line 1 already"],
        ["repeated", "all but its number equals round 1 on line 1, the one before"],
        ["ambiguous", "the round stands on lines 4 and 5, with different data"],
        ["ambiguous", "the round stands on lines 4 and 5, with different data"],
    ]
    assert done.stderr.splitlines()[4] == (
        f"{file}: 5 rounds: 1 written, 2 ambiguous, 2 repeated, 0 unreadable"
    )


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        ("a,b,c\n1,2,3\n", ["--table", "B1"], "not a form that is known here"),
        ('"a,b\n', ["--table", "B1"], "text without JSON"),
        ("", ["--table", "B1"], "empty"),
        (ROUNDS, [], "the file does not name its table; say --table"),
        (SHOES, ["--date", "2025-03-01"], "the file does not name its table; say --table"),
        (SHOES, ["--table", "B1"], "the file has no dates; say --gaming-day"),
        (ROUNDS, ["--table", "B1", "--decks", "5"], "5 decks: Chapter 631a admits 6, 7, 8"),
        (ROUNDS, ["--table", "B1", "--zone", "Mars/Olympus"], "--zone 'Mars/Olympus' is no time zone"),
        (ROUNDS, ["--table", "B1", "--zone", "America"], "--zone 'America' is no time zone"),
    ],
)
def test_a_file_that_cannot_be_read_at_all(tmp_path: Path, text: str, options: list[str], says: str) -> None:
    file = write(tmp_path, "log.csv", text)
    out = write(tmp_path, "kept.jsonl", "as it was")
    done = run("import", file, *options, "--out", out)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    # Nothing took the place of what stood there, and nothing half-written stays behind.
    assert out.read_text() == "as it was"
    assert {path.name for path in tmp_path.iterdir()} == {"log.csv", "kept.jsonl"}


def test_columns_in_another_order_behind_a_byte_order_mark(tmp_path: Path) -> None:
    columns = ROUNDS.strip().split(",")
    cells = ["77", "2025-03-02 01:15:00", "H.13", "D.6", "S.4", "C.1", "H.5", "", "P"]
    straight = write(tmp_path, "a.csv", f"{','.join(columns)}\n{','.join(cells)}\n")
    turned = write(tmp_path, "b.csv", f"\ufeff{','.join(columns[::-1])}\r\n{','.join(cells[::-1])}\r\n")
    told = [run("import", file, "--table", "B1").stdout for file in (straight, turned)]
    assert told[0] == told[1] != ""


def test_out_takes_what_would_be_printed(tmp_path: Path) -> None:
    file = write(tmp_path, "log.csv", ROUNDS + "77,2025-03-02 01:15:00,H.13,D.6,S.4,C.1,H.5,,P\n")
    printed = run("import", file, "--table", "B1").stdout
    done = run("import", file, "--table", "B1", "--out", tmp_path / "out.jsonl")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / "out.jsonl").read_text() == printed != ""
    lost = run("import", file, "--table", "B1", "--out", tmp_path / "nowhere" / "out.jsonl")
    assert lost.exit_code == 2
    assert "cannot be written" in lost.stderr
