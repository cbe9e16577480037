"""What people did at the console, from the store to Kafka: each action one frame, in order, for the archive.

The store has an action before anybody is answered, so nothing is lost while Kafka is away: it is sent later.
How far that came stands in the store too. What may have been sent last, before an end that nobody saw coming,
is first looked for in Kafka. A record's time is that of its action, so it stands at or after the first record
with the time of the oldest action that is not known to be there.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError, MessageSizeTooLargeError, RecordListTooLargeError
from aiokafka.partitioner import DefaultPartitioner
from msgspec.structs import asdict

from projections.store import Store
from projections.store_actions import Acted, actions_of
from projections.store_rows import Offset
from schemas.codec import VERSION, Frame, decode, encode
from schemas.errors import BadInput
from schemas.surveillance import DEVICE, STREAM, OperatorActed
from streams.topics import FRAMES, LARGEST

# Under this name, which no cluster has, the store keeps how far its actions were sent, and their epoch.
CONSOLE: Final = "console"
_SENT: Final = (STREAM, 0)
_EPOCH: Final = (f"{STREAM} epoch", 0)

_LOOK: Final = 0.5  # seconds from one look into the store to the next
_PAUSE: Final = 1.0  # seconds, while Kafka is away
_SETTLING: Final = 1.0  # seconds in which the broker may still take in what a killed process sent
_ANSWER: Final = 5_000  # milliseconds in which Kafka answers
_KEY: Final = STREAM.encode()
_TOO_LARGE: Final = (MessageSizeTooLargeError, RecordListTooLargeError)

_log: Final = structlog.get_logger()


def event_of(acted: Acted, epoch: int) -> OperatorActed:
    """Give an action of a store as the console reports it; an epoch of the console is a store.

    >>> acted = Acted(number=7, id="0" * 32, at=5, who="ann", role="operator", action="mute", subject="",
    ...     details="{}", before=None, after=None, previous=None, digest="f" * 64)
    >>> event = event_of(acted, 3)
    >>> (event.epoch, event.seq, event.subject, event.digest) == (3, 7, None, "f" * 64)
    True
    """
    fields = asdict(acted)
    number, subject = fields.pop("number"), fields.pop("subject") or None
    return OperatorActed(device=DEVICE, epoch=epoch, seq=number, subject=subject, **fields)


def frame_of(event: OperatorActed) -> bytes:
    """Write an action as a frame of its own, which has the action's number."""
    return encode(Frame(v=VERSION, table=STREAM, frame=event.seq, received=event.at, events=[event]))


class Acting:
    """Sends what is done in a store to the Kafka at `brokers` (HOST:PORT, several with commas)."""

    def __init__(self, store: Store, brokers: str) -> None:
        self._store, self._brokers = store, brokers.split(",")
        self._reading = store.reading()
        self._is_away = False

    async def follow(self) -> None:
        """Send what there is and what comes, until cancelled; what Kafka does never ends it.

        Raises:
            BadInput: an action in the store was changed, or one is missing.
            DiscardrackError: the store's file cannot be written.
        """
        while True:
            try:
                await self._send()
            except (KafkaError, OSError, TimeoutError) as error:
                if not self._is_away:
                    _log.warning("actions_wait", reason=str(error) or type(error).__name__)
                self._is_away = True
                await asyncio.sleep(_PAUSE)

    async def _send(self) -> None:
        """Send with one producer, for as long as Kafka takes everything."""
        waiting = await self._waiting()
        producer = AIOKafkaProducer(
            bootstrap_servers=self._brokers,
            acks="all",
            enable_idempotence=True,
            compression_type="gzip",  # which every reader of the floor has
            max_request_size=LARGEST,
            request_timeout_ms=_ANSWER,
        )
        try:
            await producer.start()
            parts = sorted(await producer.partitions_for(FRAMES))
            partition = DefaultPartitioner()(_KEY, parts, parts)
            waiting = await self._without_sent(waiting, partition)
            if self._is_away:
                _log.info("actions_sent_again", waiting=len(waiting))
            self._is_away = False
            while True:
                await self._send_all(producer, partition, waiting)
                waiting = await self._waiting()
                if not waiting:
                    await asyncio.sleep(_LOOK)
        finally:
            await producer.stop()

    async def _send_all(
        self, producer: AIOKafkaProducer, partition: int, waiting: Sequence[OperatorActed]
    ) -> None:
        """Send actions one after the other, so that none overtakes another, and note how far that came."""
        for event in waiting:
            try:
                await producer.send_and_wait(
                    FRAMES, frame_of(event), key=_KEY, partition=partition, timestamp_ms=event.at // 1000
                )
            except _TOO_LARGE as error:
                # It stays in the store; in the archive its number is missing, which is seen there.
                _log.error("action_too_large", action=event.id, number=event.seq, reason=str(error))
        if waiting:
            await asyncio.to_thread(self._note, waiting[-1])

    async def _waiting(self) -> list[OperatorActed]:
        """Give what the store has and Kafka is not known to have."""
        return await asyncio.to_thread(self._unsent)

    def _unsent(self) -> list[OperatorActed]:
        known = self._store.offsets(CONSOLE)
        acted = actions_of(self._reading, known.get(_SENT, 1) - 1)
        return [event_of(each, known.get(_EPOCH, acted[0].at)) for each in acted]

    def _note(self, last: OperatorActed) -> None:
        rows = [Offset(CONSOLE, *_SENT, last.seq + 1), Offset(CONSOLE, *_EPOCH, last.epoch)]
        self._store.take({}, offsets=rows)

    async def _without_sent(self, waiting: list[OperatorActed], partition: int) -> list[OperatorActed]:
        """Leave out what Kafka has of actions that may have been sent."""
        if not waiting:
            return []
        await asyncio.sleep(_SETTLING)
        found = await self._found(waiting[0].at, TopicPartition(FRAMES, partition))
        return [event for event in waiting if event.id not in found]

    async def _found(self, since: int, part: TopicPartition) -> set[str]:
        """Name the actions in Kafka from the first record with a time on, microseconds UTC."""
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self._brokers, enable_auto_commit=False, request_timeout_ms=_ANSWER
        )
        try:
            await consumer.start()
            consumer.assign([part])
            end = (await consumer.end_offsets([part]))[part]
            start = (await consumer.offsets_for_times({part: since // 1000}))[part]
            if start is None:
                return set()
            consumer.seek(part, start.offset)
            found: set[str] = set()
            while await consumer.position(part) < end:
                for record in (await consumer.getmany(part, timeout_ms=_ANSWER)).get(part, ()):
                    if record.key == _KEY:
                        found |= _ids(record.value or b"")
            return found
        finally:
            await consumer.stop()


def _ids(payload: bytes) -> set[str]:
    try:
        frame, _ = decode(payload, FRAMES)
    except BadInput:
        return set()  # nothing that was sent from here
    return {event.id for event in frame.events if isinstance(event, OperatorActed)}
