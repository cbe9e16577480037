"""The console: its routes, templates and headers; what a request's body may be; the API's description."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from email.utils import formatdate
from functools import cache, lru_cache
from hashlib import blake2b
from mimetypes import guess_type
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import msgspec
import structlog
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import HttpMethod, Litestar, Request, Response, route
from litestar.datastructures import MutableScopeHeaders, State
from litestar.di import Provide
from litestar.enums import RequestEncodingType
from litestar.exceptions import (
    ClientException,
    HTTPException,
    InternalServerException,
    NotFoundException,
)
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Template
from litestar.response.file import create_etag_for_file
from litestar.template import TemplateConfig
from litestar.types import Message, Scope

from projections.catalogue import TRADE_NAMES, check_name
from projections.engine.facts import Fact
from projections.engine.findings import SEVERITIES
from projections.notify.notifier import Notifier
from projections.notify.outbox import Outbox, outbox_of
from projections.store.attachments import AttachmentFiles, attachments_of
from projections.views import time_text
from projections.views.text import CompiledTemplates, text
from projections.web.api_description import Structs, api_page, described
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from projections.web.auth.guard import SESSION, root_of
from projections.web.auth.roles import Person
from projections.web.bootstrap import OpenConsole, wall_clock
from projections.web.delivery import VERSION, DeliveryMiddleware
from projections.web.live.live_routes import LIVE_ROUTES, Ticking
from projections.web.live.notification_service import ConsolePeople, Notifying
from projections.web.pages.action_routes import ACTING, Refusal, actor, dialog_choices
from projections.web.pages.alert_page import ALERT, ALERT_LOOKUP, floor_context
from projections.web.pages.attachment_routes import TooLarge, attachment_routes
from projections.web.pages.coupons_page import COUPONS
from projections.web.pages.day_page import DAY_PAGES
from projections.web.pages.dispute_pages import DISPUTES
from projections.web.pages.event_pages import EVENTS
from projections.web.pages.finding_pages import FINDINGS, QUARANTINE, record_key
from projections.web.pages.floor_page import FLOOR
from projections.web.pages.health_page import HEALTH
from projections.web.pages.home_page import HOME
from projections.web.pages.list_queries import read_list_query
from projections.web.pages.notification_pages import NOTIFICATIONS
from projections.web.pages.queue_page import BREACHES, QUEUE, QUEUE_GIVEN
from projections.web.pages.queue_stream import StreamCache
from projections.web.pages.replay_page import REPLAY
from projections.web.pages.report_pages import REPORTS, report_reader
from projections.web.pages.search import FIND
from projections.web.pages.surveillance_log_page import LOGBOOK
from projections.web.pages.table_pages import TABLE_DAYS, TABLES
from projections.web.pages.wall_page import WALL
from projections.web.phrases import page_phrases
from projections.web.phrases.call_script import HAND_WORDS
from projections.web.phrases.page_phrases import SIDES
from projections.web.phrases.refusals import plain_refusal
from projections.web.records.embargo_targets import StoredRecords
from projections.web.records.store_queries import Reader
from projections.web.records.table_play import FloorPlay
from projections.web.records.viewer_scope import viewer_scope
from schemas.law_text import STATUSES
from schemas.values import capital, dollars, in_words, moment

# ── A request to the console, whose body may be anything at all ───────────────────────────────────────


class BodyChecked(Request[Any, Any, Any]):
    """A request whose unreadable body is a client error, not a server error."""

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
            TooLarge: it is longer than its route takes.
        """
        try:
            async for piece in super().stream():
                yield piece
        except RequestEntityTooLarge:
            limit = self.route_handler.resolve_request_max_body_size() or 0
            raise TooLarge(limit, is_file=self.content_type[0] == RequestEncodingType.MULTI_PART) from None
        except InternalServerException:
            raise ClientException("The body ended before it was whole.") from None


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The files that the pages are made of. Pages name them with the digest of all, so that a browser asks for
# each once; what is asked for without it, or with an older one, is sent again only if it has changed.

_FOLDER: Final = Path(__file__).parent.resolve() / "static"
_NOT_MODIFIED: Final = 304
_VERSION: Final = re.compile(r"[0-9a-f]{16}")
_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_ASKED_AGAIN: Final = "public, no-cache"


@cache
def static_version() -> str:
    """Return the digest of all static files, 16 hexadecimal digits; read once."""
    digest = blake2b(digest_size=8)
    for path in sorted(_FOLDER.iterdir()):
        digest.update(path.name.encode() + b"\0" + blake2b(path.read_bytes()).digest())
    return digest.hexdigest()


@route(
    "/static/{name:path}",
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    opt={"needs": None},  # open to everybody, as they contain no data
    include_in_schema=False,
)
async def static_file(request: Request[Any, Any, Any]) -> Response[bytes | None]:
    """Answer with a file, or that a browser has it as it is.

    Raises:
        NotFoundException: there is no such file.
    """
    address = request.path_params["name"].lstrip("/")
    version, _, name = address.partition("/")
    if not _VERSION.fullmatch(version):
        version, name = "", address
    try:
        path = (_FOLDER / name).resolve()
        if not path.is_relative_to(_FOLDER) or not path.is_file():
            raise NotFoundException
    except (OSError, ValueError):  # no file can be called so: too long, or with a zero byte in it
        raise NotFoundException from None
    stat = path.stat()
    mark = create_etag_for_file(path, stat.st_mtime, stat.st_size)
    headers = {"ETag": mark, "Cache-Control": _IMMUTABLE if version == static_version() else _ASKED_AGAIN}
    # A proxy that packs the file makes the mark a weak one.
    if request.headers.get("If-None-Match", "").removeprefix("W/") == mark:
        return Response(None, status_code=_NOT_MODIFIED, headers=headers)
    headers["Last-Modified"] = formatdate(stat.st_mtime, usegmt=True)
    return Response(_content(path, mark), media_type=guess_type(path.name)[0], headers=headers)


@lru_cache(maxsize=64)  # more files than there are
def _content(path: Path, _mark: str) -> bytes:
    """Read a file, once until it is changed: a page asks for two dozen of them."""
    return path.read_bytes()


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The console: its routes, its templates, its headers, and its error pages.

_HERE: Final = Path(__file__).parent
_SEVERITIES: Final = SEVERITIES[:-1]  # no alert is of a note
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
# The place of an error in msgspec's message.
_IN_BODY: Final = re.compile(r" - at `\$\.data(?:\.(.+))?`$")
_OUT_OF_FORM_CODE: Final = "out_of_form"
_OF_PEOPLE: Final = ("/accounts/", "/api/accounts/", "/api/views/")  # routes with names of people in them
_TITLES: Final = {
    400: "Not understood",
    403: "Not for your role",
    404: "Not found",
    405: "Not found",
    409: "Not possible now",
    413: "Too large",
    429: "Too many requests",
    500: "This could not be shown",
}
# The pages in the header: the path of each, its title, and the rights of which one is required.
_MAIN_PAGES: Final = (
    ("/home", "Home", ["finance"]),
    ("/", "Alerts", ["queue"]),
    ("/floor", "Floor", ["queue"]),
    ("/findings", "Findings", ["see"]),
    ("/disputes", "Disputes", ["see"]),
    ("/log", "Log", ["read_log"]),
    ("/coupons", "Coupons", ["see"]),
    ("/reports", "Reports", ["see"]),
    ("/health", "Health", ["health"]),
    ("/audit", "Access log", ["audit"]),
    ("/embargoes", "Embargoes", ["embargo", "lift"]),
    ("/accounts", "Accounts", ["accounts"]),
)

_log: Final = structlog.get_logger()


class Services:
    """Services of a console: those made here, and those of `opened`, which routes ask for by name.

    Raises:
        BadInput: the file of accounts beside the store cannot be made or opened.
    """

    def __init__(self, opened: OpenConsole) -> None:
        reader = Reader(opened.live.db, opened.house, opened.left_out)
        opened.house_readers.append(reader)
        settings = opened.commands.alert_queue.settings
        self.opened, self.reader, self.room_settings = opened, reader, settings
        self.common = StreamCache(opened.commands)
        self.floor_play = FloorPlay(reader)
        self.attachments = AttachmentFiles(attachments_of(opened.path))
        self.auth = AuthService(
            opened.path,
            opened.live.zone,
            records=StoredRecords(reader, opened.commands, wall_clock),
            provider=opened.settings.provider,
            second_factor=settings.second_factor,
            granted={"queue": settings.queue_for, "read_log": settings.log_for},
        )
        opened.commands.alert_queue.set_embargo_source(self.auth.embargoes.withheld)
        self.auth.embargoes.follow(opened.commands.note_embargo_change)
        self.notifier = _notifier(opened, self.auth)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look at the clock, and send what is due, while the context is open."""
        async with AsyncExitStack() as stack:
            if self.notifier is not None:
                await stack.enter_async_context(Notifying(self.notifier).lifespan())
            ticking = Ticking(self.opened.commands, self.opened.live, self.auth, wall_clock)
            await stack.enter_async_context(ticking.lifespan())
            yield

    def close(self) -> None:
        """Close the store, after all that writes into it has ended."""
        self.reader.close()
        self.opened.store.close()

    def overdue_for(self, person: Person) -> int:
        """Count for the head of every page what a person may see that is overdue and nobody has."""
        hidden = self.auth.embargoes.hidden(person.name).subjects
        return self.opened.commands.overdue_rows(wall_clock(), hidden)


# What routes can ask for, and which attribute of the services it is.
_PROVIDED: Final = {
    **{each: each for each in ("reader", "room_settings", "common", "floor_play", "attachments", "notifier")},
    "live": "opened.live",
    "commands": "opened.commands",
    **{
        each: f"opened.settings.{each}"
        for each in ("cameras", "events", "bundles", "report_forms", "notifications")
    },
}


def console(opened: OpenConsole) -> Litestar:
    """Build the application on an open store; the store is closed when the application is shut down.

    Raises:
        BadInput: the file of accounts beside the store cannot be made or opened.
    """
    services = Services(opened)
    app = application(services.auth, services.room_settings.attachment_megabytes)
    app.state.services = services
    app.state.templates.globals |= {"live": opened.live, "overdue_for": services.overdue_for}
    return app


class _Application(Litestar):
    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        # Litestar's own load pydantic where it is installed, for a tenth of a second; no type here is of it.
        return plugins


def application(auth: AuthService, attachment_megabytes: int) -> Litestar:
    """Build the routes, templates and headers; routes find what they work with in the application's state."""
    structs, environment = Structs(), templates()
    return _Application(
        route_handlers=[
            *QUEUE,
            *BREACHES,
            *ACTING,
            *ALERT_LOOKUP,
            *ALERT,
            *TABLES,
            *FIND,
            *DISPUTES,
            attachment_routes(attachment_megabytes),
            *LOGBOOK,
            *FINDINGS,
            *EVENTS,
            *REPLAY,
            *FLOOR,
            *WALL,
            *TABLE_DAYS,
            *LIVE_ROUTES,
            *COUPONS,
            *HEALTH,
            api_page,
            *NOTIFICATIONS,
            *QUARANTINE,
            *REPORTS,
            *DAY_PAGES,
            *HOME,
            static_file,
        ],
        dependencies={
            **{name: Provide(_service(path), sync_to_thread=False) for name, path in _PROVIDED.items()},
            "list_query": Provide(read_list_query, sync_to_thread=False),
            "about": Provide(record_key, sync_to_thread=True),
            "actor": Provide(actor, sync_to_thread=True),
            "dialog_choices": Provide(dialog_choices, sync_to_thread=True),
            "floor_context": Provide(floor_context, sync_to_thread=False),
            "report_reader": Provide(report_reader, sync_to_thread=False),
            "viewer_scope": Provide(viewer_scope, sync_to_thread=False),
            "wall_clock": Provide(lambda: wall_clock, sync_to_thread=False),
            **QUEUE_GIVEN,
        },
        request_class=BodyChecked,
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(environment)),
        exception_handlers={HTTPException: _refused, Exception: _failed},
        before_send=[_guard],
        middleware=[DeliveryMiddleware],
        state=State({"templates": environment}),
        lifespan=[lambda app: app.state.services.running()],
        on_shutdown=[_close],
        plugins=[Access(auth), structs, MsgspecDIPlugin()],
        openapi_config=described(structs),
        logging_config=None,
    )


def _close(app: Litestar) -> None:
    app.state.services.close()


def _service(path: str) -> Callable[[State], Any]:
    find = attrgetter(path)

    def provide(state: State) -> Any:
        return find(state.services)

    return provide


def _notifier(opened: OpenConsole, auth: AuthService) -> Notifier | None:
    """Build the notifier of the console's escalation file; None if there is no such file."""
    sent = opened.settings.notifications
    if sent is None:
        return None
    outbox = Outbox(outbox_of(opened.path), wall_clock())
    people = ConsolePeople(auth)
    notifier = Notifier(
        sent.escalation, sent.channels, outbox, opened.commands, people, opened.house, wall_clock
    )
    opened.house_readers.append(notifier)
    opened.notification_readers.append(notifier)
    return notifier


def templates() -> Environment:
    """Build the template environment: filters, and the words that templates use."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        bytecode_cache=CompiledTemplates(str(_HERE / "__pycache__")),
        auto_reload=False,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: text(value) if isinstance(value, Fact) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "capital": capital,
        "card": page_phrases.card,
        "check_name": check_name,
        "date": time_text.date_text,
        "dollars": dollars,
        "pace": page_phrases.pace,
        "plain": in_words,
        "text": text,
    }
    made.globals |= HAND_WORDS | {"sides": SIDES, "trade_names": TRADE_NAMES}
    made.globals |= {
        "act": page_phrases.act,
        "asking": page_phrases.queue_query,
        "clock": time_text.clock,
        "clock_to_milliseconds": time_text.clock_to_milliseconds,
        "day_and_milliseconds": time_text.day_and_milliseconds,
        "page_version": lambda request: request.scope["state"].get(VERSION, ""),
        "duration_text": time_text.duration_text,
        "locale_in_use": time_text.locale_in_use,
        "static_version": static_version(),
        "minute": time_text.minute,
        "moment": time_text.moment_text,
        "other_day": time_text.other_day,
        "zone": time_text.zone_of,
        "instant": moment,
        "narrowed": page_phrases.narrowed,
        "chips": page_phrases.chips,
        "concerning": page_phrases.concerning,
        "page_of": page_phrases.page_of,
        "place": page_phrases.place,
        "rooms": _MAIN_PAGES,
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
        headers = MutableScopeHeaders(message)
        for name, value in _HEADERS.items():
            headers.setdefault(
                name, value
            )  # what people stored beside the store is served by a narrower policy


def _refused(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    if error.status_code >= _INTERNAL:
        # Litestar takes `data.about` of a body for what the routes are given by the name of `about`.
        if (refusal := _of_body(error)) is None:
            return _failed(request, error)
        return _error_page(request, _OUT_OF_FORM, refusal)
    if isinstance(error.extra, list):
        detail = [plain_refusal(each["message"], each["key"]) for each in error.extra]
        field = next((each["key"] for each in error.extra), None)
        refusal = Refusal("; ".join(detail) or plain_refusal(error.detail), _OUT_OF_FORM_CODE, field)
        return _error_page(request, error.status_code, refusal)
    refusal = Refusal(plain_refusal(error.detail), **(error.extra or {}))
    return _error_page(request, error.status_code, refusal)


def _of_body(error: HTTPException) -> Refusal | None:
    """Return what is out of form in a body; None if it is not the body that is."""
    cause = error.__cause__
    found = _IN_BODY.search(str(cause)) if isinstance(cause, msgspec.ValidationError) else None
    if found is None:
        return None
    message = str(cause)[: found.start()]
    return Refusal(plain_refusal(message, found[1] or "data"), _OUT_OF_FORM_CODE, found[1])


def _failed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    _log.error("request_failed", method=request.method, path=_logged(request), exc_info=error)
    return _error_page(request, _INTERNAL, Refusal("This could not be shown; the log says why."))


def _logged(request: Request[Any, Any, Any]) -> str:
    """Return the path for the log: without what is asked of it, and without the name of a person in it."""
    route = str(request.scope.get("path_template", ""))
    return route if route.startswith(_OF_PEOPLE) else request.url.path


def _error_page(request: Request[Any, Any, Any], status: int, refusal: Refusal) -> Response[Any]:
    if request.url.path.removeprefix(root_of(request)).startswith("/api/"):
        return Response(refusal, status_code=status)
    _know_sender(request)
    title = _TITLES.get(status, "This was not done")
    return Template("message.html", context={"title": title, "sentence": refusal.error}, status_code=status)


def _know_sender(request: Request[Any, Any, Any]) -> None:
    """Set the sender of a request that has no route and hence no guard: the header shows their pages."""
    token = request.cookies.get(SESSION)
    if request.scope.get("user") is None and token is not None:
        request.scope["user"] = request.app.plugins.get(Access).auth.person(token)
