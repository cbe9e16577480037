"""The follower of Kafka into the store, for the life of the process; it reports if no worker audits."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError, KafkaTimeoutError, OffsetOutOfRangeError
from msgspec import Struct

from projections.web.live.broadcaster import LiveFloor, State
from streams import observability, processes
from streams.action_publisher import part_of
from streams.kafka_away import away_reason
from streams.kafka_task import in_own_task
from streams.projector.ingest import BatchIngest
from streams.projector.record_batch import FetchedRecord
from streams.projector.restore import ActionRestore
from streams.projector.writer import StoreWriter
from streams.topics import APP, FRAMES, QUARANTINE, REPORTS, ROUNDS

# ── Whether anybody audits the floor's frames, as far as Kafka shows it ───────────────────────────────

# Looks at the cluster, one a second, that may pass while frames wait and none is acknowledged. A worker that
# stands still ends before (streams.worker.agents), and has then to be started and to recover.
STALLED: Final = 45


class AuditProgress:
    """Counts the looks during which frames waited and the workers' group acknowledged none."""

    def __init__(self) -> None:
        self._acknowledged = -1
        self._looks = 0

    def look(self, ends: Mapping[TopicPartition, int], committed: Mapping[TopicPartition, int]) -> int | None:
        """Return how many frames wait, once they have waited for too long; None while they have not.

        `ends` are the next offsets of partitions, `committed` those that the group has acknowledged.

        >>> part, progress = TopicPartition(FRAMES, 0), AuditProgress()
        >>> [progress.look({part: 9}, {part: 4}) for _ in range(STALLED + 1)][-2:]
        [None, 5]
        >>> progress.look({part: 9}, {part: 5}), progress.look({part: 9}, {part: 9})
        (None, None)
        """
        lag = sum(max(0, end - committed.get(part, 0)) for part, end in ends.items() if part.topic == FRAMES)
        acknowledged = sum(committed.values())
        self._looks = self._looks + 1 if lag and acknowledged == self._acknowledged else 0
        self._acknowledged = acknowledged
        return lag if self._looks >= STALLED else None


# ── Following Kafka into the store, for as long as the process lives ──────────────────────────────────
# It belongs to no consumer group: how far it has read stands in the store, in the transaction that wrote
# what came before, so that after whatever end it goes on exactly there. While Kafka is away the store and
# its pages are there as ever.

TOPICS: Final = (ROUNDS, QUARANTINE, REPORTS, FRAMES)

_BATCH: Final = 2_000  # records in a transaction, where so many wait
_IDLE: Final = 500  # milliseconds without records before the lag is read again
# A slow commit makes the client poll only the other partitions, and records of the one wait for that poll:
# milliseconds.
_POLL: Final = 20
# Frames come many times more often than conclusions, and pages get the tables' status once a second. So
# frames are fetched together at intervals, and few enough that no conclusion waits long behind them.
_FRAMES: Final = 0.5  # seconds
_MOST_FRAMES: Final = 50
_LOOK: Final = 1.0  # seconds from one look at the cluster to the next
_LOOKS: Final = 3  # failed, before Kafka counts as away: one of several brokers may be
_PAUSES: Final = (0.2, 0.5, 1.0, 2.0)  # seconds before the next attempt; the last one stays
_ANSWER: Final = 5_000  # milliseconds in which Kafka answers
_AWAY: Final = (KafkaError, OSError, TimeoutError)

# From where a store that knows no tables yet takes their frames, milliseconds: in a day each table opens.
_STATUS_WINDOW: Final = 24 * 60 * 60 * 1_000

_log: Final = structlog.get_logger()


class Cluster(Struct, frozen=True):
    """A Kafka cluster by its id, and how many partitions the followed topics have there."""

    id: str
    partitions: tuple[tuple[str, int], ...]

    def missing(self) -> list[str]:
        """Return the topics that are not there."""
        return [topic for topic in TOPICS if topic not in dict(self.partitions)]

    def parts(self) -> list[TopicPartition]:
        """Return every partition to follow."""
        return [TopicPartition(topic, part) for topic, count in self.partitions for part in range(count)]


class Projector:
    """Follows the floor that `brokers` (HOST:PORT, several with commas) carry, into a store."""

    def __init__(
        self, writer: StoreWriter, brokers: str, live: LiveFloor, back: ActionRestore | None = None
    ) -> None:
        """Follow into `writer`; with `back`, earlier actions at the console are restored first."""
        self._brokers = brokers.split(",")
        self._storing, self._live, self._back = writer, live, back
        self._entering = BatchIngest(writer, live, back)
        self._state: State | None = None
        self._taking_one = asyncio.Lock()
        self._ends: dict[TopicPartition, int] = {}
        self._attempts = 0

    async def follow(self) -> None:
        """Follow until cancelled; what Kafka does never ends it.

        Raises:
            DiscardrackError: the store's file cannot be written.
        """
        _log.info("projector_started", brokers=self._brokers)
        try:
            await self._sessions()
        finally:
            await self._entering.written()

    async def _sessions(self) -> None:
        while True:
            try:
                cluster, _ = await in_own_task(self._look())
                if cluster.missing():
                    self._turn("topics missing", topics=cluster.missing())
                else:
                    await in_own_task(self._follow(cluster))
            except OffsetOutOfRangeError:
                continue  # the next session sees what is missing and reports it
            except _AWAY as error:
                self._turn("kafka away", reason=away_reason(error, ",".join(self._brokers)))
            await asyncio.sleep(_PAUSES[min(self._attempts, len(_PAUSES) - 1)])
            self._attempts += 1

    async def _follow(self, cluster: Cluster) -> None:
        """Follow a cluster until it is away or another one, or has other partitions."""
        consumer, tables = self._consumer(_BATCH, _POLL), self._consumer(_MOST_FRAMES, _IDLE)
        async with AsyncExitStack() as ending:  # of both, though one cannot be ended in order
            ending.push_async_callback(tables.stop)
            ending.push_async_callback(consumer.stop)
            working = [asyncio.create_task(self._watch(cluster))]
            ending.push_async_callback(_cancelled, working)
            await in_own_task(self._begin(consumer, tables, cluster))
            self._attempts = 0
            self._turn("ok", cluster=cluster.id)
            working += [
                asyncio.create_task(self._take(consumer, cluster)),
                asyncio.create_task(self._take(tables, cluster, _FRAMES)),
            ]
            ended, _ = await asyncio.wait(working, return_when=asyncio.FIRST_COMPLETED)
            for each in ended:
                each.result()

    def _consumer(self, most: int, wait: int) -> AIOKafkaConsumer:
        """Make a client with a limit of records and of milliseconds for a poll."""
        return AIOKafkaConsumer(
            bootstrap_servers=self._brokers,
            auto_offset_reset="none",
            enable_auto_commit=False,
            max_poll_records=most,
            fetch_max_wait_ms=wait,
            request_timeout_ms=_ANSWER,
        )

    async def _begin(self, consumer: AIOKafkaConsumer, tables: AIOKafkaConsumer, cluster: Cluster) -> None:
        """Connect, and seek to where the store left off; log if Kafka does not have that."""
        await consumer.start()
        await tables.start()
        await self._entering.written()
        parts = cluster.parts()
        first, end = await consumer.beginning_offsets(parts), await consumer.end_offsets(parts)
        stored = self._storing.offsets(cluster.id)
        since = processes.now() // 1_000 - _STATUS_WINDOW
        frames = {part: since for part in parts if part.topic == FRAMES}
        begin = first | {
            part: found.offset if found is not None else end[part]
            for part, found in (await consumer.offsets_for_times(frames)).items()
        }
        if self._back is not None and not self._back.is_done:
            part = TopicPartition(FRAMES, part_of(each.partition for each in frames))
            start = stored.get((FRAMES, part.partition), first[part])
            span = range(start if first[part] <= start <= end[part] else first[part], end[part])
            await self._take_back(consumer, cluster, part, span)
            self._back.done()
        reached = self._entering.reached
        reached.clear()
        consumer.assign([part for part in parts if part not in frames])
        tables.assign(list(frames))
        for part in parts:
            wanted = stored.get((part.topic, part.partition), begin[part])
            start = wanted if first[part] <= wanted <= end[part] else first[part]
            if start != wanted:
                _log.error(
                    "records_missing",
                    topic=part.topic,
                    partition=part.partition,
                    wanted=wanted,
                    kafka_has_from=first[part],
                    kafka_has_until=end[part],
                )
            (tables if part in frames else consumer).seek(part, start)
            reached[part.topic, part.partition] = start
        self._ends = end
        self._entering.stand(cluster.id)
        self._note_lag()

    async def _take_back(
        self, consumer: AIOKafkaConsumer, cluster: Cluster, part: TopicPartition, span: range
    ) -> None:
        """Restore actions at the console before anything else is read: people wait for them."""
        consumer.assign([part])
        consumer.seek(part, span.start)
        while await consumer.position(part) < span.stop:
            came = (await consumer.getmany(part, timeout_ms=_ANSWER, max_records=_BATCH)).get(part, ())
            if not came:
                raise KafkaTimeoutError(f"no record of {part.topic}/{part.partition} came")
            await self._entering.take_back(cluster.id, [_record_of(each) for each in came])

    async def _take(
        self,
        consumer: AIOKafkaConsumer,
        cluster: Cluster,
        pause: float = 0.0,
    ) -> None:
        """Fetch again and again what has come, without waiting for more except for the pause."""
        while True:
            came = await in_own_task(consumer.getmany(timeout_ms=_IDLE))
            records = [_record_of(each) for batch in came.values() for each in batch]
            async with self._taking_one:
                await self._entering.broadcast(cluster.id, records)
            ends = {part: consumer.highwater(part) for part in consumer.assignment()}
            self._ends |= {part: end for part, end in ends.items() if end is not None}
            self._note_lag()
            if len(records) < _MOST_FRAMES:
                await asyncio.sleep(pause)

    async def _watch(self, cluster: Cluster) -> None:
        """Check the cluster at intervals, until it is away (raises) or another one.

        A client continues silently when its broker is gone, and when another cluster has taken the address.
        The offsets of one mean nothing in the other.
        """
        in_vain = 0
        audit = AuditProgress()
        while True:
            await asyncio.sleep(_LOOK if not in_vain else _PAUSES[0])
            try:
                end_offsets, acknowledged = await in_own_task(self._look())
            except _AWAY:
                in_vain += 1
                if in_vain == _LOOKS:
                    raise
                continue
            in_vain = 0
            if end_offsets != cluster:
                return
            lag = audit.look(self._ends, acknowledged)
            if self._state in ("ok", "audit stalled"):
                self._turn("ok" if lag is None else "audit stalled", cluster=cluster.id, waiting=lag)

    async def _look(self) -> tuple[Cluster, Mapping[TopicPartition, int]]:
        """Return what the cluster is, and how far the workers have acknowledged the frames."""
        admin = AIOKafkaAdminClient(bootstrap_servers=self._brokers, request_timeout_ms=_ANSWER)
        try:
            await admin.start()
            name = (await admin.describe_cluster())["cluster_id"]
            # Asked for by name, a missing topic is made by some brokers; all of them are asked for.
            topics = {each["topic"]: len(each["partitions"]) for each in await admin.describe_topics()}
            acknowledged = await admin.list_consumer_group_offsets(APP)
        finally:
            await admin.close()
        cluster = Cluster(name, tuple((topic, topics[topic]) for topic in TOPICS if topics.get(topic)))
        return cluster, {part: each.offset for part, each in acknowledged.items()}

    def _note_lag(self) -> None:
        reached = self._entering.reached.items()
        self._live.lag = sum(max(0, self._ends[TopicPartition(*place)] - at) for place, at in reached)
        observability.PROJECTOR_LAG.set(self._live.lag)

    def _turn(self, state: State, **more: Any) -> None:
        """Note the state of Kafka, and log a change once."""
        before, self._state = self._state, state
        self._live.turned(state)
        if state == before:
            return
        if state != "ok" and self._back is not None:
            self._back.without()
        if before == "kafka away":
            _log.warning("kafka_back")
        if state == "ok":
            _log.info("projector_follows", **more)
        else:
            _log.warning(state.replace(" ", "_"), **more)


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    """End tasks, and wait until they have; their errors are known, or follow from the cancelling."""
    for each in tasks:
        each.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _record_of(record: ConsumerRecord) -> FetchedRecord:
    return FetchedRecord(
        record.topic, record.partition, record.offset, record.value or b"", record.key or b""
    )
