"""The pages at the door: to log in and out, and to choose a password."""

from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.enums import RequestEncodingType
from litestar.params import Body
from litestar.response import Template
from msgspec import Struct

from projections.web.auth.auth_service import Entry, Refused, cookie_before
from projections.web.auth.guard import BEFORE, LOGIN, SESSION, address_of, lead, page_after, root_of
from projections.web.auth.roles import Person

_NAME: Final = 64  # characters; no name has more
_REFUSED: Final = 403
_TOO_MANY: Final = 429


class Login(Struct):
    """What the form of the login brings."""

    name: str
    password: str
    next: str = "/"


class NewPassword(Struct):
    """What the form for a new password brings."""

    old: str
    new: str
    again: str


@get("/login", opt={"needs": None}, include_in_schema=False, sync_to_thread=True)
def login_page(request: Request[Any, Any, Any], entry: NamedDependency[Entry]) -> Response[Any]:
    """Ask for a name and a password."""
    to = page_after(request, request.query_params.get("next"))
    if request.user is not None:
        return lead(request, to)
    return login_form(request, entry, to)


@post("/login", opt={"needs": None}, include_in_schema=False, sync_to_thread=True)
def login(
    request: Request[Any, Any, Any],
    entry: NamedDependency[Entry],
    data: Annotated[Login, Body(media_type=RequestEncodingType.URL_ENCODED)],
) -> Response[Any]:
    """Log someone in; a session that the browser had ends."""
    to = page_after(request, data.next)
    try:
        token = entry.login(data.name, data.password, address_of(request))
    except Refused as refused:
        return login_form(request, entry, to, refused, data.name[:_NAME])
    if request.user is not None:
        entry.logout(request.user)
    answer = lead(request, to)
    answer.set_cookie(session_cookie(request, SESSION, token))
    answer.delete_cookie(BEFORE, path=root_of(request) or "/")
    return answer


@post("/logout", opt={"needs": LOGIN}, include_in_schema=False, sync_to_thread=True)
def logout(
    request: Request[Any, Any, Any], entry: NamedDependency[Entry], person: NamedDependency[Person]
) -> Response[Any]:
    """Log the person out."""
    entry.logout(person)
    answer = lead(request, "/login" if entry.provider is None else "/login?left=true")
    answer.delete_cookie(SESSION, path=root_of(request) or "/")
    return answer


@get("/password", opt={"needs": LOGIN}, include_in_schema=False)
async def password_page() -> Template:
    """Ask for a new password."""
    return Template("access_password.html", context={"refused": None})


@post("/password", opt={"needs": LOGIN}, include_in_schema=False, sync_to_thread=True)
def password(
    request: Request[Any, Any, Any],
    entry: NamedDependency[Entry],
    person: NamedDependency[Person],
    data: Annotated[NewPassword, Body(media_type=RequestEncodingType.URL_ENCODED)],
) -> Response[Any]:
    """Return the person's account another password, and the browser another session."""
    try:
        token = entry.change_password(person, data.old, (data.new, data.again), address_of(request))
    except Refused as refused:
        return _with_retry_after(Template("access_password.html", context={"refused": refused}), refused)
    answer = lead(request, "/")
    answer.set_cookie(session_cookie(request, SESSION, token))
    return answer


def login_form(
    request: Request[Any, Any, Any],
    entry: Entry,
    to: str,
    refused: Refused | None = None,
    name: str = "",
) -> Response[Any]:
    """Show the page of the login, with why one was refused, and the name that was typed."""
    before = request.cookies.get(BEFORE) or cookie_before()
    context = {
        "csrf": entry.csrf_before(before),
        "next": to,
        "refused": refused,
        "name": name,
        "longest": _NAME,
        "empty": entry.empty(),
        "store": entry.store,
        "left": "left" in request.query_params,
        "provider": entry.provider.settings.called if entry.provider is not None else None,
    }
    answer = _with_retry_after(Template("login.html", context=context), refused)
    answer.set_cookie(session_cookie(request, BEFORE, before))
    return answer


def _with_retry_after(answer: Template, refused: Refused | None) -> Template:
    if refused is not None:
        answer.status_code = _TOO_MANY if refused.wait else _REFUSED
        if refused.wait:
            answer.headers["Retry-After"] = str(refused.wait)
    return answer


def session_cookie(request: Request[Any, Any, Any], key: str, value: str) -> Cookie:
    """Make a cookie that other sites never let the browser send."""
    # The server takes what a proxy says of the scheme only from the proxy that it was told of.
    return Cookie(
        key=key,
        value=value,
        path=root_of(request) or "/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


# One router for all: handlers of one path that are registered one by one are wrapped twice by Litestar.
ROUTES: Final = Router("/", route_handlers=[login_page, login, logout, password_page, password])
