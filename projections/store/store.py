"""The store of conclusions, and its only writer: rounds, wagers, settlements and findings with their history.

A live store also has what could not be read, and how far Kafka was read. What was written stays. A newer
revision of a round supersedes the older one, and withdraws a finding that it no longer has. The views in
store.sql show both; it defines the columns too.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, TypeAlias

import duckdb
from msgspec import Struct, field
from msgspec.structs import asdict

from projections.casework.alerts.alert_arrival import Arrival
from projections.engine.conclusion import Conclusion, digest_of, id_of
from projections.engine.observation import Round, RoundOrTime, round_and_time
from projections.store.action_log import Acted, append
from projections.store.rows import (
    Offset,
    QuarantinedRecord,
    Row,
    StoredTableStatus,
    as_stored,
    conclusion_of,
    finding_rows,
    grouped,
    refused_rows,
    round_row,
    settlement_rows,
    wager_rows,
)
from projections.store.runs import DayReport, Run, check_runs, runs_of, take_reports
from projections.store.store_file import connect, reason, remove_unfinished, rows_of
from projections.store.stored_alerts import came_rows
from schemas.errors import BadInput, DiscardrackError

if TYPE_CHECKING:
    import pyarrow as pa

# What a conclusion is of, the conclusion, and which revision of that this is.
Entry: TypeAlias = tuple[RoundOrTime, Conclusion, int]
# The key of a stored conclusion: run, id and revision.
StoredAs: TypeAlias = tuple[str, str, int]

BATCH: Final = 5_000
_INSERT: Final = "INSERT INTO {} BY NAME SELECT * FROM arriving"
_INSERTS: Final = {
    "runs": f"{_INSERT.format('runs')} ON CONFLICT DO NOTHING",
    "rounds": _INSERT.format("rounds"),
    "wagers": _INSERT.format("wagers"),
    "settlements": _INSERT.format("settlements"),
    "findings": _INSERT.format("findings"),
    "quarantine": f"{_INSERT.format('quarantine')} ON CONFLICT DO NOTHING",
    "offsets": f"{_INSERT.format('offsets')} ON CONFLICT DO UPDATE SET next = excluded.next",
    "alerts": f"{_INSERT.format('alerts')} ON CONFLICT DO NOTHING",
    "standing": f"{_INSERT.format('standing')} ON CONFLICT DO UPDATE SET told = excluded.told",
}
_SETTLED: Final = """
    SELECT * FROM settlements SEMI JOIN rounds_now USING (run, id, revision) WHERE run = ? ORDER BY ordinal
"""
_FOUND: Final = """
    SELECT findings.* FROM findings
    SEMI JOIN rounds_now ON rounds_now.run = findings.run AND rounds_now.id = findings.round_id
        AND rounds_now.revision = findings.revision
    WHERE run = ? ORDER BY ordinal
"""


class Taken(Struct):
    """New in a batch: conclusions, findings that their run did not have, how many reports."""

    stored: set[StoredAs] = field(default_factory=set)
    raised: set[tuple[str, str]] = field(default_factory=set)
    reports: int = 0


class Store:
    """A store open for writing; while it is, no other process can open the file.

    Raises:
        BadInput: the file cannot be opened, or is not a store.
    """

    def __init__(self, path: Path) -> None:
        self._db = connect(path, writing=True)
        remove_unfinished(path)
        self._begun: set[Run] = set()
        # Of two transactions that write one row DuckDB refuses the later, and a console's threads write too.
        self._writing = threading.Lock()
        self._forms: dict[str, pa.Schema] = {}  # of each table that was written to
        self.batches = 0  # written since it was opened

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file once what is being written has been; others may open it then."""
        with self._writing:
            self._db.close()

    def reading(self) -> duckdb.DuckDBPyConnection:
        """Return a connection for reading while the writer works, for cursors of its own in any thread."""
        return self._db.cursor()

    def write(self, run: Run, concluded: Iterable[Entry]) -> int:
        """Write conclusions, each with its basis and its revision; return how many were new.

        A revision that the run already has is not changed, so writing again what a crash left half done loses
        and duplicates nothing. Each batch is one transaction.

        Raises:
            BadInput: the run was made by another version or over another source, one revision of a round is
                concluded in two ways, or a figure is too large.
            DiscardrackError: the file cannot be written.
        """
        arriving = iter(concluded)
        new = len(self.write_batch({run: list(islice(arriving, BATCH))}).stored)
        while batch := list(islice(arriving, BATCH)):
            new += len(self.write_batch({run: batch}).stored)
        return new

    def write_batch(
        self,
        concluded: Mapping[Run, Sequence[Entry]],
        refused: Sequence[QuarantinedRecord] = (),
        offsets: Sequence[Offset] = (),
        reports: Sequence[DayReport] = (),
        standings: Sequence[StoredTableStatus] = (),
        came: Sequence[Arrival] = (),
    ) -> Taken:
        """Write a batch in one transaction: conclusions by run, what was refused, its offsets, reports.

        What the store has already is not changed, and neither is an alert's arrival. An offset replaces the
        one before, and so does a table's status.

        Raises:
            BadInput: as for `write`; nothing of the batch was written.
            DiscardrackError: the file cannot be written.
        """
        rows: dict[str, list[Row]] = {name: [] for name in _INSERTS}
        beginning = [run for run in concluded if run not in self._begun]
        rows["runs"] = [asdict(run) | {"made": as_stored(run.made)} for run in beginning]
        rows["quarantine"] = refused_rows(refused, as_stored(datetime.now(UTC)))
        rows["offsets"] = [asdict(each) for each in offsets]
        rows["standing"] = [
            {"cluster": each.cluster, "table_id": each.table, "told": each.status} for each in standings
        ]
        # A coming that is known stays as it was noted first.
        rows["alerts"] = came_rows(came)
        taken = Taken()
        try:
            with self._writing, self._db.cursor() as transaction:
                transaction.begin()
                for run, batch in concluded.items():
                    _add(transaction, run.run, batch, rows, taken)
                self._insert(transaction, rows)
                taken.reports = take_reports(transaction, reports, as_stored(datetime.now(UTC)))
                check_runs(transaction, beginning)
                transaction.commit()
                self.batches += 1
        except (duckdb.DataError, duckdb.IntegrityError) as error:
            raise BadInput(f"what the store cannot hold: {reason(error)}") from None
        except duckdb.Error as error:
            raise DiscardrackError(f"the store cannot be written: {reason(error)}") from None
        self._begun.update(beginning)
        return taken

    def conclusions(self, run: str) -> list[Conclusion]:
        """Read the latest revision of each conclusion of a run back, as it was written."""
        with self._db.cursor() as reading:
            settlements = grouped(rows_of(reading, _SETTLED, [run]), "id")
            found = grouped(rows_of(reading, _FOUND, [run]), "round_id")
            rounds = rows_of(reading, "SELECT * FROM rounds_now WHERE run = ? ORDER BY id", [run])
        return [conclusion_of(row, settlements[row["id"]], found[row["id"]]) for row in rounds]

    def runs(self) -> list[Run]:
        """Return the runs, the newest first."""
        return runs_of(self._db)

    def offsets(self, cluster: str) -> dict[tuple[str, int], int]:
        """Return how far a cluster's partitions have been read, by topic and partition."""
        query = "SELECT topic, partition, next FROM offsets WHERE cluster = ?"
        with self._db.cursor() as reading:
            return {(topic, part): at for topic, part, at in reading.execute(query, [cluster]).fetchall()}

    def revised(self, run: str) -> dict[str, int]:
        """Return the newest revision of what a run has revised: of rounds, shoes and accounts, by id."""
        query = "SELECT id, max(revision) FROM rounds WHERE run = ? AND revision > 1 GROUP BY id"
        with self._db.cursor() as reading:
            return dict(reading.execute(query, [run]).fetchall())

    def standings(self, cluster: str) -> dict[str, str]:
        """Return how the tables of a cluster's floor stand, as JSON, by table."""
        query = "SELECT table_id, told FROM standing WHERE cluster = ?"
        with self._db.cursor() as reading:
            return dict(reading.execute(query, [cluster]).fetchall())

    def act(self, acted: Acted, reached: Sequence[Offset] = ()) -> None:
        """Write what somebody did, behind all that was done before, and how far that leads.

        Raises:
            DiscardrackError: the file cannot be written.
        """
        try:
            with self._writing, self._db.cursor() as transaction:
                append(transaction, acted, reached)
        except duckdb.Error as error:
            raise DiscardrackError(f"the store cannot be written: {reason(error)}") from None

    def _form(self, transaction: duckdb.DuckDBPyConnection, name: str) -> "pa.Schema":
        """Return a table's columns, which stand once, in store.sql."""
        if name not in self._forms:
            self._forms[name] = transaction.table(name).limit(0).to_arrow_table().schema
        return self._forms[name]

    def _insert(self, transaction: duckdb.DuckDBPyConnection, rows: Mapping[str, list[Row]]) -> None:
        import pyarrow as pa  # noqa: PLC0415  it takes long to load, and many who open a store write no rows

        # A store is written in small pieces for days: Arrow's own allocator gives back slowly what they take.
        pa.set_memory_pool(pa.system_memory_pool())
        try:
            arriving = {
                name: pa.Table.from_pylist(rows[name], schema=self._form(transaction, name))
                for name in _INSERTS
                if rows[name]
            }
        except (OverflowError, pa.ArrowInvalid) as error:
            raise BadInput(f"a figure that no column of the store can hold: {error}") from None
        for name, table in arriving.items():
            transaction.register("arriving", table)
            transaction.execute(_INSERTS[name])
            transaction.unregister("arriving")


def _add(
    transaction: duckdb.DuckDBPyConnection,
    run: str,
    batch: Sequence[Entry],
    rows: dict[str, list[Row]],
    taken: Taken,
) -> None:
    """Add a run's conclusions to the rows to insert, except those that the store has already."""
    # When a shoe or an account was known is no part of the digest: the same is concluded sooner or later.
    arriving = [
        (id_of(conclusion), revision, digest_of(conclusion, basis.at if isinstance(basis, Round) else None))
        for basis, conclusion, revision in batch
    ]
    stored_digests = _stored_digests(transaction, run, list({name for name, _, _ in arriving}))
    found: list[Row] = []
    for (name, revision, digest), (basis, conclusion, _) in zip(arriving, batch, strict=True):
        stored = stored_digests.get((name, revision))
        if stored == digest:
            continue
        if stored is not None:
            raise BadInput(
                f"run {run} has two conclusions for revision {revision} of {name}; is its number given twice?"
            )
        stored_digests[name, revision] = digest
        taken.stored.add((run, name, revision))
        about = {"run": run, "id": name, "revision": revision}
        observed, at = round_and_time(basis)
        rows["rounds"].append(round_row(about, observed, conclusion) | {"opened": at, "digest": digest})
        rows["wagers"] += wager_rows(about, observed)
        rows["settlements"] += settlement_rows(about, observed, conclusion)
        found += finding_rows(about, conclusion)
    rows["findings"] += found
    raised = list({row["id"] for row in found})
    taken.raised |= {(run, name) for name in raised} - _known_findings(transaction, run, raised)


def _stored_digests(db: duckdb.DuckDBPyConnection, run: str, names: list[str]) -> dict[tuple[str, int], str]:
    query = "SELECT id, revision, digest FROM rounds WHERE run = ? AND id IN (SELECT unnest(?))"
    found = db.execute(query, [run, names]).fetchall() if names else []
    return {(name, revision): digest for name, revision, digest in found}


def _known_findings(db: duckdb.DuckDBPyConnection, run: str, names: list[str]) -> set[tuple[str, str]]:
    query = "SELECT DISTINCT run, id FROM findings WHERE run = ? AND id IN (SELECT unnest(?))"
    return {(run, name) for run, name in db.execute(query, [run, names]).fetchall()} if names else set()
