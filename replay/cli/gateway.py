"""`discardrack gateway`: from devices to Kafka, with nothing lost and nothing duplicated."""

import logging
from pathlib import Path
from typing import Final

import click
import structlog

from replay.cli.options import LOCAL, address, broker_option, metrics_option, name_option
from streams import house_reload
from streams.gateway.process import Settings, run
from streams.observability import log_as_json, serve_metrics

_MEGABYTE: Final = 1024 * 1024


@click.command()
@broker_option("Kafka; several addresses with commas.", LOCAL)
@click.option("--house", required=True, help="House file: a name in schemas/houses or a path.")
@click.option(
    "--spool",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Where frames wait for Kafka. Keep it: it also holds each table's frame number.",
)
@click.option("--tcp", help="HOST:PORT to listen on for devices; port 0 takes a free one.")
@click.option("--http", help="HOST:PORT to listen on for devices by HTTP; port 0 takes a free one.")
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Report lines; a gateway that is started again goes on where it was.",
)
@name_option("--name", "name", "Which gateway, in the quarantine.", "gateway")
@click.option(
    "--spool-limit",
    type=click.IntRange(min=1),
    default=4096,
    show_default=True,
    help="Megabytes of frames that may wait; when full, nothing is read until it drains.",
)
@metrics_option()
@click.option("-v", "--verbose", is_flag=True, help="Log every frame, not only those that close a round.")
def gateway(
    broker: str,
    house: str,
    spool: Path,
    tcp: str | None,
    http: str | None,
    file: Path | None,
    name: str,
    spool_limit: int,
    metrics_port: int | None,
    metrics_host: str,
    *,
    verbose: bool,
) -> None:
    """Accept devices' report lines, cut them into frames, and send every frame to Kafka once.

    It accepts events of the devices that the house file names, at their tables, of the kinds that their
    sources report; everything else goes to the quarantine. Reads standard input unless --tcp, --http or
    --file is given. A line is answered once it is on the disk; see docs/devices.md. Ends when its input has
    ended and Kafka has all of it; --tcp and --http end only by SIGTERM.

    \b
    Example:
      discardrack gateway --house floor/house.yaml --spool var/gateway --tcp 127.0.0.1:7070
    """  # noqa: D301  click's mark for text that is not wrapped
    house_reload.hold_hangup()
    log_as_json()
    settings = Settings(
        broker=broker,
        senders=house_reload.read(house, Path.cwd()).senders,
        house_name=house,
        spool=spool,
        limit=spool_limit * _MEGABYTE,
        name=name,
        tcp=address(tcp, "--tcp") if tcp is not None else None,
        http=address(http, "--http") if http is not None else None,
        file=file,
    )
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if verbose else logging.INFO)
    )
    serve_metrics(metrics_port, metrics_host)
    run(settings)
