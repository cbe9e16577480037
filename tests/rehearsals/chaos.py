"""`make chaos SECONDS=120 SEED=1`: a live floor whose processes are killed at random, and what it says then.

Gateway, worker, projector, archiver and broker are killed with -9 three times each at moments drawn from the
seed, and a second worker comes and goes. At the end the store and the audit of the archive must equal the
embedded audit of the same simulated floor byte for byte, and no frame may stand in Kafka twice.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from msgspec import Struct
from rich.console import Console

from streams.broker import LocalBroker
from tests.builders.live_floor import LiveFloor
from tests.rehearsals.rehearsal import PROCESSES, Play, Say, command, rehearse

TABLES: Final = 12
SPEED: Final = 120.0  # times as fast as real
KILLS: Final = 3
VICTIMS: Final = (*PROCESSES, "broker")


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


def run(
    folder: Path,
    seconds: float,
    seed: str,
    console: Console,
    *,
    tables: int = TABLES,
    broker: LocalBroker | None = None,
) -> bool:
    """Kill a live floor's processes and see whether it still says the truth.

    A `broker` that is given runs, and has its topics and nothing in them.
    """

    def happens(floor: LiveFloor, say: Say) -> None:
        does: dict[str, Callable[[str], None]] = {
            "kill": floor.kill,
            "start": floor.start,
            "stop": partial(floor.stop, hardly_begun=True),
        }
        begun = time.monotonic()
        for deed in plan(seed, seconds):
            floor.rest(begun + deed.at - time.monotonic())
            say(f"{deed.does} {deed.name}")
            does[deed.does](deed.name)

    play = Play(tables, seconds * SPEED / 3600, seed, SPEED)
    patience = 120 + 2 * seconds  # a machine may be busy
    return rehearse(folder, console, play, happens, patience, broker=broker)


if __name__ == "__main__":
    command(run, "How long the floor plays.", at_least=10)()
