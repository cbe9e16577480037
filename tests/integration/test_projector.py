"""`discardrack serve` on a real broker: killed and cut off, and never a result lost or doubled."""

import json
import signal
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import canonical, id_of
from projections.store.store import Store
from schemas.codec import encode as encode_frame
from schemas.events import DealerAssigned
from streams.broker import LocalBroker
from streams.messages import Quarantined, encode
from streams.topics import FRAMES, QUARANTINE, ROUNDS
from tests.builders.audited_floor import play_and_audit_floor
from tests.builders.table_script import BANKER_WINS, Script, frame_of
from tests.integration.conftest import send, until
from tests.integration.kafka_link import KafkaLink, LinkedBroker
from tests.integration.served_console import (
    ServedConsole,
    is_caught_up,
    result_messages,
    serve_console,
)

_RUN: Final = "live 1.0"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Concluded]]:
    return play_and_audit_floor(tmp_path_factory.mktemp("floor"), tables=2)


def test_nothing_is_lost_or_doubled_by_kill_9(
    broker: LocalBroker, tmp_path: Path, floor: list[tuple[str, Concluded]]
) -> None:
    store = tmp_path / "store.duckdb"
    sent = result_messages(floor)
    third = len(sent) // 3
    send(broker, ROUNDS, sent[:third])
    for part in (sent[third : 2 * third], sent[2 * third :]):
        with serve_console(store, broker) as serving:
            send(broker, ROUNDS, part)
            until(lambda: serving.stored() > 0)
            serving.end(signal.SIGKILL)
    # A worker that was killed sends again what it had sent; a process that cannot read says so twice.
    send(broker, ROUNDS, sent[third:])
    unread = Quarantined(id="floor.frames/0/1", where="floor.frames 0:1", reason="no frame", payload="{")
    send(broker, QUARANTINE, [(b"", encode(unread))] * 2)
    send(broker, ROUNDS, [(b"BAC-101", b"{")])
    with serve_console(store, broker) as serving:
        until(lambda: serving.get("/api/quarantine")["total"] == 2 and is_caught_up(serving))
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
    with serve_console(tmp_path / "store.duckdb", broker) as serving:
        until(lambda: is_caught_up(serving))
        with serving.client.stream("GET", "/stream") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = stream.iter_lines()
            assert next(lines) == "event: hello"
            before = serving.get("/api/alerts")["total"]
            found = next(each for frame, each in floor if each.conclusion.findings)
            fresh = Concluded(found.conclusion, 1_000_000, found.seen)
            send(broker, ROUNDS, result_messages([("BAC-101#1", fresh)]))
            assert next(line for line in lines if line == "event: stored")
            assert json.loads(next(lines).removeprefix("data: "))["state"] == "ok"
            assert serving.get("/api/alerts")["total"] >= before
            assert serving.end(signal.SIGINT) == 0
            assert [line for line in lines if line == "event: stored"] == []
        assert len(serving.logged("console_stopped")) == 1


def test_kafka_away_is_reported_once_and_the_pages_stay(
    broker: LinkedBroker, link: KafkaLink, tmp_path: Path, floor: list[tuple[str, Concluded]]
) -> None:
    with serve_console(tmp_path / "store.duckdb", link) as serving:
        until(lambda: is_caught_up(serving))
        stored = serving.stored()
        link.cut()
        until(lambda: serving.get("/healthz")["status"] == "kafka away")
        assert serving.get("/api/alerts")["total"] > 0
        assert "Kafka away" in serving.client.get("/").text
        link.mend(broker)
        latest = {id_of(each.conclusion): (frame, each) for frame, each in floor}
        fresh = [(frame, Concluded(each.conclusion, 2_000_000, each.seen)) for frame, each in latest.values()]
        send(broker, ROUNDS, result_messages(fresh))
        until(lambda: serving.stored() == stored + len(fresh))
        assert [len(serving.logged(event)) for event in ("kafka_away", "kafka_back")] == [1, 1]
        assert serving.end(signal.SIGINT) == 0


def test_what_kafka_has_no_more_is_said_and_the_rest_is_read(
    broker: LocalBroker, tmp_path: Path, floor: list[tuple[str, Concluded]]
) -> None:
    store = tmp_path / "store.duckdb"
    send(broker, ROUNDS, result_messages(floor[:100]))
    with serve_console(store, broker) as serving:
        until(lambda: is_caught_up(serving))
        serving.end(signal.SIGINT)
    with Store(store) as opened, opened.reading() as db:
        reached = db.sql("SELECT * FROM offsets ORDER BY ALL").fetchall()
        # As if Kafka had once had a thousand records more.
        db.execute("UPDATE offsets SET next = next + 1000 WHERE topic = ?", [ROUNDS])
    with serve_console(store, broker) as serving:
        until(lambda: is_caught_up(serving))
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
        (b"BAC-1", encode_frame(replace(frame_of([event], n), received=script.events[-1].at)))
        for n, event in enumerate(script.events, 1)
    ]
    store = tmp_path / "store.duckdb"
    half = len(frames) // 2

    def stands(serving: ServedConsole) -> Any:
        return next((each for each in serving.get("/api/floor")["tables"] if each["table"] == "BAC-1"), None)

    with serve_console(store, broker) as serving:
        send(broker, FRAMES, frames[:half])
        until(lambda: stands(serving) is not None)
        serving.end(signal.SIGKILL)
    with serve_console(store, broker) as serving:
        send(broker, FRAMES, frames[half:])
        until(lambda: is_caught_up(serving) and stands(serving)["round"] == "2")
        told = stands(serving)
        assert serving.end(signal.SIGINT) == 0
    # Two cards were burned and four dealt; each counted once, though some frames were read twice.
    assert (told["state"], told["last"], told["drawn"], told["rounds"]) == ("open", "1", 6, 1)
