"""What is logged of a fault of ours: where it came about, and no cookie, token or name.

`make live` runs the same `serve`, by its line in infra/Procfile.
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import httpx
import pytest

from projections.store.store import Store
from tests.builders.consoles import add_account, log_in
from tests.builders.documents import ROOT

NAME: Final = "Ottilie Waldvogel"  # of a person, in what the code has in its hands as it fails
# A route fails with a name in its message, and with the request, its cookie and its token in its variables.
FAULT: Final = f"""
import sys
from pathlib import Path
from projections.web.records.store_queries import Reader
def fails(self, hidden):
    raise LookupError("no row of {NAME}")
Reader.count_refused = fails
"""
SERVE: Final = "from replay.cli import main; main(['serve', '--store', sys.argv[1], '--port', '0'])"
DEMO: Final = """
from replay.cli import demo
from replay.cli.serve import listening, serve_on
with listening("127.0.0.1", 0) as listener, demo._quietly():
    serve_on(listener, Path(sys.argv[1]))
"""


@pytest.mark.parametrize("command", [SERVE, DEMO], ids=["serve", "demo"])
def test_a_fault_is_logged_without_cookie_token_or_name(tmp_path: Path, command: str) -> None:
    store = tmp_path / "store.duckdb"
    Store(store).close()
    add_account(store)
    with subprocess.Popen(  # noqa: S603  our own program
        [sys.executable, "-c", FAULT + command, str(store)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "400"},
    ) as serving:
        assert serving.stdout is not None
        try:
            address = serving.stdout.readline().removeprefix("Findings at ").partition(" ")[0]
            with httpx.Client(base_url=address, timeout=30) as client:
                log_in(client)
                secrets = [client.headers["X-CSRF-Token"], *client.cookies.values()]
                failed = client.get("/health", params={"table": NAME})
        finally:
            serving.send_signal(signal.SIGINT)
            _, log = serving.communicate()
    assert failed.status_code == 500
    assert len(secrets) == 2
    (line,) = [each for each in map(json.loads, log.splitlines()) if each["event"] == "request_failed"]
    assert (line["method"], line["path"]) == ("GET", "/health")
    assert "LookupError" in line["exception"]
    assert "in fails" in line["exception"]
    for secret in (*secrets, NAME, *NAME.split(), "ines", "Ines"):
        assert secret not in log


def test_the_floor_in_one_terminal_is_served_by_the_same_command() -> None:
    procfile = (ROOT / "infra" / "Procfile").read_text(encoding="utf-8")
    (line,) = re.findall(r"^serve: .*$", procfile, re.MULTILINE)
    assert re.search(r"; exec discardrack serve --broker \S+", line) is not None
