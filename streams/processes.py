"""Needs of every process: the clock, quiet garbage collection, locks."""

import atexit
import fcntl
import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from schemas.errors import BadInput

# ── The wall clock, as the live processes read it; no conclusion depends on it ──────────────────────────


def now() -> int:
    """Return the time, microseconds UTC."""
    return time.time_ns() // 1000


# ── How a process that answers within a tenth of a second keeps from long pauses ──────────────────────


@contextmanager
def loading() -> Iterator[None]:
    """Load without garbage collection what stays until the process ends, and exclude it from then on.

    Next to nothing of it is garbage, and to look for some took a quarter of the time of loading.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        _freeze()
        if was_enabled:
            gc.enable()


def freeze_loaded_objects() -> None:
    """Exclude the objects loaded so far from garbage collection until the process ends.

    With the libraries' objects a collection took a tenth of a second; without it takes 15 ms.
    """
    gc.collect()
    _freeze()


def collect_seldom() -> None:
    """Look for garbage only when much more has come together: an audit makes next to none.

    To look as often as Python does by itself took a tenth of an audit's time. What an audit holds it frees
    itself, so that this threshold is reached as its tables fill and hardly ever after.
    """
    gc.set_threshold(100_000, 20, 20)


def _freeze() -> None:
    gc.freeze()
    atexit.register(_unfreeze)


def _unfreeze() -> None:
    """Return all to the collector at the end if DuckDB is loaded, which prints what is not given back."""
    if "duckdb" in sys.modules:
        gc.unfreeze()


# ── One process at a time: locks that the system releases however their holder ends ───────────────────


def lock_file(file: IO[Any]) -> bool:
    """Lock an open file, for as long as anyone has it open; False where another process has it locked."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def exclusive(path: Path, refusal: str) -> Iterator[None]:
    """Lock a file, which is made where it is missing.

    Raises:
        BadInput: another process holds it; `refusal` is the message.
    """
    with path.open("wb") as file:
        if not lock_file(file):
            raise BadInput(refusal)
        yield
