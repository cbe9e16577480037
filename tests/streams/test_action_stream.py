"""What the surveillance room did is an event of its own stream, which judges of tables pass over."""

import json
from pathlib import Path
from typing import Any

import pytest

from schemas.codec import VERSION, Frame, decode, encode
from schemas.errors import BadInput
from schemas.house import House, parse
from schemas.surveillance import DEVICE, STREAM, OperatorActed
from streams.worker.deliveries import Record
from streams.worker.tables import Drain, Tables
from tests.builders.action_events import build_action_event, encode_action_frame
from tests.builders.documents import ROOT, code_spans, page_tables
from tests.builders.round_records import run_verb, write_script_floor
from tests.builders.table_script import PLAYER_WINS, Script, build_house


def floor(folder: Path, *lines: bytes) -> Path:
    """Return an archive folder of a clean round, and beside it what the surveillance room did."""
    script = Script()
    script.open()
    script.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
    found = write_script_floor(folder, script, build_house())
    (found / "events" / f"{STREAM}.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    return found


def test_what_is_written_is_read_again() -> None:
    first = build_action_event(before='{"state":"open"}', after='{"state":"acknowledged"}', previous="0" * 64)
    frame, unread = decode(encode_action_frame(first, build_action_event(2)), "here")
    assert (frame.events, unread) == ([first, build_action_event(2)], [])


@pytest.mark.parametrize(
    "change", [{"id": "1"}, {"digest": "f" * 63}, {"previous": "F" * 64}, {"who": ""}, {"seq": 0}]
)
def test_an_action_out_of_form_is_unreadable_and_its_neighbour_is_not(change: dict[str, Any]) -> None:
    told = json.loads(encode_action_frame(build_action_event(), build_action_event(2)))
    told["events"][0] |= change
    frame, unread = decode(json.dumps(told).encode(), "here")
    assert frame.events == [build_action_event(2)]
    assert [each.where for each in unread] == ["here, event 1"]


@pytest.mark.parametrize("kept", [{}, {"cage": ["CG-1"]}])
def test_a_worker_passes_it_over(kept: Any) -> None:
    worker = Tables(House(house="floor", ledgers=kept), {}, "1", lambda: 0)
    assert worker.take(Record(2, 40, STREAM, encode_action_frame(build_action_event()))) is None
    assert (worker.drain(), list(worker.states())) == (Drain([], [], 0), [])


def test_an_audit_passes_it_over(tmp_path: Path) -> None:
    ran = run_verb("audit", floor(tmp_path, encode_action_frame(build_action_event())))
    assert ran.exit_code == 0, ran.stdout
    assert {json.loads(line)["table"] for line in ran.stdout.splitlines()} == {"BAC-1"}


def test_an_audit_says_what_of_it_cannot_be_read(tmp_path: Path) -> None:
    ran = run_verb(
        "audit",
        floor(
            tmp_path,
            encode_action_frame(build_action_event()).replace(b'"seq":1', b'"seq":0'),
            encode_action_frame(build_action_event(2)),
        ),
    )
    assert ran.exit_code == 2
    (told,) = [json.loads(line) for line in ran.stdout.splitlines() if "error" in json.loads(line)]
    assert told["error"].startswith("surveillance.jsonl:1, event 1: ")


def test_no_table_may_have_its_name() -> None:
    text = "house: h\ntables:\n  surveillance: {chapter: 631a, sources: {T: terminal}}\n"
    with pytest.raises(
        BadInput,
        match=r"^h\.yaml:3: not a house file: surveillance is the name of the surveillance room's stream",
    ):
        parse(text, "h.yaml")


def test_the_page_on_events_names_each_field() -> None:
    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    (rows,) = page_tables(page, "field")
    told = {name for row in rows for name in code_spans(row[0])}
    assert told == set(OperatorActed.__struct_fields__) - {"device", "epoch", "seq", "at", "round"}


# ── the timeline ─────────────────────────────────────────────────────────────────────────────────────


def listed(path: Path, *asked: str) -> list[dict[str, Any]]:
    ran = run_verb("timeline", path, "--format", "jsonl", *asked)
    assert ran.exit_code == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture
def acting(tmp_path: Path) -> Path:
    """Return a floor on which one alert was acknowledged, noted upon and closed, by two people."""
    noted = build_action_event(2, action="note", details='{"text":"called the pit"}')
    closed = build_action_event(3, who="s.chen", role="supervisor", action="close", subject="alert:77")
    return floor(
        tmp_path,
        encode_action_frame(build_action_event(), noted),
        encode_action_frame(noted, closed, number=2),
    )


def test_the_timeline_has_operators_actions_among_the_floor_s_events(acting: Path) -> None:
    rows = listed(acting)
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    told = [row for row in rows if row["table"] == STREAM]
    assert [(row["operator"], row["subject"], row["message"]) for row in told] == [
        ("o.rivera", "alert:4e1f9c7be9f16259", "operator o.rivera: acknowledge alert:4e1f9c7be9f16259"),
        (
            "o.rivera",
            "alert:4e1f9c7be9f16259",
            'operator o.rivera: note alert:4e1f9c7be9f16259, {"text":"called the pit"}',
        ),
        ("s.chen", "alert:77", "supervisor s.chen: close alert:77"),
    ]
    assert {row["table"] for row in rows} == {"BAC-1", STREAM}
    assert {(row["event"], row["device"], row["gaming_date"]) for row in told} == {
        ("OperatorActed", "console", "2025-03-01")
    }


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        (("--table", STREAM), [1, 2, 3]),
        (("--operator", "s.chen"), [3]),
        (("--operator", "s.chen", "--operator", "o.rivera"), [1, 2, 3]),
        (("--subject", "alert:4e1f9c7be9f16259"), [1, 2]),
        (("--subject", "alert:77", "--operator", "o.rivera"), []),
        (("--table", STREAM, "--from", "2025-03-01T21:20:02"), [2, 3]),
        (("--table", "BAC-1"), []),
    ],
)
def test_the_timeline_is_filtered_by_who_acted_and_on_what(
    asked: tuple[str, ...], numbers: list[int], acting: Path
) -> None:
    rows = [row for row in listed(acting, *asked) if row["table"] == STREAM or "--table" not in asked]
    assert [row["at"] for row in rows] == [f"2025-03-02T02:20:0{number}.000000Z" for number in numbers]


def test_nobody_who_did_not_act_can_be_asked_for(acting: Path) -> None:
    ran = run_verb("timeline", acting, "--operator", "s.chan")
    assert ran.exit_code == 2
    assert "--operator 's.chan': there is none; nearest: s.chen" in ran.stderr


def test_an_action_that_came_twice_stands_once_and_one_that_never_came_is_missing(tmp_path: Path) -> None:
    path = floor(
        tmp_path,
        encode_action_frame(build_action_event()),
        encode_action_frame(build_action_event(), build_action_event(4), number=2),
    )
    out = tmp_path / "accounting.json"
    assert len(listed(path, "--table", STREAM, "--accounting", str(out))) == 2
    counts = json.loads(out.read_bytes())
    assert (counts["read"], counts["used"], counts["doubled"]) == (3, 2, 1)
    assert counts["missing"] == [{"table": STREAM, "device": DEVICE, "epoch": 1, "first": 2, "last": 3}]


def test_what_is_no_action_is_no_part_of_its_stream(tmp_path: Path) -> None:
    script = Script()
    script.open()
    stray = encode(Frame(v=VERSION, table=STREAM, frame=1, received=0, events=list(script.events[:2])))
    path, out = floor(tmp_path, stray), tmp_path / "accounting.json"
    assert listed(path, "--table", STREAM, "--accounting", str(out)) == []
    counts = json.loads(out.read_bytes())
    assert (counts["read"], counts["strange"]) == (2, 2)
