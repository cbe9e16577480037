"""The topics of a live floor, as they are listed and without a broker; on one: integration/test_broker.py."""

import json
import socket
import subprocess
import sys

import pytest
from click.testing import CliRunner

from replay.cli import main
from streams.topics import CHANGELOG, FINDINGS, FRAMES, QUARANTINE, REPORTS, ROUNDS, TOPICS


def test_what_is_keyed_by_the_table_is_split_alike() -> None:
    split = {topic.name: topic.partitions for topic in TOPICS}
    assert len({split[name] for name in (FRAMES, ROUNDS, FINDINGS, CHANGELOG)}) == 1


def test_topics_are_listed() -> None:
    ran = CliRunner().invoke(main, ["topics", "--format", "jsonl"])
    assert ran.exit_code == 0
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    kept = {row["topic"]: (row["partitions"], row["retention_days"], row["compaction"]) for row in rows}
    assert kept == {
        FRAMES: (12, 7, False),
        ROUNDS: (12, 30, False),
        FINDINGS: (12, 30, False),
        REPORTS: (1, 30, False),
        QUARANTINE: (1, 30, False),
        CHANGELOG: (12, None, True),
    }


@pytest.mark.parametrize("option", [("--create",), ("--replication", "3")])
def test_there_is_nothing_to_create_without_a_broker(option: tuple[str, ...]) -> None:
    ran = CliRunner().invoke(main, ["topics", *option])
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert ran.stderr == "discardrack: --create and --replication need --broker HOST:PORT\n"


def test_nobody_at_the_address_is_one_line() -> None:
    # In a process of its own: the client leaves the sockets of failed attempts to the garbage collector.
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{held.getsockname()[1]}"
        verb = [sys.executable, "-c", "from replay.cli import main; main()", "topics", "--broker", address]
        ran = subprocess.run(verb, capture_output=True, text=True, check=False)  # noqa: S603  our own command
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr == f"discardrack: {address}: no Kafka broker answers there within 5 s\n"
