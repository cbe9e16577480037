"""`make outage SECONDS=120`: Kafka away under ten times the load of a large property, and what it leaves.

A hundred tables play ten times as fast as real. After half a minute the broker is killed and stays away; when
it is back, the spool must drain, the lag go to zero, and store and archive equal the embedded audit.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.live_floor import LiveFloor

TABLES: Final = 100
SPEED: Final = 10.0
BEFORE: Final = 30.0  # seconds of play before Kafka goes, and after it is back
ON_THE_WAY: Final = 20  # frames in the spool while all is well: they are just being sent


def run(folder: Path, seconds: float, seed: str, console: Console) -> bool:
    """Play with Kafka away for so long; tell whether nothing was lost and nothing doubled."""
    hours = (seconds + 2 * BEFORE) * SPEED / 3600
    expected = folder / "expected"
    rates = faults.rates(sensors=True)
    played = simulate(expected, tables=TABLES, hours=hours, seed=seed, rates=rates)
    console.print(f"{played.tables} tables, {played.rounds:,} rounds, {played.events:,} events; seed {seed}")
    with LiveFloor(folder) as floor:
        floor.start("gateway")
        floor.play(tables=TABLES, hours=hours, seed=seed, speed=SPEED)
        floor.start("worker-1", "serve", "archive")
        begun = time.monotonic()

        def say(what: str) -> None:
            console.print(f"{time.monotonic() - begun:7.1f} s  {what}")

        floor.rest(BEFORE)
        floor.kill("broker")
        say("Kafka is gone")
        floor.rest(seconds)
        say(f"{floor.spooled():,.0f} frames wait in the spool")
        floor.start("broker")
        say("Kafka is back")
        floor.wait("an empty spool", lambda: floor.spooled() < ON_THE_WAY)
        say("the spool has drained")
        floor.wait("the devices' last report", floor.played, 4 * BEFORE)
        floor.wait("everything in the store", floor.drained)
        say("everything has come through, lag 0")
        floor.stop("gateway", "worker-1", "serve", "archive")
        return floor.compare(expected, console)


@click.command()
@click.option("--seconds", type=click.FloatRange(min=1), default=120.0, help="How long Kafka stays away.")
@click.option("--seed", default="1", help="Any word; the same one gives the same floor.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep everything in this folder.")
def main(seconds: float, seed: str, keep: Path | None) -> None:
    """Take Kafka away from a live floor and see whether anything is lost or doubled."""
    console = Console(highlight=False, soft_wrap=True)
    with tempfile.TemporaryDirectory() as made:
        sys.exit(0 if run(keep or Path(made), seconds, seed, console) else 1)


if __name__ == "__main__":
    main()
