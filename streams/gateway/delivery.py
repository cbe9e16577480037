"""From the spool to Kafka: every record once, a table's frames in their order.

While Kafka is away, the producer goes on trying, with the same sequence numbers, for as long as it takes: the
broker drops what it already has. Where a record cannot be delivered all the same, the producer is given up
before anything that follows is sent; the next one reads back from Kafka what has arrived (`readback`), as a
gateway does that starts on a spool with frames in it.
"""

import gc
import queue
import threading
import time
from typing import Final

import structlog
from kafka import KafkaProducer
from kafka.errors import KafkaError

from streams.gateway.intake import PROCESS
from streams.gateway.readback import drop_delivered
from streams.gateway.spool import Record, Spool
from streams.messages import frame_name
from streams.telling import LATENCY
from streams.topics import FRAMES, QUARANTINE

_PAUSE: Final = 1.0  # seconds between two attempts to reach Kafka
_SILENT: Final = 5.0  # seconds without an acknowledgement that is due: Kafka is away
_MOST_SENT: Final = 2000  # records that are sent and not acknowledged
_BATCH: Final = 256 * 1024  # bytes of one partition in a request
_FOREVER: Final = 2**31 - 1  # milliseconds
_PATIENCE: Final = 5000  # milliseconds for one attempt to reach Kafka

_log: Final = structlog.get_logger()


class Delivery:
    """Sends what is in a spool to the broker at `address` (host:port, or several with commas between)."""

    def __init__(self, spool: Spool, address: str) -> None:
        self._spool, self._address = spool, address
        self._signals: queue.SimpleQueue[Record | KafkaError | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._is_away = False
        # The last record that an earlier producer may have brought to Kafka without our knowing.
        self._unsure = spool.left

    def stir(self) -> None:
        """Say that there is something new in the spool (from any thread)."""
        self._signals.put(None)

    def stop(self) -> None:
        """Ask for the end of `run` (from any thread)."""
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
                except KafkaError as error:
                    self._away(str(error))
                    # A client that could not be made leaves its sockets in a cycle of references; where Kafka
                    # is away for an hour and nothing else happens, they would use up all there are.
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
            self._back()
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
            max_block_ms=_PATIENCE,
            bootstrap_timeout_ms=_PATIENCE,
            reconnect_backoff_max_ms=1000,
            batch_size=_BATCH,
            allow_auto_create_topics=False,
            metrics_enabled=False,
        )

    def _pump(self, producer: KafkaProducer) -> None:
        """Send in the spool's order, so many ahead of the acknowledgements, and drop what is acknowledged.

        Raises:
            KafkaError: a record could not be delivered.
        """
        sent: dict[int, Record] = {}
        last, heard = 0, time.monotonic()
        while not self._stopping.is_set():
            if not sent:
                heard = time.monotonic()
            for record in self._spool.waiting(last, _MOST_SENT - len(sent)):
                sent[record.id] = record
                last = self._unsure = record.id
                self._send(producer, record)
            acknowledged = [each for each in self._heard() if sent.pop(each.id, None) is not None]
            if acknowledged:
                self._spool.drop(acknowledged)
                _tell(acknowledged)
                heard = time.monotonic()
                self._back()
            elif sent and time.monotonic() - heard > _SILENT:
                self._away("no acknowledgement of what was sent")

    def _send(self, producer: KafkaProducer, record: Record) -> None:
        def failed(error: KafkaError) -> None:
            # In the producer's own thread, before it sends anything that follows: the order stays.
            _stop_sending(producer)
            self._signals.put(error)

        producer.send(
            record.topic,
            key=record.key.encode(),
            value=record.payload,
            timestamp_ms=record.received // 1000,
        ).add_callback(lambda _: self._signals.put(record)).add_errback(failed)

    def _heard(self) -> list[Record]:
        """Wait for a signal; give the records that were acknowledged.

        Raises:
            KafkaError: one was not delivered.
        """
        acknowledged: list[Record] = []
        try:
            signal = self._signals.get(timeout=1.0)
            while True:
                if isinstance(signal, KafkaError):
                    raise signal
                if signal is not None:
                    acknowledged.append(signal)
                signal = self._signals.get_nowait()
        except queue.Empty:
            return acknowledged

    def _away(self, reason: str) -> None:
        if not self._is_away:
            _log.error("kafka_away", broker=self._address, reason=reason, frames=self._spool.count)
        self._is_away = True

    def _back(self) -> None:
        if self._is_away:
            _log.info("kafka_back", broker=self._address, frames=self._spool.count)
        self._is_away = False


def _expect(producer: KafkaProducer, topic: str) -> None:
    try:
        producer.partitions_for(topic)
    except KafkaError as error:
        raise KafkaError(f"no topic {topic} ({error}); discardrack topics --create makes it") from error


def _stop_sending(producer: KafkaProducer) -> None:
    # close() waits for what is undelivered and raises before it stops; there is no public way to give up.
    producer._sender.force_close()  # noqa: SLF001


def _give_up(producer: KafkaProducer) -> None:
    """Close a producer without waiting for what it still has: it is in the spool."""
    _stop_sending(producer)
    producer.close(timeout=_PATIENCE / 1000)


def _tell(acknowledged: list[Record]) -> None:
    now = time.time_ns() // 1000
    for each in acknowledged:
        if each.topic == FRAMES:
            LATENCY.labels("kafka").observe((now - each.received) / 1_000_000)
            _log.debug("frame_acknowledged", frame=frame_name(each.key, each.number))
