"""The store of conclusions, and its only writer: rounds, wagers, settlements and findings with their history.

What was written stays. A newer revision of a round supersedes the older one, and a finding that it does not
have any more is withdrawn by it; both are told by the views in store.sql, where the columns stand too.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

import duckdb
import pyarrow as pa
from msgspec import Struct

from projections.identity import canonical, id_of
from projections.judge import Conclusion
from projections.round import Round
from projections.store_rows import (
    Row,
    conclusion_of,
    finding_rows,
    round_row,
    settlement_rows,
    wager_rows,
)
from schemas.errors import BadInput

# A round as it was seen, what was concluded of it, and which revision of that this is.
Entry: TypeAlias = tuple[Round | None, Conclusion, int]

FORMAT: Final = 1
BATCH: Final = 5_000
_SQL: Final = Path(__file__).with_name("store.sql")
_INSERTS: Final = {
    "rounds": "INSERT INTO rounds BY NAME SELECT * FROM arriving",
    "wagers": "INSERT INTO wagers BY NAME SELECT * FROM arriving",
    "settlements": "INSERT INTO settlements BY NAME SELECT * FROM arriving",
    "findings": "INSERT INTO findings BY NAME SELECT * FROM arriving",
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


class Run(Struct, frozen=True):
    """One pass of one version of the software over a source; `made` in UTC, `zone` the property's."""

    run: str
    made: datetime
    version: str
    source: str
    zone: str = "America/New_York"


def begin_run(source: str, zone: str = "America/New_York") -> Run:
    """Name a new run of this software over a source, by the moment at which it begins."""
    made = datetime.now(UTC)
    return Run(f"{made:%Y%m%dT%H%M%S.%fZ}", made, version("discardrack"), source, zone)


def _digest(seen: Round | None, concluded: Conclusion) -> str:
    opened = str(seen.at if seen is not None else None)
    return hashlib.sha256(canonical([concluded]) + opened.encode()).hexdigest()[:16]


def connect(path: Path, *, writing: bool) -> duckdb.DuckDBPyConnection:
    """Open a store's file; for writing it is made where there is none.

    Raises:
        BadInput: there is no such file or folder, another process has it open, or it is not a store.
    """
    if writing and not path.parent.is_dir():
        raise BadInput(f"{path}: there is no folder {path.parent} to make the store in")
    if not writing and not path.exists():
        raise BadInput(f"{path}: there is no such store; `discardrack demo` makes one")
    # Nothing that a store needs lies in an extension, so none is ever looked for on a network.
    try:
        opened = duckdb.connect(
            str(path),
            read_only=not writing,
            config={"autoinstall_known_extensions": False, "autoload_known_extensions": False},
        )
    except duckdb.Error as error:
        raise BadInput(f"{path}: cannot be opened as a store: {_reason(error)}") from None
    try:
        _check_form(opened, path, writing=writing)
    except BadInput:
        opened.close()
        raise
    return opened


def _reason(error: duckdb.Error) -> str:
    said = str(error).partition("\n")[0].removeprefix("IO Error: ")
    if "in-memory" in said:
        return "it is no DuckDB file"
    return "another process has it open" if "set lock" in said else said


def _check_form(opened: duckdb.DuckDBPyConnection, path: Path, *, writing: bool) -> None:
    tables = {name for (name,) in opened.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if writing and not tables:
        opened.execute(f"BEGIN; {_SQL.read_text(encoding='utf-8')} COMMIT;")
    elif "written_as" not in tables:
        raise BadInput(f"{path}: a DuckDB file, but not a store of discardrack")
    elif (found := opened.execute("FROM written_as").fetchall()) != [(FORMAT,)]:
        raise BadInput(f"{path}: a store of format {found[0][0]}, this version has {FORMAT}; make a new one")


class Store:
    """A store open for writing; while it is, no other process can open the file.

    Raises:
        BadInput: the file cannot be opened, or is not a store.
    """

    def __init__(self, path: Path) -> None:
        self._db = connect(path, writing=True)
        # The columns stand once, in store.sql.
        self._forms = {name: self._db.table(name).limit(0).to_arrow_table().schema for name in _INSERTS}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; others may open it then."""
        self._db.close()

    def write(self, run: Run, concluded: Iterable[Entry]) -> int:
        """Write conclusions, each with the round as it was seen and its revision; give how many were new.

        A revision that the run already has is left as it is, so writing again what a crash left half done
        loses nothing and doubles nothing. Each batch is one transaction.

        Raises:
            BadInput: the run was made by another version or over another source, one revision of a round is
                concluded in two ways, or a figure is too large.
        """
        self._begin(run)
        arriving = iter(concluded)
        new = 0
        while batch := list(islice(arriving, BATCH)):
            new += self._write(run.run, batch)
        return new

    def conclusions(self, run: str) -> list[Conclusion]:
        """Read the latest revision of each conclusion of a run back, as it was written."""
        settlements = _by(self._rows(_SETTLED, run), "id")
        found = _by(self._rows(_FOUND, run), "round_id")
        rounds = self._rows("SELECT * FROM rounds_now WHERE run = ? ORDER BY id", run)
        return [conclusion_of(row, settlements[row["id"]], found[row["id"]]) for row in rounds]

    def _begin(self, run: Run) -> None:
        made = run.made.astimezone(UTC).replace(tzinfo=None)
        self._db.execute(
            "INSERT INTO runs VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [run.run, made, run.version, run.source, run.zone],
        )
        ((by, over),) = self._db.execute(
            "SELECT version, source FROM runs WHERE run = ?", [run.run]
        ).fetchall()
        if (by, over) != (run.version, run.source):
            raise BadInput(f"run {run.run} was made by version {by} over {over}; name this one otherwise")

    def _write(self, run: str, batch: Sequence[Entry]) -> int:
        arriving = [
            (id_of(conclusion), revision, _digest(seen, conclusion)) for seen, conclusion, revision in batch
        ]
        known = self._known(run, list({name for name, _, _ in arriving}))
        rows: dict[str, list[Row]] = {name: [] for name in _INSERTS}
        for (name, revision, digest), (seen, conclusion, _) in zip(arriving, batch, strict=True):
            stored = known.get((name, revision))
            if stored == digest:
                continue
            if stored is not None:
                raise BadInput(
                    f"run {run} has two conclusions for revision {revision} of {name}; "
                    "is its number given twice?"
                )
            known[name, revision] = digest
            about = {"run": run, "id": name, "revision": revision}
            rows["rounds"].append(round_row(about, seen, conclusion) | {"digest": digest})
            rows["wagers"] += wager_rows(about, seen)
            rows["settlements"] += settlement_rows(about, seen, conclusion)
            rows["findings"] += finding_rows(about, conclusion)
        self._insert(run, rows)
        return len(rows["rounds"])

    def _insert(self, run: str, rows: dict[str, list[Row]]) -> None:
        try:
            arriving = {name: pa.Table.from_pylist(rows[name], schema=self._forms[name]) for name in _INSERTS}
        except (OverflowError, pa.ArrowInvalid) as error:
            raise BadInput(f"run {run}: a figure that no column of the store can hold: {error}") from None
        with self._db.cursor() as transaction:
            transaction.begin()
            for name, insert in _INSERTS.items():
                transaction.register("arriving", arriving[name])
                transaction.execute(insert)
                transaction.unregister("arriving")
            transaction.commit()

    def _known(self, run: str, names: list[str]) -> dict[tuple[str, int], str]:
        query = "SELECT id, revision, digest FROM rounds WHERE run = ? AND id IN (SELECT unnest(?))"
        found = self._db.execute(query, [run, names]).fetchall()
        return {(name, revision): digest for name, revision, digest in found}

    def _rows(self, query: str, run: str) -> list[Row]:
        found = self._db.execute(query, [run])
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _by(rows: Iterable[Row], column: str) -> defaultdict[Any, list[Row]]:
    grouped: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row[column]].append(row)
    return grouped
