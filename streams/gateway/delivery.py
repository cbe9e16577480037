"""From the spool to Kafka: every record once, a table's frames in their order; what Kafka will never take."""

import gc
import queue
import threading
import time
from contextlib import suppress
from typing import Final, TypeAlias

import msgspec
import structlog
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import (
    InvalidRecordError,
    InvalidTimestampError,
    KafkaError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    RecordListTooLargeError,
)
from msgspec import Struct

from schemas.codec import UNREAD
from streams import processes
from streams.gateway.intake import PROCESS
from streams.gateway.spool import DiskFull, Spool, Spooled
from streams.kafka_away import away_reason
from streams.messages import Quarantined, cut, encode, frame_name
from streams.observability import LATENCY, QUARANTINED
from streams.topics import FRAMES, QUARANTINE

# ── What of the spool Kafka already has: read back before anything is sent again ──────────────────────
# A frame is produced with its receipt as the record's time, also when it is sent again. So whatever of the
# spool is in Kafka stands at or after the first record with the time of the oldest frame that waits.

# What a gateway that was killed had sent last may still be on its way through the broker.
_SETTLING: Final = 1.0  # seconds
_PATIENCE: Final = 30.0  # seconds without a record that is there: Kafka is away
_POLL: Final = 500  # milliseconds


class _FrameHead(Struct, frozen=True):
    table: str
    frame: int
    received: int


_frame_head: Final = msgspec.json.Decoder(_FrameHead)


def drop_delivered(spool: Spool, last: int, address: str, stopping: threading.Event) -> int:
    """Drop the frames from the spool that Kafka has; give their number.

    `last` is the id of the last one that may be there. Ends early when `stopping` is set.

    Raises:
        KafkaError: Kafka cannot be reached, or stays silent.
    """
    oldest = spool.oldest(last)
    if oldest is None or stopping.wait(_SETTLING):
        return 0
    consumer = KafkaConsumer(
        bootstrap_servers=address.split(","), group_id=None, enable_auto_commit=False, metrics_enabled=False
    )
    try:
        return _drop(spool, consumer, oldest // 1000, stopping)
    finally:
        consumer.close()


def _drop(spool: Spool, consumer: KafkaConsumer, since: int, stopping: threading.Event) -> int:
    ends = _range(consumer, since)
    dropped, answered_at = 0, time.monotonic()
    while ends and not stopping.is_set():
        polled = [record for records in consumer.poll(_POLL).values() for record in records]
        found = [each for each in (_find(spool, record.value) for record in polled) if each is not None]
        if found:
            spool.drop(found)
            dropped += len(found)
        if polled:
            answered_at = time.monotonic()
        elif time.monotonic() - answered_at > _PATIENCE:
            raise KafkaTimeoutError("Kafka does not give back what it has")
        ends = {part: end for part, end in ends.items() if consumer.position(part) < end}
    return dropped


def _range(consumer: KafkaConsumer, since: int) -> dict[TopicPartition, int]:
    """Seek a consumer to the first record from a time on, milliseconds; return each partition's end."""
    parts = [TopicPartition(FRAMES, number) for number in consumer.partitions_for_topic(FRAMES)]
    if not parts:
        raise KafkaError(f"no topic {FRAMES}")
    ends = consumer.end_offsets(parts)
    starts = {
        part: start.offset
        for part, start in consumer.offsets_for_times(dict.fromkeys(parts, since)).items()
        if start is not None and start.offset < ends[part]
    }
    consumer.assign(list(starts))
    for part, start in starts.items():
        consumer.seek(part, start)
    return {part: ends[part] for part in starts}


def _find(spool: Spool, payload: bytes) -> Spooled | None:
    try:
        head = _frame_head.decode(payload)
    except UNREAD:
        return None  # not a gateway's record
    return spool.find(head.table, head.frame, head.received, payload)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What Kafka will never accept: a row of the quarantine replaces it, so that it holds up nothing else.

# Only faults of the record itself. A missing right or a broker's trouble passes; the record waits.
_REFUSALS: Final = (
    InvalidRecordError,
    InvalidTimestampError,
    MessageSizeTooLargeError,
    RecordListTooLargeError,
)


def is_refusal(error: KafkaError) -> bool:
    """Return True if an error about a record that was sent alone will be the same for ever.

    >>> is_refusal(InvalidTimestampError()), is_refusal(KafkaError())
    (True, False)
    """
    return isinstance(error, _REFUSALS)


def row_instead(frame: Spooled, reason: str, now: int) -> Spooled:
    """Return the quarantine's row for a frame that is refused, received `now` (microseconds UTC).

    It is named by the table and the frame's number: however often it is written, it is one row.
    """
    name = frame_name(frame.key, frame.number)
    text, reason = cut(frame.payload, f"Kafka refuses the frame: {reason}")
    row = Quarantined(
        id=f"{PROCESS}/{name}", where=f"frame {name}", reason=reason, payload=text, table=frame.key
    )
    return Spooled(topic=QUARANTINE, key=frame.key, number=frame.number, received=now, payload=encode(row))


# ── From the spool to Kafka: every record once, a table's frames in their order ───────────────────────
# While Kafka is away, the producer goes on trying, with the same sequence numbers, for as long as it takes:
# the broker drops what it already has. Where a record cannot be delivered all the same, the producer is
# given up before anything that follows is sent; the next one reads back from Kafka what has arrived
# (`drop_delivered`), as a gateway does that starts on a spool with frames in it.
#
# What Kafka refuses for good must not hold up the rest. The client fails everything that is under way
# together with it, under the same error; so all of that is sent again one record at a time, and what is
# refused alone is taken out (`row_instead`).

_LOOK: Final = 1.0  # seconds between two looks whether Kafka is silent
_DROP: Final = 0.05  # seconds at least between two times that what has arrived is taken out of the spool
_PAUSE: Final = 1.0  # seconds between two attempts to reach Kafka
_SILENT: Final = 5.0  # seconds without an acknowledgement that is due: Kafka is away
_MOST_SENT: Final = 2000  # records that are sent and not acknowledged, or not taken out
_BATCH: Final = 256 * 1024  # bytes of one partition in a request
_FOREVER: Final = 2**31 - 1  # milliseconds
_SEND_PATIENCE: Final = 5000  # milliseconds for one attempt to reach Kafka

_log: Final = structlog.get_logger()


class _Failed(Struct, frozen=True):
    """A record that one producer could not deliver, and why."""

    record: Spooled
    error: KafkaError


# What Kafka has and what failed, of one producer. Its later results are not read once it is replaced.
_Answers: TypeAlias = "queue.SimpleQueue[Spooled | _Failed]"


class Delivery:
    """Sends what is in a spool to the broker at `address` (host:port, or several with commas between)."""

    def __init__(self, spool: Spool, address: str) -> None:
        self._spool, self._address = spool, address
        self._stirred = threading.Event()
        self._stopping = threading.Event()
        self._is_away = False
        # The last record that an earlier producer may have brought to Kafka without our knowing.
        self._unsure = spool.left
        # The last record that may be at fault in a failure of several; up to it they are sent one at a time.
        self._doubted = 0

    def stir(self) -> None:
        """Signal that there is something new in the spool (from any thread)."""
        self._stirred.set()

    def stop(self) -> None:
        """Request the end of `run` (from any thread)."""
        self._stopping.set()
        self.stir()

    def run(self) -> None:
        """Deliver until stopped.

        Raises:
            BadInput: the spool cannot be read or written.
        """
        with self._spool.one_line():
            while not self._stopping.is_set():
                try:
                    self._deliver()
                except DiskFull:
                    # The intake logs it. What Kafka has is read back, and removed once the disk has room.
                    self._stopping.wait(_PAUSE)
                except KafkaError as error:
                    self._away(away_reason(error, self._address))
                    # A failed client leaves its sockets in a cycle of references. If Kafka is away for an
                    # hour and nothing else happens, they would use up all file descriptors.
                    gc.collect()
                    self._stopping.wait(_PAUSE)

    def _deliver(self) -> None:
        producer = self._producer()
        try:
            for topic in (FRAMES, QUARANTINE):
                _expect(producer, topic)
            found = drop_delivered(self._spool, self._unsure, self._address, self._stopping)
            if found:
                _log.info("already_delivered", frames=found)
            self._pump(producer)
        finally:
            _give_up(producer)

    def _producer(self) -> KafkaProducer:
        return KafkaProducer(
            bootstrap_servers=self._address.split(","),
            client_id=f"discardrack-{PROCESS}",
            acks="all",
            enable_idempotence=True,
            max_in_flight_requests_per_connection=5,
            delivery_timeout_ms=_FOREVER,
            max_block_ms=_SEND_PATIENCE,
            bootstrap_timeout_ms=_SEND_PATIENCE,
            reconnect_backoff_max_ms=1000,
            batch_size=_BATCH,
            allow_auto_create_topics=False,
            metrics_enabled=False,
        )

    def _pump(self, producer: KafkaProducer) -> None:
        """Send in the spool's order, so many ahead of the acknowledgements, and drop what is acknowledged.

        Ends when stopped, and where another producer is to go on.

        Raises:
            KafkaError: a record could not be delivered.
        """
        answers: _Answers = queue.SimpleQueue()
        sent: dict[int, Spooled] = {}
        left: list[Spooled] = []
        last, answered_at, dropped = 0, time.monotonic(), 0.0
        while not self._stopping.is_set():
            most = min(self._most(last, sent), _MOST_SENT - len(left))
            for record in self._spool.next_records(last, max(0, most - len(sent))):
                sent[record.id] = record
                last = self._unsure = record.id
                self._send(producer, record, answers)
            self._stirred.wait(_DROP if left else _LOOK)
            self._stirred.clear()
            arrived, failed = _hear(answers)
            _tell(arrived)
            for record in arrived:
                del sent[record.id]
            left += arrived
            if failed is not None or time.monotonic() >= dropped + _DROP:
                left, dropped = self._drop(left), time.monotonic()
            if failed is not None:
                self._fail(failed, last, is_alone=len(sent) == 1 and not left)
                return
            if arrived or not sent:
                answered_at = time.monotonic()
                self._back()
            elif time.monotonic() - answered_at > _SILENT:
                self._away("no acknowledgement of what was sent")
        self._drop(left)

    def _most(self, last: int, sent: dict[int, Spooled]) -> int:
        """Return how many may be under way: one, while that one or else the next is doubted."""
        return 1 if next(iter(sent), last + 1) <= self._doubted else _MOST_SENT

    def _send(self, producer: KafkaProducer, record: Spooled, answers: _Answers) -> None:
        def answer(result: Spooled | _Failed) -> None:
            answers.put(result)
            self._stirred.set()

        def failed(error: KafkaError) -> None:
            answer(_Failed(record, error))
            # In the producer's own thread, before it sends anything that follows: the order stays.
            _stop_sending(producer)

        try:
            future = producer.send(
                record.topic,
                key=record.key.encode(),
                value=record.payload,
                timestamp_ms=record.received // 1000,
            )
        except KafkaError as error:
            failed(error)
            return
        future.add_callback(lambda _: answer(record)).add_errback(failed)

    def _drop(self, arrived: list[Spooled]) -> list[Spooled]:
        """Remove what Kafka has; return what a full disk leaves to be removed later."""
        try:
            if arrived:
                self._spool.drop(arrived)
        except DiskFull:
            return arrived
        return []

    def _fail(self, failed: _Failed, last: int, *, is_alone: bool) -> None:
        """Decide how the next producer continues after the first failed record; `last` was the last sent.

        Raises:
            KafkaError: it is to retry later, because Kafka caused the failure.
        """
        error = failed.error
        if is_alone and is_refusal(error):
            self._refuse(failed.record, str(error))
            self._unsure = 0
        elif is_alone or error.retriable:
            raise error
        else:
            _log.warning("one_by_one", reason=str(error), frames=self._spool.count)
            self._doubted = last

    def _refuse(self, record: Spooled, reason: str) -> None:
        """Remove a record that Kafka will never accept."""
        if record.topic == FRAMES:
            self._spool.replace(record, row_instead(record, reason, processes.now()))
            _log.error("record_refused", frame=frame_name(record.key, record.number), reason=reason)
            QUARANTINED.labels(PROCESS).inc()
        else:
            # There is no farther place for it than this line.
            self._spool.drop([record])
            _log.error("record_refused", topic=record.topic, reason=reason, text=record.payload.decode())

    def _away(self, reason: str) -> None:
        if not self._is_away:
            _log.error("kafka_away", broker=self._address, reason=reason, frames=self._spool.count)
        self._is_away = True

    def _back(self) -> None:
        if self._is_away:
            _log.warning("kafka_back", broker=self._address, frames=self._spool.count)
        self._is_away = False


def _expect(producer: KafkaProducer, topic: str) -> None:
    try:
        producer.partitions_for(topic)
    except KafkaError as error:
        raise KafkaError(f"no topic {topic} ({error}); discardrack topics --create makes it") from error


def _hear(answers: _Answers) -> tuple[list[Spooled], _Failed | None]:
    """Return the records that have arrived, and the first that failed: what fails after it, fails with it."""
    arrived: list[Spooled] = []
    first: _Failed | None = None
    with suppress(queue.Empty):
        while True:
            answer = answers.get_nowait()
            if isinstance(answer, Spooled):
                arrived.append(answer)
            else:
                first = first or answer
    return arrived, first


def _stop_sending(producer: KafkaProducer) -> None:
    # close() waits for what is undelivered and raises before it stops.
    producer._sender.force_close()  # noqa: SLF001  there is no public way to give up


def _give_up(producer: KafkaProducer) -> None:
    """Close a producer without waiting for what it still has: it is in the spool."""
    _stop_sending(producer)
    producer.close(timeout=_SEND_PATIENCE / 1000)


def _tell(acknowledged: list[Spooled]) -> None:
    now = processes.now()
    for each in acknowledged:
        if each.topic == FRAMES:
            LATENCY.labels("kafka").observe((now - each.received) / 1_000_000)
            _log.debug("frame_acknowledged", frame=frame_name(each.key, each.number))
