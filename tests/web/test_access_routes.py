"""Each route of the console, tried by each role and by nobody."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from projections.store.store import Store
from projections.web.app import console
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from projections.web.auth.guard import LOGIN, PASSWORD
from projections.web.auth.roles import ROLES, Role, rights_of
from projections.web.bootstrap import load_console
from tests.builders.auth import create_account, log_in_as, log_out

# A value for each kind of part of a path.
PARTS: Final = {"str": "1", "int": "1", "date": "2025-03-01", "path": "console.css"}
# They answer whoever has the right without an end, or by what else stands in the account.
APART: Final = {"/stream", "/api/snapshot"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    path: Path = tmp_path_factory.mktemp("routes") / "store.duckdb"
    Store(path).close()
    with TestClient(console(load_console(path))) as client:
        client.follow_redirects = False
        for role in ROLES:
            create_account(entry_of(client), role)
        yield client


def entry_of(client: TestClient[Litestar]) -> AuthService:
    return client.app.plugins.get(Access).auth


def routes(app: Litestar) -> list[tuple[str, str, Any]]:
    """Return the routes that say what they need: method, an address, and the right.

    Two that are needed both are a list.
    """
    found = []
    for route in app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            address = re.sub(r"\{\w+:(\w+)\}", lambda part: PARTS[part[1]], route.path)
            found += [
                (method, address, _needed(handler.opt))
                for method in sorted(handler.http_methods - {"OPTIONS"})
                if "needs" in handler.opt
            ]
    return found


def _needed(opt: dict[str, Any]) -> Any:
    return [opt["needs"], opt["also_needs"]] if "also_needs" in opt else opt["needs"]


def tried(client: TestClient[Litestar], method: str, address: str) -> int:
    with client.stream(method, address) as answer:
        return answer.status_code


def test_nobody_is_let_in_anywhere_but_at_the_door(client: TestClient[Litestar]) -> None:
    log_out(client)
    open_to_all = set()
    for method, address, needs in routes(client.app):
        status = tried(client, method, address)
        if needs is None:
            open_to_all.add(address)
        elif method in ("GET", "HEAD") and not address.startswith("/api/") and address != "/stream":
            assert status == 303, (method, address)
        else:
            assert status == 401, (method, address)
    assert open_to_all == {"/login", "/healthz", "/readyz", "/metrics", "/static/console.css"}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_gets_what_it_may_and_nothing_else(client: TestClient[Litestar], role: Role) -> None:
    log_in_as(client, entry_of(client), role)
    refused = 0
    for method, address, needs in routes(client.app):
        if needs in (None, LOGIN, PASSWORD):
            continue
        each_needed = needs if isinstance(needs, list) else [needs]
        may = all(
            not rights_of(role).isdisjoint(each if isinstance(each, tuple) else (each,))
            for each in each_needed
        )
        if may and address in APART:
            continue
        status = tried(client, method, address)
        if not may and address == "/":
            assert status == 303  # led to the page on which the role begins
        else:
            assert (status == 403) is not may, (method, address, status)
        assert status < 500, (method, address)
        refused += not may
    assert refused


def test_nothing_is_kept_by_a_browser_but_the_files_of_the_pages(client: TestClient[Litestar]) -> None:
    log_in_as(client, entry_of(client), "director")
    kept = set()
    for method, address, needs in routes(client.app):
        if method in ("GET", "HEAD") and (address != "/stream" and needs != "accounts"):
            with client.stream(method, address) as answer:
                if answer.headers["cache-control"] != "no-store":
                    kept.add(address)
    assert kept == {"/static/console.css"}
    log_out(client)
    assert client.get("/").headers["cache-control"] == "no-store"
    assert client.get("/nowhere").headers["cache-control"] == "no-store"


def test_a_file_of_the_pages_is_sent_again_only_when_it_has_changed(client: TestClient[Litestar]) -> None:
    sent = client.get("/static/console.css")
    mark = sent.headers["etag"]
    for told in (mark, f"W/{mark}"):
        again = client.get("/static/console.css", headers={"If-None-Match": told})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", mark)
        assert "no-cache" in again.headers["cache-control"]
    changed = client.get("/static/console.css", headers={"If-None-Match": '"of another day"'})
    assert (changed.status_code, changed.content) == (200, sent.content)
    other = client.get("/static/../app.py", headers={"If-None-Match": mark})
    assert other.status_code == 404


def test_a_page_names_its_files_so_that_a_browser_asks_for_each_once(client: TestClient[Litestar]) -> None:
    (address,) = re.findall(r'href="(/static/[0-9a-f]{16}/console\.css)"', client.get("/login").text)
    content = client.get("/static/console.css").content
    sent = client.get(address)
    assert (sent.content, sent.headers["cache-control"]) == (content, "public, max-age=31536000, immutable")
    asked = client.head(address)
    assert (asked.status_code, asked.content, asked.headers["content-type"]) == (
        200,
        b"",
        "text/css; charset=utf-8",
    )
    # A page that was open as the console was replaced is answered, and nothing is kept of that.
    of_before = client.get(f"/static/{'0' * 16}/console.css")
    assert (of_before.content, of_before.headers["cache-control"]) == (content, "public, no-cache")
    folder = address.removesuffix("/console.css")
    for wrong in (f"{folder}/../../app.py", f"{folder}/nothing.css", folder, "/static/elsewhere/console.css"):
        assert client.get(wrong).status_code == 404, wrong


def test_nothing_is_changed_without_the_token_of_the_session(client: TestClient[Litestar]) -> None:
    log_in_as(client, entry_of(client), "director")
    del client.headers["X-CSRF-Token"]
    changing = [each for each in routes(client.app) if each[0] not in ("GET", "HEAD")]
    assert len(changing) > 8
    for method, address, _ in changing:
        assert tried(client, method, address) == 403, (method, address)
