"""How long a conclusion takes from the gateway to the store, by stage, with all processes on this machine.

Used by `make bench`.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import yaml
from msgspec import Struct

from streams.simulator import faults
from tests.builders.live_floor import LiveFloor

STAGES: Final = (
    ("kafka", "gateway", "acknowledged by Kafka"),
    ("judged", "worker-1", "judged by the worker"),
    ("stored", "serve", "stored by the projector"),
)
_LAST_ROUNDS: Final = 300.0  # seconds of the floor


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
    """Play a floor through all processes; return how long each stage took."""
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
        # A floor plays its last rounds to their end; its boxes are counted for hours after that.
        floor.rest(load.seconds + _LAST_ROUNDS / load.speed)
        floor.kill("devices")
        floor.wait("everything in the store", floor.drained)
        return [_quantiles(says, floor.histogram(process, stage)) for stage, process, says in STAGES]


def written(measured: Iterable[tuple[Load, list[Delay]]]) -> list[str]:
    """Write the page's lines about delays."""
    lines = [
        "",
        "How long after the gateway's receipt of the last event that a conclusion waited for; all processes",
        "and the broker on this machine. What an open page takes is measured by `make bench-console`.",
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


def _quantiles(stage: str, buckets: Mapping[float, float]) -> Delay:
    """Read quantiles from cumulative buckets as Prometheus does, straight between two bounds."""
    total = buckets[float("inf")]
    return Delay(stage, round(total), _quantile(buckets, total * 0.5), _quantile(buckets, total * 0.99))


def _quantile(buckets: Mapping[float, float], rank: float) -> float:
    for (low, below), (high, upto) in pairwise([(0.0, 0.0), *sorted(buckets.items())]):
        if upto >= rank:
            return low + (high - low) * (rank - below) / (upto - below)
    raise AssertionError(f"{rank} beyond {buckets}")
