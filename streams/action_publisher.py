"""The publisher of actions, from the store to Kafka: each action one frame, in order, for the archive.

The store has an action before it is answered, so nothing is lost while Kafka is away: it is sent later. The
store also has the number of the last action sent. After a crash the actions that may have been sent are first
searched for in Kafka. A record's time is that of its action, so the search begins at the first record with
the time of the last action that is known to be there.

If another store continued from that action, such as one that was since replaced by an older copy, the actions
of this store continue under an epoch of their own: no two actions share an epoch and a number.
"""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

import structlog
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError
from aiokafka.partitioner import DefaultPartitioner
from msgspec.structs import asdict, replace

from projections.store.action_log import Acted, actions_of
from projections.store.rows import Offset
from projections.store.store import Store
from schemas.codec import VERSION, Frame, decode, encode
from schemas.errors import BadInput
from schemas.surveillance import DEVICE, STREAM, OperatorActed
from schemas.values import Micros
from streams.kafka_away import away_reason
from streams.kafka_task import in_own_task
from streams.signing import Signing
from streams.topics import FRAMES, LARGEST

# Under this name, which no cluster has, the store saves how far its actions are in Kafka, and their epoch:
# those that were sent from here, and those that were restored. Each is written by another thread.
CONSOLE: Final = "console"
_SENT: Final = STREAM
_TAKEN: Final = f"{STREAM} taken back"

_LOOK: Final = 0.5  # seconds from one look into the store to the next
_PAUSE: Final = 1.0  # seconds, while Kafka is away
_SETTLING: Final = 1.0  # seconds in which the broker may still take in what a killed process sent
_ANSWER: Final = 5_000  # milliseconds in which Kafka answers
KEY: Final = STREAM.encode()

_log: Final = structlog.get_logger()


def event_of(acted: Acted, epoch: int) -> OperatorActed:
    """Return an action of a store as the console reports it; an epoch of the console is a store.

    >>> acted = Acted(number=7, id="0" * 32, at=5, who="ann", role="operator", action="mute", subject="",
    ...     details="{}", before=None, after=None, previous=None, digest="f" * 64)
    >>> event = event_of(acted, 3)
    >>> (event.epoch, event.seq, event.subject, event.digest) == (3, 7, None, "f" * 64)
    True
    """
    fields = asdict(acted)
    number, subject = fields.pop("number"), fields.pop("subject") or None
    return OperatorActed(device=DEVICE, epoch=epoch, seq=number, subject=subject, **fields)


def acted_of(event: OperatorActed) -> Acted:
    """Return what the console reported as the store has it.

    >>> acted = Acted(number=7, id="0" * 32, at=5, who="ann", role="operator", action="mute", subject="",
    ...     details="{}", before=None, after=None, previous=None, digest="f" * 64)
    >>> acted_of(event_of(acted, 3)) == acted
    True
    """
    fields = {name: value for name, value in asdict(event).items() if name in Acted.__struct_fields__}
    return Acted(**fields | {"number": event.seq, "subject": event.subject or ""})


def action_message_of(last: OperatorActed) -> list[Offset]:
    """Return how far a store's actions were restored, in the form that the store saves."""
    return _reached(_TAKEN, last)


def _reached(how: str, last: OperatorActed) -> list[Offset]:
    return [Offset(CONSOLE, how, 0, last.seq + 1), Offset(CONSOLE, f"{how}, epoch", 0, last.epoch)]


def part_of(partitions: Iterable[int]) -> int:
    """Return the partition of the topic's `partitions` that has what is done at the console."""
    names = sorted(partitions)
    part: int = DefaultPartitioner()(KEY, names, names)
    return part


def frame_of(event: OperatorActed) -> bytes:
    """Write an action as a frame of its own, which has the action's number."""
    return encode(Frame(v=VERSION, table=STREAM, frame=event.seq, received=event.at, events=[event]))


class ActionPublisher:
    """Sends what is done in a store to the Kafka at `brokers` (HOST:PORT, several with commas), signed."""

    def __init__(self, store: Store, brokers: str, signing: Signing) -> None:
        self._store, self._brokers, self._signing = store, brokers.split(","), signing
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
                await in_own_task(self._send())
            except (KafkaError, OSError, TimeoutError) as error:
                if not self._is_away:
                    _log.warning("actions_wait", reason=away_reason(error, ",".join(self._brokers)))
                self._is_away = True
                await asyncio.sleep(_PAUSE)

    async def _send(self) -> None:
        """Send with one producer, for as long as Kafka takes everything.

        What is sent first is compared with what Kafka has, whenever it is done: while Kafka was away an older
        copy of the store may have been acted in.
        """
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
            partition = part_of(await producer.partitions_for(FRAMES))
            is_first = True
            while True:
                actions = await asyncio.to_thread(self._unsent)
                if actions and is_first:
                    actions = await self._without_sent(actions, partition)
                    is_first = False
                if self._is_away:
                    _log.info("actions_sent_again", waiting=len(actions))
                self._is_away = False
                await self._send_all(producer, partition, actions)
                if not actions:
                    await asyncio.sleep(_LOOK)
        finally:
            await producer.stop()

    async def _send_all(
        self, producer: AIOKafkaProducer, partition: int, actions: Sequence[OperatorActed]
    ) -> None:
        """Send actions one after the other, so that none overtakes another, and note how far that came."""
        for event in actions:
            await producer.send_and_wait(
                FRAMES,
                frame_of(self._signing.sign(event)),
                key=KEY,
                partition=partition,
                timestamp_ms=event.at // 1000,
            )
        if actions:
            await asyncio.to_thread(self._note, actions[-1])

    def _unsent(self) -> list[OperatorActed]:
        """Return what the store has and Kafka is not known to have."""
        offsets = self._store.offsets(CONSOLE)
        how = max((_SENT, _TAKEN), key=lambda how: offsets.get((how, 0), 1))
        acted = actions_of(self._reading, offsets.get((how, 0), 1) - 1)
        return [event_of(each, offsets.get((f"{how}, epoch", 0), acted[0].at)) for each in acted]

    def _note(self, last: OperatorActed) -> None:
        self._store.write_batch({}, offsets=_reached(_SENT, last))

    def _last_sent(self, first: OperatorActed) -> Micros:
        """Return the time of the last action that is known to be in Kafka; where none is, of the first."""
        before = actions_of(self._reading, first.seq - 2)[0] if first.seq > 1 else None
        return before.at if before is not None else first.at

    async def _without_sent(self, actions: list[OperatorActed], partition: int) -> list[OperatorActed]:
        """Leave out the possibly sent actions that Kafka already has; give the rest a free epoch."""
        if not actions:
            return []
        await asyncio.sleep(_SETTLING)
        since = await asyncio.to_thread(self._last_sent, actions[0])
        found = await in_own_task(self._found(since, TopicPartition(FRAMES, partition)))
        missing = [event for event in actions if event.id not in found]
        ours = [found[event.id].epoch for event in actions if event.id in found]
        others = {(event.epoch, event.seq) for event in found.values()}
        if not missing:
            return []
        epoch = ours[-1] if ours else missing[0].epoch
        if any((epoch, event.seq) in others for event in missing):
            epoch = missing[0].at  # later than any: an epoch is the time of its first action
            _log.warning("another_store_acted", number=missing[0].seq, epoch=epoch)
        return [replace(event, epoch=epoch) for event in missing]

    async def _found(self, since: Micros, part: TopicPartition) -> dict[str, OperatorActed]:
        """Return the actions in Kafka by their ids, from the first record with a time on."""
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self._brokers, enable_auto_commit=False, request_timeout_ms=_ANSWER
        )
        try:
            await consumer.start()
            consumer.assign([part])
            end = (await consumer.end_offsets([part]))[part]
            start = (await consumer.offsets_for_times({part: since // 1000}))[part]
            if start is None:
                return {}
            consumer.seek(part, start.offset)
            found: dict[str, OperatorActed] = {}
            while await consumer.position(part) < end:
                for record in (await consumer.getmany(part, timeout_ms=_ANSWER)).get(part, ()):
                    if record.key == KEY:
                        events = _events(record.value or b"")
                        # Actions that somebody else wrote there are not actions of this store.
                        found |= {each.id: each for each in events if self._signing.refusal(each) is None}
            return found
        finally:
            await consumer.stop()


def _events(payload: bytes) -> list[OperatorActed]:
    try:
        frame, _ = decode(payload, FRAMES)
    except BadInput:
        return []  # nothing was sent from here
    return [event for event in frame.events if isinstance(event, OperatorActed)]
