"""Where a verb's output goes: to standard output, or to a file that appears only when it is whole."""

import hashlib
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any, BinaryIO

import click

from replay.cli.options import FILE_TO_WRITE
from schemas.errors import BadInput

# ── Where a verb's output goes: standard output, or a file that appears only when it is whole ─────────

out_option = click.option(
    "--out",
    type=FILE_TO_WRITE,
    help="File to write; it appears when it is whole. Standard output if absent.",
)


@contextmanager
def appearing(out: Path) -> Iterator[Path]:
    """Yield a path to write to, and put what was written in its place when all went well.

    Raises:
        BadInput: the file cannot be written there.
    """
    part = out.with_name(f"{out.name}.part")
    try:
        part.touch()
    except OSError as error:
        raise BadInput(f"{out}: cannot be written: {error.strerror}") from None
    try:
        yield part
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def printed_to(out: Path | None) -> Iterator[None]:
    """Send what is printed into a file, where one is named.

    Raises:
        BadInput: the file cannot be written there.
    """
    if out is None:
        yield
        return
    with (
        appearing(out) as part,
        part.open("w", encoding="utf-8", newline="") as stream,
        redirect_stdout(stream),
    ):
        yield


# ── Standard output through another hand, which sees what is printed ──────────────────────────────────


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
def checked_stdout(passed: Passed) -> Iterator[None]:
    """Let what is printed go through another hand."""
    sys.stdout.flush()
    text = io.TextIOWrapper(passed, sys.stdout.encoding, sys.stdout.errors, newline="", write_through=True)
    try:
        with redirect_stdout(text):
            yield
    finally:
        with suppress(BrokenPipeError):  # the reader has gone; what was written until then was released
            text.detach()
