"""The whole live road of every game on a real broker: the store says what the embedded audit says."""

import socket
from collections.abc import Iterator
from typing import Final

import duckdb
import httpx
import msgspec
import pytest

from schemas.codec import VERSION, Frame, encode
from streams import topics
from streams.broker import HOST, LocalBroker
from streams.simulator import faults
from streams.simulator.games import SCRIPTS
from streams.simulator.simulate import simulate
from tests.builders.consoles import add_account, log_in
from tests.builders.live_floor import LiveFloor, audit_again
from tests.integration.conftest import send

TABLES: Final = len(SCRIPTS)  # one for each game
HOURS: Final = 0.5
SEED: Final = "live"
TABLE: Final = "BAC-101"

# What devices may send: each is a line by itself, and each but the first is one event among good ones.
EVENT: Final = {"device": "S-101", "epoch": 99, "seq": 1, "at": 1, "round": "1"}
LINES: Final = {
    "Expected `object`": b'["no", "report", "line"]',
    "CardEaten": {"table": TABLE, "events": [EVENT | {"event": "CardEaten"}]},
    "1x": {"table": TABLE, "events": [EVENT | {"event": "CardDrawn", "hand": "player", "card": "1x"}]},
    ">= 0": {"table": TABLE, "events": [EVENT | {"event": "ChipsBought", "seat": 1, "cents": -5}]},
    "schema version 99": {"v": 99, "table": TABLE, "events": [EVENT | {"event": "CardBurned", "card": "2s"}]},
    "neither a table nor a ledger": {
        "table": "BAC-999",
        "events": [EVENT | {"event": "CardBurned", "card": "2s"}],
    },
}
# What may stand in Kafka though no gateway of ours wrote it, behind the last frame of the table.
NOT_A_FRAME: Final = b'{"v":1,"table":'


@pytest.fixture(scope="module")
def floor(
    broker: LocalBroker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveFloor, bytes, list[tuple[str, str | None]]]]:
    """Play a floor through all processes, with bad lines and bad records in between; then stop them."""
    folder = tmp_path_factory.mktemp("floor")
    rates = faults.rates(sensors=True)
    simulate(folder / "expected", tables=TABLES, hours=HOURS, seed=SEED, rates=rates, mixed=True)
    with LiveFloor(folder, broker=broker) as floor:
        floor.play(tables=TABLES, hours=HOURS, seed=SEED, speed=HOURS * 3600 / 5, mixed=True)
        floor.start("gateway", "worker-1", "serve", "archive")
        floor.wait("the gateway", floor.gateway_listens)
        _send_bad_lines(floor)
        floor.wait("the devices' last report", floor.played)
        floor.wait("everything in the store", floor.drained)
        _send_bad_records(broker, floor.last_frame(TABLE))
        add_account(floor.store)
        with httpx.Client(base_url=floor.console) as console:
            log_in(console)
            floor.wait(
                "the bad records in the store",
                lambda: console.get("/api/quarantine").json()["total"] == len(LINES) + 3,
            )
        floor.stop("gateway", "worker-1", "serve", "archive")
        with duckdb.connect(str(floor.store), read_only=True) as db:
            rows = db.execute("SELECT reason, table_id FROM quarantine ORDER BY id").fetchall()
        yield floor, audit_again(folder / "expected", floor.house), rows


def _send_bad_lines(floor: LiveFloor) -> None:
    lines = [line if isinstance(line, bytes) else msgspec.json.encode(line) for line in LINES.values()]
    with socket.create_connection((HOST, floor.ports["gateway"])) as device, device.makefile("rb") as answers:
        device.sendall(b"".join(line + b"\n" for line in lines))
        while msgspec.json.decode(answers.readline())["kept"] < len(lines):
            pass


def _send_bad_records(broker: LocalBroker, last: int) -> None:
    payloads = (
        NOT_A_FRAME,
        encode(Frame(v=VERSION, table=TABLE, frame=last, received=1, events=[])),
        encode(Frame(v=VERSION, table=TABLE, frame=last + 2, received=1, events=[])),
    )
    send(broker, topics.FRAMES, [(TABLE.encode(), payload) for payload in payloads])


def test_the_store_is_what_the_embedded_audit_says(floor: tuple[LiveFloor, bytes, object]) -> None:
    live, embedded, _ = floor
    assert embedded.count(b"\n") > 100
    assert live.in_store() == embedded


def test_the_archive_audited_again_says_the_same(floor: tuple[LiveFloor, bytes, object]) -> None:
    """Two lines never became frames: the one that is none, and that of no table. One record is no frame."""
    live, embedded, _ = floor
    assert live.in_archive(unread=len(LINES) - 2 + 1) == embedded


@pytest.mark.parametrize("reason", LINES)
def test_each_bad_line_is_one_row(
    floor: tuple[LiveFloor, bytes, list[tuple[str, str | None]]], reason: str
) -> None:
    _, _, rows = floor
    assert len([said for said, _ in rows if reason in said]) == 1


@pytest.mark.parametrize("reason", ["not a frame", "came again", "did not come before"])
def test_each_bad_record_is_one_row(
    floor: tuple[LiveFloor, bytes, list[tuple[str, str | None]]], reason: str
) -> None:
    _, _, rows = floor
    assert len([said for said, _ in rows if reason in said]) == 1


def test_nothing_else_is_in_the_quarantine(
    floor: tuple[LiveFloor, bytes, list[tuple[str, str | None]]],
) -> None:
    _, _, rows = floor
    assert len(rows) == len(LINES) + 3
