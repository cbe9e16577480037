"""`discardrack archive`: keep what a live floor sends, exactly, and seal it day by day."""

import asyncio
import signal
from datetime import datetime
from pathlib import Path

import click
import structlog

from projections.audit import TableAudit
from replay.options import broker_option, metrics_option
from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import House
from streams import clock, telling
from streams.archive.archiver import alone, follow
from streams.archive.journal import Journal
from streams.archive.kept import days_of, is_archive
from streams.archive.sealing import over
from streams.archive.tending import keep_house, seal_days, take_snapshots


@click.command()
@broker_option("Kafka, where the floor's topics are; several addresses with commas.")
@click.option("--house", "house_file", required=True, help="House file: a name in schemas/houses or a path.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The archive's folder, or an empty one.",
)
@metrics_option()
@click.option("--seal", is_flag=True, help="Seal all days that are over and end; needs no broker.")
@click.option(
    "--day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="With --seal: this gaming day alone, even if it is not over.",
)
def archive(
    broker: str | None,
    house_file: str,
    out: Path,
    metrics_port: int | None,
    day: datetime | None,
    *,
    seal: bool,
) -> None:
    """Keep frames and quarantine of a live floor exactly, and seal each gaming day when it is over.

    Runs until it is told to stop; killed at any moment it goes on where it was. What the folder holds and
    how it is read stands in docs/archive.md; audit, hand, explain and export read it at any time.

    \b
    Example:
      discardrack archive --broker localhost:9092 --house my_house.yaml --out var/archive
      discardrack archive --seal --house my_house.yaml --out var/archive
    """  # noqa: D301  click's mark for text that is not wrapped
    if seal == (broker is not None):
        raise click.UsageError("say either --broker, to archive what it has, or --seal")
    if day is not None and not seal:
        raise click.UsageError("--day goes with --seal")
    house, text = houses.read(house_file, Path.cwd())  # once: what is kept is what was judged
    for table in house.tables:
        TableAudit(table, house)  # a table that cannot be audited is said at once, not on the first night
    if seal and not is_archive(out):
        raise BadInput(f"{out}: no archive, so there is nothing to seal")
    telling.log_as_json()
    with alone(out):
        keep_house(out, text, clock.now())
        if broker is None:
            _seal(out, house, day)
        else:
            telling.serve_metrics(metrics_port)
            asyncio.run(_follow(broker, out, house))


async def _follow(broker: str, out: Path, house: House) -> None:
    log = structlog.get_logger()
    stopping = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, stopping.set)
    log.info("archiver_started", broker=broker, archive=str(out))
    await follow(broker, out, house, stopping)
    log.info("archiver_stopped", archive=str(out))


def _seal(out: Path, house: House, day: datetime | None) -> None:
    now = clock.now()
    with Journal(out, writable=True) as journal:
        if day is None:
            days = over(journal, house, now)
        else:
            days = [each for each, _ in journal.days() if each == day.date()]
            if not days and day.date() not in days_of(out):
                raise BadInput(f"{out}: nothing of {day.date()} was kept")
        seal_days(journal, out, days, _never)
    take_snapshots(out, house, house.gaming_date(now), _never)


def _never() -> bool:
    return False
