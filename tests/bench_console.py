"""How long an alert takes from the gateway to a row of an open page, and how much memory serve holds.

`make bench-console` measures it.

A simulated floor plays through every process on a real broker. Beside one browser that shows the queue, many
streams are open, as in a room full of screens. The clock of an alert begins at the gateway's receipt of the
frame whose arrival brought the conclusion, so what the audit waits for by design is not in it.
"""

import asyncio
import contextlib
import json
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click
import httpx
import yaml
from msgspec import Struct, field
from playwright.sync_api import Page, sync_playwright
from rich.console import Console

from streams import topics
from streams.messages import read_result
from streams.simulator import faults
from tests.consoles import account, enter
from tests.live_floor import LiveFloor, records

CHROMIUM: Final = "/usr/bin/chromium"
OFTENER: Final = 5.0  # faults, so many times as often as usual: a percentile needs alerts enough
_MINUTES: Final = 6.0
_CLOSING: Final = 20.0  # seconds in which the tables play their last rounds to their end
_SILENCE: Final = 60.0  # seconds; a stream says that it is still there more often

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
    """What the streams told of alerts: when the first of them named each, and how many streams did."""

    first: dict[str, float] = field(default_factory=dict)
    all: dict[str, float] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    broken: int = 0


class Memory(Struct):
    """What serve holds, in megabytes of resident memory, by the seconds since the play began."""

    at: list[tuple[float, float]] = field(default_factory=list)


def resident(process: int) -> float:
    """Ask the system how many megabytes a process holds."""
    for line in Path(f"/proc/{process}/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(f"process {process} is not there")


@contextmanager
def streams_open(console: str, cookies: Mapping[str, str], count: int) -> Iterator[Heard]:
    """Keep so many streams open, each a client of its own."""
    heard = Heard()
    loop = asyncio.new_event_loop()
    listening: list[asyncio.Task[None]] = []

    async def listen() -> None:
        async with (
            httpx.AsyncClient(base_url=console, cookies=dict(cookies), timeout=_SILENCE) as client,
            client.stream("GET", "/stream") as stream,
        ):
            event = ""
            async for line in stream.aiter_lines():
                if line.startswith("event:"):
                    event = line.partition(":")[2].strip()
                elif event == "alert" and line.startswith("data:"):
                    named = json.loads(line.partition(":")[2])["id"]
                    now = time.time()
                    heard.first.setdefault(named, now)
                    heard.all[named] = now
                    heard.told[named] = heard.told.get(named, 0) + 1
        heard.broken += 1

    async def all_of_them() -> None:
        listening.extend(asyncio.create_task(listen()) for _ in range(count))
        ended = await asyncio.gather(*listening, return_exceptions=True)
        heard.broken += sum(isinstance(each, httpx.HTTPError) for each in ended)

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
    """Ask the browser when each row came to be there, seconds UTC."""
    found: dict[str, float] = {}
    for page in pages:
        seen: dict[str, Any] = page.evaluate("window.seen")
        found |= {alert: at / 1000 for alert, at in seen.items()}
    return found


def quantiles(times: list[float]) -> str:
    """Say how many there are, their p50, p99 and longest, in milliseconds."""
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
def main(tables: int, speed: float, minutes: float, clients: int) -> None:
    """Measure, and print the figures."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-console-")))
        often = folder / "faults.yaml"
        rates = {kind: min(1.0, each.rate * OFTENER) for kind, each in faults.DEALERS.items()}
        often.write_text(yaml.safe_dump({"dealers": rates}))
        floor = stack.enter_context(LiveFloor(folder / "live"))
        floor.start("gateway")
        hours = minutes * speed / 60
        floor.play(tables=tables, hours=hours, seed="console", speed=speed, sensors=False, rates=often)
        floor.start("worker-1", "serve", "archive")
        floor.wait("the console", floor.answers)
        account(floor.store)
        client = enter(stack.enter_context(httpx.Client(base_url=floor.console)))
        heard = stack.enter_context(streams_open(floor.console, dict(client.cookies), clients))
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
        began, memory = time.monotonic(), Memory()
        # The count of the boxes goes on for hours after the tables' play, and brings no alert.
        while (since := time.monotonic() - began) < minutes * 60 + _CLOSING:
            page.wait_for_timeout(1000)
            memory.at.append((since, resident(floor.running["serve"].pid)))
        floor.kill("devices")
        floor.wait("everything in the store", floor.drained)
        rows = {alert: at for alert, at in row_times([page]).items() if alert not in there}
        received: dict[str, float] = {}
        for result in map(read_result, records(floor.broker.address, topics.ROUNDS)):
            for finding in result.conclusion.findings:
                received.setdefault(finding.id, result.received / 1_000_000)  # by what raised it
        _print(rows, heard, received, memory, clients)


def _print(
    rows: Mapping[str, float], heard: Heard, received: Mapping[str, float], memory: Memory, clients: int
) -> None:
    console = Console(highlight=False)
    console.print(f"from receipt to the row in the browser: {quantiles(_since(rows, received))}")
    console.print(f"from receipt to the first stream: {quantiles(_since(heard.first, received))}")
    console.print(f"from receipt to the last of {clients} streams: {quantiles(_since(heard.all, received))}")
    whole = sum(count == clients for count in heard.told.values())
    console.print(
        f"alerts told to all streams: {whole:,} of {len(heard.told):,}; streams broken: {heard.broken}"
    )
    megabytes = [each for _, each in memory.at]
    begin, middle, end = megabytes[0], megabytes[len(megabytes) // 2], megabytes[-1]
    console.print(f"serve holds {begin:.0f} MB at first, {middle:.0f} in the middle, {end:.0f} at the end")
    if not rows or heard.broken:
        sys.exit(1)


def _since(times: Mapping[str, float], received: Mapping[str, float]) -> list[float]:
    return [at - received[alert] for alert, at in times.items() if alert in received]


if __name__ == "__main__":
    main()
