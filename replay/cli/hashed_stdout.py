"""Standard output through another hand, which sees what is printed."""

import hashlib
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Any, BinaryIO


class Passed(io.BufferedIOBase):
    """Passes bytes on, and hashes them; `first` is done before any."""

    name = "<stdout>"

    def __init__(self, to: BinaryIO, first: Callable[[], None]) -> None:
        self._to = to
        self._first = first
        self.hashed = hashlib.sha256()
        self.size = 0

    def write(self, data: Any) -> int:
        """Pass bytes on."""
        if len(data) and not self.size:
            self._first()
        self.hashed.update(data)
        self.size += len(data)
        return self._to.write(data)

    def flush(self) -> None:
        """Flush what they are passed to."""
        self._to.flush()

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def isatty(self) -> bool:
        """Return True if a person reads it."""
        return self._to.isatty()

    def fileno(self) -> int:
        """Return the number of what they are passed to."""
        return self._to.fileno()


@contextmanager
def passing(passed: Passed) -> Iterator[None]:
    """Let what is printed go through another hand."""
    sys.stdout.flush()
    text = io.TextIOWrapper(passed, sys.stdout.encoding, sys.stdout.errors, newline="", write_through=True)
    try:
        with redirect_stdout(text):
            yield
    finally:
        with suppress(BrokenPipeError):  # the reader has gone; what was written until then was released
            text.detach()
