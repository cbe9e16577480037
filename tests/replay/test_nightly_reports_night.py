"""The reports of nights that were run: what was open, at odds or doubted at a scripted table."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from schemas import events as e
from tests.builders.nights import only_row, read_report, read_report_rows, run_nightly, write_floor
from tests.builders.table_script import (
    BANKER_WINS,
    PLAYER_WINS,
    Script,
    build_house,
    build_house_with_cage,
    rename_devices,
)


def test_what_is_left_open_makes_up_the_rest_of_the_win(tmp_path: Path) -> None:
    script = Script()
    script.open()
    wager = {(1, "player"): 100_00}
    script.play(BANKER_WINS, wager, "banker", {(1, "player"): -100_00})
    script.play(PLAYER_WINS, wager, "player", {(1, "player"): 600_00})
    third = script.play(BANKER_WINS, wager, "banker", {(1, "player"): -100_00})
    unread = next(each for each in script.events if isinstance(each, e.CardDrawn) and each.round == third)
    beside = next(each for each in script.events if isinstance(each, e.CardSeen) and each.round == third)
    script.events = [each for each in script.events if each not in (unread, beside)]
    script.close()
    run_nightly(write_floor(tmp_path, script), out=tmp_path, only={"undetermined", "theoretical_win"})
    assert only_row(read_report_rows(tmp_path, "undetermined"))["round"] == third
    row = only_row(read_report_rows(tmp_path, "theoretical_win"))
    # Won 100 and lost 100 by the rules, 500 more lost on the second, and 100 won on the one that is open.
    assert (row["owed_cents"], row["otherwise_cents"], row["open_cents"]) == (0, -500_00, 100_00)
    assert row["settled_win_cents"] == row["weighed_cents"] == -400_00


@pytest.mark.parametrize(("shoe", "camera"), [("S", "V"), ("Shoe 1", "Camera 1")])
def test_devices_at_odds_are_no_gap(tmp_path: Path, shoe: str, camera: str) -> None:
    script = Script()
    script.open()
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.close()
    seen = next(each for each in script.events if isinstance(each, e.CardSeen))
    place = script.events.index(seen)
    script.events[place] = replace(seen, card="9c")
    house, script.events = rename_devices(build_house(), script.events, {"S": shoe, "V": camera})
    run_nightly(
        write_floor(tmp_path, script, house),
        out=tmp_path,
        only={"sensor_gaps", "source_conflicts", "undetermined"},
    )
    assert read_report_rows(tmp_path, "sensor_gaps") == []
    row = only_row(read_report_rows(tmp_path, "source_conflicts"))
    assert (row["devices"], row["read"], row["rounds"]) == (f"{shoe} {camera}", "shoe and camera", 1)
    assert only_row(read_report_rows(tmp_path, "undetermined"))["devices"] == f"{shoe} {camera}"


def test_a_slip_that_is_doubted_is_said_beside_the_inventory(tmp_path: Path) -> None:
    script = Script()
    script.open_counted()
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.list_inventory("TI-2", "closing", script.tray + 100_00)
    script.drop_slip("TI-2")
    script.change_box("B-1", None)
    script.close()
    run_nightly(
        write_floor(tmp_path, script, build_house_with_cage()),
        out=tmp_path,
        only={"inventory", "win_by_table"},
    )
    row = only_row(read_report_rows(tmp_path, "inventory"))
    # Opened with $100,000 and won $100; the slip has $100 more, and is doubted.
    assert (row["expected_cents"], row["closer_cents"], row["untyped_cents"]) == (100_100_00, 100_200_00, 0)
    assert "slip TI-2 says $100,200.00" in row["doubts"].replace("Slip", "slip")
    won = only_row(read_report_rows(tmp_path, "win_by_table"))
    assert (won["win_cents"], won["basis"]) == (200_00, "estimated, slip doubted")


def test_a_proven_mistake_is_counted_by_its_weight(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.play(PLAYER_WINS, {(1, "player"): 100_00}, "player", {(1, "player"): 600_00})
    script.close()
    run_nightly(write_floor(tmp_path, script), out=tmp_path, only=())
    row = only_row(read_report_rows(tmp_path, "open_items"))
    assert (row["what"], row["weight"], row["severity"]) == ("paid_too_much", "mismatch", "high")
    assert read_report(tmp_path, "open_items")["note"] == "Proven: 1 high. No snapshot was given."
