"""How long an alert takes from the gateway to a row of an open page, and how much memory serve holds.

`make bench-console` measures it.

A simulated floor plays through every process on a real broker. Beside one browser that shows the queue, many
streams are open, as in a room full of screens. The clock of an alert begins at the gateway's receipt of the
frame whose arrival brought the conclusion, so what the audit waits for by design is not in it.
"""

import asyncio
import contextlib
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import click
import httpx
import yaml
from msgspec import Struct, field
from playwright.sync_api import Page, sync_playwright
from rich.console import Console

from replay.serving.http_server import USUAL
from streams import topics
from streams.messages import read_result
from streams.simulator import faults
from tests.builders.consoles import add_account, log_in
from tests.builders.live_floor import LiveFloor, records

CHROMIUM: Final = "/usr/bin/chromium"
OFTENER: Final = 5.0  # faults, so many times as often as usual: a percentile needs alerts enough
_MINUTES: Final = 6.0
_SECOND: Final = 1_000_000  # microseconds
_CLOSING: Final = 20.0  # seconds in which the tables play their last rounds to their end
_ALERT: Final = re.compile(rb'event: alert\r\ndata: \{"id":"(\w+)"')
_READ: Final = 1 << 20  # bytes at most
_HEAD: Final = 128  # bytes: more than the beginning of an alert takes
_TICK: Final = os.sysconf("SC_CLK_TCK")  # of a processor's time, in a second

# Notes when each row came to be there, milliseconds UTC; what was there at first is noted as well.
WATCH: Final = """
window.seen = {};
const note = () => {
  for (const row of document.querySelectorAll("#rows tr[data-id]"))
    window.seen[row.dataset.id] ??= Date.now();
};
new MutationObserver(note).observe(document, {childList: true, subtree: true});
document.addEventListener("DOMContentLoaded", note);
"""


class Heard(Struct):
    """Alerts on the streams: when the first stream named each, and how many streams did."""

    first: dict[str, float] = field(default_factory=dict)
    all: dict[str, float] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    broken: int = 0


class Machine(Struct):
    """What the run took: serve's memory by the second in megabytes, each process's seconds of a processor.

    `beside` are the seconds of the processors that went to what is no part of the run.
    """

    seconds: float
    memory: list[float]
    took: dict[str, float]
    beside: float


def resident(process: int) -> float:
    """Return how many megabytes of memory a process holds."""
    for line in Path(f"/proc/{process}/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(f"process {process} is not there")


def _busy(process: int) -> float:
    """Return the processor seconds of a process; zero for one that has ended."""
    try:
        told = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(told[11]) + int(told[12])) / _TICK


def _children(process: int) -> set[int]:
    """Return the processes that a process began, and theirs."""
    try:
        threads = list(Path(f"/proc/{process}/task").iterdir())
        own = {int(each) for thread in threads for each in (thread / "children").read_text("ascii").split()}
    except FileNotFoundError:
        return set()
    return own.union(*map(_children, own))


def processor_times(floor: LiveFloor) -> dict[str, float]:
    """Return the processor seconds of each process of a floor, the broker, the browser and the clients.

    `all` is what the machine has spent altogether.
    """
    named = {name: process.pid for name, process in floor.running.items()}
    named["broker"] = int((floor.broker.folder / "running").read_text("ascii").split()[0])
    others = _children(os.getpid()) - {each for pid in named.values() for each in (pid, *_children(pid))}
    figures = (Path("/proc/stat").read_text("ascii").partition("\n")[0]).split()
    return {name: _busy(pid) + sum(map(_busy, _children(pid))) for name, pid in named.items()} | {
        "browser": sum(map(_busy, others)),
        "clients": _busy(os.getpid()),
        "all": sum(map(int, (*figures[1:4], *figures[6:9]))) / _TICK,
    }


@contextmanager
def streams_open(console: str, sessions: Sequence[Mapping[str, str]], count: int) -> Iterator[Heard]:
    """Open a number of streams, each with its own connection that only reads which alerts are sent.

    `sessions` are the cookies of each session, which have the streams by turns: a session may have few. The
    streams share the processors with what is measured, so they do little.
    """
    heard = Heard()
    loop = asyncio.new_event_loop()
    listening: list[asyncio.Task[None]] = []
    where = urlsplit(console)

    async def listen(cookies: Mapping[str, str]) -> None:
        told = "; ".join(f"{name}={value}" for name, value in cookies.items())
        asked = f"GET /stream HTTP/1.1\r\nHost: {where.netloc}\r\nCookie: {told}\r\n\r\n".encode()
        reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=_READ)
        try:
            writer.write(asked)
            if b" 200 " not in await reader.readline():
                raise AssertionError("the console gave no stream")
            text, mine = b"", set[str]()
            while came := await reader.read(_READ):
                now, text, end = time.time(), text + came, 0
                for found in _ALERT.finditer(text):
                    named, end = found[1].decode(), found.end()
                    if named not in mine:
                        mine.add(named)
                        heard.first.setdefault(named, now)
                        heard.all[named] = now
                        heard.told[named] = heard.told.get(named, 0) + 1
                text = text[end:][-_HEAD:]
        finally:
            writer.close()
        heard.broken += 1

    async def all_of_them() -> None:
        listening.extend(asyncio.create_task(listen(sessions[n % len(sessions)])) for n in range(count))
        ended = await asyncio.gather(*listening, return_exceptions=True)
        heard.broken += sum(isinstance(each, OSError | AssertionError) for each in ended)

    thread = threading.Thread(target=lambda: loop.run_until_complete(all_of_them()), daemon=True)
    thread.start()
    try:
        yield heard
    finally:
        for each in listening:
            loop.call_soon_threadsafe(each.cancel)
        thread.join()
        loop.close()


def row_times(pages: list[Page]) -> dict[str, float]:
    """Return when each row appeared in the browser, seconds UTC."""
    found: dict[str, float] = {}
    for page in pages:
        seen: dict[str, Any] = page.evaluate("window.seen")
        found |= {alert: at / 1000 for alert, at in seen.items()}
    return found


def quantiles(times: list[float]) -> str:
    """Return the count, p50, p99 and maximum as text, in milliseconds."""
    times = sorted(times)
    if not times:
        return "none"
    p50, p99 = times[len(times) // 2], times[min(len(times) - 1, len(times) * 99 // 100)]
    return (
        f"{len(times):,}: p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, longest {times[-1] * 1000:.0f} ms"
    )


@click.command()
@click.option("--tables", default=100, show_default=True)
@click.option("--speed", default=10.0, show_default=True, help="So many times as fast as real.")
@click.option("--minutes", default=_MINUTES, show_default=True, help="So long, by the clock on the wall.")
@click.option("--clients", default=50, show_default=True, help="So many streams beside the browser.")
@click.option("--faults", "oftener", default=OFTENER, show_default=True, help="So many times as often.")
def main(tables: int, speed: float, minutes: float, clients: int, oftener: float) -> None:
    """Measure, and print the figures."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-console-")))
        often = folder / "faults.yaml"
        rates = {kind: min(1.0, each.rate * oftener) for kind, each in faults.DEALERS.items()}
        often.write_text(yaml.safe_dump({"dealers": rates}))
        floor = stack.enter_context(LiveFloor(folder / "live"))
        hours = minutes * speed / 60
        floor.play(tables=tables, hours=hours, seed="console", speed=speed, sensors=False, rates=often)
        floor.start("gateway", "worker-1", "serve", "archive")
        floor.wait("the console", floor.answers)
        add_account(floor.store)
        client = log_in(stack.enter_context(httpx.Client(base_url=floor.console)))
        others = [
            log_in(stack.enter_context(httpx.Client(base_url=floor.console)))
            for _ in range(clients // USUAL.streams_of_session)
        ]
        sessions = [dict(each.cookies) for each in (*others, client)]
        heard = stack.enter_context(streams_open(floor.console, sessions, clients))
        chromium = stack.enter_context(sync_playwright()).chromium
        browser = stack.enter_context(chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]))
        context = browser.new_context(viewport={"width": 1366, "height": 768})
        context.add_cookies(
            [{"name": n, "value": v, "url": floor.console} for n, v in client.cookies.items()]
        )
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto(f"{floor.console}/?queue=act_now&every=true")
        there = set(row_times([page]))
        began, memory, before = time.monotonic(), list[float](), processor_times(floor)
        # The count of the boxes goes on for hours after the tables' play, and brings no alert.
        while time.monotonic() - began < minutes * 60 + _CLOSING:
            page.wait_for_timeout(1000)
            memory.append(resident(floor.running["serve"].pid))
        took = {name: at - before.get(name, 0.0) for name, at in processor_times(floor).items()}
        beside = took.pop("all") - sum(took.values())
        machine = Machine(time.monotonic() - began, memory, took, beside)
        floor.kill("devices")
        floor.wait("everything in the store", floor.drained)
        rows = {alert: at for alert, at in row_times([page]).items() if alert not in there}
        received: dict[str, float] = {}
        judged: dict[str, float] = {}
        for result in map(read_result, records(floor.broker.address, topics.ROUNDS)):
            for finding in result.conclusion.findings:
                if finding.id not in received:  # by what raised it
                    received[finding.id] = result.received / _SECOND
                    judged[finding.id] = result.judged / _SECOND
        console = Console(highlight=False, soft_wrap=True)
        erring = f"faults {oftener:g} times as often as usual"
        console.print(f"{tables} tables, {speed:g} times as fast as real, {minutes:g} minutes, {erring}")
        for says, times in (
            ("its conclusion", {alert: judged[alert] for alert in heard.first if alert in judged}),
            ("the first stream", heard.first),
            (f"the last of {clients} streams", heard.all),
            ("the row in the browser", rows),
        ):
            console.print(f"from receipt to {says}: {quantiles(_since(times, received))}")
        whole = sum(count == clients for count in heard.told.values())
        console.print(f"alerts told to all streams: {whole:,} of {len(heard.told):,}; broken: {heard.broken}")
        _print(console, machine)
    if not rows or heard.broken:
        sys.exit(1)


def _print(console: Console, machine: Machine) -> None:
    held = machine.memory
    begin, middle, end = held[0], held[len(held) // 2], held[-1]
    console.print(f"serve holds {begin:.0f} MB at first, {middle:.0f} in the middle, {end:.0f} at the end")
    for name, took in (*machine.took.items(), ("what is no part of it", machine.beside)):
        console.print(f"{name}: {took / machine.seconds:.0%} of a processor")


def _since(times: Mapping[str, float], received: Mapping[str, float]) -> list[float]:
    return [at - received[alert] for alert, at in times.items() if alert in received]


if __name__ == "__main__":
    main()
