"""`discardrack simulate`: play a floor with labelled faults."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from math import isnan
from pathlib import Path
from zoneinfo import ZoneInfo

import click
from rich.console import Console
from rich.progress import Progress

from replay.cli.options import address
from replay.serving.realistic_rates import realistic_rates
from schemas.errors import BadInput
from streams.simulator import faults
from streams.simulator.floor import local
from streams.simulator.live import Player, Timed, lines, play_floor
from streams.simulator.plan import ZONE
from streams.simulator.simulate import START, Later, Outline, lay_out, write_floor


@click.command()
@click.option("--tables", type=click.IntRange(min=1), required=True, help="How many tables.")
@click.option(
    "--hours", type=click.FloatRange(min=0, min_open=True, max=8760), required=True, help="How long."
)
@click.option(
    "--days",
    default=1,
    type=click.IntRange(1, 366),
    show_default=True,
    help="So long on each of so many days.",
)
@click.option("--seed", default="1", show_default=True, help="Any word; the same one gives the same bytes.")
@click.option("--mix", is_flag=True, help="Play every game, table by table in turn.")
@click.option("--procedures", is_flag=True, help="Report the floor's procedures too; docs/procedures.md.")
@click.option(
    "--dice-way",
    type=click.IntRange(1, 3),
    default=1,
    show_default=True,
    help="With --procedures: which way of 603a.13(f) dice come to the table.",
)
@click.option(
    "--faults",
    "faults_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Rates by kind of fault, YAML; see docs/faults.md.",
)
@click.option("--sensor-faults", is_flag=True, help="Let devices fail too, at their default rates.")
@click.option(
    "--realistic-from",
    metavar="DAY",
    type=click.IntRange(min=1),
    help="From this gaming day on (1: the first) dealers err as rarely as real ones may; docs/faults.md.",
)
@click.option("--start", help="When play begins, ISO 8601 or now; 2025-03-01T06:00 in New York unless told.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A new or empty folder.")
@click.option("--live", help="HOST:PORT of a gateway to play into, as devices would; no events are written.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0),
    help="With --live: so many times faster, 0 as fast as it goes; 1.",
)
def simulate(
    tables: int,
    hours: float,
    days: int,
    seed: str,
    faults_file: Path | None,
    realistic_from: int | None,
    start: str | None,
    out: Path,
    live: str | None,
    speed: float | None,
    *,
    dice_way: int,
    mix: bool,
    procedures: bool,
    sensor_faults: bool,
) -> None:
    """Play a floor of tables with labelled faults into an event archive, or into a gateway.

    Writes events/<table>.jsonl, events/<ledger>.jsonl (cage, count_room, counter_checks, coupons), house.yaml
    and labels.jsonl (what was injected where) into the folder. On several --days the tables open at the same
    hour each day; play ends ninety minutes before a gaming day does, for the count of the boxes. With
    --live the events go to the gateway instead, and none is lost while it is away.

    \b
    Example:
      discardrack simulate --tables 20 --hours 8 --seed 7 --mix --out floor/
      discardrack audit floor/
      discardrack simulate --tables 5 --hours 8 --days 2 --realistic-from 2 --out two/
      discardrack simulate --tables 5 --hours 1 --start now --out live/ --live 127.0.0.1:7070 --speed 10
    """  # noqa: D301  click's mark for text that is not wrapped
    if speed is not None and isnan(speed):
        raise BadInput("--speed nan: say how many times as fast as real, 0 for as fast as can be")
    if speed is not None and live is None:
        raise BadInput("--speed goes with --live: an archive is written as fast as it can be")
    gateway = address(live, "--live") if live is not None else None
    outline = lay_out(
        out,
        tables=tables,
        hours=hours,
        seed=seed,
        rates=faults.rates(faults_file, sensors=sensor_faults),
        start=_moment(start) if start is not None else START,
        days=days,
        mixed=mix,
        procedures=procedures,
        dice_way=dice_way,
        later=Later(realistic_from, realistic_rates(sensors=sensor_faults)) if realistic_from else None,
    )
    if gateway is not None:
        _live(out, outline, gateway, 1 if speed is None else speed)
        return
    with _progress("playing", tables) as advance:
        played = write_floor(out, outline, lambda name: advance(1, f"played {name}"))
    click.echo(
        f"{out}: {played.tables} tables, {played.rounds} rounds, "
        f"{played.events} events, {played.labels} labels"
    )


def _live(out: Path, outline: Outline, gateway: tuple[str, int], speed: float) -> None:
    with _progress("playing", len(outline.plans)) as advance:
        played = play_floor(out, outline, lambda name: advance(1, f"played {name}"))
    events = sum(len(arrivals) for arrivals in played.arrivals.values())
    with _progress("sending", events) as advance:
        player = Player(
            _counted(lines(played.arrivals), advance), speed, lambda message: click.echo(message, err=True)
        )
        asyncio.run(player.play(*gateway))
    click.echo(
        f"{out}: {played.tables} tables, {played.rounds} rounds, "
        f"{player.answered} events sent, {played.labels} labels"
    )


def _counted(lines: Iterator[Timed], advance: Callable[[int, str], None]) -> Iterator[Timed]:
    for line in lines:
        yield line
        advance(1, f"sent up to {datetime.fromtimestamp(line.at / 1_000_000, UTC):%H:%M:%S} UTC")


@contextmanager
def _progress(message: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """Show the progress of long work on a terminal; yield the function that reports a step."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(message, total=total)
        yield lambda steps, now: progress.update(task, advance=steps, description=now)


def _moment(text: str) -> datetime:
    if text == "now":
        return datetime.now(ZoneInfo(ZONE))
    try:
        return local(datetime.fromisoformat(text))
    except ValueError:
        raise BadInput(f"--start {text}: not ISO 8601, such as 2025-03-01T06:00") from None
