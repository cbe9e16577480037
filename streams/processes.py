"""What every process needs: the clock, quiet garbage collection, locks, the house file as it is taken."""

import atexit
import fcntl
import gc
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

import structlog
from msgspec import Struct

from projections.engine.audit.rulebooks import line_in, mistakes
from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import House
from streams import observability

# ── The clock on the wall, as the live processes read it; nothing that is concluded hangs on it ───────


def now() -> int:
    """Return the time, microseconds UTC."""
    return time.time_ns() // 1000


# ── How a process that answers within a tenth of a second keeps from long pauses ──────────────────────


def freeze_loaded_objects() -> None:
    """Exclude the objects loaded so far from garbage collection until the process ends.

    With the libraries' objects a collection took a tenth of a second; without it takes 15 ms.
    """
    gc.collect()
    gc.freeze()
    # When the process ends libraries count what was never given back, and would print all of it.
    atexit.register(gc.unfreeze)


# ── One process at a time: locks that the system lets go of however their holder ends ─────────────────


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


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A house file as the processes of a live floor take it: what is at fault is said, and the rest goes on.

_log: Final = structlog.get_logger()


class HouseFile(Struct, frozen=True):
    """A house, its file's bytes, and why tables of it are left out, each with the line."""

    house: House
    content: bytes
    left_out: Mapping[str, str]


def read(name: str, folder: Path) -> HouseFile:
    """Read a house file, and say in the log and the metrics what of it is at fault.

    Raises:
        BadInput: there is no such file, or it cannot be read.
    """
    path = houses.path_of(name, folder)
    house, content = houses.read(name, folder)
    text = content.decode()
    left_out: dict[str, list[str]] = {}
    for each in mistakes(house):
        line = line_in(text, each)
        document = {
            "file": str(path),
            "line": line,
            "table": each.table,
            "submission": str(each.submission) if each.submission is not None else None,
            "reason": each.message,
            "near": each.suggestion,
        }
        if each.leaves_out and each.table is not None:
            left_out.setdefault(each.table, []).append(f"{path}:{line}: {each.describe()}")
            _log.error("table_left_out", **document)
        else:
            _log.warning("house_file_mistake", **document)
    for table in left_out:
        observability.LEFT_OUT.labels(table).set(1)
    return HouseFile(house, content, {table: "; ".join(reasons) for table, reasons in left_out.items()})
