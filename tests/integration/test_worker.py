"""A worker that lost its state, or comes back after Kafka forgot the frames: the archive has them."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
import pytest
from kafka import KafkaAdminClient, TopicPartition
from structlog.testing import capture_logs

from projections.engine.audit.table_audit import TableAudit
from projections.engine.conclusion import Conclusion, canonical, id_of
from projections.engine.findings import Finding
from schemas import house as houses
from schemas.codec import decode
from streams import log, topics
from streams.broker import LocalBroker
from streams.messages import Result, read_quarantined, read_result
from streams.simulator import faults
from streams.simulator.simulate import simulate
from streams.topic_setup import create_topics
from streams.worker.agents import BROKER, HOUSE
from streams.worker.conclusion_sender import Outbox
from streams.worker.tables import Drain
from tests.builders.audited_floor import audit_floor
from tests.builders.live_floor import LiveFloor, records
from tests.builders.texts import verbatim_fact
from tests.integration.conftest import delete_topics, empty, send, until

TABLE: Final = "BAC-101"
CHIPS: Final = "C-101"  # its reader of chips
FLOOD: Final = 100_000  # bytes of a frame that only the flood has
FLOODED: Final = 1_000  # wagers of a round, more
# Within a text that is sent as text each of its letters is twelve bytes.
LONG_NAME: Final = 100 * "\N{MUSICAL SYMBOL G CLEF}"


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    folder = tmp_path_factory.mktemp("played") / "floor"
    simulate(folder, tables=1, hours=1, seed="worker", rates=faults.rates(sensors=True))
    (played,) = log.logs(folder, TABLE)
    return folder, [each.payload.rstrip() for each in played.records()]


@pytest.fixture
def floor(broker: LocalBroker, frames: tuple[Path, list[bytes]], tmp_path: Path) -> Iterator[LiveFloor]:
    folder, _ = frames
    with LiveFloor(tmp_path, broker=broker) as floor:
        floor.house.parent.mkdir()
        floor.house.write_bytes((folder / log.HOUSE).read_bytes())
        yield floor


def send_frames(broker: LocalBroker, payloads: Sequence[bytes]) -> None:
    send(broker, topics.FRAMES, [(TABLE.encode(), payload) for payload in payloads])


def forget(broker: LocalBroker) -> None:
    """Delete the tables' states and every frame from Kafka, as after a long outage of a worker."""
    with KafkaAdminClient(bootstrap_servers=broker.address) as admin:
        admin.delete_topics([topics.CHANGELOG])
        admin.delete_records({TopicPartition(topics.FRAMES, n): -1 for n in range(topics.PARTITIONS)})
    create_topics(broker.address)


def said(broker: LocalBroker) -> tuple[dict[tuple[str, int], bytes], int]:
    """Return each revision's conclusion as it stands in Kafka, and how many rows the quarantine has."""
    results = map(read_result, records(broker.address, topics.ROUNDS))
    told = {(id_of(each.conclusion), each.revision): canonical([each.conclusion]) for each in results}
    return told, sum(1 for _ in records(broker.address, topics.QUARANTINE))


def test_state_and_frames_that_kafka_lost_come_from_the_archive(
    broker: LocalBroker, floor: LiveFloor, frames: tuple[Path, list[bytes]]
) -> None:
    folder, payloads = frames
    half = len(payloads) // 2
    send_frames(broker, payloads[:half])
    floor.start("archive", "worker-1")
    floor.wait("the first half applied", floor.applied)
    floor.wait("the first half archived", lambda: floor.archived(TABLE) == half)
    floor.kill("worker-1")
    forget(broker)
    floor.start("worker-1")
    send_frames(broker, payloads[half:])
    floor.wait("the second half applied", floor.applied)
    told, quarantined = said(broker)
    assert told == {
        (id_of(each.conclusion), each.revision): canonical([each.conclusion])
        for _, each in audit_floor(folder)
    }
    assert quarantined == 0
    floor.stop("worker-1")
    logged = (floor.folder / "log" / "worker-1.jsonl").read_bytes()
    assert b'"event": "reading_archive"' in logged
    assert logged.count(b'"event": "worker_stopped"') == 1


def test_another_kafka_under_a_running_worker_is_noticed_and_the_archive_gives_what_came_before(
    broker: LocalBroker, floor: LiveFloor, frames: tuple[Path, list[bytes]]
) -> None:
    """The frames go on at offset 0 of a Kafka that was begun again; the worker is at another's end."""
    empty(broker)
    folder, payloads = frames
    half = len(payloads) // 2
    floor.archive.mkdir()
    floor.start("archive", "worker-1")
    send_frames(broker, payloads[:half])
    floor.wait("the first half applied", floor.applied)
    floor.wait("the first half archived", lambda: floor.archived(TABLE) == half)
    before, _ = said(broker)
    begin_anew(broker)
    send_frames(broker, payloads[half:])
    floor.wait("the second half archived", lambda: floor.archived(TABLE) == len(payloads))
    expected = {
        (id_of(each.conclusion), each.revision): canonical([each.conclusion])
        for _, each in audit_floor(folder)
    }
    # The lag is told from the offsets of the Kafka that was, until the first state of this one is kept.
    floor.wait("the second half concluded", lambda: len(before | said(broker)[0]) >= len(expected))
    told, quarantined = said(broker)
    assert before | told == expected
    assert quarantined == 0


def test_a_worker_that_joins_before_there_are_topics_finds_them(
    broker: LocalBroker, frames: tuple[Path, list[bytes]], tmp_path: Path
) -> None:
    """As one does that comes in the moment in which Kafka has begun and does not know its topics yet."""
    folder, payloads = frames
    delete_topics(broker, *(topic.name for topic in topics.TOPICS))
    settings = {BROKER: broker.address, HOUSE: str(folder / log.HOUSE)}
    program = "from faust.cli.faust import cli; cli()"
    said = tmp_path / "said"
    with (
        said.open("wb") as out,
        subprocess.Popen(  # noqa: S603  ours
            [sys.executable, "-c", program, "-A", "streams.app", "worker"],
            env={**os.environ, **settings},
            stdout=out,
            stderr=out,
        ) as worker,
    ):
        until(lambda: b"Ignoring missing topic" in said.read_bytes(), worker)
        create_topics(broker.address)
        send_frames(broker, payloads[:200])
        until(lambda: any(True for _ in records(broker.address, topics.ROUNDS)), worker)
        worker.kill()


def test_what_is_larger_than_kafka_takes_is_a_row_and_holds_up_nothing(broker: LocalBroker) -> None:
    empty(broker)
    results = [result(number, size) for number, size in (("1", 1), ("2", topics.LARGEST), ("3", 1))]

    async def send_all() -> list[list[str]]:
        outbox = Outbox(broker.address)
        await outbox.start()
        try:
            await outbox.send(Drain([(3, each) for each in results], [], 0))
            states = [[("BAC-1", 3, state), ("BAC-2", 3, "{}")] for state in ("x" * topics.LARGEST, "{}")]
            return [[table for table, *_ in outbox.fitting(each)] for each in states]
        finally:
            await outbox.stop()

    with capture_logs() as said:
        sent = asyncio.run(send_all())
    assert sent == [["BAC-2"], ["BAC-1", "BAC-2"]]
    in_kafka = [read_result(each) for each in records(broker.address, topics.ROUNDS)]
    assert [each.conclusion.round for each in in_kafka] == ["1", "3"]
    rows = [read_quarantined(each) for each in records(broker.address, topics.QUARANTINE)]
    assert [(row.id, row.table) for row in rows] == [
        ("floor.rounds/2025-03-01|BAC-1|2/1", "BAC-1"),
        ("floor.findings/2025-03-01|BAC-1|2/1", "BAC-1"),
    ]
    assert [each["event"] for each in said if each["log_level"] in {"error", "info"}] == [
        "record_refused", "record_refused", "finding", "finding", "finding",
        "state_too_large", "state_sent_again",
    ]  # fmt: skip


def test_a_state_too_large_to_be_sent_is_folded_again_from_the_one_before(
    broker: LocalBroker, floor: LiveFloor, tmp_path: Path
) -> None:
    """The reader of chips floods four rounds; the worker is killed while they can still be revised.

    Whether Kafka sends the frames again or the worker reads them again hangs on what was committed by then.
    """
    empty(broker)
    simulate(tmp_path / "flooded", tables=1, hours=0.1, seed="flooded", rates=dict(faults.NONE))
    (played,) = log.logs(tmp_path / "flooded", TABLE)
    payloads = list(flooded((each.payload for each in played.records()), rounds=4))
    floor.house.write_bytes((tmp_path / "flooded" / log.HOUSE).read_bytes())
    most = max(n for n, payload in enumerate(payloads) if len(payload) > FLOOD) + 1
    floor.start("worker-1")
    send_frames(broker, payloads[:most])
    floor.wait("the flood applied", floor.applied)
    logged = floor.folder / "log" / "worker-1.jsonl"
    floor.wait("the state refused", lambda: b'"event": "state_too_large"' in logged.read_bytes())
    floor.kill("worker-1")
    floor.start("worker-1")
    send_frames(broker, payloads[most:])
    floor.wait("the rest applied", floor.applied)
    audit = TableAudit(TABLE, houses.load(str(floor.house), Path.cwd()))
    expected = [each for payload in payloads for each in audit.feed(decode(payload, "")[0].events)]
    told, quarantined = said(broker)
    assert told == {
        (id_of(each.conclusion), each.revision): canonical([each.conclusion]) for each in expected
    }
    assert quarantined == 0


def flooded(payloads: Iterable[bytes], rounds: int) -> Iterator[bytes]:
    """Report more wagers, of people with long names, by the reader of chips in each of the first rounds."""
    more = number = 0
    seen: set[str] = set()
    for payload in payloads:
        frame = msgspec.json.decode(payload)
        events = []
        for event in frame["events"]:
            for heard in (heard for device, heard in event.get("heard", {}).items() if device == CHIPS):
                heard[1] += more
            if event["device"] == CHIPS:
                event["seq"] += more
            if event["event"] == "ChipsPlaced" and event["round"] not in seen and len(seen) < rounds:
                seen.add(event["round"])
                events += [
                    {**event, "seq": event["seq"] + n, "bettor": f"{LONG_NAME}{n}"} for n in range(FLOODED)
                ]
                event["seq"] += FLOODED
                more += FLOODED
            events.append(event)
        for first in range(0, len(events), 2_000):
            number += 1
            yield msgspec.json.encode(frame | {"frame": number, "events": events[first : first + 2_000]})


def result(number: str, size: int) -> Result:
    """Return the conclusion of a round with one finding, whose message has so many letters."""
    finding = Finding(
        id=f"finding of {number}",
        check="paid_too_much",
        weight="mismatch",
        severity="high",
        message=verbatim_fact("x" * size),
        citations=("631a.13(c)",),
        status="adopted",
    )
    conclusion = Conclusion(
        table="BAC-1",
        round=number,
        gaming_date=date(2025, 3, 1),
        chapter="631a",
        verdict="mismatch",
        outcome="banker",
        expected=(),
        findings=(finding,),
        notes=(),
    )
    return Result(software="1.0", frame="BAC-1#7", received=0, judged=0, revision=1, conclusion=conclusion)


def begin_anew(broker: LocalBroker) -> None:
    """Begin a broker again on nothing; it is stopped from elsewhere, as by `make kafka-stop`."""
    assert LocalBroker(broker.folder, broker.port).stop()
    assert not broker.stop()
    assert not (broker.folder / "running").exists()
    shutil.rmtree(broker.folder / "data")
    broker.start()
    create_topics(broker.address)
