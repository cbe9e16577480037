"""Who may report what: the rule, the gateway that enforces it, and the page that shows it."""

import re
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest

from schemas.codec import read_event
from schemas.coupon_log import CouponEvent
from schemas.events import KINDS_OF, Event
from schemas.house import House, TableSetup
from schemas.ledgers import LEDGERS, LedgerEvent
from schemas.senders import WHY, Refusal, Senders
from schemas.surveillance import DEVICE, STREAM, OperatorActed
from streams.gateway.intake import Intake
from streams.gateway.lines import Line, Tally
from streams.gateway.spool import Spool
from streams.messages import read_quarantined
from streams.topics import QUARANTINE
from tests.builders.device_events import build_event_fields
from tests.builders.documents import ROOT

SOURCES: Final = {f"D-{source}": source for source in sorted(KINDS_OF)}
HOUSE: Final = House(
    house="h",
    tables={"BAC-1": TableSetup("631a", SOURCES), "BAC-2": TableSetup("631a", {"T-2": "terminal"})},
    ledgers={name: [f"L-{name}"] for name in LEDGERS},
)
SENDERS: Final = Senders(HOUSE)


def refusal(stream: str, told: dict[str, Any]) -> Refusal | None:
    event = read_event(msgspec.json.encode(told)).event
    assert event is not None
    return SENDERS.refusal(stream, event)


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_a_kind_is_taken_of_its_source_at_its_own_table_alone(kind: type[msgspec.Struct]) -> None:
    for device, source in SOURCES.items():
        expected = None if kind in KINDS_OF[source] else "kind_not_of_source"
        assert refusal("BAC-1", build_event_fields(kind, device)) == expected
    assert refusal("BAC-1", build_event_fields(kind, "T-2")) == "other_table"
    assert refusal("BAC-1", build_event_fields(kind, "X-9")) == "unknown_device"
    assert refusal("BAC-9", build_event_fields(kind, "X-9")) == "unknown_table"
    assert refusal("BAC-1", build_event_fields(kind, DEVICE)) == "console_event"
    assert refusal(STREAM, build_event_fields(kind, "D-terminal")) == "console_event"
    assert refusal("cage", build_event_fields(kind, "L-cage")) == "kind_not_of_source"


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_of_a_table_left_out_the_corrected_file_decides(kind: type[msgspec.Struct]) -> None:
    """The gateway accepts what may turn out to be the table's own; the worker asks again."""
    senders = Senders(HOUSE, {"BAC-2", "BAC-3"})

    def of(stream: str, device: str) -> Refusal | None:
        event = read_event(msgspec.json.encode(build_event_fields(kind, device))).event
        assert event is not None
        return senders.refusal(stream, event)

    for device in ("T-2", "X-9"):
        assert (of("BAC-2", device), of("BAC-3", "X-9")) == (None, None)
    assert of("BAC-2", "D-terminal") == of("BAC-3", "T-2") == of("BAC-2", "L-cage") == "other_table"
    assert of("BAC-1", "X-9") == "unknown_device"
    assert of("BAC-2", DEVICE) == "console_event"
    assert [senders.stream_refusal(name) for name in ("BAC-3", "BAC-9")] == [None, "unknown_table"]


@pytest.mark.parametrize("kind", get_args(LedgerEvent), ids=lambda kind: kind.__name__)
def test_an_entry_is_taken_of_who_keeps_its_ledger_alone(kind: type[msgspec.Struct]) -> None:
    taken = [name for name in LEDGERS if refusal(name, build_event_fields(kind, f"L-{name}")) is None]
    assert len(taken) == (len(LEDGERS) if kind.__name__ in {"LedgerClosed", "EntryCorrected"} else 1)
    for name in LEDGERS:
        assert refusal(name, build_event_fields(kind, "D-terminal")) == "other_table"
        assert refusal(name, build_event_fields(kind, "X-9")) == "unknown_device"
    assert refusal("BAC-1", build_event_fields(kind, "D-terminal")) == "kind_not_of_source"


@pytest.mark.parametrize("stream", ["BAC-1", STREAM, "cage", "BAC-9"])
@pytest.mark.parametrize("device", [DEVICE, "D-terminal", "L-cage", "X-9"])
def test_nothing_of_the_console_is_taken_of_a_device(stream: str, device: str) -> None:
    assert refusal(stream, build_event_fields(OperatorActed, device)) == "console_event"


def intake(folder: Path, *texts: bytes) -> tuple[list[Any], list[tuple[str, int]]]:
    """Send lines to a gateway; return what it quarantined, and what it accepted of each table."""
    with Spool(folder) as spool:
        gateway = Intake(spool, "g", 10**6, lambda: None, SENDERS)
        tally = Tally("127.0.0.1:5000", host="127.0.0.1")
        gateway.open(tally)
        for number, text in enumerate(texts, 1):
            gateway.take(tally, Line(number, 0, text))
        gateway.finish()
        held = spool.next_records(0, 100)
        assert tally.line == len(texts)
    apart = [read_quarantined(each.payload) for each in held if each.topic == QUARANTINE]
    frames = [msgspec.json.decode(each.payload) for each in held if each.topic != QUARANTINE]
    return apart, [(each["table"], len(each["events"])) for each in frames]


def test_the_rest_of_a_line_goes_on_and_what_is_refused_says_why(tmp_path: Path) -> None:
    kind = get_args(Event)[0]
    events = [build_event_fields(kind, device) for device in ("D-terminal", "X-9", "T-2", "D-terminal")]
    apart, frames = intake(tmp_path, msgspec.json.encode({"table": "BAC-1", "events": events}))
    assert [(each.code, each.source, each.table) for each in apart] == [
        ("unknown_device", "127.0.0.1", "BAC-1"),
        ("other_table", "127.0.0.1", "BAC-1"),
    ]
    assert frames == [("BAC-1", 2)]


def test_an_action_at_the_port_is_set_apart(tmp_path: Path) -> None:
    told = {"table": STREAM, "events": [build_event_fields(OperatorActed, DEVICE)]}
    apart, frames = intake(tmp_path, msgspec.json.encode(told))
    assert ([each.code for each in apart], frames) == (["console_event"], [])


def test_http_at_the_port_is_named(tmp_path: Path) -> None:
    (row,), frames = intake(tmp_path, b"GET /healthz HTTP/1.1\r")
    assert ("HTTP" in row.reason, row.code, frames) == (True, None, [])


def test_the_page_names_every_kind_once_and_every_code() -> None:
    page = (ROOT / "docs" / "proofs.md").read_text("utf-8")
    section = page.partition("## Who may send what\n")[2].partition("\n## ")[0]
    kinds, codes = re.findall(r"\| --- \|\n((?:\|.*\n)+)", section)
    named = [name for row in kinds.splitlines() for name in re.findall("`(.*?)`", row.split("|")[1])]
    entries = [str(kind.__struct_config__.tag) for kind in get_args(CouponEvent)]
    expected = [kind.__name__ for kind in (*get_args(Event), *get_args(LedgerEvent), OperatorActed)]
    assert sorted(named) == sorted([*expected, *entries])
    told = {name for row in codes.splitlines() for name in re.findall("`([a-z_]+)`", row.split("|")[1])}
    assert told == set(WHY) == set(get_args(Refusal))
