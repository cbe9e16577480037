"""The server of the console: how it ends, and what it believes of a proxy before it."""

import asyncio
import hashlib
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any, Final

import structlog
import uvicorn
from litestar import Litestar
from msgspec import Struct
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from projections.web.auth.guard import SESSION
from projections.web.live.broadcaster import LiveFloor
from projections.web.live.live_routes import BEHIND

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

_AGAIN: Final = 60.0  # seconds after which it is logged again of the same client
_MANY: Final = 4096  # clients, from which on those are forgotten who have all of their share again
_STREAM: Final = "/stream"
_REFUSED: Final = b"Too many connections.\n"

_log: Final = structlog.get_logger()


class Share(Struct, frozen=True):
    """Rate limit: how many requests one may make at once, and how many more each second."""

    at_once: int
    a_second: float


class Limits(Struct, frozen=True):
    """Limits of one client; seconds, bytes and numbers.

    A page makes up to 20 requests, and fifty people may stand behind one address.
    """

    head: float = 10.0  # seconds until the head of a request is there
    body: float = 30.0  # seconds from then until its body is
    head_bytes: int = 65_536
    connections: int = 512  # of an address; the proxy's that was named has no such limit
    of_session: Share = Share(1_000, 50.0)
    of_address: Share = Share(5_000, 250.0)
    streams_of_session: int = 6  # the pages of a browser share theirs
    streams_of_address: int = 300


USUAL: Final = Limits()


class _Once:
    """Logs that a limit was reached: once a minute for each client, and no secret of a client's."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, str], float] = {}

    def tell(self, limit: str, address: str) -> None:
        """Log which limit was reached from which address."""
        now = time.monotonic()
        if now < self._told.get((limit, address), 0.0):
            return
        if len(self._told) >= _MANY:
            self._told = {each: until for each, until in self._told.items() if until > now}
        self._told[limit, address] = now + _AGAIN
        _log.warning("limit_reached", limit=limit, address=address)


class _RequestShares:
    """Remaining share of requests of each client; it recovers with time."""

    def __init__(self, share: Share) -> None:
        self._share = share
        self._left: dict[str, tuple[float, float]] = {}  # how much there was, and when

    def wait(self, client: str) -> float:
        """Count a request of a client; return the seconds to wait if none is left."""
        now = time.monotonic()
        if len(self._left) >= _MANY and client not in self._left:
            self._left = {
                each: then for each, then in self._left.items() if self._now(*then, now) < self._share.at_once
            }
        left = self._now(*self._left.get(client, (self._share.at_once, now)), now)
        if left < 1:
            return (1 - left) / self._share.a_second
        self._left[client] = (left - 1, now)
        return 0.0

    def _now(self, left: float, since: float, now: float) -> float:
        return min(self._share.at_once, left + (now - since) * self._share.a_second)


class LimitMiddleware:
    """An application that rejects a client who sends more than its share of requests.

    A client is the session, by its cookie or token whether it is valid or not, and the address as the server
    knows it: a proxy's header counts if the proxy is the named one.
    """

    def __init__(self, app: Any, limits: Limits, root: str = "") -> None:
        self._app, self._limits, self._root = app, limits, root
        self._of_session = _RequestShares(limits.of_session)
        self._of_address = _RequestShares(limits.of_address)
        self._streams: Counter[str] = Counter()
        self._once = _Once()

    async def __call__(
        self, scope: "Scope", receive: "ASGIReceiveCallable", send: "ASGISendCallable"
    ) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        address, session = _address(scope), _session(scope)
        wait = self._of_address.wait(f"address {address}")
        limit = "requests of an address"
        if not wait and session is not None:
            wait, limit = self._of_session.wait(session), "requests of a session"
        if wait:
            self._once.tell(limit, address)
            await _refuse(send, wait)
        elif scope["path"].removeprefix(self._root) == _STREAM:
            await self._stream(scope, receive, send, address, session)
        else:
            await self._app(scope, receive, send)

    async def _stream(
        self,
        scope: "HTTPScope",
        receive: "ASGIReceiveCallable",
        send: "ASGISendCallable",
        address: str,
        session: str | None,
    ) -> None:
        most = {f"address {address}": self._limits.streams_of_address}
        most |= {session: self._limits.streams_of_session} if session is not None else {}
        if any(self._streams[each] >= limit for each, limit in most.items()):
            self._once.tell("streams", address)
            await _refuse(send, _AGAIN / 10)
            return
        self._streams.update(most.keys())
        try:
            await self._app(scope, receive, send)
        finally:
            self._streams.subtract(most.keys())
            self._streams = +self._streams  # without those who have none


def _address(scope: "HTTPScope") -> str:
    client = scope.get("client")
    return client[0] if client else "unknown"


def _session(scope: "HTTPScope") -> str | None:
    """Return a hash that stands for a session, without keeping what opens it."""
    headers = dict(scope["headers"])
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return None
    cookie = cookies.get(SESSION)
    client = (
        cookie.value.encode("latin-1", "replace") if cookie is not None else headers.get(b"authorization")
    )
    return f"session {hashlib.sha256(client).hexdigest()}" if client else None


async def _refuse(send: "ASGISendCallable", wait: float) -> None:
    message = b'{"error":"Too many requests; try again a little later."}'
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(message)).encode()),
        (b"cache-control", b"no-store"),
        (b"retry-after", str(max(1, round(wait + 0.5))).encode()),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers, "trailers": False})
    await send({"type": "http.response.body", "body": message, "more_body": False})


class CountedConnections:
    """The connections of each address."""

    def __init__(self, limits: Limits, proxies: Iterable[str]) -> None:
        self.limits, self.once = limits, _Once()
        self._open: Counter[str] = Counter()
        self._proxies = tuple(proxies)

    def opened(self, address: str) -> bool:
        """Count a connection; return whether it is allowed."""
        self._open[address] += 1
        return self._open[address] <= self.limits.connections or self._is_proxy(address)

    def closed(self, address: str) -> None:
        """Forget a connection."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def _is_proxy(self, address: str) -> bool:
        return any(each in ("*", address) or _is_within(address, each) for each in self._proxies)


def _is_within(address: str, network: str) -> bool:
    try:
        return ip_address(address) in ip_network(network)
    except ValueError:
        return False


class TimedProtocol(HttpToolsProtocol):
    """A connection whose request has to arrive in time; the server's own protocol waits for ever."""

    counted: CountedConnections

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._address = ""
        self._late: asyncio.TimerHandle | None = None
        self._heads = 0  # bytes since the last head was whole

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it, and wait for its first request."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else "unknown"
        if self.counted.opened(self._address):
            self._wait(self.counted.limits.head)
            return
        self.counted.once.tell("connections of an address", self._address)
        transport.write(
            b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: text/plain\r\nretry-after: 10\r\n"
            b"connection: close\r\ncontent-length: %d\r\n\r\n%b" % (len(_REFUSED), _REFUSED)
        )
        transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._stop()
        self.counted.closed(self._address)

    def data_received(self, data: bytes) -> None:
        """Process received data, up to the size of a head if no body has begun."""
        self._heads += len(data)
        super().data_received(data)
        if self._heads > self.counted.limits.head_bytes:
            self._end("size of a head")

    def on_message_begin(self) -> None:
        """Wait for the head of a request."""
        super().on_message_begin()
        self._heads = 0
        self._wait(self.counted.limits.head)

    def on_headers_complete(self) -> None:
        """Wait for the body of a request."""
        self._wait(self.counted.limits.body)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Process a part of a body; the console counts its bytes."""
        self._heads = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait no more: the request is there."""
        self._stop()
        self._heads = 0
        super().on_message_complete()

    def _wait(self, seconds: float) -> None:
        self._stop()
        self._late = self.loop.call_later(seconds, self._end, "time for a request")

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _end(self, limit: str) -> None:
        self.counted.once.tell(limit, self._address)
        self.transport.close()


def timed_protocol(counts: CountedConnections) -> type[asyncio.Protocol]:
    """Make the protocol of one server's connections."""
    return type("TimedProtocol", (TimedProtocol,), {"counted": counts})


# The thread that stores conclusions yields Python after this time at most. Each send to a browser releases
# it: with fifty open, at the usual 0.005, the last would wait for a quarter of a second.
_TURN: Final = 0.0001  # seconds
_GRACE: Final = 3  # seconds for answers that are under way when the process is asked to end


class ProxySettings(Struct, frozen=True):
    """The proxy in front of the console: its address, and the path that it strips from each request.

    Headers about the client and https are trusted only from this address.
    """

    proxy: str | None = None
    path: str = ""


ALONE: Final = ProxySettings()


class Server(uvicorn.Server):
    """A server that ends its streams when it is to end: it would wait for them."""

    def __init__(self, app: Litestar, live: LiveFloor, behind: ProxySettings, limits: Limits = USUAL) -> None:
        proxies = [each.strip() for each in (behind.proxy or "").split(",") if each.strip()]
        super().__init__(
            uvicorn.Config(
                LimitMiddleware(app, limits, behind.path),
                # Not by the parser in Python: with fifty streams open it takes more than all else.
                http=timed_protocol(CountedConnections(limits, proxies)),
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_GRACE,
                proxy_headers=behind.proxy is not None,
                forwarded_allow_ips=behind.proxy,
                root_path=behind.path,
            )
        )
        self.app, self._live = app, live
        app.state[BEHIND] = behind.proxy is not None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        sys.setswitchinterval(_TURN)
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then the server."""
        self._live.end()
        await super().shutdown(sockets)
