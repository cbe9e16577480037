"""`discardrack serve` beside a broker, as a process of its own."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import httpx

from projections.engine.audit.table_audit import Concluded
from schemas.codec import decode
from schemas.surveillance import STREAM, OperatorActed
from streams.broker import LocalBroker
from streams.messages import encode, result_of
from streams.topics import FRAMES
from tests.builders.consoles import add_account, log_in
from tests.builders.live_floor import messages
from tests.builders.preloaded import DISCARDRACK, begin
from tests.integration.conftest import PATIENCE
from tests.integration.kafka_link import KafkaLink


def read_actions(broker: LocalBroker) -> list[OperatorActed]:
    """Read every action that Kafka has, in its order."""
    found: list[OperatorActed] = []
    for message in messages(broker.address, FRAMES):
        assert message.key() == STREAM.encode()
        frame, unread = decode(message.value() or b"", "")
        assert (frame.table, unread) == (STREAM, [])
        assert message.timestamp()[1] == frame.received // 1000
        found += [event for event in frame.events if isinstance(event, OperatorActed)]
    return found


Message: TypeAlias = tuple[bytes, bytes]


def result_messages(told: list[tuple[str, Concluded]]) -> list[Message]:
    now = time.time_ns() // 1000
    return [
        (each.conclusion.table.encode(), encode(result_of(each, "1.0", frame, now, now)))
        for frame, each in told
    ]


class ServedConsole:
    """`discardrack serve` as a process of its own."""

    def __init__(self, store: Path, broker: LocalBroker | KafkaLink) -> None:
        self.log = store.with_suffix(".log")
        self._said = self.log.open("ab")
        self.process = begin(
            [
                *(DISCARDRACK, "serve"),
                *("--store", os.fspath(store), "--broker", broker.address, "--port", "0"),
            ],
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().removeprefix("Findings at ").partition(" ")[0]
        self.client = httpx.Client(base_url=self.address, timeout=PATIENCE)
        add_account(store)
        log_in(self.client)

    def end(self, by: signal.Signals) -> int:
        """Send a signal, wait for the end, and give the status."""
        self.process.send_signal(by)
        self.process.communicate()
        self._said.close()
        return self.process.returncode

    def get(self, view: str) -> Any:
        """Query the API."""
        return self.client.get(view).json()

    def stored(self) -> int:
        """Count the revisions that were stored since it began."""
        figures = httpx.get(f"{self.address}/metrics", timeout=PATIENCE).text.splitlines()
        return sum(int(float(line.rpartition(" ")[2])) for line in figures if "_results_total{" in line)

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Return what was logged of a kind, by this process and those before it on the store."""
        lines = (json.loads(line) for line in self.log.read_text().splitlines())
        return [line for line in lines if line["event"] == event]


@contextmanager
def serve_console(store: Path, broker: LocalBroker | KafkaLink) -> Iterator[ServedConsole]:
    opened = ServedConsole(store, broker)
    try:
        yield opened
    finally:
        if opened.process.poll() is None:
            opened.end(signal.SIGKILL)
        opened.client.close()


def is_caught_up(opened: ServedConsole) -> bool:
    health = opened.get("/healthz")
    return bool(health["status"] == "ok" and health["lag"] == 0)
