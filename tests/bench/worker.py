"""The worker measured beside a bare loop over the same frames.

Used by `make bench`. The bare loop is a process of its own with confluent-kafka: it reads the frames, audits
them with the same audit and sends the same results, without state that outlives it, without recovery and
without sharing tables among workers.
"""

import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from confluent_kafka import Consumer, Producer, TopicPartition
from msgspec import Struct

from projections.engine.audit.table_audit import TableAudit
from schemas.codec import decode
from schemas.house import House
from streams import topics
from streams.broker import LocalBroker
from streams.messages import encode, frame_name, read_result, result_of, standing_of
from streams.processes import collect_seldom
from streams.topic_setup import create_topics
from tests.builders.live_floor import LiveFloor, records
from tests.integration.conftest import free_port

BARE: Final = "bare"
RUNS: Final = 2
_FETCHED: Final = 256
_TURN: Final = 50  # frames between two looks at the clock


class Pace(Struct):
    """Events a second of the worker and of the bare loop, with so many events a frame."""

    size: int
    frames: int
    events: int
    worker: float
    bare: float


def pace(folder: Path, house: Path, size: int, payloads: Mapping[str, Sequence[bytes]]) -> Pace:
    """Measure the bare loop and then the worker on the same frames of the same topic, the better of runs."""
    runs = [_pace(folder / f"{size}-{n}", house, size, payloads) for n in range(RUNS)]
    best = runs[0]
    best.worker, best.bare = max(each.worker for each in runs), max(each.bare for each in runs)
    return best


def _pace(folder: Path, house: Path, size: int, payloads: Mapping[str, Sequence[bytes]]) -> Pace:
    broker = LocalBroker(folder / "kafka", free_port())
    broker.start()
    try:
        create_topics(broker.address)
        frames = list(in_turn(payloads))
        produce(broker.address, frames)
        events = sum(len(decode(line, "")[0].events) for lines in payloads.values() for line in lines)
        subprocess.run([sys.executable, __file__, broker.address, str(house)], check=True)  # noqa: S603  this file
        with LiveFloor(folder / "floor", broker=broker) as floor:
            floor.house.parent.mkdir()
            floor.house.write_bytes(house.read_bytes())
            floor.start("worker-1")
            floor.wait("all frames applied", floor.applied, 600)
        judged: dict[str, list[int]] = {}
        for payload in records(broker.address, topics.ROUNDS):
            result = read_result(payload)
            judged.setdefault(BARE if result.software == BARE else "worker", []).append(result.judged)
    finally:
        broker.kill()
    took = {who: (max(each) - min(each)) / 1_000_000 for who, each in judged.items()}
    if len(judged[BARE]) != len(judged["worker"]):
        raise AssertionError(
            f"{len(judged[BARE])} results of the bare loop, {len(judged['worker'])} of the worker"
        )
    return Pace(size, len(frames), events, events / took["worker"], events / took[BARE])


def _sent(producer: Producer, topic: str, key: str, value: bytes) -> None:
    while True:
        try:
            producer.produce(topic, key=key, value=value)
        except BufferError:
            producer.poll(0.1)
        else:
            return


def in_turn(payloads: Mapping[str, Sequence[bytes]]) -> Iterator[tuple[str, bytes]]:
    """Yield all tables' frames in turn, each with its table, as a floor would send them."""
    for n in range(max(map(len, payloads.values()))):
        for table, lines in payloads.items():
            if n < len(lines):
                yield table, lines[n]


def produce(broker: str, frames: Sequence[tuple[str, bytes]], seconds: float = 0) -> None:
    """Send frames, each under its table, evenly over so many seconds."""
    settings = {"linger.ms": 20, "enable.idempotence": True, "partitioner": "murmur2_random"}
    producer = Producer({"bootstrap.servers": broker} | settings)
    begun = time.monotonic()
    for n, (table, frame) in enumerate(frames):
        _sent(producer, topics.FRAMES, table, frame)
        if seconds and n % _TURN == 0:
            producer.poll(0)
            time.sleep(max(0.0, begun + seconds * n / len(frames) - time.monotonic()))
    producer.flush()


def bare_loop(broker: str, house: House) -> None:
    """Audit all that stands in `floor.frames`, as plainly and as fast as may be."""
    consumer = Consumer({"bootstrap.servers": broker, "group.id": BARE, "enable.auto.commit": False})
    producer = Producer({"bootstrap.servers": broker, "linger.ms": 5, "acks": "all"})
    parts = [TopicPartition(topics.FRAMES, n, 0) for n in range(topics.PARTITIONS)]
    left = sum(consumer.get_watermark_offsets(part)[1] for part in parts)
    consumer.assign(parts)
    audits: dict[str, TableAudit] = {}
    collect_seldom()
    while left:
        for message in consumer.consume(_FETCHED, 1.0):
            left -= 1
            frame, _ = decode(message.value() or b"", "")
            audit = audits.get(frame.table)
            if audit is None:
                audit = audits[frame.table] = TableAudit(frame.table, house)
            for each in audit.feed(frame.events):
                name = frame_name(frame.table, frame.frame)
                result = result_of(each, BARE, name, frame.received, time.time_ns() // 1000)
                _sent(producer, topics.ROUNDS, frame.table, encode(result))
                if (standing := standing_of(result)) is not None:
                    _sent(producer, topics.FINDINGS, frame.table, encode(standing))
        producer.poll(0)
    producer.flush()
    consumer.close()


def written(paces: Iterable[Pace]) -> list[str]:
    """Write the page's lines about the worker."""
    return [
        "",
        "## The live road",
        "",
        "The worker beside a bare loop: confluent-kafka, the same audit, the same results, but no state",
        "that outlives a crash, no recovery, no sharing of tables. Both read the same topic of the same",
        "broker, one after the other, and are timed from their first result to their last; the better",
        f"of {RUNS} runs each. The broker shares the machine's cores.",
        "",
        "| events a frame | frames | events | worker, events/s | bare loop, events/s | worker / bare |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
        *(
            f"| {each.size} | {each.frames:,} | {each.events:,} | {each.worker:,.0f} | {each.bare:,.0f} "
            f"| {each.worker / each.bare:.2f} |"
            for each in paces
        ),
    ]


if __name__ == "__main__":
    from schemas import house as houses

    bare_loop(sys.argv[1], houses.load(sys.argv[2], Path.cwd()))
