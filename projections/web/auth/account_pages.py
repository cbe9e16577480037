"""The pages to log in and out and to choose a password, and for administrators that of the accounts.

Accounts that may lift an embargo are made and changed on the server only. A record may be withheld from an
administrator too (465a.9), who could otherwise log in with such an account and see it.
"""

from typing import Annotated, Any, Final
from urllib.parse import urlencode

from litestar import Request, Response, Router, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.enums import RequestEncodingType
from litestar.exceptions import NotFoundException
from litestar.params import Body, FromPath, FromQuery, URLEncodedBody
from litestar.response import Template
from msgspec import Struct

from projections.web.auth import accounts
from projections.web.auth.accounts import Account, role_of
from projections.web.auth.auth_service import AuthService, LoginRefused, cookie_before
from projections.web.auth.guard import (
    BEFORE,
    LOGIN,
    PASSWORD,
    SESSION,
    address_of,
    agent_of,
    lead,
    page_after,
    root_of,
)
from projections.web.auth.roles import ROLES, Person, Role, rights_of
from schemas.errors import BadInput

_NAME: Final = 64  # characters; no name has more
_REFUSED: Final = 403
_TOO_MANY: Final = 429


class Login(Struct):
    """Form of the login."""

    name: str
    password: str
    next: str = "/"


class SecondStep(Struct):
    """Form of the second step of a login."""

    code: str
    next: str = "/"


class NewPassword(Struct):
    """Form for a new password."""

    old: str
    new: str
    again: str


@get("/login", opt={"needs": None}, include_in_schema=False, sync_to_thread=True)
def login_page(request: Request[Any, Any, Any], auth: NamedDependency[AuthService]) -> Response[Any]:
    """Render the login page."""
    to = page_after(request, request.query_params.get("next"))
    if request.user is not None:
        return lead(request, request.user.home if to == "/" else to)
    return login_form(request, auth, to)


@post("/login", opt={"needs": None}, include_in_schema=False, sync_to_thread=True)
def login(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    data: Annotated[Login, Body(media_type=RequestEncodingType.URL_ENCODED)],
) -> Response[Any]:
    """Log someone in; a session that the browser had ends."""
    to = page_after(request, data.next)
    try:
        token = auth.login(data.name, data.password, address_of(request), agent_of(request))
    except LoginRefused as refused:
        return login_form(request, auth, to, refused, data.name[:_NAME])
    if request.user is not None:
        auth.logout(request.user)
    # From where the guard leads on, if more than a password is needed.
    answer = lead(request, page_of_person(auth, token, to))
    answer.set_cookie(session_cookie(request, SESSION, token))
    answer.delete_cookie(BEFORE, path=root_of(request) or "/")
    return answer


@get("/login/second", opt={"needs": PASSWORD}, include_in_schema=False, sync_to_thread=True)
def second_page(
    request: Request[Any, Any, Any], auth: NamedDependency[AuthService], person: NamedDependency[Person]
) -> Response[Any]:
    """Ask for the second factor after the right password was entered."""
    to = page_after(request, request.query_params.get("next"))
    return _second(auth, person, to) if person.pending == "code" else lead(request, to)


@post("/login/second", opt={"needs": PASSWORD}, include_in_schema=False, sync_to_thread=True)
def second(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    data: Annotated[SecondStep, Body(media_type=RequestEncodingType.URL_ENCODED)],
) -> Response[Any]:
    """Complete a login by a code."""
    to = page_after(request, data.next)
    if person.pending != "code":
        return lead(request, to)
    try:
        token = auth.complete_login(person, data.code, address_of(request), agent_of(request))
    except LoginRefused as refused:
        return _second(auth, person, to, refused)
    answer = lead(request, to)
    answer.set_cookie(session_cookie(request, SESSION, token))
    return answer


def _second(auth: AuthService, person: Person, to: str, refused: LoginRefused | None = None) -> Response[Any]:
    has_passkey = any(each.kind == "passkey" for each in auth.factors.of(person.name))
    context = {"next": to, "refused": refused, "has_passkey": has_passkey}
    return with_retry_after(Template("login_second.html", context=context), refused)


@post("/logout", opt={"needs": PASSWORD}, include_in_schema=False, sync_to_thread=True)
def logout(
    request: Request[Any, Any, Any], auth: NamedDependency[AuthService], person: NamedDependency[Person]
) -> Response[Any]:
    """Log the person out."""
    auth.logout(person)
    answer = lead(request, "/login" if auth.provider is None else "/login?left=true")
    answer.delete_cookie(SESSION, path=root_of(request) or "/")
    return answer


@get("/password", opt={"needs": LOGIN}, include_in_schema=False)
async def password_page() -> Template:
    """Render the page for a new password."""
    return Template("access_password.html", context={"refused": None})


@post("/password", opt={"needs": LOGIN}, include_in_schema=False, sync_to_thread=True)
def password(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    data: Annotated[NewPassword, Body(media_type=RequestEncodingType.URL_ENCODED)],
) -> Response[Any]:
    """Return the person's account another password, and the browser another session."""
    try:
        token = auth.change_password(
            person, data.old, (data.new, data.again), address_of(request), agent_of(request)
        )
    except LoginRefused as refused:
        return with_retry_after(Template("access_password.html", context={"refused": refused}), refused)
    answer = lead(request, person.home)
    answer.set_cookie(session_cookie(request, SESSION, token))
    return answer


def page_of_person(auth: AuthService, token: str, to: str) -> str:
    """Return the page to go to after a login: what was asked for, else that on which the role begins."""
    person = auth.person(token)
    return person.home if to == "/" and person is not None else to


def login_form(
    request: Request[Any, Any, Any],
    auth: AuthService,
    to: str,
    refused: LoginRefused | None = None,
    name: str = "",
) -> Response[Any]:
    """Show the page of the login, with why one was refused, and the name that was typed."""
    before = request.cookies.get(BEFORE) or cookie_before()
    context = {
        "csrf": auth.csrf_before(before),
        "next": to,
        "refused": refused,
        "name": name,
        "longest": _NAME,
        "empty": auth.empty(),
        "store": auth.store,
        "left": "left" in request.query_params,
        "provider": auth.provider.settings.called if auth.provider is not None else None,
    }
    answer = with_retry_after(Template("login.html", context=context), refused)
    answer.set_cookie(session_cookie(request, BEFORE, before))
    return answer


def with_retry_after(answer: Template, refused: LoginRefused | None) -> Template:
    """Set the status of a page that explains a refusal."""
    if refused is not None:
        answer.status_code = _TOO_MANY if refused.wait else _REFUSED
        if refused.wait:
            answer.headers["Retry-After"] = str(refused.wait)
    return answer


def session_cookie(request: Request[Any, Any, Any], key: str, value: str) -> Cookie:
    """Make a cookie that other sites never let the browser send."""
    # The server trusts a proxy's scheme only if it is the configured proxy.
    return Cookie(
        key=key,
        value=value,
        path=root_of(request) or "/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


# One router for all: handlers of one path that are registered one by one are wrapped twice by Litestar.
LOGIN_ROUTES: Final = Router(
    "/", route_handlers=[login_page, login, second_page, second, logout, password_page, password]
)


# ── The page of accounts, for administrators ──────────────────────────────────────────────────────────

_BAD: Final = 400
_NEEDS: Final = {"needs": "accounts"}


class AccountForm(Struct):
    """Form for a new account."""

    name: str
    shown: str
    role: str


class SessionForm(Struct):
    """Form that ends a session, or all but this one."""

    session: str


class NewRole(Struct):
    """Form for a role."""

    role: str


@get("/accounts", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def accounts_page(
    auth: NamedDependency[AuthService], q: FromQuery[str | None] = None, changed: FromQuery[str | None] = None
) -> Template:
    """Show the accounts that `q` is a part of, and how the one that was `changed` is now."""
    return _accounts(auth, words=q or "", changed=auth.accounts.find(changed) if changed else None)


@post("/accounts", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def add(
    auth: NamedDependency[AuthService], person: NamedDependency[Person], data: URLEncodedBody[AccountForm]
) -> Template:
    """Add an account, with a password for one login that is shown once."""
    secret, name = accounts.for_once(), data.name.strip().casefold()
    try:
        display_name, role = data.shown.strip() or name, role_of(data.role)
        _check_by_hand(role)
        auth.accounts.add(name, display_name, role, secret, by=person.name, must_change=True)
    except BadInput as error:
        return _accounts(auth, error=error, form=data)
    return _accounts(auth, values=(name, secret))


@post("/accounts/{name:str}/password", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def reset(
    auth: NamedDependency[AuthService], person: NamedDependency[Person], name: FromPath[str]
) -> Template:
    """Set a password for one login of an account, and return it; it is shown once."""
    secret = accounts.for_once()
    try:
        _check_by_hand(auth.accounts.get(name).role)
        auth.accounts.set_password(name, secret, by=person.name, must_change=True)
    except BadInput as error:
        return _accounts(auth, error=error)
    return _accounts(auth, values=(name, secret))


@post("/accounts/{name:str}/role", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def give_role(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    name: FromPath[str],
    data: URLEncodedBody[NewRole],
) -> Response[Any]:
    """Change an account's role."""
    try:
        role = role_of(data.role)
        _check_by_hand(auth.accounts.get(name).role, role)
        auth.accounts.give_role(name, role, by=person.name)
    except BadInput as error:
        return _accounts(auth, error=error)
    return _changed(request, name)


@get("/accounts/{name:str}/disable", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def disable_page(auth: NamedDependency[AuthService], name: FromPath[str]) -> Template:
    """Ask for confirmation that an account is to be disabled, and show what that ends."""
    account = auth.accounts.find(name)
    if account is None or account.disabled:
        raise NotFoundException(f"There is no account {name} that could be disabled.")
    context = {"account": account, "open": auth.sessions.open(name)}
    return Template("access_disable.html", context=context)


@post("/accounts/{name:str}/disable", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def disable(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    name: FromPath[str],
) -> Response[Any]:
    """Disable an account, so that nobody can log in with it."""
    return _set(request, auth, person, name, disabled=True)


@post("/accounts/{name:str}/enable", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def enable(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    name: FromPath[str],
) -> Response[Any]:
    """Enable an account that was disabled."""
    return _set(request, auth, person, name, disabled=False)


def _set(
    request: Request[Any, Any, Any], auth: AuthService, person: Person, name: str, *, disabled: bool
) -> Response[Any]:
    try:
        auth.accounts.set_disabled(name, disabled=disabled, by=person.name)
    except BadInput as error:
        return _accounts(auth, error=error)
    return _changed(request, name)


@post("/accounts/{name:str}/second-factor", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def reset_factors(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    name: FromPath[str],
) -> Response[Any]:
    """Remove the second factors of an account, whose owner has lost them."""
    try:
        _check_by_hand(auth.accounts.get(name).role)
        auth.factors.reset(name, by=person.name)
    except BadInput as error:
        return _accounts(auth, error=error)
    return _changed(request, name)


@get("/sessions", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def sessions_page(auth: NamedDependency[AuthService], person: NamedDependency[Person]) -> Template:
    """Show who is logged in, from where and since when."""
    context = {"sessions": auth.sessions.open(), "own": person.session, "at": auth.clock}
    return Template("access_sessions.html", context=context)


@post("/sessions/end", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def end_session(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    data: URLEncodedBody[SessionForm],
) -> Response[Any]:
    """End any session."""
    auth.end_sessions((each for each in auth.sessions.open() if each.id == data.session), by=person.name)
    return lead(request, "/sessions")


def _changed(request: Request[Any, Any, Any], name: str) -> Response[Any]:
    return lead(request, f"/accounts?{urlencode({'changed': name})}")


def _check_by_hand(*roles: Role) -> None:
    """Raise BadInput if one of the roles may lift an embargo: they are managed on the server only."""
    for role in roles:
        if "lift" in rights_of(role):
            raise BadInput(
                f"an account that may lift an embargo ({role}) is added, given a role or a password on the "
                "server alone, by discardrack user"
            )


def _accounts(
    auth: AuthService,
    *,
    words: str = "",
    changed: Account | None = None,
    error: BadInput | None = None,
    values: tuple[str, str] | None = None,
    form: AccountForm | None = None,
) -> Template:
    part = words.strip().casefold()
    context = {
        "accounts": [
            each
            for each in auth.accounts.all()
            if any(part in field.casefold() for field in (each.name, each.shown, each.role))
        ],
        "words": words,
        "changed": changed,
        "typed": form or AccountForm("", "", "operator"),
        "holders": auth.factors.holders(),
        "until": auth.tokens.until(),
        # The others are given by discardrack user on the server.
        "roles": [role for role in ROLES if "lift" not in rights_of(role)],
        "error": error,
        "given": values,
        "at": auth.clock,
    }
    status = _BAD if error is not None else 200
    return Template("access_accounts.html", context=context, status_code=status)


ACCOUNT_ROUTES: Final = Router(
    "/",
    route_handlers=[
        accounts_page,
        add,
        reset,
        give_role,
        disable_page,
        disable,
        enable,
        reset_factors,
        sessions_page,
        end_session,
    ],
)
