"""The state of the projector as the console has it, its broadcast to the pages, and the rate of rings."""

import asyncio
import json
import secrets
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

import duckdb
from litestar.response.sse import ServerSentEventMessage
from msgspec import Struct

from projections.casework.alert_watch import CaseworkNews
from projections.casework.table_status import Lag, TableStatus
from projections.views.time_text import moment_text
from projections.web.phrases.page_phrases import pace

# ── How often it rings: what the room is measured by, and shown to it ─────────────────────────────────

LIMIT: Final = 6  # rings an hour for each operator on a realistic night


class Rate(Struct, frozen=True):
    """Alerts that rang in the last hour, and how many people who work on alerts are present."""

    rings: int = 0
    operators: int = 0

    @property
    def over(self) -> bool:
        """Return True if the rate is above the limit for each operator.

        >>> Rate(12, 2).over, Rate(13, 2).over, Rate(6, 0).over
        (False, True, False)
        """
        return self.rings > LIMIT * max(1, self.operators)

    def describe(self) -> str:
        """Return the rate as a phrase.

        >>> Rate(1, 1).describe(), Rate(12, 0).describe()
        ('rang once in the last hour, 1 on duty', 'rang 12 times in the last hour, nobody on duty')
        """
        times = "once" if self.rings == 1 else f"{self.rings} times"
        return f"rang {times} in the last hour, {self.operators or 'nobody'} on duty"


# ── What the console knows of the projector, and how it notifies the pages of news ─────────────────────

# The audit is stalled where frames wait and no worker applies them.
State: TypeAlias = Literal["ok", "kafka away", "topics missing", "audit stalled", "recorded"]
# An event's name and its data.
StreamEvent: TypeAlias = tuple[str, str]

# A proxy ends a connection that is silent for a minute; a page whose connection broke asks again after two
# seconds.
_SILENCE: Final = 15.0  # seconds
_RETRY: Final = 2_000  # milliseconds
_MOVES: Final = 1.0  # seconds at least from one word that tables have moved to the next
# Most commits bring rounds without findings.
_COMMITS: Final = 1.0  # seconds at least from one word of a commit to the next
_STILL_HERE: Final = ServerSentEventMessage(data=None, comment="still here").encode()
_MOST_NEWS: Final = 2_000  # after this many the page of a slow stream is fetched again


@runtime_checkable  # Litestar asks whether what it hands on is one
class EventSource(Protocol):
    """Message of a stream to its listener; `began` is how many messages there were when that was known."""

    @property
    def began(self) -> int:
        """Return the number of broadcasts when the stream began."""

    def first_events(self) -> Iterable[StreamEvent]:
        """Return how things stand at first."""

    def events_since(self, news: CaseworkNews) -> Iterable[StreamEvent]:
        """Return what news at the desk changed."""


class LiveFloor:
    """Live state while the console is open: how a followed floor stands, and the pages that wait for news.

    `db` is the writer's own store, read through cursors; `zone` is the property's. A store that no floor is
    followed into is `recorded`, and people act on it all the same. The methods belong to the thread of the
    event loop.
    """

    def __init__(self, db: duckdb.DuckDBPyConnection, zone: str, state: State = "kafka away") -> None:
        self.db, self.zone = db, zone
        self.archive = "ARCHIVE"  # as the commands on pages call it, unless it is known where it is
        # Kafka's addresses, as commands on pages name them; None if no live floor is followed.
        self.brokers: str | None = None
        self.copying = threading.Lock()  # one snapshot at a time
        self.state: State = state
        # So many times as fast as it was, where what is followed is a recorded floor that plays.
        self.play_speed: float | None = None
        self.since = datetime.now(UTC)
        self.lag = 0
        self.written: datetime | None = None
        # How the tables stand, and how long the last conclusion of each took into the store.
        self.tables: dict[str, TableStatus] = {}
        self.lags: dict[str, Lag] = {}
        self._cluster: str | None = None
        self._moved = self._moves = 0
        self._moves_sent_at = 0.0
        self._brought = 0
        self._commits_sent_at = 0.0
        self._commit_timer: asyncio.TimerHandle | None = None
        self._news_log: deque[CaseworkNews] = deque(maxlen=_MOST_NEWS)
        self.broadcasts = 0
        self.rate = Rate()
        self.listening = 0
        self._ending = False
        self._process = secrets.token_hex(4)
        self._news = asyncio.Event()
        # The message being sent, encoded once for all streams.
        self._outgoing: dict[StreamEvent, bytes] = {}

    @property
    def version(self) -> str:
        """Return a text that changes with anything new on a page, except on the floor's tiles."""
        return f"{self._process}.{self._brought}.{self.broadcasts}.{self.state}"

    @property
    def has_own_clock(self) -> bool:
        """Return True if the floor's clock is another than the one on the wall: it is recorded, or plays."""
        return self.play_speed is not None or self.state == "recorded"

    def describe(self) -> str:
        """Return how the floor is followed and when something was last written, as at a page's foot."""
        if self.written is None:
            return f"{self._follows()}; nothing new since this process began."
        return f"{self._follows()}; last written {moment_text(self.written, self.zone)}."

    @property
    def is_current(self) -> bool:
        """Return True if the pages show all that there is, because the floor is followed."""
        return self.play_speed is not None or self.state in ("ok", "recorded")

    def _follows(self) -> str:
        if self.state == "recorded":
            return "A recorded floor"
        if self.play_speed is not None:
            return f"A recorded floor plays, {pace(self.play_speed)}"
        if self.is_current:
            return f"Following the floor, {f'{self.lag:,}' if self.lag else 'nothing'} waiting"
        return (
            f"Not following the floor since {moment_text(self.since, self.zone)}: {self.state.capitalize()}"
        )

    def turned(self, state: State) -> None:
        """Note how the projector stands with Kafka from now on."""
        if state != self.state:
            self.state, self.since = state, datetime.now(UTC)
            self._wake()

    def stored(self, new: int) -> None:
        """Note a commit and how much in it was new: conclusions, and what could not be read."""
        self.written = datetime.now(UTC)
        if not new:
            return
        self._brought += new
        wait = self._commits_sent_at + _COMMITS - time.monotonic()
        if wait <= 0:
            self._send_commits()
        elif self._commit_timer is None:
            self._commit_timer = asyncio.get_running_loop().call_later(wait, self._send_commits)

    def _send_commits(self) -> None:
        self._commit_timer, self._commits_sent_at = None, time.monotonic()
        self._wake()

    def set_state(self, cluster: str, standings: Mapping[str, TableStatus], lags: Mapping[str, Lag]) -> None:
        """Set the present status of tables; those of another cluster belong to another floor.

        The follower of a floor calls it at least once a second, with or without news. Pages are then notified
        of what has moved since the last time.
        """
        if cluster != self._cluster:
            self._cluster, self.tables, self.lags = cluster, {}, {}
        self.tables |= standings
        self.lags |= lags
        self._moved += len(standings) + len(lags)
        if self._moved != self._moves and time.monotonic() >= self._moves_sent_at + _MOVES:
            self._moves, self._moves_sent_at = self._moved, time.monotonic()
            self._wake()

    def broadcast(self, news: CaseworkNews) -> None:
        """Send every stream what changed in the casework."""
        if news:
            self._news_log.append(news)
            self.broadcasts += 1
            self._wake()

    def rated(self, rate: Rate) -> None:
        """Note how often it rings now."""
        if rate != self.rate:
            self.rate = rate
            self._wake()

    def end(self) -> None:
        """End every stream, before the process ends."""
        self._ending = True
        self._wake()

    async def stream(self, words: EventSource) -> AsyncGenerator[bytes, None]:
        """Yield an event for each commit that brought something, each change of Kafka, and moved tables.

        Each is the text of a server-sent event. Its data is JSON: the state, and what `describe` returns. It
        does not contain how much is new: every page gets the same, and some of it may be withheld from one.
        Commits that come while one is being sent, or within a second, are one event; after a silence comes a
        comment. Events of one moment are sent together, and encoded once for all streams. `tables` reports
        that tables have moved, at most once a second. The page's own source adds events for changes in
        casework. A stream that lags too far behind has its page fetched again (`reload`). `rate` has how
        often it rings, `floor` whether the floor is followed.
        """
        self.listening += 1
        try:
            async for outgoing in self._events_for(words):
                if outgoing:
                    yield outgoing
        finally:
            self.listening -= 1

    async def _events_for(self, words: EventSource) -> AsyncIterator[bytes]:
        news, brought, state, moves = self._news, self._brought, self.state, self._moves
        broadcasts, rate = words.began, self.rate
        first = [self._floor(), *words.first_events(), *self._since(broadcasts, words), self._rated()]
        broadcasts = self.broadcasts
        hello = ServerSentEventMessage(event="hello", data=self._state_json(), retry=_RETRY)
        yield hello.encode() + self._written(first)
        while not self._ending:
            try:
                async with asyncio.timeout(_SILENCE):
                    await news.wait()
            except TimeoutError:
                yield _STILL_HERE
                continue
            news, before, brought = self._news, brought, self._brought
            messages = list(self._since(broadcasts, words))
            broadcasts = self.broadcasts
            if brought != before or state != self.state:
                messages.append(("stored", self._state_json()))
            if state != self.state:
                state = self.state
                messages.append(self._floor())
            if rate != self.rate:
                rate = self.rate
                messages.append(self._rated())
            if moves != self._moves:
                moves = self._moves
                messages.append(("tables", self._state_json()))
            yield self._written(messages)

    def _since(self, broadcasts: int, words: EventSource) -> Iterator[StreamEvent]:
        missed = self.broadcasts - broadcasts
        if missed > len(self._news_log):
            yield "reload", "{}"
            return
        for news in list(self._news_log)[len(self._news_log) - missed :]:
            yield from words.events_since(news)

    def _rated(self) -> StreamEvent:
        rate = self.rate
        return "rate", json.dumps({"rings": rate.rings, "text": rate.describe(), "over": rate.over})

    def _floor(self) -> StreamEvent:
        return "floor", json.dumps({"followed": self.is_current, "text": self._follows()})

    def _state_json(self) -> str:
        return json.dumps({"state": self.state, "text": self.describe(), "version": self.version})

    def _written(self, messages: Iterable[StreamEvent]) -> bytes:
        """Encode messages of one moment as one: each sending costs more than its content."""
        return b"".join(map(self._message, messages))

    def _message(self, message: StreamEvent) -> bytes:
        if message not in self._outgoing:
            event, data = message
            self._outgoing[message] = ServerSentEventMessage(event=event, data=data).encode()
        return self._outgoing[message]

    def _wake(self) -> None:
        self._outgoing = {}
        news, self._news = self._news, asyncio.Event()
        news.set()
