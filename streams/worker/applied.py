"""A table's state as Kafka has it for a worker: as text, with the last record that went into it."""

import hashlib
from typing import Final

import msgspec
from msgspec import Struct

from projections.judging.audit import Progress


class Applied(Struct):
    """A table's state as it is stored: the form it is written in, the last record applied, the audit.

    Revisions are counted from `since`: see `_begun`.
    """

    form: str
    partition: int
    offset: int
    frame: int
    since: int
    progress: Progress


_encode: Final = msgspec.json.Encoder().encode
_read: Final = msgspec.json.Decoder(Applied).decode
read_progress: Final = msgspec.json.Decoder(Progress).decode
# A state that another version of the software wrote in another form is not read: the table is folded again.
FORM: Final = hashlib.sha256(_encode(msgspec.json.schema(Applied))).hexdigest()[:12]


def written(applied: Applied) -> str:
    """Write a state."""
    return _encode(applied).decode()


def read(stored: str) -> Applied | None:
    """Read a state; None where it is in another form."""
    try:
        applied = _read(stored)
    except msgspec.DecodeError:
        return None
    return applied if applied.form == FORM else None
