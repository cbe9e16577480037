"""A worker's batches: states go to Kafka behind what they rest on, and are acknowledged last."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from streams.worker import agents
from streams.worker.tables import Drained

State = tuple[str, int, str]


class Kafka:
    """Stands in for the outbox and Faust's table; notes what is done, in order."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    def fitting(self, states: list[State]) -> list[State]:
        """Take all."""
        return states

    async def until_sent(self, send: Callable[[], Awaitable[list[Awaitable[Any]]]]) -> None:
        """Have it at once."""
        await asyncio.gather(*await send())

    def send_changelog(self, _partition: int, table: str, _state: str) -> Awaitable[None]:
        """Note the state of a table."""
        self.noted.append(f"state of {table}")
        return asyncio.sleep(0)

    def batch(self, table: str) -> Any:
        """Make a batch of one frame of a table."""
        event = SimpleNamespace(
            message=SimpleNamespace(partition=0), ack=lambda: self.noted.append(f"{table} acknowledged")
        )
        return agents._Batch([event], Drained([], [], 0), [(table, 0, "{}")])  # noqa: SLF001  what is tested


def test_the_states_of_a_batch_wait_for_its_conclusions_and_for_the_batch_before_it() -> None:
    async def scenario() -> list[str]:
        kafka, pending = Kafka(), Counter({0: 2})
        floor, outbox = agents.Floor(None, "", kafka), kafka
        sent = [asyncio.get_running_loop().create_future() for _ in range(2)]
        first: asyncio.Task[None] | None = None
        tasks = []
        for table, of_it in zip(("BAC-1", "BAC-2"), sent, strict=True):
            behind = [of_it, *([first] if first is not None else [])]
            first = asyncio.create_task(agents._finish(kafka.batch(table), behind, floor, pending, outbox))  # type: ignore[arg-type]  # noqa: SLF001  what is tested
            tasks.append(first)
        sent[1].set_result(None)  # Kafka has what the second concluded before what the first did
        await asyncio.sleep(0.01)
        assert kafka.noted == []
        sent[0].set_result(None)
        await asyncio.gather(*tasks)
        assert pending[0] == 0
        return kafka.noted

    assert asyncio.run(scenario()) == [
        "state of BAC-1",
        "BAC-1 acknowledged",
        "state of BAC-2",
        "BAC-2 acknowledged",
    ]
