"""The plugin for access to the console: guard, routes, and the dependencies of the other routes."""

from typing import Any

from litestar import Request
from litestar.config.app import AppConfig
from litestar.datastructures import MutableScopeHeaders
from litestar.di import NamedDependency, Provide
from litestar.plugins import InitPlugin, ReceiveRoutePlugin
from litestar.response import Response, Template
from litestar.routes import BaseRoute
from litestar.types import Message, Scope

from projections.web.auth import access_log_pages, account_pages, own_account_pages, saved_views
from projections.web.auth.auth_service import AuthService
from projections.web.auth.embargo import Hidden
from projections.web.auth.guard import (
    Guard,
    HasOwnPage,
    MustChange,
    NeedsCode,
    NeedsFactor,
    NotLoggedIn,
    check_says_what_it_needs,
    sent_away,
)
from projections.web.auth.masking import MASKING, Masking, mask
from projections.web.auth.roles import Person
from projections.web.delivery import ThreadedPage


class Access(InitPlugin, ReceiveRoutePlugin):
    """Admits to a console only whom its store's accounts know, and masks names in what it answers.

    Routes may ask for `person`, who is logged in; for `hidden`, what is withheld from this person; for
    `masking`, by which a route masks its answer; for `access_recorder`, which notes what is viewed; and
    for `auth`, which is closed with the console.
    """

    def __init__(self, auth: AuthService) -> None:
        self.auth = auth

    def on_app_init(self, app_config: AppConfig) -> AppConfig:
        """Add the guard, the routes and the dependencies."""
        app_config.guards.append(Guard(self).admit)
        app_config.route_handlers += [
            account_pages.LOGIN_ROUTES,
            access_log_pages.ROUTES,
            account_pages.ACCOUNT_ROUTES,
            own_account_pages.ROUTES,
            saved_views.ROUTES,
        ]
        if self.auth.provider is not None:
            from projections.web.auth import oidc_pages  # noqa: PLC0415  its library is an extra

            app_config.route_handlers.append(oidc_pages.ROUTES)
            app_config.dependencies["provider"] = Provide(lambda: self.auth.provider, sync_to_thread=False)
        app_config.dependencies |= {
            "auth": Provide(lambda: self.auth, sync_to_thread=False),
            "person": Provide(_person, sync_to_thread=False),
            "hidden": Provide(_hidden, sync_to_thread=True),
            "masking": Provide(_masking, sync_to_thread=False),
            "views": Provide(lambda: self.auth.views, sync_to_thread=False),
            "access_recorder": Provide(lambda: self.auth.access_recorder, sync_to_thread=False),
        }
        app_config.after_request = _finish
        app_config.before_send.append(_keep_nowhere)
        app_config.exception_handlers[NotLoggedIn] = sent_away
        app_config.exception_handlers[MustChange] = sent_away
        app_config.exception_handlers[NeedsCode] = sent_away
        app_config.exception_handlers[NeedsFactor] = sent_away
        app_config.exception_handlers[HasOwnPage] = sent_away
        app_config.on_shutdown.append(self.close)
        return app_config

    def close(self) -> None:
        """Close the accounts as the console is shut down."""
        self.auth.close()

    def receive_route(self, route: BaseRoute) -> None:
        """Raise ImproperlyConfiguredException if a route does not state the right that it needs."""
        check_says_what_it_needs(route)


async def _finish(response: Response[Any]) -> Response[Any]:
    """Mask the names in an answer, and have a page rendered by a thread."""
    masked = await mask(response)
    return ThreadedPage(masked) if isinstance(masked, Template) else masked


async def _keep_nowhere(message: Message, _scope: Scope) -> None:
    """Set `Cache-Control: no-store` on every response that is not marked public."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders(message)
        if "public" not in headers.get("Cache-Control", ""):
            headers["Cache-Control"] = "no-store"


def _person(request: Request[Any, Any, Any]) -> Person:
    person: Person = request.user
    return person


def _hidden(auth: NamedDependency[AuthService], person: NamedDependency[Person]) -> Hidden:
    return auth.embargoes.hidden(person.name)


def _masking() -> Masking:
    masking = MASKING.get()
    if masking is None:  # not logged in, on a route that is open to everybody
        raise NotLoggedIn
    return masking
