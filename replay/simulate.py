"""`discardrack simulate`: play a floor with labelled faults."""

from datetime import datetime
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from schemas.errors import BadInput
from streams.simulator import faults
from streams.simulator.floor import local
from streams.simulator.simulate import START
from streams.simulator.simulate import simulate as simulate_floor


@click.command()
@click.option("--tables", type=click.IntRange(min=1), required=True, help="How many tables.")
@click.option(
    "--hours", type=click.FloatRange(min=0, min_open=True, max=8760), required=True, help="How long."
)
@click.option("--seed", default="1", show_default=True, help="Any word; the same one gives the same bytes.")
@click.option(
    "--faults",
    "faults_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Rates by kind of fault, YAML; see docs/faults.md.",
)
@click.option("--sensor-faults", is_flag=True, help="Let devices fail too, at their default rates.")
@click.option("--start", help="When play begins, ISO 8601; 2025-03-01T06:00 in New York unless told.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A new or empty folder.")
def simulate(
    tables: int,
    hours: float,
    seed: str,
    faults_file: Path | None,
    start: str | None,
    out: Path,
    *,
    sensor_faults: bool,
) -> None:
    """Play a floor of Chapter 631a tables with labelled faults into an event archive.

    Writes events/<table>.jsonl, house.yaml and labels.jsonl (what was injected where) into the folder.

    \b
    Example:
      discardrack simulate --tables 20 --hours 8 --seed 7 --out floor/
      discardrack audit floor/
    """  # noqa: D301  click's mark for text that is not wrapped
    rates = faults.rates(faults_file, sensors=sensor_faults)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("playing", total=tables)
        played = simulate_floor(
            out,
            tables=tables,
            hours=hours,
            seed=seed,
            rates=rates,
            start=_moment(start) if start is not None else START,
            progress=lambda name: progress.update(task, advance=1, description=f"played {name}"),
        )
    click.echo(
        f"{out}: {played.tables} tables, {played.rounds} rounds, "
        f"{played.events} events, {played.labels} labels"
    )


def _moment(text: str) -> datetime:
    try:
        return local(datetime.fromisoformat(text))
    except ValueError:
        raise BadInput(f"--start {text}: not ISO 8601, such as 2025-03-01T06:00") from None
