"""Which sealed files of a name the checkpoints have, found without reading every entry of every checkpoint.

A checkpoint's entries are lines that name their path first, so what one table has of a year is found in the
bytes. What was found stays for as long as the process runs; of later checkpoints only the new ones are read.
"""

import hashlib
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from streams.archive.record_names import CHECKPOINTS, checkpoint_file
from streams.hashing import sha256_of

_ENTRY: Final = re.compile(
    rb'\{"path":"(days/[^"]+)","kind":"(?:part|snapshots)","size":\d+,"sha256":"([0-9a-f]{64})"'
)
_NUMBER: Final = re.compile(r"(\d{6,})\.jsonl")


class Named(Struct, frozen=True):
    """A file as the newest checkpoint that names it has it: that one's number, and the file's SHA-256."""

    number: int
    sha256: str


class _Head(Struct):
    """What of a checkpoint's body tells its place: the one before, its day, the key by which it is signed."""

    before: dict[str, object] | None
    day: date
    key: str


class _Read(Struct):
    """What was found so far: files by their paths, the body of each checkpoint, the newest one's stamp."""

    files: dict[str, Named] = {}
    bodies: dict[int, bytes] = {}
    stamp: tuple[int, int] = (0, 0)


_READ: Final[dict[tuple[Path, str], _Read]] = {}
_body: Final = msgspec.json.Decoder(_Head)


def closed_files(archive: Path, name: str) -> Mapping[str, Named] | None:
    """Return the parts and snapshots of a name (`file_name`) that checkpoints have, by path in the archive.

    None where the archive has no checkpoint at all. Whether a checkpoint is what was signed is not looked at.
    """
    return _read(archive, name, numbers).files if (numbers := _numbers(archive)) else None


def is_as_closed(archive: Path, file: Path, name: str) -> bool:
    """Return True if a file of a name is, byte for byte, what the checkpoint of its day closed.

    That has to be what was signed, by the key of the newest one, and the next one has to follow it. Where it
    is otherwise, as when the file was made anew or the key is another by now, the newest checkpoint counts
    that names the file: it has to be what was signed, and each later one has to follow the one before it.
    Where the archive has no checkpoint there is nothing to hold a file to, and it is.
    """
    numbers = _numbers(archive)
    if not numbers:
        return True
    sha256 = sha256_of(file)
    if _is_of_its_day(archive, file, sha256, numbers):
        return True
    found = _read(archive, name, numbers)
    named = found.files.get(file.relative_to(archive).as_posix())
    if named is None or sha256 != named.sha256:
        return False
    return _follow(found.bodies, named.number) and _is_signed(archive, file, named)


def _numbers(archive: Path) -> list[int]:
    try:
        found = [each.name for each in (archive / CHECKPOINTS).iterdir()]
    except FileNotFoundError:
        return []
    return sorted(int(each[1]) for file in found if (each := _NUMBER.fullmatch(file)))


def _is_of_its_day(archive: Path, file: Path, sha256: str, numbers: Sequence[int]) -> bool:
    """Return True if a file of a hash is what a checkpoint of its day closed, with few of them opened.

    Days are nearly always closed in their order, so that theirs are found by halves.
    """
    from streams.archive.layout import day_of  # noqa: PLC0415  it takes long to load

    day = day_of(file.relative_to(archive).as_posix())
    if day is None:
        return False
    try:
        newest = _head(archive, numbers[-1])[0]
        at = bisect_left(numbers, day, key=lambda number: _head(archive, number)[0].day)
        for number in numbers[at:]:
            head, line = _head(archive, number)
            if head.day != day:
                return False
            named = Named(number, sha256)
            follows = number == numbers[-1] or _names(_head(archive, number + 1)[0], line)
            if head.key == newest.key and follows and _is_signed(archive, file, named):
                return True
    except (msgspec.DecodeError, UnicodeDecodeError, FileNotFoundError):
        return False
    return False


def _head(archive: Path, number: int) -> tuple[_Head, bytes]:
    """Read a checkpoint's body, and give the line that it is, too."""
    with checkpoint_file(archive, number).open("rb") as text:
        line = text.readline().removesuffix(b"\n")
    return _body.decode(line), line


def _names(later: _Head, body: bytes) -> bool:
    """Return True if a checkpoint names the one of a body as that before it."""
    return later.before is not None and later.before.get("body") == hashlib.sha256(body).hexdigest()


def _read(archive: Path, name: str, numbers: Sequence[int]) -> _Read:
    """Read what no earlier call has read of the checkpoints of these numbers; there is one at least."""
    key = archive.absolute(), name
    found = _READ.get(key)
    known = sorted(found.bodies) if found is not None else []
    # Checkpoints are only ever added; where they are not, what was read of them is worth nothing.
    if found is None or known != numbers[: len(known)] or found.stamp != _stamp(archive, known[-1]):
        found, known = _READ.setdefault(key, _Read()), []
        found.files, found.bodies = {}, {}
    for number in numbers[len(known) :]:
        text = checkpoint_file(archive, number).read_bytes()
        found.bodies[number] = text.partition(b"\n")[0]
        found.files |= _entries(text, name, number)
    found.stamp = _stamp(archive, numbers[-1])
    return found


def _entries(text: bytes, name: str, number: int) -> dict[str, Named]:
    needle = f"/{name}.".encode()
    files: dict[str, Named] = {}
    at = text.find(needle)
    while at != -1:
        entry = _ENTRY.match(text, text.rfind(b"\n", 0, at) + 1)
        if entry is not None:
            files[entry[1].decode(errors="replace")] = Named(number, entry[2].decode())
        at = text.find(needle, at + 1)
    return files


def _stamp(archive: Path, number: int) -> tuple[int, int]:
    told = checkpoint_file(archive, number).stat()
    return told.st_mtime_ns, told.st_size


def _follow(bodies: Mapping[int, bytes], number: int) -> bool:
    """Return True if every checkpoint after one names the one before it."""
    for later in range(number + 1, max(bodies) + 1):
        try:
            follows = _names(_body.decode(bodies[later]), bodies[later - 1])
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError):
            return False
        if not follows:
            return False
    return True


def _is_signed(archive: Path, file: Path, named: Named) -> bool:
    from projections.evidence.checkpoint import signed_entry  # noqa: PLC0415  it takes long to load

    path = file.relative_to(archive).as_posix()
    entry = signed_entry(checkpoint_file(archive, named.number).read_bytes(), path)
    return entry is not None and entry.sha256 == named.sha256
