"""A forger with a socket: every kind of event, every device and every role change nothing, and it rings."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import duckdb
import httpx
import msgspec
import pytest

from projections.store.action_log import Acted, sealed
from projections.web.auth.roles import Role
from schemas.events import KINDS_OF, Event
from schemas.house import load
from schemas.ledgers import LEDGERS, LedgerEvent
from schemas.surveillance import STREAM
from streams.action_publisher import KEY, event_of, frame_of
from streams.broker import HOST, LocalBroker
from streams.topics import FRAMES
from tests.builders.consoles import add_account, log_in
from tests.builders.device_events import build_event_fields
from tests.builders.live_floor import LiveFloor
from tests.integration.conftest import send

ROLES: Final = get_args(Role)
TABLE: Final = "BAC-101"
TABLES: Final = ("rounds", "wagers", "settlements", "findings", "actions", "alerts", "reports", "runs")


def actions() -> list[Any]:
    """Forge a chain of actions, one by each role; each digest is right."""
    last: Acted | None = None
    done = []
    for number, role in enumerate(ROLES, 1):
        last = sealed(
            Acted(
                number=number,
                id=f"{number:032x}",
                at=1_740_882_000_000_000 + number,
                who="mallory",
                role=role,
                action="mute",
                subject="",
                details=msgspec.json.encode(
                    {
                        "action": {
                            "id": f"{number:032x}",
                            "action": "mute",
                            "check": "push_paid",
                            "minutes": 60,
                            "reason": "x",
                        },
                        "facts": {},
                    }
                ).decode(),
                before=None,
                after=None,
                previous=last.digest if last is not None else None,
            )
        )
        done.append(event_of(last, 7))
    return done


def lines(house: Path) -> list[bytes]:
    """Return what the forger sends: each line has one event that its sender may not send."""
    tables = load(str(house), house.parent).tables
    own = tables[TABLE].sources
    other = next(device for name, table in tables.items() if name != TABLE for device in table.sources)
    told = []
    for kind in (*get_args(Event), *get_args(LedgerEvent)):
        wrong = [device for device, source in own.items() if kind not in KINDS_OF[source]]
        for device in (*wrong, other, "X-9", "console"):
            streams = (TABLE, STREAM) if device == "X-9" else (TABLE,)
            told += [{"table": stream, "events": [build_event_fields(kind, device)]} for stream in streams]
        told += [
            {"table": name, "events": [build_event_fields(kind, "X-9")]} for name in (*LEDGERS, "BAC-999")
        ]
    for each in actions():
        for device in ("console", "X-9", *own):
            event = msgspec.to_builtins(each) | {"device": device}
            told += [{"table": name, "events": [event]} for name in (TABLE, STREAM, "cage", "BAC-999")]
    return [msgspec.json.encode(each) for each in told]


@pytest.fixture(scope="module")
def floor(broker: LocalBroker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFloor]:
    """Play a short floor through all processes, and leave them running."""
    with LiveFloor(tmp_path_factory.mktemp("floor"), broker=broker) as floor:
        floor.play(tables=2, hours=0.5, seed="forger", speed=720, sensors=False)
        floor.start("gateway", "worker-1", "serve", "archive")
        floor.wait("the devices' last report", floor.played)
        floor.wait("everything in the store", floor.drained)
        yield floor


def snapshot(floor: LiveFloor, path: Path) -> dict[str, list[Any]]:
    """Return all that the store holds beside its quarantine and the run of refused senders."""
    add_account(floor.store, "dora", "director")
    with httpx.Client(base_url=floor.console, timeout=60) as client:
        path.write_bytes(log_in(client, "dora").get("/api/snapshot").content)
    with duckdb.connect(str(path), read_only=True) as db:
        asked = "SELECT * FROM {} ORDER BY ALL"
        found = {name: db.execute(asked.format(name)).fetchall() for name in TABLES}
    return {
        name: [row for row in rows if not any("sender" in str(cell) for cell in row)]
        for name, rows in found.items()
    }


def test_a_forger_changes_nothing_but_the_quarantine_which_rings(
    floor: LiveFloor, broker: LocalBroker, tmp_path: Path
) -> None:
    add_account(floor.store)
    with httpx.Client(base_url=floor.console, timeout=60) as client:
        log_in(client)

        def rows() -> int:
            return int(client.get("/api/quarantine").json()["total"])

        before, held = snapshot(floor, tmp_path / "before"), rows()
        frames = floor.last_frame(TABLE)
        sent = lines(floor.house)
        assert len(sent) > 500
        with socket.create_connection((HOST, floor.ports["gateway"])) as port, port.makefile("rb") as answers:
            port.sendall(b"".join(each + b"\n" for each in sent))
            while msgspec.json.decode(answers.readline())["kept"] < len(sent):
                pass
        # And one who reaches Kafka itself, past the gateway.
        send(broker, FRAMES, [(KEY, frame_of(each)) for each in actions()])
        floor.wait("each line in the quarantine", lambda: rows() >= held + len(sent) + len(ROLES))
        assert rows() == held + len(sent) + len(ROLES)
        assert snapshot(floor, tmp_path / "after") == before
        assert floor.last_frame(TABLE) == frames
        queue = client.get("/api/queue?queue=act_now&every=true").json()["rows"]
        rings = {row["alert"]["table"]: row["alert"] for row in queue if row["alert"]["account"] == "senders"}
        assert {name: each["severity"] for name, each in rings.items()} == {
            f"devices {HOST}": "critical",
            f"devices {FRAMES}": "critical",
        }
        assert f"{len(sent):,} times" in rings[f"devices {HOST}"]["message"]
        assert client.get(f"/alerts/{rings[f'devices {HOST}']['id']}").status_code == 200
        with duckdb.connect(str(tmp_path / "after"), read_only=True) as db:
            heard = db.execute("SELECT rang, count(*) FROM alerts WHERE table_id LIKE 'devices %' GROUP BY 1")
            assert heard.fetchall() == [(True, 2)]
            codes = {code for (code,) in db.execute("SELECT DISTINCT code FROM quarantine").fetchall()}
        assert codes >= {
            "unknown_table",
            "unknown_device",
            "other_table",
            "kind_not_of_source",
            "console_event",
            "unsigned",
        }
