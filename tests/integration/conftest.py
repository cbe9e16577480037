"""A real broker for the tests: empty at each module's start but for the topics of a live floor."""

import itertools
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import pytest
from kafka import KafkaAdminClient, KafkaProducer

from streams.broker import HOST, LocalBroker
from streams.topic_setup import create_topics
from streams.topics import TOPICS
from tests.integration.kafka_link import KafkaLink, LinkedBroker, linked

# Below the ports that a system gives out by itself: while a broker is down, no client's own end may take its
# port, which happens where a client keeps trying to reach it.
FIRST_PORT: Final = 20_000
PORTS: Final = 1_000  # of each process that runs tests, lest one takes the port of another's stopped broker
PATIENCE: Final = 240.0  # seconds, on a machine that may be busy; what is waited for comes in a few
SOONEST: Final = 0.02  # seconds until it is looked for again, each time half as long again
LATEST: Final = 0.3


@pytest.fixture(scope="package")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LinkedBroker]:
    """Yield the broker of the modules that follow one another in a process: a start costs ten resets."""
    port, behind = free_port(), free_port()
    broker = LinkedBroker(tmp_path_factory.mktemp("kafka"), port, behind, behind + 1)
    try:
        yield broker
    finally:
        broker.kill()


@pytest.fixture(scope="module")
def broker(started: LinkedBroker) -> LinkedBroker:
    """Return a running broker with fresh topics; a test may stop, kill and start it, and leaves it on."""
    if started.start():
        create_topics(started.address)
    else:
        empty(started)
    return started


@pytest.fixture
def link(broker: LinkedBroker) -> Iterator[KafkaLink]:
    """Return a link to the broker, for clients whose Kafka a test takes away and gives back."""
    with linked(broker) as link:
        yield link


def until(what: Callable[[], bool], process: subprocess.Popen[bytes] | None = None) -> None:
    """Wait until something is so; a process that must be there meanwhile has not ended."""
    give_up, pause = time.monotonic() + PATIENCE, SOONEST
    while not what():
        assert process is None or process.poll() is None, "the process has ended"
        assert time.monotonic() < give_up, "it did not come in time"
        time.sleep(pause)
        pause = min(1.5 * pause, LATEST)


def send(broker: LocalBroker, topic: str, messages: Iterable[tuple[bytes, bytes]]) -> None:
    """Send messages, key and value, to a topic; all are acknowledged."""
    with KafkaProducer(bootstrap_servers=broker.address, acks="all") as producer:
        for sent in [producer.send(topic, value, key=key) for key, value in messages]:
            sent.get(timeout=PATIENCE)


def empty(broker: LocalBroker) -> None:
    """Delete all topics with what stands in them, and make them anew."""
    delete_topics(broker, *(topic.name for topic in TOPICS))
    create_topics(broker.address)


def delete_topics(broker: LocalBroker, *names: str) -> None:
    """Delete topics with what stands in them, and wait until Kafka knows them no more."""
    with KafkaAdminClient(bootstrap_servers=broker.address) as admin:
        admin.delete_topics(list(names))
        # A broker lists them for a moment more: what is listed would not be made.
        until(lambda: all(each["error_code"] for each in admin.describe_topics(list(names))))


def _ports() -> Iterator[int]:
    """Yield the first of each pair of this process's ports, over and over; where it begins is by chance."""
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    first, begin = FIRST_PORT + PORTS * (process % 10), secrets.randbelow(PORTS // 2)
    for turn in itertools.count(begin):
        yield first + 2 * turn % PORTS


_PORTS: Final = _ports()


def free_port() -> int:
    """Return a port that is free, and so is the next one; it comes again only after all others have come.

    A floor's processes take theirs one after another, some seconds later: chosen by chance, two of them were
    sometimes one.
    """
    return next(port for port in _PORTS if not any(is_taken(each) for each in (port, port + 1)))


def is_taken(port: int) -> bool:
    try:
        socket.create_server((HOST, port)).close()
    except OSError:
        return True
    return False
