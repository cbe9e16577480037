"""Who supervises a table: reported by its terminal, kept by the fold, and played by the simulator."""

import json
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest

from projections.engine.procedures.posts import OfGames
from schemas import events as e
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.table_audit import audit_events
from tests.builders.table_script import TIE, Script

WIN = (4, "player")


def test_a_round_has_the_floorperson_who_came_last() -> None:
    s = Script()
    s.open()
    s.play(TIE, {WIN: 1000}, "tie", {})
    s.say("T", e.FloorpersonAssigned, floorperson="FL-1")
    s.play(TIE, {WIN: 1000}, "tie", {})
    s.begin({WIN: 1000})
    s.tell(e.FloorpersonAssigned, floorperson="FL-2")
    s.no_more_bets({WIN: 1000})
    s.deal(TIE)
    s.announce("tie")
    s.end()
    heard = audit_events(s.events)
    assert heard.verdicts() == {"1": "clean", "2": "clean", "3": "clean"}
    seen = [each.seen for each in heard.history if each.seen is not None]
    assert [each.floorperson for each in seen] == [None, "FL-1", "FL-2"]


def test_a_floor_has_a_floorperson_for_four_tables_and_another_each_shift(tmp_path: Path) -> None:
    start = datetime(2025, 3, 1, 13, 30, tzinfo=ZoneInfo("America/New_York"))
    simulate(tmp_path / "floor", tables=5, hours=1, seed="f", rates=faults.rates(), start=start)
    supervised: dict[str, list[str]] = {}
    for file in sorted((tmp_path / "floor" / "events").glob("BAC-*.jsonl")):
        events = [each for line in file.read_bytes().splitlines() for each in json.loads(line)["events"]]
        supervised[file.stem] = [
            each["floorperson"] for each in events if each["event"] == "FloorpersonAssigned"
        ]
    pit_1 = {f"BAC-10{table}": ["FL-1-1", "FL-1-2"] for table in range(1, 5)}
    assert supervised == pit_1 | {"BAC-105": ["FL-2-1", "FL-2-2"]}


def test_a_word_that_no_duty_of_the_floor_has_is_refused() -> None:
    # Else "game" for "games" would ask it of every table.
    with pytest.raises(msgspec.ValidationError, match="unknown field `game`"):
        msgspec.convert({"cite": "465a.12", "game": ["craps"]}, OfGames)
