"""A worker sends states behind what they rest on, then how far it is, and acknowledges records last."""

import asyncio
from collections.abc import Awaitable, Callable, Container, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final

import pytest

from streams import topics
from streams.worker import snapshot_sender
from streams.worker.deliveries import Arrival, Delivery, Record, progress_key
from streams.worker.snapshot_sender import Batch, Floor, StateSender
from streams.worker.tables import Drain

State = tuple[str, int, str]

_OURS: Final = 0  # the partition
_PATIENCE: Final = 60.0  # seconds for what takes a hundredth of one
_FIRST: Final = 40  # the offset at which it begins
_TABLES: Final = {"BAC-1": _OURS, "BAC-2": _OURS, "BAC-3": 1}


class Kafka:
    """Stands in for the outbox, Faust and the tables; notes what is done, in order."""

    def __init__(self) -> None:
        self.noted: list[str] = []
        self.answers: list[asyncio.Future[None]] = []
        self.changed: list[str] = []
        self.read_again: list[str] = []
        self.has_more = False
        self.data: dict[str, str] = {}
        self.delivery = Delivery(_FIRST)
        self.consumer = SimpleNamespace(
            assignment=lambda: [SimpleNamespace(topic=topics.FRAMES, partition=_OURS)]
        )

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Confirm what is sent at once."""
        yield
        for each in self.answers:
            if not each.done():
                each.set_result(None)

    async def send(self, _drained: Drain) -> None:
        """Wait for an answer to what was concluded."""
        self.answers.append(asyncio.get_running_loop().create_future())
        await self.answers[-1]

    def states(self, names: Container[str]) -> list[State]:
        """Return the states of some tables, those that changed."""
        changed = [table for table in self.changed if table in names]
        self.changed = [table for table in self.changed if table not in names]
        return [(table, _TABLES[table], f"state of {table}") for table in changed]

    def taken_up(self) -> list[str]:
        """Return the tables of which what was left out has been read again."""
        found, self.read_again = self.read_again, []
        return found

    def fitting(self, states: list[State]) -> list[State]:
        """Accept all."""
        return states

    async def until_sent(self, send: Callable[[], Awaitable[list[Awaitable[Any]]]]) -> None:
        """Confirm it at once."""
        await asyncio.gather(*await send())

    def send_changelog(self, _partition: int, _table: str, state: str) -> Awaitable[None]:
        """Note the state of a table."""
        self.noted.append(state)
        return asyncio.sleep(0)

    def batch(self, table: str) -> Batch:
        """Make a batch of one frame of a table."""
        self.changed.append(table)
        record = Record(_TABLES[table], self.delivery.due, table, b"")
        self.delivery.take(record.offset)
        arrival = Arrival(record, self.delivery, lambda: self.noted.append(f"{table} acknowledged"))
        return Batch([arrival], Drain([], [], 0))


async def _settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def _played(scenario: Callable[[Kafka, StateSender], Awaitable[None]], every: float = 0.0) -> list[str]:
    async def play() -> list[str]:
        kafka: Any = Kafka()
        async with asyncio.TaskGroup() as group:
            state_sender = StateSender(Floor(kafka, "", kafka), kafka, kafka, group, every)
            await scenario(kafka, state_sender)
        return list(kafka.noted)

    return asyncio.run(play())


def test_a_state_waits_for_what_was_concluded_up_to_it_and_the_record_for_the_state() -> None:
    async def scenario(kafka: Kafka, state_sender: StateSender) -> None:
        await state_sender.took(kafka.batch("BAC-1"))
        await _settled()
        assert kafka.noted == []
        kafka.answers[0].set_result(None)
        await _settled()
        assert kafka.noted == ["state of BAC-1", '{"next":41}', "BAC-1 acknowledged"]
        assert kafka.data == {"BAC-1": "state of BAC-1", progress_key(_OURS): '{"next":41}'}
        await state_sender.took(kafka.batch("BAC-2"))
        await _settled()
        kafka.answers[1].set_result(None)

    assert _played(scenario) == [
        "state of BAC-1",
        '{"next":41}',
        "BAC-1 acknowledged",
        "state of BAC-2",
        '{"next":42}',
        "BAC-2 acknowledged",
    ]


def test_what_is_concluded_of_the_next_batch_waits_for_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a second nothing but conclusions is sent; then the states of both, and both are acknowledged."""
    clock = [0.0]
    monkeypatch.setattr(snapshot_sender, "time", SimpleNamespace(monotonic=lambda: clock[0]))

    async def scenario(kafka: Kafka, state_sender: StateSender) -> None:
        for table in ("BAC-1", "BAC-2"):
            with kafka.answering():
                await state_sender.took(kafka.batch(table))
                await _settled()
        assert len(kafka.answers) == 2
        assert kafka.noted == []
        clock[0] = 1.0
        keeping = asyncio.create_task(state_sender.keep())
        async with asyncio.timeout(_PATIENCE):
            while "BAC-2 acknowledged" not in kafka.noted:  # noqa: ASYNC110  it says so nowhere else
                await asyncio.sleep(0.01)
        keeping.cancel()

    assert _played(scenario, every=0.05) == [
        "state of BAC-1",
        "state of BAC-2",
        '{"next":42}',
        "BAC-1 acknowledged",
        "BAC-2 acknowledged",
    ]


def test_the_state_of_a_table_that_another_worker_has_is_not_sent() -> None:
    async def scenario(kafka: Kafka, state_sender: StateSender) -> None:
        with kafka.answering():
            await state_sender.took(kafka.batch("BAC-3"))
            await _settled()

    assert _played(scenario) == ["BAC-3 acknowledged"]


def test_the_state_of_a_table_that_was_taken_up_is_sent_though_no_frame_of_it_came() -> None:
    async def scenario(kafka: Kafka, state_sender: StateSender) -> None:
        kafka.read_again, kafka.changed = ["BAC-2"], ["BAC-2"]
        with kafka.answering():
            await state_sender.took(kafka.batch("BAC-1"))
            await _settled()

    assert _played(scenario) == ["state of BAC-2", "state of BAC-1", '{"next":41}', "BAC-1 acknowledged"]


@pytest.mark.parametrize("reading", [True, False], ids=["while records are read again", "with more to send"])
def test_no_state_is_sent_of_which_something_was_not(*, reading: bool) -> None:
    async def scenario(kafka: Kafka, state_sender: StateSender) -> None:
        with kafka.answering():
            await state_sender.took(kafka.batch("BAC-1"))
            await _settled()
        if reading:
            await state_sender.reading.acquire()
        kafka.has_more = not reading
        keeping = asyncio.create_task(state_sender.keep())
        await asyncio.sleep(0.2)
        keeping.cancel()

    assert _played(scenario, every=0.05) == []
