"""Actions from the store to a real broker: killed, or without Kafka, none is lost or doubled."""

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from projections.store.action_log import Acted, sealed
from projections.store.store import Store
from schemas.surveillance import OperatorActed
from streams.action_publisher import ActionPublisher, event_of
from streams.broker import LocalBroker
from tests.builders.preloaded import begin
from tests.builders.signing import SIGNING
from tests.integration.conftest import until
from tests.integration.kafka_link import KafkaLink, LinkedBroker
from tests.integration.served_console import read_actions

# A process that sends what a store has, and says nothing.
SENDING: Final = """
import asyncio, sys
from pathlib import Path
from projections.store.store import Store
from streams.action_publisher import ActionPublisher
from tests.builders.signing import SIGNING
with Store(Path(sys.argv[1])) as store:
    asyncio.run(ActionPublisher(store, sys.argv[2], SIGNING).follow())
"""


def filled(path: Path, count: int, first: int = 1, last: Acted | None = None) -> list[Acted]:
    """Carry out so many actions in a store, now; return them."""
    done: list[Acted] = []
    with Store(path) as store:
        for number in range(first, first + count):
            last = sealed(
                Acted(
                    number=number,
                    id=f"{number:032x}",
                    at=time.time_ns() // 1000,
                    who="o.rivera",
                    role="operator",
                    action="note",
                    subject=f"alert:{number}",
                    details='{"text":"seen"}',
                    before=None,
                    after=None,
                    previous=last.digest if last is not None else None,
                )
            )
            store.act(last)
            done.append(last)
    return done


@contextmanager
def sending(store: Path, broker: LocalBroker | KafkaLink) -> Iterator[subprocess.Popen[bytes]]:
    process = begin([sys.executable, "-c", SENDING, os.fspath(store), broker.address])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def fresh(broker: LocalBroker) -> set[str]:
    """Return what earlier tests have sent."""
    return {f"{each.epoch}/{each.seq}" for each in read_actions(broker)}


def told_since(broker: LocalBroker, fresh: set[str]) -> list[OperatorActed]:
    return [each for each in read_actions(broker) if f"{each.epoch}/{each.seq}" not in fresh]


def test_killed_again_and_again_it_sends_each_action_once_and_in_order(
    broker: LocalBroker, fresh: set[str], tmp_path: Path
) -> None:
    path = tmp_path / "store.duckdb"
    done = filled(path, 400)
    rng = random.Random("killed")  # noqa: S311  a test to be repeated
    for _ in range(5):
        with sending(path, broker) as process:
            begun = len(told_since(broker, fresh))
            until(lambda begun=begun: len(told_since(broker, fresh)) > begun or begun == len(done), process)
            time.sleep(rng.random() / 10)
    with sending(path, broker) as process:
        until(lambda: len(told_since(broker, fresh)) >= len(done), process)
    expected = [SIGNING.sign(event_of(each, done[0].at)) for each in done]
    assert told_since(broker, fresh) == expected
    # After a further beginning nothing is sent again, and what is done then follows.
    more = filled(path, 3, 401, done[-1])
    with sending(path, broker) as process:
        until(lambda: len(told_since(broker, fresh)) > len(done) + 2, process)
        time.sleep(1)
    assert told_since(broker, fresh) == expected + [SIGNING.sign(event_of(each, done[0].at)) for each in more]


def test_while_kafka_is_away_the_store_keeps_it(
    broker: LinkedBroker, link: KafkaLink, fresh: set[str], tmp_path: Path
) -> None:
    path = tmp_path / "store.duckdb"
    done = filled(path, 3)
    link.cut()
    with sending(path, link) as process:
        time.sleep(2)
        assert process.poll() is None
        link.mend(broker)
        until(lambda: len(told_since(broker, fresh)) >= len(done), process)
    assert told_since(broker, fresh) == [SIGNING.sign(event_of(each, done[0].at)) for each in done]


def test_another_store_is_another_epoch(broker: LocalBroker, fresh: set[str], tmp_path: Path) -> None:
    async def sent(path: Path, count: int) -> None:
        with Store(path) as store:
            task = asyncio.create_task(ActionPublisher(store, broker.address, SIGNING).follow())
            while len(await asyncio.to_thread(told_since, broker, fresh)) < count:
                assert not task.done()
                await asyncio.sleep(0.05)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    for number, name in enumerate(("one", "two"), 1):
        filled(tmp_path / name, 2)
        asyncio.run(sent(tmp_path / name, 2 * number))
    told = told_since(broker, fresh)
    assert [each.seq for each in told] == [1, 2, 1, 2]
    assert told[0].epoch == told[1].epoch < told[2].epoch == told[3].epoch
