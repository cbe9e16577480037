"""Followers of a floor for a served console, as tasks beside its server."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

import uvicorn


class Follower(Protocol):
    """Brings into the console's store what goes on at a floor, or what is done at the console out of it."""

    def follow(self) -> Coroutine[Any, Any, None]:
        """Follow the floor until cancelled."""


class KafkaSource:
    """Follower of a floor, as tasks beside a server; if one fails, the server ends."""

    def __init__(self, followers: Sequence[Follower], server: uvicorn.Server) -> None:
        self._followers, self._server = followers, server
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to follow."""
        self._tasks = [asyncio.create_task(each.follow()) for each in self._followers]
        for task in self._tasks:
            task.add_done_callback(self._ended)

    async def stop(self) -> None:
        """End, each in order."""
        running = [task for task in self._tasks if not task.done()]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    def result(self) -> None:
        """Raise what one failed with, by itself or in writing what was left when it was to end."""
        for task in self._tasks:
            if not task.cancelled():
                task.result()

    def _ended(self, _task: asyncio.Task[None]) -> None:
        self._server.should_exit = True
