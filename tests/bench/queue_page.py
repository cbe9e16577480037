"""A store with ten thousand open alerts: how long the queue's page takes, and how long the desk is held.

Run it with `make bench-queue`. It ends with an error where a page takes more than 100 ms of a processor, or
the desk is held for 30 ms.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import click
import httpx

from projections.casework.actions import Actor
from projections.casework.alerts.case_book import CaseBook
from projections.casework.cases.case_actions import TakeNext
from projections.casework.command_handler import CommandHandler
from projections.engine.conclusion import Conclusion
from projections.engine.observation import Round
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.bootstrap import OpenConsole, open_commands, wall_clock
from projections.web.live.broadcaster import LiveFloor
from schemas.house import House
from schemas.room_settings import RoomSettings
from tests.builders.alerts import DAY, PEOPLE, SECOND, build_conclusion, build_finding
from tests.builders.consoles import open_console

ALERTS: Final = 10_000
TABLES: Final = 100
PAGES: Final = 10
_PAGE, _HELD = 0.1, 0.030  # seconds that are allowed, of a processor and by the clock


def main() -> int:
    """Measure, print, and say by the exit code whether it is quick enough."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.duckdb"
        store = Store(path)
        now = wall_clock()
        run = Run("bench", datetime.now(UTC), "1.0", "made up")
        store.write(run, [entry(n, now) for n in range(ALERTS)])
        began = time.perf_counter()
        desk = open_commands(store, RoomSettings(), {}, now, live=True)
        opening = time.perf_counter() - began
        house = House(house="bench")
        opened = OpenConsole(path, store, house, LiveFloor(store.reading(), house.zone, "ok"), desk)
        with open_console(path, on=opened) as client:
            asked = ("/", "/?queue=this_shift", "/api/queue", "/floor")
            took = {name: pages(client, name, time.perf_counter) for name in asked}
            busy = {name: pages(client, name, time.process_time) for name in asked}
            at_desk = [held(desk) for _ in range(PAGES)]
            taken = [
                timed(partial(desk.act, TakeNext(id=f"{n:032x}"), _person(), wall_clock()))
                for n in range(PAGES)
            ]
    click.echo(f"{ALERTS:,} open alerts at {TABLES} tables; the desk opens in {opening:.2f} s")
    for name, seconds in took.items():
        click.echo(
            f"{name:22} median {statistics.median(seconds) * 1e3:6.0f} ms, most {max(seconds) * 1e3:6.0f} ms"
            f", of a processor {statistics.median(busy[name]) * 1e3:6.0f} ms"
        )
    click.echo(f"nobody else can act for {max(at_desk) * 1e3:.1f} ms while a page is made")
    click.echo(f"the next alert is given in {statistics.median(taken) * 1e3:.0f} ms")
    slow = statistics.median(busy["/"]) > _PAGE or max(at_desk) >= _HELD
    return 1 if slow else 0


def entry(number: int, now: int) -> tuple[Round, Conclusion, int]:
    """Make a round with an alert; half of them can still be put right."""
    table, cents = f"BAC-{number % TABLES:03}", 10_000 if number % 2 else 500
    name = str(number // TABLES)
    found = build_finding(
        f"{number:016x}", check=f"check_{number % 7}", net_cents=cents, bettor=f"P-{number}"
    )
    return (
        Round(table=table, number=name, day=DAY, at=now + number, dealer=f"D-{number % 40}"),
        build_conclusion(name, found, table=table),
        1,
    )


def pages(client: httpx.Client, name: str, clock: Callable[[], float]) -> list[float]:
    """Request a page again and again; return the seconds that each answer took by a clock."""
    return [timed(lambda: client.get(name).raise_for_status(), clock) for _ in range(PAGES)]


def held(desk: CommandHandler) -> float:
    """Return the seconds for which the lock is held while a page is made."""
    work = desk.book(CaseBook).cases
    return timed(lambda: (desk.alert_queue.snapshot(), work.snapshot(wall_clock())))


def timed(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds that something takes by a clock."""
    began = clock()
    work()
    return clock() - began


def _person() -> Actor:
    return Actor("ann", "supervisor", SECOND, PEOPLE)


if __name__ == "__main__":
    sys.exit(main())
