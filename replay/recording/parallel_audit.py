"""An archive audited in several processes, a table each at a time, in the order of one process."""

import multiprocessing
import os
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from datetime import date
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from projections.engine.conclusion import Conclusion
from replay.recording.event_audit import audit_logs
from replay.recording.ledger_days import LedgerSpill, TableTotals, accounts
from replay.recording.recording import Recording
from schemas.errors import DiscardrackError
from schemas.house import House
from schemas.plugins import on_plugin_fault, warn_of_fault
from streams.log import Log, Unread
from streams.processes import collect_seldom

_AHEAD: Final = (
    4  # logs begun for each process beyond the one being output, so that a long table holds up few
)

_LINE: Final = 1000  # characters of a plugin's fault

Answer: TypeAlias = Conclusion | Unread
Days: TypeAlias = dict[date, TableTotals]


class _Line(Struct, frozen=True, omit_defaults=True):
    """An answer on its way between processes; one of the two is there."""

    conclusion: Conclusion | None = None
    unread: Unread | None = None


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(_Line).decode


def audit_in_parallel(recording: Recording, jobs: int) -> Iterator[Answer]:
    """Audit an archive's folder in so many processes; the answers and their order are those of one process.

    What a table comes to waits on the disk for its turn, so that memory does not grow with it.

    Raises:
        BadInput: the folder holds no recorded events, or the house file is missing or at fault.
    """
    with LedgerSpill() as spill:
        with closing(_tables(recording, jobs, spill)) as days:
            yield from days
        for each in accounts(spill, recording):
            yield each if isinstance(each, Unread) else each.conclusion


class _Quiet(SpawnProcess):
    """A process that an interrupt ends silently; while it loads Python would print a traceback."""

    def start(self) -> None:
        """Begin it with interrupts blocked; `_begin` unblocks them."""
        resource_tracker.ensure_running()  # whose own start would unblock them
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Quietly(SpawnContext):
    Process = _Quiet


@contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield so many fresh processes, which end when this one has ended, however that was.

    Raises:
        DiscardrackError: one of them was killed while it worked.
    """
    context = _Quietly()
    reader, writer = context.Pipe(duplex=False)
    # Each process meets the same faults of plugins; this one warns of them, once.
    listener = threading.Thread(target=_warn_of_faults, args=(reader,), daemon=True)
    listener.start()
    try:
        with ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(writer,)) as pool:
            yield pool
    except BrokenProcessPool:
        raise DiscardrackError(
            "a process that worked for this one was killed, as happens where memory runs out; begin again"
        ) from None
    finally:
        writer.close()
        listener.join()


def _warn_of_faults(reader: "Connection[object, tuple[str, str]]") -> None:
    """Warn of what other processes send, until the last one of them has ended."""
    with suppress(EOFError):
        while True:
            warn_of_fault(*reader.recv())


def _tables(recording: Recording, jobs: int, spill: LedgerSpill) -> Generator[Answer, None, None]:
    """Yield what its logs come to, in their order; what ledgers are compared with is added to `spill`."""
    house = recording.house
    to_start = deque(enumerate(recording.logs))
    running: deque[tuple[Path, Future[Days]]] = deque()
    with tempfile.TemporaryDirectory(prefix="discardrack-") as scratch, processes(jobs) as pool:
        try:
            while to_start or running:
                while to_start and len(running) < jobs * _AHEAD:
                    number, each = to_start.popleft()
                    file = Path(scratch) / f"{number}.jsonl"
                    running.append((file, pool.submit(_audit, each, house, file)))
                file, done = running.popleft()
                for day, tables in done.result().items():
                    spill.add(day, tables)
                with file.open("rb") as lines:
                    yield from map(_read, lines)
                file.unlink()
        finally:
            pool.shutdown(cancel_futures=True)


def _audit(recorded: Log, house: House, file: Path) -> Days:
    """Audit a log into a file; give what the ledgers of its days are compared with."""
    days: Days = {}
    with file.open("wb") as out:
        for each in audit_logs([recorded], house):
            if isinstance(each, Unread):
                out.write(_encode(_Line(unread=each)) + b"\n")
                continue
            out.write(_encode(_Line(conclusion=each.conclusion)) + b"\n")
            if house.has_accounts_across_tables:
                days.setdefault(each.conclusion.gaming_date, TableTotals()).hear(each, house)
    return days


def _read(line: bytes) -> Answer:
    value = _decode(line)
    found = value.conclusion or value.unread
    if found is None:
        raise AssertionError("a line holds one of the two")
    return found


def _begin(writer: "Connection[tuple[str, str], object]") -> None:
    """Make this process end when it is interrupted, and when its parent has ended.

    What is wrong with plugins goes to the parent. Lines of several processes on their way do not mix, as the
    system writes so few bytes at once.
    """
    collect_seldom()
    on_plugin_fault(lambda line, module: writer.send((line[:_LINE], module)))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.join,), daemon=True).start()


def _watch(ended: Callable[[], object]) -> None:
    ended()
    os._exit(1)
