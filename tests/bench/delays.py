"""How long a finding takes from the gateway to an open page, by stage, with all processes on this machine.

Used by `make bench`.
"""

import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import httpx
import yaml
from msgspec import Struct

from streams import topics
from streams.messages import read_result
from streams.simulator import faults
from tests.builders.live_floor import LiveFloor, records

SCRIPT: Final = Path(__file__).parents[2] / "projections" / "web" / "static" / "live.js"
STAGES: Final = (
    ("kafka", "gateway", "acknowledged by Kafka"),
    ("judged", "worker-1", "judged by the worker"),
    ("stored", "serve", "stored by the projector"),
)
VIEW: Final = "/?severity=critical"  # what is new comes first there, so that there is room for it
_SILENCE: Final = 60.0  # seconds; the stream says that it is still there more often
_LAST_ROUNDS: Final = 300.0  # seconds of the floor
_MICROSECONDS: Final = 1_000_000


class Load(NamedTuple):
    """So many tables, so many times as fast as real, for so many seconds; faults so many times as often."""

    tables: int
    speed: float
    seconds: float
    oftener: float

    def said(self) -> str:
        """Say it in the page."""
        pace = "at their real pace" if self.speed == 1 else f"at {self.speed:.0f} times their pace"
        return f"{self.tables} tables {pace} for {self.seconds:.0f} seconds"


# Faults are oftener than usual, so that there are findings enough for a percentile. The first rounds of a
# simulated floor open some three minutes after its tables: at their real pace that is most of a short run.
LOADS: Final = (Load(100, 10.0, 120.0, 5.0), Load(100, 1.0, 420.0, 20.0))


class Delay(Struct):
    """How long after the gateway's receipt of a round's last event a stage was passed, in seconds."""

    stage: str
    count: int
    median: float
    high: float


def delays(folder: Path, load: Load) -> list[Delay]:
    """Play a floor through all processes with a page open, and see when each stage was passed."""
    folder.mkdir()
    often = folder / "faults.yaml"
    rates = {kind: min(1.0, each.rate * load.oftener) for kind, each in faults.DEALERS.items()}
    often.write_text(yaml.safe_dump({"dealers": rates}))
    hours = load.seconds * load.speed / 3600
    with LiveFloor(folder / "live") as floor:
        floor.play(
            tables=load.tables, hours=hours, seed="delays", speed=load.speed, sensors=False, rates=often
        )
        floor.start("gateway", "worker-1", "serve", "archive")
        floor.wait("the console", floor.answers)
        with _page_open(floor.console) as came:
            # A floor plays its last rounds to their end; its boxes are counted for hours after that.
            floor.rest(load.seconds + _LAST_ROUNDS / load.speed)
            floor.kill("devices")
            floor.wait("everything in the store", floor.drained)
        told = [_quantiles(says, floor.histogram(process, stage)) for stage, process, says in STAGES]
        received: dict[str, int] = {}
        for result in map(read_result, records(floor.broker.address, topics.ROUNDS)):
            for finding in result.conclusion.findings:
                received.setdefault(finding.id, result.received)  # by the revision that raised it
    shown = sorted((at - received[finding]) / _MICROSECONDS for finding, at in came.items())
    if not shown:
        raise AssertionError("no finding came onto the page")
    return [*told, Delay("on the page", len(shown), shown[len(shown) // 2], shown[len(shown) * 99 // 100])]


def written(measured: Iterable[tuple[Load, list[Delay]]]) -> list[str]:
    """Write the page's lines about delays."""
    lines = [
        "",
        "How long after the gateway's receipt of the last event that a conclusion waited for; all processes",
        "and the broker on this machine. The console's page of grave findings is open and fetched as its",
        "script does in a browser: when the stream tells of something, but never twice at once, and after a",
        "pause that is longer where the server is slow. A finding is on the page when an answer has come",
        "that shows it; what the browser then does is not counted.",
    ]
    for load, passed in measured:
        lines += [
            "",
            f"{load.said()}:",
            "",
            "| stage | passed | p50, ms | p99, ms |",
            "| --- | ---: | ---: | ---: |",
            *(
                f"| {each.stage} | {each.count:,} | {each.median * 1000:.0f} | {each.high * 1000:.0f} |"
                for each in passed
            ),
        ]
    return [*lines, ""]


@contextmanager
def _page_open(console: str) -> Iterator[Mapping[str, int]]:
    """Open a page of the console as a browser does with the console's script.

    Gives, as they come, when each finding that was not there at first was first shown, microseconds UTC.

    Raises:
        AssertionError: the page could not be kept open.
    """
    came: dict[str, int] = {}
    news, closed = threading.Event(), threading.Event()
    threads = [
        threading.Thread(target=_listen, args=(console, news, closed), daemon=True),
        threading.Thread(target=_fetch, args=(console, news, closed, came), daemon=True),
    ]
    for each in threads:
        each.start()
    try:
        yield came
        if not all(each.is_alive() for each in threads):
            raise AssertionError("the page was not open to the end")
    finally:
        closed.set()
        news.set()
        threads[1].join()


def _listen(console: str, news: threading.Event, closed: threading.Event) -> None:
    """Read the stream until the page is closed or the console has ended."""
    try:
        with httpx.stream("GET", f"{console}/stream", timeout=_SILENCE) as stream:
            for line in stream.iter_lines():
                if closed.is_set():
                    return
                if line.startswith("data:"):
                    news.set()
    except httpx.TransportError:
        if not closed.is_set():
            raise


def _fetch(console: str, news: threading.Event, closed: threading.Event, came: dict[str, int]) -> None:
    """Fetch the page at news, with the pauses of the console's script."""
    quiet, choices = _pause("QUIET"), _pause("CHOICES")
    there: set[str] | None = None
    due = choices_due = 0.0
    with httpx.Client(timeout=_SILENCE) as client:
        while True:
            news.wait()
            time.sleep(max(0.0, due - time.monotonic()))
            if closed.is_set():
                return
            news.clear()
            begun = time.monotonic()
            headers = {"X-Choices": "kept"} if begun < choices_due else {}
            page = client.get(console + VIEW, headers=headers).raise_for_status().text
            now = time.time_ns() // 1000
            shown = set(re.findall(r'<tr id="(\w+)"', page))
            there = shown if there is None else there
            for finding in shown - there:
                came.setdefault(finding, now)
            if not headers:
                choices_due = begun + choices
            due = time.monotonic() + max(quiet, 3 * (time.monotonic() - begun))


def _pause(name: str) -> float:
    """Read one of the script's own pauses, in seconds."""
    found = re.search(rf"const {name} = ([\d_]+);", SCRIPT.read_text("utf-8"))
    if found is None:
        raise AssertionError(f"{SCRIPT} has no {name}")
    return int(found[1]) / 1000


def _quantiles(stage: str, buckets: Mapping[float, float]) -> Delay:
    """Read quantiles from cumulative buckets as Prometheus does, straight between two bounds."""
    total = buckets[float("inf")]
    return Delay(stage, round(total), _quantile(buckets, total * 0.5), _quantile(buckets, total * 0.99))


def _quantile(buckets: Mapping[float, float], rank: float) -> float:
    for (low, below), (high, upto) in pairwise([(0.0, 0.0), *sorted(buckets.items())]):
        if upto >= rank:
            return low + (high - low) * (rank - below) / (upto - below)
    raise AssertionError(f"{rank} beyond {buckets}")
