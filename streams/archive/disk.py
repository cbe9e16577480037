"""Files that are there whole or not at all, whatever happens while they are written."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_ABOVE = 3  # folders that may be new: a day's quarantine, the day, the days


@contextmanager
def appearing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that appears under its name only when the disk has all of it; makes its folders.

    One that has the name already is replaced. What a crash leaves begins with a full stop, and is nothing.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    with unfinished.open("wb") as out:
        yield out
        out.flush()
        os.fsync(out.fileno())
    unfinished.replace(path)
    for folder in (path.parent, *path.parent.parents[:_ABOVE]):
        _sync(folder)


def _sync(folder: Path) -> None:
    """Let the disk have a folder's names."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
