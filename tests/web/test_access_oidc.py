"""The property's own login by OpenID Connect, against a provider that is made here."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
import structlog
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace
from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter

from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from projections.web.auth.oidc import Provider, Settings, load
from schemas.errors import BadInput
from tests.builders.auth import (
    CSRF,
    HOST,
    PASSWORD,
    ROUTES,
    SettableClock,
    build_small_console,
    create_account,
    log_in_by_form,
    refused_logins,
)

ISSUER: Final = "https://login.example/realm"
BACK: Final = f"https://{HOST}/oidc/back"
SETTINGS: Final = Settings(ISSUER, "console", "secret", BACK)


@cache
def keys() -> dict[str, RSAKey]:
    """Return the key by which the provider signs, and another that says it is this one."""
    said = {"kid": "1", "use": "sig", "alg": "RS256"}
    return {owner: RSAKey.generate_key(2048, said) for owner in ("own", "another's")}


class Login(BaseAdapter):
    """A provider: whom it knows stands in `claims`; what it does wrong a test sets."""

    def __init__(self, clock: SettableClock) -> None:
        super().__init__()
        self.clock = clock
        self.claims: dict[str, Any] = {"preferred_username": "Ines", "name": "Ines Ames"}
        self.key, self.alg = keys()["own"], "RS256"
        self.metadata: dict[str, Any] = {
            "issuer": ISSUER,
            "authorization_endpoint": f"{ISSUER}/authorize",
            "token_endpoint": f"{ISSUER}/token",
            "jwks_uri": f"{ISSUER}/keys",
        }
        self.asked: dict[str, str] = {}
        self.status = 200

    def authorize(self, address: str) -> dict[str, str]:
        """Log in as somebody who was sent here; return what the browser brings back."""
        self.asked = dict(parse_qsl(urlsplit(address).query))
        return {"code": "the code", "state": self.asked["state"], "iss": ISSUER}

    def send(self, request: PreparedRequest, *_: Any, **__: Any) -> Response:
        """Answer."""
        path = urlsplit(str(request.url)).path.removeprefix("/realm")
        told = {
            "/.well-known/openid-configuration": lambda: self.metadata,
            "/keys": lambda: KeySet([keys()["own"]]).as_dict(private=False),
            "/token": lambda: self.token(request),
        }[path]()
        answer = Response()
        answer.status_code, answer.url, answer.request = self.status, str(request.url), request
        answer._content = json.dumps(told).encode()  # noqa: SLF001  as every adapter has to
        answer.headers["Content-Type"] = "application/json"
        return answer

    def token(self, request: PreparedRequest) -> dict[str, Any]:
        """Return a token to who has the code, the client's secret and the verifier."""
        form = {name: value[0] for name, value in parse_qs(str(request.body)).items()}
        basic = base64.b64encode(b"console:the secret").decode()
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (form["code"], request.headers["Authorization"]) != ("the code", f"Basic {basic}"):
            return {"error": "invalid_client"}
        if (self.asked["code_challenge"], self.asked["code_challenge_method"]) != (challenge, "S256"):
            return {"error": "invalid_grant"}
        claims = {
            "iss": ISSUER,
            "sub": "1",
            "aud": "console",
            "iat": self.clock.at,
            "exp": self.clock.at + 300,
            "nonce": self.asked["nonce"],
        } | self.claims
        claims = {name: value for name, value in claims.items() if value is not None}
        signed = jwt.encode({"alg": self.alg, "kid": "1"}, claims, self.key, algorithms=[self.alg])
        return {"access_token": "an access token", "token_type": "Bearer", "id_token": signed}

    def close(self) -> None:
        """End."""


@pytest.fixture
def login(clock: SettableClock) -> Login:
    return Login(clock)


def console(
    folder: Path, login: Login, clock: SettableClock, **settings: Any
) -> tuple[Access, TestClient[Litestar]]:
    provider = Provider(replace(SETTINGS, **settings), "the secret", login)
    access = Access(AuthService(folder / "store.duckdb", now=clock, provider=provider))
    client = TestClient(build_small_console(access, *ROUTES), base_url=f"https://{HOST}")
    client.follow_redirects = False
    return access, client


@pytest.fixture
def made(tmp_path: Path, login: Login, clock: SettableClock) -> Iterator[tuple[Access, TestClient[Litestar]]]:
    access, client = console(tmp_path, login, clock)
    with client:
        yield access, client


def come_back(client: TestClient[Litestar], login: Login, **brought: str) -> Any:
    """Log in at the provider and come back."""
    sent = client.get("/oidc/login?next=/%3Ftable%3DBAC-7")
    assert sent.status_code == 303
    return client.get("/oidc/back", params=login.authorize(sent.headers["location"]) | brought)


def test_who_has_an_account_is_logged_in_by_the_propertys_login(
    made: tuple[Access, TestClient[Litestar]], login: Login
) -> None:
    access, client = made
    create_account(access.auth, "operator", "ines")
    page = client.get("/login?next=/%3Ftable%3DBAC-7").text
    assert 'href="/oidc/login?next=/%3Ftable%3DBAC-7">Log in with the property&#39;s login<' in page
    answer = come_back(client, login)
    assert answer.status_code == 200
    assert '<a href="/?table=BAC-7">Continue</a>' in answer.text
    assert {
        "scope": "openid profile",
        "response_type": "code",
        "redirect_uri": BACK,
    }.items() <= login.asked.items()
    assert client.get("/").json() == {"name": "ines", "role": "operator"}
    (cookie,) = [each for each in answer.headers.get_list("set-cookie") if each.startswith("discardrack=")]
    assert {"HttpOnly", "SameSite=strict", "Secure"} <= set(cookie.split("; "))
    (row,) = access.auth.file.ask("SELECT person, detail FROM log WHERE kind = 'login'")
    assert tuple(row) == ("ines", "from testclient, by the property's login")


def test_who_has_none_is_let_in_only_where_the_file_says_in_which_role(
    tmp_path: Path, login: Login, clock: SettableClock
) -> None:
    access, client = console(tmp_path, login, clock)
    with client:
        answer = come_back(client, login)
        assert answer.status_code == 403
        assert "There is no account with this name here." in answer.text
        assert [each.name for each in access.auth.accounts.all()] == []
    roles = {"cage": "finance", "room": "supervisor"}
    access, client = console(tmp_path, login, clock, roles=roles)
    with client:
        login.claims["groups"] = ["staff"]
        assert come_back(client, login).status_code == 403
        login.claims["groups"] = ["staff", "room"]
        assert come_back(client, login).status_code == 200
        assert client.get("/").json() == {"name": "ines", "role": "supervisor"}
        (account,) = access.auth.accounts.all()
        assert (account.shown, account.must_change) == ("Ines Ames", False)
        # Such an account has no password, and its role is what the provider says each time.
        with pytest.raises(Exception, match="not right"):
            access.auth.login("ines", "", "10.0.0.7")
        login.claims["groups"] = "cage"
        assert come_back(client, login).status_code == 200
        assert client.get("/").json() == {"name": "ines", "role": "finance"}
        login.claims["groups"] = None
        assert "no longer has a role here" in come_back(client, login).text
        access.auth.accounts.set_disabled("ines", disabled=True, by="a test")
        login.claims["groups"] = "cage"
        assert come_back(client, login).status_code == 403


def test_an_account_of_the_room_keeps_its_role(tmp_path: Path, login: Login, clock: SettableClock) -> None:
    access, client = console(tmp_path, login, clock, roles={"room": "director"})
    with client:
        create_account(access.auth, "operator", "ines")
        login.claims["groups"] = ["room"]
        assert come_back(client, login).status_code == 200
        assert client.get("/").json()["role"] == "operator"


def test_nobody_comes_in_as_a_machine_or_by_a_name_that_is_none(
    tmp_path: Path, login: Login, clock: SettableClock
) -> None:
    access, client = console(tmp_path, login, clock, roles={"room": "operator"})
    with client:
        access.auth.accounts.add("nightly", "Nightly", "machine", None, by="a test")
        login.claims["groups"] = ["room"]
        for name in ("nightly", "../etc", "", None, 7, "x" * 65):
            login.claims["preferred_username"] = name
            assert come_back(client, login).status_code == 403
        assert [each.name for each in access.auth.accounts.all()] == ["nightly"]


@pytest.mark.parametrize(
    ("claims", "says"),
    [
        ({"nonce": "another"}, "nonce"),
        ({"nonce": None}, "nonce"),
        ({"iss": "https://evil.example"}, "iss"),
        ({"aud": "another"}, "aud"),
        ({"aud": None}, "aud"),
        ({"exp": 1}, "expired"),
        ({"exp": None}, "exp"),
        ({"at_hash": "another"}, "at_hash"),
        ({"preferred_username": None}, "preferred_username"),
    ],
)
def test_a_token_that_is_not_for_this_login_lets_nobody_in(
    made: tuple[Access, TestClient[Litestar]], login: Login, claims: dict[str, Any], says: str
) -> None:
    access, client = made
    create_account(access.auth, "operator", "ines")
    login.claims |= claims
    answer = come_back(client, login)
    assert answer.status_code == 403
    is_missing = says == "preferred_username"
    assert (
        "do not agree on their settings" if is_missing else "answered in a way that proves nothing"
    ) in answer.text
    assert client.get("/").status_code == 303
    (told,) = refused_logins(access)
    assert says in told


def test_only_the_providers_own_signature_counts(
    made: tuple[Access, TestClient[Litestar]], login: Login
) -> None:
    access, client = made
    create_account(access.auth, "operator", "ines")
    login.key = keys()["another's"]
    assert come_back(client, login).status_code == 403
    for alg in ("none", "HS256"):
        unsigned = b".".join(
            base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=")
            for each in ({"alg": alg, "kid": "1"}, {"iss": ISSUER, "sub": "1", "aud": "console"})
        )
        login.token = lambda _, it=unsigned: {"access_token": "a", "id_token": f"{it.decode()}.AA"}  # type: ignore[method-assign,misc]
        assert come_back(client, login).status_code == 403
    assert client.get("/").status_code == 303


def test_the_way_back_belongs_to_the_browser_that_was_sent_and_is_short(
    made: tuple[Access, TestClient[Litestar]], login: Login, clock: SettableClock
) -> None:
    access, client = made
    create_account(access.auth, "operator", "ines")
    assert come_back(client, login, state="another").status_code == 403
    assert come_back(client, login, iss="https://evil.example").status_code == 403
    assert come_back(client, login, error="access_denied", code="wrong").status_code == 403
    sent = client.get("/oidc/login").headers["location"]
    kept = client.cookies["discardrack_oidc"]
    client.cookies.clear()
    assert client.get("/oidc/back", params=login.authorize(sent)).status_code == 403
    for forged in ("", "e30=.00", kept[:-1] + ("0" if kept[-1] != "0" else "1"), kept.replace(".", "")):
        client.cookies.set("discardrack_oidc", forged, domain=HOST, path="/oidc")
        assert client.get("/oidc/back", params=login.authorize(sent)).status_code == 403
    client.cookies.set("discardrack_oidc", kept, domain=HOST, path="/oidc")
    clock.at += 600
    assert client.get("/oidc/back", params=login.authorize(sent)).status_code == 403
    assert "it came back too late" in refused_logins(access)[-1]
    assert client.get("/").status_code == 303


def test_it_leads_to_the_consoles_own_pages_alone(
    made: tuple[Access, TestClient[Litestar]], login: Login
) -> None:
    access, client = made
    create_account(access.auth, "operator", "ines")
    sent = client.get("/oidc/login?next=//evil.example").headers["location"]
    answer = client.get("/oidc/back", params=login.authorize(sent))
    assert re.findall(r'href="([^"]+)">Continue', answer.text) == ["/"]


@pytest.mark.parametrize(
    ("wrong", "failure", "says"),
    [
        ("down", "unreachable", "The property&#39;s login cannot be reached."),
        ("refused", "refused", "The property&#39;s login did not log you in."),
        ("another window", "late", "or was begun in another window."),
        ("secret", "settings", "do not agree on their settings"),
        ("signature", "unproven", "answered in a way that proves nothing"),
    ],
)
def test_why_it_fails_is_said_in_words_and_logged_without_a_name(
    made: tuple[Access, TestClient[Litestar]], login: Login, wrong: str, failure: str, says: str
) -> None:
    _, client = made
    brought: dict[str, str] = {}
    with structlog.testing.capture_logs() as logged:
        match wrong:
            case "down":
                login.status = 503
            case "refused":
                brought = {"error": "access_denied"}
            case "another window":
                brought = {"state": "another"}
            case "secret":
                login.token = lambda _: {"error": "invalid_client", "error_description": "Ines"}  # type: ignore[method-assign]
            case _:
                login.key = keys()["another's"]
        if wrong == "down":
            answer = client.get("/oidc/login")
        else:
            sent = client.get("/oidc/login")
            told = login.authorize(sent.headers["location"]) | brought
            told = {name: each for name, each in told.items() if wrong != "refused" or name != "code"}
            answer = client.get("/oidc/back", params=told)
    assert answer.status_code == 403
    assert says in answer.text
    (line,) = [each for each in logged if each["event"] == "oidc_failed"]
    assert (line["failure"], line["log_level"]) == (failure, "warning")
    assert "Ines" not in line["reason"]
    if wrong in ("down", "secret"):
        assert line["reason"].endswith(
            {"down": "HTTPError: status 503", "secret": "OAuthError: invalid_client"}[wrong]
        )


def test_passwords_may_be_for_a_few_accounts_alone(
    tmp_path: Path, login: Login, clock: SettableClock
) -> None:
    access, client = console(tmp_path, login, clock, passwords=("glass",))
    with client:
        create_account(access.auth, "administrator", "glass")
        create_account(access.auth, "operator", "ines")
        refused = log_in_by_form(client, "ines")
        assert refused.status_code == 403
        assert "The name or the password is not right. Most accounts log in with" in refused.text

        def answered(name: str) -> str:
            text = log_in_by_form(client, name, "a wrong password").text
            return re.sub(r'value="[^"]*"', "", text)

        assert answered("nobody") == answered("glass") == answered("fay"), (
            "which accounts there are is not told"
        )
        assert log_in_by_form(client, "glass", PASSWORD).status_code == 303


@pytest.mark.parametrize(
    "wrong",
    [{"issuer": "https://evil.example"}, {"jwks_uri": "http://login.example/keys"}, {"jwks_uri": None}],
)
def test_a_provider_with_a_wrong_description_is_not_used(
    made: tuple[Access, TestClient[Litestar]], login: Login, wrong: dict[str, Any]
) -> None:
    access, client = made
    login.metadata |= wrong
    answer = client.get("/oidc/login")
    assert answer.status_code == 403
    assert len(refused_logins(access)) == 1
    login.status = 500
    assert client.get("/oidc/login").status_code == 403
    assert CSRF.search(answer.text)  # a password is still taken


def test_a_wrong_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "oidc.yaml"
    (tmp_path / "secret").write_text("the secret\n")
    (tmp_path / "empty").write_text("\n")
    good = {
        "issuer": ISSUER,
        "client_id": "console",
        "client_secret_file": "secret",
        "redirect_uri": BACK,
        "roles": {"room": "supervisor"},
    }
    path.write_text(json.dumps(good))
    assert load(path).settings.roles == {"room": "supervisor"}
    for wrong, says in (
        ({"issuer": "http://login.example"}, "issuer: has to begin with https://"),
        ({"redirect_uri": "https://console.example/"}, "with /oidc/back at its end"),
        ({"roles": {"room": "boss"}}, "not a file of a login provider"),
        ({"roles": {"room": "machine"}}, "machine is no role of a person"),
        ({"scopes": ["profile"]}, "scopes: openid has to be one of them"),
        ({"client_secret_file": "none"}, "not a file of a login provider"),
        ({"client_secret_file": "empty"}, "client_secret_file: is empty"),
        ({"client_secret_file": 7}, "Expected `str`, got `int` - at `$.client_secret_file`"),
        ({"secret": "in the open"}, "unknown field `secret`"),
    ):
        path.write_text(json.dumps(good | wrong))
        with pytest.raises(BadInput, match=re.escape(says)):
            load(path)
    with pytest.raises(BadInput, match="not a file of a login provider"):
        load(tmp_path / "none.yaml")
