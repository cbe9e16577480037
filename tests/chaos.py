"""`make chaos SECONDS=120 SEED=1`: a live floor whose processes are killed at random, and what it says then.

Gateway, worker, projector, archiver and broker are killed with -9 three times each at moments drawn from the
seed, and a second worker comes and goes. At the end the store and the audit of the archive must equal the
embedded audit of the same simulated floor byte for byte, and no frame may stand in Kafka twice.
"""

import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import click
from msgspec import Struct
from rich.console import Console

from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.live_floor import LiveFloor

TABLES: Final = 12
HOURS: Final = 4.0
KILLS: Final = 3
VICTIMS: Final = ("gateway", "worker-1", "serve", "archive", "broker")


class Deed(Struct, frozen=True, order=True):
    """Something that happens to a process, so many seconds after the beginning."""

    at: float
    does: str
    name: str


def plan(seed: str, seconds: float) -> list[Deed]:
    """Draw when which process is killed and comes back, and when the second worker comes and goes.

    A process is not killed again before it is back.
    """
    rng = Random(seed)  # noqa: S311  to be repeated, not to be secret
    deeds = []
    for name in VICTIMS:
        share = 0.9 * seconds / KILLS
        for n in range(KILLS):
            killed = 0.03 * seconds + share * (n + 0.6 * rng.random())
            deeds += [Deed(killed, "kill", name), Deed(killed + 0.3 * share * rng.random(), "start", name)]
    comes, goes = seconds * rng.uniform(0.2, 0.4), seconds * rng.uniform(0.6, 0.8)
    return sorted([*deeds, Deed(comes, "start", "worker-2"), Deed(goes, "stop", "worker-2")])


def run(folder: Path, seconds: float, seed: str, console: Console) -> bool:
    """Play a floor through the chaos; tell whether what came of it is what the embedded audit says."""
    expected = folder / "expected"
    rates = faults.rates(sensors=True)
    played = simulate(expected, tables=TABLES, hours=HOURS, seed=seed, rates=rates)
    console.print(f"{played.tables} tables, {played.rounds:,} rounds, {played.events:,} events; seed {seed}")
    with LiveFloor(folder) as floor:
        floor.start("gateway")
        floor.play(tables=TABLES, hours=HOURS, seed=seed, speed=HOURS * 3600 / seconds)
        floor.start("worker-1", "serve", "archive")
        begun = time.monotonic()
        does = {
            "kill": floor.kill,
            "start": floor.start,
            "stop": partial(floor.stop, hardly_begun=True),
        }
        for deed in plan(seed, seconds):
            floor.rest(begun + deed.at - time.monotonic())
            console.print(f"{time.monotonic() - begun:7.1f} s  {deed.does} {deed.name}")
            does[deed.does](deed.name)
        floor.wait("the devices' last report", floor.played, 2 * seconds)
        floor.wait("everything in the store", floor.drained)
        console.print(f"{time.monotonic() - begun:7.1f} s  everything has come through")
        floor.stop("gateway", "worker-1", "serve", "archive")
        return floor.compare(expected, console)


@click.command()
@click.option("--seconds", type=click.FloatRange(min=10), default=120.0, help="How long the floor plays.")
@click.option("--seed", default="1", help="Any word; the same one gives the same floor and the same kills.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep everything in this folder.")
def main(seconds: float, seed: str, keep: Path | None) -> None:
    """Kill a live floor's processes and see whether it still says the truth."""
    console = Console(highlight=False, soft_wrap=True)
    with tempfile.TemporaryDirectory() as made:
        sys.exit(0 if run(keep or Path(made), seconds, seed, console) else 1)


if __name__ == "__main__":
    main()
