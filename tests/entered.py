"""A console that is entered: an account of any role, and a client that is logged in with it."""

import re
from pathlib import Path
from typing import Any, Final

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined
from litestar import Litestar, Request, Response
from litestar.exceptions import HTTPException
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template import TemplateConfig
from litestar.testing import TestClient

from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import Entry
from projections.web.auth.guard import SESSION
from projections.web.auth.roles import Role
from projections.web.auth.sessions import session_of

HOST: Final = "testserver.local"  # what a test's client calls its server
PASSWORD: Final = "the quick brown fox 7"  # noqa: S105  of no account but a test's

CSRF: Final = re.compile(r'name="csrf" value="([^"]+)"')
_TEMPLATES: Final = Path(__file__).parent.parent / "projections" / "web" / "templates"


class Clock:
    """The time, in seconds, which a test turns on."""

    def __init__(self) -> None:
        self.at = 1_740_859_200

    def __call__(self) -> int:
        """Tell it."""
        return self.at


def small(access: Access, *routes: Any) -> Litestar:
    """Make a console of a few routes, whose pages have neither head nor foot."""
    given, _, _ = (_TEMPLATES / "base.html").read_text(encoding="utf-8").partition("<!doctype")
    bare = DictLoader({"base.html": given + "{% block title %}{% endblock %}{% block main %}{% endblock %}"})
    loader = ChoiceLoader([bare, FileSystemLoader(_TEMPLATES)])
    templates = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return Litestar(
        route_handlers=list(routes),
        plugins=[access],
        exception_handlers={HTTPException: _refused},
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(templates)),
        openapi_config=None,
        logging_config=None,
    )


def _refused(_: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    return Response({"error": error.detail}, status_code=error.status_code)


def add(entry: Entry, role: Role, name: str | None = None) -> str:
    """Add an account of a role, which is also its name unless told."""
    entry.accounts.add(name or role, (name or role).title(), role, PASSWORD, by="a test")
    return name or role


def enter(
    client: TestClient[Litestar], entry: Entry, role: Role = "operator", name: str | None = None
) -> str:
    """Log a client in with a new account, past the form; gives the account's name."""
    made = add(entry, role, name)
    let_in(client, entry, made)
    return made


def let_in(client: TestClient[Litestar], entry: Entry, name: str) -> None:
    """Log a client in with an account that is there, past the form."""
    token = entry.sessions.begin(name)
    person = entry.sessions.person(session_of(token))
    assert person is not None
    client.cookies.set(SESSION, token, domain=HOST, path="/")
    client.headers["X-CSRF-Token"] = person.csrf


def leave(client: TestClient[Litestar]) -> None:
    """Take from a client what it was logged in by."""
    client.cookies.clear()
    client.headers.pop("X-CSRF-Token", None)
