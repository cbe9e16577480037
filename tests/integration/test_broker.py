"""The local broker: it starts, is found from elsewhere, ends, and keeps what was written through kill -9."""

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from kafka import KafkaAdminClient

from replay.cli import main
from schemas.errors import BadInput
from streams.broker import LocalBroker, loaded_classes
from streams.topic_setup import create_topics, topic_setup
from streams.topics import FINDINGS, FRAMES, QUARANTINE, TOPICS
from tests.builders.live_floor import records
from tests.integration.conftest import send, until


def test_broker_is_found_from_another_process_and_what_was_acknowledged_outlives_a_kill(
    broker: LocalBroker,
) -> None:
    send(broker, FRAMES, [(b"BAC-104", b"one"), (b"BAC-104", b"two")])
    same = LocalBroker(broker.folder, broker.port)
    assert not same.start()
    assert same.kill()
    assert not broker.kill()
    assert not (broker.folder / "running").exists()
    assert broker.start()
    send(broker, FRAMES, [(b"BAC-104", b"three")])
    assert list(records(broker.address, FRAMES)) == [b"one", b"two", b"three"]


@pytest.mark.usefixtures("broker")
def test_the_classes_that_the_first_broker_loaded_are_there_for_the_next() -> None:
    until(loaded_classes().exists)  # another process may be leaving them
    assert loaded_classes().stat().st_size > 1_000_000


def test_broker_on_another_port_is_named(broker: LocalBroker) -> None:
    with pytest.raises(BadInput, match=f"runs on port {broker.port}; stop it first"):
        LocalBroker(broker.folder, broker.port + 2).start()


def test_taken_port_is_refused(broker: LocalBroker, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=f"port {broker.port}: Address already in use"):
        LocalBroker(tmp_path, broker.port).start()
    assert not LocalBroker(tmp_path, broker.port).stop()
    assert not (tmp_path / "running").exists()


def test_topics_stand_as_they_must(broker: LocalBroker) -> None:
    create_topics(broker.address)
    with topic_setup(broker.address) as setup:
        assert [(each.topic, each.differences) for each in setup.compare()] == [
            (topic, ()) for topic in TOPICS
        ]


def topics(broker: LocalBroker, *options: str) -> tuple[int, dict[str, list[str]], str]:
    ran = CliRunner().invoke(main, ["topics", "--broker", broker.address, "--format", "jsonl", *options])
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    return ran.exit_code, {row["topic"]: row["state"] for row in rows}, ran.stderr


def seen(broker: LocalBroker, topic: str, state: list[str]) -> bool:
    """Return True if a topic comes to be in a state: Kafka takes a moment to spread a change."""
    return any(topics(broker)[1].get(topic) == state or time.sleep(0.1) for _ in range(100))


def test_topics_that_are_missing_or_differ_are_said_and_made(broker: LocalBroker) -> None:
    with KafkaAdminClient(bootstrap_servers=broker.address) as admin:
        admin.delete_topics([QUARANTINE, FINDINGS])
        assert seen(broker, QUARANTINE, ["missing"])
        assert seen(broker, FINDINGS, ["missing"])
        few = {"retention.ms": "60000", "max.message.bytes": str(8 * 1024 * 1024)}
        admin.create_topics(
            {FINDINGS: {"num_partitions": 3, "replication_factor": 1, "configs": few}},
            wait_for_metadata=True,
        )
    assert seen(
        broker, FINDINGS, ["partitions is 3 instead of 12", "retention.ms is 60000 instead of 2592000000"]
    )
    assert topics(broker)[0] == 1

    exit_code, states, said = topics(broker, "--create")
    assert exit_code == 2
    assert states[FRAMES] == ["as it must be"]
    assert states[QUARANTINE] == ["created"]
    assert states[FINDINGS] == ["partitions is 3 instead of 12", "retention.ms set from 60000 to 2592000000"]
    assert said.startswith("discardrack: floor.findings: partitions is 3 instead of 12: not changed")
    assert said.count("\n") == 1
    assert seen(broker, FINDINGS, ["partitions is 3 instead of 12"])
    assert seen(broker, QUARANTINE, ["as it must be"])


def test_more_replicas_than_brokers_are_refused_before_anything_is_changed(broker: LocalBroker) -> None:
    exit_code, states, said = topics(broker, "--create", "--replication", "3")
    assert (exit_code, states) == (2, {})
    assert said == "discardrack: --replication 3: the cluster has 1; say no more than that\n"
    assert topics(broker)[1][FRAMES] == ["as it must be"]
