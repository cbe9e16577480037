"""A console that is entered: an account of any role, and a client that is logged in with it."""

import re
from collections import defaultdict
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner, Result
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined
from litestar import Litestar, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.params import JSONBody
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template import TemplateConfig
from litestar.testing import TestClient

from projections.web.app import static_version
from projections.web.auth.accounts import session_of
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from projections.web.auth.guard import SESSION
from projections.web.auth.roles import Person, Role
from replay.cli import main

HOST: Final = "testserver.local"  # what a test's client calls its server
PASSWORD: Final = "the quick brown fox 7"  # noqa: S105  of no account but a test's

CSRF: Final = re.compile(r'name="csrf" value="([^"]+)"')
# Small consoles, by their routes and whether they have a provider.
_UNUSED: Final = defaultdict[tuple[tuple[Any, ...], bool], list[Litestar]](list)
_TEMPLATES: Final = Path(__file__).parents[2] / "projections" / "web" / "templates"


class SettableClock:
    """The time, in seconds, which a test turns on."""

    def __init__(self) -> None:
        self.at = 1_740_859_200

    def __call__(self) -> int:
        """Store it."""
        return self.at


def build_small_console(access: Access, *routes: Any) -> Litestar:
    """Make a console of a few routes, whose pages have neither head nor foot.

    It is one of these routes that was shut down before, if there is any: to make one takes 40 ms.
    """
    free = _UNUSED[routes, access.auth.provider is not None]
    if free:
        app = free.pop()
        app.plugins.get(Access).auth = access.auth
        return app
    app = _build(access, routes)

    def leave() -> None:
        if app not in free:
            free.append(app)

    app.on_shutdown.append(leave)
    return app


def _build(access: Access, routes: Sequence[Any]) -> Litestar:
    given, _, _ = (_TEMPLATES / "base.html").read_text(encoding="utf-8").partition("<!doctype")
    bare = DictLoader({"base.html": given + "{% block title %}{% endblock %}{% block main %}{% endblock %}"})
    loader = ChoiceLoader([bare, FileSystemLoader(_TEMPLATES)])
    templates = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    templates.globals["static_version"] = static_version()
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


def create_account(entry: AuthService, role: Role, name: str | None = None) -> str:
    """Add an account of a role, which is also its name by default."""
    entry.accounts.add(name or role, (name or role).title(), role, PASSWORD, by="a test")
    return name or role


def log_in_new_account(
    client: TestClient[Litestar], entry: AuthService, role: Role = "operator", name: str | None = None
) -> str:
    """Log a client in with a new account, past the form; gives the account's name."""
    made = create_account(entry, role, name)
    log_in_as(client, entry, made)
    return made


def log_in_as(client: TestClient[Litestar], entry: AuthService, name: str) -> None:
    """Log a client in with an account that is there, past the form."""
    token = entry.sessions.begin(name)
    person = entry.sessions.person(session_of(token))
    assert person is not None
    client.cookies.set(SESSION, token, domain=HOST, path="/")
    client.headers["X-CSRF-Token"] = person.csrf


def log_out(client: TestClient[Litestar]) -> None:
    """Remove a client's login."""
    client.cookies.clear()
    client.headers.pop("X-CSRF-Token", None)


@get("/", opt={"needs": "see"})
async def floor(person: NamedDependency[Person]) -> dict[str, Any]:
    return {"name": person.name, "role": person.role}


@get("/api/alerts", opt={"needs": "see"})
async def alerts() -> str:
    return "alerts"


@post("/api/actions", opt={"needs": "work"}, status_code=200)
async def act(data: JSONBody[dict[str, Any]]) -> dict[str, Any]:
    return data


@get("/healthz", opt={"needs": None})
async def healthz() -> str:
    return "ok"


ROUTES: Final = (floor, alerts, act, healthz)


def log_in_by_form(client: TestClient[Litestar], name: str, password: str = PASSWORD, to: str = "/") -> Any:
    page = client.get("/login", params={"next": to})
    (csrf,) = CSRF.findall(page.text)
    (then,) = map(unescape, re.findall(r'name="next" value="([^"]+)"', page.text))
    form = {"name": name, "password": password, "csrf": csrf, "next": then}
    return client.post("/login", data=form)


def refused_logins(access: Access) -> list[str]:
    query = "SELECT detail FROM log WHERE kind = 'login refused' ORDER BY number"
    return [row["detail"] for row in access.auth.file.ask(query)]


def run_user_verb(store: Path, *arguments: str, typed: str = "") -> Result:
    verb, *rest = arguments
    return CliRunner().invoke(main, ["user", verb, "--store", str(store), *rest], input=typed)
