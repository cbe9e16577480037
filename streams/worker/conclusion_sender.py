"""Sending of conclusions by the worker: by partition, in batches, and until Kafka has them.

Faust's own way of sending takes as long for one record as the audit takes for twenty events; the batches of
the client beneath it do not. What is sent twice is dropped by name further on.

A table whose devices report without end can have a conclusion, or a state, that is larger than Kafka takes.
Of such a conclusion the quarantine has a row; such a state is not sent, and the one before it holds on.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, TypeAlias

import structlog
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError, MessageSizeTooLargeError, RecordListTooLargeError

from projections.engine.conclusion import id_of
from schemas.errors import DiscardrackError
from streams import observability, topics
from streams.kafka_away import away_reason
from streams.messages import Quarantined, Result, StandingFindings, cut, encode, standing_of
from streams.worker.tables import Drain

# topic and partition
Place: TypeAlias = tuple[str, int]
# where it goes, its key, and itself
Message: TypeAlias = tuple[Place, str | None, bytes]

_PAUSE: Final = 1.0  # seconds, while Kafka is away
_REFUSED: Final = (MessageSizeTooLargeError, RecordListTooLargeError)
_MOST: Final = topics.LARGEST - 64 * 1024  # bytes of a message before it is compressed; the rest is about it
_BATCH_BYTES: Final = 900_000  # what Kafka takes at once is a little more

_log: Final = structlog.get_logger()


class ClusterChanged(DiscardrackError):
    """Kafka's data were deleted and created again under a running worker."""


class Outbox:
    """Sends conclusions, findings and what could not be read; to be started before and stopped after use."""

    def __init__(self, broker: str) -> None:
        self._broker = broker
        self._producer = AIOKafkaProducer(
            bootstrap_servers=broker, acks="all", compression_type="zstd", max_batch_size=_BATCH_BYTES
        )
        self._admin = AIOKafkaAdminClient(bootstrap_servers=broker)
        self._cluster: str | None = None
        self._away: set[str] = set()  # from which tasks
        self._too_large: set[str] = set()  # tables

    async def start(self) -> None:
        """Connect to Kafka, as soon as it is there."""
        for client in (self._producer, self._admin):
            while True:
                try:
                    await client.start()
                except KafkaError as error:
                    self.turn("starting", error)
                    await asyncio.sleep(_PAUSE)
                else:
                    break
        self.turn("starting", None)

    async def stop(self) -> None:
        """Close the connections to Kafka."""
        await self._producer.stop()
        await self._admin.close()

    async def cluster(self) -> str:
        """Return Kafka's cluster.

        Raises:
            KafkaError: it does not answer.
        """
        return str((await self._admin.describe_cluster())["cluster_id"])

    async def send(self, drained: Drain) -> None:
        """Send, return when Kafka has all of it, and count it."""
        messages = list(_messages(drained))
        await self.until_sent(lambda: self._sends(messages))
        _tell(drained)

    async def until_sent(self, send: Callable[[], Awaitable[list[Awaitable[Any]]]]) -> None:
        """Send in the given way, and wait until Kafka has it; if it has not, send it all again.

        Raises:
            KafkaError: Kafka will never accept it.
        """
        while True:
            try:
                await asyncio.gather(*await send())
            except _REFUSED as error:
                # Nothing so large is sent: Kafka's limit is below the required one.
                _log.error("record_refused", reason=f"{error!r}; discardrack topics --create sets the topics")
                raise
            except KafkaError as error:
                self.turn("sending", error)
                await asyncio.sleep(_PAUSE)
            else:
                self.turn("sending", None)
                return

    async def look(self) -> None:
        """Check that Kafka answers, and log if that has changed: a quiet floor sends nothing.

        Raises:
            ClusterChanged: it is another Kafka, so the state in memory is invalid.
        """
        try:
            cluster = await self.cluster()
        except (KafkaError, OSError) as error:
            self.turn("looking", error)
            return
        self.turn("looking", None)
        if self._cluster not in (None, cluster):
            raise ClusterChanged(f"Kafka is another cluster than it was: {cluster}, not {self._cluster}")
        self._cluster = cluster

    @property
    def is_away(self) -> bool:
        """Return True while Kafka is away to anyone who asked it for something."""
        return bool(self._away)

    def turn(self, task: str, away: Exception | None) -> None:
        """Note whether Kafka is away to a task, and by what error; log when it goes and comes back."""
        before = bool(self._away)
        if away is None:
            self._away.discard(task)
        else:
            self._away.add(task)
        if away is not None and not before:
            _log.error("kafka_away", reason=away_reason(away, self._broker))
        elif before and not self._away:
            _log.warning("kafka_back")

    def fitting(self, states: Iterable[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
        """Return the states (table, partition, text) that Kafka accepts.

        Log each table whose state is too large.

        If a state was not sent, a worker that has to begin with an older one reads the records since then
        again.
        """
        sent = []
        for table, partition, state in states:
            # As text within text each of its characters takes from one to twelve bytes.
            size = len(state)
            if size > _MOST // 12 and (size := len(json.dumps(state))) > _MOST:
                if table not in self._too_large:
                    _log.error("state_too_large", table=table, bytes=size, limit=_MOST)
                self._too_large.add(table)
                continue
            if table in self._too_large:
                _log.info("state_sent_again", table=table, bytes=size)
            self._too_large.discard(table)
            sent.append((table, partition, state))
        return sent

    async def _sends(self, messages: Iterable[Message]) -> list[Awaitable[Any]]:
        sends: list[Awaitable[Any]] = []
        batches: dict[Place, Any] = {}
        for place, table, message in messages:
            about = {"key": table.encode() if table is not None else None, "value": message}
            batch = batches.get(place)
            if batch is None or batch.append(timestamp=None, **about) is None:
                if batch is not None:
                    sends.append(await self._producer.send_batch(batch, place[0], partition=place[1]))
                batch = batches[place] = self._producer.create_batch()
                batch.append(timestamp=None, **about)
        for (topic, partition), batch in batches.items():
            sends.append(await self._producer.send_batch(batch, topic, partition=partition))
        return sends


def _messages(drained: Drain) -> Iterable[Message]:
    for partition, result in drained.results:
        yield _message(topics.ROUNDS, partition, result, result)
        findings = standing_of(result)
        if findings is not None:
            yield _message(topics.FINDINGS, partition, findings, result)
    for each in drained.quarantined:
        yield (topics.QUARANTINE, 0), each.table, encode(each)


def _message(topic: str, partition: int, body: Result | StandingFindings, result: Result) -> Message:
    """Encode the message of a result; if it is too large, the quarantine's row for it."""
    table, text = result.conclusion.table, encode(body)
    if len(text) <= _MOST:
        return (topic, partition), table, text
    about = id_of(result.conclusion)
    excerpt, reason = cut(text, f"concluded, and larger than the {_MOST:,} bytes that are sent")
    row = Quarantined(
        id=f"{topic}/{about}/{result.revision}",
        where=f"{topic}: {about}, revision {result.revision}",
        reason=reason,
        payload=excerpt,
        table=table,
    )
    observability.QUARANTINED.labels("worker").inc()
    _log.error("record_refused", frame=result.frame, record=row.where, bytes=len(text), limit=_MOST)
    return (topics.QUARANTINE, 0), table, encode(row)


def _tell(drained: Drain) -> None:
    observability.EVENTS.labels("worker").inc(drained.events)
    for _, result in drained.results:
        for finding in result.conclusion.findings:
            observability.FINDINGS.labels(finding.check, finding.severity).inc()
            _log.info(
                "finding",
                frame=result.frame,
                table=result.conclusion.table,
                round=result.conclusion.round,
                revision=result.revision,
                check=finding.check,
                id=finding.id,
            )
        observability.LATENCY.labels("judged").observe(max(0, result.judged - result.received) / 1_000_000)
    for each in drained.quarantined:
        observability.QUARANTINED.labels("worker").inc()
        _log.warning("quarantined", id=each.id, table=each.table, reason=each.reason)
