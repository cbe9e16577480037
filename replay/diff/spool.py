"""Two audits side by side on disk, so that memory does not grow with them."""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from projections.engine.identity import id_of
from projections.store.conclusion_diff import Facts, natural
from replay.nightly.live_comparison import Compared, compare
from replay.recording.event_audit import Unread
from replay.recording.spill_file import OnDisk

Side: TypeAlias = Literal["a", "b"]
# What stands under one name on either side; None where there is nothing.
Pair: TypeAlias = tuple[Facts | Unread | None, Facts | Unread | None]

_MAKE: Final = """
    CREATE TABLE told (
        side TEXT NOT NULL, day TEXT NOT NULL, at_table TEXT NOT NULL, id TEXT NOT NULL,
        said TEXT NOT NULL, whole TEXT, body BLOB NOT NULL,
        PRIMARY KEY (day, at_table, side, id)
    ) WITHOUT ROWID
"""
_PUT: Final = "INSERT OR REPLACE INTO told VALUES (?, ?, ?, ?, ?, ?, ?)"
_GROUPS: Final = "SELECT DISTINCT day, at_table FROM told ORDER BY day, at_table"
_DIGESTS: Final = (
    "SELECT id, CASE WHEN ? THEN whole ELSE said END FROM told WHERE day = ? AND at_table = ? AND side = ?"
)
_BODY: Final = "SELECT id, body FROM told WHERE day = ? AND at_table = ? AND side = ? AND id = ?"
_UNREAD: Final = "unread|"
_KIB: Final = 2000  # in memory: the rows come in by name, so that a page is come back to

_encode: Final = msgspec.json.Encoder().encode
_read_facts: Final = msgspec.json.Decoder(Facts).decode
_read_unread: Final = msgspec.json.Decoder(Unread).decode


class Spool(OnDisk):
    """Keeps what two audits concluded, the latest of each subject, in a file that goes when it is closed."""

    def __init__(self) -> None:
        super().__init__(_MAKE, kib=_KIB)
        self._is_whole = True

    def put(self, side: Side, told: Facts | Unread) -> None:
        """Keep what one side says; the latest of one subject holds."""
        if isinstance(told, Unread):
            name = f"{_UNREAD}{told.line}|{told.error}"
            self._base.execute(_PUT, (side, "", "", name, "", "", _encode(told)))
            return
        said, whole = told.digests()
        self._is_whole = self._is_whole and whole is not None
        about = (side, str(told.said.gaming_date), told.said.table, id_of(told.said))
        self._base.execute(_PUT, (*about, said, whole, _encode(told)))

    def differing(self) -> Iterator[Pair]:
        """Yield what differs, or stands on one side alone: by gaming day, table, and name in people's order.

        Rounds are held against each other with all that was seen of them where both sides tell it, else by
        their conclusions alone.
        """
        for day, table in self._base.execute(_GROUPS).fetchall():
            found = self._compared(day, table)
            names = (*found.differing, *found.missing, *found.extra)
            for name in sorted(names, key=natural):
                yield self._body(day, table, "a", name), self._body(day, table, "b", name)

    def _compared(self, day: str, table: str) -> Compared:
        asked = (self._is_whole, day, table)
        a = dict(self._base.execute(_DIGESTS, (*asked, "a")).fetchall())
        b = dict(self._base.execute(_DIGESTS, (*asked, "b")).fetchall())
        return compare(table, a, b)

    def _body(self, day: str, table: str, side: Side, name: str) -> Facts | Unread | None:
        row = self._base.execute(_BODY, (day, table, side, name)).fetchone()
        if row is None:
            return None
        return _read_unread(row[1]) if name.startswith(_UNREAD) else _read_facts(row[1])
