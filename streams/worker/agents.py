"""The worker's one agent: frames in, conclusions out, and now and then the state of each table after them.

It takes what is there, applies it, and sends what was concluded. Once a second, when Kafka has all that was
concluded up to there, the states of the tables that have changed are sent; when it has these too, the records
are acknowledged. A state is much larger than what one frame changes in it, and nobody waits for it. Killed
anywhere between, a worker does the last second again, and all that it sends has a name by which the second of
two is dropped.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import structlog

from schemas import house as houses
from schemas.errors import BadInput, DiscardrackError
from streams import clock, telling, topics
from streams.archive.kept import NOTHING_YET
from streams.pauses import loaded
from streams.worker.applied import FORM
from streams.worker.keeping import Batch, Floor, Keeper
from streams.worker.reading_again import Source, record_of
from streams.worker.sending import Outbox
from streams.worker.tables import Tables

_BATCH: Final = 4096  # records at most
_LONGEST: Final = 0.5  # seconds at most that a record waits for those behind it, while there are any
_TURN: Final = 16  # records after which what is under way gets its turn
_TELL: Final = 1.0  # seconds between two tellings of the lag

# What the environment tells a worker.
BROKER: Final = "DISCARDRACK_BROKER"
HOUSE: Final = "DISCARDRACK_HOUSE"
ARCHIVE: Final = "DISCARDRACK_ARCHIVE"

_log: Final = structlog.get_logger()


async def audit(stream: Any, floor: Floor, settings: Mapping[str, str]) -> None:
    """Audit a stream of frames until it ends.

    Raises:
        BadInput: the house file cannot be read, or has a table that cannot be audited.
    """
    if HOUSE not in settings:
        raise BadInput(f"{HOUSE} is not set; it names the house file")
    house = houses.load(settings[HOUSE], Path.cwd())
    tables = Tables(house, floor.states.data, version("discardrack"), clock.now)
    source = Source(floor.broker, settings.get(ARCHIVE), house)
    _log.info("worker_started", broker=floor.broker, house=house.house, tables=len(house.tables), form=FORM)
    outbox = Outbox(floor.broker)
    await outbox.start()
    pending: Counter[int] = Counter()
    try:
        async with asyncio.TaskGroup() as group:
            keeper = Keeper(floor, tables, outbox, pending, group)
            beside = [
                group.create_task(_tell_lag(floor, tables, pending, outbox)),
                group.create_task(keeper.keep()),
            ]
            loaded()
            async for batch in _batches(stream, tables, source, pending, outbox, keeper.reading):
                await keeper.took(batch)
            for each in beside:
                each.cancel()
    except* DiscardrackError as ended:
        raise ended.exceptions[0] from None
    finally:
        await outbox.stop()
        _log.info("worker_stopped")


async def _batches(
    stream: Any,
    tables: Tables,
    source: Source,
    pending: Counter[int],
    outbox: Outbox,
    reading: asyncio.Lock,
) -> AsyncIterator[Batch]:
    """Apply what is there, and give what came of it as soon as nothing more is, or it has been long."""
    events: list[Any] = []
    begun = 0.0
    async for event in stream.noack().events():
        if not events:
            begun = time.monotonic()
        events.append(event)
        pending[event.message.partition] += 1
        record = record_of(event.message)
        gap = tables.take(record)
        if gap is not None:
            async with reading:
                await source.read_again(gap, tables, outbox)
            tables.take(record, again=True)
        if len(events) % _TURN == 0:
            await asyncio.sleep(0)
        more = not stream.channel.queue.empty()
        if not more or len(events) >= _BATCH or time.monotonic() - begun >= _LONGEST:
            yield Batch(events, tables.drain())
            events = []


async def _tell_lag(floor: Floor, tables: Tables, pending: Counter[int], outbox: Outbox) -> None:
    """Tell again and again how many records of each partition are not applied; see whether Kafka answers.

    What is applied but not yet in Kafka (`pending`, by partition) counts as not applied. The group's
    committed offset says little: it can lie far behind what was applied.
    """
    while True:
        telling.LAG.clear()
        reached = tables.reached()
        for place in floor.app.consumer.assignment():
            end = floor.app.consumer.highwater(place)
            if place.topic == topics.FRAMES and end is not None:
                applied = reached.get(place.partition, NOTHING_YET) - pending[place.partition]
                telling.LAG.labels(str(place.partition)).set(end - 1 - applied)
        await asyncio.sleep(_TELL)
        await outbox.look()
