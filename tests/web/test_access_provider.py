"""The property's own login against a provider that is not made here, over https."""

import json
import re
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import time
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.store.store import Store
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from projections.web.auth.oidc import load
from tests.builders.auth import (
    HOST,
    ROUTES,
    SettableClock,
    build_small_console,
    create_account,
    refused_logins,
)
from tests.builders.consoles import HTTPS, add_account, serve_store
from tests.builders.oidc_provider import CLIENT, OTHER, SECRET, OidcProvider, key_of, serve_provider

BACK: Final = f"https://{HOST}/oidc/back"
METADATA: Final = "/.well-known/openid-configuration"


class Floor:
    """A console, its browser, and the provider that the console knows by its file."""

    def __init__(self, folder: Path, provider: OidcProvider, certificate: Path, stack: ExitStack) -> None:
        self.folder, self.provider, self.open = folder, provider, stack
        self.trust = ssl.create_default_context(cafile=str(certificate))
        self.clock = SettableClock()
        self.clock.at = int(time())  # the provider signs by the clock on the wall

    def opened(self, **settings: Any) -> "Floor":
        """Open the console on what the provider's file says."""
        entry = AuthService(
            self.folder / "store.duckdb",
            now=self.clock,
            provider=load(file_of(self.folder, self.provider, **settings)),
        )
        self.access = Access(entry)
        opening = TestClient(build_small_console(self.access, *ROUTES), base_url=f"https://{HOST}")
        self.client: TestClient[Litestar] = self.open.enter_context(opening)
        self.client.follow_redirects = False
        return self

    def away(self) -> httpx.Response:
        """Follow to the provider; return what it answers."""
        sent = self.client.get("/oidc/login?next=/%3Ftable%3DBAC-7")
        assert sent.status_code == 303, sent.text
        return httpx.get(sent.headers["location"], verify=self.trust)

    def come_back(self) -> Any:
        """Log in at the provider and come back."""
        return self.client.get(self.away().headers["location"])


def file_of(folder: Path, provider: OidcProvider, **settings: Any) -> Path:
    """Write the file of a provider."""
    path = folder / "oidc.yaml"
    (folder / "secret").write_text(settings.pop("secret", SECRET), encoding="utf-8")
    told = {
        "issuer": provider.address,
        "client_id": CLIENT,
        "client_secret_file": "secret",
        "redirect_uri": BACK,
        "scopes": ["openid", "profile", "groups"],
        "roles": {"room": "supervisor"},
    }
    path.write_text(json.dumps(told | settings), encoding="utf-8")
    return path


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Floor]:
    with serve_provider(tmp_path, BACK) as (provider, certificate):
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
        with ExitStack() as stack:
            yield Floor(tmp_path, provider, certificate, stack)


def test_who_logs_in_there_is_let_in_here_by_what_scopes_ask_for(floor: Floor) -> None:
    client = floor.opened().client
    at = floor.away()
    asked = parse_qs(urlsplit(str(at.url)).query)
    assert (asked["response_type"], asked["code_challenge_method"]) == (["code"], ["S256"])
    assert (len(asked["nonce"][0]), len(asked["code_challenge"][0])) == (43, 43)
    answer = client.get(at.headers["location"])
    assert (answer.status_code, '<a href="/?table=BAC-7">Continue</a>' in answer.text) == (200, True)
    # Neither name nor groups are in what is signed: both are asked for besides.
    assert floor.provider.asked == [METADATA, "/authorize", "/token", "/keys", "/userinfo"]
    assert client.get("/").json() == {"name": "ines", "role": "supervisor"}
    assert floor.access.auth.accounts.get("ines").shown == "Ines Ames"
    floor.provider.person = "u-2"
    assert floor.come_back().status_code == 403  # of the staff, and not of the room


def test_a_provider_s_description_is_fetched_once_an_hour(floor: Floor) -> None:
    floor.opened()
    for _ in range(3):
        assert floor.come_back().status_code == 200
    assert floor.provider.asked.count(METADATA) == 1
    floor.clock.at += 3599
    floor.away()
    assert floor.provider.asked.count(METADATA) == 1
    floor.clock.at += 1
    floor.away()
    assert floor.provider.asked.count(METADATA) == 2


def _other_key(provider: OidcProvider) -> None:
    provider.op.signing_key = key_of("1")


def _unsigned(provider: OidcProvider) -> None:
    provider.op.clients[CLIENT]["id_token_signed_response_alg"] = "none"  # noqa: S105  no password


def _late(provider: OidcProvider) -> None:
    # A minute is allowed for clocks that differ; a second one is for a machine too busy to ask soon.
    provider.op.id_token_lifetime = -121


def _other_issuer(provider: OidcProvider) -> None:
    provider.op.configuration_information["issuer"] = "https://127.0.0.1:1"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda provider: setattr(provider, "nonce", "another"), "Invalid claim: 'nonce'"),
        (lambda provider: setattr(provider, "nonce", None), "Missing claim: 'nonce'"),
        (lambda provider: setattr(provider, "signed_for", OTHER), "Invalid claim: 'aud'"),
        (_late, "expired"),
        (_other_issuer, "Invalid claim: 'iss'"),
        (_other_key, "BadSignatureError"),
        (_unsigned, "Algorithm of 'none' is not allowed"),
        (lambda provider: setattr(provider, "told_of", "somebody else"), "told of another person"),
    ],
)
def test_what_does_not_prove_this_login_lets_nobody_in(floor: Floor, wrong: Any, says: str) -> None:
    floor.opened()
    create_account(floor.access.auth, "operator", "ines")
    wrong(floor.provider)
    answer = floor.come_back()
    assert (answer.status_code, "answered in a way that proves nothing" in answer.text) == (403, True)
    assert floor.client.get("/").status_code == 303
    (told,) = refused_logins(floor.access)
    assert says in told
    assert "/token" in floor.provider.asked


def test_a_code_is_for_the_browser_that_asked_and_for_once(floor: Floor) -> None:
    client = floor.opened().client
    # Somebody's code, brought to the login of another browser, has another verifier.
    theirs = parse_qs(urlsplit(floor.away().headers["location"]).query)["code"][0]
    client.cookies.clear()
    ours = parse_qs(urlsplit(floor.away().headers["location"]).query)
    kept = client.cookies["discardrack_oidc"]
    given = {"state": ours["state"][0], "code": theirs}
    assert client.get("/oidc/back", params=given).status_code == 403
    assert "Unexpected Code Verifier" in refused_logins(floor.access)[-1]
    for status in (200, 403):
        client.cookies.set("discardrack_oidc", kept, domain=HOST, path="/oidc")
        assert client.get("/oidc/back", params=given | {"code": ours["code"][0]}).status_code == status
    assert len(refused_logins(floor.access)) == 2


def test_a_client_with_another_secret_gets_nothing(floor: Floor) -> None:
    floor.opened(secret="another")  # noqa: S106  a wrong one
    assert floor.come_back().status_code == 403
    assert "Incorrect client_secret" in refused_logins(floor.access)[0]


def test_a_provider_that_nobody_vouches_for_is_not_gone_to(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    assert floor.opened().client.get("/oidc/login").status_code == 403
    assert "CERTIFICATE_VERIFY_FAILED" in refused_logins(floor.access)[0]
    assert floor.provider.asked == []


def test_an_address_is_nobodys_name(floor: Floor) -> None:
    # Whether an address was verified need not be asked: no account is called so.
    floor.opened(name_claim="email", scopes=["openid", "profile", "email", "groups"])
    floor.provider.op.configuration_information["scopes_supported"].append("email")
    floor.provider.people["u-1"] |= {"email": "ines@example.com", "email_verified": False}
    assert floor.come_back().status_code == 403
    assert "a name is of small letters" in refused_logins(floor.access)[0]
    assert floor.access.auth.empty()


def test_who_logs_out_is_led_out_of_the_provider_too(floor: Floor) -> None:
    client = floor.opened().client
    floor.come_back()
    person = floor.access.auth.person(client.cookies["discardrack"])
    assert person is not None
    left = client.post("/logout", headers={"X-CSRF-Token": person.csrf})
    page = client.get(left.headers["location"])
    assert client.get("/").status_code == 303
    (way,) = re.findall(r'href="([^"]+)">Log out there too<', page.text)
    out = client.get(way)
    assert (out.status_code, out.headers["location"]) == (
        303,
        f"{floor.provider.address}/end?client_id=console",
    )
    # Until then who sits down next is the one who left.
    assert floor.away().is_redirect
    assert httpx.get(out.headers["location"], verify=floor.trust).json() == "You are logged out."
    assert floor.away().json() == "Who are you?"
    assert "Log out there too" not in client.get("/login").text


def test_a_provider_without_a_way_out_is_said_to_have_none(floor: Floor) -> None:
    del floor.provider.metadata["end_session_endpoint"]
    answer = floor.opened().client.get("/oidc/out")
    assert answer.status_code == 403
    assert "Nothing leads out of the property&#39;s login from here" in answer.text


def test_all_of_it_over_http_as_it_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, back = tmp_path / "store.duckdb", "https://surveillance.test/floor/oidc/back"
    Store(store).close()
    add_account(store)
    with serve_provider(tmp_path, back) as (provider, certificate):
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
        file = file_of(tmp_path, provider, redirect_uri=back)
        more = ("--oidc", str(file), "--behind-proxy", "127.0.0.1", "--root-path", "/floor")
        with (
            serve_store(store, *more) as (address, _),
            httpx.Client(base_url=address, headers=HTTPS) as browser,
        ):
            # The proxy takes the path off; a cookie is of the path that the browser knows.
            sent = browser.get("/oidc/login")
            kept = re.search(r"discardrack_oidc=([^;]+)", sent.headers["set-cookie"])
            assert kept is not None
            trust = ssl.create_default_context(cafile=str(certificate))
            led = httpx.get(sent.headers["location"], verify=trust).headers["location"]
            assert led.startswith(f"{back}?")
            answer = browser.get(
                f"/oidc/back?{urlsplit(led).query}", headers={"Cookie": f"discardrack_oidc={kept[1]}"}
            )
            assert (answer.status_code, 'href="/floor/">Continue' in answer.text) == (200, True)
            entered = re.search(r"discardrack=([^;]+)[^,]*Secure", answer.headers["set-cookie"])
            assert entered is not None
            page = browser.get("/api/alerts", headers={"Cookie": f"discardrack={entered[1]}"})
            assert (page.status_code, page.json()["total"]) == (200, 0)
