"""The live road measured: the worker beside a bare loop over the same frames, and how long a finding takes.

Used by `make bench`. The bare loop is a process of its own with confluent-kafka: it reads the frames, audits
them with the same audit and sends the same results, without state that outlives it, without recovery and
without sharing tables among workers.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Final

import httpx
import msgspec
import yaml
from confluent_kafka import Consumer, Producer, TopicPartition
from msgspec import Struct

from projections.audit import TableAudit
from schemas.codec import decode
from schemas.house import House
from streams import topics
from streams.broker import LocalBroker
from streams.messages import encode, frame_name, read_result, result_of, standing_of
from streams.simulator import faults
from streams.topic_setup import create_topics
from tests.integration.conftest import free_port
from tests.live_floor import LiveFloor, records

BARE: Final = "bare"
RUNS: Final = 2
_FETCHED: Final = 256
_SILENCE: Final = 60.0  # seconds; the stream says that it is still there more often

# The latency run: so many tables, so many times as fast as real, so many seconds; faults oftener than usual,
# so that there are findings enough for a percentile.
TABLES, SPEED, SECONDS, OFTENER = 100, 10.0, 120.0, 5.0
STAGES: Final = (
    ("kafka", "gateway", "acknowledged by Kafka"),
    ("judged", "worker-1", "judged by the worker"),
    ("stored", "serve", "stored by the projector"),
)


class Pace(Struct):
    """Events a second of the worker and of the bare loop, with so many events a frame."""

    size: int
    frames: int
    events: int
    worker: float
    bare: float


class Delay(Struct):
    """How long after the gateway's receipt of a round's last event a stage was passed, in seconds."""

    stage: str
    count: int
    median: float
    high: float


def pace(folder: Path, house: Path, size: int, payloads: Mapping[str, Sequence[bytes]]) -> Pace:
    """Let the bare loop and then the worker audit the same frames from the same topic, the better of runs."""
    runs = [_pace(folder / f"{size}-{n}", house, size, payloads) for n in range(RUNS)]
    best = runs[0]
    best.worker, best.bare = max(each.worker for each in runs), max(each.bare for each in runs)
    return best


def _pace(folder: Path, house: Path, size: int, payloads: Mapping[str, Sequence[bytes]]) -> Pace:
    broker = LocalBroker(folder / "kafka", free_port())
    broker.start()
    try:
        create_topics(broker.address)
        count = _produce(broker.address, payloads)
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
    return Pace(size, count, events, events / took["worker"], events / took[BARE])


def _sent(producer: Producer, topic: str, key: str, value: bytes) -> None:
    while True:
        try:
            producer.produce(topic, key=key, value=value)
        except BufferError:
            producer.poll(0.1)
        else:
            return


def _produce(broker: str, payloads: Mapping[str, Sequence[bytes]]) -> int:
    """Send all tables' frames in turn, as a floor would."""
    settings = {"linger.ms": 20, "enable.idempotence": True, "partitioner": "murmur2_random"}
    producer = Producer({"bootstrap.servers": broker} | settings)
    count = 0
    for n in range(max(map(len, payloads.values()))):
        for table, lines in payloads.items():
            if n < len(lines):
                _sent(producer, topics.FRAMES, table, lines[n])
                count += 1
    producer.flush()
    return count


def bare_loop(broker: str, house: House) -> None:
    """Audit all that stands in `floor.frames`, as plainly and as fast as may be."""
    consumer = Consumer({"bootstrap.servers": broker, "group.id": BARE, "enable.auto.commit": False})
    producer = Producer({"bootstrap.servers": broker, "linger.ms": 5, "acks": "all"})
    parts = [TopicPartition(topics.FRAMES, n, 0) for n in range(topics.PARTITIONS)]
    left = sum(consumer.get_watermark_offsets(part)[1] for part in parts)
    consumer.assign(parts)
    audits: dict[str, TableAudit] = {}
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


def delays(folder: Path) -> list[Delay]:
    """Play a floor through all processes with a page open, and see when each stage was passed."""
    often = folder / "faults.yaml"
    rates = {kind: min(1.0, each.rate * OFTENER) for kind, each in faults.DEALERS.items()}
    often.write_text(yaml.safe_dump({"dealers": rates}))
    hours = SECONDS * SPEED / 3600
    with LiveFloor(folder / "live") as floor:
        floor.start("gateway")
        floor.play(tables=TABLES, hours=hours, seed="delays", speed=SPEED, sensors=False, rates=often)
        floor.start("worker-1", "serve", "archive")
        floor.wait("the console", floor.answers)
        with _page_open(floor.console) as seen:
            floor.wait("the devices' last report", floor.played, 2 * SECONDS)
            floor.wait("everything in the store", floor.drained)
        told = [_quantiles(says, floor.histogram(process, stage)) for stage, process, says in STAGES]
        received = {
            finding.id: result.received
            for result in map(read_result, records(floor.broker.address, topics.ROUNDS))
            for finding in result.conclusion.findings
        }
        stored = _stored(floor.folder / "log" / "serve.jsonl")
    shown = sorted(
        (_first_after(seen, at) - received[finding]) / 1_000_000
        for finding, at in stored.items()
        if seen[0][0] <= at <= seen[-1][0]
    )
    return [*told, Delay("on the page", len(shown), shown[len(shown) // 2], shown[len(shown) * 99 // 100])]


def written(paces: Iterable[Pace], delays: Iterable[Delay]) -> list[str]:
    """Write the page's lines about the live road."""
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
        "",
        "How long after the gateway's receipt of the last event that a conclusion waited for:",
        f"{TABLES} tables at {SPEED:.0f} times their pace for {SECONDS:.0f} seconds, all processes and the",
        "broker on this machine. The page is fetched again at each event of its stream, as a browser does.",
        "",
        "| stage | passed | p50, ms | p99, ms |",
        "| --- | ---: | ---: | ---: |",
        *(
            f"| {each.stage} | {each.count:,} | {each.median * 1000:.0f} | {each.high * 1000:.0f} |"
            for each in delays
        ),
        "",
    ]


@contextmanager
def _page_open(console: str) -> Iterator[list[tuple[int, int]]]:
    """Keep a page open as a browser does: at each event of the stream it is fetched again.

    Gives, as they come, when each fetch began and when it had come, microseconds UTC.
    """
    seen: list[tuple[int, int]] = []
    stop = threading.Event()

    def watch() -> None:
        with httpx.Client(timeout=_SILENCE) as client, client.stream("GET", f"{console}/stream") as stream:
            for line in stream.iter_lines():
                if stop.is_set():
                    return
                if line.startswith("data:"):
                    begun = time.time_ns() // 1000
                    httpx.get(f"{console}/").raise_for_status()
                    seen.append((begun, time.time_ns() // 1000))

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield seen
    finally:
        stop.set()


def _first_after(seen: Sequence[tuple[int, int]], stored: int) -> int:
    """Give when a page had come whose fetch began after a finding was stored."""
    return next(come for begun, come in seen if begun >= stored)


def _stored(log: Path) -> dict[str, int]:
    """Read from the projector's log when each finding was stored first, microseconds UTC."""
    stored: dict[str, int] = {}
    for line in log.read_bytes().splitlines():
        said = msgspec.json.decode(line) if line.startswith(b"{") else {}
        if said.get("event") == "finding_stored":
            at = datetime.fromisoformat(said["timestamp"])
            stored.setdefault(said["finding"], round(at.timestamp() * 1_000_000))
    return stored


def _quantiles(stage: str, buckets: Mapping[float, float]) -> Delay:
    """Read quantiles from cumulative buckets as Prometheus does, straight between two bounds."""
    total = buckets[float("inf")]
    return Delay(stage, round(total), _quantile(buckets, total * 0.5), _quantile(buckets, total * 0.99))


def _quantile(buckets: Mapping[float, float], rank: float) -> float:
    for (low, below), (high, upto) in pairwise([(0.0, 0.0), *sorted(buckets.items())]):
        if upto >= rank:
            return low + (high - low) * (rank - below) / (upto - below)
    raise AssertionError(f"{rank} beyond {buckets}")


if __name__ == "__main__":
    from schemas import house as houses

    bare_loop(sys.argv[1], houses.load(sys.argv[2], Path.cwd()))
