"""Access: nobody enters the console but with an account, and nobody does what the role may not."""

import asyncio
import re
import stat
from collections.abc import AsyncGenerator, Iterator
from html import unescape
from pathlib import Path
from typing import Final, get_args

import pytest
from litestar import Litestar, get
from litestar.di import NamedDependency
from litestar.exceptions import ImproperlyConfiguredException
from litestar.testing import TestClient
from msgspec import Struct
from msgspec.structs import asdict

from projections.web.auth import auth_service
from projections.web.auth.accounts import IDLE, LONGEST
from projections.web.auth.accounts_file import accounts_of
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from projections.web.auth.guard import BEFORE, SESSION
from projections.web.auth.masking import Masking
from projections.web.auth.roles import MACHINE, ROLES, Right, rights_of
from tests.builders.auth import (
    CSRF,
    HOST,
    PASSWORD,
    ROUTES,
    SettableClock,
    build_small_console,
    create_account,
    log_in_by_form,
    log_in_new_account,
    log_out,
)

HERE: Final = f"http://{HOST}"


@get("/open", opt={"needs": None})
async def masking_all(masking: NamedDependency[Masking]) -> str:
    return masking.name("patron", "anna")


class Said(Struct, frozen=True):
    """Words of a patron."""

    patron: str


@get("/forgets", opt={"needs": None})
async def forgetting(masking: NamedDependency[Masking]) -> Said:  # noqa: ARG001  that is the mistake
    return Said("anna")


@pytest.fixture
def client(access: Access) -> Iterator[TestClient[Litestar]]:
    with TestClient(build_small_console(access, *ROUTES)) as client:
        client.follow_redirects = False
        yield client


# ── who is let in ────────────────────────────────────────────────────────────────────────────────────


def test_a_page_leads_to_the_login_and_the_login_back_to_the_page(
    client: TestClient[Litestar], access: Access
) -> None:
    create_account(access.auth, "operator")
    away = client.get("/?table=BAC-7&page=2")
    assert (away.status_code, away.headers["location"]) == (303, "/login?next=/%3Ftable%3DBAC-7%26page%3D2")
    back = log_in_by_form(client, "operator", to="/?table=BAC-7&page=2")
    assert (back.status_code, back.headers["location"]) == (303, "/?table=BAC-7&page=2")
    assert client.get("/").json() == {"name": "operator", "role": "operator"}


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("/embargoes/3/lift", "/embargoes"),
        ("/accounts/ines/role?x=1", "/accounts"),
        ("/accounts/ines%20b/role", "/accounts"),
        ("/embargoes?x=1", "/embargoes?x=1"),
        ("/logout", "/"),
        ("/nowhere/at/all", "/"),
    ],
)
def test_a_login_leads_from_what_only_answers_a_form_to_the_nearest_page_above_it(
    client: TestClient[Litestar], access: Access, asked: str, page: str
) -> None:
    create_account(access.auth, "operator")
    assert log_in_by_form(client, "operator", to=asked).headers["location"] == page
    assert client.get("/login", params={"next": asked}).headers["location"] == page  # logged in by now


def test_the_api_answers_401_without_a_login(client: TestClient[Litestar]) -> None:
    answer = client.get("/api/alerts")
    assert (answer.status_code, answer.json()) == (401, {"error": "Nobody is logged in; log in first."})
    assert client.post("/api/actions", json={}).status_code == 401


def test_what_needs_nothing_is_open_to_nobody_in_particular(client: TestClient[Litestar]) -> None:
    assert client.get("/healthz").text == "ok"


def test_a_console_is_not_made_with_a_route_that_says_nothing(access: Access) -> None:
    @get("/open")
    async def unsaid() -> str:
        return "for all"

    with pytest.raises(ImproperlyConfiguredException, match=r"/open .*does not say what right it needs"):
        build_small_console(access, unsaid)


def test_each_role_may_what_the_table_of_rights_says() -> None:
    # worked by hand from what each of them is for
    table: dict[Right, str] = {
        "see": "operator supervisor director investigator finance auditor regulator",
        "queue": "operator supervisor director investigator auditor",
        "work": "operator supervisor director investigator",
        "second": "supervisor director",
        "unmask": "supervisor director investigator regulator",
        "finance": "finance auditor regulator",
        "export": "supervisor director investigator finance auditor regulator",
        "snapshot": "director regulator machine",
        "read_log": "operator supervisor director investigator auditor",
        "log": "operator supervisor director investigator",
        "dispute": "operator supervisor director investigator",
        "embargo": "supervisor director investigator",
        "lift": "director regulator",
        "audit": "supervisor director auditor regulator",
        "accounts": "administrator",
        "health": "supervisor director auditor regulator administrator machine",
    }
    assert set(table) == set(get_args(Right))
    for role in (*ROLES, MACHINE):
        assert rights_of(role) == {right for right, roles in table.items() if role in roles.split()}, role


def test_a_role_without_the_right_is_refused(client: TestClient[Litestar], access: Access) -> None:
    log_in_new_account(client, access.auth, "auditor")
    answer = client.post("/api/actions", json={})
    assert answer.status_code == 403
    assert answer.json() == {"error": "The role auditor may not do this; it needs the right to work."}
    log_out(client)
    log_in_new_account(client, access.auth, "administrator")
    assert client.get("/api/alerts").status_code == 403


def test_an_administrator_lands_on_the_accounts(client: TestClient[Litestar], access: Access) -> None:
    create_account(access.auth, "administrator")
    landed = log_in_by_form(client, "administrator")
    while landed.status_code == 303:
        landed = client.get(landed.headers["location"])
    assert (landed.status_code, landed.url.path) == (200, "/accounts")
    assert "<h1>Accounts" in landed.text


def test_methods_are_not_listed_without_a_login(client: TestClient[Litestar], access: Access) -> None:
    assert client.options("/api/actions").status_code == 401
    log_in_new_account(client, access.auth, "director")
    assert client.options("/api/actions").status_code == 403


# ── passwords and attempts ───────────────────────────────────────────────────────────────────────────


def test_a_wrong_name_a_wrong_password_and_a_disabled_account_get_one_answer(
    client: TestClient[Litestar], access: Access
) -> None:
    create_account(access.auth, "administrator")
    create_account(access.auth, "operator")
    access.auth.accounts.set_disabled("operator", disabled=True, by="a test")
    tried = [
        log_in_by_form(client, "administrator", "not this one at all"),
        log_in_by_form(client, "nobody-of-this-name"),
        log_in_by_form(client, "operator"),
    ]
    assert {answer.status_code for answer in tried} == {403}
    says = {re.findall(r'role="alert">([^<]+)<', answer.text)[0] for answer in tried}
    assert says == {"The name or the password is not right."}
    assert SESSION not in client.cookies


def test_a_login_that_is_refused_keeps_the_name_that_was_typed_and_not_the_password(
    client: TestClient[Litestar], access: Access
) -> None:
    create_account(access.auth, "operator")
    typed = '"><script>alert(1)</script>'
    for name in ("operator", typed, "x" * 70):
        page = log_in_by_form(client, name, "not this one at all").text
        (field,) = re.findall(r'<input name="name"[^>]*>', page)
        (kept,) = re.findall(r' value="([^"]*)"', field)
        assert unescape(kept) == name[:64]
        assert typed not in page
        assert "not this one at all" not in page
        assert "autofocus" not in field, "the next to be typed is the password"
        assert re.findall(r'type="password"[^>]*autofocus', page)
    (first,) = re.findall(r'<input name="name"[^>]*>', client.get("/login").text)
    assert ' value=""' in first
    assert "autofocus" in first


def test_the_fourth_mistake_makes_the_next_attempt_wait(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    create_account(access.auth, "operator")
    for _ in range(4):
        assert log_in_by_form(client, "operator", "not this one at all").status_code == 403
    early = log_in_by_form(client, "operator")
    assert (early.status_code, early.headers["retry-after"]) == (429, "2")
    assert "Too many attempts; try again in 2 s." in early.text
    clock.at += 2
    assert log_in_by_form(client, "operator").status_code == 303


def test_attempts_outlast_a_restart(tmp_path: Path, clock: SettableClock) -> None:
    before = AuthService(tmp_path / "store", now=clock)
    for _ in range(4):
        with pytest.raises(Exception, match="not right"):
            before.login("ines", "wrong", "10.0.0.7")
    before.close()
    after = AuthService(tmp_path / "store", now=clock)
    with pytest.raises(Exception, match="try again in 2 s"):
        after.login("ines", "wrong", "10.0.0.7")
    after.close()


def test_a_stranger_does_not_lock_out_who_was_here_before(access: Access, clock: SettableClock) -> None:
    create_account(access.auth, "operator")
    access.auth.login("operator", PASSWORD, "10.0.0.7")
    for stranger in range(40):
        clock.at += 1
        with pytest.raises(Exception, match=r"not right|try again"):
            access.auth.login("operator", "wrong", f"203.0.113.{stranger}")
    with pytest.raises(Exception, match="try again"):
        access.auth.login("operator", PASSWORD, "10.0.0.8")
    assert access.auth.login("operator", PASSWORD, "10.0.0.7")


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_cookie_is_for_the_server_alone(client: TestClient[Litestar], access: Access) -> None:
    create_account(access.auth, "operator")
    cookie = log_in_by_form(client, "operator").headers.get_list("set-cookie")[0]
    assert cookie.startswith(f"{SESSION}=")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie


def test_behind_https_the_cookie_is_secure(access: Access) -> None:
    create_account(access.auth, "operator")
    with TestClient(build_small_console(access, *ROUTES), base_url=f"https://{HOST}") as client:
        client.follow_redirects = False
        assert "Secure" in log_in_by_form(client, "operator").headers.get_list("set-cookie")[0]


def test_the_file_does_not_hold_what_the_browser_has(client: TestClient[Litestar], access: Access) -> None:
    create_account(access.auth, "operator")
    log_in_by_form(client, "operator")
    token = client.cookies[SESSION]
    held = [value for row in access.auth.file.ask("SELECT * FROM sessions") for value in tuple(row)]
    assert token not in held
    assert PASSWORD not in str([tuple(row) for row in access.auth.file.ask("SELECT * FROM accounts")])


def test_a_login_begins_another_session_and_ends_the_one_that_was(
    client: TestClient[Litestar], access: Access
) -> None:
    create_account(access.auth, "operator")
    client.cookies.set(SESSION, "planted", domain=HOST, path="/")
    log_in_by_form(client, "operator")
    first = client.cookies[SESSION]
    assert first != "planted"
    client.cookies.delete(SESSION, domain=HOST)
    page = client.get("/login")
    client.cookies.set(SESSION, first, domain=HOST)
    form = {"name": "operator", "password": PASSWORD, "csrf": CSRF.findall(page.text)[0]}
    answer = client.post("/login", data=form)
    assert answer.status_code == 303
    assert access.auth.person(first) is None


@pytest.mark.parametrize(("passes", "held"), [(IDLE - 1, True), (IDLE, False)])
def test_a_session_ends_when_it_is_not_used(
    access: Access, clock: SettableClock, passes: int, *, held: bool
) -> None:
    create_account(access.auth, "operator")
    token = access.auth.sessions.begin("operator")
    clock.at += passes
    assert (access.auth.person(token) is not None) is held


def test_a_session_that_is_used_ends_after_the_longest_shift(access: Access, clock: SettableClock) -> None:
    create_account(access.auth, "operator")
    token, began = access.auth.sessions.begin("operator"), clock.at
    while clock.at - began < LONGEST - 600:
        clock.at += 600
        assert access.auth.person(token) is not None
    clock.at += 600
    assert access.auth.person(token) is None


@pytest.mark.parametrize("change", ["role", "disable", "password", "logout"])
def test_a_session_ends_when_its_account_is_changed(access: Access, change: str) -> None:
    create_account(access.auth, "operator")
    token = access.auth.sessions.begin("operator")
    person = access.auth.person(token)
    assert person is not None
    assert access.auth.is_admitted(person)
    accounts = access.auth.accounts
    if change == "role":
        accounts.give_role("operator", "finance", by="a test")
    elif change == "disable":
        accounts.set_disabled("operator", disabled=True, by="a test")
    elif change == "password":
        accounts.set_password("operator", "another horse battery", by="a test")
    else:
        access.auth.logout(person)
    assert access.auth.person(token) is None
    assert not access.auth.is_admitted(person)


def test_logging_out_ends_the_session(client: TestClient[Litestar], access: Access) -> None:
    create_account(access.auth, "operator")
    log_in_by_form(client, "operator")
    token = client.cookies[SESSION]
    (csrf,) = CSRF.findall(client.get("/password").text)[:1]
    assert client.post("/logout", data={"csrf": csrf}).headers["location"] == "/login"
    assert access.auth.person(token) is None
    assert client.get("/").status_code == 303


def test_a_stream_ends_with_the_session_and_keeps_it_until_then(
    access: Access, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth_service, "ASKED_EVERY", 0.0)
    create_account(access.auth, "operator")
    person = access.auth.person(access.auth.sessions.begin("operator"))
    assert person is not None
    closed = []

    async def endless() -> AsyncGenerator[int, None]:
        try:
            for number in range(1000):
                yield number
        finally:
            closed.append(True)

    async def heard() -> list[int]:
        told = []
        async for number in auth_service.while_admitted(endless(), access.auth, person):
            told.append(number)
            clock.at += IDLE - 1  # a calm night: nothing but the stream uses the session
            if number == 2:
                access.auth.logout(person)
        return told

    assert asyncio.run(heard()) == [0, 1, 2]
    assert closed == [True]


# ── what another site lets a browser send ────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 200),
        ({"Origin": HERE}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"X-CSRF-Token": "another"}, 403),
        ({"X-CSRF-Token": ""}, 403),
    ],
)
def test_what_changes_something_has_to_come_from_the_console(
    client: TestClient[Litestar], access: Access, headers: dict[str, str], status: int
) -> None:
    log_in_new_account(client, access.auth, "operator")
    assert client.post("/api/actions", json={"id": 1}, headers=headers).status_code == status


def test_the_token_of_one_session_is_none_of_anothers(client: TestClient[Litestar], access: Access) -> None:
    log_in_new_account(client, access.auth, "operator")
    others = client.headers["X-CSRF-Token"]
    log_in_new_account(client, access.auth, "supervisor")
    assert client.post("/api/actions", json={}).status_code == 200
    assert client.post("/api/actions", json={}, headers={"X-CSRF-Token": others}).status_code == 403


def test_a_login_needs_the_token_of_its_own_page(client: TestClient[Litestar], access: Access) -> None:
    create_account(access.auth, "operator")
    form = {"name": "operator", "password": PASSWORD}
    assert client.post("/login", data=form).status_code == 403
    (csrf,) = CSRF.findall(client.get("/login").text)
    client.cookies.set(BEFORE, "another", domain=HOST, path="/")
    assert client.post("/login", data={**form, "csrf": csrf}).status_code == 403
    assert SESSION not in client.cookies


# ── the password for once ────────────────────────────────────────────────────────────────────────────


def test_a_password_for_once_opens_nothing_but_the_page_to_change_it(
    client: TestClient[Litestar], access: Access
) -> None:
    access.auth.accounts.add("ben", "Ben", "operator", PASSWORD, by="a test", must_change=True)
    log_in_by_form(client, "ben")
    assert client.get("/").headers["location"] == "/password"
    assert client.get("/api/alerts").json() == {"error": "Choose a new password first."}
    page = client.get("/password")
    assert "one-time password" in page.text
    (csrf, *_) = CSRF.findall(page.text)
    new = "another horse battery"
    form = {"old": PASSWORD, "new": new, "again": new, "csrf": csrf}
    for wrong, says in (
        ({"old": "not this one"}, "The old password is not right."),
        ({"again": "another horse batterx"}, "The two new passwords are not the same."),
        ({"new": "short", "again": "short"}, "The password has 5 characters; 12 are the least."),
        ({"new": PASSWORD, "again": PASSWORD}, "The new password is the same as the old one."),
    ):
        answer = client.post("/password", data=form | wrong)
        assert (answer.status_code, re.findall(r'role="alert">([^<]+)<', answer.text)) == (403, [says])
    old = client.cookies[SESSION]
    assert client.post("/password", data=form).headers["location"] == "/"
    assert access.auth.person(old) is None
    assert client.get("/").json()["name"] == "ben"


# ── the file ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_file_stands_beside_the_store_for_its_owner_alone(access: Access, tmp_path: Path) -> None:
    path = accounts_of(tmp_path / "store.duckdb")
    create_account(access.auth, "operator")
    for each in (path, path.with_name(f"{path.name}-wal")):
        assert stat.S_IMODE(each.stat().st_mode) == 0o600


def test_without_an_account_the_login_page_shows_the_commands(
    client: TestClient[Litestar], tmp_path: Path
) -> None:
    page = client.get("/login").text
    for role in ("administrator", "operator"):
        assert f"discardrack user add NAME --store {tmp_path / 'store.duckdb'} --role {role}<" in page


def test_the_command_is_not_shown_if_there_are_accounts(client: TestClient[Litestar], access: Access) -> None:
    create_account(access.auth, "administrator")
    assert "discardrack user add" not in client.get("/login").text


def test_a_person_has_what_templates_and_routes_need(access: Access) -> None:
    create_account(access.auth, "finance")
    person = access.auth.person(access.auth.sessions.begin("finance"))
    assert person is not None
    told = asdict(person)
    assert (told["name"], told["shown"], told["role"]) == ("finance", "Finance", "finance")
    assert person.rights == {"see", "finance", "export"}


def test_names_are_masked_for_who_is_logged_in_and_for_nobody_else(access: Access) -> None:
    with TestClient(build_small_console(access, masking_all)) as client:
        client.follow_redirects = False
        assert client.get("/open").headers["location"] == "/login?next=/open"
        log_in_new_account(client, access.auth)
        assert re.fullmatch(r"patron ·[0-9a-f]{6}", client.get("/open").text)


def test_a_route_that_asks_for_the_masking_and_forgets_it_names_nobody(access: Access) -> None:
    with TestClient(build_small_console(access, forgetting)) as client:
        log_in_new_account(client, access.auth)
        assert re.fullmatch(r"patron ·[0-9a-f]{6}", client.get("/forgets").json()["patron"])
