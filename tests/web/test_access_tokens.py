"""Programs read the console by a token of an account, and do nothing by it."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.store.store import Store
from projections.web.app import console
from projections.web.auth.accounts import session_of
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from projections.web.auth.embargo import Embargoes
from projections.web.bootstrap import load_console
from tests.builders.auth import (
    PASSWORD,
    ROUTES,
    SettableClock,
    build_small_console,
    create_account,
    run_user_verb,
)
from tests.builders.nights import run_nightly, script_three_rounds, write_floor

YEAR: Final = 365 * 86_400


@pytest.fixture
def client(access: Access) -> Iterator[TestClient[Litestar]]:
    with TestClient(build_small_console(access, *ROUTES)) as client:
        client.follow_redirects = False
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_reads_what_its_account_may_see(client: TestClient[Litestar], access: Access) -> None:
    token = access.auth.tokens.make(create_account(access.auth, "auditor"), 1, by="a test")
    assert client.get("/", headers=bearer(token)).json() == {"name": "auditor", "role": "auditor"}
    assert client.get("/audit", headers=bearer(token)).status_code == 200
    assert client.get("/accounts", headers=bearer(token)).status_code == 403


def test_nothing_is_done_by_a_token_whatever_the_role(client: TestClient[Litestar], access: Access) -> None:
    token = access.auth.tokens.make(create_account(access.auth, "director"), 1, by="a test")
    for csrf in ({}, {"X-CSRF-Token": ""}):
        answer = client.post("/api/actions", json={}, headers={**bearer(token), **csrf})
        assert (answer.status_code, answer.json()) == (
            403,
            {"error": "A token reads; it cannot change anything."},
        )


def test_a_wrong_token_is_refused_without_a_redirect_even_with_a_session(
    client: TestClient[Litestar], access: Access
) -> None:
    create_account(access.auth, "operator")
    client.cookies.set("discardrack", access.auth.sessions.begin("operator"))
    assert client.get("/").status_code == 200
    for wrong in ("x" * 43, ""):
        answer = client.get("/", headers=bearer(wrong))
        assert answer.status_code == 401
        assert answer.json()["error"].startswith("The token is not known or has ended; `discardrack user")
    # A proxy may ask for a password of its own, and send it on.
    assert client.get("/", headers={"Authorization": "Basic eDp5"}).status_code == 200


@pytest.mark.parametrize("how", ["time", "revoked", "another", "disabled", "role", "password"])
def test_a_token_ends(client: TestClient[Litestar], access: Access, clock: SettableClock, how: str) -> None:
    name, entry = create_account(access.auth, "auditor"), access.auth
    token = entry.tokens.make(name, 365, by="a test")
    clock.at += YEAR - 1
    assert client.get("/", headers=bearer(token)).status_code == 200
    match how:
        case "time":
            clock.at += 1
        case "revoked":
            entry.tokens.revoke(name, by="a test")
        case "another":
            other = entry.tokens.make(name, 365, by="a test")
            assert client.get("/", headers=bearer(other)).status_code == 200
        case "disabled":
            entry.accounts.set_disabled(name, disabled=True, by="a test")
            entry.accounts.set_disabled(name, disabled=False, by="a test")
        case "role":
            entry.accounts.give_role(name, "regulator", by="a test")
        case _:
            entry.accounts.set_password(name, "another horse battery", by="a test")
    assert client.get("/", headers=bearer(token)).status_code == 401


def test_the_file_holds_the_hash_of_a_token_alone(access: Access) -> None:
    token = access.auth.tokens.make(create_account(access.auth, "auditor"), 1, by="a test")
    held = [value for row in access.auth.file.ask("SELECT * FROM tokens") for value in tuple(row)]
    assert held[:2] == ["auditor", session_of(token)]
    assert token not in held


def test_that_it_reads_is_noted_and_the_same_again_after_ten_minutes(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    token = access.auth.tokens.make(create_account(access.auth, "auditor"), 1, by="a test")
    for later in (0, 599, 1):
        clock.at += later
        client.get("/?table=BAC-7", headers=bearer(token))
        client.get("/api/alerts", headers=bearer(token))
    rows = access.auth.file.ask("SELECT person, detail, at FROM log WHERE kind = 'read' ORDER BY number")
    began = clock.at - 600
    assert [tuple(row) for row in rows] == [
        ("auditor", "/ from testclient", began),
        ("auditor", "/api/alerts from testclient", began),
        ("auditor", "/ from testclient", began + 600),
        ("auditor", "/api/alerts from testclient", began + 600),
    ]


def test_a_machine_has_no_password_and_nobody_logs_in_by_it(access: Access) -> None:
    entry = access.auth
    entry.accounts.add("nightly", "Nightly", "machine", None, by="a test")
    for password in ("", "None", PASSWORD):
        with pytest.raises(Exception, match="not right"):
            entry.login("nightly", password, f"10.0.0.{len(password)}")
    with pytest.raises(Exception, match="a machine has no password"):
        entry.accounts.set_password("nightly", PASSWORD, by="a test")
    with pytest.raises(Exception, match="a machine has no password"):
        entry.accounts.add("other", "Other", "machine", PASSWORD, by="a test")
    with pytest.raises(Exception, match="a machine's account stays one"):
        entry.accounts.give_role("nightly", "director", by="a test")
    with pytest.raises(Exception, match="0 characters"):
        entry.accounts.add("other", "Other", "operator", None, by="a test")


# ── the verb ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_token_is_printed_once_and_listed_by_its_end(tmp_path: Path) -> None:
    store = tmp_path / "live.duckdb"
    assert run_user_verb(store, "add", "nightly", "--role", "machine").stdout == "nightly may have a token\n"
    first = run_user_verb(store, "token", "nightly")
    made = run_user_verb(store, "token", "nightly", "--expires", "30")
    assert (first.stderr, made.stderr) == ("", "the token that nightly had before has ended\n")
    token = made.stdout.strip()
    entry = AuthService(store)
    assert entry.tokens.person(session_of(first.stdout.strip())) is None
    person = entry.tokens.person(session_of(token))
    assert person is not None
    assert (person.name, person.rights) == ("nightly", {"snapshot", "health"})
    entry.close()
    listed = run_user_verb(store, "list", "--format", "csv").stdout
    assert listed.splitlines()[0].endswith(",made,last_login,token_until")
    assert listed.splitlines()[1].rpartition(",")[2].endswith("Z")
    assert token not in listed
    assert run_user_verb(store, "token", "nightly", "--revoke").exit_code == 0
    again = run_user_verb(store, "token", "nightly", "--revoke")
    assert (again.exit_code, again.stderr) == (2, "discardrack: the account 'nightly' has no token\n")
    assert "there is no account 'nobody'" in run_user_verb(store, "token", "nobody").stderr
    assert run_user_verb(store, "check").exit_code == 0


# ── copies of the store ──────────────────────────────────────────────────────────────────────────────


def test_a_copy_is_given_to_a_machine_and_to_nobody_from_whom_anything_is_withheld(tmp_path: Path) -> None:
    store = tmp_path / "store.duckdb"
    Store(store).close()
    run_user_verb(store, "add", "nightly", "--role", "machine")
    token = run_user_verb(store, "token", "nightly").stdout.strip()
    with TestClient(console(load_console(store))) as client:
        assert client.get("/api/snapshot", headers=bearer(token)).content[8:12] == b"DUCK"
        assert client.get("/api/alerts", headers=bearer(token)).status_code == 403
        file = AccountsFile(accounts_of(store))
        Embargoes(file).place("round:2025-03-01|BAC-101|7", "nightly", "a test", by="a test")
        file.close()
        assert client.get("/api/snapshot", headers=bearer(token)).status_code == 403


class Leading(BaseHTTPRequestHandler):
    """Leads whoever asks to another server, and remembers with what they came."""

    brought: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        """Lead away, or refuse who was led."""
        self.brought.append(self.headers["Authorization"])
        self.send_response(302 if self.path == "/api/snapshot" else 401)
        self.send_header("Location", f"http://localhost:{self.server.server_address[1]}/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Send nothing."""


def test_nightly_sends_its_token_to_the_named_server_alone_and_says_that_it_was_refused(
    tmp_path: Path,
) -> None:
    floor, file = write_floor(tmp_path, script_three_rounds()), tmp_path / "token"
    file.write_text("s3cret\n")
    with HTTPServer(("127.0.0.1", 0), Leading) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        live = f"http://127.0.0.1:{server.server_address[1]}"
        ran = run_nightly(floor, "--live", live, "--token-file", str(file), out=tmp_path)
        server.shutdown()
    assert Leading.brought == ["Bearer s3cret", None]
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "HTTP Error 401: Unauthorized; the token is of no account that may take one" in ran.stderr


def test_a_faulty_token_file_is_reported_before_the_audit(tmp_path: Path) -> None:
    floor, file = write_floor(tmp_path, script_three_rounds()), tmp_path / "token"
    with HTTPServer(("127.0.0.1", 0), Leading) as server:
        live = ("--live", f"http://127.0.0.1:{server.server_address[1]}")
        for options, says in (
            (live, "serve lets nobody in without a token; say --token-file FILE"),
            ((*live, "--token-file", str(file)), "cannot be read"),
            (("--live", str(floor / "house.yaml"), "--token-file", str(file)), "is no address"),
            (("--token-file", str(file)), "say --live too"),
        ):
            ran = run_nightly(floor, *options, out=tmp_path)
            assert ran.exit_code == 2
            assert says in ran.stderr
        file.write_text("\n")
        assert "is no token" in run_nightly(floor, *live, "--token-file", str(file), out=tmp_path).stderr
    assert not [*tmp_path.glob(".*.audited/*/*.json")]
