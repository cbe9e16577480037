"""A real broker for the tests: one a module, empty at its start but for the topics of a live floor."""

import secrets
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from streams.broker import HOST, LocalBroker
from streams.topic_setup import create_topics

# Below the ports that a system gives out by itself: while a broker is down, no client's own end may take its
# port, which happens where a client keeps trying to reach it.
FIRST_PORT: Final = 20_000
PORTS: Final = 10_000
HERE: Final = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # xdist reads the marks in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # With `--dist loadgroup` one process runs all of them: two brokers at once are too much for two cores.
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("broker"))


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalBroker]:
    """Give a running broker with fresh topics; a test may stop, kill and start it, and leaves it running."""
    broker = LocalBroker(tmp_path_factory.mktemp("kafka"), free_port())
    broker.start()
    try:
        create_topics(broker.address)
        yield broker
    finally:
        broker.kill()


def free_port() -> int:
    while True:
        port = FIRST_PORT + secrets.randbelow(PORTS // 2) * 2
        if not any(is_taken(each) for each in (port, port + 1)):
            return port


def is_taken(port: int) -> bool:
    try:
        socket.create_server((HOST, port)).close()
    except OSError:
        return True
    return False
