"""The nightly reports on a real broker: through Kafka into the store of serve, and held to its snapshot."""

import subprocess
import sys
from pathlib import Path

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
from tests.integration.conftest import send, until
from tests.integration.served_console import is_caught_up, serve_console


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
    verb = [sys.executable, "-c", "from replay.cli import main; main()", "nightly"]
    floor = write_floor(tmp_path, script_three_rounds())
    options = ["--gaming-day", DAY, "--out", str(tmp_path), "--jobs", "1", "--broker", "127.0.0.1:9"]
    ran = subprocess.run([*verb, str(floor), *options], capture_output=True, text=True, check=False)  # noqa: S603  our own command
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "discardrack: 127.0.0.1:9: no Kafka broker answers there within 5 s\n"
    assert (tmp_path / DAY / "index.html").is_file()
