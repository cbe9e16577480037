"""The runs of a store: each one pass of one version of the software over one source."""

from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Final

import duckdb
import msgspec
from msgspec import Struct

from projections.store.store_file import rows_of
from projections.store.stored_times import utc
from schemas.errors import BadInput

# What was refused of senders is a run of its own that audits nothing; pages begin with the first.
_RUNS: Final = "SELECT * FROM runs ORDER BY source = 'floor.quarantine', made DESC, run DESC"


class Run(Struct, frozen=True):
    """One pass of one version of the software over a source; `made` in UTC, `zone` the property's."""

    run: str
    made: datetime
    version: str
    source: str
    zone: str = "America/New_York"


def begin_run(source: str, zone: str = "America/New_York") -> Run:
    """Return a new run of this software over a source, by the moment at which it begins."""
    made = datetime.now(UTC)
    return Run(f"{made:%Y%m%dT%H%M%S.%fZ}", made, version("discardrack"), source, zone)


def runs_of(db: duckdb.DuckDBPyConnection) -> list[Run]:
    """Return the runs of an open store: of the audits the newest first, then that of refused senders."""
    with db.cursor() as reading:
        rows = rows_of(reading, _RUNS, [])
    return [msgspec.convert(row | {"made": utc(row["made"])}, Run) for row in rows]


def check_runs(db: duckdb.DuckDBPyConnection, wanted: Iterable[Run]) -> None:
    """Refuse a run that another version made, or that is over another source.

    Raises:
        BadInput: it is such a one.
    """
    for run in wanted:
        query = "SELECT version, source FROM runs WHERE run = ?"
        ((by, over),) = db.execute(query, [run.run]).fetchall()
        if (by, over) != (run.version, run.source):
            raise BadInput(f"run {run.run} was made by version {by} over {over}; name this one otherwise")
