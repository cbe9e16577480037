"""The alerts that a store holds, as the board begins with them.

Of several runs over the same floor the one that was begun last holds for a round that it concluded.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, date
from typing import Any, Final

import duckdb
import msgspec

from projections.work.alert import Alert
from schemas.values import microseconds

# Open cases are looked for no longer than this many gaming days before the last: what is older is history.
DAYS: Final = 14

_STANDING: Final = """
    WITH concluded AS (
        SELECT rounds_now.*
        FROM rounds_now JOIN runs USING (run)
        WHERE gaming_date > (SELECT max(gaming_date) FROM rounds) - $days::INTEGER
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY runs.made DESC, runs.run DESC) = 1
    )
    SELECT
        findings.id, concluded.run, concluded.id AS about, concluded.gaming_date,
        concluded.table_id AS "table",
        concluded.chapter, findings.check_name AS "check", findings.weight::VARCHAR AS weight,
        findings.severity::VARCHAR AS severity, findings.message, concluded.opened AS "at", concluded.round,
        concluded.shoe, concluded.account, concluded.dealer, findings.seat, findings.device,
        findings.favours::VARCHAR AS favours, findings.delta_cents,
        coalesce(findings.put_right, false) AS put_right
    FROM concluded JOIN findings
        ON findings.run = concluded.run AND findings.round_id = concluded.id
        AND findings.revision = concluded.revision
    WHERE findings.weight <> 'note'
    ORDER BY concluded.opened NULLS FIRST, findings.id
"""
_LATEST: Final = "SELECT max(gaming_date), max(opened) FROM rounds"


def standing_alerts(db: duckdb.DuckDBPyConnection, pits: Mapping[str, str | None]) -> dict[str, list[Alert]]:
    """Read the alerts that stand, by what they are about; `pits` tells a table's pit."""
    with db.cursor() as reading:
        found = reading.execute(_STANDING, {"days": DAYS})
        names = [column[0] for column in found.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    about: defaultdict[str, list[Alert]] = defaultdict(list)
    for row in rows:
        about[row["about"]].append(_alert(row, pits))
    return dict(about)


def latest(db: duckdb.DuckDBPyConnection) -> tuple[date, int | None] | None:
    """Give the latest gaming day and the latest round's time, microseconds UTC; None of an empty store."""
    with db.cursor() as reading:
        ((day, opened),) = reading.execute(_LATEST).fetchall()
    return (day, microseconds(opened.replace(tzinfo=UTC)) if opened else None) if day else None


def _alert(row: dict[str, Any], pits: Mapping[str, str | None]) -> Alert:
    at = microseconds(row["at"].replace(tzinfo=UTC)) if row["at"] is not None else None
    return msgspec.convert(row | {"at": at, "pit": pits.get(row["table"])}, Alert)
