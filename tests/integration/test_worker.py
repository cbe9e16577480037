"""A worker that lost its state, or comes back after Kafka forgot the frames: the archive has them."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from kafka import KafkaAdminClient, KafkaProducer, TopicPartition

from projections.identity import canonical, id_of
from streams import log, topics
from streams.broker import LocalBroker
from streams.messages import read_result
from streams.simulator import faults
from streams.simulator.simulate import simulate
from streams.topic_setup import create_topics
from tests.embedded import concluded
from tests.live_floor import LiveFloor, records

TABLE: Final = "BAC-101"


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    folder = tmp_path_factory.mktemp("played") / "floor"
    simulate(folder, tables=1, hours=1, seed="worker", rates=faults.rates(sensors=True))
    (played,) = log.logs(folder)
    return folder, [payload.rstrip() for *_, payload in played.payloads()]


@pytest.fixture
def floor(broker: LocalBroker, frames: tuple[Path, list[bytes]], tmp_path: Path) -> Iterator[LiveFloor]:
    folder, _ = frames
    with LiveFloor(tmp_path, broker=broker) as floor:
        floor.house.parent.mkdir()
        floor.house.write_bytes((folder / log.HOUSE).read_bytes())
        yield floor


def send(broker: LocalBroker, payloads: Sequence[bytes]) -> None:
    with KafkaProducer(bootstrap_servers=broker.address, acks="all") as producer:
        for payload in payloads:
            producer.send(topics.FRAMES, key=TABLE.encode(), value=payload)


def forget(broker: LocalBroker) -> None:
    """Let Kafka lose the tables' states and every frame that it has, as after a long outage of a worker."""
    with KafkaAdminClient(bootstrap_servers=broker.address) as admin:
        admin.delete_topics([topics.CHANGELOG])
        admin.delete_records({TopicPartition(topics.FRAMES, n): -1 for n in range(topics.PARTITIONS)})
    create_topics(broker.address)


def said(broker: LocalBroker) -> tuple[dict[tuple[str, int], bytes], int]:
    """Give each revision's conclusion as it stands in Kafka, and how many rows the quarantine has."""
    results = map(read_result, records(broker.address, topics.ROUNDS))
    told = {(id_of(each.conclusion), each.revision): canonical([each.conclusion]) for each in results}
    return told, sum(1 for _ in records(broker.address, topics.QUARANTINE))


def test_state_and_frames_that_kafka_lost_come_from_the_archive(
    broker: LocalBroker, floor: LiveFloor, frames: tuple[Path, list[bytes]]
) -> None:
    folder, payloads = frames
    half = len(payloads) // 2
    send(broker, payloads[:half])
    floor.start("archive", "worker-1")
    floor.wait("the first half applied", floor.applied)
    floor.wait("the first half archived", lambda: floor.archived(TABLE) == half)
    floor.kill("worker-1")
    forget(broker)
    floor.start("worker-1")
    send(broker, payloads[half:])
    floor.wait("the second half applied", floor.applied)
    told, quarantined = said(broker)
    assert told == {
        (id_of(each.conclusion), each.revision): canonical([each.conclusion]) for _, each in concluded(folder)
    }
    assert quarantined == 0
    assert b'"event": "reading_archive"' in (floor.folder / "log" / "worker-1.jsonl").read_bytes()


def test_another_kafka_under_a_running_worker_is_noticed_and_the_archive_gives_what_came_before(
    broker: LocalBroker, floor: LiveFloor, frames: tuple[Path, list[bytes]]
) -> None:
    """The frames go on at offset 0 of a Kafka that was begun anew; the worker is at another's end."""
    begin_anew(broker)
    folder, payloads = frames
    half = len(payloads) // 2
    floor.archive.mkdir()
    floor.start("archive", "worker-1")
    send(broker, payloads[:half])
    floor.wait("the first half applied", floor.applied)
    floor.wait("the first half archived", lambda: floor.archived(TABLE) == half)
    before, _ = said(broker)
    begin_anew(broker)
    send(broker, payloads[half:])
    floor.wait("the second half archived", lambda: floor.archived(TABLE) == len(payloads))
    floor.wait("the second half applied", floor.applied)
    told, quarantined = said(broker)
    assert before | told == {
        (id_of(each.conclusion), each.revision): canonical([each.conclusion]) for _, each in concluded(folder)
    }
    assert quarantined == 0


def begin_anew(broker: LocalBroker) -> None:
    broker.stop()
    shutil.rmtree(broker.folder / "data")
    broker.start()
    create_topics(broker.address)
