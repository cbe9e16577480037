"""From the spool to Kafka where a record fails: what goes with it, what follows it, what is refused for good.

The producer here keeps to what kafka-python's does (see tests/integration/test_gateway.py): a batch fails as
a whole, and when a producer is given up, everything that it still has fails under an error of its own.
"""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
import structlog
from kafka.errors import (
    IllegalStateError,
    InvalidTimestampError,
    KafkaError,
    MessageSizeTooLargeError,
    OutOfOrderSequenceNumberError,
    TopicAuthorizationFailedError,
)
from kafka.future import Future
from structlog.testing import capture_logs
from structlog.typing import EventDict

from streams.gateway import delivery
from streams.gateway.delivery import Delivery
from streams.gateway.spool import Spool, Spooled
from streams.messages import TEXT_BYTES, read_quarantined
from streams.topics import FRAMES, QUARANTINE
from tests.builders.full_disk import no_file_longer_than

PATIENCE: Final = 30.0  # seconds until a test is given up
LINGER: Final = 0.02  # seconds for which a producer gathers a batch


class Kafka:
    """Stands for a broker: what it has, in order, and what it says to each record.

    The first batch has so many records; after that each is as large as it happens to be.
    """

    def __init__(self, first: int, judge: Callable[[Spooled], KafkaError | None]) -> None:
        self.first, self.judge = first, judge
        self.has: list[Spooled] = []

    def take(self, batch: list[Spooled]) -> list[KafkaError | None]:
        """Accept a batch whole, or not at all: then each innocent record fails too."""
        self.first = 1
        verdicts = [self.judge(each) for each in batch]
        if not any(verdicts):
            self.has += batch
            return verdicts
        return [verdict or KafkaError("part of a batch with invalid records") for verdict in verdicts]

    def drop_delivered(self, spool: Spool, last: int, *_: object) -> int:
        """Drop from a spool what is here, up to an id, as `readback` does."""
        found = [spool.find(each.key, each.number, each.received, each.payload) for each in self.has]
        here = [each for each in found if each is not None and each.id <= last]
        spool.drop(here)
        return len(here)


class Producer:
    """Stands for a KafkaProducer: gathers for a moment, then sends what it has as one batch."""

    def __init__(self, kafka: Kafka) -> None:
        self._kafka = kafka
        self._sender = self  # where the delivery reaches for `force_close`
        self._waiting: list[tuple[Spooled, Future]] = []
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def partitions_for(self, _: str) -> set[int]:
        """Know every topic."""
        return {0}

    def send(self, topic: str, *, key: bytes, value: bytes, timestamp_ms: int) -> Future:
        """Add a record to the next batch."""
        with self._lock:
            if self._closed.is_set():
                raise IllegalStateError("closed")
            future = Future()
            number = int(value.split(b":")[0]) if topic == FRAMES else 0
            record = Spooled(
                topic=topic, key=key.decode(), number=number, received=timestamp_ms * 1000, payload=value
            )
            self._waiting.append((record, future))
            return future

    def force_close(self) -> None:
        """Send nothing more."""
        self._closed.set()

    def close(self, timeout: float) -> None:
        """Send nothing more, and wait for the end."""
        self._closed.set()
        self._thread.join(timeout)

    def _run(self) -> None:
        while not self._closed.wait(LINGER):
            with self._lock:
                if len(self._waiting) < self._kafka.first:
                    continue
                batch, self._waiting = self._waiting, []
            verdicts = self._kafka.take([record for record, _ in batch])
            for (_, future), verdict in zip(batch, verdicts, strict=True):
                if verdict is None:
                    future.success(None)
                else:
                    future.failure(verdict)
        with self._lock:
            for _, future in self._waiting:
                future.failure(IllegalStateError("Producer is closed forcefully."))


@pytest.fixture
def spool(tmp_path: Path) -> Iterator[Spool]:
    with Spool(tmp_path) as spool:
        yield spool


def frames(spool: Spool, count: int, text: bytes = b"{}") -> list[tuple[str, int]]:
    """Add frames of two tables to a spool; return their names in order."""
    records = [
        Spooled(
            topic=FRAMES,
            key=f"BAC-{n % 2}",
            number=n // 2 + 1,
            received=n * 1000,
            payload=b"%d:%b" % (n // 2 + 1, text),
        )
        for n in range(count)
    ]
    spool.keep(records, [], {})
    return [(each.key, each.number) for each in records]


def deliver(
    spool: Spool,
    kafka: Kafka,
    monkeypatch: pytest.MonkeyPatch,
    meanwhile: Callable[[], None] = lambda: None,
) -> list[EventDict]:
    """Run a delivery, and then until the spool is empty; give what it logs."""
    monkeypatch.setattr(delivery, "KafkaProducer", lambda **_: Producer(kafka))
    monkeypatch.setattr(delivery, "drop_delivered", kafka.drop_delivered)
    monkeypatch.setattr(delivery, "_PAUSE", LINGER)
    monkeypatch.setattr(delivery, "_log", structlog.get_logger())
    with capture_logs() as said:
        runs = Delivery(spool, "nowhere:9092")
        thread = threading.Thread(target=runs.run)
        thread.start()
        try:
            meanwhile()
            arrives(lambda: not spool.count)
        finally:
            runs.stop()
            thread.join()
    return said


def arrives(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    patience = threading.Event()
    for _ in range(int(PATIENCE / LINGER)):
        if holds():
            return
        patience.wait(LINGER)
    raise AssertionError("it does not deliver")


def named(records: list[Spooled]) -> list[tuple[str, int]]:
    return [(each.key, each.number) for each in records if each.topic == FRAMES]


def events(said: list[EventDict], *kinds: str) -> list[str]:
    return [each["event"] for each in said if each["event"] in kinds]


def once(error: KafkaError) -> Callable[[Spooled], KafkaError | None]:
    """Judge the fifth record ill, one time."""
    seen: list[Spooled] = []

    def judge(record: Spooled) -> KafkaError | None:
        seen.append(record)
        return error if len(seen) == 5 else None

    return judge


@pytest.mark.parametrize("error", [OutOfOrderSequenceNumberError(), KafkaError("a thing unheard of")])
def test_after_a_failure_of_several_all_goes_on(
    error: KafkaError, spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = frames(spool, 12)
    kafka = Kafka(12, once(error))
    said = deliver(spool, kafka, monkeypatch)
    assert named(kafka.has) == told
    assert events(said, "record_refused", "kafka_away") == []
    assert events(said, "one_by_one") == ["one_by_one"]


REFUSALS = [InvalidTimestampError("from tomorrow"), MessageSizeTooLargeError("large")]


@pytest.mark.parametrize("error", REFUSALS)
def test_what_is_refused_for_good_holds_up_nothing(
    error: KafkaError, spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = frames(spool, 12, b"x" * (TEXT_BYTES + 1))
    ill = {told[3], told[4], told[11]}
    kafka = Kafka(12, lambda each: error if (each.key, each.number) in ill else None)
    said = deliver(spool, kafka, monkeypatch)
    assert named(kafka.has) == [each for each in told if each not in ill]
    rows = [read_quarantined(each.payload) for each in kafka.has if each.topic == QUARANTINE]
    assert [(row.id, row.table) for row in rows] == [
        ("gateway/BAC-1#2", "BAC-1"),
        ("gateway/BAC-0#3", "BAC-0"),
        ("gateway/BAC-1#6", "BAC-1"),
    ]
    for row in rows:
        assert str(error) in row.reason
        assert len(row.payload) == TEXT_BYTES
        assert row.payload.startswith(row.id.partition("#")[2] + ":x")
    refused = [each for each in said if each["event"] == "record_refused"]
    assert [each["frame"] for each in refused] == ["BAC-1#2", "BAC-0#3", "BAC-1#6"]
    assert {each["log_level"] for each in refused} == {"error"}
    assert events(said, "kafka_away") == []


def test_a_row_that_is_refused_too_stands_in_the_log(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    told = frames(spool, 4)
    kafka = Kafka(
        4, lambda each: InvalidTimestampError() if each.topic == QUARANTINE or each.number == 1 else None
    )
    said = deliver(spool, kafka, monkeypatch)
    assert named(kafka.has) == [each for each in told if each[1] != 1]
    refused = [each for each in said if each["event"] == "record_refused"]
    assert [each.get("frame") for each in refused] == ["BAC-0#1", "BAC-1#1", None, None]
    assert [read_quarantined(each["text"]).payload for each in refused[2:]] == ["1:{}", "1:{}"]


def test_what_lies_with_kafka_is_waited_for(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    told = frames(spool, 6)
    denied: list[Spooled] = []

    def judge(each: Spooled) -> KafkaError | None:
        denied.append(each)
        return TopicAuthorizationFailedError(FRAMES) if len(denied) < 15 else None

    kafka = Kafka(6, judge)
    said = deliver(spool, kafka, monkeypatch)
    assert named(kafka.has) == told
    assert events(said, "kafka_away", "kafka_back", "record_refused") == ["kafka_away", "kafka_back"]


@pytest.mark.parametrize("ill", [None, ("BAC-0", 2)], ids=["all taken", "one refused"])
def test_a_full_disk_holds_up_no_delivery_and_doubles_nothing(
    ill: tuple[str, int] | None, spool: Spool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Kafka has cannot be taken out of the spool until the disk has room."""
    told = frames(spool, 12)
    kafka = Kafka(1, lambda each: InvalidTimestampError() if (each.key, each.number) == ill else None)

    def have_room_late() -> None:
        with no_file_longer_than((tmp_path / "spool.sqlite-wal").stat().st_size):
            arrives(lambda: len(kafka.has) >= (12 if ill is None else 2))
            assert spool.count == 12

    said = deliver(spool, kafka, monkeypatch, have_room_late)
    assert sorted(named(kafka.has)) == sorted(each for each in told if each != ill)
    assert len(events(said, "record_refused")) == (0 if ill is None else 1)
    assert sum(each.topic == QUARANTINE for each in kafka.has) == len(events(said, "record_refused"))
    assert events(said, "kafka_away") == []
