"""The console: its routes, templates and headers; what a request's body may be, and what browsers keep."""

import re
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import structlog
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Litestar, Request, Response, Router
from litestar.datastructures import CacheControlHeader, MutableScopeHeaders
from litestar.di import Provide
from litestar.exceptions import ClientException, HTTPException, InternalServerException, NotFoundException
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Template
from litestar.response.file import create_etag_for_file
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig
from litestar.types import Message, Scope

from projections.casework.command_handler import CommandHandler
from projections.engine.facts import Fact
from projections.engine.findings import Severity
from projections.views.text import text
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import Entry
from projections.web.auth.guard import root_of
from projections.web.auth.roles import Person
from projections.web.bootstrap import Opened, clock
from projections.web.live.broadcaster import Live
from projections.web.live.clock_tick import Ticking
from projections.web.live.live_routes import LIVE_ROUTES
from projections.web.openapi import Structs, described
from projections.web.pages.action_routes import ACTING, actor
from projections.web.pages.alert_lookup import ASKING
from projections.web.pages.alert_page import ALERT, around
from projections.web.pages.coupons_page import COUPONS
from projections.web.pages.dispute_pages import DISPUTES
from projections.web.pages.event_pages import EVENTS
from projections.web.pages.finding_pages import FINDINGS, QUARANTINE, about, asked_for
from projections.web.pages.floor_page import FLOOR
from projections.web.pages.health_page import HEALTH
from projections.web.pages.overdue_page import BREACHES
from projections.web.pages.queue_page import QUEUE, QUEUE_GIVEN
from projections.web.pages.queue_stream import Common
from projections.web.pages.report_pages import REPORTS
from projections.web.pages.search import FIND
from projections.web.pages.surveillance_log_page import LOGBOOK
from projections.web.pages.table_day_pages import ROOMS
from projections.web.pages.table_rounds_page import TABLES
from projections.web.phrases import page_phrases
from projections.web.phrases.call_script import HAND_WORDS
from projections.web.phrases.money_phrases import SIDES
from projections.web.records.embargo_targets import StoredRecords
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import sight
from schemas.law_text import STATUSES
from schemas.values import dollars, in_words, moment

# ── A request to the console, whose body may be anything at all ───────────────────────────────────────


class BodyChecked(Request[Any, Any, Any]):
    """A request whose body is refused, and is no fault of ours, where nobody could read it."""

    async def json(self) -> Any:
        """Read the body as JSON.

        Raises:
            ClientException: it is not UTF-8, or nested deeper than anything that is asked of us.
        """
        try:
            return await super().json()
        except UnicodeDecodeError:
            raise ClientException("The body is not UTF-8.") from None
        except RecursionError:
            raise ClientException("The body is nested too deep.") from None

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """Read the body piece by piece.

        Raises:
            ClientException: who sent it went away before all of it was there.
        """
        try:
            async for piece in super().stream():
                yield piece
        except InternalServerException:
            raise ClientException("The body ended before it was whole.") from None


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The files that the pages are made of: a browser keeps them, and is sent again only what has changed.

_FOLDER: Final = Path(__file__).parent.resolve() / "static"
_NOT_MODIFIED: Final = 304


async def _unchanged(request: Request[Any, Any, Any]) -> Response[None] | None:
    """Answer a browser that has a file as it is; the router answers everybody else."""
    try:
        path = (_FOLDER / request.path_params["file_path"].lstrip("/")).resolve()
        if not path.is_relative_to(_FOLDER) or not path.is_file():
            return None
    except (OSError, ValueError):  # no file can be called so: too long, or with a zero byte in it
        raise NotFoundException from None
    stat = path.stat()
    mark = create_etag_for_file(path, stat.st_mtime, stat.st_size)
    # A proxy that packs the file makes the mark a weak one.
    if request.headers.get("If-None-Match", "").removeprefix("W/") != mark:
        return None
    return Response(None, status_code=_NOT_MODIFIED, headers={"ETag": mark})


def static_files() -> Router:
    """Make the route of the files, which is open to nobody in particular: there is nothing in them."""
    return create_static_files_router(
        "/static",
        [_FOLDER],
        opt={"needs": None},
        cache_control=CacheControlHeader(public=True, no_cache=True),
        before_request=_unchanged,
    )


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The console: its routes, its templates, its headers, and what it says when something cannot be shown.

_HERE: Final = Path(__file__).parent
_SEVERITIES: Final = [severity for severity in get_args(Severity) if severity != "note"]
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_OUT_OF_FORM: Final = 400
_INTERNAL: Final = 500
# Where msgspec says that what it refuses stands.
_IN_BODY: Final = re.compile(r" - at `\$\.data(?:\.(.+))?`$")
_OF_PEOPLE: Final = ("/accounts/", "/api/accounts/", "/api/views/")  # routes with names of people in them
# Of a form that something does not have, its regular expression tells nobody what to do.
_NO_FORM: Final = re.compile(r"Expected `str` matching regex .*", re.DOTALL)
_PLAINLY: Final = "it is blank, or has a sign in it that does not belong there"
# The pages that the header leads to: where each is, what it is called, and the rights, one of which it needs.
_ROOMS: Final = (
    ("/", "Alerts", ["see"]),
    ("/floor", "Floor", ["see"]),
    ("/findings", "Findings", ["see"]),
    ("/disputes", "Disputes", ["see"]),
    ("/log", "Log", ["see"]),
    ("/coupons", "Coupons", ["see"]),
    ("/reports", "Reports", ["see"]),
    ("/health", "Health", ["health"]),
    ("/audit", "Who looked", ["audit"]),
    ("/embargoes", "Embargoes", ["embargo", "lift"]),
    ("/accounts", "Accounts", ["accounts"]),
)

_log: Final = structlog.get_logger()


def console(opened: Opened) -> Litestar:
    """Make the application on a store that was opened for it; the store is closed when it is shut down.

    Raises:
        BadInput: the file of accounts beside the store cannot be made or opened.
    """
    reader = Reader(opened.live.db, opened.house)
    dependencies = {
        "reader": reader,
        "live": opened.live,
        "commands": opened.desk,
        "room_settings": opened.desk.board.room,
    }
    dependencies |= {"cameras": opened.cameras, "common": Common(opened.desk)}
    dependencies |= {"events": opened.events, "bundles": opened.bundles}
    entry = Entry(
        opened.path,
        opened.live.zone,
        records=StoredRecords(reader, opened.desk, clock),
        provider=opened.provider,
    )
    opened.desk.board.withhold(entry.embargoes.withheld)
    entry.embargoes.follow(opened.desk.withheld_anew)
    structs = Structs()
    made = templates(opened.live)
    made.globals["overdue_for"] = _overdue(opened.desk, entry)
    return Litestar(
        route_handlers=[
            *QUEUE,
            *BREACHES,
            *ACTING,
            *ASKING,
            *ALERT,
            *TABLES,
            *FIND,
            *DISPUTES,
            *LOGBOOK,
            *FINDINGS,
            *EVENTS,
            *FLOOR,
            *ROOMS,
            *LIVE_ROUTES,
            *COUPONS,
            *HEALTH,
            *QUARANTINE,
            *REPORTS,
            static_files(),
        ],
        dependencies={
            **{name: Provide(_always(each), sync_to_thread=False) for name, each in dependencies.items()},
            "list_query": Provide(asked_for, sync_to_thread=False),
            "about": Provide(about, sync_to_thread=True),
            "actor": Provide(actor, sync_to_thread=True),
            "around": Provide(around, sync_to_thread=False),
            "sight": Provide(sight, sync_to_thread=False),
            "wall": Provide(_always(clock), sync_to_thread=False),
            **QUEUE_GIVEN,
        },
        request_class=BodyChecked,
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(made)),
        exception_handlers={HTTPException: _refused, Exception: _failed},
        before_send=[_guard],
        on_shutdown=[reader.close, opened.store.close],
        lifespan=[Ticking(opened.desk, opened.live, entry, clock).lifespan],
        plugins=[Access(entry), structs],
        openapi_config=described(structs),
        logging_config=None,
    )


def _always(value: Any) -> Callable[[], Any]:
    return lambda: value


def _overdue(commands: CommandHandler, entry: Entry) -> Callable[[Person], int]:
    """Count for the head of every page what a person may see that is overdue and nobody has."""
    return lambda person: commands.overdue_rows(clock(), entry.embargoes.hidden(person.name).subjects)


def templates(live: Live) -> Environment:
    """Make what renders the pages: filters, and the words that templates use."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda shown: text(shown) if isinstance(shown, Fact) else shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "card": page_phrases.card,
        "dollars": dollars,
        "pace": page_phrases.pace,
        "plain": in_words,
        "text": text,
    }
    made.globals |= HAND_WORDS | {"sides": SIDES}
    made.globals |= {
        "act": page_phrases.act,
        "asking": page_phrases.queue_query,
        "clock": page_phrases.clock,
        "felt": page_phrases.felt,
        "live": live,
        "minute": page_phrases.minute,
        "moment": page_phrases.moment,
        "other_day": page_phrases.other_day,
        "zone": page_phrases.zone_of,
        "instant": moment,
        "narrowed": page_phrases.narrowed,
        "chips": page_phrases.chips,
        "concerning": page_phrases.concerning,
        "page_of": page_phrases.page_of,
        "place": page_phrases.place,
        "rooms": _ROOMS,
        "segment": page_phrases.segment,
        "severities": _SEVERITIES,
        "statuses": STATUSES,
        "subject": page_phrases.subject,
        "titled": page_phrases.titled,
        "whose": page_phrases.whose,
    }
    return made


async def _guard(message: Message, _scope: Scope) -> None:
    if message["type"] == "http.response.start":
        MutableScopeHeaders(message).update(_HEADERS)


def _refused(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    if error.status_code >= _INTERNAL:
        # Litestar takes `data.entry` of a body for what the routes are given by the name of `entry`.
        if (says := _of_body(error)) is None:
            return _failed(request, error)
        return _error_page(request, _OUT_OF_FORM, says)
    detail = (
        [f"{each['key']}: {_NO_FORM.sub(_PLAINLY, each['message'])}" for each in error.extra]
        if isinstance(error.extra, list)
        else []
    )
    return _error_page(request, error.status_code, "; ".join(detail) or error.detail)


def _of_body(error: HTTPException) -> str | None:
    """Return what is out of form in a body; None where it is not the body that is."""
    cause = error.__cause__
    found = _IN_BODY.search(str(cause)) if isinstance(cause, msgspec.ValidationError) else None
    if found is None:
        return None
    message = str(cause)[: found.start()]
    return f"{found[1] or 'data'}: {_NO_FORM.sub(_PLAINLY, message)}"


def _failed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    _log.error("request_failed", method=request.method, path=_logged(request), exc_info=error)
    return _error_page(request, _INTERNAL, "This could not be shown; the log says why.")


def _logged(request: Request[Any, Any, Any]) -> str:
    """Return the path for the log: without what is asked of it, and without the name of a person in it."""
    route = str(request.scope.get("path_template", ""))
    return route if route.startswith(_OF_PEOPLE) else request.url.path


def _error_page(request: Request[Any, Any, Any], status: int, says: str) -> Response[Any]:
    if request.url.path.removeprefix(root_of(request)).startswith("/api/"):
        return Response({"error": says}, status_code=status)
    return Template("said.html", context={"title": str(status), "says": says}, status_code=status)
