"""Second factors: codes of an authenticator (RFC 6238), recovery codes, and whom the house asks for one."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyotp
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from tests.builders.auth import (
    CSRF,
    PASSWORD,
    ROUTES,
    SettableClock,
    build_small_console,
    create_account,
    log_in_as,
    log_in_by_form,
    refused_logins,
)

RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # noqa: S105  12345678901234567890, as in RFC 6238, appendix B


@pytest.fixture
def client(access: Access) -> Iterator[TestClient[Litestar]]:
    with TestClient(build_small_console(access, *ROUTES)) as client:
        client.follow_redirects = False
        yield client


def code_at(secret: str, seconds: int) -> str:
    return pyotp.TOTP(secret).generate_otp(seconds // 30)


def post(client: TestClient[Litestar], path: str, page: str, **fields: str) -> Any:
    csrf = CSRF.findall(client.get(page).text)[0]
    return client.post(path, data={"csrf": csrf, **fields})


def enrolled(client: TestClient[Litestar], clock: SettableClock) -> tuple[str, list[str]]:
    """Add an authenticator to the account that is logged in; gives its secret and the recovery codes."""
    shown = post(client, "/account/authenticator", "/account").text
    (secret,) = re.findall(r"the key <code>([A-Z2-7]{32})</code>", shown)
    assert '<svg width="' in shown
    page = post(
        client, "/account/authenticator/code", "/account", code=code_at(secret, clock.at), label="pocket"
    ).text
    (codes,) = re.findall(r"keep them on paper: <code>([^<]+)</code>", page)
    clock.at += 30
    return secret, codes.split()


def test_the_codes_are_those_of_the_standard(access: Access, clock: SettableClock) -> None:
    # RFC 6238, appendix B, SHA-1, of which the last six digits: 94287082 at 59, 07081804 at 1111111109.
    create_account(access.auth, "operator")
    with access.auth.file.writing() as db:
        db.execute(
            "INSERT INTO second_factors VALUES (NULL, 'operator', 'authenticator', 'x', ?, NULL, 0, 0, NULL)",
            [RFC_SECRET.encode()],
        )
    clock.at = 59
    assert access.auth.factors.is_right("operator", "287 082")
    assert not access.auth.factors.is_right("operator", "287082"), "a code is right once"
    clock.at = 1_111_111_109
    assert not access.auth.factors.is_right("operator", "287082")
    assert access.auth.factors.is_right("operator", "081804")


@pytest.mark.parametrize(
    ("later", "is_right"), [(-30, True), (0, True), (30, True), (60, False), (-60, False)]
)
def test_the_clock_of_an_authenticator_may_differ_by_one_step(
    access: Access, clock: SettableClock, later: int, *, is_right: bool
) -> None:
    create_account(access.auth, "operator")
    with access.auth.file.writing() as db:
        db.execute(
            "INSERT INTO second_factors VALUES (NULL, 'operator', 'authenticator', 'x', ?, NULL, 0, 0, NULL)",
            [RFC_SECRET.encode()],
        )
    assert access.auth.factors.is_right("operator", code_at(RFC_SECRET, clock.at + later)) is is_right


def test_with_a_second_factor_a_password_alone_opens_nothing(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    create_account(access.auth, "operator")
    log_in_by_form(client, "operator")
    secret, codes = enrolled(client, clock)
    assert len(set(codes)) == 10
    post(client, "/logout", "/account")
    assert log_in_by_form(client, "operator", to="/api/alerts").headers["location"] == "/api/alerts"
    assert client.get("/").headers["location"] == "/login/second?next=/"
    assert client.get("/account").status_code == 303
    assert client.get("/password").status_code == 303
    assert client.get("/api/alerts").status_code == 403
    assert access.auth.on_duty() == []
    before = client.cookies["discardrack"]
    wrong = post(client, "/login/second", "/login/second", code="000000")
    assert (wrong.status_code, "That code is not right." in wrong.text) == (403, True)
    assert (
        post(client, "/login/second", "/login/second", code=code_at(secret, clock.at)).headers["location"]
        == "/"
    )
    assert client.get("/").json()["name"] == "operator"
    assert client.cookies["discardrack"] != before, "a session that is complete is another"
    assert access.auth.person(before) is None
    assert refused_logins(access) == ["from testclient, second factor"]


def test_a_recovery_code_opens_the_account_once(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    create_account(access.auth, "operator")
    log_in_by_form(client, "operator")
    _, codes = enrolled(client, clock)
    for expected in (303, 403):
        post(client, "/logout", "/account")
        log_in_by_form(client, "operator")
        answer = post(client, "/login/second", "/login/second", code=codes[3].upper().replace("-", " "))
        assert answer.status_code == expected
    assert access.auth.factors.recovery_codes_left("operator") == 9
    kept = [row["id"] for row in access.auth.file.ask("SELECT id FROM recovery_codes")]
    assert not {code.replace("-", "") for code in codes} & set(kept)


def test_codes_are_not_tried_without_end(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    create_account(access.auth, "operator")
    log_in_by_form(client, "operator")
    secret, _ = enrolled(client, clock)
    post(client, "/logout", "/account")
    log_in_by_form(client, "operator")
    answers = [
        post(client, "/login/second", "/login/second", code=f"00000{each}").status_code for each in range(5)
    ]
    assert answers == [403, 403, 403, 403, 429]
    # Who knows the password does not begin anew with it.
    post(client, "/logout", "/login/second")
    log_in_by_form(client, "operator")
    right = post(client, "/login/second", "/login/second", code=code_at(secret, clock.at))
    assert right.status_code == 429


def test_of_whom_the_house_asks_one_sets_it_up_at_the_next_login(path: Path, clock: SettableClock) -> None:
    auth = AuthService(path, now=clock, second_factor=("supervisor",))
    with TestClient(build_small_console(Access(auth), *ROUTES)) as client:
        client.follow_redirects = False
        for role in ("operator", "supervisor"):
            create_account(auth, role)
        log_in_by_form(client, "operator")
        assert client.get("/").status_code == 200
        post(client, "/logout", "/account")
        log_in_by_form(client, "supervisor")
        assert client.get("/").headers["location"] == "/account"
        assert "Your role needs a second factor." in client.get("/account").text
        assert client.get("/api/alerts").status_code == 403
        assert (
            "choose what the token may read"
            in post(client, "/account/tokens", "/account", label="x", see="yes").text.lower()
        )
        enrolled(client, clock)
        assert client.get("/").json()["role"] == "supervisor"
        (factor,) = auth.factors.of("supervisor")
        last = post(client, f"/account/factors/{factor.id}/remove", "/account", password=PASSWORD)
        assert (last.status_code, "the role needs one" in last.text) == (400, True)


def test_one_of_ones_own_is_removed_with_the_password(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    create_account(access.auth, "operator")
    log_in_by_form(client, "operator")
    enrolled(client, clock)
    (factor,) = access.auth.factors.of("operator")
    assert (factor.kind, factor.label) == ("authenticator", "pocket")
    path = f"/account/factors/{factor.id}/remove"
    assert post(client, path, "/account", password="not this one").status_code == 403  # noqa: S106
    assert post(client, path, "/account", password=PASSWORD).status_code == 303
    assert access.auth.factors.of("operator") == []
    assert access.auth.factors.recovery_codes_left("operator") == 0


def test_an_administrator_removes_what_was_lost_but_not_of_who_lifts_embargoes(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    for role in ("operator", "director", "administrator"):
        create_account(access.auth, role)
    for role in ("operator", "director"):
        client.cookies.clear()
        log_in_by_form(client, role)
        enrolled(client, clock)
    log_in_as(client, access.auth, "administrator")
    assert client.post("/accounts/director/second-factor").status_code == 400
    assert client.post("/accounts/operator/second-factor").headers["location"] == "/accounts?changed=operator"
    assert access.auth.factors.holders() == {"director"}
    assert access.auth.sessions.open("operator") == []


def test_a_wrong_first_code_shows_the_picture_again_and_a_late_one_begins_again(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    create_account(access.auth, "operator")
    log_in_by_form(client, "operator")
    post(client, "/account/authenticator", "/account")
    again = post(client, "/account/authenticator/code", "/account", code="000000")
    assert again.status_code == 400
    assert "<svg " in again.text
    clock.at += 600
    late = post(client, "/account/authenticator/code", "/account", code="000000")
    assert "This took too long; begin again." in late.text
    assert access.auth.factors.of("operator") == []
