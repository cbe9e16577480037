"""Delivery of answers: pages rendered by a thread, text packed, 304 for what the browser has."""

import gzip
import re
from asyncio import to_thread
from collections.abc import Callable
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Any, Final

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.response import Response, Template
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

VERSION: Final = "page_version"  # of a request's state: `LiveFloor.version` before anything was read for it
_TEXT_TYPES: Final = frozenset(
    {"text/html", "text/css", "text/csv", "text/javascript", "application/javascript", "application/json",
     "application/vnd.oai.openapi+json", "image/svg+xml"}
)  # fmt: skip
_HTML: Final = "text/html"
_MIN_BYTES: Final = 1_000  # bytes, below which packing saves no packet
_MAX_BYTES: Final = (
    4 << 20
)  # bytes: what comes in pieces and is longer, or of unknown length, is passed on as it comes
_LEVEL: Final = 5  # of gzip: 250 kB take 4 ms
_THREAD_BYTES: Final = 20_000  # from this size on it is compressed outside the event loop
# Another site's page could have a browser ask for pages with words of its choice in them, and learn from the
# length of what comes back, packed, whether they are in the page already (BREACH).
_OTHER_SITES: Final = frozenset({"cross-site", "same-site"})
# Parts that change every second and for which no page is fetched: its version, how the floor is followed (the
# stream sends that), and the present time in the forms of a new log entry and of a ruling.
_VOLATILE: Final = re.compile(
    rb'(?<= data-version=")[^"]*'
    rb'|(?<=<p class="quiet" id="follows">\n<span>)[^<]*'
    rb'|(?<= name="entry\.at" data-sort="time" value=")[^"]*'
    rb'|(?<= name="ruling\.ruled" data-sort="time" value=")[^"]*'
)


class DeliveryMiddleware:
    """Packs text for browsers that unpack it, and marks pages, so that none is sent that is the same."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        scope["state"][VERSION] = scope["litestar_app"].state.services.opened.live.version
        await self._app(scope, receive, _Answer(Headers.from_scope(scope), scope["method"], send).add)


class _Answer:
    """One answer: gathered if it is text and not too long, else passed on."""

    def __init__(self, request_headers: Headers, method: str, send: Send) -> None:
        self._tag = request_headers.get("if-none-match", "") if method == "GET" else None
        self._unpacks = (
            "gzip" in request_headers.get("accept-encoding", "")
            and request_headers.get("sec-fetch-site") not in _OTHER_SITES
        )
        self._send = send
        self._start: HTTPResponseStartEvent | None = None
        self._body = bytearray()

    async def add(self, message: Message) -> None:
        """Add the next part of the response."""
        if message["type"] == "http.response.start" and _kind(message) in _TEXT_TYPES:
            self._start = message
        elif message["type"] != "http.response.body" or self._start is None:
            await self._send(message)
        elif message["more_body"] and not self._body and _length(self._start) > _MAX_BYTES:
            start, self._start = self._start, None
            await self._send(start)
            await self._send(message)
        else:
            self._body += message["body"]
            if not message["more_body"]:
                await self._end(self._start, bytes(self._body))

    async def _end(self, start: HTTPResponseStartEvent, body: bytes) -> None:
        headers = MutableScopeHeaders(start)
        if self._tag is not None and start["status"] == 200 and _kind(start) == _HTML:  # noqa: PLR2004  OK
            headers["ETag"] = f'W/"{blake2b(_VOLATILE.sub(b"", body), digest_size=16).hexdigest()}"'
            if headers["ETag"] == self._tag:
                start["status"], body = 304, b""
                for each in ("Content-Type", "Content-Length"):
                    del headers[each]
        if len(body) >= _MIN_BYTES and "Content-Encoding" not in headers:
            headers.extend_header_value("Vary", "Accept-Encoding")
            if self._unpacks:
                headers["Content-Encoding"] = "gzip"
                # A file of which pages are made is the same for everybody, each time.
                pack = _pack_once if "public" in headers.get("Cache-Control", "") else _pack
                body = await to_thread(pack, body) if len(body) >= _THREAD_BYTES else pack(body)
                headers["Content-Length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body, "more_body": False})


def _pack(body: bytes) -> bytes:
    return gzip.compress(body, _LEVEL)


_pack_once: Final = lru_cache(maxsize=64)(_pack)  # more than there are such files


def _kind(start: HTTPResponseStartEvent) -> str:
    return str(MutableScopeHeaders(start).get("Content-Type", "")).partition(";")[0]


def _length(start: HTTPResponseStartEvent) -> int:
    return int(MutableScopeHeaders(start).get("Content-Length", _MAX_BYTES + 1))


# ── Pages that are rendered outside the event loop, which meanwhile sends the news to all streams ──────


class ThreadedPage(Response[Any]):
    """A page of a template that a thread renders."""

    def __init__(self, page: Template) -> None:
        super().__init__(content=None)
        self._page = page

    def to_asgi_response(self, *args: Any, **options: Any) -> ASGIResponse:
        """Return a response that is rendered when it is sent."""
        return _DeferredResponse(partial(self._page.to_asgi_response, *args, **options))


class _DeferredResponse(ASGIResponse):
    def __init__(self, render: Callable[[], ASGIResponse]) -> None:
        super().__init__()
        self._render = render

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await to_thread(self._render)
        await response(scope, receive, send)
