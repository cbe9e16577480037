"""The worker's one agent: frames in, conclusions out, and the state of each table after them.

It takes what is there, at most so many records at a time, and for each such batch: applies it, sends what was
concluded and waits until Kafka has it, then sends the tables' new states and waits again, then acknowledges
the records. Killed anywhere between, it does part of a batch again, and all that it sends has a name by which
the second of two is dropped.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import structlog
from aiokafka.errors import KafkaError
from msgspec import Struct

from schemas import house as houses
from streams import telling, topics
from streams.messages import encode, standing_of
from streams.reading_again import Source, record_of
from streams.tables import FORM, Drained, Record, Tables

_BATCH: Final = 256  # records; some 100 milliseconds of work at 40 events each
_PAUSE: Final = 1.0  # seconds, while Kafka is away
_TELL: Final = 1.0  # seconds between two tellings of the lag

_log: Final = structlog.get_logger()


class Floor(Struct, frozen=True):
    """The application's topics and its table of states, as Faust has them (it is not typed)."""

    app: Any
    broker: str
    frames: Any
    rounds: Any
    findings: Any
    quarantine: Any
    states: Any


async def audit(stream: Any, floor: Floor, settings: Mapping[str, str]) -> None:
    """Audit a stream of frames until it ends.

    Raises:
        BadInput: the house file cannot be read, or has a table that cannot be audited.
    """
    house = houses.load(settings.get("DISCARDRACK_HOUSE", "example"), Path.cwd())
    tables = Tables(house, floor.states.data, version("discardrack"), lambda: time.time_ns() // 1000)
    _log.info("worker_started", broker=floor.broker, house=house.house, tables=len(house.tables), form=FORM)
    source = Source(floor.broker, settings.get("DISCARDRACK_ARCHIVE"), house)
    floor.app.add_future(_tell_lag(floor, tables))
    batch: list[Any] = []
    async for event in stream.noack().events():
        batch.append(event)
        if len(batch) < _BATCH and not stream.channel.queue.empty():
            continue
        await _work(tables, source, floor, [record_of(each.message) for each in batch])
        for each in batch:
            await stream.ack(each)
        batch.clear()


async def _work(tables: Tables, source: Source, floor: Floor, records: Sequence[Record]) -> None:
    for record in records:
        gap = tables.take(record)
        if gap is not None:
            await source.read_again(gap, tables)
            tables.take(record, again=True)
    drained = tables.drain()
    await _sent(lambda: _concluded(floor, drained))
    states = list(tables.states())
    await _sent(lambda: _states(floor, states))
    telling.FRAMES.labels("worker").inc(len(records))
    _tell(drained)


async def _sent(send: Callable[[], Awaitable[list[Awaitable[Any]]]]) -> None:
    """Send, and wait until Kafka has it; where it has not, send it all again: doubles are dropped by name."""
    away = False
    while True:
        try:
            await asyncio.gather(*await send())
        except KafkaError as error:
            if not away:
                _log.error("kafka_away", reason=repr(error))
                away = True
            await asyncio.sleep(_PAUSE)
        else:
            if away:
                _log.info("kafka_back")
            return


async def _concluded(floor: Floor, drained: Drained) -> list[Awaitable[Any]]:
    sends = []
    for result in drained.results:
        key = result.conclusion.table.encode()
        sends.append(await floor.rounds.send(key=key, value=encode(result)))
        standing = standing_of(result)
        if standing is not None:
            sends.append(await floor.findings.send(key=key, value=encode(standing)))
    for each in drained.quarantined:
        about = each.table.encode() if each.table is not None else None
        sends.append(await floor.quarantine.send(key=about, value=encode(each)))
    return sends


async def _states(floor: Floor, states: Iterable[tuple[str, int, str]]) -> list[Awaitable[Any]]:
    sends = []
    for table, partition, state in states:
        sends.append(floor.states.send_changelog(partition, table, state))
        floor.states.data[table] = state
    return sends


async def _tell_lag(floor: Floor, tables: Tables) -> None:
    """Tell again and again how many records of each partition are not applied yet.

    The group's committed offset says little: it can lie far behind what was applied.
    """
    while True:
        telling.LAG.clear()
        reached = tables.reached()
        for place in floor.app.consumer.assignment():
            end = floor.app.consumer.highwater(place)
            if place.topic == topics.FRAMES and end is not None:
                telling.LAG.labels(str(place.partition)).set(end - 1 - reached.get(place.partition, -1))
        await asyncio.sleep(_TELL)


def _tell(drained: Drained) -> None:
    telling.EVENTS.labels("worker").inc(drained.events)
    for result in drained.results:
        for finding in result.conclusion.findings:
            telling.FINDINGS.labels(finding.check, finding.severity).inc()
            _log.info(
                "finding",
                frame=result.frame,
                table=result.conclusion.table,
                round=result.conclusion.round,
                revision=result.revision,
                check=finding.check,
                id=finding.id,
            )
        telling.LATENCY.labels("judged").observe((result.judged - result.received) / 1_000_000)
    for each in drained.quarantined:
        telling.QUARANTINED.labels("worker").inc()
        _log.warning("quarantined", id=each.id, table=each.table, reason=each.reason)
