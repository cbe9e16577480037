"""Frames straight from Kafka, by time or by offset, for records that are not archived yet.

The requested range is copied once, up to the ends of the partitions at that moment, into a journal as the
archiver writes one. So it is read, table by table, exactly as an archive is, with the same results.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition
from kafka.errors import KafkaError
from msgspec import Struct

from schemas.errors import BadInput
from schemas.house import House
from streams.archive.journal import Journal, Place
from streams.archive.record_names import KafkaRecord, moment
from streams.topics import FRAMES

_ANSWER_MS: Final = 5_000  # for the first answer of a broker
_POLL_MS: Final = 500
_BATCH: Final = 2000  # records in one transaction
_PATIENCE: Final = 30.0  # seconds without a record that must be there


class KafkaRange(Struct, frozen=True, kw_only=True):
    """Selection of a broker's frames (HOST:PORT, several with commas): all it has, or some.

    `since` and `until` are times of receipt, microseconds UTC, the first within and the last without;
    `offset` is the first one to be read of the one partition that then has to be named.
    """

    broker: str
    since: int | None = None
    until: int | None = None
    partition: int | None = None
    offset: int | None = None


class Stretch(Struct, frozen=True):
    """Offsets of a partition, from the first up to the end, which is not in it."""

    partition: int
    first: int
    end: int


def fetch(kafka_range: KafkaRange, archive: Path, house: House, progress: Callable[[int, int], None]) -> bool:
    """Copy frames into the journal of an archive's empty folder; `progress` gets the copied number and all.

    Return whether they are all that was ever sent up to the end. If they are not, ledgers are left out:
    without the beginning no account of a gaming day can be made. It does not wait for records not sent yet.

    Raises:
        BadInput: no broker answers, there is no such topic, partition or offset, nothing was sent in that
            time, or Kafka no longer has what it had.
    """
    with _connected(kafka_range.broker) as (consumer, cluster):
        stretches = _stretches(consumer, kafka_range)
        is_complete = kafka_range.partition is None and all(each.first == 0 for each in stretches)
        found = [each for each in stretches if each.first < each.end]
        if not found:
            raise BadInput(f"{kafka_range.broker}: {FRAMES} has no record of that time; say an earlier since")
        left_out = frozenset() if is_complete else frozenset(name.encode() for name in house.ledgers)
        with Journal(archive, writable=True) as journal:
            journal.begin_cluster(cluster, 0)
            for batch in _read(consumer, found, progress):
                _keep(journal, cluster, [each for each in batch if each.key not in left_out], house)
        return is_complete


@contextmanager
def _connected(broker: str) -> Iterator[tuple[Any, str]]:
    """Yield a reader of a broker, and which cluster that is of."""
    # The client warns of every attempt; the result is reported in one line below.
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    addresses = broker.split(",")
    try:
        admin = KafkaAdminClient(bootstrap_servers=addresses, bootstrap_timeout_ms=_ANSWER_MS)
    except (KafkaError, ValueError):
        raise BadInput(f"{broker}: no Kafka broker answers there within {_ANSWER_MS // 1000} s") from None
    try:
        with admin:
            cluster = admin.describe_cluster()["cluster_id"]
        consumer = KafkaConsumer(
            bootstrap_servers=addresses,
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="none",
            allow_auto_create_topics=False,
            metrics_enabled=False,
        )
        with consumer:
            yield consumer, cluster
    except KafkaError as error:
        raise BadInput(f"{broker}: Kafka did not give what was asked for: {error}") from None


def _stretches(consumer: Any, kafka_range: KafkaRange) -> list[Stretch]:
    """Find the offsets that are asked for, in the order of the partitions; of some there may be none."""
    numbers = sorted(consumer.partitions_for_topic(FRAMES))
    if not numbers:
        raise BadInput(f"{kafka_range.broker}: has no topic {FRAMES}; is it a live floor's?")
    if kafka_range.partition is not None:
        if kafka_range.partition not in numbers:
            range_text = f"{numbers[0]} to {numbers[-1]}"
            raise BadInput(
                f"{kafka_range.broker}: {FRAMES} has no partition {kafka_range.partition}, but {range_text}"
            )
        numbers = [kafka_range.partition]
    parts = [TopicPartition(FRAMES, number) for number in numbers]
    ends = consumer.end_offsets(parts)
    firsts = consumer.beginning_offsets(parts)
    if kafka_range.offset is not None:
        _refuse_outside(kafka_range, firsts[parts[0]], ends[parts[0]])
        firsts = {parts[0]: kafka_range.offset}
    since = _at(consumer, parts, kafka_range.since, ends) if kafka_range.since is not None else firsts
    until = _at(consumer, parts, kafka_range.until, ends) if kafka_range.until is not None else ends
    return [
        Stretch(part.partition, max(firsts[part], since[part]), min(until[part], ends[part]))
        for part in parts
    ]


def _refuse_outside(kafka_range: KafkaRange, first: int, end: int) -> None:
    if kafka_range.offset is not None and not first <= kafka_range.offset < end:
        range_text = f"it has {first} to {end - 1}" if first < end else "it has no record now"
        raise BadInput(
            f"{kafka_range.broker}: offset {kafka_range.offset} is not in partition "
            f"{kafka_range.partition}; {range_text}"
        )


def _at(
    consumer: Any, parts: list[TopicPartition], at: int, ends: dict[TopicPartition, int]
) -> dict[TopicPartition, int]:
    """Look up the first offset of each partition that was received at a moment or later."""
    # Kafka counts milliseconds: the first one that is not before the moment.
    found = consumer.offsets_for_times(dict.fromkeys(parts, max(0, -(-at // 1000))))
    return {part: found[part].offset if found.get(part) is not None else ends[part] for part in parts}


def _read(
    consumer: Any, stretches: list[Stretch], progress: Callable[[int, int], None]
) -> Iterator[list[Any]]:
    """Read stretches to their ends, in batches of one partition."""
    ends = {TopicPartition(FRAMES, each.partition): each.end for each in stretches}
    consumer.assign(list(ends))
    for each in stretches:
        consumer.seek(TopicPartition(FRAMES, each.partition), each.first)
    total, received_at = sum(each.end - each.first for each in stretches), time.monotonic()
    while ends:
        batches = consumer.poll(_POLL_MS, max_records=_BATCH)
        for part, batch in batches.items():
            yield [each for each in batch if each.offset < ends[part]]
        if batches:
            received_at = time.monotonic()
        elif time.monotonic() - received_at > _PATIENCE:
            raise BadInput(f"Kafka gave nothing for {_PATIENCE:.0f} s of what it has; try again")
        reached = {part: consumer.position(part) for part in ends}
        for part in [part for part, end in ends.items() if reached[part] >= end]:
            consumer.pause(part)
            del ends[part]
        progress(total - sum(end - reached[part] for part, end in ends.items()), total)


def _keep(journal: Journal, cluster: str, batch: list[Any], house: House) -> None:
    records = [
        KafkaRecord(
            cluster, FRAMES, each.partition, each.offset, moment(each.timestamp), each.key, each.value
        )
        for each in batch
    ]
    if records:
        last = records[-1]
        place = {(cluster, FRAMES, last.partition): Place(last.offset + 1, last.received)}
        journal.keep(((house.gaming_date(each.received), each) for each in records), place)
