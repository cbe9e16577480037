"""What the console knows of the projector beside it, and how it tells the pages that something came."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

import duckdb
from litestar.response.sse import ServerSentEventMessage

from projections.standing.floor import Lag
from projections.standing.fold import Standing

State: TypeAlias = Literal["ok", "kafka away", "topics missing"]

# A proxy ends a connection that is silent for a minute; a page whose connection broke asks again after two
# seconds.
_SILENCE: Final = 15.0  # seconds
_RETRY: Final = 2_000  # milliseconds
_MOVES: Final = 1.0  # seconds at least from one word that tables have moved to the next


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
        # How the tables stand, and how long the last conclusion of each took into the store.
        self.tables: dict[str, Standing] = {}
        self.lags: dict[str, Lag] = {}
        self._cluster: str | None = None
        self._moved = self._moves = 0
        self._told_moves = 0.0
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

    def stood(self, cluster: str, standings: Mapping[str, Standing], lags: Mapping[str, Lag]) -> None:
        """Note how tables stand now; those of another cluster than before are another floor's.

        Whoever follows a floor says so at least once a second, news or none: pages are told then of what
        moved since they were told last.
        """
        if cluster != self._cluster:
            self._cluster, self.tables, self.lags = cluster, {}, {}
        self.tables |= standings
        self.lags |= lags
        self._moved += len(standings) + len(lags)
        if self._moved != self._moves and time.monotonic() >= self._told_moves + _MOVES:
            self._moves, self._told_moves = self._moved, time.monotonic()
            self._wake()

    def end(self) -> None:
        """Let every stream end: the process is about to."""
        self._ending = True
        self._wake()

    async def stream(self) -> AsyncIterator[ServerSentEventMessage]:
        """Give an event for each commit that brought something and each turn of Kafka, and of moving tables.

        The data is JSON: how much is new since the last event, and the state. Commits that come while one
        is being sent are told together; after a silence comes a comment. `tables` says that tables have
        moved, at most once a second.
        """
        news, told, state, moves = self._news, self._brought, self.state, self._moves
        yield ServerSentEventMessage(event="hello", data=self._said(0), retry=_RETRY)
        while not self._ending:
            try:
                async with asyncio.timeout(_SILENCE):
                    await news.wait()
            except TimeoutError:
                yield ServerSentEventMessage(data=None, comment="still here")
                continue
            news, before, told = self._news, told, self._brought
            if told != before or state != self.state:
                state = self.state
                yield ServerSentEventMessage(event="stored", data=self._said(told - before))
            if moves != self._moves:
                moves = self._moves
                yield ServerSentEventMessage(event="tables", data=self._said(0))

    def _said(self, new: int) -> str:
        return json.dumps({"new": new, "state": self.state})

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
