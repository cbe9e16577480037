"""The runs of a store, each one pass of one version over a record; a day's reports, edition by edition."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Final, Literal, TypeAlias

import duckdb
import msgspec
from msgspec import Struct

from projections.engine.checks.plugin_checks import software
from projections.store.rows import utc
from projections.store.store_file import rows_of
from schemas.errors import BadInput

# ── The runs of a store: each one pass of one version of the software over one source ─────────────────

# Of a live floor's workers, of what was recorded, or of what was refused of senders.
RunKind: TypeAlias = Literal["live", "recorded", "senders"]


class Run(Struct, frozen=True):
    """Run: a pass of one version of the software over a source; `made` in UTC, `zone` the property's."""

    run: str
    made: datetime
    version: str
    source: str
    zone: str = "America/New_York"
    kind: RunKind = "recorded"


def begin_run(source: str, zone: str = "America/New_York") -> Run:
    """Return a new run of this software over a source, by the moment at which it begins."""
    made = datetime.now(UTC)
    return Run(f"{made:%Y%m%dT%H%M%S.%fZ}", made, software(), source, zone)


def runs_of(db: duckdb.DuckDBPyConnection) -> list[Run]:
    """Return the runs of an open store: of the audits the newest first, then that of refused senders."""
    with db.cursor() as reading:
        rows = rows_of(reading, "SELECT * FROM runs", [])
    runs = [msgspec.convert(row | {"made": utc(row["made"])}, Run) for row in rows]
    # Every page asks for these few, which DuckDB plans to sort for longer than it takes to read them.
    newest_first = sorted(runs, key=lambda run: (run.made, run.run), reverse=True)
    # What was refused of senders is a run of its own that audits nothing; pages begin with the first run.
    return sorted(newest_first, key=lambda run: run.kind == "senders")


def live_runs(runs: Sequence[Run]) -> Sequence[Run]:
    """Return the runs of a live floor's workers; all if no worker wrote the store."""
    return [run for run in runs if run.kind == "live"] or runs


def check_runs(db: duckdb.DuckDBPyConnection, wanted: Iterable[Run]) -> None:
    """Raise BadInput if a run was made by another version or over another source.

    Raises:
        BadInput: a run differs; the message gives its version and source.
    """
    for run in wanted:
        query = "SELECT version, source FROM runs WHERE run = ?"
        ((by, over),) = db.execute(query, [run.run]).fetchall()
        if (by, over) != (run.version, run.source):
            raise BadInput(f"run {run.run} was made by version {by} over {over}; name this one otherwise")


# ── A day's reports in the store: each edition stays, the newest is the one that holds (`reports_now`) ────

_INSERT: Final = """
    INSERT INTO reports BY NAME
    SELECT
        $gaming_day::DATE AS gaming_day,
        $report AS report,
        coalesce(max(edition), 0) + 1 AS edition,
        $digest AS digest,
        $made_by AS made_by,
        $restricted AS restricted,
        $noted::TIMESTAMP AS noted,
        $body AS body
    FROM reports WHERE gaming_day = $gaming_day AND report = $report
    HAVING arg_max(digest, edition) IS DISTINCT FROM $digest
    RETURNING edition
"""


class DayReport(Struct, frozen=True, kw_only=True):
    """Report of a gaming day: its name, its JSON with the hash of that, and the software that made it.

    `restricted` is the role that alone may read it.
    """

    gaming_day: date
    report: str
    digest: str
    made_by: str
    body: str
    restricted: str | None = None


def take_reports(
    transaction: duckdb.DuckDBPyConnection, reports: Iterable[DayReport], noted: datetime
) -> int:
    """Add reports, except those whose newest edition is the same; return how many were new.

    `noted` is when they came, UTC and naive as the store has it.
    """
    new = 0
    for each in reports:
        row = {
            "gaming_day": each.gaming_day,
            "report": each.report,
            "digest": each.digest,
            "made_by": each.made_by,
            "restricted": each.restricted,
            "noted": noted,
            "body": each.body,
        }
        new += len(transaction.execute(_INSERT, row).fetchall())
    return new
