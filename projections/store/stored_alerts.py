"""The alerts that a store holds, as the board begins with them, and when each was found."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

import duckdb
import msgspec
from msgspec.structs import asdict

from projections.casework.alerts.alert_arrival import Arrival
from projections.casework.cases.alert import Alert
from projections.engine.facts import load
from projections.store.rows import Row, as_stored, micros
from projections.store.store_file import rows_of
from schemas.house import TableSetup
from schemas.values import Micros

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# When a finding was found by the table's clock, as every query that shows or orders findings asks it.

# For a round's findings that is when the round was opened. A shoe and an account are concluded again and
# again while they go on: their findings date from the first revision that has them. Rows from before that
# time was stored have none. The placeholder is a row of `findings` with the `round` and the `opened` of its
# conclusion.
FOUND_AT: Final = """
    CASE WHEN {0}.round IS NOT NULL THEN {0}.opened ELSE (
        SELECT min(told.opened)
        FROM findings AS had
        JOIN rounds AS told ON told.run = had.run AND told.id = had.round_id AND told.revision = had.revision
        WHERE had.run = {0}.run AND had.round_id = {0}.round_id AND had.id = {0}.id AND had.weight <> 'note'
    ) END
"""


# ── The alerts that a store holds, as the board begins with them, and when each came to the room ──────
# Of several runs over the same floor the one that was begun last holds for a round that it concluded.

# Open cases are looked for no longer than this many gaming days before the last: what is older is history.
DAYS: Final = 14

# Follows a query that selects findings: `found` are they, with the round that each is of.
_ALERT_COLUMNS: Final = """
    , bettors AS (
        SELECT run, id, revision, list_sort(list(DISTINCT bettor)) AS people
        FROM wagers WHERE length(bettor) > 1 GROUP BY ALL
    )
    SELECT
        found.id, found.run, found.round_id AS about, gaming_date, table_id AS "table", chapter,
        check_name AS "check", weight::VARCHAR AS weight, severity::VARCHAR AS severity, message,
        {} AS "at", round, shoe, account, dealer, bettor, patron, seat, wager,
        hand, device,
        CASE WHEN net_cents IS DISTINCT FROM 0 THEN favours::VARCHAR END AS favours,
        gross_cents, vigorish_cents, net_cents, variance_cents,
        coalesce(put_right, false) AS put_right,
        coalesce(bettors.people, []) AS people
    FROM found LEFT JOIN bettors
        ON bettors.run = found.run AND bettors.id = found.round_id AND bettors.revision = found.revision
    ORDER BY "at" NULLS FIRST, found.id
"""
_ALERTS: Final = _ALERT_COLUMNS.format(FOUND_AT.format("found"))
_OPEN_FINDINGS: Final = """
    WITH concluded AS (
        SELECT rounds_now.*
        FROM rounds_now JOIN runs USING (run)
        WHERE gaming_date > (SELECT max(gaming_date) FROM rounds) - $days::INTEGER
            AND ($about::VARCHAR[] IS NULL OR list_contains($about, id))
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY runs.made DESC, runs.run DESC) = 1
    ),
    found AS (
        SELECT findings.*, concluded.table_id, concluded.gaming_date, concluded.chapter, concluded.opened,
            concluded.round, concluded.shoe, concluded.account, concluded.dealer
        FROM findings JOIN concluded
            ON concluded.run = findings.run AND concluded.id = findings.round_id
            AND concluded.revision = findings.revision
        WHERE findings.weight <> 'note'
    )
"""
_WORKED_ON: Final = """
    WITH found AS (
        SELECT findings.*, rounds.table_id, rounds.gaming_date, rounds.chapter, rounds.opened, rounds.round,
            rounds.shoe, rounds.account, rounds.dealer
        FROM findings JOIN rounds
            ON rounds.run = findings.run AND rounds.id = findings.round_id
            AND rounds.revision = findings.revision
        JOIN runs ON runs.run = findings.run
        WHERE findings.id IN (SELECT unnest($names))
        QUALIFY row_number() OVER (PARTITION BY findings.id ORDER BY runs.made DESC, rounds.revision DESC) = 1
    )
"""
_COLUMNS: Final = {"table": "table_id", "check": "check_name"}
_CAME: Final = """
    SELECT id, coming, about, gaming_date, table_id AS "table", check_name AS "check",
        severity::VARCHAR AS severity, queue::VARCHAR AS queue, came, taken_due, closed_due, rang
    FROM alerts WHERE id IN (SELECT unnest($names)) OR came > $since::TIMESTAMP ORDER BY coming, came, id
"""
_CAME_ON: Final = """
    SELECT id, coming, about, gaming_date, table_id AS "table", check_name AS "check",
        severity::VARCHAR AS severity, queue::VARCHAR AS queue, came, taken_due, closed_due, rang
    FROM alerts WHERE gaming_date = $day
    QUALIFY row_number() OVER (PARTITION BY id ORDER BY coming DESC) = 1 ORDER BY came, id
"""
_TABLES: Final = "SELECT table_id FROM rounds UNION SELECT table_id FROM standing"
_LATEST: Final = "SELECT max(gaming_date), max(opened) FILTER (round IS NOT NULL) FROM rounds"


def standing_alerts(
    db: duckdb.DuckDBPyConnection, tables: Mapping[str, TableSetup], names: Sequence[str] | None = None
) -> dict[str, list[Alert]]:
    """Read the alerts that stand, by what they are about: all, or some; `tables` are the house's."""
    about: defaultdict[str, list[Alert]] = defaultdict(list)
    for row in _rows(db, _OPEN_FINDINGS + _ALERTS, {"days": DAYS, "about": names}):
        about[row["about"]].append(_alert(row, tables))
    return dict(about)


def worked_on(
    db: duckdb.DuckDBPyConnection, names: Collection[str], tables: Mapping[str, TableSetup]
) -> list[Alert]:
    """Read alerts by their ids as they were found last, whether they still stand or not."""
    if not names:  # to plan the query alone takes 10 ms
        return []
    return [_alert(row, tables) for row in _rows(db, _WORKED_ON + _ALERTS, {"names": list(names)})]


def came_rows(noted: Sequence[Arrival]) -> list[Row]:
    """Write how alerts came."""
    rows = [asdict(each) | {"came": as_stored(each.came), "taken_due": as_stored(each.taken_due),
            "closed_due": as_stored(each.closed_due)} for each in noted]  # fmt: skip
    return [{_COLUMNS.get(name, name): value for name, value in row.items()} for row in rows]


def came_of(db: duckdb.DuckDBPyConnection, names: Collection[str], since: Micros) -> list[Arrival]:
    """Read each coming of some alerts, and all since a moment; of one alert in order."""
    rows = _rows(db, _CAME, {"names": list(names), "since": as_stored(since)})
    return [msgspec.convert(_read(row), Arrival) for row in rows]


def came_on(db: duckdb.DuckDBPyConnection, day: date) -> list[Arrival]:
    """Read how the alerts of a gaming day came the last time, in that order."""
    rows = _rows(db, _CAME_ON, {"day": day})
    return [msgspec.convert(_read(row), Arrival) for row in rows]


def tables_in(db: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the tables with anything in a store."""
    return {row["table_id"] for row in _rows(db, _TABLES, {})}


def latest(db: duckdb.DuckDBPyConnection) -> tuple[date, int | None] | None:
    """Return the latest gaming day and the latest round's time, microseconds UTC; None of an empty store."""
    with db.cursor() as reading:
        ((day, opened),) = reading.execute(_LATEST).fetchall()
    return (day, micros(opened)) if day else None


def _alert(row: dict[str, Any], tables: Mapping[str, TableSetup]) -> Alert:
    setup = tables.get(row["table"])
    pit = setup.pit if setup is not None else None
    return msgspec.convert(_read(row) | {"pit": pit, "message": load(row["message"])}, Alert)


def _rows(db: duckdb.DuckDBPyConnection, query: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    with db.cursor() as reading:
        return rows_of(reading, query, parameters)


def _read(row: dict[str, Any]) -> dict[str, Any]:
    return {name: micros(value) if isinstance(value, datetime) else value for name, value in row.items()}
