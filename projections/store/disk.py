"""Files that are there whole or not at all, whatever happens while they are written."""

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from schemas.errors import BadInput


@contextmanager
def atomic_output(path: Path, mode: int = 0o666, folder_mode: int = 0o777) -> Iterator[IO[bytes]]:
    """Write a file that appears under its name only when the disk has all of it; create its folders.

    The permissions of new ones are these, less the process's umask. A file that has the name already is
    replaced. What a crash leaves begins with a full stop, and is ignored.

    Raises:
        BadInput: the disk cannot be written; then nothing of it is left.
    """
    with (
        atomic_path(path, folder_mode) as unfinished,
        open(unfinished, "wb", opener=partial(os.open, mode=mode)) as out,
    ):
        yield out
        out.flush()
        os.fsync(out.fileno())


@contextmanager
def atomic_path(path: Path, folder_mode: int = 0o777) -> Iterator[Path]:
    """Return the path at which a file is to be made and brought to the disk, which then gets its name.

    Raises:
        BadInput: the disk cannot be written; then nothing of it is left.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        make_folder(path.parent, folder_mode)
        try:
            yield unfinished
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        sync(path.parent)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror or error}") from None


def append(path: Path, line: bytes) -> None:
    """Add a line to a log that is only ever added to, in one write; when it returns the disk has it.

    What a crash cut short before is ended first, so that it spoils no other line.

    Raises:
        OSError: the disk does not take it.
    """
    new = not path.exists()
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        size = os.fstat(handle).st_size
        ends_line = size == 0 or os.pread(handle, 1, size - 1) == b"\n"
        text = line + b"\n" if ends_line else b"\n" + line + b"\n"
        if os.write(handle, text) != len(text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        os.fsync(handle)
    finally:
        os.close(handle)
    if new:
        sync(path.parent)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Create a folder and missing parents; when it returns the disk has them."""
    missing = [each for each in (folder, *folder.parents) if not each.is_dir()]
    for each in reversed(missing):
        each.mkdir(mode, exist_ok=True)
        sync(each.parent)


def sync(folder: Path) -> None:
    """Sync a folder's names to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sha256_of(file: Path) -> str:
    """Hash a file of any size, in hexadecimal.

    Raises:
        OSError: it cannot be read.
    """
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
