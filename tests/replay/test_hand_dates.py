"""Which gaming dates have a round, if `hand` was given none: found without judging the days."""

import json
from datetime import date
from pathlib import Path

import msgspec
import pytest

from replay.cli import hand as verb
from replay.recording.recording import Recording
from replay.recording.single_round import date_list, dates_of
from schemas import events as e
from schemas.codec import VERSION, Frame, encode
from tests.builders.round_records import run_verb, write_script_floor
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, build_house

DAY: float = 24 * 60 * 60


def three_days(folder: Path) -> Path:
    """Play round 1 on each of three gaming days, the second not the day after the first, and round 2 once."""
    script = Script()
    script.open()
    for days, hands in ((0, BANKER_WINS), (2, PLAYER_WINS), (3, BANKER_WINS)):
        script.now, script.count = days * DAY + 3600, 0
        outcome = "banker" if hands == BANKER_WINS else "player"
        script.play(hands, {(1, outcome): 2000}, outcome, {(1, outcome): 2000}, {(1, "banker"): 100})
    script.play(PLAYER_WINS, {(1, "player"): 500}, "player", {(1, "player"): 500})
    return write_script_floor(folder, script, build_house())


def test_the_dates_that_have_a_round_are_listed_without_judging_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """START is on April 1, 2025."""
    path = three_days(tmp_path)

    def judges(*_: object) -> None:
        pytest.fail("a day was judged")

    monkeypatch.setattr(verb, "judge_seated_rounds", judges)
    monkeypatch.setattr(verb, "judge_around", judges)
    result = run_verb("hand", path, "BAC-1", "1")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"discardrack: {path}: round '1' of table 'BAC-1' was played on "
        "2025-04-01, 2025-04-03, 2025-04-04; say which with --gaming-day\n"
    )
    missing = run_verb("hand", path, "BAC-1", "3")
    assert (missing.exit_code, missing.stderr) == (
        2,
        f"discardrack: {path}: round '3' of table 'BAC-1' is not there\n",
    )


def test_a_number_of_one_day_needs_no_date(tmp_path: Path) -> None:
    path = three_days(tmp_path)
    told = json.loads(run_verb("hand", path, "BAC-1", "2", "--format", "json").stdout)
    assert (told["heading"]["gaming_date"], told["outcome"]) == ("2025-04-04", "player")
    told = json.loads(run_verb("hand", path, "BAC-1", "1", "--date", "2025-04-03", "--format", "json").stdout)
    assert (told["heading"]["gaming_date"], told["outcome"]) == ("2025-04-03", "player")


def test_what_cannot_be_read_may_be_the_round_and_is_named(tmp_path: Path) -> None:
    path = three_days(tmp_path)
    with (path / "events" / "BAC-1.jsonl").open("ab") as file:
        file.write(b"not a frame\n")
    result = run_verb("hand", path, "BAC-1", "3")
    assert result.exit_code == 2
    assert "is not there; 1 of its lines could not be read, the first is BAC-1.jsonl:2: not a frame" in (
        result.stderr
    )
    assert run_verb("hand", path, "BAC-1", "2").exit_code == 0


@pytest.mark.parametrize("number", ["7", "sept/7", 'it\'s "7"', "Zoë"])
def test_a_number_is_found_however_it_is_written(number: str, tmp_path: Path) -> None:
    """Another writer of JSON may escape what is not ASCII."""
    script = Script()
    said = script.say("T", e.RoundOpened, round=number, shoe="shoe 1", heard={})
    path = write_script_floor(tmp_path, script, build_house())
    assert dates_of(Recording(path), "BAC-1", number) == [date(2025, 4, 1)]
    frame = Frame(v=VERSION, table="BAC-1", frame=1, received=said.at, events=script.events)
    escaped = json.dumps(json.loads(encode(frame)))
    (path / "events" / "BAC-1.jsonl").write_text(escaped + "\n", encoding="ascii")
    assert dates_of(Recording(path), "BAC-1", number) == [date(2025, 4, 1)]
    assert dates_of(Recording(path), "BAC-1", number + "0") == []


def test_a_round_over_the_turn_of_the_day_is_of_the_day_on_which_it_opened(tmp_path: Path) -> None:
    """The gaming day begins at 05:00 here; the round opens a second before and closes after."""
    script = Script(start=1_743_497_999_000_000)
    script.say("T", e.RoundOpened, after=0, round="9", shoe="shoe 1", heard={})
    script.say("T", e.WagersClosed, after=5, round="9")
    path = write_script_floor(tmp_path, script, build_house())
    assert dates_of(Recording(path), "BAC-1", "9") == [date(2025, 3, 31)]


def test_a_round_whose_opening_was_lost_is_found_by_what_was_reported(tmp_path: Path) -> None:
    script = Script()
    script.say("T", e.WagersClosed, round="9")
    assert dates_of(Recording(write_script_floor(tmp_path, script, build_house())), "BAC-1", "9") == [
        date(2025, 4, 1)
    ]


def test_an_archive_of_a_live_floor_lists_its_dates_too(kept: Path, played: Path) -> None:
    """The floor plays on the gaming days of March 1 and 2."""
    table = msgspec.json.decode((played / "labels.jsonl").read_bytes().splitlines()[0])["table"]
    days = [date(2025, 3, 1), date(2025, 3, 2)]
    assert dates_of(Recording(kept), table, "1") == days
    result = run_verb("hand", kept, table, "1")
    assert result.exit_code == 2
    assert result.stderr.endswith(" was played on 2025-03-01, 2025-03-02; say which with --gaming-day\n")


def test_many_dates_are_printed_as_ranges() -> None:
    odd = [date(2025, 1, day) for day in range(1, 32, 2)]
    assert date_list(odd) == ", ".join(map(str, odd[:12])) + " and 4 more"
    assert date_list([date(2025, 1, day) for day in range(1, 32)]) == "2025-01-01 to 2025-01-31"
