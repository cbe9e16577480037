"""The health of the system: a page for people, /healthz and /readyz for machines."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.alerts.alert_arrival import SilentDevice
from projections.casework.command_handler import CommandHandler
from projections.casework.table_status import DeviceReports, Lag, TableStatus
from projections.engine.checks.plugin_checks import plugin_faults, software_differences
from projections.notify.notifier import Notifier
from projections.notify.outbox import TargetState
from projections.store.conclusion_diff import natural
from projections.store.runs import Run
from projections.web.auth.embargo import Hidden
from projections.web.auth.record_subjects import within
from projections.web.live.broadcaster import LiveFloor, State
from projections.web.pages.action_routes import Clock
from projections.web.pages.day_gaps import Device, devices
from projections.web.pages.floor_tiles import Tile, live_tiles
from projections.web.pages.small_bars import bars_of
from projections.web.records.record_views import RefusedInput
from projections.web.records.store_queries import Reader
from schemas.events import Source
from schemas.house import House, TableSetup
from schemas.values import Micros

_READY_LAG: Final = 2_000  # records: what the projector takes in one step
_DAY: Final = 86_400_000_000  # microseconds
_NOT_READY: Final = 503
# What was done, by what it was done to; of an alert also in which round, shoe or account it is.
_ACTIONS: Final = """
    SELECT subject, actions,
        (SELECT any_value(round_id) FROM findings WHERE subject = 'alert:' || findings.id) AS about
    FROM (SELECT subject, count(*) AS actions FROM actions GROUP BY subject)
"""
_SIZE: Final = "SELECT block_size * total_blocks AS bytes FROM pragma_database_size()"


class WorkerDifference(Struct, frozen=True):
    """Software of a worker that is not the console's: what it `lacks` and `has`, and for which tables."""

    lacks: Sequence[str]
    has: Sequence[str]
    tables: Sequence[str]


class WorkerFault(Struct, frozen=True):
    """Fault of a plugin that workers met, and at which tables."""

    fault: str
    tables: Sequence[str]


class ReportingDevice(Struct, frozen=True):
    """A device at a table: what it reads if the house file has it, and its new reports.

    The gateway received the `newest`, None if there was none; `hour` counts those of the last hour by five
    minutes. `silent_since` is when the terminal lost it, by the terminal's clock.
    """

    device: str
    reads: Source | None
    newest: Micros | None
    hour: Sequence[int]
    silent_since: Micros | None


class Health(Struct, frozen=True):
    """Status of the system.

    `state` is how the floor is followed, `since` when; `lag` how many records wait in Kafka, `written` when
    the last ones were stored, and `slowest` the table whose latest conclusion took longest from the gateway's
    receipt into the store, with how long (microseconds). `streams` counts the pages that listen. `bytes` is
    the size of the store's file. `silent` are the silent devices, `senders` those whose input was refused.
    `left_out` has the faults of the house file for which tables are not audited, `plugin_faults` those of the
    plugins that this process loads, `worker_faults` those that workers met, `workers_differing` the workers
    that judge by other software. `tables` are those of a floor that is followed, with each one's delay but
    without people; `reporting` counts the devices of each that have reported, and `at_table` are those of the
    table that was asked for. `targets` are those of the escalation file, `failed` how many messages to them
    were given up within a day.
    """

    state: State
    since: datetime
    lag: int
    written: datetime | None
    slowest: tuple[str, int] | None
    streams: int
    bytes: int
    conclusions: int
    findings: int
    actions: int
    refused: int
    senders: Sequence[RefusedInput]
    silent: Sequence[SilentDevice]
    runs: Sequence[Run]
    devices: Sequence[Device]
    left_out: Mapping[str, str]
    plugin_faults: Sequence[str]
    worker_faults: Sequence[WorkerFault]
    workers_differing: Sequence[WorkerDifference]
    tables: Sequence[Tile]
    reporting: Mapping[str, int]
    at_table: Sequence[ReportingDevice]
    targets: Sequence[TargetState] = ()
    failed: int = 0


def _workers_differing(lags: Mapping[str, Lag]) -> list[WorkerDifference]:
    """Return the software of workers that differs, by what each table's last conclusion was made with."""
    tables: dict[str, list[str]] = {}
    for table, lag in sorted(lags.items()):
        if lag.software is not None:
            tables.setdefault(lag.software, []).append(table)
    found = ((software_differences(other), names) for other, names in sorted(tables.items()))
    return [WorkerDifference(lacks, has, names) for (lacks, has), names in found if lacks or has]


def _worker_faults(lags: Mapping[str, Lag]) -> list[WorkerFault]:
    """Return the faults of plugins that came with each table's last conclusion."""
    tables: dict[str, list[str]] = {}
    for table, lag in sorted(lags.items()):
        for fault in lag.plugin_faults:
            tables.setdefault(fault, []).append(table)
    return [WorkerFault(fault, names) for fault, names in tables.items()]


def health(
    reader: NamedDependency[Reader],
    live: NamedDependency[LiveFloor],
    commands: NamedDependency[CommandHandler],
    hidden: NamedDependency[Hidden],
    notifier: NamedDependency[Notifier | None],
    wall_clock: NamedDependency[Clock],
    table: FromQuery[str | None] = None,
) -> Health:
    """Build the status of the system; what is withheld from the viewer is neither shown nor counted."""
    (size,) = reader.ask(_SIZE, [])
    statuses, lags, now = dict(live.tables), dict(live.lags), wall_clock()
    slowest = max(((lag.took, table) for table, lag in lags.items()), default=None)
    return Health(
        state=live.state,
        since=live.since,
        lag=live.lag,
        written=live.written,
        slowest=slowest[::-1] if slowest is not None else None,
        streams=live.listening,
        bytes=size["bytes"],
        runs=reader.runs(),
        devices=devices(reader, hidden),
        left_out=reader.left_out,
        plugin_faults=plugin_faults(),
        worker_faults=_worker_faults(lags),
        workers_differing=_workers_differing(lags),
        tables=_tables(reader.house, statuses, lags, now, plays=live.play_speed is not None)
        if live.state != "recorded"
        else (),
        reporting={name: len(status.reports) for name, status in statuses.items()},
        at_table=devices_at(reader.house.tables.get(table), statuses.get(table), now) if table else (),
        conclusions=reader.count_conclusions(hidden),
        findings=reader.count_findings(hidden),
        actions=_actions(reader, commands, hidden),
        refused=reader.count_refused(hidden),
        targets=notifier.targets() if notifier is not None else (),
        failed=notifier.outbox.count_failed(now - _DAY) if notifier is not None else 0,
        senders=reader.refused_input(hidden),
        silent=commands.silent(),
    )


def devices_at(setup: TableSetup | None, status: TableStatus | None, now: Micros) -> list[ReportingDevice]:
    """Return the devices of a table: those of the house file, and those that have reported."""
    sources = setup.sources if setup is not None else {}
    status = status or TableStatus()
    silent = status.silent
    return [
        ReportingDevice(
            device,
            sources.get(device),
            status.reports[device].newest if device in status.reports else None,
            status.reports.get(device, DeviceReports()).hour_to(now),
            silent.get(device),
        )
        for device in sorted({*sources, *status.reports, *silent}, key=natural)
    ]


def _tables(
    house: House,
    statuses: Mapping[str, TableStatus],
    lags: Mapping[str, Lag],
    now: Micros,
    *,
    plays: bool,
) -> list[Tile]:
    tiles = live_tiles(house.tables, statuses, lags, {}, now, plays=plays)
    return [replace(tile, calling=None, dealers=(), floorperson=None) for tile in tiles]


def _actions(reader: Reader, commands: CommandHandler, hidden: Hidden) -> int:
    """Count what was done to what is not hidden."""
    return sum(
        row["actions"]
        for row in reader.ask(_ACTIONS, [])
        if not commands.is_hidden(row["subject"], hidden.subjects)
        and not (row["about"] is not None and hidden.hides(within(row["about"]) | {row["subject"]}))
    )


def not_ready(live: LiveFloor) -> str | None:
    """Return why the console should not be sent to yet; None if it may."""
    if live.state in ("kafka away", "topics missing"):
        return f"{live.state} since {live.since.isoformat()}"
    if live.lag > _READY_LAG:
        return f"{live.lag:,} records wait in Kafka and are not in the store yet"
    return None


_GIVEN: Final = {"found": Provide(health, sync_to_thread=True)}


@get("/health", sync_to_thread=True, opt={"needs": "health"}, dependencies=_GIVEN)
def health_page(
    found: NamedDependency[Health],
    wall_clock: NamedDependency[Clock],
    table: FromQuery[str | None] = None,
) -> Template:
    """Show how the system stands, and how the devices of a table report."""
    context = {"health": found, "now": wall_clock(), "table": table, "bars": bars_of}
    return Template("health.html", context=context)


@get("/api/health", sync_to_thread=False, opt={"needs": "health"}, dependencies=_GIVEN)
def health_in_full(found: NamedDependency[Health]) -> Health:
    """Return how the system stands, as its page shows it."""
    return found


@get("/healthz", sync_to_thread=True, opt={"needs": None})
def healthz(reader: NamedDependency[Reader], live: NamedDependency[LiveFloor]) -> dict[str, Any]:
    """Report that the store answers and how many runs it holds; for a live floor also how it is followed.

    `lag` is the number of records that wait in Kafka, `written` the time when the last ones were stored.
    """
    runs = len(reader.runs())
    if live.state == "recorded":
        return {"status": "ok", "runs": runs}
    return {"status": live.state, "runs": runs, "lag": live.lag, "written": live.written}


@get("/readyz", sync_to_thread=True, opt={"needs": None})
def readyz(reader: NamedDependency[Reader], live: NamedDependency[LiveFloor]) -> Response[dict[str, Any]]:
    """Return whether pages show what is so: the store answers, and a followed floor is followed closely."""
    reader.runs()
    why = not_ready(live)
    if why is None:
        return Response({"ready": True})
    return Response({"ready": False, "why": why}, status_code=_NOT_READY)


HEALTH: Final[list[ControllerRouterHandler]] = [health_page, health_in_full, healthz, readyz]
