"""The worker's one agent: frames in, conclusions out, and the states of the tables at intervals after them.

It takes the records that are there, applies them, and sends the conclusions. Once a second, when Kafka has
all conclusions up to there, the states of the tables that have changed are sent. When it has these too, the
records are acknowledged. A state is much larger than what one frame changes in it, and nobody waits for it. A
worker killed anywhere in between repeats the last second, and all that it sends has a name by which a
duplicate is dropped.
"""

import asyncio
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import structlog
from faust.types import Message

from projections.engine.checks.plugin_checks import software
from schemas.errors import BadInput, DiscardrackError
from streams import house_reload, observability, processes, topics
from streams.house_file import HouseFile
from streams.processes import collect_seldom, freeze_loaded_objects
from streams.worker.conclusion_sender import Outbox
from streams.worker.deliveries import Arrival, Delivery, Record, progress_key, read_progress
from streams.worker.refold import Frames, Source, record_of
from streams.worker.snapshot_sender import Batch, Floor, StateSender
from streams.worker.stall_watch import Progress, Watch
from streams.worker.table_snapshot import FORM
from streams.worker.tables import Tables

_BATCH: Final = 4096  # records at most
_LONGEST: Final = 0.5  # seconds at most that a record waits for those behind it, while there are any
_STUCK: Final = 1.0  # seconds after which a batch is sent though more seemed to come
_TURN: Final = 16  # records after which what is under way gets its turn
_BEAT: Final = 1.0  # seconds between two signs of life

# A worker's environment variables.
BROKER: Final = "DISCARDRACK_BROKER"
HOUSE: Final = "DISCARDRACK_HOUSE"
ARCHIVE: Final = "DISCARDRACK_ARCHIVE"

_log: Final = structlog.get_logger()


async def audit(stream: Any, floor: Floor, settings: Mapping[str, str]) -> None:
    """Audit a stream of frames until it ends.

    Raises:
        BadInput: no house file is named.
    """
    if HOUSE not in settings:
        raise BadInput(f"{HOUSE} is not set; it names the house file")
    file = await _house_file(settings[HOUSE])
    house = file.house
    tables = _tables(floor, file)
    source = Source(floor.broker, settings.get(ARCHIVE), house)
    _log.info("worker_started", broker=floor.broker, house=house.house, tables=len(house.tables), form=FORM)
    outbox = Outbox(floor.broker)
    await outbox.start()
    progress = Progress()
    Watch(floor.broker, progress, asyncio.get_running_loop()).start()
    try:
        async with asyncio.TaskGroup() as group:
            state_sender = StateSender(floor, tables, outbox, group)
            reader = Reader(
                floor, tables, source, Frames(floor.broker, outbox), state_sender, outbox, progress
            )
            tasks = [
                group.create_task(each) for each in (reader.beat(), reader.unstick(), state_sender.keep())
            ]
            house_reload.on_hangup(settings[HOUSE], Path.cwd(), reader.take_house)
            freeze_loaded_objects()
            collect_seldom()
            await reader.read(stream)
            for each in tasks:
                each.cancel()
    except* DiscardrackError as ended:
        raise ended.exceptions[0] from None
    finally:
        await outbox.stop()
        _log.info("worker_stopped")


async def _house_file(name: str) -> HouseFile:
    """Read the house file; while it is not of its form, log that and wait until it is corrected."""
    reason = None
    while True:
        try:
            file = house_reload.read(name, Path.cwd())
        except BadInput as error:
            if str(error) != reason:
                reason = str(error)
                _log.error("house_file_refused", reason=reason)
                observability.HOUSE_REFUSED.set(1)
            await asyncio.sleep(_BEAT)
        else:
            observability.HOUSE_REFUSED.set(0)
            return file


def _tables(floor: Floor, file: HouseFile) -> Tables:
    return Tables(file.house, floor.states.data, software(), processes.now, file.left_out)


class Reader:
    """Reads frames as Faust brings them, all of them, and applies them in batches."""

    def __init__(
        self,
        floor: Floor,
        tables: Tables,
        source: Source,
        frames: Frames,
        state_sender: StateSender,
        outbox: Outbox,
        progress: Progress,
    ) -> None:
        self._floor, self._tables, self._source, self._frames = floor, tables, source, frames
        self._state_sender, self._outbox, self._progress = state_sender, outbox, progress
        self._deliveries: dict[tuple[int, int], Delivery] = {}  # by generation of the group, and partition
        self._batch: list[Arrival] = []
        self._begun = 0.0
        self._in_turn = asyncio.Lock()  # a record is taken after another

    async def read(self, stream: Any) -> None:
        """Apply the records that are there, and send the results when no more come, or after a while."""
        async for event in stream.noack().events():
            message = event.message
            async with self._in_turn:
                delivery, _ = await self._delivery(message.generation_id, message.partition)
                if message.offset > delivery.due:
                    await self._read_missing(message.partition, delivery, message.offset)
                await self._take(Arrival(record_of(message), delivery, event.ack))
            if len(self._batch) % _TURN == 0:
                await asyncio.sleep(0)
            if (
                stream.channel.queue.empty()
                or len(self._batch) >= _BATCH
                or time.monotonic() - self._begun >= _LONGEST
            ):
                await self._state_sender.took(self._cut())

    async def take_house(self, file: HouseFile) -> None:
        """Use a changed house file from now on, as a worker that is started with it would.

        The records that a corrected table was left out of are read again at once.
        """
        async with self._in_turn:
            await self._state_sender.took(self._cut())
            tables = _tables(self._floor, file)
            await self._state_sender.change(tables)
            self._tables, self._source = tables, self._source.of(file.house)
            await self._catch_up()
            await self._state_sender.took(self._cut())

    async def unstick(self) -> None:
        """Send a batch that waits for more which does not come: a rebalance empties the queue."""
        while True:
            await asyncio.sleep(_LONGEST)
            waited = self._batch and time.monotonic() - self._begun >= _STUCK
            if waited and not self._state_sender.reading.locked():
                await self._state_sender.took(self._cut())

    async def beat(self) -> None:
        """Report to the watch again and again how far each partition is, and whether Kafka answers."""
        app, progress = self._floor.app, self._progress
        while True:
            assigned = [each.partition for each in app.consumer.assignment() if each.topic == topics.FRAMES]
            generation = app.consumer_generation_id
            progress.settled = app.tables.actives_ready and not app.rebalancing
            if progress.settled:
                for partition in assigned:
                    await self._begin(generation, partition)
                await self._settle()
            due = {each: self._deliveries.get((generation, each)) for each in assigned}
            progress.next = {
                each: delivery.next_offset for each, delivery in due.items() if delivery is not None
            }
            progress.recovered = sum(each or 0 for each in app.tables.recovery.active_offsets.values())
            progress.away = self._outbox.is_away
            progress.beats += 1
            await asyncio.sleep(_BEAT)
            await self._outbox.look()

    async def _settle(self) -> None:
        """Read again what was left out of mended tables, though no frame comes that would bring it on."""
        if self._tables.owed(self._state_sender.ours()):
            async with self._in_turn:
                await self._catch_up()
                await self._state_sender.took(self._cut())

    async def _begin(self, generation: int, partition: int) -> None:
        """Find where a partition begins, and take what Faust will not bring: it begins where it committed."""
        async with self._in_turn:
            delivery, committed = await self._delivery(generation, partition)
            if delivery.due < committed:
                await self._read_missing(partition, delivery, committed)

    async def _delivery(self, generation: int, partition: int) -> tuple[Delivery, int]:
        """Return the delivery of a partition, which begins where its tables' states end.

        The second value is the offset at which Faust begins if that was looked up, else 0.
        """
        delivery = self._deliveries.get((generation, partition))
        if delivery is not None:
            return delivery, 0
        earliest, committed = await self._frames.start_of(partition)
        progress = read_progress(self._floor.states.data.get(progress_key(partition)))
        for each in [each for each in self._deliveries if each[0] < generation]:
            del self._deliveries[each]
        delivery = Delivery(max(earliest, committed if progress is None else progress))
        self._deliveries[generation, partition] = delivery
        return delivery, committed

    async def _read_missing(self, partition: int, delivery: Delivery, until: int) -> None:
        """Apply the records before an offset that were due and did not come, from Kafka itself.

        Faust loses records that it has fetched when it empties its queues in a rebalance, and then counts the
        skipped ones as done.
        """
        missing = range(delivery.due, until)
        _log.warning("frames_not_delivered", partition=partition, first=missing.start, until=missing.stop)
        async for record in self._frames.records(partition, missing):
            await self._take(Arrival(record, delivery, partial(_acknowledge, self._floor.app, record)))

    async def _take(self, arrival: Arrival) -> None:
        if not self._batch:
            self._begun = time.monotonic()
            await self._catch_up()
        record = arrival.record
        arrival.delivery.take(record.offset)
        self._batch.append(arrival)
        self._progress.work += 1
        gap = self._tables.take(record)
        if gap is not None:
            async with self._state_sender.reading:
                await self._source.read_again(gap, self._tables, self._outbox)
            self._tables.take(record, again=True)

    async def _catch_up(self) -> None:
        """Read again what was left out of tables about which the house file is mended."""
        for owed in self._tables.owed(self._state_sender.ours()):
            async with self._state_sender.reading:
                await self._source.read_again(owed, self._tables, self._outbox)
            self._tables.take_up(owed)

    def _cut(self) -> Batch:
        arrivals, self._batch = self._batch, []
        return Batch(arrivals, self._tables.drain())


def _acknowledge(app: Any, record: Record) -> None:
    """Count a record as done for which Faust no longer has an event."""
    unknown: dict[str, Any] = dict.fromkeys(("headers", "key", "value", "checksum"))
    message = Message(
        topics.FRAMES, record.partition, record.offset, timestamp=0, timestamp_type=0, **unknown
    )
    app.consumer.ack(message)
