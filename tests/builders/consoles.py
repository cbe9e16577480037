"""A console that somebody has entered, as a browser would, for tests of its pages."""

import csv
import io
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.app import console
from projections.web.auth.accounts import Accounts, Tokens
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.auth_plugin import Access
from projections.web.auth.roles import Role
from projections.web.bootstrap import OpenConsole, load_console
from tests.builders.auth import log_in_as
from tests.builders.preloaded import begin

PASSWORD: Final = "three small green lamps"  # noqa: S105  of accounts that a test makes

_ACTION_NUMBERS = count(1)

_Client = TypeVar("_Client", bound=httpx.Client)


def add_account(store: Path, name: str = "ines", role: Role = "supervisor") -> None:
    """Make an account beside a store, unless it is there."""
    with closing(AccountsFile(accounts_of(store))) as file:
        accounts = Accounts(file)
        if accounts.find(name) is None:
            accounts.add(name, name.capitalize(), role, PASSWORD, by="test")


def write_token_file(store: Path, path: Path, name: str = "nightly") -> Path:
    """Make a machine's account beside a store and write its token into a file."""
    with closing(AccountsFile(accounts_of(store))) as file:
        Accounts(file).add(name, name, "machine", None, by="test")
        path.write_text(Tokens(file).make(name, 1, by="test") + "\n", encoding="ascii")
    return path


def log_in(client: _Client, name: str = "ines") -> _Client:
    """Log a client in; from then on it brings the token that each change needs."""
    page = client.get("/login")
    before = re.search(r'name="csrf" value="([^"]*)"', page.text)
    assert before is not None
    told = {"csrf": before[1], "next": "/", "name": name, "password": PASSWORD}
    page = client.post("/login", data=told, follow_redirects=True)
    token = re.search(r'name="csrf" content="([^"]*)"', page.text)
    assert token is not None, page.text
    client.headers["X-CSRF-Token"] = token[1]
    return client


@contextmanager
def open_console(
    path: Path, role: Role = "supervisor", *, on: OpenConsole | None = None
) -> Iterator[TestClient[Litestar]]:
    """Open a console on a store and enter it, past the form, as someone of a role, called as the role is."""
    add_account(path, role, role)
    with TestClient(console(on or load_console(path))) as client:
        yield change_role(client, role)


def change_role(client: TestClient[Litestar], role: Role) -> TestClient[Litestar]:
    """Log a client in, past the form, as someone of a role, called as the role is, whoever was before."""
    auth = client.app.plugins.get(Access).auth
    if auth.accounts.find(role) is None:
        auth.accounts.add(role, role.capitalize(), role, PASSWORD, by="test")
    log_in_as(client, auth, role)
    return client


def post_action(client: httpx.Client, action: str, status: int = 200, **fields: Any) -> dict[str, Any]:
    """Send an action under an id of its own, and return the answer."""
    id_ = f"{next(_ACTION_NUMBERS):06x}{'0' * 26}"  # a dispute is called by the first six
    answer = client.post("/api/actions", json={"id": id_, "action": action, **fields})
    assert answer.status_code == status, answer.text
    answered: dict[str, Any] = answer.json()
    return answered


HTTPS = {"X-Forwarded-Proto": "https"}


@contextmanager
def serve_store(store: Path, *more: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve a store; gives its address, and when it has ended what it logged."""
    logged: list[dict[str, Any]] = []
    call = [sys.executable, "-c", "from replay.cli import main; main()", "serve", "--store", str(store)]
    with begin(
        [*call, "--port", "0", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as serving:
        assert serving.stdout is not None
        try:
            yield serving.stdout.readline().removeprefix("Findings at ").partition(" ")[0], logged
        finally:
            serving.send_signal(signal.SIGINT)
            _, said = serving.communicate()
        logged.extend(json.loads(line) for line in said.splitlines())


def formula_cells(text: str) -> list[str]:
    """Return the cells that a spreadsheet would evaluate."""
    rows = csv.reader(io.StringIO(text))
    return [
        cell
        for row in rows
        for cell in row
        if cell.strip().startswith(("=", "+", "-", "@")) and not cell.removeprefix("-").isdigit()
    ]
