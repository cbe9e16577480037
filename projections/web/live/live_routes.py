"""The streams by which open pages are updated, a copy of the store, and the tick of the clock."""

import asyncio
from asyncio import to_thread
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any, BinaryIO, Final

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException, NotFoundException, PermissionDeniedException
from litestar.response import Stream
from litestar.types import ControllerRouterHandler
from prometheus_client import REGISTRY
from prometheus_client.exposition import choose_encoder

from projections.casework.command_handler import CommandHandler
from projections.store.store_file import snapshot
from projections.web.auth.access_log import AccessRecorder
from projections.web.auth.auth_service import AuthService, while_admitted
from projections.web.auth.embargo import Hidden
from projections.web.auth.roles import Person
from projections.web.live.broadcaster import EventSource, LiveFloor, Rate
from projections.web.pages.action_routes import Clock

BEHIND: Final = "behind_proxy"  # of the application's state: whether its server stands behind a proxy
_PIECE: Final = 1 << 20  # bytes
_CONFLICT: Final = 409
_CHARSET: Final = "; charset=utf-8"
_LOOPBACK: Final = ("127.0.0.1", "::1")
_FORWARDED: Final = {"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"}


@get("/stream", opt={"needs": "see"}, media_type="text/event-stream")
async def stream(
    live: NamedDependency[LiveFloor],
    event_source: NamedDependency[EventSource],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
) -> Stream:
    """Send an event for each commit that brought something, and for what happens at the desk.

    It ends soon after the person is not logged in any more.
    """
    return Stream(
        while_admitted(live.stream(event_source), auth, person),
        media_type="text/event-stream",
        # A proxy that gathered what comes would keep it from the page.
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )


@get("/metrics", sync_to_thread=True, opt={"needs": None})
def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the process's figures for Prometheus, to this machine and people who may see its health.

    Behind a proxy no request counts as local: a proxy that does not name its client looks as if it were.
    """
    of_health = request.user is not None and "health" in request.user.rights
    if not of_health and not _is_from_here(request):
        raise NotFoundException
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    # Litestar names the charset of a text itself.
    media_type = content_type.removesuffix(_CHARSET) if content_type.startswith("text/") else content_type
    return Response(encode(REGISTRY), media_type=media_type)


@get("/api/snapshot", sync_to_thread=True, media_type="application/octet-stream", opt={"needs": "snapshot"})
def take_snapshot(
    live: NamedDependency[LiveFloor],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    access_recorder: NamedDependency[AccessRecorder],
) -> Stream:
    """Return a copy of the store as it is at one moment: a DuckDB file that `serve --store` opens.

    It has every record and every name in it.
    """
    if hidden.subjects:
        raise PermissionDeniedException(
            "A copy has every record of the store in it; this account may not take one."
        )
    access_recorder.note_exported(person, "a copy of the store")
    if not live.copying.acquire(blocking=False):
        raise HTTPException("A snapshot is being made; ask again when it is done.", status_code=_CONFLICT)
    try:
        with live.db.cursor() as cursor:
            copy = snapshot(cursor)
    finally:
        live.copying.release()
    size = copy.seek(0, 2)
    copy.seek(0)
    headers = {
        "Content-Disposition": 'attachment; filename="discardrack.duckdb"',
        "Content-Length": str(size),
    }
    return Stream(_pieces(copy), media_type="application/octet-stream", headers=headers)


def _is_from_here(request: Request[Any, Any, Any]) -> bool:
    """Return True if a request comes from this machine, and by no proxy."""
    if request.app.state.get(BEHIND, False) or _FORWARDED & set(request.headers):
        return False
    return request.client is not None and request.client.host in _LOOPBACK


def _pieces(copy: BinaryIO) -> Iterator[bytes]:
    with copy:
        while piece := copy.read(_PIECE):
            yield piece


LIVE_ROUTES: Final[list[ControllerRouterHandler]] = [stream, metrics, take_snapshot]


# ── The tick of the clock ─────────────────────────────────────────────────────────────────────────────

_EVERY: Final = 1.0  # seconds; the due times and the room's settings are minutes


class Ticking:
    """Reads the clock for as long as a console is open, and notifies its pages of what that changed."""

    def __init__(
        self, commands: CommandHandler, live: LiveFloor, auth: AuthService, wall_clock: Clock
    ) -> None:
        self._desk, self._live, self._auth, self._wall_clock = commands, live, auth, wall_clock

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """Look at the clock while the application runs."""
        ending = asyncio.Event()
        ticking = asyncio.create_task(self._go_on(ending))
        try:
            yield
        finally:
            ending.set()
            await ticking

    async def _go_on(self, ending: asyncio.Event) -> None:
        while not ending.is_set():
            rate = await to_thread(self.tick)
            self._live.broadcast(self._desk.news())
            self._live.rated(rate)
            with suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), _EVERY)

    def tick(self) -> Rate:
        """Apply the present time to the casework; return how often it rang in the last hour."""
        now = self._wall_clock()
        self._desk.tick(now)
        return Rate(self._desk.rings(now), len(self._auth.on_duty()))
