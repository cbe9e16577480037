"""The verb import: round records, and rows of two public recordings by their mappings; none is guessed."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from replay.cli import main
from tests.builders.documents import ROOT, page_files

ROUNDS = "round_id,dealt_at,P1,B1,P2,B2,P3,B3,site_outcome\n"
SHOES = "shoe,round,winner,player_total,banker_total,point_values_player_then_banker\n"
P, B = "player", "banker"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


MAPPINGS = page_files((ROOT / "docs" / "import.md").read_text(encoding="utf-8"))


def run_mapped(file: Path, name: str, *arguments: object, zone: str = "UTC") -> Result:
    """Import a file by a mapping of the page, with another zone of its clock."""
    mapping = write(file.parent, name, MAPPINGS[name].replace("zone: UTC", f"zone: {zone}"))
    return run("import", file, "--mapping", mapping, *arguments)


def run_rounds(file: Path, *arguments: object, zone: str = "UTC") -> Result:
    return run_mapped(file, "rounds.yaml", *arguments, zone=zone)


def run_shoes(file: Path) -> Result:
    return run_mapped(file, "shoes.yaml", "--date", "2025-03-01")


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
    done = run_rounds(file, zone="America/New_York")
    assert done.exit_code == 0, done.stderr
    assert objects(done.stdout) == [
        {
            "table": "BAC-602", "round": "77", "chapter": "631a", "at": "2025-03-02T06:15:00Z", "wagers": [],
            "play": [[P, "Kh"], [B, "6d"], [P, "4s"], [B, "Ac"], [P, "5h"]],
            "announced": "player",
        },
        {
            "table": "BAC-602", "round": "78", "chapter": "631a", "at": "2025-07-02T05:15:00Z", "wagers": [],
            "play": [[P, "6h"], [B, "Td"], [P, "Js"], [B, "3c"], [B, "2s"]],
            "announced": "banker",
        },
        {
            "table": "BAC-602", "round": "79", "chapter": "631a", "at": "2025-07-02T05:16:00Z", "wagers": [],
            "play": [[P, "4c"], [B, "Qd"], [P, "4s"], [B, "8c"]],
            "announced": "tie",
        },
    ]  # fmt: skip
    assert done.stderr == f"{file}: 3 rounds written, 0 rows left out\n"


def test_the_clock_is_utc_and_decks_are_unknown(tmp_path: Path) -> None:
    file = write(tmp_path, "log.csv", ROUNDS + "77,2025-03-02 01:15:00,H.13,D.6,S.4,C.1,H.5,,P\n")
    (record,) = objects(run_rounds(file).stdout)
    assert record["at"] == "2025-03-02T01:15:00Z"
    assert "decks" not in record


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("1,2025-03-02 01:15:00,H.14,D.6,S.4,C.1,H.5,,P", "'H.14' is no card"),
        ("1,2025-03-02 01:15:00,H.0,D.6,S.4,C.1,H.5,,P", "play: '0h' is not a card"),
        ("1,2025-03-02 01:15:00,H.3,X.6,S.4,C.1,H.5,,P", "'X.6' is no card"),
        ("1,2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H55,,P", "'H55' is no card"),
        ("1,2025-03-02 01:15:00,H.3,D.6,S.4,C.1,,5.5,P", "'5.5' is no card"),
        (
            "1,2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H.5,,player",
            "site_outcome 'player' is no value of the mapping",
        ),
        ("1,2025-02-30 01:15:00,H.3,D.6,S.4,C.1,H.5,,P", "dealt_at '2025-02-30 01:15:00' is no time"),
        ("1,0001-01-01 00:00:00,H.3,D.6,S.4,C.1,H.5,,P", "0001-01-01 00:00:00 in Asia/Tokyo is no time"),
        (",2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H.5,,P", "round_id is empty"),
        ("1,2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H.5,P", "8 cells for 9 columns"),
        ('1,"2025-03-02 01:15:00,H.3,D.6,S.4,C.1,H.5,,P', "unexpected end of data"),
    ],
)
def test_a_bad_row_is_named_and_the_others_go_on(tmp_path: Path, row: str, says: str) -> None:
    good = "8,2025-03-02 01:15:00,H.13,D.6,S.4,C.1,H.5,,P\n"
    file = write(tmp_path, "log.csv", ROUNDS + row + "\n" + good)
    done = run_rounds(file, zone="Asia/Tokyo")
    assert done.exit_code == 1
    assert [record["round"] for record in objects(done.stdout)] == ["8"]
    reason, summary = done.stderr.splitlines()
    assert reason.startswith(f"{file}:2: unreadable: {says}")
    assert summary == f"{file}: 1 rounds written, 1 rows left out: 1 unreadable"


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
    done = run_shoes(file)
    assert done.exit_code == 0, done.stderr
    records = objects(done.stdout)
    assert [record["round"] for record in records] == ["4-0", "4-1", "4-2", "4-3"]
    assert {(each["table"], each["shoe"], each["gaming_date"]) for each in records} == {
        ("BAC-601", "4", "2025-03-01")
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
    done = run_shoes(file)
    assert done.exit_code == 1
    assert [record["round"] for record in objects(done.stdout)] == ["4-4"]
    reason, summary = done.stderr.splitlines()
    assert reason == (f"{file}:2: ambiguous: card 3 of 6, A, 0, 2, 7 may be either hand's")
    assert summary == f"{file}: 1 rounds written, 1 rows left out: 1 ambiguous"


def test_a_repeated_round_is_written_once(tmp_path: Path) -> None:
    natural = '4,4,P,9,7,"4,5,1,6"\n'
    file = write(tmp_path, "shoes.csv", SHOES + natural + '4,5,P,9,7,"4,5,6,1"\n' + natural)
    done = run_shoes(file)
    assert done.exit_code == 1
    assert [record["round"] for record in objects(done.stdout)] == ["4-4", "4-5"]
    assert done.stderr.splitlines()[0] == f"{file}:4: repeated: the same row stands on line 2 already"


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
    done = run_shoes(file)
    assert done.exit_code == 1
    assert [record["round"] for record in objects(done.stdout)] == ["4-4", "4-7", "4-8", "5-9"]
    says = "all but its number equals line"
    assert done.stderr.splitlines() == [
        f"{file}:3: repeated: {says} 2, the row before: logged twice",
        f"{file}:4: repeated: {says} 3, the row before: logged twice",
        f"{file}:8: ambiguous: card 3 of 0, 7, 0, 0, 5 may be either hand's",
        f"{file}:9: repeated: {says} 8, the row before: logged twice",
        f"{file}: 4 rounds written, 4 rows left out: 1 ambiguous, 3 repeated",
    ]


def test_with_rank_and_suit_too_and_only_if_the_time_is_the_same(tmp_path: Path) -> None:
    cards = "H.13,D.6,S.4,C.1,H.5,,P"
    rows = (("1", "01:15:00"), ("2", "01:15:00"), ("3", "01:16:00"))
    text = "".join(f"{number},2025-03-02 {at},{cards}\n" for number, at in rows)
    done = run_rounds(write(tmp_path, "log.csv", ROUNDS + text))
    assert [record["round"] for record in objects(done.stdout)] == ["1", "3"]


def test_a_contradictory_round_is_not_written(tmp_path: Path) -> None:
    file = write(tmp_path, "shoes.csv", SHOES + '4,4,P,9,7,"4,5,1,6"\n4,4,P,9,6,"4,5,1,5"\n')
    done = run_shoes(file)
    assert done.exit_code == 1
    assert done.stdout == ""
    fields = "announced_points, play"
    assert done.stderr.splitlines()[:2] == [
        f"{file}:{line}: ambiguous: the round stands on lines 2 and 3, with different data: {fields}"
        for line in (2, 3)
    ]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('4,4,P,9,8,"2,3,4,1,6"', "2, 3, 4, A, 6 do not come to 9 and 8"),
        ('4,4,P,9,7,"4,5,1"', "4, 5, A do not come to 9 and 7"),
        ('4,4,P,9,7,"4,5,1,6,0,0,0"', "4, 5, A, 6, 0, 0, 0 do not come to 9 and 7"),
        ('4,4,P,9,7,"4,5,,7"', "point_values_player_then_banker '4,5,,7' has an empty part"),
        ('4,4,P,9,7,"4,5,14,7"', "'14' is no card"),
        ('4,4,X,9,7,"4,5,1,6"', "winner 'X' is no value of the mapping"),
        (',4,P,9,7,"4,5,1,6"', "shoe is empty"),
        (f'4,{"9" * 5000},P,9,7,"4,5,1,6"', "Expected `str` of length <= 128 - at `$.round`"),
        ("4,4,P,9,7,4,5,1,6", "9 cells for 6 columns"),
    ],
)
def test_a_bad_row_of_values_is_named(tmp_path: Path, row: str, says: str) -> None:
    file = write(tmp_path, "shoes.csv", SHOES + row + "\n")
    done = run_shoes(file)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[0].startswith(f"{file}:2: unreadable: {says}")


def test_totals_that_four_cards_do_not_come_to_are_found_by_the_audit(tmp_path: Path) -> None:
    """631a.12(a): the dealer announces the final Point Counts; 4 and 5 are 9, ace and 6 are 7."""
    done = run_shoes(write(tmp_path, "shoes.csv", SHOES + '4,4,P,9,8,"4,5,1,6"\n'))
    records = write(tmp_path, "records.jsonl", done.stdout)
    (answer,) = objects(run("audit", records).stdout)
    assert [finding["check"] for finding in answer["findings"]] == ["points_announced_wrong"]


def test_one_of_the_first_cards_that_is_not_there_was_not_read(tmp_path: Path) -> None:
    file = write(tmp_path, "log.csv", ROUNDS + "77,2025-03-02 01:15:00,H.13,D.6,,C.1,H.5,,P\n")
    done = run_rounds(file)
    (record,) = objects(done.stdout)
    assert record["play"] == [[P, "Kh"], [B, "6d"], [P, "??"], [B, "Ac"], [P, "5h"]]
    (answer,) = objects(run("audit", write(tmp_path, "records.jsonl", done.stdout)).stdout)
    assert answer["verdict"] == "undetermined"


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
    assert reasons[2] == f"{file}: 3 rounds written, 2 rows left out: 2 unreadable"


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
        f"{file}: 1 rounds written, 4 rows left out: 2 ambiguous, 2 repeated"
    )


@pytest.mark.parametrize("at", ["1740880415000", '"1740880415"', '"2025-03-01 20:53:35"'])
def test_a_record_whose_time_has_another_form_is_told_the_right_one(tmp_path: Path, at: str) -> None:
    record = f'{{"table":"B","round":"1","chapter":"631a","at":{at},"play":[],"wagers":[]}}\n'
    done = run("import", write(tmp_path, "records.jsonl", record))
    assert done.exit_code == 1
    assert done.stderr.splitlines()[0].endswith(
        "RFC 3339 with its offset is asked, such as 2025-03-01T20:53:35-05:00"
    )


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        ("a,b,c\n1,2,3\n", [], "CSV with the columns a, b, c, and no round records"),
        ('"a,b\n', [], "text without JSON"),
        ("", [], "empty"),
        (ROUNDS, ["--gaming-day", "2025-03-01"], "are for an import with --mapping"),
        (SHOES, ["--mapping", "shoes.yaml", "--decks", "8"], "a mapping has `decks`"),
        (ROUNDS, ["--mapping", "mars.yaml"], "No time zone found with key Mars/Olympus"),
        ('round_id,"dealt_at\n', ["--mapping", "rounds.yaml"], "line 1: unexpected end of data"),
    ],
)
def test_a_file_that_cannot_be_read_at_all(tmp_path: Path, text: str, options: list[str], says: str) -> None:
    mappings = tmp_path / "mappings"
    mappings.mkdir()
    for name, mapping in MAPPINGS.items():
        write(mappings, name, mapping)
    write(mappings, "mars.yaml", MAPPINGS["rounds.yaml"].replace("UTC", "Mars/Olympus"))
    file = write(tmp_path, "log.csv", text)
    out = write(tmp_path, "kept.jsonl", "as it was")
    options = [str(mappings / each) if each.endswith(".yaml") else each for each in options]
    done = run("import", file, *options, "--out", out)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    # Nothing took the place of what stood there, and nothing half-written stays behind.
    assert out.read_text() == "as it was"
    assert {path.name for path in tmp_path.iterdir()} == {"log.csv", "kept.jsonl", "mappings"}


def test_columns_in_another_order_behind_a_byte_order_mark(tmp_path: Path) -> None:
    columns = ROUNDS.strip().split(",")
    cells = ["77", "2025-03-02 01:15:00", "H.13", "D.6", "S.4", "C.1", "H.5", "", "P"]
    straight = write(tmp_path, "a.csv", f"{','.join(columns)}\n{','.join(cells)}\n")
    turned = write(tmp_path, "b.csv", f"\ufeff{','.join(columns[::-1])}\r\n{','.join(cells[::-1])}\r\n")
    told = [run_rounds(file).stdout for file in (straight, turned)]
    assert told[0] == told[1] != ""


def test_out_takes_what_would_be_printed(tmp_path: Path) -> None:
    file = write(tmp_path, "log.csv", ROUNDS + "77,2025-03-02 01:15:00,H.13,D.6,S.4,C.1,H.5,,P\n")
    printed = run_rounds(file).stdout
    done = run_rounds(file, "--out", tmp_path / "out.jsonl")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / "out.jsonl").read_text() == printed != ""
    lost = run_rounds(file, "--out", tmp_path / "nowhere" / "out.jsonl")
    assert lost.exit_code == 2
    assert "cannot be written" in lost.stderr
