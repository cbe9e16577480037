"""`discardrack serve`: the console on a store, in the browser."""

import asyncio
import signal
import socket
from pathlib import Path
from typing import Final

import click
import structlog
import uvicorn
from litestar import Litestar
from msgspec import Struct

from projections.console.app import console
from projections.console.live import Live
from projections.console.opening import opened as open_store
from replay.options import broker_option, name_option
from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import DEFAULT, House
from streams.projector.following import Projector
from streams.projector.runs import LIVE
from streams.projector.storing import Storing
from streams.telling import log_as_json

STORE: Final = Path("var/demo/store.duckdb")
HOST: Final = "127.0.0.1"
PORT: Final = 8000
_GRACE: Final = 3  # seconds for answers that are under way when the process is asked to end

_log: Final = structlog.get_logger()


class Floor(Struct, frozen=True):
    """A live floor to follow: Kafka's addresses, the property's house file, and what its runs are called."""

    brokers: str
    house: House = DEFAULT
    named: str = LIVE


@click.command()
@click.option("--store", type=click.Path(path_type=Path), default=STORE, show_default=True, help="The store.")
@broker_option("Kafka, several addresses with commas: follow the floor into the store.")
@click.option("--house", "house_file", help="With --broker, the house file, for the zone of times.")
@name_option("--run", "named", f"With --broker, the runs' name before the version, if not {LIVE!r}.")
@click.option("--host", default=HOST, show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes a free one."
)
def serve(
    store: Path, broker: str | None, house_file: str | None, named: str | None, host: str, port: int
) -> None:
    """Show a store's findings in the browser, and under /api as JSON, until it is interrupted.

    With --broker it also follows a live floor: it writes what the workers conclude into the store, which is
    made where there is none, and the pages update by themselves. While it does, no other process can open
    the store; /api/snapshot gives a copy.

    The console has no login yet: whoever reaches the address can read it.

    \b
    Example:
      discardrack serve --store var/demo/store.duckdb --port 8080
      discardrack serve --store var/live.duckdb --broker localhost:9092
    """  # noqa: D301  click wants the character itself to keep the example's lines
    if broker is None:
        for option, given in (("--house", house_file), ("--run", named)):
            if given is not None:
                raise click.UsageError(f"{option} is for a live floor; say --broker too")
        serve_console(store, host, port)
        return
    house = houses.load(house_file, Path.cwd()) if house_file is not None else DEFAULT
    serve_console(store, host, port, Floor(broker, house, named or LIVE))


def serve_console(store: Path, host: str = HOST, port: int = PORT, floor: Floor | None = None) -> None:
    """Serve the console on a store until the process is interrupted; says its address on stdout.

    With a floor, the process writes the store too. What happens is logged on stderr, a JSON object a line.

    Raises:
        BadInput: there is no such store, it is not one, or the address cannot be listened on.
        DiscardrackError: following a floor, the store's file cannot be written any more.
    """
    if floor is None:
        with listening(host, port) as listener:
            serve_on(listener, store)
        return
    with listening(host, port) as listener:
        opened = open_store(store, floor.house, state="kafka away")
        storing = Storing(opened.store, floor.house.zone, floor.named, opened.desk)
        projector = Projector(storing, floor.brokers, opened.live)
        server = _Server(console(opened), opened.live)
        following = _Following(projector, server)
        server.app.on_startup.append(following.start)
        # The projector first: the console closes the store.
        server.app.on_shutdown[:0] = [following.stop]
        _serve(server, listener, store)
        following.result()


def serve_on(listener: socket.socket, store: Path) -> None:
    """Serve the console on a recorded store, where it is listened already, until interrupted.

    Raises:
        BadInput: there is no such store, or it is not one.
    """
    opened = open_store(store)
    _serve(_Server(console(opened), opened.live), listener, store)


class _Server(uvicorn.Server):
    """A server that ends its streams when it is to end: it would wait for them."""

    def __init__(self, app: Litestar, live: Live) -> None:
        super().__init__(
            uvicorn.Config(
                app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=_GRACE
            )
        )
        self.app, self._live = app, live

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._live.end()
        await super().shutdown(sockets)


class _Following:
    """The projector as a task beside a server; if it fails, the server ends."""

    def __init__(self, projector: Projector, server: uvicorn.Server) -> None:
        self._projector, self._server = projector, server
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._projector.follow())
        self._task.add_done_callback(self._ended)

    async def stop(self) -> None:
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    def result(self) -> None:
        """Raise what the projector failed with, if it ended by itself."""
        if self._task is not None:
            self._task.result()

    def _ended(self, _task: asyncio.Task[None]) -> None:
        self._server.should_exit = True


def _serve(server: _Server, listener: socket.socket, store: Path) -> None:
    log_as_json("uvicorn")
    host, port, *_ = listener.getsockname()
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    _log.info("console_started", address=address, store=str(store))
    server.app.on_shutdown.append(lambda: _log.info("console_stopped", address=address))
    click.echo(f"Findings at {address} (Ctrl-C stops)")
    # To be asked to end is no failure: the server raises the signal again when it has shut down.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        # The server has shut down in order and raises again what it was interrupted by.
        return


def listening(host: str, port: int, otherwise: str = "choose with --host and --port") -> socket.socket:
    """Listen for clients whose answers leave at once, piece by piece; `otherwise` is what else to do.

    Raises:
        BadInput: the address is not there or is taken.
    """
    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        # Python adds the address in brackets, which the message has already.
        reason = (error.strerror or str(error)).partition(" (")[0]
        raise BadInput(f"cannot listen on {host}, port {port}: {reason}; {otherwise}") from None
    # Its connections take this on. Else what follows the head of an answer waits until the client has
    # confirmed the head, which clients put off for 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
