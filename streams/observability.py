"""Observability of the processes: logs as JSON lines on standard error, metrics for Prometheus."""

import json
import logging.config
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator
from socketserver import ThreadingMixIn
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import structlog
from prometheus_client import REGISTRY, Counter, Gauge, Histogram, make_wsgi_app
from structlog.typing import ExcInfo

from schemas.errors import BadInput, DiscardrackError
from schemas.plugins import on_plugin_fault


def places(error: BaseException) -> str:
    """Return the type and place of an exception, without the values that the code used there.

    A value may be a cookie or a name, and any library may write one into its message. So only messages of the
    product itself and of the system are added to the type.

    >>> places(KeyError("Alice Cooper")), places(BadInput("house.yaml:3: no table"))
    ('KeyError', 'schemas.errors.BadInput: house.yaml:3: no table')
    """
    return "\n".join(_chain(error, set()))


def _chain(error: BaseException, visited: set[int]) -> Iterator[str]:
    """Yield the lines of an exception's causes, then its own; each exception once."""
    visited.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in visited:
        yield from _chain(before, visited)
        yield "of which came:"
    yield from (line.rstrip() for line in traceback.format_tb(error.__traceback__))
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    yield f"{name}: {error}" if isinstance(error, DiscardrackError | OSError) else name
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            if id(each) not in visited:
                yield from _chain(each, visited)


def _places(exc_info: ExcInfo) -> str:
    return places(exc_info[1])


_STALLED: Final = 5.0  # seconds without progress after which /healthz fails
_metrics: Final[WSGIApplication] = make_wsgi_app()

_PROCESSORS: Final[list[Any]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.ExceptionRenderer(_places),
]
_JSON: Final = structlog.processors.JSONRenderer()

# From a thousandth of a second to a minute, close around the aim of a tenth; a quantile is read from these.
_SECONDS: Final = (
    *(0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1),
    *(0.125, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 15, 60),
)


FRAMES: Final = Counter("discardrack_frames_total", "Frames taken, by process", ["process"])
EVENTS: Final = Counter("discardrack_events_total", "Events taken, by process", ["process"])
FINDINGS: Final = Counter(
    "discardrack_findings_total", "Findings raised, by check and severity", ["check", "severity"]
)
QUARANTINED: Final = Counter(
    "discardrack_quarantined_total", "What could not be read, by process", ["process"]
)
DROPPED_FIELDS: Final = Counter(
    "discardrack_unknown_fields_total", "Fields of events that the schema does not know, dropped"
)
RESULTS: Final = Counter("discardrack_results_total", "Conclusions newly stored, by verdict", ["verdict"])
LAG: Final = Gauge("discardrack_lag_frames", "Frames that are in Kafka and not yet applied", ["partition"])
IDLE: Final = Gauge(
    "discardrack_worker_idle_seconds",
    "How long a worker has made no progress though frames wait; at ten or thirty it ends",
)
LEFT_OUT: Final = Gauge(
    "discardrack_table_left_out", "1 for a table that is not audited: the house file is at fault", ["table"]
)
HOUSE_REFUSED: Final = Gauge(
    "discardrack_house_file_refused",
    "1 while a process goes on by an earlier house file: the one that it was to take is not of its form",
)
PROJECTOR_LAG: Final = Gauge(
    "discardrack_projector_lag_records", "Records that are in Kafka and not yet in the store"
)
ARCHIVE_LAG: Final = Gauge(
    "discardrack_archive_lag_records", "Records that are in Kafka and not yet in the archive"
)
SPOOLED_BYTES: Final = Gauge("discardrack_spool_bytes", "Bytes that wait in the gateway's spool for Kafka")
SPOOLED_FRAMES: Final = Gauge("discardrack_spool_frames", "Frames that wait in the gateway's spool for Kafka")
SPOOL_FULL: Final = Gauge(
    "discardrack_spool_full", "1 while the gateway reads nothing: its spool is full, or the disk under it"
)
LATENCY: Final = Histogram(
    "discardrack_latency_seconds",
    "Since the gateway's receipt of the frame that brought a conclusion, by the stage that it has passed",
    ["stage"],
    buckets=_SECONDS,
)


def log_form(*libraries: str) -> dict[str, Any]:
    """Return the form of the standard library's logs: JSON lines on standard error, warnings and worse.

    `libraries` are logger names; without any, those of the whole process. As `logging.config` takes it.
    """
    quiet = {"handlers": ["stderr"], "level": "WARNING"}
    loggers = {name: quiet | {"propagate": False} for name in libraries}
    # The clients log many times a second that Kafka is away. We log it once.
    silent = {name: {"level": "CRITICAL"} for name in ("aiokafka", "kafka")}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _PROCESSORS,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, _JSON],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "loggers": loggers | silent,
    } | ({} if loggers else {"root": quiet})


def own_as_json() -> None:
    """Log our own lines, and faults of plugins, to standard error as JSON, without local variables."""
    structlog.configure(
        processors=[*_PROCESSORS, _JSON],
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
    on_plugin_fault(lambda line, _: structlog.get_logger().warning("plugin_fault", fault=line))


def log_as_json(*libraries: str) -> None:
    """Log our own lines and the libraries' warnings to standard error in one form."""
    own_as_json()
    logging.config.dictConfig(log_form(*libraries))


def serve_metrics(port: int | None, host: str = "127.0.0.1") -> None:
    """Answer Prometheus at http://<host>:<port>/metrics, and at /healthz whether the process gets on.

    None asks for no such answers.

    Raises:
        BadInput: the port is taken, or the address is none of this machine.
    """
    if port is None:
        return
    try:
        server = make_server(host, port, _answer, _Server, handler_class=_Silent)
    except OSError as error:
        raise BadInput(
            f"--metrics-port {port} at {host}: {error.strerror or error}; choose another"
        ) from None
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()


def _answer(environ: WSGIEnvironment, respond: StartResponse) -> Iterable[bytes]:
    """Answer a request: 503 where a worker makes no progress though frames wait, 200 else."""
    if environ["PATH_INFO"] != "/healthz":
        return _metrics(environ, respond)
    idle = REGISTRY.get_sample_value("discardrack_worker_idle_seconds") or 0.0
    stalled = idle >= _STALLED
    respond("503 Service Unavailable" if stalled else "200 OK", [("Content-Type", "application/json")])
    return [json.dumps({"status": "stalled" if stalled else "ok", "idle_seconds": idle}).encode()]


class _Server(ThreadingMixIn, WSGIServer):
    """Answers each request in a thread of its own, which the process does not wait for."""

    daemon_threads = True


class _Silent(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing: probes come every few seconds."""
