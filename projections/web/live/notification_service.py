"""Notifications while a console is open: its people as the notifier asks about them, and its steps."""

import asyncio
from asyncio import to_thread
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog

from projections.notify.notifier import Account, Notifier
from projections.web.auth.auth_service import AuthService
from projections.web.auth.roles import rights_of

_EVERY: Final = 1.0  # seconds

_log: Final = structlog.get_logger()


class ConsolePeople:
    """The people of a console's accounts."""

    def __init__(self, auth: AuthService) -> None:
        self._auth = auth

    def accounts(self) -> list[Account]:
        """Return the accounts that may log in and work on alerts."""
        return [
            Account(each.name, each.role)
            for each in self._auth.accounts.all()
            if not each.disabled and "work" in rights_of(each.role)
        ]

    def hidden(self, name: str) -> frozenset[str]:
        """Return what is withheld from an account."""
        return self._auth.embargoes.hidden(name).subjects

    def withheld(self) -> list[frozenset[str]]:
        """Return what is withheld from each account from which anything is."""
        return self._auth.embargoes.withheld()


class Notifying:
    """Runs the notifier for as long as a console is open; its failure stops nothing else."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._failed = False

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """Send while the application runs."""
        ending = asyncio.Event()
        stepping = asyncio.create_task(self._go_on(ending))
        try:
            yield
        finally:
            ending.set()
            await stepping
            self._notifier.outbox.close()

    async def _go_on(self, ending: asyncio.Event) -> None:
        while not ending.is_set():
            await to_thread(self._step)
            with suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), _EVERY)

    def _step(self) -> None:
        try:
            self._notifier.step()
            self._failed = False
        except Exception as error:  # noqa: BLE001  it is tried again in a second, and the console goes on
            if not self._failed:
                _log.error("notifying_failed", exc_info=error)
            self._failed = True
