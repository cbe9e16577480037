"""A batch of records into the store, and then to the pages: the one way, wherever the records come from."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from projections.console.live.live import Live
from streams.acting import KEY
from streams.projector.storing import Fetched, Storing
from streams.projector.taking_back import TakingBack
from streams.topics import FRAMES

_T = TypeVar("_T")


class Entering:
    """Stores batches one after the other and tells the pages what came of each."""

    def __init__(self, storing: Storing, live: Live, back: TakingBack | None = None) -> None:
        """Store with `storing`; with `back`, what was done at the console is taken back too."""
        self._storing, self._live, self._back = storing, live, back

    async def take(self, cluster: str, records: Sequence[Fetched]) -> None:
        """Store a batch, which may be empty, and tell of it.

        Raises:
            DiscardrackError: the store's file cannot be written.
        """
        await self.take_back(cluster, records)
        new = await _to_its_end(asyncio.to_thread(self._storing.take, cluster, records))
        if any(each.topic != FRAMES for each in records):
            self._live.tell(self._storing.desk_news())
            self._live.stored(new)
        self.stand(cluster)

    async def take_back(self, cluster: str, records: Sequence[Fetched]) -> None:
        """Take back what of some records was done at the console, and tell of it.

        Raises:
            DiscardrackError: the store's file cannot be written.
        """
        if self._back is None or not any(each.key == KEY for each in records):
            return
        new = await _to_its_end(asyncio.to_thread(self._back.from_kafka, cluster, records))
        self._live.tell(self._storing.desk_news())
        self._live.stored(new)

    def stand(self, cluster: str) -> None:
        """Let the pages know how the tables stand that were heard of."""
        news = self._storing.news(cluster)
        self._live.stood(cluster, news.standings, news.lags)


async def _to_its_end(work: Coroutine[Any, Any, _T]) -> _T:
    """Await work in a thread; when cancelled, only once it has ended: a store is not closed under it."""
    running = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise
