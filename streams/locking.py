"""One process at a time: locks that the system lets go of however their holder ends."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from schemas.errors import BadInput


def locked(file: IO[Any]) -> bool:
    """Lock an open file, for as long as anyone has it open; False where another process has it locked."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def alone(path: Path, refusal: str) -> Iterator[None]:
    """Hold a lock file, which is made where it is missing.

    Raises:
        BadInput: another process holds it; `refusal` is the message.
    """
    with path.open("wb") as file:
        if not locked(file):
            raise BadInput(refusal)
        yield
