"""A table's state as Kafka has it for a worker: as text, with the last record that went into it."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from projections.engine.audit.table_audit import AuditProgress
from streams.archive.record_names import NOTHING_YET

_FROM: Final = 1_577_836_800  # 2020-01-01 in seconds UTC
_LATEST: Final = 2_000_000_000  # the store counts revisions up to 2,147,483,647


class Applied(Struct):
    """A table's state as it is stored: the form it is written in, the last record applied, the audit.

    Revisions are counted from `since`: see `first_revision`. While the house file is at fault about the table
    its records are left out. `left_out` is the last of them. What was applied before stays, and `progress` is
    None if nothing was.
    """

    form: str
    partition: int
    offset: int
    frame: int
    since: int
    progress: AuditProgress | None
    left_out: int = NOTHING_YET


class Stands(Struct, frozen=True):
    """Progress of a table's state: the last record applied, and the last that was left out."""

    form: str = ""
    partition: int = 0
    offset: int = NOTHING_YET
    left_out: int = NOTHING_YET


_encode: Final = msgspec.json.Encoder().encode
_read: Final = msgspec.json.Decoder(Applied).decode
_read_place: Final = msgspec.json.Decoder(Stands).decode
read_progress: Final = msgspec.json.Decoder(AuditProgress).decode
# A state that another version of the software wrote in another form is not read: the table is folded again.
FORM: Final = hashlib.sha256(_encode(msgspec.json.schema(Applied))).hexdigest()[:12]


def written(applied: Applied) -> str:
    """Write a state."""
    return _encode(applied).decode()


def read(stored: str) -> Applied | None:
    """Read a state; None if it is in another form."""
    try:
        applied = _read(stored)
    except msgspec.DecodeError:
        return None
    return applied if applied.form == FORM else None


def stands(stored: str) -> Stands:
    """Read from a state how far its table is; one of another form has no progress."""
    try:
        found = _read_place(stored)
    except msgspec.DecodeError:
        return Stands()
    return found if found.form == FORM else Stands()


class Places:
    """Progress of each table's stored state; `stored` may be replaced at any time."""

    def __init__(self, stored: Mapping[str, str]) -> None:
        self._stored = stored
        self._known: dict[str, tuple[str, Stands]] = {}

    def all(self) -> Iterator[tuple[str, Stands]]:
        """Yield each table and how far it stands; what is stored is read once."""
        for table, stored in self._stored.items():
            at, place = self._known.get(table, ("", Stands()))
            if at is not stored:
                place = stands(stored)
                self._known[table] = (stored, place)
            yield table, place


def first_revision(received: int) -> int:
    """Return the first revision of an audit that begins after a table's first frame; received as given.

    Another audit began before it, and nothing of it is known, not even its revisions. They were fewer than
    the seconds since the beginning of 2020. So later conclusions have higher numbers, and always the same
    ones.

    >>> first_revision(1_577_836_800_000_000), first_revision(1_740_880_445_000_000)
    (0, 163043645)
    """
    return min(max(0, received // 1_000_000 - _FROM), _LATEST)
