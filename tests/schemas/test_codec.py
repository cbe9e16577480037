"""Unreadable frames: each is reported once, with file and line, and every good neighbour is judged."""

import json
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from replay.cli import main
from schemas import events as e
from schemas.codec import VERSION, Frame, decode, encode, read_event
from schemas.errors import BadInput
from schemas.events import Event
from tests.builders.table_script import PLAYER_WINS, Script, frame_of

HOUSE: Final = """
house: bad frames
tables:
  BAC-1: {chapter: 631a, decks: 8, sources: {T: terminal, S: shoe, C: chips}}
submissions:
  - {from: 2025-01-01, chapter: 631a, options: {}}
"""


def rounds() -> list[list[Event]]:
    """Play three clean rounds; give the events of each with what came before it."""
    s = Script(without="VI")
    s.open()
    parts: list[list[Event]] = []
    for _ in range(3):
        first = sum(len(part) for part in parts)
        s.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
        parts.append(s.events[first:])
    s.close()
    parts[-1].append(s.events[-1])
    return parts


ROUNDS: Final = rounds()
LINES: Final = [encode(frame_of(part, number)) for number, part in enumerate(ROUNDS, 1)]


def audit(folder: Path, *lines: bytes) -> tuple[int, list[dict[str, Any]]]:
    """Audit an archive of one file through the command; give its exit status and answers."""
    (folder / "events").mkdir()
    (folder / "events" / "BAC-1.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    (folder / "house.yaml").write_text(HOUSE, encoding="utf-8")
    ran = CliRunner().invoke(main, ["audit", str(folder)])
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    return ran.exit_code, [json.loads(line) for line in ran.stdout.splitlines()]


def verdicts(answers: list[dict[str, Any]]) -> dict[str, str]:
    return {each["round"]: each["verdict"] for each in answers if "round" in each}


def errors(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in answers if "error" in each]


def told_once(folder: Path, bad: bytes, *, line: int = 2) -> str:
    """Audit three good frames with a bad one between; give the one error, all rounds being clean."""
    status, answers = audit(folder, LINES[0], bad, *LINES[1:])
    assert verdicts(answers) == {"1": "clean", "2": "clean", "3": "clean"}
    (error,) = errors(answers)
    assert (status, error["line"]) == (2, line)
    assert f"BAC-1.jsonl:{line}" in error["error"]
    assert "Traceback" not in error["error"]
    assert "\n" not in error["error"]
    return str(error["error"])


def test_good_frames(tmp_path: Path) -> None:
    status, answers = audit(tmp_path, *LINES)
    assert (status, errors(answers)) == (0, [])
    assert verdicts(answers) == {"1": "clean", "2": "clean", "3": "clean"}


def test_frame_comes_back_as_it_was() -> None:
    frame = frame_of(ROUNDS[0])
    assert decode(encode(frame), "here") == (frame, [])


# ── frames of which nothing can be read ──────────────────────────────────────────────────────────────

ENVELOPE: Final = {"v": VERSION, "table": "BAC-1", "frame": 9, "received": 1, "events": []}


def envelope(**fields: Any) -> bytes:
    return json.dumps(ENVELOPE | fields).encode()


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (b"this is not JSON", "not a frame"),
        (LINES[0][:-40], "not a frame"),
        (LINES[0] + LINES[1], "not a frame"),
        (b"null", "not a frame"),
        (b"17", "not a frame"),
        (b"[]", "not a frame"),
        (b'"frame"', "not a frame"),
        (b'{"table": "BAC-1", "play": []}', "schema version None is unknown"),
        (envelope(v=2), "schema version 2 is unknown; this software reads 1"),
        (envelope(v="1"), "schema version '1' is unknown"),
        (envelope(v=None), "schema version None is unknown"),
        (envelope(v=True), "not a frame"),
        (envelope(table=101), "$.table"),
        (envelope(table=""), "$.table"),
        (envelope(frame=0), "$.frame"),
        (envelope(received=-1), "$.received"),
        (envelope(received=1.5), "$.received"),
        (envelope(events={}), "$.events"),
        (envelope(events=None), "$.events"),
        (envelope(weather="fair"), "weather"),
        (json.dumps({key: ENVELOPE[key] for key in ("v", "table", "frame", "events")}).encode(), "received"),
        (b'{"v": 1, "table": "\xff\xfe", "frame": 1, "received": 1, "events": []}', "utf-8"),
        (b"\xff\xfe{\x00", "not a frame"),
        (b"\x00\x00", "not a frame"),
        (b'{"v": 1, "table": "\\ud800", "frame": 1, "received": 1, "events": []}', "not a frame"),
        (b'{"v": NaN}', "not a frame"),
        (b"[" * 100_000, "not a frame"),
        (b'{"v": 1, "table": "BAC-1", "frame": 1, "received": 1, "events": ' + b"[" * 100_000, "not a frame"),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else value[:40].decode(errors="replace"),
)
def test_frame_that_cannot_be_read(tmp_path: Path, bad: bytes, says: str) -> None:
    assert says in told_once(tmp_path, bad)


def test_table_that_the_house_lacks(tmp_path: Path) -> None:
    error = told_once(tmp_path, encode(replace(frame_of(ROUNDS[0]), table="BAC-2")))
    assert "'BAC-2'" in error


def test_blank_lines_are_passed_over(tmp_path: Path) -> None:
    status, answers = audit(tmp_path, b"", LINES[0], b"   ", b"", *LINES[1:], b"\t")
    assert (status, errors(answers)) == (0, [])


def test_every_bad_frame_is_reported(tmp_path: Path) -> None:
    status, answers = audit(tmp_path, b"{", LINES[0], b"[]", LINES[1], b"\xff", LINES[2])
    assert status == 2
    assert [each["line"] for each in errors(answers)] == [1, 3, 5]
    assert verdicts(answers) == {"1": "clean", "2": "clean", "3": "clean"}


# ── frames of which one event cannot be read ─────────────────────────────────────────────────────────

# One event more than the three rounds have, of a device that numbers it last.
LAST: Final = {"device": "C", "epoch": 1, "seq": 7, "at": 1_743_500_100_000_000, "round": "3"}
PLACED: Final = {"event": "ChipsPlaced", "seat": 1, "wager": "tie", "cents": 100} | LAST
DRAWN: Final = {"event": "CardDrawn", "hand": "player", "card": "Ah"} | LAST


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (PLACED | {"cents": -100}, "$.cents"),
        (PLACED | {"cents": 99.5}, "$.cents"),
        (PLACED | {"cents": "100"}, "$.cents"),
        (PLACED | {"seat": -1}, "$.seat"),
        (PLACED | {"wager": None}, "$.wager"),
        (PLACED | {"wager": ""}, "$.wager"),
        (PLACED | {"event": "ChipsEaten"}, "ChipsEaten"),
        (PLACED | {"event": 7}, "$.event"),
        ({key: value for key, value in PLACED.items() if key != "event"}, "event"),
        ({key: value for key, value in PLACED.items() if key != "round"}, "round"),
        (PLACED | {"seq": 0}, "$.seq"),
        (PLACED | {"seq": "7"}, "$.seq"),
        (PLACED | {"epoch": 0}, "$.epoch"),
        (PLACED | {"at": -1}, "$.at"),
        (PLACED | {"device": ""}, "$.device"),
        (PLACED | {"round": ""}, "$.round"),
        (DRAWN | {"card": "1h"}, "$.card"),
        (DRAWN | {"card": "Ax"}, "$.card"),
        (DRAWN | {"card": "10h"}, "$.card"),
        (DRAWN | {"card": "0h"}, "$.card"),
        (DRAWN | {"card": None}, "$.card"),
        ("a word", "`object`"),
        (None, "`object`"),
    ],
    ids=str,
)
def test_event_that_cannot_be_read(tmp_path: Path, bad: Any, says: str) -> None:
    # The bad one stands amid good ones of the same frame.
    good = [json.loads(encode(frame_of([event])))["events"][0] for event in ROUNDS[1]]
    frame = envelope(events=[*good[:3], bad, *good[3:]], frame=2)
    status, answers = audit(tmp_path, LINES[0], frame, LINES[2])
    assert (status, verdicts(answers)) == (2, {"1": "clean", "2": "clean", "3": "clean"})
    (error,) = errors(answers)
    assert error["line"] == 2
    assert error["error"].startswith("BAC-1.jsonl:2, event 4: ")
    assert says in error["error"]


def test_a_lost_event_that_could_not_be_read_leaves_its_round_open(tmp_path: Path) -> None:
    parts = [json.loads(line) for line in LINES]
    (card,) = [
        event for event in parts[1]["events"] if event["event"] == "CardDrawn" and event["card"] == "7c"
    ]
    card["card"] = "77"
    status, answers = audit(tmp_path, *(json.dumps(part).encode() for part in parts))
    assert (status, len(errors(answers))) == (2, 1)
    assert verdicts(answers) == {"1": "clean", "2": "undetermined", "3": "clean"}


def test_device_that_the_house_lacks(tmp_path: Path) -> None:
    strangers = [
        e.TokeGiven(device="X", epoch=1, seq=seq, at=1_743_500_100_000_000, seat=1, cents=500)
        for seq in (1, 2, 3)
    ]
    error = told_once(tmp_path, encode(frame_of(strangers)))
    assert "BAC-1 has no device 'X'" in error


def test_deeply_nested_correction(tmp_path: Path) -> None:
    one = (
        b'{"event":"ReportCorrected","device":"T","epoch":1,"seq":1,"at":1,"round":"1","mistaken":["C",1,1],'
    )
    deep = one + b'"instead":' + (one + b'"instead":') * 5000 + b"null" + b"}" * 5001
    told_once(tmp_path, b'{"v":1,"table":"BAC-1","frame":9,"received":1,"events":[' + deep + b"]}")


# ── what can be read but not be ──────────────────────────────────────────────────────────────────────


def test_a_field_that_the_schema_does_not_know_is_dropped_and_the_event_holds(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in LINES]
    for event in lines[1]["events"]:
        event |= {"confidence": 0.98, "firmware": {"version": [2, 1]}}
    status, answers = audit(tmp_path, *(json.dumps(frame).encode() for frame in lines))
    assert (status, verdicts(answers)) == (0, {"1": "clean", "2": "clean", "3": "clean"})


def test_what_is_wrong_beside_such_a_field_is_still_wrong() -> None:
    assert read_event(msgspec.json.encode(DRAWN | {"confidence": 1, "card": "1h"})).event is None
    missing = {name: value for name, value in DRAWN.items() if name != "card"} | {"crad": "9c"}
    found = read_event(msgspec.json.encode(missing))
    assert (found.event, "`card`" in found.reason) == (None, True)


def test_a_poll_of_a_device_that_the_house_lacks_is_no_hole(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in LINES]
    for number, frame in enumerate(lines):
        for event in frame["events"]:
            if "heard" in event:
                event["heard"]["X"] = [1, 7 * number, 0]
    _, answers = audit(tmp_path, *(json.dumps(frame).encode() for frame in lines))
    assert verdicts(answers) == {"1": "clean", "2": "clean", "3": "clean"}


def test_a_poll_of_numbers_that_never_came(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in LINES]
    (closed,) = [event for event in lines[1]["events"] if event["event"] == "RoundClosed"]
    closed["heard"]["C"][1] = 10**15
    _, answers = audit(tmp_path, *(json.dumps(frame).encode() for frame in lines))
    assert verdicts(answers)["1"] == "clean"
    assert verdicts(answers)["2"] == "undetermined"


@pytest.mark.parametrize("at", [10**19, 10**30])
def test_a_clock_beyond_all_calendars(tmp_path: Path, at: int) -> None:
    lines = [json.loads(line) for line in LINES]
    (opened,) = [event for event in lines[1]["events"] if event["event"] == "RoundOpened"]
    opened["at"] = at
    _, answers = audit(tmp_path, *(json.dumps(frame).encode() for frame in lines))
    judged = verdicts(answers)
    assert judged["1"] == judged["3"] == "clean"
    assert errors(answers) or judged["2"] == "undetermined"


# ── the call itself ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("house", "says"),
    [
        ("house: [", "not a house file"),
        ("house: h\nweather: fair\n", "weather"),
        ("house: h\nzone: Nowhere/Land\n", "Nowhere/Land"),
        ("house: h\ngaming_day_starts: noon\n", "not a house file"),
    ],
)
def test_house_file_at_fault(tmp_path: Path, house: str, says: str) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "BAC-1.jsonl").write_bytes(LINES[0])
    (tmp_path / "house.yaml").write_text(house, encoding="utf-8")
    ran = CliRunner().invoke(main, ["audit", str(tmp_path)])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert says in ran.stderr
    assert "house.yaml" in ran.stderr


def test_archive_without_a_house_file(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "BAC-1.jsonl").write_bytes(LINES[0])
    ran = CliRunner().invoke(main, ["audit", str(tmp_path)])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "--house" in ran.stderr


def test_decode_raises_bad_input_alone() -> None:
    with pytest.raises(BadInput, match="there: not a frame"):
        decode(b"{", "there")
    frame, unread = decode(envelope(events=[{"event": "CardDrawn"}]), "there")
    assert (frame.events, len(unread)) == ([], 1)
    assert isinstance(frame, Frame)
    assert unread[0].where == "there, event 1"
    assert json.loads(unread[0].payload) == {"event": "CardDrawn"}  # kept for the quarantine
