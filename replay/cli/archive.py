"""`discardrack archive`: keep what a live floor sends, exactly, and seal it day by day."""

import asyncio
import signal
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click
import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.cli.options import broker_option, gaming_day_option, metrics_option
from schemas.errors import BadInput
from schemas.house import House
from streams import house_reload, observability, processes
from streams.archive import keys
from streams.archive.archiver import exclusive_archive, follow, keep_house
from streams.archive.import_events import archive_of, finish, refuse_lacking
from streams.archive.record_names import is_archive
from streams.house_file import HouseFile


@click.command()
@broker_option("Kafka, where the floor's topics are; several addresses with commas.")
@click.option("--house", "house_name", required=True, help="House file: a name in schemas/houses or a path.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The archive's folder, or an empty one.",
)
@click.option(
    "--key",
    "key_file",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="DISCARDRACK_KEY",
    help="Key that closes sealed days, as discardrack key makes it; else DISCARDRACK_KEY names it.",
)
@metrics_option()
@click.option(
    "--from",
    "recorded",
    type=click.Path(exists=True, path_type=Path),
    help="Recorded events, such as a simulated floor, to make an archive of; needs no broker.",
)
@click.option("--seal", is_flag=True, help="Seal all days that are over and end; needs no broker.")
@gaming_day_option("With --seal: this gaming day alone, even if it is not over.")
def archive(
    broker: str | None,
    house_name: str,
    out: Path,
    key_file: Path | None,
    metrics_port: int | None,
    metrics_host: str,
    recorded: Path | None,
    day: datetime | None,
    *,
    seal: bool,
) -> None:
    """Store frames and quarantine of a live floor exactly; seal each gaming day when it is over, and sign it.

    Runs until it is stopped. Killed at any moment, it continues where it was. docs/archive.md describes the
    folder and how to read it; audit, hand, explain and export read it at any time.

    \b
    Example:
      discardrack archive --broker localhost:9092 --house my_house.yaml --out var/archive
      discardrack archive --seal --house my_house.yaml --out var/archive
      discardrack archive --from var/floor --house var/floor/house.yaml --out var/archive --key archive.key
    """  # noqa: D301  click's mark for text that is not wrapped
    if [seal, broker is not None, recorded is not None].count(True) != 1:
        raise click.UsageError("say --broker, to archive what it has, or --from, or --seal")
    if day is not None and not seal:
        raise click.UsageError("--gaming-day goes with --seal")
    observability.log_as_json()
    if broker is not None:
        house_reload.hold_hangup()
    read = house_reload.read(house_name, Path.cwd())  # once: the file that is stored was checked
    house, text = read.house, read.content  # faulty tables are reported at once, and archived all the same
    if seal and not is_archive(out):
        raise BadInput(f"{out}: no archive, so there is nothing to seal")
    key = keys.load(key_file) if key_file is not None else None
    if recorded is not None:
        archive_of(recorded, out, (house, text), key)
        return
    with exclusive_archive(out):
        refuse_lacking(out, house)  # before the archive has another house file than it had
        keep_house(out, text, processes.now())
        if broker is not None:
            observability.serve_metrics(metrics_port, metrics_host)
            asyncio.run(_follow(broker, out, (house, house_name), key))
            return
        finish(out, house, key, day.date() if day is not None else None)


async def _follow(broker: str, out: Path, house: tuple[House, str], key: Ed25519PrivateKey | None) -> None:
    """Archive until stopped; at SIGHUP read the named house file again and store it."""
    found, name = house

    def renewed(take: Callable[[House], None]) -> None:
        def keep(file: HouseFile) -> None:
            refuse_lacking(out, file.house)
            keep_house(out, file.content, processes.now())
            take(file.house)

        house_reload.on_hangup(name, Path.cwd(), keep)

    log = structlog.get_logger()
    stopping = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, stopping.set)
    log.info("archiver_started", broker=broker, archive=str(out))
    await follow(broker, out, found, key, stopping, renewed)
    log.info("archiver_stopped", archive=str(out))
