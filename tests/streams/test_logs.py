"""What the processes write when they fail: never a cookie, a token, a password or somebody's name."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
import pytest

from tests.builders.consoles import PASSWORD, add_account, log_in
from tests.builders.preloaded import begin
from tests.builders.round_records import DISPUTED
from tests.builders.stores import store_records

PATRON: Final = "Alice Cooper"
# A console that fails: in a page, in a login after the password came, and in an answer that has begun.
_FAULTS: Final = f"""
from projections.web.auth.auth_service import AuthService
from projections.web.live.broadcaster import LiveFloor
from projections.web.records.store_queries import Reader

def broken(*given):
    patron = {PATRON!r}
    raise KeyError(patron)

async def stopping(self, words):
    patron = {PATRON!r}
    yield b""
    raise KeyError(patron)

Reader.tally, LiveFloor.stream = broken, stopping
login = AuthService.login
AuthService.login = lambda self, name, *more: broken(more) if name == "fails" else login(self, name, *more)
"""
# As `demo` and as `serve` set up their logs.
_AS: Final = {
    "demo": """
from pathlib import Path
from replay.cli.demo import _quietly
from replay.cli.serve import listening, serve_on
with listening("127.0.0.1", 0) as listener, _quietly():
    serve_on(listener, Path({store!r}))
""",
    "serve": """
from replay.cli import main
main(["serve", "--store", {store!r}, "--port", "0"])
""",
}


@contextmanager
def failing(store: Path, process: str, log: Path) -> Iterator[str]:
    """Start a console that fails; gives its address."""
    told = _FAULTS + _AS[process].format(store=str(store))
    with (
        log.open("wb") as errors,
        begin(
            [sys.executable, "-c", told], stdout=subprocess.PIPE, stderr=errors, text=True, cwd=log.parent
        ) as serving,
    ):
        assert serving.stdout is not None
        said = ""
        try:
            for line in serving.stdout:
                said += line
                if found := re.search(r"Findings at (\S+)", line):
                    break
            else:
                pytest.fail(log.read_text())
            yield found[1]
        finally:
            serving.send_signal(signal.SIGINT)
            log.with_suffix(".out").write_text(said + serving.stdout.read())


@pytest.mark.parametrize("process", _AS)
def test_a_fault_is_logged_without_cookie_token_password_or_name(tmp_path: Path, process: str) -> None:
    store, log = store_records(tmp_path / "store.duckdb", DISPUTED), tmp_path / "said.log"
    add_account(store, "wilhelmina")
    with failing(store, process, log) as address, httpx.Client(base_url=address) as client:
        before = re.search(r'name="csrf" value="([^"]*)"', client.get("/login").text)
        assert before is not None
        told = {"csrf": before[1], "next": "/", "name": "fails", "password": PASSWORD}
        assert client.post("/login", data=told).status_code == 500
        log_in(client, "wilhelmina")
        token = client.headers["X-CSRF-Token"]
        assert client.get("/findings", params={"patron": PATRON}).status_code == 500
        with pytest.raises(httpx.HTTPError):
            client.get("/stream")
        secrets = [token, before[1], *client.cookies.values(), PASSWORD, "wilhelmina", "Wilhelmina", PATRON]
    written = "".join(each.read_text() for each in (log, log.with_suffix(".out")))
    written += "".join(each.read_text() for each in tmp_path.rglob("*.log*") if each != log)
    assert written.count("KeyError") >= 3
    assert "in broken" in written  # where it failed is told
    assert [each for each in secrets if len(each) > 3 and each in written] == []


def test_no_verb_logs_the_variables_of_what_failed() -> None:
    told = f"""
import sys
from replay.cli import VERBS, main
for verb in VERBS:
    if "structlog" in sys.modules:
        sys.modules["structlog"].reset_defaults()
    main.get_command(None, verb)
    if "structlog" in sys.modules:
        def broken():
            patron = {PATRON!r}
            raise KeyError(patron)
        try:
            broken()
        except KeyError:
            sys.modules["structlog"].get_logger().exception(verb + " failed")
"""
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)  # noqa: S603  our own program
    written = ran.stdout + ran.stderr
    for verb in ("demo", "serve", "nightly", "archive", "gateway", "worker"):
        assert f"{verb} failed" in written
    assert "in broken" in written
    # The source's own line has the variable's name, and nothing of what it held.
    assert PATRON not in written
