"""The page of accounts, for administrators: who may log in, and in which role.

Whoever may lift an embargo has an account that is made and changed on the server alone: an administrator,
from whom a record may be withheld too (465a.9), could else log in as such a person and see past it.
"""

from typing import Any, Final

from litestar import Request, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Template
from msgspec import Struct

from projections.web.auth import accounts
from projections.web.auth.accounts import role_of
from projections.web.auth.auth_service import Entry
from projections.web.auth.guard import lead
from projections.web.auth.roles import ROLES, Person, Role, rights_of
from schemas.errors import BadInput

_BAD: Final = 400
_NEEDS: Final = {"needs": "accounts"}


class Adding(Struct):
    """What the form for a new account brings."""

    name: str
    shown: str
    role: str


class NewRole(Struct):
    """What the form for a role brings."""

    role: str


@get("/accounts", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def accounts_page(entry: NamedDependency[Entry]) -> Template:
    """Show the accounts."""
    return _accounts(entry)


@post("/accounts", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def add(
    entry: NamedDependency[Entry], person: NamedDependency[Person], data: URLEncodedBody[Adding]
) -> Template:
    """Add an account, with a password for one login that is shown once."""
    secret, name = accounts.for_once(), data.name.strip().casefold()
    try:
        display_name, role = data.shown.strip() or name, role_of(data.role)
        _check_by_hand(role)
        entry.accounts.add(name, display_name, role, secret, by=person.name, must_change=True)
    except BadInput as error:
        return _accounts(entry, error=error)
    return _accounts(entry, values=(name, secret))


@post("/accounts/{name:str}/password", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def reset(entry: NamedDependency[Entry], person: NamedDependency[Person], name: FromPath[str]) -> Template:
    """Set a password for one login of an account, and return it; it is shown once."""
    secret = accounts.for_once()
    try:
        _check_by_hand(entry.accounts.get(name).role)
        entry.accounts.set_password(name, secret, by=person.name, must_change=True)
    except BadInput as error:
        return _accounts(entry, error=error)
    return _accounts(entry, values=(name, secret))


@post("/accounts/{name:str}/role", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def give_role(
    request: Request[Any, Any, Any],
    entry: NamedDependency[Entry],
    person: NamedDependency[Person],
    name: FromPath[str],
    data: URLEncodedBody[NewRole],
) -> Response[Any]:
    """Change an account's role."""
    try:
        role = role_of(data.role)
        _check_by_hand(entry.accounts.get(name).role, role)
        entry.accounts.give_role(name, role, by=person.name)
    except BadInput as error:
        return _accounts(entry, error=error)
    return lead(request, "/accounts")


@post("/accounts/{name:str}/disable", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def disable(
    request: Request[Any, Any, Any],
    entry: NamedDependency[Entry],
    person: NamedDependency[Person],
    name: FromPath[str],
) -> Response[Any]:
    """Let nobody log in by an account."""
    return _set(request, entry, person, name, disabled=True)


@post("/accounts/{name:str}/enable", opt=_NEEDS, include_in_schema=False, sync_to_thread=True)
def enable(
    request: Request[Any, Any, Any],
    entry: NamedDependency[Entry],
    person: NamedDependency[Person],
    name: FromPath[str],
) -> Response[Any]:
    """Let an account be used again."""
    return _set(request, entry, person, name, disabled=False)


def _set(
    request: Request[Any, Any, Any], entry: Entry, person: Person, name: str, *, disabled: bool
) -> Response[Any]:
    try:
        entry.accounts.set_disabled(name, disabled=disabled, by=person.name)
    except BadInput as error:
        return _accounts(entry, error=error)
    return lead(request, "/accounts")


def _check_by_hand(*roles: Role) -> None:
    """Refuse what is about an account that may lift an embargo, or would."""
    for role in roles:
        if "lift" in rights_of(role):
            raise BadInput(
                f"an account that may lift an embargo ({role}) is added, given a role or a password on the "
                "server alone, by discardrack user"
            )


def _accounts(
    entry: Entry, *, error: BadInput | None = None, values: tuple[str, str] | None = None
) -> Template:
    context = {
        "accounts": entry.accounts.all(),
        "until": entry.tokens.until(),
        # The others are given by discardrack user on the server.
        "roles": [role for role in ROLES if "lift" not in rights_of(role)],
        "error": error,
        "given": values,
        "at": entry.clock,
    }
    status = _BAD if error is not None else 200
    return Template("access_accounts.html", context=context, status_code=status)


ROUTES: Final = Router("/", route_handlers=[accounts_page, add, reset, give_role, disable, enable])
