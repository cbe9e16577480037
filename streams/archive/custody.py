"""Who opened, exported and released what of an archive: a log in it that is only ever added to."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from schemas.errors import BadInput
from streams.archive.disk import append

CUSTODY: Final = "custody.jsonl"


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of the log: when (UTC), who, by which verb, and whether it was looked at, released or refused.

    What was `refused` was not shown. `what` has all that was asked for, by the names of the command line. Of
    what was released there is the name of the file, absent for standard output, its size in bytes, and its
    SHA-256.
    """

    at: datetime
    by: str
    verb: str
    does: Literal["open", "release", "refused"]
    archive: str
    what: Mapping[str, str | list[str]] = {}
    to: str | None = None
    bytes: int | None = None
    sha256: str | None = None


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Entry).decode


def note(log: Path, entry: Entry) -> None:
    """Add a line; when it returns the disk has it.

    Raises:
        BadInput: the log cannot be written.
    """
    try:
        append(log, _encode(entry))
    except OSError as error:
        raise BadInput(f"{log}: cannot be written: {error.strerror or error}") from None


def read(log: Path) -> Iterator[Entry | BadInput]:
    """Read a log line by line; what a crash cut short, or a hand has changed, is told in its place."""
    for number, line in enumerate(log.read_bytes().splitlines() if log.is_file() else (), 1):
        try:
            yield _decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield BadInput(f"{log}, line {number}: not a line of custody: {error}")
