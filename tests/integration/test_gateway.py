"""The gateway as a process on a real broker: killed or without Kafka, it loses nothing, doubles no frame."""

import asyncio
import re
import resource
import signal
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw, Struct

from streams.broker import HOST, LocalBroker
from streams.gateway.spool import Spool, Spooled
from streams.messages import read_quarantined
from streams.simulator.faults import NONE
from streams.simulator.floor import plan
from streams.simulator.live import Player, Timed, report_line
from streams.simulator.playing import play_table
from streams.simulator.simulate import START
from streams.topics import FRAMES, QUARANTINE
from tests.builders.live_floor import messages, records
from tests.builders.preloaded import DISCARDRACK, begin
from tests.integration.conftest import PATIENCE, free_port, until
from tests.integration.kafka_link import KafkaLink, LinkedBroker


class Read(Struct):
    """A frame as it stands in Kafka, its events as bytes."""

    v: int
    table: str
    frame: int
    received: int
    events: list[Raw]


class Gateway:
    """A gateway of one test: its process, started as often as it takes on one spool, and its log."""

    def __init__(self, folder: Path, broker: LocalBroker) -> None:
        self.spool, self.folder, self.kafka = folder / "spool", folder, broker.address
        self.logs: list[Path] = []
        self.address: tuple[str, int] = ("127.0.0.1", 0)
        self.process: subprocess.Popen[bytes] | None = None
        # Each test's tables have names of their own, and the devices that the plan gives them.
        tables = {
            f"{name}-{each.number}": {
                "chapter": each.chapter,
                "sources": {device: source for source, device in each.devices.items()},
            }
            for name in ("KILLED", "FILE", "AWAY", "FULL")
            for each in plan(6)
        }
        odd = {"ODD-1": {"chapter": "631a", "sources": {}}}
        (folder / "house.yaml").write_bytes(msgspec.yaml.encode({"house": "h", "tables": tables | odd}))

    def start(self, *options: str) -> None:
        """Start a process on the spool."""
        command = [
            DISCARDRACK,
            "gateway",
            "--verbose",
            "--broker",
            self.kafka,
            "--spool",
            self.spool,
        ]
        command += ["--house", self.folder / "house.yaml"]
        self.logs.append(self.folder / f"log-{len(self.logs)}")
        with self.logs[-1].open("wb") as log:
            self.process = begin([*command, *options], stdin=subprocess.DEVNULL, stderr=log)

    def listen(self) -> None:
        """Start it for devices; once it has an address it keeps it."""
        started = self.count("gateway_started")
        self.start("--tcp", f"{self.address[0]}:{self.address[1]}")
        until(lambda: self.count("gateway_started") > started)
        port = [each["tcp"] for each in self.said() if each["event"] == "gateway_started"][-1].rpartition(":")
        self.address = (port[0], int(port[2]))

    def end(self, how: signal.Signals) -> int:
        """End the process by a signal; give its exit status."""
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def drain(self) -> None:
        """Run it on nothing: it ends when Kafka has all that the spool held."""
        self.start()
        assert self.process is not None
        assert self.process.wait(PATIENCE) == 0

    def said(self) -> list[dict[str, Any]]:
        """Return what it has logged so far; the last line of one that was killed may be cut off."""
        lines = [line for log in self.logs for line in log.read_bytes().splitlines(keepends=True)]
        return [msgspec.json.decode(line) for line in lines if line.endswith(b"\n")]

    def count(self, event: str) -> int:
        """Count what it said of one kind, in complete lines; each frame is a line, so none is decoded."""
        said = b'"event": "%b"' % event.encode()
        return sum(log.read_bytes().rpartition(b"\n")[0].count(said) for log in self.logs)


@pytest.fixture
def gateway(tmp_path: Path, broker: LocalBroker) -> Iterator[Gateway]:
    gateway = Gateway(tmp_path, broker)
    try:
        yield gateway
    finally:
        if gateway.process is not None and gateway.process.poll() is None:
            gateway.end(signal.SIGKILL)


async def arrives(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110  the player tells no one how far it is
            await asyncio.sleep(0.01)


def told(name: str, tables: int = 2, hours: int = 1) -> tuple[list[Timed], dict[str, list[bytes]]]:
    """Play tables, named for a test; give the lines in order of time, and each table's events."""
    first = int(START.timestamp()) * 1_000_000
    lines: list[Timed] = []
    events: dict[str, list[bytes]] = {}
    for place, each in enumerate(plan(tables)):
        table = f"{name}-{each.number}"
        day = play_table(each, name, dict(NONE), first, first + hours * 3_600_000_000)
        arrivals = sorted(day.arrivals, key=lambda arrival: arrival.at)
        events[table] = [msgspec.json.encode(arrival.event) for arrival in arrivals]
        lines += [
            Timed(arrival.at, (place, number), report_line(table, arrival.event))
            for number, arrival in enumerate(arrivals)
        ]
    return sorted(lines), events


def in_kafka(address: str, tables: dict[str, list[bytes]]) -> dict[str, list[bytes]]:
    """Return each table's events as they stand in Kafka, once all frames are there, in order, each once."""
    frames: dict[str, list[Read]] = defaultdict(list)
    for message in messages(address, FRAMES):
        frame = msgspec.json.decode(message.value() or b"", type=Read)
        if frame.table in tables:
            assert (message.key() or b"").decode() == frame.table
            assert message.timestamp()[1] == frame.received // 1000
            frames[frame.table].append(frame)
    for table in tables:
        assert [frame.frame for frame in frames[table]] == list(range(1, len(frames[table]) + 1)), table
    return {table: [bytes(event) for each in frames[table] for event in each.events] for table in tables}


async def play(player: Player, gateway: Gateway, meanwhile: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as both:
        both.create_task(player.play(*gateway.address))
        both.create_task(meanwhile())


def test_killed_while_tables_play_it_loses_nothing(gateway: Gateway, broker: LocalBroker) -> None:
    lines, events = told("KILLED")
    gateway.listen()
    player = Player(lines, 0, lambda _: None)

    async def kill() -> None:
        for answered in (len(lines) // 5, len(lines) // 2, len(lines) * 4 // 5):
            await arrives(lambda: player.answered >= answered)  # noqa: B023  awaited in this turn
            gateway.end(signal.SIGKILL)
            gateway.listen()

    asyncio.run(play(player, gateway, kill))
    gateway.end(signal.SIGKILL)
    gateway.drain()
    arrived = in_kafka(broker.address, events)
    for table, sent in events.items():
        # What was kept and not answered when it was killed is sent again by the device: later, and as it was.
        assert list(dict.fromkeys(arrived[table])) == sent


def test_a_file_comes_to_kafka_once_however_often_it_is_killed(
    gateway: Gateway, broker: LocalBroker, tmp_path: Path
) -> None:
    lines, events = told("FILE", tables=6, hours=2)
    file = tmp_path / "reports.jsonl"
    file.write_bytes(b"".join(each.line for each in lines))
    nobody = f"{HOST}:{free_port()}"
    for _ in range(2):
        # While Kafka is away it reads as much as its spool holds: it is killed in the middle of the file.
        gateway.kafka = nobody
        full = gateway.count("spool_full")
        gateway.start("--file", str(file), "--spool-limit", "1")
        until(lambda: gateway.count("spool_full") > full)  # noqa: B023  called in this turn
        assert gateway.end(signal.SIGKILL) == -signal.SIGKILL
        gateway.kafka = broker.address
        gateway.drain()
    for event in ("frame_closed", "frame_acknowledged"):
        before = gateway.count(event)
        gateway.start("--file", str(file))
        until(lambda: gateway.count(event) > before)  # noqa: B023  called in this turn
        gateway.end(signal.SIGKILL)  # it may have come to the end of the file by then
    gateway.start("--file", str(file))
    assert gateway.process is not None
    assert gateway.process.wait(PATIENCE) == 0
    assert in_kafka(broker.address, events) == events
    resumed = [each["line"] for each in gateway.said() if each["event"] == "file_resumed"]
    assert 0 < resumed[0] < resumed[1] < len(lines)  # it was killed while it read


def test_kafka_away_and_back_changes_nothing(gateway: Gateway, broker: LinkedBroker, link: KafkaLink) -> None:
    lines, events = told("AWAY")
    gateway.kafka = link.address
    gateway.listen()
    player = Player(lines, 0, lambda _: None)

    async def take_kafka_away() -> None:
        await arrives(lambda: player.answered >= len(lines) // 4)
        link.cut()

    asyncio.run(play(player, gateway, take_kafka_away))
    assert player.answered == len(lines)  # every line was taken all the same
    until(lambda: gateway.count("kafka_away") == 1)
    link.mend(broker)
    until(lambda: gateway.count("kafka_back") == 1)
    assert gateway.end(signal.SIGTERM) == 0
    gateway.drain()
    assert in_kafka(broker.address, events) == events
    assert gateway.count("kafka_away") == 1


def test_a_full_disk_holds_the_devices_up_and_loses_nothing(gateway: Gateway, broker: LocalBroker) -> None:
    lines, events = told("FULL")
    gateway.listen()
    player = Player(lines, 0, lambda _: None)

    async def fill() -> None:
        await arrives(lambda: player.answered >= len(lines) // 4)
        assert gateway.process is not None
        _, most = resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE)
        size = gateway.logs[-1].stat().st_size + 250_000  # its own log has room
        resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (size, most))
        await arrives(lambda: gateway.count("spool_full") == 1)
        assert player.answered < len(lines)
        resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (most, most))

    asyncio.run(play(player, gateway, fill))
    assert player.answered == len(lines)
    assert gateway.end(signal.SIGTERM) == 0
    gateway.drain()
    assert in_kafka(broker.address, events) == events
    assert (gateway.count("spool_full"), gateway.count("spool_drained")) == (1, 1)


def frame(number: int, received: int, size: int = 0) -> Spooled:
    """Return the frame of a number, the even ones of one table and the odd ones of another."""
    table, here = f"REFUSED-{number % 2}", number // 2 + 1
    payload = msgspec.json.encode(
        Read(1, table, here, received, [Raw(b"%d" % number), Raw(b" " * size + b"0")])
    )
    return Spooled(topic=FRAMES, key=table, number=here, received=received, payload=payload)


def test_what_kafka_refuses_for_good_is_a_row_each_and_the_rest_arrives(
    gateway: Gateway, broker: LocalBroker
) -> None:
    now = time.time_ns() // 1000
    tomorrow = now + 24 * 3_600_000_000
    with Spool(gateway.spool) as spool:
        early = [frame(number, tomorrow if number in {4, 7, 8} else now) for number in range(10)]
        spool.keep([*early, frame(10, now), frame(11, now, size=1_100_000), frame(12, now)], [], {})
    gateway.drain()
    arrived: dict[str, list[int]] = defaultdict(list)
    for payload in records(broker.address, FRAMES):
        each = msgspec.json.decode(payload, type=Read)
        arrived[each.table].append(each.frame)
    assert arrived["REFUSED-0"] == [1, 2, 4, 6, 7]
    assert arrived["REFUSED-1"] == [1, 2, 3, 5]
    rows = list(map(read_quarantined, records(broker.address, QUARANTINE)))
    reasons = {row.id: row.reason for row in rows if (row.table or "").startswith("REFUSED")}
    time_of, size_of = "InvalidTimestampError", "MessageSizeTooLargeError"
    faults = {
        name: next(fault for fault in (time_of, size_of) if fault in said) for name, said in reasons.items()
    }
    assert faults == {
        "gateway/REFUSED-0#3": time_of,
        "gateway/REFUSED-1#4": time_of,
        "gateway/REFUSED-0#5": time_of,
        "gateway/REFUSED-1#6": size_of,
    }
    assert (gateway.count("record_refused"), gateway.count("kafka_away")) == (4, 0)


def test_unreadable_lines_go_to_the_quarantine_and_the_rest_to_the_frames(
    gateway: Gateway, broker: LocalBroker, tmp_path: Path
) -> None:
    file = tmp_path / "reports.jsonl"
    file.write_bytes(b'{"table": "ODD-1", "events": [{"event": "Xyz"}, {"cents": -1}]}\nnonsense\n')
    gateway.start("--file", str(file), "--name", "odd")
    assert gateway.process is not None
    assert gateway.process.wait(PATIENCE) == 0
    assert in_kafka(broker.address, {"ODD-1": []}) == {"ODD-1": [b'{"event": "Xyz"}', b'{"cents": -1}']}
    found = list(map(read_quarantined, records(broker.address, QUARANTINE)))
    (one,) = (each for each in found if each.id.startswith("gateway/odd/"))
    assert (one.where, one.payload) == (f"{file}, line 2", "nonsense")
    assert re.fullmatch(r"gateway/odd/\d+/1", one.id)
