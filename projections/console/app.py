"""The console: a plain page of what was found, one for each round, shoe and account, and JSON under /api.

It only reads; beside a projector (`live`) its pages update by themselves. It says "above the rule" or "below
the rule", never who is to blame.
"""

from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, get_args

import structlog
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Litestar, Request, Response, Router, get
from litestar.datastructures import MutableScopeHeaders
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException, NotFoundException
from litestar.params import FromPath, FromQuery, HeaderParameter, QueryParameter
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Template
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig
from litestar.types import ControllerRouterHandler, Message, Scope

from projections.console import words
from projections.console.live import Live
from projections.console.live_routes import LIVE_ROUTES
from projections.console.queries import Kind, Reader
from projections.console.shown import About, Alerts, Asked, Quarantine, Told
from projections.findings import Severity
from projections.store import Run
from projections.store_file import connect
from schemas.law_text import STATUSES
from schemas.values import dollars, moment

_HERE: Final = Path(__file__).parent
_SEVERITIES: Final = [severity for severity in get_args(Severity) if severity != "note"]
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_LIVE_POLICY: Final = f"{_POLICY}; script-src 'self'; connect-src 'self'"
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_INTERNAL: Final = 500

_log: Final = structlog.get_logger()


def console(store_path: Path, live: Live | None = None) -> Litestar:
    """Make the application that shows a store; it keeps the store open for reading until it is shut down.

    With `live` the store is the one that this process writes, and the pages follow it.

    Raises:
        BadInput: there is no such store, another process writes to it, or it is not a store.
    """
    reader = Reader(connect(store_path, writing=False) if live is None else live.db)
    return Litestar(
        route_handlers=[
            findings_page,
            alerts,
            *(_telling(kind) for kind in get_args(Kind)),
            quarantine_page,
            quarantine,
            healthz,
            *(LIVE_ROUTES if live is not None else ()),
            create_static_files_router("/static", [_HERE / "static"]),
        ],
        dependencies={
            "reader": Provide(lambda: reader, sync_to_thread=False),
            "asked": Provide(_asked, sync_to_thread=False),
            "about": Provide(_about, sync_to_thread=True),
            "live": Provide(lambda: live, sync_to_thread=False),
        },
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(_templates(live))),
        exception_handlers={HTTPException: _refused, Exception: _failed},
        before_send=[_guard(_POLICY if live is None else _LIVE_POLICY)],
        on_shutdown=[reader.close],
        openapi_config=None,
        logging_config=None,
    )


def _templates(live: Live | None) -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"card": words.card, "dollars": dollars, "plain": words.plain}
    made.globals |= {
        "clock": words.clock,
        "live": live,
        "moment": words.moment,
        "zone": words.zone_of,
        "hands": words.hands,
        "instant": moment,
        "narrowed": words.narrowed,
        "chips": words.chips,
        "concerning": words.concerning,
        "place": words.place,
        "said": words.said,
        "severities": _SEVERITIES,
        "statuses": STATUSES,
        "subject": words.subject,
        "titled": words.titled,
        "whose": words.whose,
    }
    return made


def _asked(
    run: FromQuery[str | None] = None,
    table: FromQuery[str | None] = None,
    check: FromQuery[str | None] = None,
    severity: FromQuery[str | None] = None,
    verdict: FromQuery[str | None] = None,
    page: Annotated[int, QueryParameter(ge=1, le=1_000_000)] = 1,
    revision: FromQuery[int | None] = None,
) -> Asked:
    # A form sends what was left open as an empty word.
    return Asked(run or None, table or None, check or None, severity or None, verdict or None, page, revision)


def _run(runs: list[Run], asked: Asked) -> Run | None:
    """Give the run that is asked for, or the newest."""
    if asked.run is None:
        return runs[0] if runs else None
    for run in runs:
        if run.run == asked.run:
            return run
    raise NotFoundException(f"There is no run {asked.run} in this store.")


@get("/", sync_to_thread=True)
def findings_page(
    reader: NamedDependency[Reader],
    asked: NamedDependency[Asked],
    choices: Annotated[str | None, HeaderParameter(name="X-Choices")] = None,
) -> Template:
    """Show the findings that stand; without what the filters offer where the page at hand has it: `kept`."""
    runs = reader.runs()
    run = _run(runs, asked)
    if run is None:
        return Template("said.html", context={"title": "Findings", "says": "Nothing has been audited yet."})
    found = reader.alerts(run.run, asked)
    if asked.page > found.pages:
        raise NotFoundException(f"There is no page {asked.page}; the last is {found.pages}.")
    context = {
        "run": run,
        "runs": runs,
        "asked": asked,
        "found": found,
        "tally": reader.tally(run.run),
        "choices": reader.choices(run.run) if choices != "kept" else None,
        "refused": reader.refused(),
    }
    return Template("findings.html", context=context)


@get("/{day:date}/{table:str}/{name:str}", sync_to_thread=True)
def told_page(
    reader: NamedDependency[Reader], asked: NamedDependency[Asked], told: NamedDependency[Told]
) -> Template:
    """Show a round, a shoe or an account: what lay there, what was owed and paid, each finding's sum."""
    return Template("told.html", context={"told": told, "run": _run(reader.runs(), asked), "asked": asked})


@get(["/api/alerts", "/api/findings"], sync_to_thread=True)
def alerts(reader: NamedDependency[Reader], asked: NamedDependency[Asked]) -> Alerts:
    """Give the findings that stand, as the page shows them."""
    run = _run(reader.runs(), asked)
    return reader.alerts(run.run, asked) if run is not None else Alerts(None, 1, 1, 0, [])


@get("/{day:date}/{table:str}/{name:str}", sync_to_thread=False)
def told_in_full(told: NamedDependency[Told]) -> Told:
    """Give a round, a shoe or an account with its money, its findings and those withdrawn."""
    return told


@get("/quarantine", sync_to_thread=True)
def quarantine_page(reader: NamedDependency[Reader], asked: NamedDependency[Asked]) -> Template:
    """Show what could not be read or stored."""
    found = reader.quarantine(asked.page)
    if asked.page > found.pages:
        raise NotFoundException(f"There is no page {asked.page}; the last is {found.pages}.")
    return Template("quarantine.html", context={"found": found, "asked": asked})


@get("/api/quarantine", sync_to_thread=True)
def quarantine(reader: NamedDependency[Reader], asked: NamedDependency[Asked]) -> Quarantine:
    """Give what could not be read or stored, as the page shows it."""
    return reader.quarantine(asked.page)


@get("/healthz", sync_to_thread=True)
def healthz(reader: NamedDependency[Reader], live: NamedDependency[Live | None]) -> dict[str, Any]:
    """Tell that the store answers and how many runs it holds; and of a floor, how it is followed.

    `lag` is how many records wait in Kafka, `written` when the last ones were stored.
    """
    runs = len(reader.runs())
    if live is None:
        return {"status": "ok", "runs": runs}
    return {"status": live.state, "runs": runs, "lag": live.lag, "written": live.written}


def _telling(kind: Kind) -> Router:
    """Make the page, and the JSON under /api, of each subject of one kind."""

    def told(
        reader: NamedDependency[Reader], asked: NamedDependency[Asked], about: NamedDependency[About]
    ) -> Told:
        return _found(reader.told(kind, about, asked.revision), kind, about, asked)

    routes: list[ControllerRouterHandler] = [
        Router(f"/{kind}s", route_handlers=[told_page]),
        Router(f"/api/{kind}s", route_handlers=[told_in_full]),
    ]
    return Router("/", route_handlers=routes, dependencies={"told": Provide(told, sync_to_thread=True)})


def _about(
    reader: NamedDependency[Reader],
    asked: NamedDependency[Asked],
    day: FromPath[date],
    table: FromPath[str],
    name: FromPath[str],
) -> About:
    run = _run(reader.runs(), asked)
    return About(run.run if run is not None else "", day, words.name_of(table), words.name_of(name))


def _found(told: Told | None, kind: Kind, about: About, asked: Asked) -> Told:
    if told is None:
        of_that = f", revision {asked.revision}," if asked.revision is not None else ""
        raise NotFoundException(
            f"There is no {kind} {about.name}{of_that} at {about.table} on {about.day} in this store."
        )
    return told


def _guard(policy: str) -> Callable[[Message, Scope], Awaitable[None]]:
    headers = {"Content-Security-Policy": policy, **_HEADERS}

    async def guard(message: Message, _scope: Scope) -> None:
        if message["type"] == "http.response.start":
            MutableScopeHeaders(message).update(headers)

    return guard


def _refused(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    if error.status_code >= _INTERNAL:
        return _failed(request, error)
    told = (
        [f"{each['key']}: {each['message']}" for each in error.extra] if isinstance(error.extra, list) else []
    )
    return _saying(request, error.status_code, "; ".join(told) or error.detail)


def _failed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    _log.error("request_failed", method=request.method, path=request.url.path, exc_info=error)
    return _saying(request, _INTERNAL, "This could not be shown; the log says why.")


def _saying(request: Request[Any, Any, Any], status: int, says: str) -> Response[Any]:
    if request.url.path.startswith("/api/"):
        return Response({"error": says}, status_code=status)
    return Template("said.html", context={"title": str(status), "says": says}, status_code=status)
