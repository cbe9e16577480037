"""A whole live floor on this machine, each process started as a user would start it, and killed at will.

Broker, gateway, workers, console with its projector, archiver; and a simulated floor that plays into the
gateway. Used by the tests on a real broker, by `make chaos` and by `make bench`.
"""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import httpx
import msgspec
from confluent_kafka import Consumer, KafkaError, Message, TopicPartition
from prometheus_client.parser import text_string_to_metric_families
from rich.console import Console
from rich.table import Table

from projections.engine.audit.table_audit import TableAudit
from projections.engine.conclusion import Conclusion, canonical
from projections.store.store import Store
from replay.recording.event_audit import audit_logs
from replay.recording.recording import Recording
from schemas.codec import decode
from streams import log, topics
from streams.archive import archive_reader
from streams.broker import HOST, LocalBroker
from streams.log import Unread
from streams.topic_setup import create_topics
from streams.worker.stall_watch import STALLED
from tests.builders.processes import Failed, Processes
from tests.integration.conftest import free_port

_POLL: Final = 0.2  # seconds
_READING: Final = {
    "group.id": "tests",
    "enable.auto.commit": False,
    "enable.partition.eof": True,
    "auto.offset.reset": "earliest",  # what came first may be deleted
    "fetch.wait.max.ms": 20,  # a partition without more says so only then
}
_TOLD: Final = 6  # lines in which two differ
_SETTLED: Final = 3.0  # seconds


WORKERS: Final = ("worker-1", "worker-2", "worker-3")


class LiveFloor(Processes):
    """The processes of a floor by name: broker, gateway, worker-1, worker-2, serve, archive, devices.

    `folder` holds what each of them keeps and, under log/, what each said. The house file is the simulated
    floor's, which `play` writes.
    """

    def __init__(self, folder: Path, *, broker: LocalBroker | None = None) -> None:
        super().__init__(folder, may_end="devices")
        self.broker = broker or LocalBroker(folder / "kafka", free_port())
        self.ports = {name: free_port() for name in ("gateway", "metrics", "serve", "archive", *WORKERS)}
        self._own_broker = broker is None
        self._client = httpx.Client()  # to make one takes as long as twenty answers
        self.restarts = 0  # of workers that ended because they made no progress
        self._through_since: float | None = None

    def __enter__(self) -> Self:
        if self._own_broker:
            self.broker.start()
            create_topics(self.broker.address)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        self._client.close()
        if self._own_broker:
            self.broker.kill()

    @property
    def house(self) -> Path:
        """The house file of the floor that plays."""
        return self.folder / "floor" / log.HOUSE

    @property
    def store(self) -> Path:
        """The store that the projector writes."""
        return self.folder / "store.duckdb"

    @property
    def archive(self) -> Path:
        """The folder of the archive."""
        return self.folder / "archive"

    @property
    def console(self) -> str:
        """The console's address."""
        return f"http://{HOST}:{self.ports['serve']}"

    def start(self, *names: str) -> None:
        """Start processes, each on what it had kept when it ended."""
        for name in names:
            if name == "broker":
                self.broker.start()
            else:
                self.launch(name, *self._arguments(name))

    def ended(self, name: str, status: int) -> None:
        """Start a worker again that ended because it made no progress, as its supervisor would.

        Raises:
            Failed: it ended otherwise.
        """
        if name not in WORKERS or status != STALLED:
            super().ended(name, status)
        self.restarts += 1
        self.start(name)

    def kill(self, name: str) -> None:
        """End a process as a power cut would."""
        if name == "broker":
            self.broker.kill()
        else:
            super().kill(name)

    def play(
        self,
        *,
        tables: int,
        hours: float,
        seed: str,
        speed: float,
        sensors: bool = True,
        rates: Path | None = None,
        mixed: bool = False,
    ) -> None:
        """Play a simulated floor into the gateway, `speed` times as fast as real; return at once.

        A `mixed` floor plays every game.
        """
        options = ["--tables", tables, "--hours", hours, "--seed", seed, "--speed", speed]
        into = ["--live", f"{HOST}:{self.ports['gateway']}", "--out", self.folder / "floor"]
        faults = [*(["--sensor-faults"] if sensors else []), *(["--faults", rates] if rates else [])]
        games = ["--mix"] if mixed else []
        self.launch("devices", "simulate", *options, *games, *faults, *into)
        self.wait("the floor's house file", self.house.exists)

    def played(self) -> bool:
        """Return True if the devices have reported everything, and the gateway has answered for it.

        Raises:
            Failed: they gave up.
        """
        status = self.running["devices"].poll()
        if status not in (None, 0):
            raise Failed(f"the devices ended with status {status}; see {self.folder / 'log'}")
        return status == 0

    def drained(self) -> bool:
        """Return True if everything that the gateway took has come through to store and archive.

        It must have been so for a while: a figure can be a second old.
        """
        if not self._all_through():
            self._through_since = None
            return False
        if self._through_since is None:
            self._through_since = time.monotonic()
        return time.monotonic() - self._through_since > _SETTLED

    def _all_through(self) -> bool:
        try:
            spooled = self.spooled() if "gateway" in self.running else 0
            return spooled == 0 and self._lag() == 0 and self._stored() and self._archived()
        except httpx.HTTPError:
            return False  # it is just being started

    def gateway_listens(self) -> bool:
        """Return True if devices can connect to the gateway."""
        try:
            socket.create_connection((HOST, self.ports["gateway"])).close()
        except ConnectionRefusedError:
            return False  # it is just being started
        return True

    def answers(self) -> bool:
        """Return True if the console answers and its projector follows Kafka."""
        try:
            return bool(self._client.get(f"{self.console}/healthz").json()["status"] == "ok")
        except httpx.HTTPError:
            return False  # it is just being started

    def applied(self) -> bool:
        """Return True if the workers have applied every frame that is in Kafka."""
        try:
            return self._lag() == 0
        except httpx.HTTPError:
            return False  # they are just being started

    def histogram(self, process: str, stage: str) -> dict[float, float]:
        """Return how often a stage was passed within so many seconds, cumulative, as a process counted it."""
        port = self.ports["metrics" if process == "gateway" else process]
        return {
            float(labels["le"]): value
            for labels, value in self._samples(port, "discardrack_latency_seconds_bucket")
            if labels["stage"] == stage
        }

    def spooled(self) -> float:
        """Return how many frames wait in the gateway's spool."""
        return sum(self._figures(self.ports["metrics"], "discardrack_spool_frames").values())

    def compare(self, expected: Path, console: Console) -> bool:
        """Compare the results of the floor with the embedded audit of the same one, and print the answers."""
        embedded = audit_again(expected, self.house)
        found = {
            "the store": (self.in_store(), audit_so_far(expected, self.house)),
            "the audit of the archive": (self.in_archive(), embedded),
        }
        answers = {name: has == ought for name, (has, ought) in found.items()}
        answers["each frame once in Kafka"] = self.frames_once()
        lines = embedded.count(b"\n")
        table = Table("", f"as the embedded audit ({lines:,} rounds and shoes, {len(embedded):,} bytes)")
        for what, equal in answers.items():
            table.add_row(what, "yes" if equal else "NO")
        console.print(table)
        for name, (has, ought) in found.items():
            ours, theirs = set(ought.splitlines()), set(has.splitlines())
            for line in sorted(ours ^ theirs)[:_TOLD]:
                console.print(f"{name} {'lacks' if line in ours else 'has'} {line.decode()}", markup=False)
        return all(answers.values())

    def in_store(self) -> bytes:
        """Return what stands in the store, in its canonical form; `serve` has ended."""
        with Store(self.store) as store:
            run, *_ = store.runs()
            return canonical(store.conclusions(run.run))

    def in_archive(self, *, unread: int = 0) -> bytes:
        """Return what the archive's frames come to when they are audited again.

        Raises:
            Failed: another number of records or events than `unread` cannot be read.
        """
        return audit_again(self.archive, self.house, unread=unread)

    def archived(self, table: str) -> int:
        """Return how many of a table's frames the archive has."""
        return sum(1 for _ in archive_reader.records(self.archive, table))

    def last_frame(self, table: str) -> int:
        """Return the number of a table's last frame in Kafka."""
        return max(self._numbers()[table])

    def frames_once(self) -> bool:
        """Return True if each frame of each table stands in Kafka once, numbered without a gap."""
        numbers = self._numbers().values()
        return bool(numbers) and all(each == list(range(1, len(each) + 1)) for each in numbers)

    def _numbers(self) -> dict[str, list[int]]:
        numbers: dict[str, list[int]] = {}
        for payload in records(self.broker.address, topics.FRAMES):
            frame = msgspec.json.decode(payload)
            numbers.setdefault(frame["table"], []).append(frame["frame"])
        return numbers

    def _arguments(self, name: str) -> list[object]:
        ports, broker = self.ports, ("--broker", self.broker.address)
        if name == "gateway":
            listening = ("--tcp", f"{HOST}:{ports['gateway']}", "--metrics-port", ports["metrics"])
            return ["gateway", *broker, "--house", self.house, "--spool", self.folder / "spool", *listening]
        if name == "serve":
            return ["serve", *broker, "--store", self.store, "--house", self.house, "--port", ports["serve"]]
        if name == "archive":
            into = ("--out", self.archive, "--metrics-port", ports["archive"])
            return ["archive", *broker, "--house", self.house, *into]
        archive = ("--archive", self.archive) if self.archive.is_dir() else ()
        return ["worker", *broker, "--house", self.house, *archive, "--metrics-port", ports[name]]

    def _lag(self) -> float | None:
        """Add up what is not applied yet; None if not every partition has a worker."""
        lags: dict[str, float] = {}
        for name in WORKERS:
            if name in self.running:
                lags |= self._figures(self.ports[name], "discardrack_lag_frames")
        return sum(lags.values()) if len(lags) == topics.PARTITIONS else None

    def _archived(self) -> bool:
        figures = self._figures(self.ports["archive"], "discardrack_archive_lag_records")
        return "archive" not in self.running or sum(figures.values()) == 0

    def _stored(self) -> bool:
        told = self._client.get(f"{self.console}/healthz").json()
        return bool(told["status"] == "ok" and told["lag"] == 0)

    def _figures(self, port: int, name: str) -> dict[str, float]:
        return {"".join(labels.values()): value for labels, value in self._samples(port, name)}

    def _samples(self, port: int, name: str) -> list[tuple[dict[str, str], float]]:
        lines = self._client.get(f"http://{HOST}:{port}/metrics").text.splitlines()
        text = "\n".join(line for line in lines if line.startswith(name))
        return [
            (sample.labels, sample.value)
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == name
        ]


def records(broker: str, topic: str) -> Iterator[bytes]:
    """Yield the values of all that stands in a topic, partition after partition."""
    for message in messages(broker, topic):
        yield message.value() or b""


def messages(broker: str, topic: str) -> Iterator[Message]:
    """Yield the messages of a topic, each with a value, partition after partition.

    Each partition is read from its first message to where it ends just now: to ask for its two ends before
    would cost more than to read it.

    Raises:
        Failed: a message could not be read.
    """
    reader = Consumer(_READING | {"bootstrap.servers": broker})
    try:
        parts = sorted(reader.list_topics(topic).topics[topic].partitions)
        reader.assign([TopicPartition(topic, part, 0) for part in parts])
        found: dict[int, list[Message]] = {part: [] for part in parts}
        unread = set(parts)
        while unread:
            # One by one: `consume` waits until it has as many as it is asked for, or its time is over.
            if (message := reader.poll(_POLL)) is None:
                continue
            part, error = message.partition(), message.error()
            if error is not None and error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001  its public name
                unread.discard(part)
            elif error is not None or part is None or message.value() is None:
                raise Failed(f"{topic}: {error}")
            else:
                found[part].append(message)
    finally:
        reader.close()
    for part in parts:
        yield from found[part]


def audit_again(recorded: Path, house: Path, *, unread: int = 0) -> bytes:
    """Audit recorded events in one process, without anything of the live road; the canonical form.

    Raises:
        Failed: another number of records or events than `unread` cannot be read.
    """
    conclusions: list[Conclusion] = []
    errors: list[str] = []
    for each in audit_logs(log.logs(recorded), Recording(recorded, str(house)).house):
        if isinstance(each, Unread):
            errors.append(each.error)
        else:
            conclusions.append(each.conclusion)
    if len(errors) != unread:
        raise Failed(f"{recorded}: {len(errors)} cannot be read: {errors}")
    return canonical(conclusions)


def audit_so_far(recorded: Path, house: Path) -> bytes:
    """Audit recorded events as a live floor does, which does not know that nothing more will come.

    A number that is missing behind a table's last poll may still come: what depends on it is concluded with
    the next poll, and by `audit`, which has read to the end.
    """
    floor = Recording(recorded, str(house)).house
    conclusions: list[Conclusion] = []
    for each in log.logs(recorded):
        table = each.name.removesuffix(".jsonl")
        if floor.beside_tables(table):
            continue
        audit = TableAudit(table, floor)
        for record in each.records():
            frame, _ = decode(record.payload, record.where)
            conclusions += (one.conclusion for one in audit.feed(frame.events))
    return canonical(conclusions)
