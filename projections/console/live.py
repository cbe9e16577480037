"""What the console knows of the projector beside it, and how it tells the pages that something came."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

import duckdb
from litestar.response.sse import ServerSentEventMessage

State: TypeAlias = Literal["ok", "kafka away", "topics missing"]

# A proxy ends a connection that is silent for a minute; a page whose connection broke asks again after two
# seconds.
_SILENCE: Final = 15.0  # seconds
_RETRY: Final = 2_000  # milliseconds


class Live:
    """A floor that is followed: how the projector stands with Kafka, and the pages that wait for news.

    `db` is the writer's own store, read through cursors; `zone` is the property's. The methods belong to the
    thread of the event loop.
    """

    def __init__(self, db: duckdb.DuckDBPyConnection, zone: str) -> None:
        self.db, self.zone = db, zone
        self.copying = threading.Lock()  # one snapshot at a time
        self.state: State = "kafka away"
        self.since = datetime.now(UTC)
        self.lag = 0
        self.written: datetime | None = None
        self._brought = 0
        self._ending = False
        self._news = asyncio.Event()

    def turned(self, state: State) -> None:
        """Note how the projector stands with Kafka from now on."""
        if state != self.state:
            self.state, self.since = state, datetime.now(UTC)
            self._wake()

    def stored(self, new: int) -> None:
        """Note a commit and how much in it was new: conclusions, and what could not be read."""
        self.written = datetime.now(UTC)
        if new:
            self._brought += new
            self._wake()

    def end(self) -> None:
        """Let every stream end: the process is about to."""
        self._ending = True
        self._wake()

    async def stream(self) -> AsyncIterator[ServerSentEventMessage]:
        """Give an event for each commit that brought something and each turn of Kafka.

        The data is JSON: how much is new since the last event, and the state. Commits that come while one
        is being sent are told together; after a silence comes a comment.
        """
        news, told = self._news, self._brought
        yield ServerSentEventMessage(event="hello", data=self._said(0), retry=_RETRY)
        while not self._ending:
            try:
                async with asyncio.timeout(_SILENCE):
                    await news.wait()
            except TimeoutError:
                yield ServerSentEventMessage(data=None, comment="still here")
                continue
            news, before, told = self._news, told, self._brought
            if not self._ending:
                yield ServerSentEventMessage(event="stored", data=self._said(told - before))

    def _said(self, new: int) -> str:
        return json.dumps({"new": new, "state": self.state})

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
