"""Limits of one client of a console's server as `serve` starts it, with limits that are soon reached."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
import structlog

from projections.store.store import Store
from projections.web.app import console
from projections.web.bootstrap import load_console
from replay.cli.serve import listening
from replay.serving.http_server import ALONE, Limits, Server, Share
from tests.builders.consoles import add_account, log_in

PATIENCE = 20.0  # seconds, on a machine that may be busy


@contextmanager
def served(folder: Path, limits: Limits) -> Iterator[tuple[str, int]]:
    """Serve an empty store in a thread; gives its address."""
    store = folder / "store.duckdb"
    Store(store).close()
    add_account(store)
    made = load_console(store)
    with listening("127.0.0.1", 0) as listener:
        server = Server(console(made), made.live, ALONE, limits)
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        serving.start()
        try:
            yield listener.getsockname()[:2]
        finally:
            server.should_exit = True
            serving.join()


def client_of(host: str, port: int) -> httpx.Client:
    return httpx.Client(base_url=f"http://{host}:{port}", timeout=PATIENCE)


def ended(held: list[socket.socket]) -> int:
    """Wait for the server to close connections; gives how many it did."""
    until, closed = time.monotonic() + PATIENCE, 0
    for each in held:
        each.settimeout(max(0.01, until - time.monotonic()))
        try:
            closed += not each.recv(1)
        except ConnectionError:
            closed += 1
        except TimeoutError:
            pass
    return closed


@pytest.mark.parametrize(
    "half",
    [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na"],
    ids=["nothing", "head", "body"],
)
def test_half_sent_requests_are_dropped_and_hinder_nobody(tmp_path: Path, half: bytes) -> None:
    with served(tmp_path, Limits(head=2.0, body=2.0)) as (host, port), ExitStack() as stack:
        held = [stack.enter_context(socket.create_connection((host, port))) for _ in range(300)]
        for each in held:
            each.sendall(half)
        assert httpx.get(f"http://{host}:{port}/healthz", timeout=PATIENCE).status_code == 200
        if b"POST" not in half:  # that is answered before it is whole: nobody is logged in
            assert ended(held) == 300


def test_streams_of_a_session_have_a_limit_and_come_back(tmp_path: Path) -> None:
    with served(tmp_path, Limits(streams_of_session=3)) as (host, port), client_of(host, port) as client:
        log_in(client)
        with ExitStack() as stack:
            got = [stack.enter_context(client.stream("GET", "/stream")) for _ in range(8)]
            assert [each.status_code for each in got] == [200] * 3 + [429] * 5
            assert int(got[-1].headers["Retry-After"]) > 0
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with client.stream("GET", "/stream") as again:
                if again.status_code == 200:
                    break
        assert again.status_code == 200


def test_requests_have_a_limit_which_is_logged_once(tmp_path: Path) -> None:
    few = Limits(of_address=Share(20, 0.01))
    with (
        structlog.testing.capture_logs() as logged,
        served(tmp_path, few) as (host, port),
        client_of(host, port) as client,
    ):
        answers = [client.get("/healthz") for _ in range(40)]
    assert [each.status_code for each in answers] == [200] * 20 + [429] * 20
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert [each["limit"] for each in logged if each["event"] == "limit_reached"] == [
        "requests of an address"
    ]
