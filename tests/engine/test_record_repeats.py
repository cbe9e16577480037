"""Several round records of one round: each reported, judged once, and no money counted twice."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from replay.cli import main

# 4+5 = 9 against 1+6 = 7: the Player's Hand wins with a Natural. 100.00 on it was paid 150.00.
ROUND = {
    "table": "B-1", "round": "17", "chapter": "631a", "at": "2025-03-01T21:00:00-05:00",
    "play": [["player", "4d"], ["banker", "Ac"], ["player", "5s"], ["banker", "6h"]],
    "wagers": [{"seat": 1, "wager": "player", "cents": 10000}, {"seat": 2, "wager": "tie", "cents": 500}],
    "announced": "player",
    "paid": [{"seat": 1, "wager": "player", "cents": 15000}, {"seat": 2, "wager": "tie", "cents": -500}],
}  # fmt: skip


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def objects(ran: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.stdout.splitlines()]


def rows(ran: Result) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(ran.stdout)))


def write(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / f"{len(records)} records.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def alike() -> dict[str, Any]:
    """Write the round otherwise: its members and wagers in another order, its time in another zone."""
    told = {name: ROUND[name] for name in reversed(ROUND)} | {"at": "2025-03-02T02:00:00Z"}
    return told | {"wagers": list(reversed(ROUND["wagers"])), "gaming_date": "2025-03-01"}


@pytest.fixture
def once(tmp_path: Path) -> Path:
    return write(tmp_path, ROUND)


@pytest.fixture
def twice(tmp_path: Path) -> Path:
    return write(tmp_path, ROUND, alike())


def test_a_repeat_is_undetermined_and_has_no_money(once: Path, twice: Path) -> None:
    ran = run("audit", twice)
    first, second = objects(ran)
    assert ran.exit_code == 1
    assert [first] == objects(run("audit", once))
    assert first["verdict"] == "mismatch"
    assert (second["round"], second["verdict"], second["expected"]) == ("17", "undetermined", [])
    assert [(each["check"], each["weight"]) for each in second["findings"]] == [
        ("round_repeated", "undetermined")
    ]
    assert second["findings"][0]["id"] not in {each["id"] for each in first["findings"]}


@pytest.mark.parametrize(
    "verb",
    [
        ("export", "rounds"),
        ("export", "rounds", "--format", "csv"),
        ("whatif", "--set", "631a.tie_odds=9", "--format", "jsonl"),
        ("blast-radius", "--rule", "631a.tie_odds=9", "--format", "jsonl"),
        ("hand", "B-1", "17", "--format", "json"),
    ],
    ids=" ".join,
)
def test_a_repeat_counts_in_no_sum_and_in_no_list_of_rounds(
    once: Path, twice: Path, verb: tuple[str, ...]
) -> None:
    words = 2 if verb[0] == "export" else 1
    if "--set" in verb or "--rule" in verb:  # 4+5 against 1+8: a tie, which 9 to 1 would pay otherwise
        play = [*ROUND["play"][:3], ["banker", "8h"]]
        tie = ROUND | {"play": play, "announced": "tie", "paid": None}
        for path, times in ((once, 1), (twice, 2)):
            path.write_text((json.dumps(tie) + "\n") * times, encoding="utf-8")
    of_twice, of_once = (run(*verb[:words], path, *verb[words:]) for path in (twice, once))
    assert of_once.exit_code == 0, of_once.stderr
    assert of_once.stdout
    assert (of_twice.exit_code, of_twice.stdout) == (0, of_once.stdout)


def test_its_finding_is_a_row_of_its_own_without_a_sum(twice: Path) -> None:
    of_money, of_repeat = rows(run("export", "findings", twice, "--format", "csv"))
    assert (of_money["check"], of_money["net_cents"]) == ("paid_too_much", "5000")
    assert (of_repeat["check"], of_repeat["net_cents"]) == ("round_repeated", "")
    assert of_repeat["at"] == of_money["at"]


def test_timeline_and_explain_show_it(twice: Path) -> None:
    told = run("timeline", twice, "--format", "jsonl")
    repeats = [each for each in objects(told) if each["check"] == "round_repeated"]
    assert [each["round"] for each in repeats] == ["17"]
    assert [each["cents"] for each in objects(told) if each["kind"] == "round"] == [14500, None]
    (finding,) = objects(run("audit", twice))[1]["findings"]
    explained = run("explain", twice, finding["id"], "--format", "json")
    assert json.loads(explained.stdout)["asks"] == "Was each round recorded once?"


def test_a_repeat_is_no_difference_from_a_file_without_it(once: Path, twice: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(run("audit", twice).stdout, encoding="utf-8")
    for other in (once, answers):
        ran = run("diff", twice, other)
        assert ran.exit_code == 0, ran.stdout


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"play": [["player", "4d"], ["banker", "Ac"], ["player", "5s"], ["banker", "6s"]]}, "play"),
        ({"paid": None}, "paid"),
        ({"announced": "tie"}, "announced"),
        ({"wagers": ROUND["wagers"][:1]}, "wagers"),
        ({"options": {"tie_odds": 9}}, "rules"),
        ({"shoe": "S1"}, "shoe"),
    ],
)
def test_records_that_contradict_each_other_about_a_round_are_undetermined(
    tmp_path: Path, change: dict[str, Any], part: str
) -> None:
    path = write(tmp_path, ROUND, ROUND | {"round": "18", "paid": None}, ROUND | change)
    first, between, last = objects(run("audit", path))
    assert between["verdict"] == "clean"
    for each in (first, last):
        assert each["verdict"] == "undetermined"
        (finding,) = each["findings"]
        assert finding["check"] == "source_conflict"
        assert finding["message"] == f"the round stands on lines 1 and 3, with different data: {part}"
        assert {owed["cents"] for owed in each["expected"]} == {None}


def test_neither_of_two_that_contradict_each_other_is_exported(tmp_path: Path) -> None:
    ran = run("export", "rounds", write(tmp_path, ROUND, ROUND | {"paid": None}))
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert len(ran.stderr.splitlines()) == 2


@pytest.mark.parametrize(
    "change", [{"gaming_date": "2025-03-02"}, {"table": "B-2"}, {"at": "2025-03-02T21:00:00-05:00"}]
)
def test_the_same_number_of_another_day_or_table_is_another_round(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    _, second = objects(run("audit", write(tmp_path, ROUND, ROUND | change)))
    assert [each["check"] for each in second["findings"]] == ["paid_too_much"]


def test_a_round_that_equals_the_one_before_is_judged_with_a_note(tmp_path: Path) -> None:
    third = ROUND | {"round": "19", "play": [["player", "4h"], *ROUND["play"][1:]]}
    path = write(tmp_path, ROUND, ROUND | {"round": "18"}, third)
    answers = objects(run("audit", path))
    assert [each["verdict"] for each in answers] == ["mismatch"] * 3
    assert [[note["check"] for note in each["notes"]] for each in answers] == [[], ["round_repeated"], []]
    assert [each["check"] for each in answers[1]["findings"]] == ["paid_too_much"]


@pytest.mark.parametrize(
    "change",
    [
        {"round": "18", "at": "2025-03-01T21:01:00-05:00"},  # it was opened later, so it is another one
        {"round": "18", "announced": None},
        {"round": "18", "table": "B-2"},
    ],
)
def test_what_differs_in_more_than_the_number_has_no_note(tmp_path: Path, change: dict[str, Any]) -> None:
    answers = objects(run("audit", write(tmp_path, ROUND, ROUND | change)))
    assert [each["notes"] for each in answers] == [[], []]


def test_rolls_of_dice_that_come_again_are_no_repeat(tmp_path: Path) -> None:
    roll = {
        "table": "CR-1", "round": "1", "chapter": "623a", "at": "2025-03-01T21:00:00-05:00",
        "play": [["dice", "3-4"]], "wagers": [],
    }  # fmt: skip
    answers = objects(run("audit", write(tmp_path, roll, roll | {"round": "2"})))
    assert [each["notes"] for each in answers] == [[], []]
