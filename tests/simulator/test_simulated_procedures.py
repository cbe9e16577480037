"""A floor that reports its procedures: each fault of procedure is found, and none invented."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from projections.engine.conclusion import Conclusion, canonical
from replay.proofs.label_scoring import score
from replay.recording.parallel_audit import audit_in_parallel
from replay.recording.recording import Recording
from streams.log import Unread
from streams.simulator import faults, supervision
from streams.simulator.dice import DICE, DICE_BY_WAY, DICE_OF
from streams.simulator.faults import PROCEDURES
from streams.simulator.floor import plan
from streams.simulator.plan import Plan
from streams.simulator.playing import play_table
from streams.simulator.simulate import START, simulate
from tests.builders.simulated_tables import (
    audit_archive,
    fault_labels,
    finds_no_fault_wrongly,
    raised,
    score_archive,
    write_archive,
)

FLOOR: Final[dict[str, Any]] = {"tables": 11, "mixed": True, "procedures": True}
# What short days have few occasions for.
OF_FEW: Final = {"boxperson_away": 0.5, "spoken_accepted": 0.1}
# What is done wrong as a shoe ends, for which most play too slowly to come to it within a short day.
AS_A_SHOE_ENDS: Final = {"decks_left_in_play": 1.0, "hand_after_the_last": 1.0, "last_hand_not_called": 0.5}


def accounts(folder: Path) -> list[Conclusion]:
    return [each for each in audit_archive(folder) if each.account == "procedures"]


def test_procedures_that_are_done_rightly_are_clean(tmp_path: Path) -> None:
    simulate(tmp_path, **FLOOR, hours=1.5, seed="right", rates=dict(faults.NONE))
    audited = list(audit_archive(tmp_path))
    concluded = [each for each in audited if each.account == "procedures"]
    assert len(concluded) == 11
    assert {each.verdict for each in concluded} == {"clean"}
    assert sum(line.count or 0 for each in concluded for line in each.lines) > 20  # shoes
    result = score([], audited)  # the shoes' own counts among them
    assert (result.invented, result.wrongly_open) == ([], [])
    (floor,) = [each for each in audited if each.account == "supervision"]
    assert (floor.table, floor.verdict, floor.findings) == ("floor", "clean", ())


def test_a_floorperson_of_four_baccarat_tables_is_found_however_it_is_audited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 465a.35(c)(2): one Baccarat table. Here one floorperson has all four of the pit.
    monkeypatch.setattr(supervision, "OWN_FLOORPERSON", ())
    simulate(tmp_path, tables=4, procedures=True, hours=0.5, seed="pit", rates=dict(faults.NONE))
    concluded = list(audit_archive(tmp_path))
    (floor,) = [each for each in concluded if each.account == "supervision"]
    found = [(each.check, each.weight, each.citations) for each in floor.findings]
    assert found == [("too_many_tables", "mismatch", ("465a.35(c)(2)",))]
    assert [(line.of, line.count) for line in floor.lines] == [("FL-1-1", 4)]
    assert canonical(_conclusions(audit_in_parallel(Recording(tmp_path), 2))) == canonical(concluded)


def _conclusions(answers: Iterator[Conclusion | Unread]) -> Iterator[Conclusion]:
    for each in answers:
        assert not isinstance(each, Unread)
        yield each


def test_each_fault_of_procedure_is_found(tmp_path: Path) -> None:
    # Of eleven tables none lets players bank, of 22 one. Where several kinds may befall one thing, such as a
    # set of dice, none is so frequent that it hides the others.
    rates = {**faults.NONE, **raised(PROCEDURES, 15, most=0.3), **OF_FEW}
    simulate(tmp_path, **(FLOOR | {"tables": 22}), hours=0.7, days=2, seed="e", rates=rates)
    result = score_archive(tmp_path)
    assert (result.missed, result.invented, result.inexact) == ([], [], [])
    assert (result.wrongly_open, result.unnamed) == ([], [])
    assert result.found == result.injected
    apart = set(DICE) - set(DICE_BY_WAY[1]) | set(AS_A_SHOE_ENDS)
    assert set(result.found) == set(PROCEDURES) - apart


def without_posts(table: Plan) -> Plan:
    """Return a table without what reports its staff and cameras, which only a whole floor has rightly."""
    devices = {of: name for of, name in table.devices.items() if of not in ("staff", "recorder")}
    return msgspec.structs.replace(table, devices=devices)


def test_each_fault_as_a_shoe_ends_is_found(tmp_path: Path) -> None:
    floor = plan(33, mixed=True, procedures=True)
    tables = [without_posts(each) for each in floor if each.chapter == "543"]
    rates = {**faults.NONE, **AS_A_SHOE_ENDS}
    start = int(START.timestamp()) * 1_000_000
    played = [play_table(each, "shoe", rates, start, start + 5_400_000_000) for each in tables]
    write_archive(played, tmp_path)
    result = score_archive(tmp_path)
    assert (result.missed, result.invented, result.inexact) == ([], [], [])
    assert (result.wrongly_open, result.unnamed) == ([], [])
    assert result.found == result.injected
    assert set(result.found) == set(AS_A_SHOE_ENDS)


@pytest.mark.parametrize("way", [2, 3])
def test_each_fault_with_dice_of_a_way_is_found(tmp_path: Path, way: int) -> None:
    floor = plan(66, mixed=True, procedures=True, dice_way=way)
    tables = [without_posts(each) for each in floor if each.chapter in DICE_OF]
    rates = {**faults.NONE, **dict.fromkeys(DICE, 0.3)}
    start = int(START.timestamp()) * 1_000_000
    write_archive([play_table(each, "dice", rates, start, start + 600_000_000) for each in tables], tmp_path)
    result = score_archive(tmp_path)
    assert (result.missed, result.invented, result.wrongly_open, result.unnamed) == ([], [], [], [])
    assert set(result.found) == set(DICE_BY_WAY[way])


# Rates at which three hours of a few tables show each of them several times.
HANDS_LEFT_OPEN: Final = {
    "banker_card_first": 0.04,
    "two_cards_running": 0.04,
    "third_cards_reversed": 0.3,
    "fourth_card_not_dealt": 0.04,
    "player_third_not_dealt": 0.1,
    "banker_third_not_dealt": 0.2,
    "player_third_for_banker": 1.0,  # open at Baccarat of 2010 only
}


def test_who_deals_after_hands_that_no_text_settles_is_left_open(tmp_path: Path) -> None:
    floor = plan(33, mixed=True, procedures=True)
    tables = [without_posts(each) for each in floor if each.chapter in ("631a", "545")]
    rates = {**faults.NONE, **HANDS_LEFT_OPEN, "shoe_kept": 0.2}
    start = int(START.timestamp()) * 1_000_000
    days = [play_table(each, "open", rates, start, start + 3 * 3_600_000_000) for each in tables]
    write_archive(days, tmp_path)
    left = [label for _, label in fault_labels(days) if label.undetermined]
    # Every kind is among them: where the Player's third card may be the Banker's, only by the text of 2010.
    assert {label.fault for label in left} == set(HANDS_LEFT_OPEN)
    chapters = {day.table.plan.chapter for day, label in fault_labels(days) if label in left}
    assert chapters == {"631a", "545"}
    result = score_archive(tmp_path)
    assert (result.missed, result.invented, result.inexact) == ([], [], [])
    assert (result.wrongly_open, result.unnamed) == ([], [])
    assert result.found == result.injected
    assert result.found["shoe_kept"] > 0


def test_under_sensor_faults_no_procedure_is_found_wrongly(tmp_path: Path) -> None:
    simulate(tmp_path, **FLOOR, hours=0.75, seed="s", rates=faults.rates() | raised(faults.SENSORS, 2))
    assert set(finds_no_fault_wrongly(tmp_path).sensors) == set(faults.SENSORS)


def test_a_floor_without_its_sources_has_no_such_account(tmp_path: Path) -> None:
    simulate(tmp_path, tables=2, hours=1, seed="none", rates=faults.rates(), mixed=True)
    assert accounts(tmp_path) == []
