"""`serve` before anyone has an account, and behind a proxy: what it says, and what it believes."""

from pathlib import Path

import httpx
import pytest

from projections.store.store import Store
from replay.cli import main
from tests.builders.consoles import HTTPS, add_account, log_in, serve_store, write_token_file


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.duckdb"
    Store(path).close()
    return path


def secure(address: str) -> bool:
    page = httpx.get(f"{address}/login", headers=HTTPS)
    assert page.status_code == 200
    return "Secure" in page.headers["set-cookie"]


def test_without_an_account_the_log_says_what_to_type(store: Path) -> None:
    with serve_store(store) as (address, logged):
        command = f"discardrack user add NAME --store {store} --role"
        page = httpx.get(f"{address}/login").text
        assert f"{command} administrator" in page
        assert f"{command} operator" in page
        assert not secure(address)  # what a client says of itself is not believed
        add_account(store)
        assert command not in httpx.get(f"{address}/login").text
        with httpx.Client(base_url=address) as client:
            assert log_in(client).get("/password").status_code == 200
    (hint,) = (line for line in logged if line["event"] == "no_account")
    assert (hint["make"], hint["make_operator"]) == (f"{command} administrator", f"{command} operator")


def test_behind_a_proxy_cookies_and_links_stay_on_its_path(store: Path) -> None:
    add_account(store)
    with serve_store(store, "--behind-proxy", "127.0.0.1", "--root-path", "/surveillance") as (address, _):
        assert secure(address)
        page = httpx.get(f"{address}/login")
        assert 'action="/surveillance/login"' in page.text
        assert "Path=/surveillance" in page.headers["set-cookie"]
        away = httpx.get(f"{address}/floor?pit=1")
        assert away.headers["location"] == "/surveillance/login?next=/floor%3Fpit%3D1"
        assert httpx.get(f"{address}/api/alerts").status_code == 401


def test_behind_a_proxy_the_figures_are_for_who_brings_a_token_alone(store: Path, tmp_path: Path) -> None:
    # A proxy on this machine that names no client looks as this machine does.
    token = write_token_file(store, tmp_path / "token").read_text(encoding="ascii").strip()
    reading = {"Authorization": f"Bearer {token}"}
    openmetrics = "application/openmetrics-text; version=1.0.0"
    with serve_store(store) as (address, _):
        assert httpx.get(f"{address}/metrics").status_code == 200
        for accepted, answered in (("text/plain", "text/plain"), (openmetrics, openmetrics)):
            content_type = httpx.get(f"{address}/metrics", headers={"Accept": accepted}).headers[
                "content-type"
            ]
            assert content_type.startswith(answered)
            assert content_type.count("charset=utf-8") == 1
    with serve_store(store, "--behind-proxy", "127.0.0.1") as (address, _):
        for headers in ({}, HTTPS, {"X-Forwarded-For": "127.0.0.1"}, {"Authorization": "Bearer other"}):
            assert httpx.get(f"{address}/metrics", headers=headers).status_code == 404
        figures = httpx.get(f"{address}/metrics", headers=reading | {"X-Forwarded-For": "10.0.0.7"})
        assert figures.status_code == 200
        assert "\nprocess_start_time_seconds " in figures.text


def test_another_address_than_the_proxy_s_is_not_believed(store: Path) -> None:
    add_account(store)
    with serve_store(store, "--behind-proxy", "192.0.2.1") as (address, _):
        assert not secure(address)


@pytest.mark.parametrize("path", ["floor", "/", "//evil.example", "/floor/", "/a b"])
def test_a_path_that_is_none_is_refused(store: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "--store", str(store), "--root-path", path])
    assert "is no path such as /floor" in capsys.readouterr().err
