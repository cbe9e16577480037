"""What an audit finds of a simulated month with every fault: `python -m tests.bench.month DAYS [SEED ...]`.

Twenty tables of every game are played eight hours a day with their procedures, first on complete data, then
with devices that fail, and audited; what was injected is compared with what was found. `make bench-month`,
for docs/proofs.md.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import click

from replay.proofs.label_scoring import Score
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.simulated_tables import score_archive

TABLES: Final = 20
HOURS: Final = 8


def play_and_score(days: int, seed: str, rates: dict[str, float], dice_way: int = 1) -> Score:
    """Play the floor on so many days into a folder that does not stay, and score its audit."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "floor"
        simulate(
            out,
            tables=TABLES,
            hours=HOURS,
            days=days,
            seed=seed,
            rates=rates,
            mixed=True,
            procedures=True,
            dice_way=dice_way,
        )
        return score_archive(out)


def report(name: str, result: Score) -> None:
    """Print a row of figures, then each thing that does not agree."""
    injected, found = result.injected.total(), result.found.total()
    wrong = (result.missed, result.invented, result.inexact, result.wrongly_open, result.unnamed)
    cells = (result.verdicts.total(), len(result.injected), injected, found, *map(len, wrong))
    click.echo(f"| {name} | {' | '.join(f'{each:,}' for each in cells)} |")
    for what, each in zip(("missed", "invented", "inexact", "open", "unnamed"), wrong, strict=True):
        for claim in each:
            click.echo(f"    {what}: {claim}", err=True)


def main(days: int, seeds: list[str]) -> None:
    """Print for each seed the figures of the month on complete data and under sensors' faults.

    A row has the rounds, the kinds of fault, the faults, those found, then what was missed, invented, found
    otherwise than injected, left open without a cause, and left open without a reason. From seed to seed the
    house follows another of the ways of 603a.13(f).
    """
    for number, seed in enumerate(seeds):
        for name, sensors in (("complete", False), ("sensors fail", True)):
            began = time.monotonic()
            rates = faults.rates(sensors=sensors)
            report(f"{seed}, {name}", play_and_score(days, seed, rates, dice_way=number % 3 + 1))
            click.echo(f"    {time.monotonic() - began:,.0f} s", err=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
