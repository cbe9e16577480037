"""The server of the console: how it ends, and what it believes of a proxy before it."""

import socket
import sys
from typing import Final

import uvicorn
from litestar import Litestar
from msgspec import Struct

from projections.web.live.broadcaster import LiveFloor
from projections.web.live.live_routes import BEHIND
from replay.serving.request_limits import USUAL, Counted, Limited, Limits, timed

# What stores conclusions beside the pages hands Python over after so long at most. Each send to a browser
# gives it away: with fifty open, at the usual 0.005, the last would wait for a quarter of a second.
_TURN: Final = 0.0001  # seconds
_GRACE: Final = 3  # seconds for answers that are under way when the process is asked to end


class Behind(Struct, frozen=True):
    """The proxy that the console stands behind: its address, and the path that it takes off each request.

    From this address alone is taken what it says of the client and of https.
    """

    proxy: str | None = None
    path: str = ""


ALONE: Final = Behind()


class Server(uvicorn.Server):
    """A server that ends its streams when it is to end: it would wait for them."""

    def __init__(self, app: Litestar, live: LiveFloor, behind: Behind, limits: Limits = USUAL) -> None:
        proxies = [each.strip() for each in (behind.proxy or "").split(",") if each.strip()]
        super().__init__(
            uvicorn.Config(
                Limited(app, limits, behind.path),
                # Not by the parser in Python: with fifty streams open it takes more than all else.
                http=timed(Counted(limits, proxies)),
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
