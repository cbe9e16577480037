"""The console: a plain page of what was found, a page for each round, and the same under /api as JSON.

It only reads, and it says "above the rule" or "below the rule", never who is to blame.
"""

from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, get_args

import structlog
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Litestar, Request, Response, get
from litestar.datastructures import MutableScopeHeaders
from litestar.di import Provide
from litestar.exceptions import HTTPException, NotFoundException
from litestar.params import Parameter
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Template
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig
from litestar.types import Message, Scope

from projections.console import words
from projections.console.queries import Reader
from projections.console.shown import Alerts, Asked, Told
from projections.findings import Severity
from projections.store import Run
from schemas.law_text import STATUSES
from schemas.values import dollars

_HERE: Final = Path(__file__).parent
_SEVERITIES: Final = [severity for severity in get_args(Severity) if severity != "note"]
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_INTERNAL: Final = 500

_log: Final = structlog.get_logger()


def console(store_path: Path) -> Litestar:
    """Make the application that shows a store; it keeps the store open for reading until it is shut down.

    Raises:
        BadInput: there is no such store, another process writes to it, or it is not a store.
    """
    reader = Reader(store_path)
    return Litestar(
        route_handlers=[
            findings_page,
            round_page,
            shoe_page,
            alerts,
            round_told,
            shoe_told,
            healthz,
            create_static_files_router("/static", [_HERE / "static"]),
        ],
        dependencies={
            "reader": Provide(lambda: reader, sync_to_thread=False),
            "asked": Provide(_asked, sync_to_thread=False),
        },
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(_templates())),
        exception_handlers={HTTPException: _refused, Exception: _failed},
        before_send=[_guard],
        on_shutdown=[reader.close],
        openapi_config=None,
        logging_config=None,
    )


def _templates() -> Environment:
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
        "hands": words.hands,
        "narrowed": words.narrowed,
        "place": words.place,
        "said": words.said,
        "severities": _SEVERITIES,
        "statuses": STATUSES,
    }
    return made


def _asked(
    run: str | None = None,
    table: str | None = None,
    check: str | None = None,
    severity: str | None = None,
    verdict: str | None = None,
    page: Annotated[int, Parameter(ge=1, le=1_000_000)] = 1,
) -> Asked:
    # A form sends what was left open as an empty word.
    return Asked(run or None, table or None, check or None, severity or None, verdict or None, page)


def _run(reader: Reader, asked: Asked) -> Run | None:
    """Give the run that is asked for, or the newest."""
    runs = reader.runs()
    if asked.run is None:
        return runs[0] if runs else None
    for run in runs:
        if run.run == asked.run:
            return run
    raise NotFoundException(f"There is no run {asked.run} in this store.")


@get("/", sync_to_thread=True)
def findings_page(reader: Reader, asked: Asked) -> Template:
    """Show the findings that stand."""
    run = _run(reader, asked)
    if run is None:
        return Template("said.html", context={"title": "Findings", "says": "Nothing has been audited yet."})
    found = reader.alerts(run.run, asked)
    if asked.page > found.pages:
        raise NotFoundException(f"There is no page {asked.page}; the last is {found.pages}.")
    context = {
        "run": run,
        "runs": reader.runs(),
        "asked": asked,
        "found": found,
        "tally": reader.tally(run.run),
        "choices": reader.choices(run.run),
    }
    return Template("findings.html", context=context)


@get("/rounds/{day:date}/{name:path}", sync_to_thread=True)
def round_page(reader: Reader, asked: Asked, day: date, name: str, revision: int | None = None) -> Template:
    """Show a round: what lay there, what was owed and paid, and the sum of each finding."""
    return _page(reader, asked, _round(reader, asked, day, name, revision))


@get("/shoes/{day:date}/{name:path}", sync_to_thread=True)
def shoe_page(reader: Reader, asked: Asked, day: date, name: str, revision: int | None = None) -> Template:
    """Show what was found about a shoe as a whole."""
    return _page(reader, asked, _shoe(reader, asked, day, name, revision))


@get(["/api/alerts", "/api/findings"], sync_to_thread=True)
def alerts(reader: Reader, asked: Asked) -> Alerts:
    """Give the findings that stand, as the page shows them."""
    run = _run(reader, asked)
    return reader.alerts(run.run, asked) if run is not None else Alerts(None, 1, 1, 0, [])


@get("/api/rounds/{day:date}/{name:path}", sync_to_thread=True)
def round_told(reader: Reader, asked: Asked, day: date, name: str, revision: int | None = None) -> Told:
    """Give a round with its money, its findings and those withdrawn."""
    return _round(reader, asked, day, name, revision)


@get("/api/shoes/{day:date}/{name:path}", sync_to_thread=True)
def shoe_told(reader: Reader, asked: Asked, day: date, name: str, revision: int | None = None) -> Told:
    """Give what was found about a shoe as a whole."""
    return _shoe(reader, asked, day, name, revision)


@get("/healthz", sync_to_thread=True)
def healthz(reader: Reader) -> dict[str, str | int]:
    """Tell that the store answers, and how many runs it holds."""
    return {"status": "ok", "runs": len(reader.runs())}


def _page(reader: Reader, asked: Asked, told: Told) -> Template:
    return Template("told.html", context={"told": told, "run": _run(reader, asked), "asked": asked})


def _round(reader: Reader, asked: Asked, day: date, name: str, revision: int | None) -> Told:
    run = _run(reader, asked)
    told = reader.round(run.run, day, name.removeprefix("/"), revision) if run is not None else None
    return _found(told, f"There is no round {name.removeprefix('/')} of {day}", revision)


def _shoe(reader: Reader, asked: Asked, day: date, name: str, revision: int | None) -> Told:
    run = _run(reader, asked)
    told = reader.shoe(run.run, day, name.removeprefix("/"), revision) if run is not None else None
    return _found(told, f"There is nothing about a shoe {name.removeprefix('/')} of {day}", revision)


def _found(told: Told | None, otherwise: str, revision: int | None) -> Told:
    if told is None:
        of_that = f" with revision {revision}" if revision is not None else ""
        raise NotFoundException(f"{otherwise}{of_that} in this store.")
    return told


async def _guard(message: Message, _scope: Scope) -> None:
    if message["type"] == "http.response.start":
        MutableScopeHeaders(message).update(_HEADERS)


def _refused(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    if error.status_code >= _INTERNAL:
        return _failed(request, error)
    return _saying(request, error.status_code, error.detail)


def _failed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    _log.error("request_failed", method=request.method, path=request.url.path, exc_info=error)
    return _saying(request, _INTERNAL, "This could not be shown; the log says why.")


def _saying(request: Request[Any, Any, Any], status: int, says: str) -> Response[Any]:
    if request.url.path.startswith("/api/"):
        return Response({"error": says}, status_code=status)
    return Template("said.html", context={"title": str(status), "says": says}, status_code=status)
