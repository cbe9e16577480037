"""The states of a worker's tables, sent now and then, and the records acknowledged that went into them."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Container, Iterable
from typing import Any, Final

from msgspec import Struct

from streams import observability, topics
from streams.worker.conclusion_sender import Outbox
from streams.worker.deliveries import Arrival, progress_key, progress_text
from streams.worker.tables import Drain, Tables

EVERY: Final = 1.0  # seconds
_LOOKS: Final = 10  # in that time: the tables' turns come one by one, so that no conclusion waits for all


class Floor(Struct, frozen=True):
    """The application, its broker, and its table of states, as Faust has them (it is not typed)."""

    app: Any
    broker: str
    states: Any


class Batch(Struct):
    """Records as they came, and their results."""

    arrivals: list[Arrival]
    drained: Drain


class StateSender:
    """Sends the results of batches at once, and after them each table's state every `every` seconds at most.

    A state contains which records went into it. So it is sent only when Kafka has all their results, and they
    are acknowledged only when Kafka has the state.
    """

    def __init__(
        self,
        floor: Floor,
        tables: Tables,
        outbox: Outbox,
        group: asyncio.TaskGroup,
        every: float = EVERY,
    ) -> None:
        """Send in tasks of `group`."""
        self._floor, self._tables, self._outbox = floor, tables, outbox
        self._group, self._every = group, every
        # Held while records are read again, whose results are sent together with those of the batches.
        self.reading = asyncio.Lock()
        self._taking = asyncio.Lock()
        self._arrivals: defaultdict[str, list[Arrival]] = defaultdict(list)  # of each table, not stored yet
        self._since: dict[str, float] = {}  # when the first of them came
        self._sending: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def took(self, batch: Batch) -> None:
        """Send the results of a batch, once Kafka has those of the one before."""
        async with self._taking:
            if self._sending is not None:
                await self._sending
            self._sending = self._group.create_task(self._outbox.send(batch.drained))
        now = time.monotonic()
        for each in batch.arrivals:
            self._arrivals[each.record.key].append(each)
            self._since.setdefault(each.record.key, now)
        for table in self._tables.taken_up():
            self._since.setdefault(table, now)
        await asyncio.sleep(0)  # what was concluded goes first: a state takes a millisecond to write
        self._look(self._sending)

    async def keep(self) -> None:
        """Ensure that states are sent even if no more records come."""
        while True:
            await asyncio.sleep(self._every / _LOOKS)
            if self._sending is not None and not self._tables.has_more and not self.reading.locked():
                self._look(self._sending)

    async def change(self, tables: Tables) -> None:
        """Store all that came so far, however recently, and continue with other tables of the same states."""
        while self._sending is not None and (self._since or not self._is_done()):
            if self._keeping is not None:
                await self._keeping
            self._look(self._sending, every=0.0)
        self._tables = tables

    def _is_done(self) -> bool:
        return self._keeping is None or self._keeping.done()

    def ours(self) -> set[int]:
        """Return the partitions of frames that this worker has."""
        assigned = self._floor.app.consumer.assignment()
        return {place.partition for place in assigned if place.topic == topics.FRAMES}

    def _look(self, sending: asyncio.Task[None], every: float | None = None) -> None:
        """Begin to send the states that are due, as they are now, with the progress that rests on them."""
        if not self._is_done():
            return
        until = time.monotonic() - (self._every if every is None else every)
        due = dict.fromkeys(table for table, since in self._since.items() if since <= until)
        if not due:
            return
        ours = self.ours()
        # What another worker has taken over meanwhile it folds itself, and its states are the newer ones.
        states = [each for each in self._tables.states(due) if each[1] in ours]
        # At once: what is in memory and what is stored must not differ when anyone looks.
        for table, _, state in states:
            self._floor.states.data[table] = state
        arrivals = [each for table in due for each in self._arrivals.pop(table, [])]
        for table in due:
            del self._since[table]
        self._keeping = self._group.create_task(self._finish(arrivals, states, ours, sending))

    async def _finish(
        self,
        arrivals: list[Arrival],
        states: Iterable[tuple[str, int, str]],
        ours: Container[int],
        sending: asyncio.Task[None],
    ) -> None:
        await sending
        fitting = self._outbox.fitting(states)
        await self._outbox.until_sent(lambda: self._states(fitting))
        for each in arrivals:
            each.delivery.keep(each.record.offset)
        # After the states, so that a reader of a partition's progress has read the states that it rests on.
        deliveries = {
            each.record.partition: each.delivery for each in arrivals if each.record.partition in ours
        }
        messages = [(progress_key(part), part, progress_text(each)) for part, each in deliveries.items()]
        self._floor.states.data.update((key, text) for key, _, text in messages)
        await self._outbox.until_sent(lambda: self._states(messages))
        for each in arrivals:
            each.ack()
        observability.FRAMES.labels("worker").inc(len(arrivals))

    async def _states(self, states: Iterable[tuple[str, int, str]]) -> list[Awaitable[Any]]:
        send = self._floor.states.send_changelog
        return [send(partition, table, state) for table, partition, state in states]
