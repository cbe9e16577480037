"""`make rebalances TRIES=100 SEED=1`: workers join, leave, freeze and thaw while they recover a backlog.

Each try begins with a broker that holds half the frames of a simulated floor; the others come evenly. Two
or three workers, the store and the archive are started on it. Workers end in order, are killed, or are frozen
and thawed, at moments drawn from the seed. A worker that ends because it made no progress is started again,
as its supervisor would. At the end store, archive and Kafka must equal the embedded audit byte for byte.
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from threading import Thread
from typing import Final

import click
from msgspec import Struct
from rich.console import Console

from projections.engine.conclusion import Conclusion, canonical, id_of
from streams import log, topics
from streams.broker import LocalBroker
from streams.messages import Result, read_result
from streams.simulator import faults
from streams.simulator.simulate import simulate
from streams.topic_setup import create_topics
from tests.bench.worker import in_turn, produce
from tests.builders.live_floor import WORKERS, LiveFloor, audit_again, audit_so_far, records
from tests.builders.processes import Failed
from tests.integration.conftest import free_port

TABLES: Final = 12
HOURS: Final = 4.0
_LASTS: Final = 30.0  # seconds in which workers come and go
_SESSION: Final = 10.0  # seconds after which Kafka takes a worker that is silent for gone


class Deed(Struct, frozen=True, order=True):
    """Something done to a worker, so many seconds after the first one's start."""

    at: float
    does: str
    name: str


class Backlog(Struct, frozen=True):
    """A floor's frames in two halves, its house file, and what all come to."""

    house: Path
    first: Sequence[tuple[str, bytes]]
    rest: Sequence[tuple[str, bytes]]
    so_far: bytes
    ended: bytes


def plan(seed: str) -> list[Deed]:
    """Draw what happens to two or three workers in a try.

    The others join while the first recovers. Then workers leave, are killed or are frozen, for less or for
    more than Kafka waits for them, and come back. At the end all of them run.

    >>> plan("1") == plan("1") != plan("2")
    True
    """
    rng = Random(seed)  # noqa: S311  to be repeated, not to be secret
    names = WORKERS[: rng.choice((2, 3))]
    deeds = [Deed(rng.uniform(0, 6), "start", name) for name in names[1:]]
    # From when on something can be done to a worker: it takes a few seconds to start.
    free = {names[0]: 3.0} | {deed.name: deed.at + 3 for deed in deeds}
    for _ in range(rng.randint(2, 4)):
        name = rng.choice(names)
        at = free[name] + rng.uniform(0, 6)
        does, back = rng.choice([("leave", "start"), ("kill", "start"), *2 * [("freeze", "thaw")]])
        lasts = rng.uniform(0.2, 4) if rng.random() < 0.6 else rng.uniform(_SESSION - 1, _SESSION + 5)
        if at + lasts > _LASTS:
            continue
        deeds += [Deed(at, does, name), Deed(at + lasts, back, name)]
        free[name] = at + lasts + rng.uniform(0, 3)
    return sorted(deeds)


def prepare(folder: Path, seed: str, *, tables: int = TABLES, hours: float = HOURS) -> Backlog:
    """Simulate a mixed floor, and judge it by the embedded audit."""
    played = folder / "played"
    simulate(played, tables=tables, hours=hours, seed=seed, rates=faults.rates(sensors=True), mixed=True)
    payloads = {each.name: [each.payload.rstrip() for each in each.records()] for each in log.logs(played)}
    frames = list(in_turn(payloads))
    half = len(frames) // 2
    house = played / log.HOUSE
    return Backlog(
        house, frames[:half], frames[half:], audit_so_far(played, house), audit_again(played, house)
    )


def attempt(
    backlog: Backlog,
    folder: Path,
    broker: LocalBroker,
    seed: str,
    console: Console,
    *,
    progress: float = 240,
    lasts: float = _LASTS,
) -> bool:
    """Run workers that come and go over a backlog; return whether the result is the embedded audit.

    `broker` runs and has the first half of the frames, and nothing else.
    `progress` is how many seconds all of it may take to be applied after the last deed, `lasts` in how many
    the frames that were not there come.

    Raises:
        Failed: a process ended otherwise than by its watch, or not everything was applied.
    """
    begun = time.monotonic()
    with LiveFloor(folder, broker=broker) as floor:
        floor.house.parent.mkdir()
        shutil.copy(backlog.house, floor.house)
        floor.start("worker-1", "serve", "archive")
        since = time.monotonic()
        does: dict[str, Callable[[str], None]] = {
            "start": floor.start,
            "leave": partial(floor.stop, hardly_begun=True),
            "kill": floor.kill,
            "freeze": floor.freeze,
            "thaw": floor.thaw,
        }
        sends = Thread(target=produce, args=(broker.address, backlog.rest, lasts))
        sends.start()
        for deed in plan(seed):
            floor.rest(since + deed.at - time.monotonic())
            does[deed.does](deed.name)
        sends.join()
        floor.wait("everything applied", floor.applied, progress)
        applied = time.monotonic() - since
        floor.wait("everything in store and archive", floor.drained)
        restarts = floor.restarts
        floor.stop(*floor.running)
        answers = {
            "store": floor.in_store() == backlog.so_far,
            "archive": floor.in_archive() == backlog.ended,
            "Kafka": in_kafka(broker.address) == backlog.so_far,
            "each frame once": floor.frames_once(),
        }
    wrong = [what for what, equal in answers.items() if not equal]
    deeds = ", ".join(f"{deed.at:.1f} {deed.does} {deed.name[-1]}" for deed in plan(seed))
    console.print(
        f"{seed}: {'NOT EQUAL: ' + ', '.join(wrong) if wrong else 'equal'}; applied after {applied:.1f} s, "
        f"{restarts} restarts, {time.monotonic() - begun:.0f} s; {deeds}"
    )
    return not wrong


def lay(backlog: Backlog, broker: LocalBroker) -> None:
    """Write the first half of the frames into a broker without topics, and stop it."""
    broker.start()
    try:
        create_topics(broker.address)
        produce(broker.address, backlog.first)
    finally:
        broker.stop()


@contextmanager
def copied(laid: LocalBroker, folder: Path) -> Iterator[LocalBroker]:
    """Start a broker on a copy of what a stopped one has, and kill it in the end."""
    broker = LocalBroker(folder, free_port())
    shutil.copytree(laid.folder / "data", folder / "data")
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


def in_kafka(broker: str) -> bytes:
    """Return the last revision of each conclusion in floor.rounds, in its canonical form."""
    latest: dict[str, Result] = {}
    for result in map(read_result, records(broker, topics.ROUNDS)):
        name = id_of(result.conclusion)
        if name not in latest or latest[name].revision <= result.revision:
            latest[name] = result
    conclusions: Iterator[Conclusion] = (each.conclusion for each in latest.values())
    return canonical(conclusions)


@click.command(help=__doc__)
@click.option("--tries", type=click.IntRange(min=1), default=100, help="How many.")
@click.option("--seed", default="1", help="Any word; the same one draws the same deeds.")
@click.option("--hours", type=click.FloatRange(min=0.1), default=HOURS, help="How long the floor played.")
@click.option("--first", type=click.IntRange(min=1), default=1, help="Begin with this one.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep the folders of those that fail here.")
def rebalances(tries: int, seed: str, hours: float, first: int, keep: Path | None) -> None:
    """Try again and again; exit with 1 where one try was not the embedded audit."""
    console = Console(highlight=False, soft_wrap=True)
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as made:
        backlog = prepare(Path(made), seed, hours=hours)
        laid = LocalBroker(Path(made) / "kafka", free_port())
        lay(backlog, laid)
        lines = backlog.so_far.count(b"\n")
        console.print(f"{2 * len(backlog.rest):,} frames, {lines:,} rounds and shoes; seed {seed}")
        for n in range(first, first + tries):
            name = f"{seed}-{n}"
            folder = (keep or Path(made)) / name
            try:
                with copied(laid, folder / "kafka") as broker:
                    equal = attempt(backlog, folder, broker, name, console)
            except Failed as error:
                console.print(f"{name}: {error}")
                equal = False
            if keep:
                shutil.copytree(folder / "log", keep / "log" / name)
            if equal:
                shutil.rmtree(folder)
            else:
                failed.append(name)
    console.print(
        f"{tries - len(failed)} of {tries} equal the embedded audit; {' '.join(failed) or 'none'} not"
    )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    rebalances()
