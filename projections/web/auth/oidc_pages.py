"""The way to the property's own login and back; there is one only where `serve` was given a provider."""

import base64
import hmac
from typing import Any, Final
from urllib.parse import quote

import msgspec
from litestar import Request, Response, Router, get
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.response import Redirect, Template

from projections.web.auth.account_pages import login_form, page_of_person, session_cookie
from projections.web.auth.auth_service import AuthService, LoginRefused
from projections.web.auth.guard import SESSION, address_of, agent_of, page_after, root_of
from projections.web.auth.oidc import LoginRequest, Provider, Unproven

_COOKIE: Final = "discardrack_oidc"
_LONGEST: Final = 600  # seconds at the provider
_SEE_OTHER: Final = 303
_NO_WAY_OUT: Final = "Nothing leads out of the property's login from here; close the browser."
_read: Final = msgspec.json.Decoder(LoginRequest).decode


@get("/oidc/login", opt={"needs": None}, include_in_schema=False, sync_to_thread=True)
def away(
    request: Request[Any, Any, Any], auth: NamedDependency[AuthService], provider: NamedDependency[Provider]
) -> Response[Any]:
    """Send a browser to the provider."""
    to = page_after(request, request.query_params.get("next"))
    try:
        address, login_request = provider.ask(to, auth.file.now())
    except Unproven as error:
        return login_form(request, auth, to, auth.note_unproven(error, address_of(request)))
    answer: Response[Any] = Redirect(address, status_code=_SEE_OTHER)
    answer.set_cookie(_cookie(request, _sealed(auth, login_request)))
    return answer


@get("/oidc/out", opt={"needs": None}, include_in_schema=False, sync_to_thread=True)
def out(
    request: Request[Any, Any, Any], auth: NamedDependency[AuthService], provider: NamedDependency[Provider]
) -> Response[Any]:
    """Send a browser to where it is logged out of the provider."""
    try:
        address = provider.way_out(auth.file.now())
    except Unproven:
        address = None
    if address is None:
        return login_form(request, auth, "/", LoginRefused(_NO_WAY_OUT))
    return Redirect(address, status_code=_SEE_OTHER)


@get("/oidc/back", opt={"needs": None}, include_in_schema=False, sync_to_thread=True)
def back(
    request: Request[Any, Any, Any], auth: NamedDependency[AuthService], provider: NamedDependency[Provider]
) -> Response[Any]:
    """Log in whom the provider knows.

    The browser is led on by a page of the console itself: it would not send the session's cookie where the
    provider's page leads it.
    """
    address, to = address_of(request), "/"
    try:
        login_request = _opened(auth, request.cookies.get(_COOKIE, ""))
        to = login_request.to
        identity = provider.identify(login_request, dict(request.query_params), auth.file.now())
        token = auth.login_external(identity, address, agent_of(request))
    except Unproven as error:
        answer = login_form(request, auth, to, auth.note_unproven(error, address))
    except LoginRefused as refused:
        answer = login_form(request, auth, to, refused)
    else:
        answer = Template(
            "access_onward.html", context={"to": root_of(request) + page_of_person(auth, token, to)}
        )
        answer.set_cookie(session_cookie(request, SESSION, token))
    answer.delete_cookie(_COOKIE, path=_path(request))
    return answer


def _opened(auth: AuthService, cookie: str) -> LoginRequest:
    body, _, seal = cookie.partition(".")
    if not hmac.compare_digest(seal.encode(), auth.sealed(body).encode()):
        raise Unproven("the browser was not sent from here", "late")
    login_request = _read(base64.urlsafe_b64decode(body))
    if login_request.at <= auth.file.now() - _LONGEST:
        raise Unproven("it came back too late", "late")
    return login_request


def _sealed(auth: AuthService, login_request: LoginRequest) -> str:
    body = base64.urlsafe_b64encode(msgspec.json.encode(login_request)).decode()
    return f"{body}.{auth.sealed(body)}"


def _path(request: Request[Any, Any, Any]) -> str:
    return f"{root_of(request)}/oidc"


def _cookie(request: Request[Any, Any, Any], value: str) -> Cookie:
    # Not strict: it has to come along when the provider's page leads back.
    return Cookie(
        key=_COOKIE,
        value=quote(value, safe="=."),
        path=_path(request),
        max_age=_LONGEST,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


ROUTES: Final = Router("/", route_handlers=[away, out, back])
