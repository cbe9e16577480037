"""Play of each table on the floor's gaming day: wagers, those settled wrong, the last hour and mistake.

What is withheld from the viewer is in none of these figures.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from projections.store.rows import Row, micros
from projections.web.auth.embargo import Hidden
from projections.web.records.store_queries import Reader
from schemas.values import Micros

BUCKET: Final = 300_000_000  # microseconds
BUCKETS: Final = 12  # an hour
_FRESH: Final = 5.0  # seconds for which the figures stand: they are of a day, and many pages ask for them

# A wager counts as settled wrong once, if that is proven and was not corrected in its round.
_PLAY: Final = """
    WITH latest AS (
        SELECT id, revision, table_id, opened FROM rounds
        WHERE run = (SELECT run FROM newest_run) AND round IS NOT NULL
            AND gaming_date = (
                SELECT max(gaming_date) FROM rounds
                WHERE run = (SELECT run FROM newest_run) AND round IS NOT NULL
            )
            AND NOT list_has_any(
                $hidden::VARCHAR[],
                ['round:' || id, 'table-day:' || regexp_extract(id, '^[^|]*[|][^|]*')]
            )
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY revision DESC) = 1
    ), staked AS (
        SELECT id, revision, count(*) AS wagers FROM wagers
        WHERE run = (SELECT run FROM newest_run)
        GROUP BY ALL
    ), wrong AS (
        SELECT round_id AS id, revision,
            count(DISTINCT (seat, bettor, wager, hand))
                FILTER (net_cents <> 0 AND wager IS NOT NULL AND put_right IS NULL) AS mistakes,
            arg_min(check_name, (severity, ordinal)) AS check_name
        FROM findings
        WHERE run = (SELECT run FROM newest_run) AND weight = 'mismatch'
            AND NOT list_has($hidden::VARCHAR[], 'alert:' || id)
        GROUP BY ALL
    )
    SELECT table_id, epoch_us(opened) // $bucket AS bucket,
        coalesce(sum(wagers), 0)::BIGINT AS wagers, coalesce(sum(mistakes), 0)::BIGINT AS mistakes,
        max(opened) FILTER (check_name IS NOT NULL) AS mistaken_at,
        arg_max(check_name, opened) FILTER (check_name IS NOT NULL) AS check_name
    FROM latest LEFT JOIN staked USING (id, revision) LEFT JOIN wrong USING (id, revision)
    GROUP BY ALL
    ORDER BY bucket NULLS FIRST
"""


class LastMistake(Struct, frozen=True):
    """Latest mistake at a table: its most severe check, and when its round opened."""

    check: str
    at: Micros


class FiveMinutes(Struct, frozen=True):
    """Wagers of rounds that opened within five minutes, and how many of them were settled wrong."""

    wagers: int
    mistakes: int


class TablePlay(Struct, frozen=True):
    """Play of a table on the gaming day; `hour` is the last one of the floor in spans of five minutes."""

    wagers: int
    mistakes: int
    last_mistake: LastMistake | None
    hour: Sequence[FiveMinutes]


class FloorPlay:
    """The play of every table of a store, computed every few seconds for each set of hidden records."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        self._found: dict[frozenset[str], tuple[float, Mapping[str, TablePlay]]] = {}

    def by_table(self, hidden: Hidden) -> Mapping[str, TablePlay]:
        """Return the play of each table that played on the floor's latest gaming day."""
        now = time.monotonic()
        with self._lock:
            self._found = {key: each for key, each in self._found.items() if now - each[0] < _FRESH}
            if hidden.subjects not in self._found:
                self._found[hidden.subjects] = (now, _read(self._reader, hidden))
            return self._found[hidden.subjects][1]


def _read(reader: Reader, hidden: Hidden) -> Mapping[str, TablePlay]:
    values: dict[str, Any] = {"hidden": sorted(hidden.subjects), "bucket": BUCKET}
    tables: defaultdict[str, list[Row]] = defaultdict(list)
    for row in reader.ask(_PLAY, values):
        tables[row["table_id"]].append(row)
    newest = max(
        (row["bucket"] for rows in tables.values() for row in rows if row["bucket"] is not None), default=0
    )
    return {table: _play(rows, newest) for table, rows in tables.items()}


def _play(rows: Sequence[Row], newest: int) -> TablePlay:
    by_bucket = {row["bucket"]: FiveMinutes(row["wagers"], row["mistakes"]) for row in rows}
    last = max((row for row in rows if row["mistaken_at"]), key=lambda row: row["mistaken_at"], default=None)
    at = micros(last["mistaken_at"]) if last is not None else None
    return TablePlay(
        wagers=sum(row["wagers"] for row in rows),
        mistakes=sum(row["mistakes"] for row in rows),
        last_mistake=LastMistake(last["check_name"], at) if last is not None and at is not None else None,
        hour=[by_bucket.get(newest - back, FiveMinutes(0, 0)) for back in reversed(range(BUCKETS))],
    )
