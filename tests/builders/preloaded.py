"""Processes of discardrack that begin loaded: forked from an interpreter that has imported the program.

Each is a process of its own, with its own id, files and end, as Popen starts it; only the second of imports
is done once for all. What a start as the user's costs and loads is tested in test_start.
"""

import atexit
import ctypes
import gc
import os
import runpy
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST
from msgspec import Struct

import projections.web.app as app_module
from projections.web.auth import accounts
from projections.web.auth.auth_service import AuthService
from schemas.room_settings import RoomSettings
from streams.projector import kafka_follower
from tests.builders.reused_routes import ReusedRoutes

_ROOT: Final = Path(__file__).parents[2]
_LAYOUTS: Final = sorted(_ROOT.glob("projections/engine/games/*/table_layout.py"))
_LOADED: Final = (
    *(f"replay.cli.{verb}" for verb in ("archive", "gateway", "serve", "simulate", "worker")),
    "replay.serving.kafka_floor",
    "streams.archive.archiver",
    "streams.archive.snapshots",
    "streams.gateway.delivery",
    "streams.worker.agents",
    # What these load as they begin to work.
    "anyio._backends._asyncio",
    *(f"faust.{part}" for part in ("agents", "app", "stores.memory", "tables", "worker")),
    "faust.transport.drivers.aiokafka",
    *(".".join(each.relative_to(_ROOT).with_suffix("").parts) for each in _LAYOUTS),
    "pyarrow.parquet",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
)
_LONGEST: Final = 1 << 20  # bytes of a command
_SUBREAPER: Final = 36  # prctl's PR_SET_CHILD_SUBREAPER

DISCARDRACK: Final = Path(sys.executable).with_name("discardrack")


class Wanted(Struct):
    """A process that is to be forked: its command, the folder in which it runs, and its environment."""

    command: list[str]
    folder: str
    environment: dict[str, str]


class Preloaded(subprocess.Popen[Any]):
    """Process of a command `discardrack …` or `python -c …`, with Popen's pipes, signals and status."""

    # What Popen does between its two sides: everything before and after it is Popen's own.
    def _execute_child(self, args: Sequence[object], *others: Any) -> None:
        _, _, _, _, cwd, env, _, _, _, *ends = others
        reads, into, out, writes, hears, errors = ends[:6]
        environment = os.environ if env is None else env
        wanted = Wanted([os.fspath(each) for each in args], os.fspath(cwd or Path.cwd()), dict(environment))
        files = [end if end != -1 else inherited for inherited, end in enumerate((reads, writes, errors))]
        starter = _starter()
        with _adopting():
            socket.send_fds(starter, [msgspec.json.encode(wanted)], files)
            self.pid = int(starter.recv(_LONGEST))
        self._child_created = True
        self._close_pipe_fds(reads, into, out, writes, hears, errors)


def begin(command: Sequence[object], **options: Any) -> subprocess.Popen[Any]:
    """Start a process of ours: from a test one that is loaded, and as a user does where it is measured."""
    kind = Preloaded if "PYTEST_VERSION" in os.environ else subprocess.Popen
    return kind(command, **options)


@contextmanager
def _adopting() -> Iterator[None]:
    """Adopt processes that lose their parent meanwhile; for later ones nobody here would wait."""
    library = ctypes.CDLL(None)
    library.prctl(_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        library.prctl(_SUBREAPER, 0, 0, 0, 0)


@cache
def _starter() -> socket.socket:
    """Start the interpreter from which they are forked."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        process = subprocess.Popen(  # noqa: S603  this file
            [sys.executable, "-m", __name__, str(its.fileno())], cwd=_ROOT, pass_fds=(its.fileno(),)
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _fork_wanted(requests: socket.socket) -> None:
    """Fork a process for each request, until there are no more."""
    while True:
        told, files, _, _ = socket.recv_fds(requests, _LONGEST, 3)
        if not told:
            return
        wanted = msgspec.json.decode(told, type=Wanted)
        reads, says = os.pipe()
        if (between := os.fork()) == 0:
            # It ends without a look through all that was loaded, which would copy each page of that.
            process = get_context("fork").Process(target=_run, args=(wanted, files))
            process.start()
            os.write(says, b"%d" % (process.pid or 0))
            os._exit(0)
        os.waitpid(between, 0)  # from now on the process is a child of who wants it
        requests.send(os.read(reads, _LONGEST))
        for each in (*files, reads, says):
            os.close(each)


def _run(wanted: Wanted, files: list[int]) -> None:
    """Run a command as Python would have done it."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    for file in files:
        os.close(file)
    os.chdir(wanted.folder)
    os.environ.clear()
    os.environ.update(wanted.environment)
    program, *arguments = wanted.command
    if program == sys.executable:
        option, text, *arguments = arguments
        assert option == "-c"
        sys.argv = ["-c", *arguments]
        exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102  a test's own words
    else:
        sys.argv = wanted.command
        runpy.run_path(program, run_name="__main__")


def _make_routes() -> None:
    """Make the console's routes: each console that is forked has them, and makes none of its own."""
    routes = ReusedRoutes(app_module.application)
    with TemporaryDirectory() as folder, closing(AuthService(Path(folder) / "store.duckdb")) as nobodys:
        routes.add_unused(nobodys, RoomSettings().attachment_megabytes)
    app_module.application = routes


if __name__ == "__main__":
    for name in _LOADED:
        __import__(name)
    _make_routes()
    accounts._hasher = PasswordHasher.from_parameters(CHEAPEST)  # noqa: SLF001  as in the tests' own process
    # Asked fifty times a second, an idle broker and an idle console take a seventh of a core.
    kafka_follower._POLL = 200  # noqa: SLF001  milliseconds; how soon a conclusion comes is measured elsewhere
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as asked:
        _fork_wanted(asked)
    os._exit(0)  # as those that it forks
