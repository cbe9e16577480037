"""A week of a whole floor: are its sums the same everywhere? Run it with `make bench-week`.

It ends with an error if a row, a page, a call script, a dispute or a nightly report has another sum than the
audit. docs/console.md has what came of it.
"""

import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Final

import click

from schemas.values import dollars
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.compared_sums import compare

_MOST: Final = 20  # differences that are printed


def main() -> int:
    """Play the week, audit it, and compare."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=14)
    parser.add_argument("--hours", type=float, default=4)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--seed", default="week")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--disputes", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        floor, rates = Path(folder) / "floor", faults.rates(sensors=True)
        simulate(
            floor,
            tables=options.tables,
            hours=options.hours,
            days=options.days,
            seed=options.seed,
            rates=rates,
            mixed=True,
        )
        found = compare(floor, Path(folder), pages=options.pages, disputes=options.disputes)
    owed, overpaid = found.sides
    click.echo(f"{found.rounds:,} rounds of {len(found.games)} games, {found.wrong_rounds:,} with a finding")
    click.echo(f"owed to patrons {dollars(owed)}, overpaid {dollars(overpaid)}")
    click.echo(
        f"compared: {found.rows:,} rows and scripts, {found.pages:,} pages, {found.disputes:,} disputes, "
        f"{found.table_days:,} days of tables"
    )
    click.echo(f"{len(found.differences):,} differences")
    for each in found.differences[:_MOST]:
        click.echo(f"  {each}")
    return 1 if found.differences else 0


if __name__ == "__main__":
    sys.exit(main())
