"""The worker as Faust runs it: `faust -A streams.app worker`, or `discardrack worker`.

Its settings are in the environment: DISCARDRACK_BROKER, DISCARDRACK_HOUSE, and DISCARDRACK_ARCHIVE if a table
may have to be folded again from records older than Kafka's.
"""

import os
import signal
import threading
from functools import cached_property
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Final

import faust
import structlog
from mode import CrashingSupervisor
from mode.utils.queues import FlowControlEvent

from streams import topics
from streams.observability import log_form
from streams.worker.agents import BROKER, audit
from streams.worker.snapshot_sender import Floor

_GRACE: Final = 5.0  # seconds

_log: Final = structlog.get_logger()


class _Flow(FlowControlEvent):
    """The flow of records into the agent's queue.

    Faust 0.15 resumes it a second time when the tables are recovered, after it has begun to fetch
    (tables/recovery.py, Recovery.on_recovery_completed), and each time empties the queue: the frames in it
    are never delivered. Resuming a running flow does nothing here.
    """

    def resume(self) -> None:
        """Start the flow of records from an empty queue, unless they flow."""
        if not self.is_active():
            super().resume()


class _App(faust.App):
    @cached_property
    def flow_control(self) -> _Flow:
        return _Flow(loop=self.loop)


_ADDRESS: Final = os.environ.get(BROKER, "localhost:9092")

# The default JSON table holds text: the one kind of table that came through recovery whole when it was tried.
# A worker that was killed is missed after ten seconds instead of a minute, and one that does not take part in
# a rebalance after twenty: before the watch over the others takes them for stalled (stall_watch).
app: Final = _App(
    topics.APP,
    broker=[f"kafka://{address}" for address in _ADDRESS.split(",")],
    store="memory://",
    datadir=Path(gettempdir()) / "discardrack-worker",  # made, and with a store in memory never used
    topic_partitions=topics.PARTITIONS,
    topic_allow_declare=False,
    topic_disable_leader=True,
    consumer_auto_offset_reset="earliest",
    broker_session_timeout=10.0,
    broker_heartbeat_interval=2.0,
    broker_rebalance_timeout=20.0,
    broker_commit_interval=1.0,
    # Kafka that just came back may list no topics yet: who joins then gets nothing until it looks again.
    consumer_metadata_max_age_ms=5_000,
    # Nothing waits in a rebalance: records that were taken and not stored yet are taken again.
    stream_wait_empty=False,
    # A copy of other workers' states, to take over from: to read a state again takes as long.
    table_standby_replicas=0,
    producer_compression_type="zstd",
    producer_max_request_size=topics.LARGEST,
    consumer_max_fetch_size=topics.LARGEST,
    agent_supervisor=CrashingSupervisor,
    web_enabled=False,
    worker_redirect_stdouts=False,
    logging_config=log_form(),
)


# Bytes to Faust: what a frame is, is schemas.codec's business.
frames: Final = app.topic(
    topics.FRAMES, key_type=bytes, value_type=bytes, key_serializer="raw", value_serializer="raw"
)
floor: Final = Floor(app, _ADDRESS, app.Table(topics.STATE, partitions=topics.PARTITIONS))


def _end() -> None:
    _log.warning("worker_stopped", reason=f"what was under way did not end in {_GRACE:.0f} seconds")
    os._exit(os.EX_OK)


def end_in_time(*_: Any) -> None:
    """Ensure that a process that was asked to end does: while Kafka is away, Faust waits forever.

    Nothing is lost: what was not acknowledged will be done again.
    """
    end = threading.Timer(_GRACE, _end)
    end.daemon = True
    end.start()


@app.agent(frames, name="audit")
async def audit_frames(stream: Any) -> None:
    """Audit the frames of the tables that this worker has."""
    # The event loop gets the signal too; this handler runs in addition.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end_in_time)
    await audit(stream, floor, os.environ)
