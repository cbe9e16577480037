"""What the console asks of a store: its runs, the findings that stand, and one subject with its history."""

from collections.abc import Sequence
from datetime import UTC, datetime
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
    Spot,
    Tally,
    Told,
    Unread,
    Withdrawn,
)
from projections.findings import Finding
from projections.lines import Line
from projections.store import Run, runs_of
from projections.store_rows import Row, finding_of

Kind: TypeAlias = Literal["round", "shoe", "account"]

PAGE: Final = 50

# Lines that say of each patron by name what the cage paid. They are for finance alone, and the console does
# not know who reads it; the sum of all patrons names none and is shown.
_OF_PATRONS: Final = frozenset({"cashed_out"})

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
_MONEY: Final = """
    SELECT settlements.*, wagers.cents, wagers.coupon_cents, wagers.coupon
    FROM settlements
    LEFT JOIN wagers
        ON wagers.run = settlements.run AND wagers.id = settlements.id
        AND wagers.revision = settlements.revision AND wagers.seat = settlements.seat
        AND wagers.wager = settlements.wager AND wagers.bettor IS NOT DISTINCT FROM settlements.bettor
        AND wagers.hand IS NOT DISTINCT FROM settlements.hand
    WHERE settlements.run = ? AND settlements.id = ? AND settlements.revision = ?
    ORDER BY settlements.seat, settlements.bettor NULLS FIRST, settlements.ordinal
"""
_HISTORY: Final = """
    SELECT * FROM findings_history WHERE run = ? AND round_id = ? ORDER BY revision, ordinal
"""

_QUARANTINE: Final = "SELECT * FROM quarantine ORDER BY noted DESC, cluster, id LIMIT ? OFFSET ?"


class Reader:
    """An open store, asked; several threads may ask at once, also while its writer writes."""

    def __init__(self, db: duckdb.DuckDBPyConnection) -> None:
        self._db = db

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def runs(self) -> list[Run]:
        """List the runs, the newest first."""
        return runs_of(self._db)

    def refused(self) -> int:
        """Count what could not be read or stored."""
        return int(self._ask("SELECT count(*) AS refused FROM quarantine", [])[0]["refused"])

    def quarantine(self, page: int) -> Quarantine:
        """Give a page of what could not be read or stored, the latest first; beyond the last it is empty."""
        total = self.refused()
        rows = self._ask(_QUARANTINE, [PAGE, PAGE * (page - 1)])
        return Quarantine(page, max(1, -(-total // PAGE)), total, [_unread(row) for row in rows])

    def tally(self, run: str) -> Tally:
        """Count a run's verdicts."""
        (row,) = self._ask(_TALLY, [run])
        return Tally(*row.values())

    def choices(self, run: str) -> Choices:
        """List the tables and checks that findings of a run can be narrowed to."""
        rows = self._ask(_CHOICES, [run])
        return Choices(*(sorted({row[name] for row in rows}) for name in ("table_id", "check_name")))

    def alerts(self, run: str, asked: Asked) -> Alerts:
        """Give a page of the findings that stand; a page beyond the last one is empty."""
        wanted = {name: getattr(asked, name) for name in ("table", "check", "severity", "verdict")} | {
            "run": run
        }
        rows = self._ask(_PAGE, wanted | {"limit": PAGE, "offset": PAGE * (asked.page - 1)})
        total = (rows or self._ask(_COUNT, wanted))[0]["total"]
        return Alerts(run, asked.page, max(1, -(-total // PAGE)), total, [_alert(row) for row in rows])

    def told(self, kind: Kind, sought: About, revision: int | None) -> Told | None:
        """Tell of a round, a shoe or an account; its latest revision unless one is asked for."""
        rows = self._ask(_NAMED[kind], asdict(sought))
        wanted = [row for row in rows if revision in (None, row["revision"])]
        if not wanted:
            return None
        row = wanted[-1]
        about = [sought.run, row["id"]]
        history = self._ask(_HISTORY, about)
        shown = [each for each in history if each["revision"] == row["revision"]]
        standing = {each["id"] for each in shown}
        lines = [msgspec.convert(line, Line) for line in row["lines"] or ()]
        open_to_all = [line for line in lines if line.name not in _OF_PATRONS or line.of is None]
        return Told(
            run=sought.run,
            gaming_date=row["gaming_date"],
            table=row["table_id"],
            round=row["round"],
            shoe=row["shoe"],
            account=row["account"],
            at=_utc(row["opened"]),
            chapter=row["chapter"],
            verdict=row["verdict"],
            outcome=row["outcome"],
            announced=row["announced"],
            dealer=row["dealer"],
            revision=row["revision"],
            revisions=[each["revision"] for each in rows if each["id"] == row["id"]],
            play=[(act["who"], act["what"]) for act in row["play"] or ()],
            wagers=[msgspec.convert(each, Spot) for each in self._ask(_MONEY, [*about, row["revision"]])],
            lines=open_to_all,
            lines_withheld=len(lines) - len(open_to_all),
            findings=[finding_of(each, Finding) for each in shown if each["weight"] != "note"],
            notes=[finding_of(each, Finding) for each in shown if each["weight"] == "note"],
            withdrawn=[
                finding_of(each, Withdrawn)
                for each in history
                if each["withdrawn_in"] is not None
                and each["withdrawn_in"] <= row["revision"]
                and each["id"] not in standing
            ],
        )

    def _ask(self, query: str, parameters: Sequence[Any] | dict[str, Any]) -> list[Row]:
        with self._db.cursor() as cursor:
            found = cursor.execute(query, parameters)
            names = [column[0] for column in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _alert(row: Row) -> Alert:
    # The table that a ledger's finding concerns would take the place of the one at which it stands.
    stands = {"table": row["table_id"], "at": _utc(row["opened"]), "concerns_table": None}
    return replace(finding_of(row | stands, Alert), concerns_table=row["concerns_table"] or UNSET)


def _unread(row: Row) -> Unread:
    return msgspec.convert(row | {"noted": _utc(row["noted"]), "table": row["table_id"]}, Unread)


def _utc(stored: datetime | None) -> datetime | None:
    return stored.replace(tzinfo=UTC) if stored is not None else None
