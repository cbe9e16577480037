"""How the floor's tables stand, kept beside the store's conclusions from the same log.

Frames come many times more often than conclusions, and a commit for each batch of them would hold up the
conclusions behind it. So they are folded at once and written every five seconds; after a crash the frames
since then are read again, and as each device's numbers are known, none counts twice.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from projections.casework.table_status.floor_status import Floor, Lag, encode
from projections.casework.table_status.table_status_fold import Standing
from projections.store.rows import Offset, Stands
from projections.store.store import Store
from schemas.codec import decode
from schemas.errors import BadInput
from streams import clock
from streams.messages import Result
from streams.topics import FRAMES

_EVERY: Final = 5_000_000  # microseconds


class Due(Struct, frozen=True):
    """What is to be written of a floor: how tables stand, and how far its frames have been read for it."""

    standings: Sequence[Stands] = ()
    offsets: Sequence[Offset] = ()


class News(Struct, frozen=True):
    """How tables stand that were heard of since the last news, and how long their last conclusions took."""

    standings: Mapping[str, Standing]
    lags: Mapping[str, Lag]


class Standings:
    """The standings of the floor that one Kafka cluster carries; they go on with what the store has."""

    def __init__(self, store: Store, cluster: str) -> None:
        self._cluster = cluster
        self._floor = Floor(store.standings(cluster))
        self._lags: dict[str, Lag] = {}
        self._reached: dict[int, int] = {}
        self._unwritten: set[str] = set()
        self._changed = set(self._floor.tables)
        self._written = 0

    def take(self, partition: int, offset: int, value: bytes) -> None:
        """Fold a record of `floor.frames`; one that cannot be read is the worker's to refuse."""
        self._reached[partition] = offset + 1
        try:
            frame, _ = decode(value, FRAMES)
        except BadInput:
            return
        if self._floor.take(frame):
            self._unwritten.add(frame.table)
            self._changed.add(frame.table)

    def came(self, result: Result) -> None:
        """Note that the room knows of a conclusion, and how long that took."""
        now = clock.now()
        # Clocks of two hosts differ by more than a fast floor takes.
        self._lags[result.conclusion.table] = Lag(max(0, now - result.received), now)

    def due(self) -> Due | None:
        """Return what is to be written, where five seconds have gone by since it was asked for last."""
        if not self._reached or clock.now() - self._written < _EVERY:
            return None
        tables = self._floor.tables
        due = Due(
            [Stands(self._cluster, table, encode(tables[table]).decode()) for table in self._unwritten],
            [Offset(self._cluster, FRAMES, part, at) for part, at in self._reached.items()],
        )
        self._reached, self._unwritten, self._written = {}, set(), clock.now()
        return due

    def silent(self) -> dict[str, dict[str, int]]:
        """Return which devices of the tables heard of since the last news say nothing, and since when."""
        return {table: dict(self._floor.tables[table].silent) for table in self._changed}

    def news(self) -> News:
        """Return what changed since this was asked last; at first, all that the store has."""
        told = News({table: self._floor.tables[table].copied() for table in self._changed}, self._lags)
        self._changed, self._lags = set(), {}
        return told
