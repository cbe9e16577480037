"""Files on the disk that hold data until its turn comes, so that memory does not grow with it."""

import sqlite3
from collections.abc import Iterator
from types import TracebackType
from typing import Final, Self

import msgspec

from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import Conclusion

# ── What waits on the disk until its turn comes, so that memory does not grow with it ─────────────────


class SpillFile:
    """A SQLite database in a file without a name, which is deleted with it.

    `made` are the statements that it begins with; `kib` of its pages stay in memory.
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
        """Close the file, which removes it."""
        self._base.close()


# ── Conclusions of shoes and accounts spilled to disk until the rounds of their table are output ──────────

_MADE: Final = (
    "CREATE TABLE aside (place INTEGER PRIMARY KEY, subject BLOB UNIQUE, revision INT, at INT, told BLOB)"
)
_PUT: Final = (
    "INSERT INTO aside (subject, revision, at, told) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (subject) DO UPDATE SET revision = excluded.revision, at = excluded.at, told = excluded.told"
)
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Conclusion).decode


class ConclusionSpill(SpillFile):
    """Each shoe and account as last concluded, on disk, in the order in which they were first concluded."""

    def __init__(self) -> None:
        super().__init__(_MADE)

    def put(self, each: Concluded) -> None:
        """Store a conclusion, in the place of an earlier one on its subject.

        Rounds are not accepted: the observation of a round is not stored.
        """
        conclusion = each.conclusion
        subject = _encode((conclusion.gaming_date, conclusion.table, conclusion.shoe, conclusion.account))
        self._base.execute(_PUT, (subject, each.revision, each.at, _encode(conclusion)))

    def all(self) -> Iterator[Concluded]:
        """Yield all stored conclusions."""
        for revision, at, text in self._base.execute("SELECT revision, at, told FROM aside ORDER BY place"):
            yield Concluded(_decode(text), revision, at=at)
