"""The local broker: it starts, is found from elsewhere, ends, and keeps what was written through kill -9."""

from pathlib import Path

import pytest
from kafka import KafkaConsumer, KafkaProducer

from schemas.errors import BadInput
from streams.broker import LocalBroker
from streams.topic_setup import create_topics, topic_setup
from streams.topics import FRAMES, TOPICS


def write(broker: LocalBroker, *values: bytes) -> None:
    producer = KafkaProducer(bootstrap_servers=broker.address, acks="all")
    for value in values:
        producer.send(FRAMES, value, key=b"BAC-104").get(timeout=30)
    producer.close()


def read(broker: LocalBroker) -> list[bytes]:
    consumer = KafkaConsumer(
        FRAMES, bootstrap_servers=broker.address, auto_offset_reset="earliest", consumer_timeout_ms=3000
    )
    found = [record.value for record in consumer]
    consumer.close()
    return found


def test_what_was_acknowledged_outlives_a_kill(broker: LocalBroker) -> None:
    write(broker, b"one", b"two")
    assert broker.kill()
    assert broker.start()
    write(broker, b"three")
    assert read(broker) == [b"one", b"two", b"three"]


def test_broker_is_found_from_another_process(broker: LocalBroker) -> None:
    same = LocalBroker(broker.folder, broker.port)
    assert not same.start()
    assert same.stop()
    assert not broker.stop()
    assert broker.start()


def test_broker_on_another_port_is_named(broker: LocalBroker) -> None:
    with pytest.raises(BadInput, match=f"runs on port {broker.port}; stop it first"):
        LocalBroker(broker.folder, broker.port + 2).start()


def test_taken_port_is_refused(broker: LocalBroker, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=f"port {broker.port}: Address already in use"):
        LocalBroker(tmp_path, broker.port).start()
    assert not LocalBroker(tmp_path, broker.port).stop()


def test_topics_stand_as_they_must(broker: LocalBroker) -> None:
    create_topics(broker.address)
    with topic_setup(broker.address) as setup:
        assert [(each.topic, each.differences) for each in setup.compare()] == [
            (topic, ()) for topic in TOPICS
        ]
