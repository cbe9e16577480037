"""The nightly reports on a real broker: through Kafka into the store of serve, and held to its snapshot."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import duckdb

from projections.engine.audit.table_audit import Concluded
from replay.recording.event_audit import audit_logs
from replay.recording.recording import Recording
from streams import log
from streams.broker import LocalBroker
from streams.messages import encode, result_of
from streams.topics import ROUNDS
from tests.builders.consoles import write_token_file
from tests.builders.nights import (
    DAY,
    read_report_rows,
    run_nightly,
    script_three_rounds,
    unreconciled_items,
    write_floor,
)
from tests.builders.preloaded import begin
from tests.integration.conftest import send, until
from tests.integration.served_console import is_caught_up, serve_console

# The verb with a port at which nobody is, and as few reports as it can make.
NIGHTLY: Final = """
import sys
from pathlib import Path
from tests.builders.nights import run_nightly
ran = run_nightly(Path(sys.argv[1]), "--broker", "127.0.0.1:9", out=Path(sys.argv[2]), only=())
sys.stdout.write(ran.stdout)
sys.stderr.write(ran.stderr)
sys.exit(ran.exit_code)
"""


def test_what_serve_stored_is_compared_and_the_reports_come_to_it(
    broker: LocalBroker, tmp_path: Path
) -> None:
    floor, store = write_floor(tmp_path, script_three_rounds()), tmp_path / "store.duckdb"
    told = [
        each for each in audit_logs(log.logs(floor), Recording(floor).house) if isinstance(each, Concluded)
    ]
    send(broker, ROUNDS, [(b"BAC-1", encode(result_of(each, "1.0", "BAC-1#1", 1, 1))) for each in told])
    with serve_console(store, broker) as serving:
        until(lambda: serving.stored() == len(told))
        token = write_token_file(store, tmp_path / "nightly.token")
        options = ("--live", serving.address, "--token-file", str(token), "--broker", broker.address)
        for _ in range(2):
            ran = run_nightly(floor, *options, out=tmp_path)
            assert [each["what"] for each in unreconciled_items(ran)] == ["paid_too_much"]
        assert read_report_rows(tmp_path, "comparison")[0]["same"] == len(told)
        until(lambda: is_caught_up(serving))
    with duckdb.connect(str(store)) as db:
        names = db.execute("SELECT report FROM reports WHERE edition = 1").fetchall()
        ((body,),) = db.execute("SELECT body FROM reports_now WHERE report = 'pace'").fetchall()
        assert db.execute("SELECT max(edition) FROM reports").fetchone() == (1,)
    assert len(names) == len(list((tmp_path / DAY).rglob("*.html"))) - 1
    assert body.encode() == (tmp_path / DAY / "pace.json").read_bytes()


def test_without_a_broker_it_is_one_line_and_the_reports_are_there(tmp_path: Path) -> None:
    # In a process of its own: the client leaves the sockets of failed attempts to the garbage collector.
    floor = write_floor(tmp_path, script_three_rounds())
    verb = begin(
        [sys.executable, "-c", NIGHTLY, floor, tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    stdout, stderr = verb.communicate()
    assert (verb.returncode, stdout) == (2, "")
    assert stderr == "discardrack: 127.0.0.1:9: no Kafka broker answers there within 5 s\n"
    assert (tmp_path / DAY / "index.html").is_file()
