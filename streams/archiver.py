"""The archiver: what Kafka has of a live floor, kept exactly, and sealed day by day.

It follows frames and quarantine and writes each batch to the journal together with how far that leads, so it
depends on nothing that Kafka remembers of it; what it also commits to Kafka is for those who watch its lag.
"""

import asyncio
import fcntl
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError, OffsetOutOfRangeError

from schemas.errors import BadInput
from schemas.house import House
from streams import telling, topics
from streams.archive.journal import Journal, Missing, Place
from streams.archive.kept import Record, moment
from streams.archive.sealing import due
from streams.archive.tending import seal_days, take_snapshots

TOPICS: Final = (topics.FRAMES, topics.QUARANTINE)
GROUP: Final = f"{topics.APP}-archive"

_BATCH: Final = 2000  # records in one transaction
_WAIT_MS: Final = 200  # for a batch to have something in it
_PAUSE: Final = 1.0  # seconds, while Kafka is away
_ANSWER_MS: Final = 10_000  # as long as Kafka may take to answer
_LOOK: Final = 2.0  # seconds between looks at where the partitions end
_LOOK_AROUND: Final = 60.0  # seconds between looks at the cluster and its partitions
_SEAL: Final = 5.0  # seconds between looks for days that are over

_log: Final = structlog.get_logger()


@contextmanager
def alone(archive: Path) -> Iterator[None]:
    """Hold an archive for this process alone, as long as it lives; makes the folder.

    Raises:
        BadInput: another process archives there.
    """
    archive.mkdir(parents=True, exist_ok=True)
    with (archive / "lock").open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(f"{archive}: another process archives there; stop it first") from None
        yield


async def follow(broker: str, archive: Path, house: House, stopping: asyncio.Event) -> None:
    """Keep what a broker has and will have, and seal the days that are over, until it is told to stop.

    Raises:
        BadInput: the journal cannot be written, a sealed file is not what the journal has, or Kafka's topic
            is not the one that was kept.
    """
    with Journal(archive, writable=True) as journal:
        archiver = Archiver(broker, archive, journal, house, stopping)
        sealing = asyncio.create_task(archiver.seal())
        following = asyncio.create_task(archiver.follow())
        try:
            await asyncio.wait({sealing, following}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.set()
            archiver.stopped.set()
            await asyncio.gather(sealing, following)


class Archiver:
    """What follows Kafka into a journal, and seals; `stopped` ends sealing between two of its steps."""

    def __init__(
        self, broker: str, archive: Path, journal: Journal, house: House, stopping: asyncio.Event
    ) -> None:
        self._broker, self._archive, self._journal, self._house = broker, archive, journal, house
        self._stopping = stopping
        self.stopped = threading.Event()
        self._away = False
        self._places: dict[TopicPartition, Place] = {}
        self._ends: Mapping[TopicPartition, int] = {}
        self._mark = 0

    # ── following ────────────────────────────────────────────────────────────────────────────────────

    async def follow(self) -> None:
        """Follow the broker; while it is away, try again."""
        while not self._stopping.is_set():
            try:
                cluster, partitions = await self._described()
                if partitions:
                    await self._follow(cluster, partitions)
            except (KafkaError, OSError) as error:
                if not self._away:
                    _log.error("kafka_away", broker=self._broker, reason=repr(error))
                self._away = True
                await self._pause(_PAUSE)

    async def _described(self) -> tuple[str, list[TopicPartition]]:
        """Ask which cluster this is and what partitions it has; none before the topics are there."""
        told = False
        while not self._stopping.is_set():
            admin = AIOKafkaAdminClient(bootstrap_servers=self._broker, request_timeout_ms=_ANSWER_MS)
            try:
                await admin.start()
                cluster = (await admin.describe_cluster())["cluster_id"]
                found = await admin.describe_topics(list(TOPICS))
            finally:
                await admin.close()
            partitions = [
                TopicPartition(each["topic"], part["partition"])
                for each in found
                for part in each["partitions"]
            ]
            lacking = set(TOPICS) - {each.topic for each in partitions}
            if not lacking:
                return cluster, sorted(partitions)
            if not told:
                _log.warning("topics_missing", topics=sorted(lacking), broker=self._broker)
                told = True
            await self._pause(_PAUSE)
        return "", []

    async def _follow(self, cluster: str, partitions: list[TopicPartition]) -> None:
        """Follow a cluster's partitions until it is another one, or has others."""
        async with self._consumer(partitions) as consumer:
            if self._away:
                _log.info("kafka_back", broker=self._broker)
                self._away = False
            self._journal.begin_cluster(cluster, _now())
            await self._begin(consumer, cluster, partitions)
            looked = looked_around = time.monotonic()
            while not self._stopping.is_set():
                try:
                    batches = await consumer.getmany(timeout_ms=_WAIT_MS, max_records=_BATCH)
                except OffsetOutOfRangeError:
                    await self._begin(consumer, cluster, partitions)
                    continue
                if batches:
                    await asyncio.to_thread(self._keep, cluster, batches)
                if time.monotonic() - looked > _LOOK:
                    looked = time.monotonic()
                    self._ends = await consumer.end_offsets(partitions)
                    self._hold(self._ends)
                    await self._tell(consumer)
                if time.monotonic() - looked_around > _LOOK_AROUND:
                    looked_around = time.monotonic()
                    if await self._described() != (cluster, partitions):
                        return
            await self._tell(consumer)

    @asynccontextmanager
    async def _consumer(self, partitions: list[TopicPartition]) -> AsyncIterator[Any]:
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self._broker,
            group_id=GROUP,
            enable_auto_commit=False,
            auto_offset_reset="none",
            request_timeout_ms=_ANSWER_MS,
        )
        consumer.assign(partitions)
        try:
            await consumer.start()
            yield consumer
        finally:
            await consumer.stop()

    async def _begin(self, consumer: Any, cluster: str, partitions: list[TopicPartition]) -> None:
        """Go on where the journal ends; say what Kafka no longer has of what comes next."""
        kept = self._journal.places(cluster)
        firsts = await consumer.beginning_offsets(partitions)
        self._ends = await consumer.end_offsets(partitions)
        self._places = {part: kept.get((part.topic, part.partition), Place(0)) for part in partitions}
        self._hold(self._ends)
        missing: list[Missing] = []
        for part, place in self._places.items():
            first = firsts[part]
            if place.next < first:
                lost = Missing(cluster, part.topic, part.partition, place.next, first - 1, _now())
                _log.error(
                    "records_missing", topic=lost.topic, partition=lost.partition, first=lost.first,
                    last=lost.last, reason="Kafka no longer had them",
                )  # fmt: skip
                missing.append(lost)
                self._places[part] = Place(first, place.newest)
            consumer.seek(part, self._places[part].next)
        self._journal.keep((), self._named(cluster), missing)

    def _hold(self, ends: Mapping[TopicPartition, int]) -> None:
        """Hold Kafka's topics to what was kept of them."""
        for part, place in self._places.items():
            if ends[part] < place.next:
                raise BadInput(
                    f"{self._archive}: {part.topic}, partition {part.partition} ends at {ends[part]} in "
                    f"Kafka, but records up to {place.next - 1} were kept: the topic was made anew or cut; "
                    "archive it into a new folder"
                )

    def _keep(self, cluster: str, batches: Mapping[TopicPartition, list[Any]]) -> None:
        records = [_record(cluster, each) for batch in batches.values() for each in batch]
        places = dict(self._places)
        for part, batch in batches.items():
            newest = max(moment(each.timestamp) for each in batch)
            places[part] = Place(batch[-1].offset + 1, max(places[part].newest, newest))
        days = ((self._house.gaming_date(each.received), each) for each in records)
        self._journal.keep(days, self._named(cluster, {part: places[part] for part in batches}))
        self._places = places
        telling.FRAMES.labels("archiver").inc(sum(each.topic == topics.FRAMES for each in records))

    async def _tell(self, consumer: Any) -> None:
        """Tell Kafka how far this is, for those who watch; where it cannot take it, that holds up nothing."""
        reached = {part: place.next for part, place in self._places.items()}
        try:
            await asyncio.wait_for(consumer.commit(reached), _LOOK)
        except (KafkaError, TimeoutError) as error:
            _log.warning("offsets_not_committed", group=GROUP, reason=repr(error))

    def _named(
        self, cluster: str, places: Mapping[TopicPartition, Place] | None = None
    ) -> dict[tuple[str, str, int], Place]:
        places = self._places if places is None else places
        return {(cluster, part.topic, part.partition): place for part, place in places.items()}

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return

    # ── sealing ──────────────────────────────────────────────────────────────────────────────────────

    async def seal(self) -> None:
        """Seal the days that are over, beside following and on another connection, until told to stop."""
        with Journal(self._archive, writable=True) as journal:
            await asyncio.to_thread(self._snapshots)  # those that a crash left to be made
            while not self._stopping.is_set():
                if days := due(journal, self._house, self.mark()):
                    await asyncio.to_thread(seal_days, journal, self._archive, days, self.stopped.is_set)
                    await asyncio.to_thread(self._snapshots)
                await self._pause(_SEAL)

    def _snapshots(self) -> None:
        take_snapshots(self._archive, self._house, self._house.gaming_date(_now()), self.stopped.is_set)

    def mark(self) -> int:
        """Say up to when everything was kept, microseconds UTC: 0 where that is not known.

        That is the newest time stamp, and never later than the clock on the wall. A partition that is not
        read to its end yet holds it back to its own newest.
        """
        places, ends = self._places, self._ends
        if not places:
            return 0
        newest = max(place.newest for place in places.values())
        behind = [place.newest for part, place in places.items() if place.next < ends.get(part, 0)]
        return min([newest, _now(), *behind])


def _record(cluster: str, each: Any) -> Record:
    received = moment(each.timestamp)
    return Record(cluster, each.topic, each.partition, each.offset, received, each.key, each.value)


def _now() -> int:
    return time.time_ns() // 1000
