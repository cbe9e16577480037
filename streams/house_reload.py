"""The house file of a running process: its mistakes are logged, and a mended file is taken at SIGHUP."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Final

import structlog

from schemas.errors import BadInput
from streams import observability
from streams.house_file import HouseFile, load

# The verbs that take another house file while they run.
_FOLLOWING: Final = frozenset({"gateway", "worker", "archive", "serve"})

_log: Final = structlog.get_logger()


def read(name: str, folder: Path) -> HouseFile:
    """Read a house file, and report its mistakes in the log and the metrics.

    Raises:
        BadInput: there is no such file, or it is not of its form.
    """
    file = load(name, folder)
    for each in file.mistakes:
        tell = _log.error if each.left_out else _log.warning
        tell(
            "table_left_out" if each.left_out else "house_file_mistake",
            file=each.file,
            line=each.line,
            table=each.table,
            submission=each.submission,
            reason=each.mistake,
            near=each.near,
        )
    observability.LEFT_OUT.clear()
    for table in file.left_out:
        observability.LEFT_OUT.labels(table).set(1)
    return file


class _Hangups:
    """The handler of SIGHUP: it notes that one came until there is somebody to call, and calls him once."""

    def __init__(self) -> None:
        self._came = False
        self._call: Callable[[], object] | None = None

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        if self._call is None:
            self._came = True
        else:
            self._call()

    def pass_to(self, call: Callable[[], object]) -> None:
        self._call = call
        if self._came:
            call()


def hold_hangup() -> None:
    """Hold a SIGHUP until `on_hangup` listens, instead of ending by it.

    To be called before the house file is read first: what is changed after that is not missed.
    """
    signal.signal(signal.SIGHUP, _Hangups())


def on_hangup(name: str, folder: Path, take: Callable[[HouseFile], Awaitable[None] | None]) -> None:
    """Make the running event loop read the house file again at each SIGHUP, and pass it on.

    One that came since `hold_hangup` counts.

    A file that is not of its form, or that `take` rejects with BadInput, is logged as refused: the earlier
    one stays.
    """
    loop = asyncio.get_running_loop()
    tasks: set[asyncio.Task[None]] = set()
    in_turn = asyncio.Lock()

    async def renew() -> None:
        async with in_turn:
            try:
                file = await asyncio.to_thread(read, name, folder)
                if (awaited := take(file)) is not None:
                    await awaited
            except BadInput as error:
                _log.error("house_file_refused", reason=str(error))
                observability.HOUSE_REFUSED.set(1)
            else:
                observability.HOUSE_REFUSED.set(0)
                _log.info("house_file_taken", house=file.house.house, tables=len(file.house.tables))

    def begin() -> None:
        task = loop.create_task(renew())
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def begin_soon() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(begin)

    handler = signal.getsignal(signal.SIGHUP)
    if not isinstance(handler, _Hangups):
        handler = _Hangups()
        signal.signal(signal.SIGHUP, handler)
    # Not the loop's own handler: a signal that came before it, while another was listened for, would be
    # passed to it as well, and the file read twice.
    handler.pass_to(begin_soon)


def _catches_hangup(status: str) -> bool:
    """Return whether a process has a handler of SIGHUP, by its /proc/PID/status."""
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught, 16) >> (signal.SIGHUP - 1) & 1)


def users(path: Path) -> dict[int, str]:
    """Return the processes of this machine that are at work by a house file: the verb by process.

    Those that may be looked at: a person's own, or all for root. One that is only beginning, and has not
    called `hold_hangup`, is left out: it has not read the file yet, and the signal would end it.
    """
    found: dict[int, str] = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            verb = next((word for word in words if word in _FOLLOWING), None)
            if verb is None or not any(Path(word).name == "discardrack" for word in words[:2]):
                continue
            if not _catches_hangup((process / "status").read_text(encoding="ascii", errors="replace")):
                continue
            folder = (process / "cwd").resolve(strict=True)
            environment = (process / "environ").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        files = [value for key, value in pairwise(words) if key == "--house"]
        prefixes = ("--house=", f"DISCARDRACK_{verb.upper()}_HOUSE=")
        files += [
            word.removeprefix(prefix)
            for word in (*words, *environment)
            for prefix in prefixes
            if word.startswith(prefix)
        ]
        if any((folder / each).resolve() == path.resolve() for each in files):
            found[int(process.name)] = verb
    return found
