"""`discardrack serve`: the console on a store, in the browser."""

import re
import signal
import socket
from asyncio import to_thread
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import structlog
from msgspec import Struct
from msgspec.structs import replace

from projections.catalogue import KINDS
from projections.notify import channels
from projections.web.app import console
from projections.web.auth.auth_plugin import Access
from projections.web.bootstrap import USUAL, ConsoleSettings, OpenConsole
from projections.web.bootstrap import load_console as open_store
from replay.cli.bundle_process import BundleProcess
from replay.cli.options import STORE, broker_option, name_option
from replay.recording.recording import Recording
from replay.recording.single_round import RecordedEvents
from replay.serving.http_server import ALONE, ProxySettings, Server
from replay.serving.live_source import KafkaSource
from replay.serving.report_forms import NightlyForms
from schemas import cameras
from schemas import room_settings as rooms
from schemas.errors import BadInput
from schemas.house import DEFAULT, House
from schemas.room_settings import RoomSettings
from streams import house_reload, processes
from streams.house_file import HouseFile
from streams.log import logs
from streams.observability import log_as_json
from streams.processes import freeze_loaded_objects, loading
from streams.projector.writer import LIVE

if TYPE_CHECKING:
    from projections.web.auth.oidc import Provider
    from replay.serving.kafka_floor import Floor
    from replay.serving.played_floor import PlayedSource

HOST: Final = "127.0.0.1"
PORT: Final = 8000
SPEED: Final = 10.0
_PATH: Final = re.compile(r"(?:/[\w.~-]+)+")

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER: Final = click.Path(exists=True, file_okay=False, path_type=Path)

_log: Final = structlog.get_logger()


class Settings(Struct, frozen=True):
    """Settings of a served console: its own, and what is served with it.

    `archive` is where the floor's is: pages show the events in it, and name it in commands. `played` is what
    plays on: pages show its events too. `house` is the house file, with the name under which it is read again
    at SIGHUP, and the escalation file is read again with it.
    """

    console: ConsoleSettings = USUAL
    archive: Path | None = None
    played: Path | None = None
    house: tuple[str, HouseFile] | None = None
    escalation_file: Path | None = None

    def with_recordings(self) -> ConsoleSettings:
        """Return the console's settings with what reads the recordings, and what renders nightly reports."""
        archives = [each for each in (self.archive, self.played) if each is not None and each.is_dir()]
        events = RecordedEvents(*archives) if archives else None
        return replace(self.console, events=events, report_forms=NightlyForms())


WITHOUT_SETTINGS: Final = Settings()


class ServeOptions(Struct, frozen=True, kw_only=True):
    """The options as they were given."""

    store: Path
    broker: str | None
    replayed: Path | None
    speed: float | None
    house_file: str | None
    name: str | None
    host: str
    port: int
    proxy: str | None
    room_file: Path | None
    cameras_file: Path | None
    oidc_file: Path | None
    escalation_file: Path | None
    actions: Path | None
    archive: Path | None
    key_file: Path | None
    actions_key: Path | None
    trusted: tuple[str, ...]
    path: str

    def refuse(self) -> None:
        """Raise UsageError if one of them needs another, or is none."""
        if self.broker is not None and self.replayed is not None:
            raise click.UsageError("a floor is followed with --broker or played with --replay, not both")
        if self.broker is None and self.name is not None:
            raise click.UsageError("--run is for a live floor; say --broker too")
        if self.replayed is None and self.speed is not None:
            raise click.UsageError("--speed is for what is played; say --replay too")
        if self.broker is None and self.actions is not None:
            raise click.UsageError("--actions is for a live floor; say --broker too")
        if self.broker is None and (self.actions_key is not None or self.trusted):
            raise click.UsageError("--actions-key and --trust-actions are for a live floor; say --broker too")
        if self.key_file is not None and self.archive is None:
            raise click.UsageError("--key signs bundles of an archive; say --archive too")
        if self.path and _PATH.fullmatch(self.path) is None:
            raise click.UsageError(f"--root-path {self.path!r} is no path such as /floor")

    def settings(self) -> Settings:
        """Return the settings that the named files have."""
        archive, key = self.archive, self.key_file
        console = ConsoleSettings(
            room=rooms.load(self.room_file) if self.room_file is not None else RoomSettings(),
            cameras=cameras.load(self.cameras_file) if self.cameras_file is not None else None,
            provider=_provider(self.oidc_file) if self.oidc_file is not None else None,
            bundles=BundleProcess(archive, key) if archive is not None and key is not None else None,
            notifications=channels.load(self.escalation_file, KINDS) if self.escalation_file else None,
        )
        return Settings(console, archive, self.replayed, escalation_file=self.escalation_file)

    def live_floor(self, broker: str, house: House) -> "Floor":
        """Return the live floor to follow."""
        from replay.serving.kafka_floor import Floor  # noqa: PLC0415  Kafka's client takes long to load

        signing = (self.actions_key, self.trusted)
        return Floor(broker, house, self.name or LIVE, self.actions, signing)


@click.command()
@click.option("--store", type=click.Path(path_type=Path), default=STORE, show_default=True, help="The store.")
@broker_option("Kafka, several addresses with commas: follow the floor into the store.")
@click.option(
    "--replay",
    "replayed",
    type=_FOLDER,
    help="An archive that plays into the store as if live, without Kafka.",
)
@click.option(
    "--speed",
    type=click.FloatRange(min=0, min_open=True, max=1000),
    help=f"With --replay, so many times as fast as it was; {SPEED} unless told.",
)
@click.option("--house", "house_file", help="The house file; a recorded store can do without.")
@name_option("--run", "name", f"With --broker, the runs' name before the version, if not {LIVE!r}.")
@click.option("--host", default=HOST, show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes a free one."
)
@click.option(
    "--behind-proxy",
    "proxy",
    metavar="ADDRESS",
    help="The proxy's address, from which X-Forwarded-For and -Proto are believed; several with commas.",
)
@click.option("--room", "room_file", type=_FILE, help="The room's own settings: docs/console.md.")
@click.option("--oidc", "oidc_file", type=_FILE, help="Log in by OpenID Connect too: docs/access.md.")
@click.option("--cameras", "cameras_file", type=_FILE, help="Links to the recorder: docs/cameras.md.")
@click.option(
    "--escalation",
    "escalation_file",
    type=_FILE,
    help="To whom alerts climb that nobody takes, by mail, phone or webhook: docs/escalation.md.",
)
@click.option("--actions", type=_FOLDER, help="With --broker, an archive: take back from it what was done.")
@click.option(
    "--archive",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the floor's archive is: a page lists the events behind each round, and commands name it.",
)
@click.option(
    "--key", "key_file", type=_FILE, help="With --archive, sign evidence bundles: docs/disputes.md."
)
@click.option(
    "--actions-key",
    type=_FILE,
    help="With --broker, the key that signs what is done here; if none is named, one beside the store.",
)
@click.option(
    "--trust-actions",
    "trusted",
    multiple=True,
    metavar="KEY",
    help="With --broker, a key (public part or file) that signed actions before; may be said several times.",
)
@click.option("--root-path", "path", default="", help="The path that a proxy takes off each request: /floor.")
def serve(**given: Any) -> None:
    """Show a store's findings in the browser, and under /api as JSON, until it is interrupted.

    With --broker it also follows a live floor: it writes the workers' conclusions into the store, which is
    created if there is none, and the pages update automatically. While it does, no other process can open the
    store; /api/snapshot returns a copy. With --replay it plays a recorded floor into the store instead, in
    the order and at the pace in which a gateway received it: receipt is now, the devices' reports are
    unchanged.

    Who may use it has an account beside the store; `discardrack user add` makes the first.

    \b
    Example:
      discardrack serve --store var/demo/store.duckdb --port 8080
      discardrack serve --store var/live.duckdb --broker localhost:9092
      discardrack serve --store var/played.duckdb --replay floor/ --speed 10
    """  # noqa: D301  click wants the character itself to keep the example's lines
    options = ServeOptions(**given)
    options.refuse()
    behind, settings = ProxySettings(options.proxy, options.path), options.settings()
    if options.replayed is not None:
        played = _played(Recording(options.replayed, options.house_file), options.speed or SPEED)
        serve_console(options.store, options.host, options.port, played, behind, settings)
        return
    house = DEFAULT
    if options.house_file is not None:
        house_reload.hold_hangup()
        log_as_json("uvicorn")
        read = house_reload.read(options.house_file, Path.cwd())
        house, settings = read.house, replace(settings, house=(options.house_file, read))
    floor = options.live_floor(options.broker, house) if options.broker is not None else house
    serve_console(options.store, options.host, options.port, floor, behind, settings)


def _played(recording: Recording, speed: float) -> "PlayedSource":
    """Return what plays a recording; each play is a run of its own, as it concludes everything again."""
    from replay.serving.played_floor import PlayedSource  # noqa: PLC0415  few serve a played floor
    from streams.replayed.player import Ahead, Play, recorded  # noqa: PLC0415  likewise

    play = Play(f"replayed {processes.now()}", recording.house, Ahead(recorded(logs(recording.path))))
    return PlayedSource(play, speed)


def _provider(path: Path) -> "Provider":
    try:
        from projections.web.auth.oidc import load  # noqa: PLC0415  its library is an extra
    except ImportError as error:
        raise BadInput(f"--oidc needs what discardrack[oidc] installs: {error}") from None
    return load(path)


def serve_console(
    store: Path,
    host: str = HOST,
    port: int = PORT,
    floor: "Floor | PlayedSource | House" = DEFAULT,
    behind: ProxySettings = ALONE,
    settings: Settings = WITHOUT_SETTINGS,
) -> None:
    """Serve the console on a store until the process is interrupted; print its address on stdout.

    A floor is followed; with a house file alone the store is shown as it is recorded. Events are logged on
    stderr, a JSON object a line.

    Raises:
        BadInput: there is no such store, it is not one, or the address cannot be listened on.
        DiscardrackError: following a floor, the store's file cannot be written any more.
    """
    with listening(host, port) as listener:
        log_as_json("uvicorn")
        serve_on(listener, store, floor, behind, settings)


def serve_on(
    listener: socket.socket,
    store: Path,
    floor: "Floor | PlayedSource | House" = DEFAULT,
    behind: ProxySettings = ALONE,
    settings: Settings = WITHOUT_SETTINGS,
) -> None:
    """Serve the console as `serve_console` does, where it is listened already.

    Raises:
        BadInput: there is no such store, or it is not one.
        DiscardrackError: the store's file cannot be written any more.
    """
    with loading():
        if isinstance(floor, House):
            opened = open_store(store, floor, settings.with_recordings())
        else:
            opened = open_store(store, floor.house, settings.with_recordings(), floor.state, floor.begins)
            opened.live.brokers = floor.brokers
        if settings.archive is not None:
            opened.live.archive = str(settings.archive)
        if settings.house is not None:
            opened.left_out = settings.house[1].left_out
        server = Server(console(opened), opened.live, behind)
    _follow_house(server, opened, settings)
    if isinstance(floor, House):
        _serve(server, listener, store)
        return
    following = KafkaSource(floor.followers(opened, store), server)
    server.app.on_startup.append(following.start)
    # What follows first: the console closes the store.
    server.app.on_shutdown[:0] = [following.stop]
    _serve(server, listener, store)
    following.result()


def _follow_house(server: Server, opened: OpenConsole, settings: Settings) -> None:
    """Make the console use a changed house file at SIGHUP, and a changed escalation file with it."""
    if settings.house is None:
        return
    name, _ = settings.house

    async def take(file: HouseFile) -> None:
        """Take both files, or neither if one is at fault."""
        changed = settings.escalation_file
        sent = await to_thread(channels.load, changed, KINDS) if changed is not None else None
        opened.take_house(file.house, file.left_out)
        if sent is not None:
            opened.take_notifications(sent)

    async def listen() -> None:
        house_reload.on_hangup(name, Path.cwd(), take)

    server.app.on_startup.append(listen)


def _serve(server: Server, listener: socket.socket, store: Path) -> None:
    host, port, *_ = listener.getsockname()
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    # To be asked to end is no failure: the server raises the signal again when it has shut down.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _log.info("console_started", address=address, store=str(store))
        server.app.on_startup.append(freeze_loaded_objects)
        server.app.on_shutdown.append(lambda: _log.info("console_stopped", address=address))
        if server.app.plugins.get(Access).auth.empty():
            # An administrator keeps the accounts and sees no alert: who is to watch needs one of their own.
            add = f"discardrack user add NAME --store {store} --role"
            _log.warning("no_account", make=f"{add} administrator", make_operator=f"{add} operator")
        click.echo(f"Findings at {address} (Ctrl-C stops)")
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
    # Its connections inherit this. Otherwise the part after the head of an answer waits until the client has
    # confirmed the head, which clients delay for 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
