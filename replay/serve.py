"""`discardrack serve`: the console on a store, in the browser."""

import socket
from pathlib import Path
from typing import Final

import click
import structlog
import uvicorn

from projections.console.app import console
from schemas.errors import BadInput
from streams.telling import log_as_json

STORE: Final = Path("var/demo/store.duckdb")
HOST: Final = "127.0.0.1"
PORT: Final = 8000


@click.command()
@click.option("--store", type=click.Path(path_type=Path), default=STORE, show_default=True, help="The store.")
@click.option("--host", default=HOST, show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes a free one."
)
def serve(store: Path, host: str, port: int) -> None:
    """Show a store's findings in the browser, and under /api as JSON, until it is interrupted.

    The console has no login yet: whoever reaches the address can read it.

    \b
    Example:
      discardrack serve --store var/demo/store.duckdb --port 8080
    """  # noqa: D301  click wants the character itself to keep the example's lines
    serve_console(store, host, port)


def serve_console(store: Path, host: str = HOST, port: int = PORT) -> None:
    """Serve the console on a store until the process is interrupted; says its address on stdout.

    What happens is logged on stderr, a JSON object a line.

    Raises:
        BadInput: there is no such store, it is not one, or the address cannot be listened on.
    """
    app = console(store)
    with _listening(host, port) as listener:
        log_as_json("uvicorn")
        log = structlog.get_logger()
        address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
        log.info("console_started", address=address, store=str(store))
        app.on_shutdown.append(lambda: log.info("console_stopped", address=address))
        click.echo(f"Findings at {address} (Ctrl-C stops)")
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, server_header=False))
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            # The server has shut down in order and raises again what it was interrupted by.
            return


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        # Python adds the address in brackets, which the message has already.
        reason = (error.strerror or str(error)).partition(" (")[0]
        raise BadInput(
            f"cannot listen on {host}, port {port}: {reason}; choose with --host and --port"
        ) from None
