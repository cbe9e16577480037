"""What the console asks of a store: its runs, the findings that stand, and one subject with its history."""

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

import duckdb
import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace

from projections.console.shown import (
    About,
    Alert,
    Alerts,
    Asked,
    Choices,
    Quarantine,
    Tally,
    Told,
    Unread,
)
from projections.console.telling import tell, utc
from projections.store import Run, runs_of
from projections.store_rows import Row, finding_of
from schemas.house import DEFAULT, House

Kind: TypeAlias = Literal["round", "shoe", "account"]

PAGE: Final = 50

_OPEN: Final = """
    FROM open_findings
    WHERE run = $run
        AND ($table IS NULL OR table_id = $table)
        AND ($check IS NULL OR check_name = $check)
        AND ($severity IS NULL OR severity::VARCHAR = $severity)
        AND ($verdict IS NULL OR verdict::VARCHAR = $verdict)
"""
_COUNT: Final = f"SELECT count(*) AS total {_OPEN}"
# To ask for the total beside the rows takes little longer than to ask for the rows.
_PAGE: Final = f"""
    SELECT *, count(*) OVER () AS total {_OPEN}
    ORDER BY gaming_date DESC, severity, opened DESC NULLS LAST, table_id, round_id, ordinal
    LIMIT $limit OFFSET $offset
"""
_TALLY: Final = """
    SELECT
        count(round),
        count(round) FILTER (verdict = 'clean'),
        count(round) FILTER (verdict = 'undetermined'),
        count(round) FILTER (verdict = 'mismatch'),
        count(shoe) FILTER (round IS NULL AND verdict <> 'clean'),
        count(account) FILTER (verdict <> 'clean')
    FROM rounds_now WHERE run = ?
"""
_CHOICES: Final = """
    SELECT DISTINCT table_id, check_name FROM open_findings WHERE run = ? ORDER BY ALL
"""
_AT: Final = "SELECT * FROM rounds WHERE run = $run AND gaming_date = $day AND table_id = $table AND"
_NAMED: Final[dict[Kind, str]] = {
    "round": f"{_AT} round = $name ORDER BY revision",
    "shoe": f"{_AT} shoe = $name AND round IS NULL ORDER BY revision",
    "account": f"{_AT} account = $name ORDER BY revision",
}
_QUARANTINE: Final = "SELECT * FROM quarantine ORDER BY noted DESC, cluster, id LIMIT ? OFFSET ?"


class Reader:
    """An open store, asked; several threads may ask at once, also while its writer writes.

    By the choices of the house it is told which cards of a stored round were disregarded.
    """

    def __init__(self, db: duckdb.DuckDBPyConnection, house: House = DEFAULT) -> None:
        self._db, self.house = db, house

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def runs(self) -> list[Run]:
        """List the runs, the newest first."""
        return runs_of(self._db)

    def refused(self) -> int:
        """Count what could not be read or stored."""
        return int(self.ask("SELECT count(*) AS refused FROM quarantine", [])[0]["refused"])

    def quarantine(self, page: int) -> Quarantine:
        """Give a page of what could not be read or stored, the latest first; beyond the last it is empty."""
        total = self.refused()
        rows = self.ask(_QUARANTINE, [PAGE, PAGE * (page - 1)])
        return Quarantine(page, max(1, -(-total // PAGE)), total, [_unread(row) for row in rows])

    def tally(self, run: str) -> Tally:
        """Count a run's verdicts."""
        (row,) = self.ask(_TALLY, [run])
        return Tally(*row.values())

    def choices(self, run: str) -> Choices:
        """List the tables and checks that findings of a run can be narrowed to."""
        rows = self.ask(_CHOICES, [run])
        return Choices(*(sorted({row[name] for row in rows}) for name in ("table_id", "check_name")))

    def alerts(self, run: str, asked: Asked) -> Alerts:
        """Give a page of the findings that stand; a page beyond the last one is empty."""
        wanted = {name: getattr(asked, name) for name in ("table", "check", "severity", "verdict")} | {
            "run": run
        }
        rows = self.ask(_PAGE, wanted | {"limit": PAGE, "offset": PAGE * (asked.page - 1)})
        total = (rows or self.ask(_COUNT, wanted))[0]["total"]
        return Alerts(run, asked.page, max(1, -(-total // PAGE)), total, [_alert(row) for row in rows])

    def told(self, kind: Kind, sought: About, revision: int | None) -> Told | None:
        """Tell of a round, a shoe or an account; its latest revision unless one is asked for."""
        rows = self.ask(_NAMED[kind], asdict(sought))
        wanted = [row for row in rows if revision in (None, row["revision"])]
        if not wanted:
            return None
        return tell(self.ask, self.house, wanted[-1:])[0]

    def ask(self, query: str, parameters: Sequence[Any] | dict[str, Any]) -> list[Row]:
        """Ask the store a query; the rows by their columns."""
        with self._db.cursor() as cursor:
            found = cursor.execute(query, parameters)
            names = [column[0] for column in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _alert(row: Row) -> Alert:
    # The table that a ledger's finding concerns would take the place of the one at which it stands.
    stands = {"table": row["table_id"], "at": utc(row["opened"]), "concerns_table": None}
    return replace(finding_of(row | stands, Alert), concerns_table=row["concerns_table"] or UNSET)


def _unread(row: Row) -> Unread:
    return msgspec.convert(row | {"noted": utc(row["noted"]), "table": row["table_id"]}, Unread)
