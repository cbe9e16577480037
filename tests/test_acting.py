"""What the surveillance room did is an event of its own stream, which judges of tables pass over."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from schemas.codec import VERSION, Frame, decode, encode
from schemas.errors import BadInput
from schemas.house import House, parse
from schemas.surveillance import DEVICE, STREAM, OperatorActed
from streams.worker.records import Record
from streams.worker.tables import Drained, Tables
from tests.script import PLAYER_WINS, Script, house
from tests.shown import archive, run
from tests.test_docs import ROOT, coded, tables

AT: Final = 1_740_882_000_000_000  # 2025-03-01 21:20 of the property's zone


def acted(number: int = 1, **fields: Any) -> OperatorActed:
    """Give the acknowledging of an alert, as the console tells it."""
    told: dict[str, Any] = {
        "device": DEVICE,
        "epoch": 1,
        "seq": number,
        "at": AT + number * 1_000_000,
        "id": f"{number:032x}",
        "who": "o.rivera",
        "role": "operator",
        "action": "acknowledge",
        "subject": "alert:4e1f9c7be9f16259",
        "details": "{}",
        "digest": f"{number:064x}",
    }
    return OperatorActed(**(told | fields))


def framed(*actions: OperatorActed, number: int = 1) -> bytes:
    return encode(Frame(v=VERSION, table=STREAM, frame=number, received=actions[-1].at, events=list(actions)))


def floor(folder: Path, *lines: bytes) -> Path:
    """Give an archive folder of a clean round, and beside it what the surveillance room did."""
    script = Script()
    script.open()
    script.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
    found = archive(folder, script, house())
    (found / "events" / f"{STREAM}.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    return found


def test_what_is_written_is_read_again() -> None:
    first = acted(before='{"state":"open"}', after='{"state":"acknowledged"}', previous="0" * 64)
    frame, unread = decode(framed(first, acted(2)), "here")
    assert (frame.events, unread) == ([first, acted(2)], [])


@pytest.mark.parametrize(
    "change", [{"id": "1"}, {"digest": "f" * 63}, {"previous": "F" * 64}, {"who": ""}, {"seq": 0}]
)
def test_an_action_out_of_form_is_unreadable_and_its_neighbour_is_not(change: dict[str, Any]) -> None:
    told = json.loads(framed(acted(), acted(2)))
    told["events"][0] |= change
    frame, unread = decode(json.dumps(told).encode(), "here")
    assert frame.events == [acted(2)]
    assert [each.where for each in unread] == ["here, event 1"]


@pytest.mark.parametrize("kept", [{}, {"cage": ["CG-1"]}])
def test_a_worker_passes_it_over_and_counts_it_as_taken(kept: Any) -> None:
    worker = Tables(House(house="floor", ledgers=kept), {}, "1", lambda: 0)
    assert worker.take(Record(2, 40, STREAM, framed(acted()))) is None
    assert (worker.drain(), list(worker.states()), worker.reached()) == (Drained([], [], 0), [], {2: 40})


def test_an_audit_passes_it_over(tmp_path: Path) -> None:
    ran = run("audit", floor(tmp_path, framed(acted())))
    assert ran.exit_code == 0, ran.stdout
    assert {json.loads(line)["table"] for line in ran.stdout.splitlines()} == {"BAC-1"}


def test_an_audit_says_what_of_it_cannot_be_read(tmp_path: Path) -> None:
    ran = run("audit", floor(tmp_path, framed(acted()).replace(b'"seq":1', b'"seq":0'), framed(acted(2))))
    assert ran.exit_code == 2
    (told,) = [json.loads(line) for line in ran.stdout.splitlines() if "error" in json.loads(line)]
    assert told["error"].startswith("surveillance.jsonl:1, event 1: ")


def test_no_table_may_have_its_name() -> None:
    text = "house: h\ntables:\n  surveillance: {chapter: 631a, sources: {T: terminal}}\n"
    with pytest.raises(BadInput, match=r"^h\.yaml: surveillance is the surveillance room's stream"):
        parse(text, "h.yaml")


def test_the_page_on_events_names_each_field() -> None:
    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    (rows,) = tables(page, "field")
    told = {name for row in rows for name in coded(row[0])}
    assert told == set(OperatorActed.__struct_fields__) - {"device", "epoch", "seq", "at", "round"}
