"""The worker's one agent: frames in, conclusions out, and the state of each table after them.

It takes what is there, and for each such batch: applies it, sends what was concluded and waits until Kafka
has it, then sends the tables' new states and waits again, then acknowledges the records. What is concluded of
the next batch is sent meanwhile, its states after these. Killed anywhere between, a worker does part of a
batch again, and all that it sends has a name by which the second of two is dropped.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import structlog
from msgspec import Struct

from schemas import house as houses
from schemas.errors import BadInput, DiscardrackError
from streams import clock, telling, topics
from streams.archive.kept import NOTHING_YET
from streams.worker.reading_again import Source, record_of
from streams.worker.sending import Outbox
from streams.worker.tables import FORM, Drained, Tables

_BATCH: Final = 4096  # records at most
_LONGEST: Final = 0.5  # seconds at most that a record waits for those behind it, while there are any
_TURN: Final = 16  # records after which what is under way gets its turn
_TELL: Final = 1.0  # seconds between two tellings of the lag

# What the environment tells a worker.
BROKER: Final = "DISCARDRACK_BROKER"
HOUSE: Final = "DISCARDRACK_HOUSE"
ARCHIVE: Final = "DISCARDRACK_ARCHIVE"

_log: Final = structlog.get_logger()


class Floor(Struct, frozen=True):
    """The application, its broker, and its table of states, as Faust has them (it is not typed)."""

    app: Any
    broker: str
    states: Any


class _Batch(Struct):
    """Events of Faust as they came, what came of them, and the states of their tables after them."""

    events: list[Any]
    drained: Drained
    states: list[tuple[str, int, str]]


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
    sending = last = before = asyncio.create_task(asyncio.sleep(0))
    pending: Counter[int] = Counter()
    try:
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(_tell_lag(floor, tables, pending, outbox))
            async for batch in _batches(stream, tables, source, pending, outbox):
                # At once: what is in memory and what is stored must not differ when anyone looks.
                for table, _, state in batch.states:
                    floor.states.data[table] = state
                await sending
                await before
                sending = group.create_task(outbox.send(batch.drained))
                before, last = (
                    last,
                    group.create_task(_finish(batch, (sending, last), floor, pending, outbox)),
                )
            watching.cancel()
    except* DiscardrackError as ended:
        raise ended.exceptions[0] from None
    finally:
        await outbox.stop()
        _log.info("worker_stopped")


async def _batches(
    stream: Any, tables: Tables, source: Source, pending: Counter[int], outbox: Outbox
) -> AsyncIterator[_Batch]:
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
            await source.read_again(gap, tables, outbox)
            tables.take(record, again=True)
        if len(events) % _TURN == 0:
            await asyncio.sleep(0)
        more = not stream.channel.queue.empty()
        if not more or len(events) >= _BATCH or time.monotonic() - begun >= _LONGEST:
            yield _Batch(events, tables.drain(), list(tables.states()))
            events = []


async def _finish(
    batch: _Batch,
    first: Iterable[Awaitable[None]],
    floor: Floor,
    pending: Counter[int],
    outbox: Outbox,
) -> None:
    """Send a batch's states, then acknowledge it, each when Kafka has the one before.

    What came of it, and the batch before it, are there `first`.
    """
    for each in first:
        await each
    fitting = outbox.fitting(batch.states)
    await outbox.until_sent(lambda: _states(floor, fitting))
    for event in batch.events:
        event.ack()
        pending[event.message.partition] -= 1
    telling.FRAMES.labels("worker").inc(len(batch.events))


async def _states(floor: Floor, states: Iterable[tuple[str, int, str]]) -> list[Awaitable[Any]]:
    return [floor.states.send_changelog(partition, table, state) for table, partition, state in states]


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
