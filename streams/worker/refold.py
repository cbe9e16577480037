"""Refold: what a worker reads again if a frame does not follow a table's state."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from schemas.errors import BadInput
from schemas.house import House
from streams.archive.record_names import NOTHING_YET, KafkaRecord, Position
from streams.kafka_task import in_own_task
from streams.topics import APP, FRAMES
from streams.worker.conclusion_sender import Outbox
from streams.worker.deliveries import Record
from streams.worker.tables import Gap, Tables

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What a worker reads again if a frame does not follow a table's state: from Kafka, and from the archive.
# Kafka keeps frames for a week (see topics). Older ones, and those of a former cluster, come from the archive
# if the worker has one, from its last snapshot on. If neither has them, the missing frames become a row of
# the quarantine and the audit of the table starts again with what there is.

_PAUSE: Final = 1.0  # seconds, while Kafka is away
_ANSWER: Final = 5_000  # milliseconds in which Kafka answers
_TURN: Final = 64  # offsets between two turns of the other tasks

_log: Final = structlog.get_logger()


class Source:
    """Sources of frames to read again: a broker, and the folder of an archive if there is one."""

    def __init__(self, broker: str, archive: str | None, house: House) -> None:
        self._broker, self._house = broker, house
        self._archive = Path(archive) if archive is not None else None

    def of(self, house: House) -> "Source":
        """Return the same sources, for tables by another house file."""
        return Source(self._broker, str(self._archive) if self._archive is not None else None, house)

    async def read_again(self, gap: Gap, tables: Tables, outbox: Outbox) -> None:
        """Apply the records in a gap to a table, as far as they still exist; send the results."""
        place = TopicPartition(FRAMES, gap.partition)
        consumer, cluster, (earliest, end) = await self._found(place, outbox)
        try:
            reached = gap.after
            before = min(gap.before, end)  # a log that was created again has less
            if self._archive is not None and (gap.after == NOTHING_YET or gap.after + 1 < earliest):
                reached = await self._from_archive(self._archive, cluster, gap, tables, outbox)
            _log.warning("reading_again", table=gap.table, after=reached, before=gap.before)
            if max(reached + 1, earliest) < before:
                consumer.seek(place, max(reached + 1, earliest))
                async for record in _until(consumer, place, before):
                    if record.key == gap.table:
                        await _take(record, tables, outbox)
        finally:
            await _stop(consumer)

    async def _found(self, place: TopicPartition, outbox: Outbox) -> tuple[Any, str, tuple[int, int]]:
        """Return a reader, which cluster it reads, and from and up to which offset that has a partition."""
        while True:
            consumer = AIOKafkaConsumer(bootstrap_servers=self._broker, auto_offset_reset="earliest")
            try:
                offsets = await in_own_task(_assigned(consumer, place))
                cluster = await in_own_task(outbox.cluster())
            except asyncio.CancelledError:
                await _stop(consumer)
                raise
            except KafkaError as error:
                await _stop(consumer)
                outbox.turn("reading", error)
                await asyncio.sleep(_PAUSE)
            else:
                outbox.turn("reading", None)
                return consumer, cluster, offsets

    async def _from_archive(
        self, archive: Path, cluster: str, gap: Gap, tables: Tables, outbox: Outbox
    ) -> int:
        """Apply what the archive has of a gap; return the offset that this reaches."""
        from streams.archive.archive_reader import records  # noqa: PLC0415  Parquet takes long to load, is seldom needed

        here, before = (cluster, gap.partition), (cluster, gap.partition, gap.before)
        after: Position | None = (*here, gap.after)
        reached = gap.after
        try:
            if gap.after == NOTHING_YET:
                after = self._from_snapshot(archive, before, gap, tables)
                reached = after[2] if after is not None else NOTHING_YET
            _log.warning("reading_archive", table=gap.table, after=after, before=before)
            for filed in records(archive, gap.table, after):
                record = filed.record
                if (record.cluster, record.partition) == here:
                    if record.offset >= gap.before:
                        break
                    reached = record.offset
                await _take(_record_of(record, cluster), tables, outbox)
        except BadInput as error:
            _log.error("archive_not_read", table=gap.table, reason=str(error))
        return reached

    def _from_snapshot(self, archive: Path, before: Position, gap: Gap, tables: Tables) -> Position | None:
        from streams.archive.snapshots import snapshot  # noqa: PLC0415  likewise

        snapshot_before = snapshot(archive, gap.table, self._house, before)
        if snapshot_before is None or snapshot_before.after is None:
            return None
        tables.restore(gap, snapshot_before.after[2], snapshot_before.frame, snapshot_before.progress)
        return snapshot_before.after


async def _take(record: Record, tables: Tables, outbox: Outbox) -> None:
    """Apply a record; at intervals send the results of all, and let the other tasks run."""
    tables.take(record, again=True)
    if record.offset % _TURN == 0:
        await outbox.send(tables.drain())
        await asyncio.sleep(0)


async def _assigned(consumer: Any, place: TopicPartition) -> tuple[int, int]:
    """Return from and up to which offset Kafka has a partition; start a client that reads it."""
    await consumer.start()
    consumer.assign([place])
    return (await consumer.beginning_offsets([place]))[place], (await consumer.end_offsets([place]))[place]


async def _stop(consumer: Any) -> None:
    """Close a client; that one cannot be closed in order matters to nobody any more."""
    with suppress(KafkaError):
        await in_own_task(consumer.stop())


async def _until(consumer: Any, place: TopicPartition, before: int) -> AsyncIterator[Record]:
    """Yield the records of a partition from where its reader stands, as far as Kafka still has them."""
    while True:
        came = await in_own_task(consumer.getmany(place, timeout_ms=_ANSWER))
        for message in came.get(place, ()):
            if message.offset >= before:
                return
            yield record_of(message)
        # An offset can be without a record: a producer's transaction ends with a marker that no client gets.
        if await in_own_task(consumer.position(place)) >= before:
            return


def record_of(message: Any) -> Record:
    """Convert a record of aiokafka or Faust."""
    key = message.key.decode(errors="replace") if message.key is not None else ""
    return Record(message.partition, message.offset, key, message.value or b"")


def _record_of(record: KafkaRecord, cluster: str) -> Record:
    key = (record.key or b"").decode(errors="replace")
    elsewhere = record.cluster if record.cluster != cluster else None
    return Record(record.partition, record.offset, key, record.payload or b"", elsewhere)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Offsets and records of the frames in Kafka, read without Faust and without joining its group.


@asynccontextmanager
async def _started(consumer: Any) -> AsyncIterator[Any]:
    """Yield a client once it is connected; close it afterwards."""
    try:
        await in_own_task(consumer.start())
        yield consumer
    finally:
        await _stop(consumer)


class Frames:
    """The topic of the frames at a broker; every question waits while Kafka is away."""

    def __init__(self, broker: str, outbox: Outbox) -> None:
        self._broker, self._outbox = broker, outbox

    async def start_of(self, partition: int) -> tuple[int, int]:
        """Return a partition's earliest offset, and the one at which the workers' group begins."""
        place = TopicPartition(FRAMES, partition)
        while True:
            try:
                earliest, committed = await in_own_task(self._offsets(place))
            except (KafkaError, OSError) as error:
                await self._pause(error)
            else:
                self._outbox.turn("reading", None)
                return earliest, max(earliest, committed)

    async def _offsets(self, place: TopicPartition) -> tuple[int, int]:
        """Return a partition's earliest offset, and the one that the workers' group has committed, or 0."""
        async with _started(self._consumer()) as consumer:
            earliest = (await consumer.beginning_offsets([place]))[place]
            return int(earliest), int(await consumer.committed(place) or 0)

    async def records(self, partition: int, offsets: range) -> AsyncIterator[Record]:
        """Yield the records at some offsets, as far as Kafka still has them."""
        place, due = TopicPartition(FRAMES, partition), offsets.start
        while due < offsets.stop:
            try:
                async with _started(self._consumer()) as consumer:
                    consumer.assign([place])
                    consumer.seek(place, due)
                    async for record in _until(consumer, place, offsets.stop):
                        yield record
                        due = record.offset + 1
                    due = offsets.stop
            except (KafkaError, OSError) as error:
                await self._pause(error)
            else:
                self._outbox.turn("reading", None)

    async def _pause(self, error: Exception) -> None:
        self._outbox.turn("reading", error)
        await asyncio.sleep(_PAUSE)

    def _consumer(self) -> Any:
        return AIOKafkaConsumer(
            bootstrap_servers=self._broker,
            group_id=APP,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            request_timeout_ms=_ANSWER,
        )
