"""A console that was opened by a test, on a real port, for as long as a block lasts."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn

from projections.web.app import console
from projections.web.auth.accounts import Sessions
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.roles import Role
from projections.web.bootstrap import OpenConsole
from tests.builders.consoles import add_account

_PATIENCE: Final = 30.0  # seconds


@contextmanager
def serve_console(opened: OpenConsole, role: Role) -> Iterator[tuple[str, str]]:
    """Serve a console; yields its address, and the token of a session of somebody of a role."""
    add_account(opened.path, role, role)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(console(opened), log_config=None, ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), daemon=True)
    thread.start()
    file = AccountsFile(accounts_of(opened.path))
    try:
        token = Sessions(file).begin(role)
    finally:
        file.close()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", token
    finally:
        server.should_exit = True
        thread.join(_PATIENCE)
