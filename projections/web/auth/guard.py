"""The guard of every route: whether a request's sender is logged in, has the right, and sent it on purpose.

A route states what it needs by `opt={"needs": …}`: a right, one of several, LOGIN for anyone who is logged
in, None for nothing. A right in `also_needs` is needed besides. A route that states nothing is open to
nobody, and the console does not start with it.
"""

import hmac
from asyncio import to_thread
from typing import Any, Final, Protocol
from urllib.parse import quote, unquote, urlsplit

from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.enums import RequestEncodingType
from litestar.exceptions import (
    HTTPException,
    ImproperlyConfiguredException,
    MethodNotAllowedException,
    NotFoundException,
    PermissionDeniedException,
)
from litestar.handlers import BaseRouteHandler
from litestar.response import Redirect
from litestar.routes import BaseRoute, HTTPRoute
from litestar.utils.path import normalize_path

from projections.web.auth.auth_service import AuthService
from projections.web.auth.masking import MASKING, Masking
from projections.web.auth.roles import Person

LOGIN: Final = "login"
PASSWORD: Final = "password"  # noqa: S105  the name of a need: the right password, and no code yet
SESSION: Final = "discardrack"
BEFORE: Final = "discardrack_before"
_UNSAID: Final = object()
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class NotLoggedIn(HTTPException):
    """Error: not logged in, and the route requires a login."""

    status_code = 401
    detail = "Nobody is logged in; log in first."


class UnknownToken(NotLoggedIn):
    """Error: the token that was sent is not valid."""

    detail = "The token is not known or has ended; `discardrack user token NAME --store STORE` makes another."


class MustChange(HTTPException):
    """The password was given by someone else, for one login."""

    status_code = 403
    detail = "Choose a new password first."


class NeedsCode(HTTPException):
    """Error: the password was right, and the second factor is not proved yet."""

    status_code = 403
    detail = "Enter the code of your second factor first."


class NeedsFactor(HTTPException):
    """Error: the house asks a second factor of the role, and the account has none."""

    status_code = 403
    detail = "Set up a second factor first, on the page of your account."


class HasOwnPage(PermissionDeniedException):
    """The first page is not for the role, and another one is."""

    detail = "The role begins on a page of its own, and does not see the live queue."


class HasAuth(Protocol):
    """Holder of the accounts of a console."""

    auth: AuthService


class Guard:
    """The guard of the routes of one console."""

    def __init__(self, access: HasAuth) -> None:
        self._access = access

    async def admit(self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        """Admit a request to its route, with its sender as `request.user`.

        Raises:
            NotLoggedIn: nobody is logged in, or the token is not valid.
            NeedsCode: the second factor is not proved yet.
            MustChange: a new password must be chosen before anything else.
            NeedsFactor: a second factor must be set up before anything else.
            HasOwnPage: the first page was requested by somebody who does not see the live queue.
            PermissionDeniedException: the role may not, or the request is not from the console's page.
        """
        needs = handler.opt.get("needs", _UNSAID)
        person, masking = await self._who(connection)
        connection.scope["user"] = person
        MASKING.set(masking)
        if person is None and needs is not None:
            raise NotLoggedIn if _token_of(connection) is None else UnknownToken
        is_change = isinstance(connection, Request) and connection.method not in _SAFE
        if is_change and _token_of(connection) is not None:
            raise PermissionDeniedException("A token reads; it cannot change anything.")
        if person is not None and needs is not None:
            # Before the token is looked for: what a form brings is read only of who may bring it.
            self._check_may(connection, person, handler, needs)
        if isinstance(connection, Request) and is_change:
            await self._check_meant(connection, person if needs is not None else None)

    def _check_may(
        self,
        connection: ASGIConnection[Any, Any, Any, Any],
        person: Person,
        handler: BaseRouteHandler,
        needs: object,
    ) -> None:
        if needs == PASSWORD:
            return
        if person.pending == "code":
            raise NeedsCode
        if needs == LOGIN:
            return
        _check_complete(person)
        self._check_right(connection, person, needs)
        if (also := handler.opt.get("also_needs")) is not None:
            self._check_right(connection, person, also)

    def _check_right(
        self, connection: ASGIConnection[Any, Any, Any, Any], person: Person, needs: object
    ) -> None:
        if needs is _UNSAID:
            raise PermissionDeniedException("Nobody may do this.")
        rights = needs if isinstance(needs, tuple) else (needs,)
        if person.rights.isdisjoint(rights):
            if connection.scope["path_template"] == "/" and person.home != "/":
                raise HasOwnPage
            message = f"The role {person.role} may not do this; it needs the right to {' or '.join(rights)}."
            raise PermissionDeniedException(message)

    async def _who(
        self, connection: ASGIConnection[Any, Any, Any, Any]
    ) -> tuple[Person | None, Masking | None]:
        """Return the sender of a request, and their masking of names; with a token no cookie counts."""
        token = _token_of(connection)
        if token is not None:
            # Of a record the route alone: what was opened is noted by its page, as what can be withheld.
            route = str(connection.scope["path_template"])
            return await to_thread(self._access.auth.token_reader, token, route, address_of(connection))
        cookie = connection.cookies.get(SESSION)
        return await to_thread(self._access.auth.session_of_token, cookie) if cookie else (None, None)

    async def _check_meant(self, request: Request[Any, Any, Any], person: Person | None) -> None:
        """Raise PermissionDeniedException if another site made the browser send it, or its token is wrong."""
        if not _comes_from_here(request):
            raise PermissionDeniedException("This was sent from another site.")
        if person is not None:
            expected = person.csrf
        elif cookie := request.cookies.get(BEFORE):
            expected = self._access.auth.csrf_before(cookie)
        else:
            raise PermissionDeniedException("The page is too old; load it again. It needs cookies.")
        brought, form = request.headers.get("X-CSRF-Token"), None
        kind = request.content_type[0]
        is_form = kind == RequestEncodingType.URL_ENCODED
        # A file's form is read only of who is logged in.
        if brought is None and (is_form or (person and kind == RequestEncodingType.MULTI_PART)):
            form = await request.form()
            brought = form.get("csrf")
        if not isinstance(brought, str) or not hmac.compare_digest(brought.encode(), expected.encode()):
            if form is not None:
                await form.close()
            raise PermissionDeniedException("The page is too old; load it again.")


def _check_complete(person: Person) -> None:
    """Raise what leads a person to where the login is completed."""
    if person.must_change:
        raise MustChange
    if person.pending is not None:
        raise NeedsFactor


def check_says_what_it_needs(route: BaseRoute) -> None:
    """Raise ImproperlyConfiguredException if a route does not state who may use it.

    The handlers of OPTIONS are Litestar's own and state nothing.

    Raises:
        ImproperlyConfiguredException: a handler of the route has no `needs`.
    """
    handlers = route.route_handlers if isinstance(route, HTTPRoute) else [route.route_handler]  # type: ignore[attr-defined]
    for handler in handlers:
        own = getattr(handler, "http_methods", None) == {"OPTIONS"}
        if not own and "needs" not in handler.opt:
            raise ImproperlyConfiguredException(f"{route.path} ({handler}) does not say what right it needs")


def sent_away(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Answer a request without a login, a password or the right page: a page redirects to the right one."""
    path = request.url.path.removeprefix(root_of(request))
    is_page = request.method == "GET" and not path.startswith("/api/") and path != "/stream"
    if not is_page or _token_of(request) is not None:
        return Response({"error": error.detail}, status_code=error.status_code)
    if isinstance(error, HasOwnPage):
        return lead(request, request.user.home)
    if type(error) in _PAGES:
        return lead(request, _PAGES[type(error)])
    target = quote(f"{path}?{request.url.query}" if request.url.query else path)
    return lead(request, f"/login{'/second' if isinstance(error, NeedsCode) else ''}?next={target}")


_PAGES: Final[dict[type[HTTPException], str]] = {
    MustChange: "/password",
    NeedsFactor: "/account",
}


def lead(request: Request[Any, Any, Any], path: str) -> Redirect:
    """Lead a browser to a page of the console, which it gets by GET whatever it sent (RFC 9110, 15.4.4)."""
    return Redirect(root_of(request) + path, status_code=303)


def root_of(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the path under which the console stands behind a proxy; empty if it stands alone."""
    return str(request.scope.get("root_path", "")).rstrip("/")


def address_of(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the address that a request came from, as the server knows it."""
    return request.client.host if request.client is not None else "unknown"


def agent_of(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return what a browser calls itself, as far as it can be printed."""
    return "".join(each for each in request.headers.get("User-Agent", "") if each.isprintable())


def _token_of(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the token that a request brings; a proxy may have credentials of another kind there."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else None


def page_after(request: Request[Any, Any, Any], target: str | None) -> str:
    """Return the page to go to after a login: what was asked for, or if it is none the next page above it."""
    to = local(target)
    path = urlsplit(to).path
    if _is_page(request, path):
        return to
    while not _is_page(request, path):
        path = path.rpartition("/")[0] or "/"
    return path


def _is_page(request: Request[Any, Any, Any], path: str) -> bool:
    if path == "/":
        return True
    try:
        request.app.asgi_router.handle_routing(path=normalize_path(unquote(path)), method="GET")
    except (NotFoundException, MethodNotAllowedException):
        return False
    return True


def local(path: str | None) -> str:
    r"""Return a path if it is on the console itself, else that of the first page.

    >>> [local(each) for each in ("/rounds/1?page=2", "//evil.example", r"/\evil.example", "https://x", None)]
    ['/rounds/1?page=2', '/', '/', '/', '/']
    """
    if not path or not path.startswith("/") or path.startswith("//"):
        return "/"
    if "\\" in path or not path.isprintable():
        return "/"
    try:
        parts = urlsplit(path)
    except ValueError:
        return "/"
    return path if not parts.scheme and not parts.netloc else "/"


def _comes_from_here(request: Request[Any, Any, Any]) -> bool:
    """Return True if the request comes from a page of the console, or not from a browser.

    A page that sends no referrer has the origin `null`; then only the token decides.
    """
    if (site := request.headers.get("Sec-Fetch-Site")) is not None:
        return site == "same-origin"
    origin = request.headers.get("Origin")
    if origin in (None, "null"):
        return True
    try:
        return urlsplit(str(origin)).netloc == request.headers.get("Host")
    except ValueError:  # no address at all, such as http://[
        return False
