"""`discardrack serve` on a real broker: killed and cut off, and never a result lost or doubled."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import httpx
import pytest
from msgspec.structs import replace

from projections.engine.audit.table_audit import Concluded
from projections.engine.identity import canonical, id_of
from projections.store.store import Store
from schemas.codec import encode as encode_frame
from schemas.events import DealerAssigned
from streams.broker import LocalBroker
from streams.messages import Quarantined, encode, result_of
from streams.topics import FRAMES, QUARANTINE, ROUNDS
from tests.consoles import account, enter
from tests.embedded import embedded
from tests.integration.conftest import PATIENCE, send, until
from tests.script import BANKER_WINS, Script, framed

_RUN: Final = "live 1.0"

Message: TypeAlias = tuple[bytes, bytes]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Concluded]]:
    return embedded(tmp_path_factory.mktemp("floor"), tables=3)


def messages(told: list[tuple[str, Concluded]]) -> list[Message]:
    now = time.time_ns() // 1000
    return [
        (each.conclusion.table.encode(), encode(result_of(each, "1.0", frame, now, now)))
        for frame, each in told
    ]


class Console:
    """`discardrack serve` as a process of its own."""

    def __init__(self, store: Path, broker: LocalBroker) -> None:
        self.log = store.with_suffix(".log")
        self._said = self.log.open("ab")
        self.process = subprocess.Popen(  # noqa: S603  our own program
            [
                *(sys.executable, "-c", "from replay.cli import main; main()", "serve"),
                *("--store", os.fspath(store), "--broker", broker.address, "--port", "0"),
            ],
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().removeprefix("Findings at ").partition(" ")[0]
        self.client = httpx.Client(base_url=self.address, timeout=PATIENCE)
        account(store)
        enter(self.client)

    def end(self, by: signal.Signals) -> int:
        """Send a signal, wait for the end, and give the status."""
        self.process.send_signal(by)
        self.process.communicate()
        self._said.close()
        return self.process.returncode

    def get(self, view: str) -> Any:
        """Ask the API."""
        return self.client.get(view).json()

    def stored(self) -> int:
        """Count the revisions that were stored since it began."""
        figures = httpx.get(f"{self.address}/metrics", timeout=PATIENCE).text.splitlines()
        return sum(int(float(line.rpartition(" ")[2])) for line in figures if "_results_total{" in line)

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Give what was logged of a kind, by this process and those before it on the store."""
        lines = (json.loads(line) for line in self.log.read_text().splitlines())
        return [line for line in lines if line["event"] == event]


@contextmanager
def console(store: Path, broker: LocalBroker) -> Iterator[Console]:
    opened = Console(store, broker)
    try:
        yield opened
    finally:
        if opened.process.poll() is None:
            opened.end(signal.SIGKILL)
        opened.client.close()


def followed(opened: Console) -> bool:
    health = opened.get("/healthz")
    return bool(health["status"] == "ok" and health["lag"] == 0)


def test_nothing_is_lost_or_doubled_by_kill_9(
    broker: LocalBroker, tmp_path: Path, floor: list[tuple[str, Concluded]]
) -> None:
    store = tmp_path / "store.duckdb"
    sent = messages(floor)
    third = len(sent) // 3
    send(broker, ROUNDS, sent[:third])
    for part in (sent[third : 2 * third], sent[2 * third :]):
        with console(store, broker) as serving:
            send(broker, ROUNDS, part)
            until(lambda: serving.stored() > 0)
            serving.end(signal.SIGKILL)
    # A worker that was killed sends again what it had sent; a process that cannot read says so twice.
    send(broker, ROUNDS, sent[third:])
    unread = Quarantined(id="floor.frames/0/1", where="floor.frames 0:1", reason="no frame", payload="{")
    send(broker, QUARANTINE, [(b"", encode(unread))] * 2)
    send(broker, ROUNDS, [(b"BAC-101", b"{")])
    with console(store, broker) as serving:
        until(lambda: serving.get("/api/quarantine")["total"] == 2 and followed(serving))
        assert serving.end(signal.SIGINT) == 0
    with Store(store) as opened:
        assert canonical(opened.conclusions(_RUN)) == canonical(each.conclusion for _, each in floor)
        with opened.reading() as db:
            assert db.sql("SELECT count(*) FROM rounds").fetchall() == [(len(floor),)]
            (cluster,) = db.sql("SELECT DISTINCT cluster FROM offsets").fetchall()
        reached = opened.offsets(*cluster)
    records = len(sent) + len(sent[third:]) + 1
    assert sum(at for (topic, _), at in reached.items() if topic == ROUNDS) == records
    assert reached[QUARANTINE, 0] == 2


def test_an_open_page_hears_of_it_and_does_not_keep_the_process(
    broker: LocalBroker, tmp_path: Path, floor: list[tuple[str, Concluded]]
) -> None:
    with console(tmp_path / "store.duckdb", broker) as serving:
        until(lambda: followed(serving))
        with serving.client.stream("GET", "/stream") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = stream.iter_lines()
            assert next(lines) == "event: hello"
            before = serving.get("/api/alerts")["total"]
            found = next(each for frame, each in floor if each.conclusion.findings)
            fresh = Concluded(found.conclusion, 1_000_000, found.seen)
            send(broker, ROUNDS, messages([("BAC-101#1", fresh)]))
            assert next(line for line in lines if line == "event: stored")
            assert json.loads(next(lines).removeprefix("data: "))["state"] == "ok"
            assert serving.get("/api/alerts")["total"] >= before
            assert serving.end(signal.SIGINT) == 0
            assert [line for line in lines if line == "event: stored"] == []
        assert len(serving.logged("console_stopped")) == 1


def test_kafka_away_is_said_once_and_the_pages_stay(
    broker: LocalBroker, tmp_path: Path, floor: list[tuple[str, Concluded]]
) -> None:
    with console(tmp_path / "store.duckdb", broker) as serving:
        until(lambda: followed(serving))
        stored = serving.stored()
        broker.kill()
        until(lambda: serving.get("/healthz")["status"] == "kafka away")
        assert serving.get("/api/alerts")["total"] > 0
        assert "Kafka away" in serving.client.get("/").text
        broker.start()
        latest = {id_of(each.conclusion): (frame, each) for frame, each in floor}
        fresh = [(frame, Concluded(each.conclusion, 2_000_000, each.seen)) for frame, each in latest.values()]
        send(broker, ROUNDS, messages(fresh))
        until(lambda: serving.stored() == stored + len(fresh))
        assert [len(serving.logged(event)) for event in ("kafka_away", "kafka_back")] == [1, 1]
        assert serving.end(signal.SIGINT) == 0


def test_what_kafka_has_no_more_is_said_and_the_rest_is_read(
    broker: LocalBroker, tmp_path: Path, floor: list[tuple[str, Concluded]]
) -> None:
    store = tmp_path / "store.duckdb"
    send(broker, ROUNDS, messages(floor[:100]))
    with console(store, broker) as serving:
        until(lambda: followed(serving))
        serving.end(signal.SIGINT)
    with Store(store) as opened, opened.reading() as db:
        reached = db.sql("SELECT * FROM offsets ORDER BY ALL").fetchall()
        # As if Kafka had once had a thousand records more.
        db.execute("UPDATE offsets SET next = next + 1000 WHERE topic = ?", [ROUNDS])
    with console(store, broker) as serving:
        until(lambda: followed(serving))
        missing = serving.logged("records_missing")
        assert {each["topic"] for each in missing} == {ROUNDS}
        assert {each["wanted"] - each["kafka_has_until"] for each in missing} == {1000}
        assert {each["kafka_has_from"] for each in missing} == {0}
        serving.end(signal.SIGINT)
    with Store(store) as opened, opened.reading() as db:
        assert db.sql("SELECT * FROM offsets ORDER BY ALL").fetchall() == reached


def test_how_tables_stand_is_followed_and_goes_on_after_kill_9(broker: LocalBroker, tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.say("T", DealerAssigned, dealer="D-1", calling=True)
    script.play(BANKER_WINS, {}, "banker", {})
    script.begin()
    frames = [
        (b"BAC-1", encode_frame(replace(framed([event], n), received=script.events[-1].at)))
        for n, event in enumerate(script.events, 1)
    ]
    store = tmp_path / "store.duckdb"
    half = len(frames) // 2

    def stands(serving: Console) -> Any:
        return next((each for each in serving.get("/api/floor")["tables"] if each["table"] == "BAC-1"), None)

    with console(store, broker) as serving:
        send(broker, FRAMES, frames[:half])
        until(lambda: stands(serving) is not None)
        serving.end(signal.SIGKILL)
    with console(store, broker) as serving:
        send(broker, FRAMES, frames[half:])
        until(lambda: followed(serving) and stands(serving)["round"] == "2")
        told = stands(serving)
        assert serving.end(signal.SIGINT) == 0
    # Two cards were burned and four dealt; each counted once, though some frames were read twice.
    assert (told["state"], told["last"], told["drawn"], told["rounds"]) == ("open", "1", 6, 1)
