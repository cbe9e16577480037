"""`devices check`: what a gateway would keep of report lines, and the gateway keeps just that."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner, Result
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from replay.cli import main
from schemas.house import House, TableSetup
from schemas.senders import Senders
from streams import processes
from streams.gateway.intake import Intake
from streams.gateway.lines import Line, Tally
from streams.gateway.process import Devices
from streams.gateway.spool import Spool
from streams.messages import read_quarantined
from streams.topics import QUARANTINE

SOURCES: Final[dict[str, Any]] = {"S-1": "shoe", "T-1": "terminal"}
HOUSE: Final = House(
    house="h",
    tables={"BAC-1": TableSetup("631a", SOURCES), "BAC-2": TableSetup("631a", {"S-2": "shoe"})},
)
DROPPED: Final = "discardrack_unknown_fields_total"
AT: Final = 1_740_880_445_000_000  # 2025-03-02, microseconds
CARD: Final[dict[str, Any]] = {
    "event": "CardDrawn",
    "device": "S-1",
    "epoch": 1,
    "seq": 1,
    "at": AT,
    "round": "17",
    "card": "9c",
    "hand": "player",
}


def line(*events: dict[str, Any], table: str = "BAC-1", received: int | None = AT) -> bytes:
    told: dict[str, Any] = {"table": table, "events": events}
    return json.dumps(told | ({"received": received} if received is not None else {})).encode()


UNREAD: Final = (
    "$.card",
    "$.at",
    "1970 are asked",
    "CardDrawn",
    "unknown fields: hnad",
)  # what only the worker puts into the quarantine
GOOD: Final = line(CARD)
# A line, and the rows that it comes to: events, answer, code, a word of the reason, fields dropped.
LINES: Final[list[tuple[bytes, list[tuple[int, str, str | None, str | None, str | None]]]]] = [
    (GOOD, [(1, "kept", None, None, None)]),
    (b"", []),
    (b"no JSON", [(0, "quarantined", None, "JSON", None)]),
    (b"GET /healthz HTTP/1.1\r", [(0, "quarantined", None, "HTTP", None)]),
    (
        line(CARD, CARD | {"device": "S-2"}, CARD | {"device": "T-1"}, CARD | {"device": "X"}),
        [
            (1, "quarantined", "other_table", "elsewhere", None),
            (1, "quarantined", "kind_not_of_source", "source", None),
            (1, "quarantined", "unknown_device", "device", None),
            (1, "kept", None, None, None),
        ],
    ),
    (line(CARD, CARD, table="BAC-9"), [(2, "quarantined", "unknown_table", "table", None)]),
    (line(CARD | {"card": "1x"}), [(1, "quarantined", None, "$.card", None)]),
    (line(CARD | {"event": "CardDrwn"}), [(1, "quarantined", None, "CardDrawn", None)]),
    (
        line({"hnad" if name == "hand" else name: each for name, each in CARD.items()}),
        [(1, "quarantined", None, "unknown fields: hnad", None)],
    ),
    (line(CARD | {"confidence": 0.98}), [(1, "kept", None, None, "CardDrawn.confidence")]),
    (line(CARD | {"at": AT // 1000}), [(1, "quarantined", None, "milliseconds", None)]),
    (line(CARD | {"at": AT // 1_000_000}), [(1, "quarantined", None, "seconds", None)]),
    (line(CARD | {"at": "2025-03-01T20:53:35-05:00"}), [(1, "quarantined", None, "1970 are asked", None)]),
    (line(CARD | {"at": AT * 1000}), [(1, "quarantined", None, "$.at", None)]),
    # A clock that was never set is no clock in another unit, and one that is years wrong is one.
    (line(CARD | {"at": 5}), [(1, "kept", None, None, None)]),
    (line(CARD | {"at": AT - 3 * 365 * 86_400_000_000}), [(1, "kept", None, None, None)]),
    # A line without its receipt is compared with now.
    (line(CARD | {"at": processes.now() // 1000}, received=None), [(1, "quarantined", None, "milli", None)]),
]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.yaml"
    path.write_bytes(msgspec.yaml.encode(HOUSE))
    return path


def check(house: Path, text: bytes, *options: str) -> Result:
    arguments = ["devices", "check", "--house", str(house), "--format", "jsonl", *options]
    return CliRunner().invoke(main, arguments, input=text, catch_exceptions=False)


def test_each_line_is_said_to_be_kept_or_why_it_is_not(house: Path) -> None:
    ran = check(house, b"\n".join(text for text, _ in LINES))
    assert ran.exit_code == 1
    found = [json.loads(row) for row in ran.stdout.splitlines()]
    for number, (_, expected) in enumerate(LINES, 1):
        rows = [each for each in found if each["line"] == number]
        assert [(each["events"], each["answer"], each["code"], each["dropped"]) for each in rows] == [
            (events, answer, code, dropped) for events, answer, code, _, dropped in expected
        ]
        for row, (_, _, _, word, _) in zip(rows, expected, strict=True):
            assert (row["reason"] is None) if word is None else (word in row["reason"]), row


def test_lines_that_are_kept_are_status_0_and_only_faulty_ones_are_listed(house: Path) -> None:
    text = GOOD + b"\n" + line(CARD | {"seq": 2, "confidence": 1}) + b"\n"
    assert check(house, text).exit_code == 0
    (row,) = check(house, text, "--faulty").stdout.splitlines()
    assert json.loads(row)["line"] == 2


def test_a_field_that_is_dropped_is_named_with_the_one_that_may_be_meant(house: Path) -> None:
    chips = {name: CARD[name] for name in ("epoch", "at", "round")} | {
        "event": "ChipsPlaced", "device": "C-1", "seq": 1, "seat": 1, "wager": "player", "cents": 100,
    }  # fmt: skip
    house.write_bytes(
        msgspec.yaml.encode(House(house="h", tables={"BAC-1": TableSetup("631a", {"C-1": "chips"})}))
    )
    (row,) = check(house, line(chips | {"betor": "anna", "confidence": 1})).stdout.splitlines()
    found = json.loads(row)
    assert found["dropped"] == "ChipsPlaced.betor, ChipsPlaced.confidence"
    assert found["near"] == "ChipsPlaced.bettor"


def test_the_gateway_does_with_each_line_what_the_dry_run_says(tmp_path: Path) -> None:
    """What cannot be read goes on with its bytes: it is the worker that puts it into the quarantine."""
    before = REGISTRY.get_sample_value(DROPPED) or 0
    expected = [each for _, rows in LINES for each in rows]
    with Spool(tmp_path / "spool") as spool, capture_logs() as logged:
        intake = Intake(spool, "g", 10**6, lambda: None, Senders(HOUSE))
        tally = Tally("d")
        intake.open(tally)
        for number, (text, _) in enumerate(LINES, 1):
            with_now = text.replace(b"1740880445", str(processes.now() // 1_000_000).encode())
            intake.take(tally, Line(number, 0, with_now))
        intake.finish()
        records = spool.next_records(0, 100)
    rows = [read_quarantined(each.payload) for each in records if each.topic == QUARANTINE]
    frames = [msgspec.json.decode(each.payload) for each in records if each.topic != QUARANTINE]
    assert [each.code for each in rows] == [
        code for _, answer, code, word, _ in expected if answer == "quarantined" and word not in UNREAD
    ]
    kept = sum(events for events, answer, _, word, _ in expected if answer == "kept" or word in UNREAD)
    assert sum(len(each["events"]) for each in frames) == kept
    assert (tally.line, tally.quarantined) == (
        len(LINES),
        sum(any(answer == "quarantined" for _, answer, *_ in rows) for _, rows in LINES),
    )
    # The field is noted and the line goes on as it came.
    assert [each["field"] for each in logged if each["event"] == "unknown_field_dropped"] == [
        "CardDrawn.confidence"
    ]
    assert REGISTRY.get_sample_value(DROPPED) == before + 1
    assert any(event.get("confidence") == 0.98 for each in frames for event in each["events"])


@asynccontextmanager
async def listening(folder: Path) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    with Spool(folder) as spool:
        intake = Intake(spool, "g", 10**6, lambda: None, Senders(HOUSE))
        devices = Devices(intake)
        address = await devices.listen("127.0.0.1", 0)
        keeping = asyncio.create_task(intake.keep())
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        try:
            yield reader, writer
        finally:
            writer.close()
            devices.hang_up()
            keeping.cancel()


def test_the_answer_distinguishes_quarantined_lines_from_stored_ones(tmp_path: Path) -> None:
    """Of lines up to the one that is answered, those of which something went to the quarantine."""

    async def conversation() -> dict[str, int]:
        async with listening(tmp_path) as (reader, writer):
            good, bad = line(CARD), line(CARD | {"device": "X"}, CARD)
            writer.write(b"\n".join([good, bad, b"no JSON", good, line(CARD | {"card": "1x"}), b""]))
            answer = {"kept": 0}
            while answer["kept"] < 5:
                answer = json.loads(await asyncio.wait_for(reader.readline(), 30))
            return answer

    assert asyncio.run(conversation()) == {"kept": 5, "quarantined": 3}


def test_http_is_answered_by_where_it_belongs_and_nothing_is_quarantined(tmp_path: Path) -> None:
    async def conversation() -> bytes:
        async with listening(tmp_path) as (reader, writer):
            writer.write(b"POST /reports HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\n\r\n{}")
            return await asyncio.wait_for(reader.read(), 30)

    head, _, body = asyncio.run(conversation()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"--http" in body
    with Spool(tmp_path) as spool:
        assert spool.count == 0
