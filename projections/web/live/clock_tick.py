"""What goes on by the time alone: alerts leave a queue, a mute ends, an hour passes since it rang."""

import asyncio
from asyncio import to_thread
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from litestar import Litestar

from projections.casework.command_handler import CommandHandler
from projections.web.auth.auth_service import Entry
from projections.web.live.broadcaster import Live, Rate
from projections.web.pages.action_routes import Clock

_EVERY: Final = 1.0  # seconds; the due times and the room's settings are minutes


class Ticking:
    """Looks at the clock for as long as a console is open, and tells its pages what that changed."""

    def __init__(self, commands: CommandHandler, live: Live, entry: Entry, wall: Clock) -> None:
        self._desk, self._live, self._entry, self._wall = commands, live, entry, wall

    @asynccontextmanager
    async def lifespan(self, _app: Litestar) -> AsyncIterator[None]:
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
            self._live.tell(self._desk.news())
            self._live.rated(rate)
            with suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), _EVERY)

    def tick(self) -> Rate:
        """Let the desk see what time it is; give how often it rang."""
        now = self._wall()
        self._desk.goes_on(now)
        return Rate(self._desk.rings(now), len(self._entry.on_duty()))
