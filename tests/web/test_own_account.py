"""One's own account and the accounts of others: sessions, tokens, names, confirmations and answers."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.auth.auth_plugin import Access
from schemas.errors import BadInput
from tests.builders.auth import (
    PASSWORD,
    ROUTES,
    SettableClock,
    build_small_console,
    create_account,
    log_in_as,
    log_in_by_form,
    log_in_new_account,
    log_out,
)


@pytest.fixture
def client(access: Access) -> Iterator[TestClient[Litestar]]:
    with TestClient(build_small_console(access, *ROUTES)) as client:
        client.follow_redirects = False
        yield client


def log_rows(access: Access, kind: str) -> list[tuple[str, str | None, str | None]]:
    query = "SELECT person, whom, detail FROM log WHERE kind = ? ORDER BY number"
    return [tuple(row) for row in access.auth.file.ask(query, kind)]


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────────


def test_ones_own_sessions_are_listed_and_ended(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    create_account(access.auth, "operator")
    tokens = [access.auth.login("operator", PASSWORD, f"10.0.0.{each}", "Lynx/2.9") for each in (1, 2)]
    clock.at += 60
    log_in_as(client, access.auth, "operator")
    page = client.get("/account").text
    assert page.count('data-label="Browser">Lynx/2.9<') == 2
    assert re.findall(r'data-label="From">(10[.\d]+)<', page) == ["10.0.0.1", "10.0.0.2"]
    first = next(each for each in access.auth.sessions.open() if each.address == "10.0.0.1")
    assert client.post("/account/sessions/end", data={"session": first.id}).headers["location"] == "/account"
    assert [access.auth.person(each) is not None for each in tokens] == [False, True]
    client.post("/account/sessions/end", data={"session": "others"})
    assert access.auth.person(tokens[1]) is None
    assert client.get("/").status_code == 200, "this one goes on"
    assert len(log_rows(access, "session")) == 2


def test_nobody_ends_anothers_session_but_an_administrator(
    client: TestClient[Litestar], access: Access
) -> None:
    token = access.auth.login(create_account(access.auth, "operator"), PASSWORD, "10.0.0.1")
    (other,) = access.auth.sessions.open()
    log_in_new_account(client, access.auth, "supervisor")
    client.post("/account/sessions/end", data={"session": other.id})
    assert client.post("/sessions/end", data={"session": other.id}).status_code == 403
    assert access.auth.person(token) is not None
    log_in_new_account(client, access.auth, "administrator")
    assert '<td data-label="From">10.0.0.1</td>' in client.get("/sessions").text
    assert client.post("/sessions/end", data={"session": other.id}).headers["location"] == "/sessions"
    assert access.auth.person(token) is None
    ((by, whom, _),) = log_rows(access, "session")
    assert (by, whom) == ("administrator", "operator")


# ── tokens ───────────────────────────────────────────────────────────────────────────────────────────


def made_token(client: TestClient[Litestar], **form: str) -> str:
    page = client.post("/account/tokens", data={"label": "wall", "days": "30", **form})
    (token,) = re.findall(r"shown only now: <code>([^<]+)</code></p>", page.text)
    return str(token)


def test_a_token_of_ones_page_reads_what_was_chosen_and_no_more(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    log_in_new_account(client, access.auth, "auditor")
    token = made_token(client, audit="yes")
    assert token not in client.get("/account").text
    kept = [value for row in access.auth.file.ask("SELECT * FROM scoped_tokens") for value in tuple(row)]
    assert token not in kept
    log_out(client)
    bearer = {"Authorization": f"Bearer {token}"}
    assert client.get("/api/audit", headers=bearer).status_code == 200
    assert client.get("/api/alerts", headers=bearer).status_code == 403
    (listed,) = access.auth.tokens.scoped("auditor")
    assert (listed.label, listed.scope, listed.used) == ("wall", ["audit"], clock.at)
    clock.at += 30 * 86_400
    assert client.get("/api/audit", headers=bearer).status_code == 401


@pytest.mark.parametrize(
    "form",
    [
        {"see": "yes", "days": "366"},
        {"see": "yes", "days": "0"},
        {"see": "yes", "days": "x"},
        {"see": "yes", "label": " "},
        {"audit": "yes"},
        {},
    ],
    ids=["too long", "no days", "no number", "no name", "not ones own right", "nothing"],
)
def test_a_token_that_may_not_be_is_refused_and_the_form_stays(
    client: TestClient[Litestar], access: Access, form: dict[str, str]
) -> None:
    log_in_new_account(client, access.auth, "operator")
    told = {"label": "wall", "days": "30", **form}
    page = client.post("/account/tokens", data=told)
    assert page.status_code == 400
    assert f'name="days" inputmode="numeric" value="{told["days"]}"' in page.text
    assert access.auth.tokens.scoped("operator") == []


@pytest.mark.parametrize("how", ["revoked", "role", "password", "disabled"])
def test_a_token_of_ones_page_ends(client: TestClient[Litestar], access: Access, how: str) -> None:
    accounts = access.auth.accounts
    log_in_new_account(client, access.auth, "operator")
    token = made_token(client, see="yes")
    (listed,) = access.auth.tokens.scoped("operator")
    match how:
        case "revoked":
            assert client.post(f"/account/tokens/{listed.id}/revoke").status_code == 303
        case "role":
            accounts.give_role("operator", "auditor", by="a test")
        case "password":
            accounts.set_password("operator", PASSWORD[::-1], by="a test")
        case _:
            accounts.set_disabled("operator", disabled=True, by="a test")
    log_out(client)
    assert client.get("/api/alerts", headers={"Authorization": f"Bearer {token}"}).status_code == 401


# ── the accounts of others ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "shown",
    ["Ines Ames", "INES AMES", "ines  ames ", "\uff29nes Ames", "In\u0435s Am\u0435s", "lnes Ames", "iames"],
)
def test_no_two_accounts_are_shown_alike(access: Access, shown: str) -> None:
    access.auth.accounts.add("iames", "Ines Ames", "operator", PASSWORD, by="a test")
    with pytest.raises(BadInput, match="iames is shown or called"):
        access.auth.accounts.add("other", shown, "operator", PASSWORD, by="a test")
    access.auth.accounts.add("other", "Inés Amés", "operator", PASSWORD, by="a test")


def test_two_people_of_one_name_at_the_property_s_login_are_distinguished(access: Access) -> None:
    access.auth.accounts.add_external("jsmith", "John Smith", "operator", by="a test")
    access.auth.accounts.add_external("jsmith2", "John Smith", "operator", by="a test")
    assert [each.shown for each in access.auth.accounts.all()] == ["John Smith", "John Smith (jsmith2)"]


def test_a_refused_form_keeps_what_was_typed(client: TestClient[Litestar], access: Access) -> None:
    log_in_new_account(client, access.auth, "administrator")
    page = client.post("/accounts", data={"name": "not a name", "shown": "Otto Au", "role": "finance"})
    assert page.status_code == 400
    assert 'value="not a name"' in page.text
    assert 'value="Otto Au"' in page.text
    assert "<option selected>finance</option>" in page.text


def test_before_an_account_is_disabled_it_is_asked_and_afterwards_it_is_said(
    client: TestClient[Litestar], access: Access
) -> None:
    access.auth.login(create_account(access.auth, "operator"), PASSWORD, "10.0.0.1")
    log_in_new_account(client, access.auth, "administrator")
    assert 'href="/accounts/operator/disable"' in client.get("/accounts").text
    assert "1 open session of this account ends at once" in client.get("/accounts/operator/disable").text
    assert not access.auth.accounts.get("operator").disabled, "to ask does nothing"
    to = client.post("/accounts/operator/disable").headers["location"]
    assert "operator is now operator, disabled; its sessions have ended." in client.get(to).text
    assert client.get("/accounts/operator/disable").status_code == 404
    changed = client.post("/accounts/operator/role", data={"role": "auditor"}).headers["location"]
    assert "operator is now auditor" in client.get(changed).text


def test_accounts_are_searched_and_show_their_last_login(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    create_account(access.auth, "operator", "otto")
    create_account(access.auth, "finance", "fay")
    log_in_by_form(client, "otto")  # 2025-03-01, 15:00:00 in New York
    clock.at += 60
    log_out(client)
    log_in_new_account(client, access.auth, "administrator")
    names = re.compile(r'<tr id="(\w+)">')
    assert names.findall(client.get("/accounts").text) == ["administrator", "fay", "otto"]
    for words, expected in (("OTT", ["otto"]), ("finance", ["fay"]), ("x", [])):
        assert names.findall(client.get("/accounts", params={"q": words}).text) == expected
    (row,) = re.findall(r'<tr id="otto">.*?</tr>', client.get("/accounts").text, re.DOTALL)
    assert '<td data-label="Last login" class="tight">03/01/2025 3:00:00 PM EST</td>' in row
    (row,) = re.findall(r'<tr id="fay">.*?</tr>', client.get("/accounts").text, re.DOTALL)
    assert '<td data-label="Last login" class="tight">never</td>' in row


# ── the access log ───────────────────────────────────────────────────────────────────────────────────


def exported(client: TestClient[Litestar], form: str, **asked: Any) -> list[dict[str, Any]]:
    answer = client.get(f"/audit/export/{form}", params=asked)
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == f'attachment; filename="access-log.{form}"'
    return json.loads(answer.text) if form == "json" else list(csv.DictReader(io.StringIO(answer.text)))


@pytest.mark.parametrize("form", ["csv", "json"])
def test_the_access_log_is_exported_and_that_it_was_is_in_it(
    client: TestClient[Litestar], access: Access, form: str
) -> None:
    log_in_by_form(client, create_account(access.auth, "operator"))
    log_in_new_account(client, access.auth, "auditor")
    rows = exported(client, form, person="operator")
    assert [(row["person"], row["kind"], row["whom"] or None) for row in rows] == [
        ("a test", "account", "operator"),
        ("operator", "login", None),
    ]
    assert rows[1]["time"] == "2025-03-01T20:00:00Z"
    hashes = [row["hash"] for row in access.auth.file.ask("SELECT hash FROM log ORDER BY number")]
    assert [row["hash"] for row in rows] == hashes[:2]
    assert log_rows(access, "exported") == [("auditor", None, f"the access log as {form}, person operator")]
    log_in_as(client, access.auth, "operator")
    assert client.get(f"/audit/export/{form}").status_code == 403
