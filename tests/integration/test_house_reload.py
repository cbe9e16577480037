"""A house file that is changed while the floor plays: a mistake leaves one table out, and is mended live."""

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any, Final

import httpx
import msgspec
import pytest
from click.testing import CliRunner
from confluent_kafka import Consumer, TopicPartition

from projections.engine.conclusion import canonical, id_of
from replay.cli import main
from streams import log, topics
from streams.broker import HOST, LocalBroker
from streams.messages import read_result
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.audited_floor import audit_floor
from tests.builders.live_floor import LiveFloor
from tests.integration.conftest import send

WRONG: Final = "BAC-104"
RIGHT: Final = ("BAC-101", "BAC-102", "BAC-103")
NAMED_WITHIN: Final = 1.0  # seconds after the process is told, as a rule: the machine may be busy
TAKEN: Final = 'discardrack_frames_total{process="worker"}'
LEFT_OUT: Final = f'discardrack_table_left_out{{table="{WRONG}"}}'
_POLL: Final = 0.3  # seconds
# What is put in the place of what within the table, or added to the submissions, and what the log says of it.
MISTAKES: Final[dict[str, tuple[str, str, str]]] = {
    "option out of range": ("", "{from: 2025-01-01, chapter: 631a, options: {tie_odds: 7}", "tie_odds: 7"),
    "unknown option": ("", "{from: 2025-01-01, chapter: 631a, options: {tie_odd: 9}", "tie_odd"),
    "unknown chapter": ("    chapter: 631a", "    chapter: '999'", "unknown chapter '999'"),
    "wrong decks": (r"    decks: \d", "    decks: 5", "5 decks"),
    "no terminal": ("T-104: terminal, ", "", "names no terminal"),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played") / "floor"
    simulate(folder, tables=4, hours=0.3, seed="reload", rates=faults.rates())
    return folder


@pytest.fixture
def floor(broker: LocalBroker, tmp_path: Path) -> Iterator[LiveFloor]:
    with LiveFloor(tmp_path, broker=broker) as floor:
        floor.house.parent.mkdir()
        yield floor


def with_mistake(text: str, mistake: str) -> str:
    """Write one mistake about the table into a house file."""
    right, wrong, _ = MISTAKES[mistake]
    if not right:
        return text.replace("submissions:\n", f"submissions:\n- {wrong}, tables: [{WRONG}]}}\n")
    head, table, rest = text.partition(f"  {WRONG}:\n")
    changed, count = re.subn(right, wrong, rest, count=1)
    assert count == 1
    return head + table + changed


class Said:
    """What the workers of a broker have concluded so far: by what each is about, and its revision."""

    def __init__(self, broker: LocalBroker) -> None:
        settings = {"bootstrap.servers": broker.address, "group.id": "said", "enable.auto.commit": False}
        self.consumer = Consumer(settings)
        self.consumer.assign([TopicPartition(topics.ROUNDS, n, 0) for n in range(topics.PARTITIONS)])
        self._found: dict[tuple[str, int], bytes] = {}

    def now(self) -> dict[tuple[str, int], bytes]:
        """Return all that is there, read on from where it was left."""
        while came := self.consumer.consume(500, _POLL):
            for each in (read_result(message.value() or b"") for message in came):
                self._found[id_of(each.conclusion), each.revision] = canonical([each.conclusion])
        return dict(self._found)


@pytest.fixture
def said(broker: LocalBroker) -> Iterator[Said]:
    said = Said(broker)
    yield said
    said.consumer.close()


def of(tables: tuple[str, ...], conclusions: dict[tuple[str, int], bytes]) -> dict[tuple[str, int], bytes]:
    return {key: each for key, each in conclusions.items() if key[0].split("|")[1] in tables}


def logged(floor: LiveFloor, process: str, event: str) -> list[dict[str, Any]]:
    lines = (floor.folder / "log" / f"{process}.jsonl").read_bytes().splitlines()
    told = [
        msgspec.json.decode(line) for line in lines if line.startswith(b"{")
    ]  # serve says its address too
    return [each for each in told if each.get("event") == event]


def figure(floor: LiveFloor, sample: str) -> float:
    """Return a figure of the worker's metrics, 0 where it is not there."""
    metrics = httpx.get(f"http://{HOST}:{floor.ports['worker-1']}/metrics").text.splitlines()
    return next((float(line.removeprefix(sample)) for line in metrics if line.startswith(f"{sample} ")), 0.0)


def tell(floor: LiveFloor, text: str) -> float:
    """Change the house file and have the worker take it; return the time of the change."""
    floor.house.write_text(text, encoding="utf-8")
    floor.running["worker-1"].send_signal(signal.SIGHUP)
    return time.time()


def test_five_mistakes_one_after_another_stop_nothing_and_are_mended_live(
    floor: LiveFloor, played: Path, said: Said
) -> None:
    mended = (played / log.HOUSE).read_text(encoding="utf-8")
    judged = {
        (id_of(each.conclusion), each.revision): (int(frame.rpartition("#")[2]), canonical([each.conclusion]))
        for frame, each in audit_floor(played)
    }
    expected = {key: conclusion for key, (_, conclusion) in judged.items()}
    frames = {
        each.name.removesuffix(".jsonl"): [one.payload.rstrip() for one in each.records()]
        for each in log.logs(played)
    }
    floor.house.write_text(mended, encoding="utf-8")
    floor.start("worker-1")
    floor.wait("the worker begun", lambda: bool(logged(floor, "worker-1", "worker_started")))
    sent, before, took = 0, dict[tuple[str, int], bytes](), list[float]()
    for n, (mistake, (_, _, words)) in enumerate(MISTAKES.items()):
        text = with_mistake(mended, mistake)
        told_at = tell(floor, text)
        floor.wait("the mistake said", lambda: len(logged(floor, "worker-1", "table_left_out")) > n)  # noqa: B023  at once
        errors = logged(floor, "worker-1", "table_left_out")
        assert len(errors) == n + 1
        error = errors[-1]
        assert (error["level"], error["file"], error["table"]) == ("error", str(floor.house), WRONG)
        assert words in error["reason"]
        line = text.splitlines()[error["line"] - 1]
        assert WRONG in line or any(word in line for word in ("'999'", "5", "sources"))
        took.append(datetime.fromisoformat(error["timestamp"]).timestamp() - told_at)
        floor.wait("it is taken", lambda: len(logged(floor, "worker-1", "house_file_taken")) > 2 * n)  # noqa: B023  at once
        for table, payloads in frames.items():
            part = len(payloads) // len(MISTAKES) + 1
            now = payloads[part * n : part * (n + 1)]
            send(floor.broker, topics.FRAMES, [(table.encode(), payload) for payload in now])
            sent += len(now)
        floor.wait("all frames are acknowledged", lambda: figure(floor, TAKEN) >= sent)  # noqa: B023  at once
        assert figure(floor, LEFT_OUT) == 1
        assert of(RIGHT, said.now()).items() <= expected.items()
        assert of((WRONG,), said.now()) == before
        tell(floor, mended)
        last = len(frames[WRONG][: (len(frames[WRONG]) // len(MISTAKES) + 1) * (n + 1)])
        now_judged = {key: conclusion for key, (frame, conclusion) in judged.items() if frame <= last}
        assert of((WRONG,), now_judged).keys() > before.keys()
        before = of((WRONG,), now_judged)
        floor.wait("it is judged", lambda: of((WRONG,), said.now()) == before)  # noqa: B023  at once
    assert median(took) < NAMED_WITHIN
    floor.wait("everything is concluded", lambda: said.now() == expected)
    assert figure(floor, LEFT_OUT) == 0
    # One that is not of its form is refused, and the worker goes on by what it had.
    tell(floor, "house: [")
    floor.wait("it is refused", lambda: bool(logged(floor, "worker-1", "house_file_refused")))
    assert floor.running["worker-1"].poll() is None


def test_archive_and_console_take_it_by_the_verb(floor: LiveFloor, played: Path) -> None:
    mended = (played / log.HOUSE).read_text(encoding="utf-8")
    floor.house.write_text(mended, encoding="utf-8")
    floor.begin = subprocess.Popen  # the verb finds them by their command lines
    floor.start("archive", "serve", "gateway")
    for process, begun in (
        ("archive", "archiver_started"),
        ("serve", "console_started"),
        ("gateway", "gateway_started"),
    ):
        floor.wait("it has begun", lambda: bool(logged(floor, process, begun)))  # noqa: B023  at once
    floor.house.write_text(with_mistake(mended, "wrong decks"), encoding="utf-8")
    ran = CliRunner().invoke(main, ["house", "reload", str(floor.house)])
    assert ran.exit_code == 0
    assert sorted(line.split()[0] for line in ran.stdout.splitlines()) == ["archive", "gateway", "serve"]
    for process in ("archive", "serve", "gateway"):
        floor.wait("it is taken", lambda: bool(logged(floor, process, "house_file_taken")))  # noqa: B023  at once
        (error,) = logged(floor, process, "table_left_out")
        assert error["table"] == WRONG
    assert (floor.archive / "house.yaml").read_bytes() == floor.house.read_bytes()
    floor.house.write_text("house: 1", encoding="utf-8")
    assert CliRunner().invoke(main, ["house", "reload", str(floor.house)]).exit_code == 1
    floor.stop("archive", "serve", "gateway")
