"""Ingest of batches of records, from any source: first to the pages, then into the store.

The pages are notified of a batch at once. One write runs at a time; the batches that came meanwhile are
written together as the next, so transactions grow with the load.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from projections.web.live.broadcaster import LiveFloor
from streams.action_publisher import KEY
from streams.projector.record_batch import FetchedRecord
from streams.projector.restore import ActionRestore
from streams.projector.writer import HeardBatch, StoreWriter

_T = TypeVar("_T")

_MOST: Final = 4_000  # records that wait to be written, before no more are taken
# A transaction takes twenty milliseconds of a processor, whatever is in it. Who waits for one hurries it.
_PACE: Final = 0.5  # seconds at most from one to the next


class BatchIngest:
    """Batches on their way to the pages and the store, one after the other."""

    def __init__(self, writer: StoreWriter, live: LiveFloor, back: ActionRestore | None = None) -> None:
        """Store with `writer`; with `back`, actions at the console are restored too."""
        self._storing, self._live, self._back = writer, live, back
        self._batches: list[HeardBatch] = []
        self._writing: asyncio.Task[None] | None = None
        self._wrote = -_PACE
        self._awaited = asyncio.Event()
        # How far the store has been written, also by table states: by topic and partition.
        self.reached: dict[tuple[str, int], int] = {}

    async def broadcast(self, cluster: str, records: Sequence[FetchedRecord]) -> None:
        """Broadcast a batch, which may be empty, and start to write it; the next one need not wait for that.

        Raises:
            DiscardrackError: the store's file cannot be written.
        """
        await self.take_back(cluster, records)
        batches = await _to_its_end(asyncio.to_thread(self._storing.hear, cluster, records))
        self._live.broadcast(self._storing.casework_news())
        self._batches.append(batches)
        if self._writing is not None and self._writing.done():
            self._writing.result()
            self._writing = None
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        if sum(len(each.batch) for each in self._batches) > _MOST:
            await self.written()
        self.stand(cluster)

    async def written(self) -> None:
        """Wait until all that was taken is in the store.

        Raises:
            DiscardrackError: the store's file cannot be written.
        """
        if self._writing is not None:
            self._awaited.set()
            await _to_its_end(self._writing)

    async def take_back(self, cluster: str, records: Sequence[FetchedRecord]) -> None:
        """Restore the actions among some records, and notify the pages.

        Raises:
            DiscardrackError: the store's file cannot be written.
        """
        if self._back is None or not any(each.key == KEY for each in records):
            return
        new = await _to_its_end(asyncio.to_thread(self._back.from_kafka, cluster, records))
        self._live.broadcast(self._storing.casework_news())
        self._live.stored(new)

    def stand(self, cluster: str) -> None:
        """Broadcast the status of the tables with news."""
        news = self._storing.news(cluster)
        self._live.set_state(cluster, news.standings, news.lags)

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        self._awaited.clear()
        self._storing.hurried_by(lambda: loop.call_soon_threadsafe(self._awaited.set))
        while self._batches:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._wrote + _PACE):
                    await self._awaited.wait()
            self._awaited.clear()
            self._wrote = loop.time()
            batches, self._batches = self._batches, []
            new = await _to_its_end(asyncio.to_thread(self._storing.write, batches))
            for each in batches:
                self.reached |= each.batch.leads()
            self._live.broadcast(self._storing.casework_news())
            if any(each.batch.reached for each in batches):
                self._live.stored(new)


async def _to_its_end(coroutine: Coroutine[Any, Any, _T] | asyncio.Task[_T]) -> _T:
    """Await work in a thread; when cancelled, only once it has ended: a store is not closed under it."""
    running = asyncio.ensure_future(coroutine)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise
