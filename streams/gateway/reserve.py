"""Room on the spool's disk that is given up when the disk is full.

To take out what Kafka has, the spool must write a little too. So a file is kept that holds room for that: the
spool still empties into Kafka when nothing more can be put in, and so gets room of its own again.
"""

import os
import threading
from pathlib import Path
from typing import Final

SIZE: Final = 16 * 1024 * 1024  # bytes: SQLite's log takes 4 MB, and the file as much as was written at once
# More than the reserve itself must be free before it is taken: what was just given up is no room gained.
_FREE: Final = 2 * SIZE


class Reserve:
    """A file that holds `SIZE` bytes of a disk, taken where there is room; for any thread."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._changing = threading.Lock()
        self.is_held = file.is_file() and file.stat().st_size == SIZE

    def take(self) -> bool:
        """Hold the room again; False where the disk has less than twice as much free."""
        with self._changing:
            if not self.is_held:
                self.is_held = self._allocate()
            return self.is_held

    def give_up(self) -> bool:
        """Let go of the room, if it is held; tells if it was."""
        with self._changing:
            was_held, self.is_held = self.is_held, False
            self._file.unlink(missing_ok=True)
            return was_held

    def _allocate(self) -> bool:
        try:
            with self._file.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, _FREE)
                file.truncate(SIZE)
        except OSError:
            self._file.unlink(missing_ok=True)
            return False
        return True
