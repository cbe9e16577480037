"""The page of one's own account: sessions, second factors and tokens."""

from typing import Any, Final

from litestar import Request, Response, Router, get, post
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from litestar.params import FromPath, JSONBody, URLEncodedBody
from litestar.response import Template
from msgspec import Struct

from projections.web.auth.account_pages import SessionForm, session_cookie, with_retry_after
from projections.web.auth.accounts import LONGEST_TOKEN, SCOPES
from projections.web.auth.auth_service import AuthService, LoginRefused
from projections.web.auth.guard import (
    LOGIN,
    PASSWORD,
    SESSION,
    address_of,
    agent_of,
    lead,
    page_after,
    root_of,
)
from projections.web.auth.passkeys import Site
from projections.web.auth.roles import Person
from projections.web.auth.second_factors import enrolment_uri
from schemas.errors import BadInput
from schemas.values import capital

_BAD: Final = 400
_NEEDS: Final = {"needs": LOGIN}
_OTHERS: Final = "others"  # in place of a session: all of the account's but this one


class AuthenticatorForm(Struct):
    """Form with the first code of a new authenticator."""

    code: str
    label: str = ""


class PasswordForm(Struct):
    """Form of what is done after the password was typed again."""

    password: str = ""


class TokenForm(Struct):
    """Form for a token: what it is for, for how many days, and what it may read."""

    label: str = ""
    days: str = "90"
    see: str = ""
    read_log: str = ""
    finance: str = ""
    export: str = ""
    audit: str = ""
    health: str = ""


class NewPasskey(Struct):
    """A passkey that a browser made."""

    label: str
    response: dict[str, Any]


class ProvedPasskey(Struct):
    """Proof of a passkey, and the page to go to."""

    response: dict[str, Any]
    next: str = "/"


class RecoveryCodes(Struct):
    """Recovery codes, which are shown once; none where the account had a second factor already."""

    codes: list[str]


class Onward(Struct):
    """Page to go to after a login."""

    to: str


def _page(
    auth: AuthService, person: Person, error: BadInput | LoginRefused | None = None, **more: Any
) -> Template:
    account = auth.accounts.get(person.name)
    context = {
        "account": account,
        "sessions": auth.sessions.open(person.name),
        "factors": auth.factors.of(person.name),
        "codes_left": auth.factors.recovery_codes_left(person.name),
        "needs_factor": auth.needs_factor(person),
        "has_password": auth.accounts.hash_of(person.name) is not None,
        "tokens": auth.tokens.scoped(person.name),
        "scopes": [each for each in SCOPES if each in person.rights],
        "longest_token": LONGEST_TOKEN,
        "at": auth.clock,
        "error": f"{capital(str(error).rstrip('.'))}." if error is not None else None,
        "secret": None,
        "codes": None,
        "token": None,
        "typed": TokenForm(),
        **more,
    }
    if context["secret"] is not None:
        import segno  # noqa: PLC0415  its tables take long to load, and this page is seldom asked for

        picture = segno.make(enrolment_uri(person.name, context["secret"]), error="m")
        context["picture"] = picture.svg_inline(scale=4, light="#fff")
    answer = Template("own_account.html", context=context, status_code=_BAD if error is not None else 200)
    return with_retry_after(answer, error) if isinstance(error, LoginRefused) else answer


@get("/account", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def account_page(auth: NamedDependency[AuthService], person: NamedDependency[Person]) -> Template:
    """Show one's own account."""
    return _page(auth, person)


@post("/account/sessions/end", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def end_session(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    data: URLEncodedBody[SessionForm],
) -> Response[Any]:
    """End another of one's own sessions, or all others."""
    others = [each for each in auth.sessions.open(person.name) if each.id != person.session]
    auth.end_sessions((each for each in others if data.session in (each.id, _OTHERS)), by=person.name)
    return lead(request, "/account")


@post("/account/authenticator", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def begin_authenticator(auth: NamedDependency[AuthService], person: NamedDependency[Person]) -> Template:
    """Show the picture that an authenticator reads, and ask for its first code."""
    return _page(auth, person, secret=auth.factors.begin_authenticator(person))


@post("/account/authenticator/code", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def add_authenticator(
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    data: URLEncodedBody[AuthenticatorForm],
) -> Template:
    """Add an authenticator by its first code; if that is wrong, the picture stays."""
    try:
        codes = auth.factors.add_authenticator(person, data.label, data.code)
    except BadInput as error:
        return _page(auth, person, error, secret=auth.factors.begun_authenticator(person))
    auth.sessions.complete_setup(person.name)
    return _page(auth, person, codes=codes)


@post("/account/recovery-codes", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def make_recovery_codes(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    data: URLEncodedBody[PasswordForm],
) -> Template:
    """Make new recovery codes; the old ones end."""
    try:
        auth.confirm_password(person, data.password, address_of(request))
        codes = auth.factors.make_recovery_codes(person.name, by=person.name)
    except (BadInput, LoginRefused) as error:
        return _page(auth, person, error)
    return _page(auth, person, codes=codes)


@post("/account/factors/{number:int}/remove", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def remove_factor(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    number: FromPath[int],
    data: URLEncodedBody[PasswordForm],
) -> Response[Any]:
    """Remove one of one's own second factors."""
    try:
        auth.confirm_password(person, data.password, address_of(request))
        auth.factors.remove(person.name, number, by=person.name, required=auth.needs_factor(person))
    except (BadInput, LoginRefused) as error:
        return _page(auth, person, error)
    return lead(request, "/account")


# ── passkeys, which take a script ──


@post("/account/passkey/begin", opt=_NEEDS, include_in_schema=False, status_code=200, sync_to_thread=True)
def begin_passkey(
    request: Request[Any, Any, Any], auth: NamedDependency[AuthService], person: NamedDependency[Person]
) -> Response[bytes]:
    """Return what a browser needs to make a passkey."""
    return _json(auth.factors.begin_passkey(person, _site(request)))


@post("/account/passkey", opt=_NEEDS, include_in_schema=False, status_code=200, sync_to_thread=True)
def add_passkey(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    data: JSONBody[NewPasskey],
) -> RecoveryCodes:
    """Add the passkey that a browser made."""
    try:
        codes = auth.factors.add_passkey(person, _site(request), data.label, data.response)
    except BadInput as error:
        raise ClientException(f"{capital(str(error))}.") from None
    auth.sessions.complete_setup(person.name)
    return RecoveryCodes(codes)


@post(
    "/login/second/passkey/begin",
    opt={"needs": PASSWORD},
    include_in_schema=False,
    status_code=200,
    sync_to_thread=True,
)
def begin_sign_in(
    request: Request[Any, Any, Any], auth: NamedDependency[AuthService], person: NamedDependency[Person]
) -> Response[bytes]:
    """Return what a browser needs to prove a passkey."""
    try:
        return _json(auth.factors.begin_sign_in(person, _site(request)))
    except BadInput as error:
        raise ClientException(f"{capital(str(error))}.") from None


@post(
    "/login/second/passkey",
    opt={"needs": PASSWORD},
    include_in_schema=False,
    status_code=200,
    sync_to_thread=True,
)
def sign_in(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    data: JSONBody[ProvedPasskey],
) -> Response[Onward]:
    """Complete a login by a passkey."""
    to = root_of(request) + page_after(request, data.next)
    if person.pending != "code":
        return Response(Onward(to))
    site = _site(request)
    try:
        token = auth.complete_login(
            person,
            lambda: auth.factors.is_proved(person, site, data.response),
            address_of(request),
            agent_of(request),
        )
    except (BadInput, LoginRefused) as error:
        raise ClientException(f"{capital(str(error).rstrip('.'))}.") from None
    answer = Response(Onward(to))
    answer.set_cookie(session_cookie(request, SESSION, token))
    return answer


def _site(request: ASGIConnection[Any, Any, Any, Any]) -> Site:
    return Site(request.url.hostname or "", f"{request.url.scheme}://{request.url.netloc}")


def _json(text: str) -> Response[bytes]:
    return Response(text.encode(), media_type="application/json")


# ── tokens ──


@post("/account/tokens", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def make_token(
    auth: NamedDependency[AuthService], person: NamedDependency[Person], data: URLEncodedBody[TokenForm]
) -> Template:
    """Make a token, which is shown once."""
    scope = [each for each in SCOPES if getattr(data, each)]
    days = (
        int(data.days)
        if data.days.isdecimal() and data.days.isascii() and len(data.days) < len("9999")
        else 0
    )
    try:
        token = auth.tokens.make_scoped(person, data.label, scope, days)
    except BadInput as error:
        return _page(auth, person, error, typed=data)
    return _page(auth, person, token=(data.label.strip(), token))


@post("/account/tokens/{token:str}/revoke", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def revoke_token(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    token: FromPath[str],
) -> Response[Any]:
    """End one of one's own tokens."""
    try:
        auth.tokens.revoke_scoped(person.name, token, by=person.name)
    except BadInput as error:
        return _page(auth, person, error)
    return lead(request, "/account")


ROUTES: Final = Router(
    "/",
    route_handlers=[
        account_page,
        end_session,
        begin_authenticator,
        add_authenticator,
        make_recovery_codes,
        remove_factor,
        begin_passkey,
        add_passkey,
        begin_sign_in,
        sign_in,
        make_token,
        revoke_token,
    ],
)
