"""`discardrack worker`: audit the floor's frames as Kafka brings them."""

import os
import sys
import time
from pathlib import Path
from typing import Final

import click
import structlog
from aiokafka.errors import KafkaError
from msgspec import Struct

from replay.cli.options import LOCAL, broker_option, metrics_option
from schemas import house as houses
from schemas.errors import BadInput
from streams import house_reload
from streams.archive.record_names import refuse_foreign
from streams.kafka_away import away_reason
from streams.observability import log_as_json, serve_metrics
from streams.processes import loading
from streams.topic_setup import topic_setup
from streams.worker import agents
from streams.worker.conclusion_sender import ClusterChanged

_PAUSE: Final = 1.0  # seconds between two attempts to reach Kafka

_log: Final = structlog.get_logger()


@click.command()
@broker_option("Kafka; several addresses with commas.", LOCAL)
@click.option("--house", required=True, help="House file: a name in schemas/houses or a path.")
@click.option(
    "--archive",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The archive, for tables that have to be folded again from farther back than Kafka keeps; or an "
    "empty folder, where the archiver has not begun yet.",
)
@metrics_option()
def worker(
    broker: str, house: str, archive: Path | None, metrics_port: int | None, metrics_host: str
) -> None:
    """Audit the floor's frames as Kafka brings them, until it is interrupted.

    Reads floor.frames; writes floor.rounds, floor.findings and, for what cannot be read, floor.quarantine.
    Start as many as are wanted: the tables are shared among them. The same as `faust -A streams.app worker`
    with DISCARDRACK_BROKER, DISCARDRACK_HOUSE and DISCARDRACK_ARCHIVE set. What happens is logged on stderr,
    a JSON object a line.

    \b
    Example:
      discardrack worker --broker localhost:9092 --house floor/house.yaml
    """  # noqa: D301  click's mark for text that is not wrapped
    house_reload.hold_hangup()
    if os.environ.get(agents.HOUSE) != house:  # else it has begun, and waits until the file is mended
        houses.load(house, Path.cwd())
    if archive is not None:
        refuse_foreign(archive)
    log_as_json()
    serve_metrics(metrics_port, metrics_host)
    _await_topics(broker)
    os.environ |= {agents.BROKER: broker, agents.HOUSE: house}
    if archive is not None:
        os.environ[agents.ARCHIVE] = str(archive)
    # Faust reads its settings where the application is made, so that comes after the environment.
    with loading():
        import faust  # noqa: PLC0415  see above

        from streams.app import app  # noqa: PLC0415  see above

    # At this level Faust draws no spinner; what is logged is decided by the form of the logs.
    try:
        faust.Worker(app, quiet=True, loglevel="info").execute_from_commandline()
    except SystemExit as end:
        if not isinstance(end.__context__, KafkaError | ClusterChanged):
            raise
        # Kafka went while Faust was starting, or is another one now: again from the beginning.
        _log.error("kafka_away", reason=away_reason(end.__context__, broker))
        os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606  our own command line


def _await_topics(broker: str) -> None:
    """Wait until Kafka answers and the topics are there.

    Raises:
        BadInput: a topic has other partitions than it must have: tables would be parted from their states.
    """
    message = None
    while (waits := _waits_for(broker)) is not None:
        if waits != message and waits.missing:
            _log.error("topics_missing", broker=broker, topics=waits.missing)
        elif waits != message:
            _log.error("kafka_away", broker=broker, reason=waits.away)
        message = waits
        time.sleep(_PAUSE)
    if message is not None:
        _log.info("kafka_back", broker=broker)


class _Waits(Struct, frozen=True):
    away: str = ""
    missing: list[str] = []


def _waits_for(broker: str) -> _Waits | None:
    """Return what must still be waited for; None if nothing."""
    try:
        with topic_setup(broker) as setup:
            found = setup.compare()
    except BadInput as error:
        return _Waits(away=str(error))
    for each in found:
        wrong = [str(differs) for differs in each.fixed if differs.setting == "partitions"]
        if wrong:
            raise BadInput(f"{each.topic.name}: {wrong[0]}; see `discardrack topics --broker {broker}`")
    missing = [each.topic.name for each in found if each.differences is None]
    return _Waits(missing=missing) if missing else None
