"""Following Kafka into the journal: each batch is written together with its offsets.

So the archive does not depend on offsets in Kafka; those that are committed to Kafka are for monitoring the
lag.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError, OffsetOutOfRangeError
from msgspec import Struct

from schemas.errors import BadInput
from schemas.house import House
from streams import observability, processes, topics
from streams.archive.journal import Journal, Missing, Place
from streams.archive.record_names import KafkaRecord, moment
from streams.kafka_away import away_reason

TOPICS: Final = (topics.FRAMES, topics.QUARANTINE)
GROUP: Final = f"{topics.APP}-archive"

_BATCH: Final = 2000  # records in one transaction
_WAIT_MS: Final = 200  # for a batch to have something in it
# Kafka keeps what comes meanwhile, and a batch costs the broker and the disk much the same whatever is in it.
_GATHERED: Final = 0.25  # seconds from one batch to the next, where one has all that there was
_PAUSE: Final = 1.0  # seconds, while Kafka is away
_ANSWER_MS: Final = 5_000  # as long as Kafka may take to answer
_RETRY_AFTER: Final = 0.3  # seconds, after which no failed fetch waits to be retried
_LOOK: Final = 2.0  # seconds between looks at where the partitions end

_log: Final = structlog.get_logger()


class _Connected(Struct, frozen=True):
    """A broker that is followed: which cluster it is of, and the partitions of its topics."""

    admin: Any
    consumer: Any
    cluster: str
    partitions: list[TopicPartition]

    async def is_same(self) -> bool:
        """Return True if the broker is still of the same cluster.

        A cluster that was deleted and created again answers at the same address, with the same offsets. What
        was fetched or queried counts only if this is True afterwards.
        """
        return await _cluster(self.admin) == self.cluster


class ArchiveFollower:
    """Follows a broker into a journal until it is stopped."""

    def __init__(self, broker: str, journal: Journal, house: House, stopping: asyncio.Event) -> None:
        self.house = house
        self._broker, self._journal, self._stopping = broker, journal, stopping
        self._away = False
        self._places: dict[TopicPartition, Place] = {}
        self._ends: Mapping[TopicPartition, int] = {}

    def take_house(self, house: House) -> None:
        """File what comes from now on by another house."""
        self.house = house

    async def follow(self) -> None:
        """Follow the broker; retry while it is away.

        Raises:
            BadInput: the journal cannot be written, or Kafka's topic is not the one that was archived.
        """
        while not self._stopping.is_set():
            try:
                async with self._connected() as found:
                    if found is not None and await self._begin(found):
                        await self._follow(found)
            except (KafkaError, OSError) as error:
                if not self._away:
                    _log.error("kafka_away", broker=self._broker, reason=away_reason(error, self._broker))
                self._away = True
                await self.pause(_PAUSE)

    async def pause(self, seconds: float) -> None:
        """Wait, but no longer than until it is stopped."""
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return

    def mark(self) -> int:
        """Return up to when everything was stored, microseconds UTC: 0 if that is not known.

        That is the newest time stamp, and never later than the wall clock. A partition that is not read to
        its end yet limits it to its own newest.
        """
        places, ends = self._places, self._ends
        if not places:
            return 0
        newest = max(place.newest for place in places.values())
        behind = [place.newest for part, place in places.items() if place.next < ends.get(part, 0)]
        return min([newest, processes.now(), *behind])

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[_Connected | None]:
        """Connect to the broker and wait for its topics; None if stopped before they exist."""
        admin = AIOKafkaAdminClient(bootstrap_servers=self._broker, request_timeout_ms=_ANSWER_MS)
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self._broker,
            group_id=GROUP,
            enable_auto_commit=False,
            auto_offset_reset="none",
            request_timeout_ms=_ANSWER_MS,
        )
        try:
            await admin.start()
            partitions = await self._partitions(admin)
            if not partitions:
                yield None
                return
            cluster = await _cluster(admin)
            consumer.assign(partitions)
            await consumer.start()
            yield _Connected(admin, consumer, cluster, partitions)
        finally:
            await _stop(consumer)
            await admin.close()

    async def _partitions(self, admin: Any) -> list[TopicPartition]:
        logged = False
        while not self._stopping.is_set():
            found = await _described(admin)
            if {each.topic for each in found} == set(TOPICS):
                return found
            if not logged:
                _log.warning("topics_missing", topics=TOPICS, broker=self._broker)
                logged = True
            await self.pause(_PAUSE)
        return []

    async def _begin(self, found: _Connected) -> bool:
        """Continue where the journal ends, and log what Kafka no longer has of what comes next.

        Return whether the broker is still of the same cluster.
        """
        firsts = await found.consumer.beginning_offsets(found.partitions)
        self._journal.begin_cluster(found.cluster, processes.now())
        places = self._journal.places(found.cluster)
        self._places = {part: places.get((part.topic, part.partition), Place(0)) for part in found.partitions}
        if not await self._look(found):
            return False
        missing: list[Missing] = []
        for part, place in self._places.items():
            first = firsts[part]
            if place.next < first:
                lost = Missing(
                    found.cluster, part.topic, part.partition, place.next, first - 1, processes.now()
                )
                missing.append(lost)
                self._places[part] = Place(first, place.newest)
                _log.error(
                    "records_missing", topic=lost.topic, partition=lost.partition, first=lost.first,
                    last=lost.last, reason="Kafka no longer had them",
                )  # fmt: skip
            found.consumer.seek(part, self._places[part].next)
        self._journal.keep((), _by_cluster(found.cluster, self._places), missing)
        if self._away:
            _log.warning("kafka_back", broker=self._broker)
            self._away = False
        return True

    async def _follow(self, found: _Connected) -> None:
        """Follow a cluster's partitions until it is another one, has others, or lacks what comes next."""
        looked = time.monotonic()
        while not self._stopping.is_set():
            try:
                batches = await found.consumer.getmany(timeout_ms=_WAIT_MS, max_records=_BATCH)
            except OffsetOutOfRangeError:
                return
            if batches:
                if not await found.is_same():
                    return
                self._take_ends(found.consumer)
                await asyncio.to_thread(self._keep, found.cluster, batches)
                if sum(map(len, batches.values())) < _BATCH:
                    await self.pause(_GATHERED)
            if time.monotonic() - looked > _LOOK:
                looked = time.monotonic()
                if not await self._look(found) or await _described(found.admin) != found.partitions:
                    return
                await self._tell(found.consumer)
        await self._tell(found.consumer)

    async def _look(self, found: _Connected) -> bool:
        """Compare the ends of the partitions with what was stored; return True if the cluster is the same."""
        ends = await found.consumer.end_offsets(found.partitions)
        if not await found.is_same():
            return False
        for part, place in self._places.items():
            if ends[part] < place.next:
                raise BadInput(
                    f"{part.topic}, partition {part.partition} ends at {ends[part]} in Kafka, but records up "
                    f"to {place.next - 1} were kept: the topic was made anew or cut; archive it into a new "
                    "folder"
                )
        self._ends = ends
        self._tell_lag()
        return True

    def _take_ends(self, consumer: Any) -> None:
        """Update the ends of the partitions from what was fetched."""
        self._ends = {part: max(end, consumer.highwater(part) or 0) for part, end in self._ends.items()}
        self._tell_lag()

    def _tell_lag(self) -> None:
        observability.ARCHIVE_LAG.set(
            sum(max(0, end - self._places[part].next) for part, end in self._ends.items())
        )

    def _keep(self, cluster: str, batches: Mapping[TopicPartition, list[Any]]) -> None:
        places = dict(self._places)
        for part, batch in batches.items():
            newest = max(moment(each.timestamp) for each in batch)
            places[part] = Place(batch[-1].offset + 1, max(places[part].newest, newest))
        records = [_record(cluster, each) for batch in batches.values() for each in batch]
        days = ((self.house.gaming_date(each.received), each) for each in records)
        self._journal.keep(days, _by_cluster(cluster, {part: places[part] for part in batches}))
        self._places = places
        self._tell_lag()
        observability.FRAMES.labels("archiver").inc(sum(each.topic == topics.FRAMES for each in records))

    async def _tell(self, consumer: Any) -> None:
        """Commit the offsets to Kafka for monitoring; if that fails, nothing waits for it."""
        reached = {part: place.next for part, place in self._places.items()}
        try:
            await asyncio.wait_for(consumer.commit(reached), _LOOK)
        except (KafkaError, TimeoutError) as error:
            _log.warning("offsets_not_committed", group=GROUP, reason=away_reason(error, self._broker))


async def _stop(consumer: Any) -> None:
    """Stop a consumer, whether or not its broker is there.

    While a failed fetch waits to be retried, aiokafka's stop would end as if we were cancelled. So fetching
    is paused, and the retry has passed, before it is stopped.
    """
    consumer.pause(*consumer.assignment())
    await asyncio.sleep(_RETRY_AFTER)
    await consumer.stop()


def _by_cluster(cluster: str, places: Mapping[TopicPartition, Place]) -> dict[tuple[str, str, int], Place]:
    return {(cluster, part.topic, part.partition): place for part, place in places.items()}


def _record(cluster: str, each: Any) -> KafkaRecord:
    received = moment(each.timestamp)
    return KafkaRecord(cluster, each.topic, each.partition, each.offset, received, each.key, each.value)


async def _cluster(admin: Any) -> str:
    """Return the broker's cluster."""
    return str((await admin.describe_cluster())["cluster_id"])


async def _described(admin: Any) -> list[TopicPartition]:
    """Return the partitions of the topics that are archived, in order."""
    found = await admin.describe_topics(list(TOPICS))
    return sorted(
        TopicPartition(each["topic"], part["partition"]) for each in found for part in each["partitions"]
    )
