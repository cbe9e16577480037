"""Offsets and records of the frames as Kafka has them, read beside Faust and without joining its group."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from streams.topics import APP, FRAMES
from streams.worker.conclusion_sender import Outbox
from streams.worker.frame_record import Record
from streams.worker.refold import record_of

_PAUSE: Final = 1.0  # seconds, while Kafka is away
_ANSWER: Final = 5_000  # milliseconds in which Kafka answers


class Frames:
    """The topic of the frames at a broker; every question waits while Kafka is away."""

    def __init__(self, broker: str, outbox: Outbox) -> None:
        self._broker, self._outbox = broker, outbox

    async def start_of(self, partition: int) -> tuple[int, int]:
        """Return a partition's earliest offset, and the one at which the workers' group begins."""
        place = TopicPartition(FRAMES, partition)
        while True:
            try:
                async with self._consumer() as consumer:
                    earliest = int((await consumer.beginning_offsets([place]))[place])
                    committed = await consumer.committed(place)
            except (KafkaError, OSError) as error:
                await self._pause(error)
            else:
                self._outbox.turn("reading", None)
                return earliest, max(earliest, int(committed or 0))

    async def records(self, partition: int, offsets: range) -> AsyncIterator[Record]:
        """Yield the records at some offsets, as far as Kafka still has them.

        An offset can be without one: a transaction of a producer ends with a mark that nobody is given.
        """
        place, due = TopicPartition(FRAMES, partition), offsets.start
        while due < offsets.stop:
            try:
                async with self._consumer() as consumer:
                    consumer.assign([place])
                    consumer.seek(place, due)
                    while due < offsets.stop:
                        came = await consumer.getmany(place, timeout_ms=_ANSWER)
                        for message in came.get(place, ()):
                            if message.offset < offsets.stop:
                                yield record_of(message)
                        due = await consumer.position(place)
            except (KafkaError, OSError) as error:
                await self._pause(error)
            else:
                self._outbox.turn("reading", None)

    async def _pause(self, error: Exception) -> None:
        self._outbox.turn("reading", repr(error))
        await asyncio.sleep(_PAUSE)

    def _consumer(self) -> Any:
        return AIOKafkaConsumer(
            bootstrap_servers=self._broker,
            group_id=APP,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            request_timeout_ms=_ANSWER,
        )
