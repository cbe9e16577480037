"""Reports of a gaming day into Kafka, from where the store has them."""

import logging
from collections.abc import Sequence
from typing import Final

from kafka import KafkaProducer
from kafka.errors import KafkaError, MessageSizeTooLargeError

from schemas.errors import BadInput
from streams.messages import Reported, encode
from streams.topics import LARGEST, REPORTS

_PATIENCE: Final = 5_000  # milliseconds for Kafka to answer


def publish(address: str, reports: Sequence[Reported]) -> None:
    """Send reports to the broker at `address` (HOST:PORT, or several with commas); return when it has all.

    Raises:
        BadInput: no broker answers there, the topic does not exist, or a report is too large for a record.
    """
    # The client warns of every attempt; the result is reported in one line below.
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    try:
        producer = KafkaProducer(
            bootstrap_servers=address.split(","),
            acks="all",
            enable_idempotence=True,
            compression_type="gzip",
            max_request_size=LARGEST,
            max_block_ms=_PATIENCE,
            bootstrap_timeout_ms=_PATIENCE,
            delivery_timeout_ms=6 * _PATIENCE,
        )
    except (KafkaError, ValueError):
        raise BadInput(f"{address}: no Kafka broker answers there within {_PATIENCE // 1000} s") from None
    try:
        for report in reports:
            _send(producer, report)
    except KafkaError as error:
        raise BadInput(f"{address}: Kafka does not take the reports: {error}") from None
    finally:
        producer.close(timeout=1)


def _send(producer: KafkaProducer, report: Reported) -> None:
    key = f"{report.gaming_day}/{report.report}".encode()
    try:
        producer.send(REPORTS, encode(report), key).get(timeout=6 * _PATIENCE / 1000)
    except MessageSizeTooLargeError:
        raise BadInput(f"report {report.report} of {report.gaming_day} is too large for a record") from None
