"""A rehearsal of trouble: a floor plays live while something happens to it, and must say the truth after it.

The truth is what the embedded audit says of the same simulated floor: store and archive must equal it byte
for byte, and each frame must stand in Kafka once.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import click
from msgspec import Struct
from rich.console import Console

from streams.broker import LocalBroker
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.live_floor import LiveFloor

PROCESSES: Final = ("gateway", "worker-1", "serve", "archive")

Say: TypeAlias = Callable[[str], None]
Run: TypeAlias = Callable[[Path, float, str, Console], bool]


class Play(Struct, frozen=True):
    """What a mixed floor plays: so many tables for so many hours of theirs, `speed` times as fast as real."""

    tables: int
    hours: float
    seed: str
    speed: float


def rehearse(
    folder: Path,
    console: Console,
    play: Play,
    happens: Callable[[LiveFloor, Say], None],
    patience: float,
    *,
    broker: LocalBroker | None = None,
) -> bool:
    """Run an incident on a floor that plays; return whether the result is the embedded audit.

    `happens` says what it does; the devices may then take as many seconds as there is `patience`. The floor
    has a broker of its own where none is given.

    Raises:
        Failed: a process ended by itself, or not everything came through.
    """
    expected = folder / "expected"
    rates = faults.rates(sensors=True)
    played = simulate(expected, tables=play.tables, hours=play.hours, seed=play.seed, rates=rates, mixed=True)
    console.print(
        f"{played.tables} tables, {played.rounds:,} rounds, {played.events:,} events; seed {play.seed}"
    )
    with LiveFloor(folder, broker=broker) as floor:
        floor.play(tables=play.tables, hours=play.hours, seed=play.seed, speed=play.speed, mixed=True)
        floor.start(*PROCESSES)
        begun = time.monotonic()

        def say(what: str) -> None:
            console.print(f"{time.monotonic() - begun:7.1f} s  {what}")

        happens(floor, say)
        floor.wait("the devices' last report", floor.played, patience)
        floor.wait("everything in the store", floor.drained)
        say("everything has come through, lag 0")
        floor.stop(*PROCESSES)
        return floor.compare(expected, console)


def command(run: Run, lasts: str, at_least: float) -> click.Command:
    """Make a rehearsal's command; `lasts` says what its seconds are. It exits 1 where the truth was lost."""

    @click.command(help=run.__doc__)
    @click.option("--seconds", type=click.FloatRange(min=at_least), default=120.0, help=lasts)
    @click.option("--seed", default="1", help="Any word; the same one gives the same rehearsal.")
    @click.option("--keep", type=click.Path(path_type=Path), help="Keep everything in this folder.")
    def rehearsal(seconds: float, seed: str, keep: Path | None) -> None:
        with tempfile.TemporaryDirectory() as made:
            console = Console(highlight=False, soft_wrap=True)
            sys.exit(0 if run(keep or Path(made), seconds, seed, console) else 1)

    return rehearsal
