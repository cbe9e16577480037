"""A table's gaming day as a store has it, in the form in which another audit of it can be held against it."""

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

import duckdb
from msgspec import Struct

from projections.engine.conclusion import Conclusion
from projections.engine.identity import digest_of
from projections.store.rows import Row, conclusion_of, fingerprint_of, grouped, micros
from projections.store.store_file import reason, rows_of
from schemas.errors import BadInput

_NOW: Final = """
    SELECT rounds.* FROM rounds_now AS rounds WHERE run = ? AND gaming_date = ? AND table_id = ?
"""
_OF_THEM: Final = """
    SELECT parts.* FROM {} AS parts
    JOIN rounds_now AS rounds
        ON rounds.run = parts.run AND rounds.id = parts.{} AND rounds.revision = parts.revision
    WHERE rounds.run = ? AND rounds.gaming_date = ? AND rounds.table_id = ?
    ORDER BY {}
"""
_WAGERS: Final = _OF_THEM.format("wagers", "id", "parts.rowid")
_SETTLEMENTS: Final = _OF_THEM.format("settlements", "id", "ordinal")
_FINDINGS: Final = _OF_THEM.format("findings", "round_id", "ordinal")


_PARTS: Final = """
    SELECT parts.{1} AS name FROM {0} AS parts
    ANTI JOIN rounds ON rounds.run = parts.run AND rounds.id = parts.{1} AND rounds.revision = parts.revision
    WHERE parts.run = ? AND starts_with(parts.{1}, ?)
"""
_HANGING: Final = (("wagers", "id"), ("settlements", "id"), ("findings", "round_id"))


class StoredRound(Struct, frozen=True):
    """A conclusion as a store has it, with the rows of its round; `opened` is in microseconds UTC.

    `name` is its id in the store. It is not `sound` where the digest beside it is not its own.
    """

    name: str
    concluded: Conclusion
    row: Row
    wagers: list[Row]
    settlements: list[Row]
    sound: bool


def stored_rounds(db: duckdb.DuckDBPyConnection, run: str, day: date, table: str) -> Iterator[StoredRound]:
    """Read the latest revision of each conclusion that a run has of a table's gaming day."""
    asked = [run, day, table]
    wagers, settlements = (grouped(_rows(db, query, asked), "id") for query in (_WAGERS, _SETTLEMENTS))
    findings = grouped(_rows(db, _FINDINGS, asked), "round_id")
    for row in _rows(db, _NOW, asked):
        name = row["id"]
        concluded = conclusion_of(row, settlements[name], findings[name])
        # When a shoe or an account was known is no part of what was concluded.
        row["opened"] = micros(row["opened"]) if row["round"] is not None else None
        sound = row["digest"] == digest_of(concluded, row["opened"])
        yield StoredRound(name, concluded, row, wagers[name], settlements[name], sound)


def digests_of(db: duckdb.DuckDBPyConnection, run: str, day: date, table: str) -> dict[str, str]:
    """Hash the latest revision of each conclusion that a run has of a table's gaming day, by its id.

    They are what `fingerprint` gives of the same conclusions.
    """
    return {
        each.name: fingerprint_of(each.concluded, each.row, each.wagers, each.settlements)
        + ("" if each.sound else " of another digest")
        for each in stored_rounds(db, run, day, table)
    }


def orphans_of(db: duckdb.DuckDBPyConnection, run: str, day: date) -> list[str]:
    """Return the conclusions of a gaming day of which a run has wagers, money or findings alone."""
    parts = " UNION ".join(_PARTS.format(table, column) for table, column in _HANGING)
    asked = [value for _ in _HANGING for value in (run, f"{day}|")]
    return sorted({row["name"] for row in _rows(db, parts, asked)})


def runs_with(db: duckdb.DuckDBPyConnection, day: date) -> list[tuple[str, str, str]]:
    """Return the runs that have anything of a gaming day, the newest first: name, version and source."""
    query = """
        SELECT run, version, source FROM runs SEMI JOIN (SELECT run FROM rounds WHERE gaming_date = ?)
            USING (run) ORDER BY made DESC, run DESC
    """
    return [(run, version, source) for run, version, source in db.execute(query, [day]).fetchall()]


def tables_with(db: duckdb.DuckDBPyConnection, run: str, day: date) -> list[str]:
    """Return the tables of which a run has anything on a gaming day."""
    query = "SELECT DISTINCT table_id FROM rounds WHERE run = ? AND gaming_date = ? ORDER BY table_id"
    return [table for (table,) in db.execute(query, [run, day]).fetchall()]


def _rows(db: duckdb.DuckDBPyConnection, query: str, asked: list[Any]) -> list[Row]:
    try:
        return rows_of(db, query, asked)
    except duckdb.Error as error:
        raise BadInput(f"the store cannot be read: {reason(error)}") from None
