"""Malformed bodies, forms, queries, paths and headers, at every route and by every role: no fault of ours."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from litestar import Litestar
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from projections.web.app import console
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from projections.web.auth.guard import LOGIN, PASSWORD, SESSION
from projections.web.auth.roles import ROLES, Role, rights_of
from projections.web.bootstrap import load_console
from tests.builders.auth import HOST, create_account, log_in_as
from tests.builders.round_records import DISPUTED, finding_ids
from tests.builders.stores import store_records
from tests.builders.strategies import STEADY
from tests.builders.thoroughness import examples

# A route and role: there are hundreds of these pairs.
FEW: Final = settings(STEADY, max_examples=examples(2, 6))
ONE: Final = settings(STEADY, max_examples=1)  # a route that the role may not use: its body is never read
APART: Final = {"/stream", "/api/snapshot"}  # they answer without an end, or with all that is stored
ID: Final = "0" * 32
ALERT: Final = next(iter(finding_ids(DISPUTED).values()))
SUBJECT: Final = f"alert:{ALERT}"
ABOUT: Final = {"table": "BAC-7", "gaming_date": "2025-01-01", "claim": "short", "rounds": ["41"]}
ENTRY: Final = {"kind": "call", "at": 1_740_859_200_000_000, "what": "a call", "table": "BAC-7"}
ACTIONS: Final[list[dict[str, Any]]] = [
    {"id": ID, "action": "take", "subject": SUBJECT},
    {"id": ID, "action": "note", "subject": SUBJECT, "text": "late"},
    {"id": ID, "action": "merge", "subject": SUBJECT, "others": [SUBJECT]},
    {"id": ID, "action": "close", "subject": SUBJECT, "reason": "explained", "text": "x"},
    {"id": ID, "action": "mute", "check": "late_wager", "table": "BAC-7", "minutes": 30, "reason": "x"},
    {"id": ID, "action": "log-entry", "entry": ENTRY},
    {"id": ID, "action": "dispute-open", "about": ABOUT, "call": {"called": 1_740_859_200_000_000}},
]
# Whole bodies of the routes that take one; of the others what a stranger might send.
BODIES: Final[dict[str, list[Any]]] = {
    "/api/actions": ACTIONS,
    "/api/views": [{"name": "mine", "query": "queue=act_now"}],
    "/api/unmask": [{"subject": SUBJECT, "reason": "to call"}],
    "/accounts": [{"name": "new", "shown": "New", "role": "operator"}],
    "/embargoes": [{"subject": SUBJECT, "whom": "operator", "reason": "named"}],
    "/login": [{"name": "x", "password": "y", "next": "/"}],
    "/password": [{"old": "x", "new": "y", "again": "y"}],
}
FORM: Final = [{"form": "1", "text": "late", "reason": "explained", "role": "operator", "what": "both"}]

# What the console calls by these names itself; one of them in a body is nothing special.
GIVEN: Final = ["entry", "about", "person", "data", "live", "desk", "events", "found", "sought", "x"]
ODD: Final = [
    "",
    "\0",
    "\ud800",
    "\u202e",
    "x" * 5000,
    "9" * 400,
    "-1",
    "nan",
    "2025-02-30",
    "../..",
    "[",
    "%",
]
TEXTS: Final = st.sampled_from(ODD) | st.text(st.characters(), max_size=8)
SCALARS: Final = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, -1, 1 << 63, 1 << 200, 1.5, float("nan"), float("inf"), -1e308])
    | TEXTS
)
VALUES: Final = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(GIVEN) | TEXTS, inner, max_size=3)
    ),
    max_leaves=6,
)
TYPES: Final = st.sampled_from(
    [
        "application/json",
        "application/json; charset=nothing",
        "application/x-www-form-urlencoded",
        "application/x-www-form-urlencoded; charset=nothing",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/x-msgpack",
        "text/plain",
        ";",
        "",
    ]
)
BYTES: Final = st.binary(max_size=40) | st.sampled_from(
    [
        b"",
        b"\xff",
        b"null",
        b"{",
        b"a=%ff&b=%",
        b"=&=&;",
        b'{"id":"\xff"}',
        b"[" * 100_000,
        b"--x\r\n",
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--x--\r\n',
        b"--x\r\nContent-Disposition: nothing\r\n\r\nb\r\n--x--",
        b"a=1&" * 5000,
    ]
)
HEADERS: Final = st.sampled_from(
    [
        {},
        {"Origin": "http://["},
        {"Origin": "null"},
        {"Cookie": b"discardrack=\xff; =; x"},
        {"Authorization": b"Bearer \xff"},
        {"X-CSRF-Token": b"\xff"},
        {"Accept": ";;q=x"},
        {"If-None-Match": b"\xff"},
        {"Range": "bytes=9-1"},
        {"X-Forwarded-For": "[::"},
        {"Content-Length": "5"},
    ]
)


@st.composite
def mutated(draw: st.DrawFn, whole: Any) -> Any:
    """Replace some places of a body by something else."""
    told = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 2))):
        at = told
        while isinstance(at, dict) and at:
            name = draw(st.sampled_from(sorted(at)))
            if isinstance(at[name], dict | list) and at[name] and draw(st.booleans()):
                at = at[name]
                continue
            match draw(st.integers(0, 2)):
                case 0:
                    at[name] = draw(VALUES)
                case 1:
                    del at[name]
                case _:
                    at[draw(st.sampled_from(GIVEN) | TEXTS)] = draw(VALUES)
            break
        else:
            return draw(VALUES)
    return told


def as_json(told: Any) -> bytes:
    return json.dumps(told).encode()


def as_form(told: Any) -> bytes:
    if not isinstance(told, dict):
        return as_json(told)
    pairs = {name: each if isinstance(each, str) else json.dumps(each) for name, each in told.items()}
    return urlencode(pairs, errors="surrogatepass").encode()


@st.composite
def bodies(draw: st.DrawFn, route: str) -> tuple[bytes, str]:
    """Draw a body of a route and its media type."""
    is_json = route.startswith("/api/")
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return draw(BYTES), draw(TYPES)
    told = draw(mutated(draw(st.sampled_from(BODIES.get(route, FORM)))) if kind < 5 else VALUES)
    written = as_json(told) if is_json else as_form(told)
    usual = "application/json" if is_json else "application/x-www-form-urlencoded"
    return written, usual if kind < 4 else draw(TYPES)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    path: Path = store_records(tmp_path_factory.mktemp("malformed") / "store.duckdb", DISPUTED)
    with TestClient(console(load_console(path))) as client:
        client.follow_redirects = False
        for role in ROLES:
            create_account(entry_of(client), role)
        yield client
    SESSIONS.clear()


def entry_of(client: TestClient[Litestar]) -> AuthService:
    return client.app.plugins.get(Access).auth


SESSIONS: Final[dict[Role, tuple[str, str]]] = {}  # the cookie, and the token that its pages send


def there(client: TestClient[Litestar], role: Role) -> None:
    """Restore a role's access, whom an example may have logged out, disabled or changed."""
    entry = entry_of(client)
    cookie, token = SESSIONS.get(role, ("", ""))
    client.cookies.clear()
    found = entry.person(cookie)
    if found is not None and (found.role, found.must_change) == (role, False):
        client.cookies.set(SESSION, cookie, domain=HOST, path="/")
        client.headers["X-CSRF-Token"] = token
        return
    with entry.file.writing() as db:
        db.execute("UPDATE accounts SET role = ?, disabled = 0, must_change = 0 WHERE name = ?", [role, role])
    log_in_as(client, entry, role)
    SESSIONS[role] = client.cookies[SESSION], client.headers["X-CSRF-Token"]


class Tried(NamedTuple):
    """A method of a route, with the names of what may be asked of it, and what it needs."""

    method: str
    path: str
    names: list[str]
    needs: object

    def may(self, role: Role) -> bool:
        """Return True if a role's requests come past the guard, which reads no body."""
        if self.needs in (None, LOGIN, PASSWORD):
            return True
        needed = [self.needs] if isinstance(self.needs, str) else self.needs
        return not rights_of(role).isdisjoint(needed)


def routes(app: Litestar) -> list[Tried]:
    return [
        Tried(method, route.path_format, sorted(handler.parsed_fn_signature.parameters), handler.opt["needs"])
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path not in APART
        for handler in route.route_handlers
        for method in sorted(handler.http_methods - {"OPTIONS"})
    ]


def ask(client: TestClient[Litestar], method: str, address: str, **more: Any) -> int:
    answer = client.request(method, address, **more)
    assert answer.status_code < 500, (method, address, more, answer.text)
    return answer.status_code


@st.composite
def addresses(draw: st.DrawFn, path: str, names: list[str]) -> str:
    """Fill the parts of a path, and ask for what its route knows and does not know."""
    known = ["BAC-7", "2025-01-01", "41", ALERT, "shoe", "1", "alerts", "close", "note", "supervisor"]
    parts = []
    for each in path.split("/"):
        odd = draw(st.sampled_from(known) | TEXTS) if each.startswith("{") else each
        parts.append(quote(odd, safe="", errors="surrogatepass") if each.startswith("{") else each)
    asked = draw(
        st.lists(st.tuples(st.sampled_from([*names, "q", "table", "round", "day"]), TEXTS), max_size=3)
    )
    ready = urlencode(asked, errors="surrogatepass")
    query = draw(st.sampled_from([ready, ready, ready, "%ff=%ff&&=&;", "%", "a=%00&page=1e9"]))
    return "/".join(parts) + (f"?{query}" if query else "")


def try_bodies(client: TestClient[Litestar], role: Role, tried: Tried) -> None:
    @settings(FEW if tried.may(role) else ONE)
    @given(address=addresses(tried.path, tried.names), body=bodies(tried.path), more=st.just({}) | HEADERS)
    def asks(address: str, body: tuple[bytes, str], more: dict[str, Any]) -> None:
        there(client, role)
        content, kind = body
        ask(client, tried.method, address, content=content, headers={"Content-Type": kind, **more})

    asks()


def try_addresses(client: TestClient[Litestar], tried: Tried) -> None:
    @FEW
    @given(
        address=addresses(tried.path, tried.names), more=st.just({}) | HEADERS, role=st.sampled_from(ROLES)
    )
    def asks(address: str, more: dict[str, Any], role: Role) -> None:
        there(client, role)
        ask(client, "GET", address, headers=more)

    asks()


@pytest.mark.parametrize("role", ROLES)
def test_no_body_is_a_fault_of_ours(client: TestClient[Litestar], role: Role) -> None:
    found = [each for each in routes(client.app) if each.method not in ("GET", "HEAD")]
    assert {"/api/actions", "/login", "/accounts", "/embargoes"} <= {each.path for each in found}
    for each in found:
        try_bodies(client, role, each)


def test_each_body_is_read_of_somebody(client: TestClient[Litestar]) -> None:
    read = {each.path for each in routes(client.app) for role in ROLES if each.may(role)}
    assert read == {each.path for each in routes(client.app)}


def test_no_path_query_or_header_is_a_fault_of_ours(client: TestClient[Litestar]) -> None:
    for each in routes(client.app):
        if each.method == "GET":
            try_addresses(client, each)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"action": "log-entry", "entry": 5}, "entry"),
        ([], "data"),
        ({"kind": "note"}, "data"),
        ({"id": ID, "action": "log-entry", "entry": {**ENTRY, "other": 1}}, "entry"),
        ({"id": ID, "action": "dispute-open", "about": [], "call": {}}, "about"),
    ],
    ids=["entry", "list", "no action", "unknown field", "about"],
)
def test_a_body_out_of_form_is_refused_by_the_name_of_its_field(
    client: TestClient[Litestar], body: Any, field: str
) -> None:
    there(client, "operator")
    answer = client.post("/api/actions", json=body)
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json()["field"]) == ("out_of_form", field)
