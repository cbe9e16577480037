"""The page of the surveillance log: a shift or a day of it, its entries, and the signatures of its shifts."""

import io
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Annotated, Final
from urllib.parse import urlencode

import msgspec
from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from projections.casework.actions import Actor
from projections.casework.cases.case_state import alert_of
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.disputes.dispute_state import people_in, subjects_of
from projections.casework.shift_log import ENTRY_KINDS, Line, LineKind, LogBook, Shift, lines
from projections.engine.conclusion import id_of_table_day
from projections.views.cells import write_csv
from projections.views.time_text import date_text, moment_text
from projections.web.live.broadcaster import LiveFloor
from projections.web.pages.action_routes import Clock
from projections.web.pages.dispute_form import local
from projections.web.records.record_links import AlertLabel, alert_labels
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import ViewerScope
from schemas.values import MOST_MICROS, YEARS
from schemas.values import moment as instant

_KINDS: Final[tuple[str, ...]] = (*ENTRY_KINDS, "alert", "dispute", "handover")
_ALERT: Final = "alert:"
_CSV: Final = "text/csv"


class LogQuery(Struct, frozen=True):
    """Filter of the log's lines: of a shift or a gaming day; of the last shift if neither is given."""

    day: date | None = None
    shift: Annotated[int, Meta(ge=1)] | None = None
    kind: LineKind | None = None
    person: str | None = None
    table: str | None = None


class LogPage(Struct, frozen=True):
    """Lines of the log in the order in which things happened; `shift` where they are of one."""

    day: date | None
    shift: Shift | None
    shifts: int
    lines: list[Line]


def read_log_query(
    day: FromQuery[str | None] = None,
    shift: FromQuery[str | None] = None,
    kind: FromQuery[str | None] = None,
    by: Annotated[str | None, QueryParameter(name="person")] = None,
    table: FromQuery[str | None] = None,
) -> LogQuery:
    """Read the filters of the log; a form sends what was left open as an empty word.

    Raises:
        ClientException: one of them is none.
    """
    values = {"day": day, "shift": shift, "kind": kind, "person": by, "table": table}
    try:
        given = {name: each for name, each in values.items() if each}
        log_query = msgspec.convert(given, LogQuery, strict=False)
    except msgspec.ValidationError as error:
        raise ClientException(str(error)) from None
    if log_query.day is not None and log_query.day.year not in YEARS:
        raise ClientException(f"There is no gaming day {date_text(log_query.day)}.")
    return log_query


def log_of(
    commands: CommandHandler,
    reader: Reader,
    log_query: LogQuery,
    viewer_scope: ViewerScope,
    people: Collection[str],
) -> LogPage:
    """Return the lines of a query, without withheld ones; names masked except those of `people`.

    Raises:
        NotFoundException: there is no such shift.
    """
    book, acts = commands.book(LogBook), commands.acts()
    shifts = book.shifts()
    number = log_query.shift if log_query.shift is not None or log_query.day is not None else len(shifts)
    if number is not None and number > len(shifts):
        raise NotFoundException(f"There is no shift {number}; the last is {len(shifts)}.")

    begins, ends = reader.house.bounds(log_query.day) if log_query.day is not None else (0, MOST_MICROS)

    def wanted(shift: int, at: int) -> bool:
        return number in (None, shift) and begins <= at < ends

    found = lines(acts, book.entries(), wanted)
    of_alerts = {alert_of(line.subject) for line in found if line.subject.startswith(_ALERT)}
    alerts = alert_labels(reader, of_alerts)
    placed = (_placed(line, alerts, commands, viewer_scope, people) for line in found)
    of_others = (
        line for line in placed if line is not None and not _of_hidden_day(line, reader, viewer_scope)
    )
    visible = [line for line in of_others if _matches(line, log_query)]
    return LogPage(log_query.day, shifts[number - 1] if number is not None else None, len(shifts), visible)


def _of_hidden_day(line: Line, reader: Reader, viewer_scope: ViewerScope) -> bool:
    """Return True if a line is of a table and a day that is withheld entirely."""
    if line.table is None:
        return False
    return viewer_scope.hides(id_of_table_day(reader.house.gaming_date(line.at), line.table))


def _matches(line: Line, log_query: LogQuery) -> bool:
    return (
        log_query.kind in (None, line.kind)
        and log_query.person in (None, line.who)
        and log_query.table in (None, line.table)
    )


def _placed(
    line: Line,
    alerts: Mapping[str, AlertLabel],
    commands: CommandHandler,
    viewer_scope: ViewerScope,
    people: Collection[str],
) -> Line | None:
    """Return a line with the alert or dispute it is about and its table, or None if that is withheld."""
    kind, _, name = line.subject.partition(":")
    if kind == "dispute":
        dispute = commands.book(DisputeBook).one(name, viewer_scope.hidden.subjects)
        if dispute is None:
            return None
        line = replace(line, table=dispute.about.table, what=f"Dispute {name}: {line.what}")
        return viewer_scope.masking.masked(line, subjects_of(dispute), people_in(dispute, people))
    if commands.is_hidden(line.subject, viewer_scope.hidden.subjects):
        return None
    if kind != "alert" or name not in alerts:
        return line
    label = alerts[name]
    if viewer_scope.hides(label.about, name):
        return None
    alert = commands.alert_queue.find(name)
    if alert is not None:
        _, what = viewer_scope.masking.masked((alert, line.what), alert.subjects())
        line = replace(line, what=what)
    return replace(line, table=label.table, what=f"{label.called}: {line.what}")


def _asked_page(
    log_query: NamedDependency[LogQuery],
    commands: NamedDependency[CommandHandler],
    reader: NamedDependency[Reader],
    viewer_scope: NamedDependency[ViewerScope],
    actor: NamedDependency[Actor],
) -> LogPage:
    # Who wrote and who signed is what the log is for; its lines about patrons are masked one by one.
    return viewer_scope.masking.release(log_of(commands, reader, log_query, viewer_scope, actor.people))


@get("/log", sync_to_thread=True, opt={"needs": "read_log"})
def log_page(
    page: NamedDependency[LogPage],
    log_query: NamedDependency[LogQuery],
    actor: NamedDependency[Actor],
    live: NamedDependency[LiveFloor],
    wall_clock: NamedDependency[Clock],
    corrects: FromQuery[str | None] = None,
    new: FromQuery[str | None] = None,
) -> Template:
    """Show a shift or a day of the log, with the form of an entry.

    `corrects` fills in the one to correct, `new` the table of a new one.
    """
    corrected = next((line for line in page.lines if line.id == corrects), None)
    context = {
        "page": page,
        "asked": log_query,
        "kinds": _KINDS,
        "entry_kinds": ENTRY_KINDS,
        "corrected": corrected,
        "new_table": new,
        "local": lambda at: local(at, live.zone),
        "when": lambda at: moment_text(instant(at), live.zone),
        "now": wall_clock(),
        "people": sorted(set(actor.people) - {actor.name}),
        "may": "log" in actor.rights,
        "name": actor.name,
        "may_export": "export" in actor.rights,
        "query": urlencode({name: each for name, each in asdict(log_query).items() if each is not None}),
    }
    return Template("log.html", context=context)


@get("/api/log", sync_to_thread=False, opt={"needs": "read_log"})
def log(page: NamedDependency[LogPage]) -> LogPage:
    """Return a shift or a day of the log; times in microseconds UTC."""
    return page


@get("/api/log/csv", sync_to_thread=False, media_type=_CSV, opt={"needs": "read_log", "also_needs": "export"})
def log_csv(
    page: NamedDependency[LogPage],
    reader: NamedDependency[Reader],
    viewer_scope: NamedDependency[ViewerScope],
) -> Response[str]:
    """Return a shift or a day of the log as CSV; no cell can act as a formula."""
    about = f"shift-{page.shift.number}" if page.shift is not None else str(page.day)
    viewer_scope.access_recorder.note_exported(viewer_scope.person, f"surveillance log, {about}, CSV")
    file = io.StringIO()
    write_csv(file, Line.__struct_fields__, (_cells(line, reader.house.zone) for line in page.lines))
    headers = {"Content-Disposition": f'attachment; filename="log-{about}.csv"'}
    return Response(file.getvalue(), media_type=_CSV, headers=headers)


def _cells(line: Line, zone: str) -> Iterable[object]:
    """Return a line's cells, its times as a person reads them."""
    times = {name: getattr(line, name) for name in ("at", "until", "written")}
    values = {name: at and moment_text(instant(at), zone) for name, at in times.items()}
    return (asdict(line) | values).values()


LOGBOOK: Final[list[ControllerRouterHandler]] = [
    Router(
        "/",
        route_handlers=[log_page, log, log_csv],
        dependencies={
            "log_query": Provide(read_log_query, sync_to_thread=False),
            "page": Provide(_asked_page, sync_to_thread=True),
        },
    )
]
