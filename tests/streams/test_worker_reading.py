"""A worker applies every frame of its partitions, whatever Faust does with them, and sends what came."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from types import SimpleNamespace
from typing import Any, Final

import pytest

from streams import topics
from streams.worker import agents
from streams.worker.agents import Reader
from streams.worker.deliveries import Delivery, Record, progress_key, progress_text
from streams.worker.snapshot_sender import Batch
from streams.worker.stall_watch import Progress

PARTITION: Final = 3
GENERATION: Final = 8
PATIENCE: Final = 60.0  # seconds for what takes a twentieth of one


class Stream:
    """Stands in for Faust's stream: brings records at some offsets, then nothing more."""

    def __init__(self, offsets: Iterable[int], *, more: bool = False) -> None:
        self.offsets, self.more = offsets, more
        self.acknowledged: list[int] = []
        self.channel = SimpleNamespace(queue=SimpleNamespace(empty=lambda: not self.more))
        self.ended = asyncio.Event()

    def noack(self) -> "Stream":
        """Return the stream; the agent acknowledges."""
        return self

    async def events(self) -> AsyncIterator[Any]:
        """Bring what there is, and wait until the test is over."""
        for offset in self.offsets:
            message = SimpleNamespace(
                generation_id=GENERATION, partition=PARTITION, offset=offset, key=b"T", value=b""
            )
            yield SimpleNamespace(message=message, ack=lambda offset=offset: self.acknowledged.append(offset))
        await self.ended.wait()


class Kafka:
    """Stands in for all else: has every record from `earliest` on, and notes what is done with them."""

    def __init__(self, *, earliest: int = 0, committed: int = 0, kept: int | None = None) -> None:
        self.earliest, self.committed = earliest, committed
        self.data = {} if kept is None else {progress_key(PARTITION): progress_text(Delivery(kept))}
        self.taken: list[int] = []
        self.sent: list[int] = []
        self.acknowledged: list[int] = []
        self.reading = asyncio.Lock()
        self.consumer = SimpleNamespace(
            assignment=lambda: [SimpleNamespace(topic=topics.FRAMES, partition=PARTITION)],
            ack=lambda message: self.acknowledged.append(message.offset),
        )
        self.consumer_generation_id = GENERATION
        self.rebalancing = False
        self.tables = SimpleNamespace(
            actives_ready=True, recovery=SimpleNamespace(active_offsets={("changelog", 0): None})
        )
        self.is_away = False

    async def look(self) -> None:
        """Answer."""

    async def start_of(self, _partition: int) -> tuple[int, int]:
        """Return where the partition and the group begin."""
        return self.earliest, self.committed

    async def records(self, partition: int, offsets: range) -> AsyncIterator[Record]:
        """Yield the records themselves."""
        for offset in offsets:
            yield Record(partition, offset, "T", b"")

    def take(self, record: Record) -> None:
        """Apply a record; it always follows."""
        self.taken.append(record.offset)

    def owed(self, _partitions: set[int]) -> list[Any]:
        """Return none: no table was left out."""
        return []

    def ours(self) -> set[int]:
        """Return the partitions that the worker has."""
        return {PARTITION}

    def drain(self) -> list[int]:
        """Return what was applied since the last time."""
        return self.taken[len(self.sent) :]

    async def took(self, batch: Batch) -> None:
        """Send what came of a batch, and acknowledge it."""
        for each in batch.arrivals:
            self.sent.append(each.record.offset)
            each.delivery.keep(each.record.offset)
            each.ack()


def read(kafka: Kafka, stream: Stream, *, taken: int = 0, sent: int = 0) -> Progress:
    """Read until so many records are applied and sent, and a moment more; returns how far it came."""

    async def reading() -> Progress:
        progress = Progress()
        of: Any = kafka
        reader = Reader(
            SimpleNamespace(app=of, broker="", states=of),  # type: ignore[arg-type]
            of,
            of,
            of,
            of,
            of,
            progress,
        )
        tasks = [asyncio.create_task(each) for each in (reader.read(stream), reader.unstick(), reader.beat())]
        async with asyncio.timeout(PATIENCE):
            while len(kafka.taken) < taken or len(kafka.sent) < sent or not progress.next:  # noqa: ASYNC110  as it says
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        beats = progress.beats
        async with asyncio.timeout(PATIENCE):
            while progress.beats == beats:  # noqa: ASYNC110  likewise
                await asyncio.sleep(0.01)
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return progress

    return asyncio.run(reading())


@pytest.mark.parametrize(
    ("offsets", "taken"),
    [
        ([5, 6, 7], [5, 6, 7]),
        ([5, 9, 10], [5, 6, 7, 8, 9, 10]),  # thrown away in between
        ([8], [5, 6, 7, 8]),  # and before the first
        ([5, 6, 5, 6, 7], [5, 6, 5, 6, 7]),  # brought again
        ([5, 6, 5, 9], [5, 6, 5, 7, 8, 9]),
    ],
)
def test_each_record_from_where_the_partition_is_kept_is_applied(
    offsets: Sequence[int], taken: list[int]
) -> None:
    kafka = Kafka(committed=5)
    stream = Stream(offsets)
    read(kafka, stream, sent=len(taken))
    assert kafka.taken == taken
    assert kafka.sent == taken
    assert sorted({*stream.acknowledged, *kafka.acknowledged}) == sorted(set(taken))


def test_what_faust_counted_as_done_and_no_worker_applied_is_applied() -> None:
    """In a rebalance it acknowledges what it passes over; the group then begins behind it."""
    kafka = Kafka(committed=7, kept=5)
    read(kafka, Stream([7, 8]), taken=4)
    assert kafka.taken == [5, 6, 7, 8]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have it say soon how far it is."""
    monkeypatch.setattr(agents, "_BEAT", 0.05)


def test_it_is_applied_though_nothing_more_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "_LONGEST", 0.05)
    monkeypatch.setattr(agents, "_STUCK", 0.05)
    kafka = Kafka(committed=7, kept=5)
    progress = read(kafka, Stream([]), sent=2)
    assert (kafka.sent, kafka.acknowledged, progress.next) == ([5, 6], [5, 6], {PARTITION: 7})


def test_what_is_kept_beyond_what_faust_committed_is_not_read_again() -> None:
    kafka = Kafka(committed=7, kept=9)
    progress = read(kafka, Stream([]))
    assert (kafka.taken, progress.next) == ([], {PARTITION: 9})


def test_what_kafka_has_forgotten_is_not_waited_for() -> None:
    kafka = Kafka(earliest=100, committed=100, kept=40)
    read(kafka, Stream([100]), taken=1)
    assert kafka.taken == [100]


def test_a_batch_that_waits_for_more_is_sent_though_a_rebalance_emptied_the_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(agents, "_LONGEST", 0.05)
    monkeypatch.setattr(agents, "_STUCK", 0.1)
    kafka = Kafka()
    stream = Stream([0, 1], more=True)
    read(kafka, stream, sent=2)
    assert (kafka.sent, stream.acknowledged) == ([0, 1], [0, 1])


def test_what_is_applied_and_not_kept_counts_as_not_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "_LONGEST", 2 * PATIENCE)
    kafka = Kafka()
    stream = Stream([0, 1], more=True)  # the batch is not sent yet
    progress = read(kafka, stream, taken=2)
    assert (kafka.taken, kafka.sent, progress.next) == ([0, 1], [], {PARTITION: 0})
