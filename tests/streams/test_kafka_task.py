"""Whose a cancellation is that comes out of aiokafka: ours ends a follower, aiokafka's own does not."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaConnectionError
from aiokafka.util import wait_for

from schemas.house import House
from streams.kafka_task import in_own_task
from streams.worker import refold
from streams.worker.conclusion_sender import Outbox
from streams.worker.tables import Gap, Tables

SOON = 60.0  # seconds, in which anything here ends


async def closing_client(closing: asyncio.Event) -> str:
    """Close a client of aiokafka whose own task takes a moment to end; then go on as if nothing was."""

    async def synchronise() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            closing.set()
            await asyncio.sleep(0.05)

    client = AIOKafkaClient(bootstrap_servers="127.0.0.1:1")
    client._sync_task = asyncio.create_task(synchronise())  # noqa: SLF001  as its start does
    await asyncio.sleep(0)
    await client.close()
    return "closed"


def cancelled_while_closing(call: Callable[[asyncio.Event], Awaitable[object]], patience: float) -> bool:
    """Cancel a task that closes a client and then waits; return whether that ended it in so many seconds."""

    async def talk() -> bool:
        closing = asyncio.Event()

        async def follow() -> None:
            await call(closing)
            await asyncio.Event().wait()

        task = asyncio.create_task(follow())
        await asyncio.wait_for(closing.wait(), SOON)
        task.cancel()
        ended, _ = await asyncio.wait([task], timeout=patience)
        task.cancel()
        return bool(ended) and task.cancelled()

    return asyncio.run(talk())


def test_cancelling_ends_a_task_though_aiokafka_takes_it_for_its_own() -> None:
    assert not cancelled_while_closing(closing_client, 0.5)
    assert cancelled_while_closing(lambda closing: in_own_task(closing_client(closing)), SOON)


def test_a_cancellation_by_aiokafka_is_a_broken_connection() -> None:
    async def talk() -> None:
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_later(0.01, answer.cancel)  # as its connection does when it breaks
        await in_own_task(wait_for(answer, SOON))

    with pytest.raises(KafkaConnectionError):
        asyncio.run(talk())


def test_a_request_that_timed_out_before_does_not_count_as_our_cancelling() -> None:
    async def talk() -> None:
        with pytest.raises(TimeoutError):
            await in_own_task(wait_for(asyncio.Event().wait(), 0.01))
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0
        assert await in_own_task(asyncio.sleep(0, "answered")) == "answered"

    asyncio.run(talk())


def test_calls_end_before_their_cancelling_is_over_and_errors_pass_through() -> None:
    async def talk() -> list[str]:
        order: list[str] = []

        async def stop() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0.01)
                order.append("stopped")

        task = asyncio.create_task(in_own_task(stop()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        order.append("cancelled" if task.cancelled() else "not cancelled")
        return order

    assert asyncio.run(talk()) == ["stopped", "cancelled"]

    async def fail() -> None:
        raise OSError("refused")

    with pytest.raises(OSError, match="refused"):
        asyncio.run(in_own_task(fail()))


class Away:
    """A client that finds no broker, and whose closing takes our cancellation for its own."""

    def __init__(self, closing: asyncio.Event) -> None:
        self._closing = closing

    async def start(self) -> None:
        """Raise as while Kafka is away."""
        raise KafkaConnectionError("no broker")

    async def stop(self) -> None:
        """Return after a moment, cancelled or not."""
        await closing_client(self._closing)


class Turns(Outbox):
    """An outbox that sends nothing."""

    def __init__(self) -> None:
        pass

    def turn(self, task: str, away: str | None) -> None:
        """Do nothing."""


async def gap_read() -> None:
    source = refold.Source("", None, House(house="here", tables={}))
    await source.read_again(Gap("BAC-1", 0, 0, 2), Tables.__new__(Tables), Turns())


async def start_read() -> None:
    await refold.Frames("", Turns()).start_of(0)


async def records_read() -> None:
    async for _ in refold.Frames("", Turns()).records(0, range(1)):
        pass


@pytest.mark.parametrize("call", [gap_read, start_read, records_read])
def test_cancelling_ends_a_worker_that_reads_while_kafka_is_away(
    call: Callable[[], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read(closing: asyncio.Event) -> None:
        monkeypatch.setattr(refold, "AIOKafkaConsumer", lambda **_: Away(closing))
        await call()

    assert cancelled_while_closing(read, SOON)
