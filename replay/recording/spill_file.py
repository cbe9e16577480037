"""What waits on the disk until its turn comes, so that memory does not grow with it."""

import sqlite3
from types import TracebackType
from typing import Self


class OnDisk:
    """A base of SQLite's own: it lies in a file without a name, which is gone with it.

    `made` are the statements that it begins with; so many `kib` of its pages stay in memory.
    """

    def __init__(self, *made: str, kib: int = 256) -> None:
        self._base = sqlite3.connect("")
        for each in (f"PRAGMA cache_size = -{kib}", *made):
            self._base.execute(each)

    def __enter__(self) -> Self:
        """Begin with nothing."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of everything."""
        self._base.close()
