"""The archiver on a real broker: killed at any moment, it keeps every record exactly, and once."""

import os
import random
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, TypeAlias

import httpx
import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from projections.engine.conclusion import Conclusion, canonical
from replay.recording.event_audit import audit_logs
from schemas import house as houses
from schemas.house import House
from streams import log, topics
from streams.archive.archive_reader import filed, names
from streams.archive.journal import Journal
from streams.archive.kafka_follower import GROUP
from streams.archive.record_names import QUARANTINE_FOLDER, days_of, part_of
from streams.archive.snapshots import snapshot
from streams.broker import HOST, LocalBroker
from streams.log import Unread
from streams.simulator import faults
from streams.simulator.simulate import simulate
from streams.topic_setup import create_topics
from tests.builders.archives import records_of_floor
from tests.builders.preloaded import DISCARDRACK, begin
from tests.integration.conftest import PATIENCE, free_port, until
from tests.integration.kafka_link import KafkaLink, LinkedBroker

# topic, partition, offset, milliseconds, key, value
Seen: TypeAlias = tuple[str, int, int, int, bytes | None, bytes | None]

DAY: Final = 86_400_000_000  # microseconds
SEED: Final = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 1 << 31)

# What is no frame, and must be kept all the same.
ODD: Final[list[tuple[bytes | None, bytes | None]]] = [
    (b"BAC-101", b'{"v": 1,\n "broken"\r\n'),
    (b"BAC-102", b"\xff\xfe\x00 no text"),
    (b"BAC-101", b""),
    (b"BAC-101", None),
    (None, b"without a key"),
    (b"../../etc/x.2", b"a key that is a path"),
    (b"\xc3\x28", b"a key that is no text"),
    (b"k" * 5000, b"a long key"),
]


def started(*arguments: object, errors: Path | None = None) -> subprocess.Popen[bytes]:
    command = [DISCARDRACK, "archive", *map(str, arguments)]
    if errors is None:
        return begin(command, stderr=subprocess.DEVNULL)
    with errors.open("ab") as told:
        return begin(command, stderr=told)


@contextmanager
def archiving(
    broker: LocalBroker | KafkaLink, played: Path, out: Path, *more: object
) -> Iterator[subprocess.Popen[bytes]]:
    """Run an archiver, and stop it as an operator would."""
    house = played / "house.yaml"
    arguments = ("--broker", broker.address, "--house", house, "--out", out, *more)
    before = logged(out, "archiver_started")
    process = started(*arguments, errors=out.with_suffix(".err"))
    try:
        until(lambda: logged(out, "archiver_started") > before, process)
        yield process
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()


def logged(out: Path, event: str) -> int:
    """Count how often the archivers of a folder logged something."""
    told = out.with_suffix(".err")
    return told.read_text("utf-8").count(f'"event": "{event}"') if told.exists() else 0


@contextmanager
def reading(broker: LocalBroker) -> Iterator[tuple[Consumer, list[TopicPartition]]]:
    """Open a consumer, and list the partitions of the archived topics."""
    consumer = Consumer({"bootstrap.servers": broker.address, "group.id": GROUP, "enable.auto.commit": False})
    found = consumer.list_topics(timeout=PATIENCE).topics
    try:
        yield (
            consumer,
            [
                TopicPartition(topic, partition)
                for topic in (topics.FRAMES, topics.QUARANTINE)
                for partition in sorted(found[topic].partitions)
            ],
        )
    finally:
        consumer.close()


def bounds(consumer: Consumer, place: TopicPartition) -> tuple[int, int]:
    """Return a partition's first offset and its end; a topic that is new has no leader yet."""
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            first, end = consumer.get_watermark_offsets(place, timeout=PATIENCE)
        except KafkaException:
            assert time.monotonic() < give_up
            time.sleep(0.1)
        else:
            return first, end


def in_kafka(broker: LocalBroker) -> list[Seen]:
    """Read everything that a broker has of the archived topics."""
    with reading(broker) as (consumer, places):
        held = {(at.topic, at.partition): bounds(consumer, at) for at in places}
        consumer.assign([TopicPartition(*at, first) for at, (first, end) in held.items() if end > first])
        total = sum(end - first for first, end in held.values())
        found = consumer.consume(total, timeout=PATIENCE)
    assert [each.error() for each in found] == [None] * total
    return sorted(
        (
            (each.topic(), each.partition(), each.offset(), each.timestamp()[1], each.key(), each.value())
            for each in found
        ),
        key=place,
    )


def committed(broker: LocalBroker) -> int:
    """Count what the archiver has committed to Kafka."""
    with reading(broker) as (consumer, places):
        return sum(max(place.offset, 0) for place in consumer.committed(places, timeout=PATIENCE))


def ends(broker: LocalBroker) -> int:
    """Count what the archived topics ever had."""
    with reading(broker) as (consumer, places):
        return sum(bounds(consumer, at)[1] for at in places)


def lag(port: int) -> float:
    """Return how many records an archiver has not stored yet."""
    told = httpx.get(f"http://{HOST}:{port}/metrics").text.splitlines()
    (figure,) = [line.split()[1] for line in told if line.startswith("discardrack_archive_lag_records ")]
    return float(figure)


def place(seen: Seen) -> Seen:
    """Order what was seen by where it stands; two clusters can have the same places."""
    return (*seen[:4], seen[4] or b"", seen[5] or b"")


def archived(out: Path) -> list[Seen]:
    """Read everything that an archive has, sealed or not, through its readers."""
    found = []
    with Journal(out) as journal:
        unsealed = [name for day, _ in journal.days() for topic, name in journal.filed(day)]
    folders = (out / "days").glob(f"*/{QUARANTINE_FOLDER}/*.parquet")
    quarantined = {part[0] for file in folders if (part := part_of(file.name))} | set(unsealed)
    for topic, filed_as in ((topics.FRAMES, names(out)), (topics.QUARANTINE, sorted(quarantined))):
        for name in filed_as:
            found += [each.record for each in filed(out, name, topic=topic)]
    return sorted(
        ((r.topic, r.partition, r.offset, r.received // 1000, r.key, r.payload) for r in found),
        key=place,
    )


def kept(out: Path) -> int:
    """Count what the journal was given."""
    if not (out / "journal.sqlite").exists():
        return 0
    with Journal(out) as journal:
        return sum(place.next for cluster in journal.clusters() for place in journal.places(cluster).values())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a floor on the two gaming days before today's: Kafka drops what is older than a week."""
    folder = tmp_path_factory.mktemp("floor")
    begins = House(house="any").gaming_day(time.time_ns() // 1000 - 2 * DAY)[1]
    start = datetime.fromtimestamp(begins / 1_000_000, UTC)
    simulate(folder, tables=2, hours=0.5, days=2, seed="live", rates=faults.rates(sensors=True), start=start)
    return folder


def conclusions(path: Path, house: House) -> list[Conclusion]:
    return [each.conclusion for each in audit_logs(log.logs(path), house) if not isinstance(each, Unread)]


def test_killed_again_and_again_it_keeps_everything_exactly(
    broker: LocalBroker, played: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    chance = random.Random(SEED)  # noqa: S311  moments to kill at, to be repeated
    record_property("SEED", SEED)
    out = tmp_path / "archive"
    records = records_of_floor(played)
    house = houses.load("house.yaml", played)
    producer = Producer({"bootstrap.servers": broker.address, "enable.idempotence": True})

    def send(topic: str, key: bytes | None, value: bytes | None, at: int) -> None:
        producer.produce(topic, value, key, timestamp=at // 1000)

    odd_at = records[0].received
    for key, value in ODD:
        send(topics.FRAMES, key, value, odd_at)
    quarter = len(records) // 4
    for turn in range(4):
        with_kill = started(
            "--broker", broker.address, "--house", played / "house.yaml", "--out", out,
            errors=out.with_suffix(".err"),
        )  # fmt: skip
        before = kept(out)
        for each in records[turn * quarter : (turn + 1) * quarter if turn < 3 else None]:
            send(topics.FRAMES, each.key, each.payload, each.received)
        assert producer.flush(PATIENCE) == 0
        until(lambda before=before: kept(out) > before, with_kill)
        time.sleep(chance.random() / 4)
        if turn == 2:
            broker.kill()
            broker.start()
        with_kill.kill()
        with_kill.wait()
    with archiving(broker, played, out) as process:
        until(lambda: kept(out) == ends(broker), process)
        # The first day is over by the newest record; the second is not.
        until(lambda: len(days_of(out)) == 1, process)
        until(lambda: snapshot(out, "BAC-101", house) is not None, process)
        # The quarantine has the broker's time: it is of the day that has not ended.
        for key, value in ODD:
            producer.produce(topics.QUARANTINE, value, key)
        assert producer.flush(PATIENCE) == 0
        sent = in_kafka(broker)
        until(lambda: kept(out) == len(sent), process)
    assert archived(out) == sent
    assert committed(broker) == len(sent)
    assert logged(out, "records_missing") == 0

    for _ in range(5):
        by_hand = started("--seal", "--house", played / "house.yaml", "--out", out)
        time.sleep(0.4 + chance.random() / 2)
        by_hand.kill()
        by_hand.wait()
        assert archived(out) == sent
    with Journal(out) as journal:
        today = journal.days()[-1][0]
    for of_day in ((), ("--gaming-day", today)):
        by_hand = started("--seal", *of_day, "--house", played / "house.yaml", "--out", out)
        assert by_hand.wait(PATIENCE) == 0
    with Journal(out) as journal:
        assert journal.days() == []
    assert days_of(out) == [today - timedelta(days=each) for each in (2, 1, 0)]
    assert archived(out) == sent
    assert canonical(conclusions(out, house)) == canonical(conclusions(played, house))


def test_what_kafka_no_longer_has_is_named_and_another_cluster_is_another(
    broker: LinkedBroker, link: KafkaLink, played: Path, tmp_path: Path
) -> None:
    out = tmp_path / "archive"
    now = time.time_ns() // 1_000_000
    gone = TopicPartition(topics.QUARANTINE, 0, 2)
    producer = Producer({"bootstrap.servers": broker.address})
    for payload in (b"one", b"two", b"three"):
        producer.produce(topics.QUARANTINE, payload, b"BAC-101", timestamp=now)
    assert producer.flush(PATIENCE) == 0
    admin = AdminClient({"bootstrap.servers": broker.address})
    admin.delete_records([gone])[gone].result(PATIENCE)
    first = in_kafka(broker)
    anew = LinkedBroker(tmp_path / "anew", free_port(), free_port(), link.port)
    with archiving(link, played, out) as process:
        until(lambda: kept(out) == 2 + len(first), process)
        link.cut()
        anew.start()
        try:
            link.mend(anew)
            create_topics(anew.address)
            producer = Producer({"bootstrap.servers": anew.address})
            for key, value in ODD:
                producer.produce(topics.FRAMES, value, key, timestamp=now)
            assert producer.flush(PATIENCE) == 0
            second = in_kafka(anew)
            until(lambda: kept(out) == 2 + len(first) + len(second), process)
        finally:
            link.cut()
            anew.kill()
        until(lambda: logged(out, "kafka_away") > logged(out, "kafka_back"), process)
        link.mend(broker)
        until(lambda: logged(out, "kafka_away") == logged(out, "kafka_back"), process)
    assert archived(out) == sorted([*first, *second], key=place)
    with Journal(out) as journal:
        (missing,) = journal.missing()
        assert (missing.topic, missing.partition, missing.first, missing.last) == (topics.QUARANTINE, 0, 0, 1)
        assert len(journal.clusters()) == 2
    assert logged(out, "records_missing") == 1


def test_records_in_kafka_that_are_not_archived_yet_are_reported(
    broker: LocalBroker, played: Path, tmp_path: Path
) -> None:
    out, port = tmp_path / "archive", free_port()
    producer = Producer({"bootstrap.servers": broker.address})
    with archiving(broker, played, out, "--metrics-port", port) as process:
        until(lambda: kept(out) == ends(broker), process)
        until(lambda: lag(port) == 0, process)
        with closing(sqlite3.connect(out / "journal.sqlite", isolation_level=None)) as held:
            # While another writes, the archiver cannot. One record: of several it might fetch the first alone
            # and look no further until that is stored.
            held.execute("BEGIN IMMEDIATE")
            producer.produce(topics.FRAMES, b"1", b"BAC-101")
            assert producer.flush(PATIENCE) == 0
            until(lambda: lag(port) == 1, process)
        until(lambda: lag(port) == 0, process)
        assert kept(out) == ends(broker)
