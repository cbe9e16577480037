"""What of the spool Kafka already has: read back before anything is sent again.

A frame is produced with its receipt as the record's time, also when it is sent again. So whatever of the
spool is in Kafka stands at or after the first record with the time of the oldest frame that waits.
"""

import threading
import time
from typing import Final

import msgspec
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError, KafkaTimeoutError
from msgspec import Struct

from schemas.codec import UNREAD
from streams.gateway.spool import Spool, Spooled
from streams.topics import FRAMES

# What a gateway that was killed had sent last may still be on its way through the broker.
_SETTLING: Final = 1.0  # seconds
_PATIENCE: Final = 30.0  # seconds without a record that is there: Kafka is away
_POLL: Final = 500  # milliseconds


class _Named(Struct, frozen=True):
    table: str
    frame: int
    received: int


_named: Final = msgspec.json.Decoder(_Named)


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
    dropped, heard = 0, time.monotonic()
    while ends and not stopping.is_set():
        polled = [record for records in consumer.poll(_POLL).values() for record in records]
        found = [each for each in (_find(spool, record.value) for record in polled) if each is not None]
        if found:
            spool.drop(found)
            dropped += len(found)
        if polled:
            heard = time.monotonic()
        elif time.monotonic() - heard > _PATIENCE:
            raise KafkaTimeoutError("Kafka does not give back what it has")
        ends = {part: end for part, end in ends.items() if consumer.position(part) < end}
    return dropped


def _range(consumer: KafkaConsumer, since: int) -> dict[TopicPartition, int]:
    """Set a consumer to the first record from a time on, milliseconds; give each partition's end."""
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
        named = _named.decode(payload)
    except UNREAD:
        return None  # nothing that a gateway has sent
    return spool.find(named.table, named.frame, named.received, payload)
