"""The console's routes, made once: a console has those that another one has left."""

from collections.abc import Callable
from typing import Final, TypeAlias

from litestar import Litestar

from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService

Hooks: TypeAlias = tuple[list[object], list[object]]  # what an application does as it starts and ends


class ReusedRoutes:
    """Makes applications as `build` does, from the accounts and the megabytes of an attachment.

    Those of a console that has ended serve the next one: it takes 0.3 s to make them. A console with a
    provider of identities has routes of its own.
    """

    def __init__(self, build: Callable[[AuthService, int], Litestar]) -> None:
        self._build: Final = build
        self._unused: dict[int, list[tuple[Litestar, Hooks]]] = {}

    def __call__(self, auth: AuthService, attachment_megabytes: int) -> Litestar:
        """Return an application that nobody else uses."""
        if auth.provider is not None:
            return self._build(auth, attachment_megabytes)
        if not self._unused.get(attachment_megabytes):
            self.add_unused(auth, attachment_megabytes)
        app, hooks = self._unused[attachment_megabytes].pop()
        app.on_startup[:], app.on_shutdown[:] = hooks
        app.plugins.get(Access).auth = auth
        return app

    def add_unused(self, auth: AuthService, attachment_megabytes: int) -> None:
        """Make one that is used by the next console."""
        app = self._build(auth, attachment_megabytes)
        free = self._unused.setdefault(attachment_megabytes, [])
        app.on_shutdown.append(lambda: free.append((app, hooks)))
        hooks: Hooks = (list(app.on_startup), list(app.on_shutdown))
        free.append((app, hooks))
