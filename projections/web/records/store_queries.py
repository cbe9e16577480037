"""What the console asks of a store: its runs, the findings that stand, and one subject with its history."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, Literal, TypeAlias

import duckdb
import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace

from projections.engine.identity import id_of_table_day
from projections.store.rows import Row, finding_of, utc
from projections.store.runs import Run, runs_of
from projections.store.store_file import rows_of
from projections.store.stored_alerts import FOUND_AT
from projections.web.auth.embargo import Hidden
from projections.web.records.record_reader import tell
from projections.web.records.record_views import (
    About,
    Alert,
    Alerts,
    Choices,
    ListQuery,
    Quarantine,
    RecordView,
    Tally,
    Unread,
)
from schemas.house import DEFAULT, House
from schemas.values import MOST_64, microseconds

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
# By what a conclusion's row may be withheld from who asks, and a finding's; asked only where something is.
_ABOUT: Final = "'round:' || {0}, 'table-day:' || regexp_extract({0}, '^[^|]*[|][^|]*')"
_SEEN: Final = f"AND NOT list_has_any($hidden, ['alert:' || id, {_ABOUT.format('round_id')}])"
_SEEN_ROUND: Final = f"AND NOT list_has_any($hidden, [{_ABOUT.format('id')}])"
_FOUND_AT: Final = FOUND_AT.format("open_findings")
# To ask for the total beside the rows takes little longer than to ask for the rows.
_PAGE: Final = """
    ORDER BY gaming_date DESC, severity, found_at DESC NULLS LAST, table_id, round_id, ordinal
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
    FROM rounds_now WHERE run = $run
"""
_CHOICES: Final = "SELECT DISTINCT table_id, check_name FROM open_findings WHERE run = $run"
_AT: Final = "SELECT * FROM rounds WHERE run = $run AND gaming_date = $day AND table_id = $table AND"
_NAMED: Final[dict[Kind, str]] = {
    "round": f"{_AT} round = $name ORDER BY revision",
    "shoe": f"{_AT} shoe = $name AND round IS NULL ORDER BY revision",
    "account": f"{_AT} account = $name ORDER BY revision",
}
_FOUND: Final = """
    SELECT id, round_id FROM findings
    WHERE round_id IN (
        SELECT unnest($abouts::VARCHAR[])
        UNION SELECT round_id FROM findings WHERE id IN (SELECT unnest($alerts::VARCHAR[]))
    )
    UNION SELECT id, round_id FROM findings
    JOIN (SELECT unnest($days::VARCHAR[]) AS day) ON starts_with(round_id, day || '|')
"""
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
        """Return the runs, the newest first."""
        return runs_of(self._db)

    def refused(self, hidden: Hidden) -> int:
        """Count what could not be read or stored, without what came of a table on a day that is hidden."""
        return len(self._refused(hidden)) if hidden.subjects else self._count("quarantine", hidden)

    def conclusions(self, hidden: Hidden) -> int:
        """Count what is concluded of rounds, shoes and accounts, in all revisions, without what is hidden."""
        return self._count("rounds", hidden, _SEEN_ROUND)

    def findings(self, hidden: Hidden) -> int:
        """Count what was ever found, without what is hidden."""
        return self._count("findings", hidden, _SEEN)

    def _count(
        self, table: Literal["rounds", "findings", "quarantine"], hidden: Hidden, columns: str = ""
    ) -> int:
        ((total,),) = (
            row.values()
            for row in self.ask(*_without(hidden, f"SELECT count(*) FROM {table} WHERE true", columns, {}))  # noqa: S608  ours
        )
        return int(total)

    def _refused(self, hidden: Hidden) -> list[Row]:
        return [row for row in self.ask(_QUARANTINE, [MOST_64, 0]) if not self._hides(hidden, row)]

    def quarantine(self, page: int, hidden: Hidden) -> Quarantine:
        """Return a page of what could not be read or stored, the latest first; beyond the last it is empty.

        What came of a table on a day that is hidden is left out.
        """
        start = PAGE * (page - 1)
        if hidden.subjects:
            every = self._refused(hidden)
            total, rows = len(every), every[start : start + PAGE]
        else:
            total, rows = self.refused(hidden), self.ask(_QUARANTINE, [PAGE, start])
        return Quarantine(page, max(1, -(-total // PAGE)), total, [_unread(row) for row in rows])

    def _hides(self, hidden: Hidden, row: Row) -> bool:
        day = self._day_of(row)
        return day is not None and hidden.hides([f"table-day:{day}"])

    def _day_of(self, row: Row) -> str | None:
        """Return on which table's day a record came that could not be read; None where it names no table."""
        noted = utc(row["noted"])
        if row["table_id"] is None or noted is None:
            return None
        return id_of_table_day(self.house.gaming_date(microseconds(noted)), row["table_id"])

    def days_refused(self) -> set[str]:
        """Return the tables' days on which something came that could not be read or stored."""
        return {day for row in self.ask(_QUARANTINE, [MOST_64, 0]) if (day := self._day_of(row)) is not None}

    def tally(self, run: str, hidden: Hidden) -> Tally:
        """Count a run's verdicts, without what is hidden."""
        (row,) = self.ask(*_without(hidden, _TALLY, _SEEN_ROUND, {"run": run}))
        return Tally(*row.values())

    def choices(self, run: str, hidden: Hidden) -> Choices:
        """Return the tables and checks that findings of a run can be narrowed to, without what is hidden."""
        rows = self.ask(*_without(hidden, _CHOICES, _SEEN, {"run": run}))
        return Choices(*(sorted({row[name] for row in rows}) for name in ("table_id", "check_name")))

    def alerts(self, run: str, list_query: ListQuery, hidden: Hidden) -> Alerts:
        """Return a page of the findings that stand and are not hidden; one beyond the last is empty."""
        wanted = {name: getattr(list_query, name) for name in ("table", "check", "severity", "verdict")} | {
            "run": run
        }
        among, wanted = _without(hidden, _OPEN, _SEEN, wanted)
        page = {"limit": PAGE, "offset": PAGE * (list_query.page - 1)}
        listed = f"SELECT *, {_FOUND_AT} AS found_at, count(*) OVER () AS total {among} {_PAGE}"
        rows = self.ask(listed, wanted | page)
        total = (rows or self.ask(f"SELECT count(*) AS total {among}", wanted))[0]["total"]
        return Alerts(run, list_query.page, max(1, -(-total // PAGE)), total, [_alert(row) for row in rows])

    def told(self, kind: Kind, sought: About, revision: int | None) -> RecordView | None:
        """Tell of a round, a shoe or an account; its latest revision unless one is asked for."""
        rows = self.ask(_NAMED[kind], asdict(sought))
        wanted = [row for row in rows if revision in (None, row["revision"])]
        if not wanted:
            return None
        return tell(self.ask, wanted[-1:])[0]

    def found_with(
        self, alerts: Collection[str], abouts: Collection[str], days: Collection[str]
    ) -> Iterable[tuple[str, str]]:
        """Return all that was ever found about what these alerts, and these keys and tables' days, are of.

        Of each its id and the key of the round, the shoe or the account that it is about.
        """
        sought = {"alerts": list(alerts), "abouts": list(abouts), "days": list(days)}
        return [(row["id"], row["round_id"]) for row in self.ask(_FOUND, sought)]

    def ask_seen(self, query: str, hidden: Hidden, parameters: dict[str, Any]) -> list[Row]:
        """Ask for conclusions that are not hidden; the query says where to narrow it, `{withheld}`."""
        narrowed = _SEEN_ROUND if hidden.subjects else ""
        return self.ask(*_without(hidden, query.format(withheld=narrowed), "", parameters))

    def ask(self, query: str, parameters: Sequence[Any] | dict[str, Any]) -> list[Row]:
        """Ask the store a query; the rows by their columns."""
        with self._db.cursor() as cursor:
            return rows_of(cursor, query, parameters)


def _without(hidden: Hidden, query: str, narrowed: str, wanted: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Narrow a query to what is not hidden."""
    if not hidden.subjects:
        return query, wanted
    return f"{query} {narrowed}", wanted | {"hidden": sorted(hidden.subjects)}


def _alert(row: Row) -> Alert:
    # The table that a ledger's finding concerns would take the place of the one at which it stands.
    stands = {"table": row["table_id"], "at": utc(row["found_at"]), "concerns_table": None}
    return replace(finding_of(row | stands, Alert), concerns_table=row["concerns_table"] or UNSET)


def _unread(row: Row) -> Unread:
    return msgspec.convert(row | {"noted": utc(row["noted"]), "table": row["table_id"]}, Unread)
