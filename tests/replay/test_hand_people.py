"""Who was at the table of a hand and of a finding: the floorperson, and the patrons of the seats."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from replay.cli.terminal_page import write_page
from replay.exports.case_file.blocks import Block
from schemas import events as e
from tests.builders.round_records import page_lines, run_verb, write_script_floor
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, build_house

SEATS = ((5, "tie"), (5, "banker"), (2, "player"), (4, "banker"))  # as the chips were laid


def shift() -> Script:
    """Play two rounds under FL-1; P-4 sits at seat 4 in both, P-2 leaves seat 2 for P-8 between them."""
    script = Script()
    script.open()
    script.say("T", e.DealerAssigned, dealer="D-1", calling=True)
    script.say("T", e.FloorpersonAssigned, floorperson="FL-1")
    script.say("T", e.PlayerSeated, seat=4, patron="P-4")
    script.say("T", e.PlayerSeated, seat=2, patron="P-2")
    script.play(BANKER_WINS, dict.fromkeys(SEATS[2:], 2000), "banker", {SEATS[2]: -2000, SEATS[3]: 2500},
                {SEATS[3]: 100})  # fmt: skip
    script.say("T", e.PlayerLeft, seat=2)
    script.say("T", e.PlayerSeated, seat=2, patron="P-8")
    lost = {SEATS[0]: -2000, SEATS[1]: -2000, SEATS[3]: -2000}
    script.play(PLAYER_WINS, dict.fromkeys(SEATS, 2000), "player", {SEATS[2]: 2000, **lost})
    script.close()
    return script


def shown(path: Path, number: str) -> dict[str, Any]:
    done = run_verb("hand", path, "BAC-1", number, "--format", "json")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def ids(path: Path) -> dict[str, str]:
    """Return the ids of an archive's findings by check."""
    answers = [json.loads(line) for line in run_verb("audit", path).stdout.splitlines()]
    return {found["check"]: found["id"] for each in answers for found in each["findings"]}


def test_patrons_and_the_floorperson_are_named_where_the_events_name_them(tmp_path: Path) -> None:
    path = write_script_floor(tmp_path, shift(), build_house())
    first, second = shown(path, "1"), shown(path, "2")
    assert (first["heading"]["dealer"], first["heading"]["floorperson"]) == ("D-1", "FL-1")
    assert [(each["seat"], each["patron"]) for each in first["wagers"]] == [(2, "P-2"), (4, "P-4")]
    assert [(each["seat"], each["patron"]) for each in second["wagers"]] == [
        (2, "P-8"), (4, "P-4"), (5, None), (5, None),
    ]  # fmt: skip
    file = tmp_path / "hand.html"
    told = page_lines(run_verb("hand", path, "BAC-1", "1", "--html", file).stdout)
    assert "Floorperson FL-1" in told
    assert "4 P-4 banker $20.00 $20.00 $25.00 $5.00 patron" in told
    page = file.read_text(encoding="utf-8")
    assert "<td>Floorperson</td><td>FL-1</td>" in page
    assert "<td>P-4</td>" in page
    assert "P-8" not in page


def test_a_finding_names_the_patron_of_its_seat(tmp_path: Path) -> None:
    path = write_script_floor(tmp_path, shift(), build_house())
    found = ids(path)["paid_too_much"]
    told = json.loads(run_verb("explain", path, found, "--format", "json").stdout)
    assert (told["patron"], told["heading"]["floorperson"]) == ("P-4", "FL-1")
    page = page_lines(run_verb("explain", path, found).stdout)
    assert "About table BAC-1, round 1, seat 4, patron P-4, wager banker" in page
    assert "Floorperson FL-1" in page


def test_wagers_stand_by_seat_and_then_as_the_text_has_them(tmp_path: Path) -> None:
    told = shown(write_script_floor(tmp_path, shift(), build_house()), "2")
    assert [(each["seat"], each["wager"]) for each in told["wagers"]] == [
        (2, "player"), (4, "banker"), (5, "banker"), (5, "tie"),
    ]  # fmt: skip


def test_those_who_bet_on_one_spot_stand_together_and_no_patron_is_taken_for_another(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.say("T", e.PlayerSeated, seat=3, patron="P-3")
    spots = {(3, "tie", "ben"): 500, (3, "player", "anna"): 1000, (3, "player", "ben"): 1500}
    won = {spot: (-500 if spot[1] == "tie" else cents) for spot, cents in spots.items()}
    script.play(PLAYER_WINS, spots, "player", won)
    told = shown(write_script_floor(tmp_path, script, build_house()), "1")
    assert [(each["bettor"], each["patron"], each["wager"]) for each in told["wagers"]] == [
        ("anna", None, "player"), ("ben", None, "player"), ("ben", None, "tie"),
    ]  # fmt: skip


def test_the_id_of_a_finding_is_not_broken_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "30")
    write_page([Block("Findings", [("4e1f9c7be9f16259", "paid too much " * 9), ("", "631a.12(b)")])])
    assert "4e1f9c7be9f16259" in terminal.getvalue()


def test_the_id_of_a_finding_is_not_broken_on_a_page(tmp_path: Path) -> None:
    path = write_script_floor(tmp_path, shift(), build_house())
    file = tmp_path / "hand.html"
    run_verb("hand", path, "BAC-1", "1", "--html", file)
    page = file.read_text(encoding="utf-8")
    assert f'<td class="id">{ids(path)["paid_too_much"]}</td>' in page
    assert "td.id { white-space: nowrap; }" in page
