"""Queries of the console to the store: runs, findings that stand, one record, and rounds related to it."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final, Literal, TypeAlias

import duckdb
import msgspec
from litestar.exceptions import NotFoundException
from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from projections.engine.accounts.checks.shoe import round_of
from projections.engine.audit.rulebooks import left_out
from projections.engine.conclusion import Verdict, id_of_table_day
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase
from projections.store.rows import Row, finding_of, grouped, utc
from projections.store.runs import Run, runs_of
from projections.store.store_file import rows_of
from projections.store.stored_alerts import FOUND_AT
from projections.web.auth.embargo import Hidden
from projections.web.records.record_reader import load_records
from projections.web.records.record_views import (
    FindingChoices,
    FindingPage,
    ListQuery,
    Quarantine,
    RecordKey,
    RecordView,
    RefusedInput,
    StandingFinding,
    Tally,
    Unread,
)
from projections.web.records.viewer_scope import ViewerScope
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
# By what the row of a conclusion or finding may be withheld from the viewer; only used if something is.
_ABOUT: Final = "'round:' || {0}, 'table-day:' || regexp_extract({0}, '^[^|]*[|][^|]*')"
_SEEN: Final = f"AND NOT list_has_any($hidden, ['alert:' || id, {_ABOUT.format('round_id')}])"
_SEEN_ROUND: Final = f"AND NOT list_has_any($hidden, [{_ABOUT.format('id')}])"
_FOUND_AT: Final = FOUND_AT.format("open_findings")
# The total with the rows takes little longer than the rows alone.
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
_BY_NAME: Final[dict[Kind, str]] = {
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
_LINE: Final = re.compile(r", line \d+$")  # of a sender's, where a place ends in it
_MAX_SENDERS: Final = 20  # and reasons, on the page of the system's health
_QUARANTINE: Final = "SELECT * FROM quarantine ORDER BY noted DESC, cluster, id LIMIT ? OFFSET ?"


class Reader:
    """Queries on an open store; several threads may query at once, also while its writer writes.

    The choices of the house decide which cards of a stored round were disregarded. `left_out` has the reason
    for each table that is not audited, in the words of the house file's lines if it is given.
    """

    def __init__(
        self, db: duckdb.DuckDBPyConnection, house: House = DEFAULT, lines: Mapping[str, str] | None = None
    ) -> None:
        self._db, self.house = db, house
        self.left_out = left_out(house) if lines is None else lines

    def take_house(self, house: House, left_out: Mapping[str, str]) -> None:
        """Use another house from now on; `left_out` has the reason for each table that is not audited."""
        self.house, self.left_out = house, left_out

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def runs(self) -> list[Run]:
        """Return the runs, the newest first."""
        return runs_of(self._db)

    def count_refused(self, hidden: Hidden) -> int:
        """Count what could not be read or stored, without what came from a table on a day that is hidden."""
        return len(self._refused(hidden)) if hidden.subjects else self._count("quarantine", hidden)

    def count_conclusions(self, hidden: Hidden) -> int:
        """Count what is concluded of rounds, shoes and accounts, in all revisions, without what is hidden."""
        return self._count("rounds", hidden, _SEEN_ROUND)

    def count_findings(self, hidden: Hidden) -> int:
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

        What came from a table on a day that is hidden is left out.
        """
        start = PAGE * (page - 1)
        if hidden.subjects:
            every = self._refused(hidden)
            total, rows = len(every), every[start : start + PAGE]
        else:
            total, rows = self.count_refused(hidden), self.ask(_QUARANTINE, [PAGE, start])
        return Quarantine(page, max(1, -(-total // PAGE)), total, [_unread(row) for row in rows])

    def refused_input(self, hidden: Hidden) -> list[RefusedInput]:
        """Return what could not be read or may not be sent, by sender and reason, the latest first."""
        groups: dict[tuple[str, str], list[datetime]] = {}
        for row in self._refused(hidden):
            sender = row["source"] or _LINE.sub("", row["place"])
            groups.setdefault((sender, row["reason"]), []).append(row["noted"].replace(tzinfo=UTC))
        return [RefusedInput(*group, len(times), times[0]) for group, times in groups.items()][:_MAX_SENDERS]

    def _hides(self, hidden: Hidden, row: Row) -> bool:
        day = self._day_of(row)
        return day is not None and hidden.hides([f"table-day:{day}"])

    def _day_of(self, row: Row) -> str | None:
        """Return on which table's day a record came that could not be read; None if it names no table."""
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

    def choices(self, run: str, hidden: Hidden) -> FindingChoices:
        """Return the tables and checks that findings of a run can be narrowed to, without what is hidden."""
        rows = self.ask(*_without(hidden, _CHOICES, _SEEN, {"run": run}))
        return FindingChoices(*(sorted({row[name] for row in rows}) for name in ("table_id", "check_name")))

    def finding_page(self, run: str, list_query: ListQuery, hidden: Hidden) -> FindingPage:
        """Return a page of the findings that stand and are not hidden; one beyond the last is empty."""
        wanted = {name: getattr(list_query, name) for name in ("table", "check", "severity", "verdict")} | {
            "run": run
        }
        among, wanted = _without(hidden, _OPEN, _SEEN, wanted)
        page = {"limit": PAGE, "offset": PAGE * (list_query.page - 1)}
        listed = f"SELECT *, {_FOUND_AT} AS found_at, count(*) OVER () AS total {among} {_PAGE}"
        rows = self.ask(listed, wanted | page)
        total = (rows or self.ask(f"SELECT count(*) AS total {among}", wanted))[0]["total"]
        return FindingPage(
            run, list_query.page, max(1, -(-total // PAGE)), total, [_alert(row) for row in rows]
        )

    def record(self, kind: Kind, sought: RecordKey, revision: int | None) -> RecordView | None:
        """Return a round, a shoe or an account, its latest revision unless `revision` is given, or None."""
        rows = self.ask(_BY_NAME[kind], asdict(sought))
        wanted = [row for row in rows if revision in (None, row["revision"])]
        if not wanted:
            return None
        return load_records(self.ask, wanted[-1:])[0]

    def found_with(
        self, alerts: Collection[str], abouts: Collection[str], days: Collection[str]
    ) -> Iterable[tuple[str, str]]:
        """Return all that was ever found about what these alerts, and these keys and tables' days, are of.

        Of each its id and the key of the round, the shoe or the account that it is about.
        """
        sought = {"alerts": list(alerts), "abouts": list(abouts), "days": list(days)}
        return [(row["id"], row["round_id"]) for row in self.ask(_FOUND, sought)]

    def ask_visible(self, query: str, hidden: Hidden, parameters: dict[str, Any]) -> list[Row]:
        """Query conclusions that are not hidden; the query marks where to narrow it by `{withheld}`."""
        narrowed = _SEEN_ROUND if hidden.subjects else ""
        return self.ask(*_without(hidden, query.format(withheld=narrowed), "", parameters))

    def ask(self, query: str, parameters: Sequence[Any] | dict[str, Any]) -> list[Row]:
        """Query the store; the rows by their columns."""
        with self._db.cursor() as cursor:
            return rows_of(cursor, query, parameters)


def run_of(runs: list[Run], list_query: ListQuery) -> Run | None:
    """Return the run that is asked for, or the newest."""
    if list_query.run is None:
        return runs[0] if runs else None
    for run in runs:
        if run.run == list_query.run:
            return run
    raise NotFoundException(f"There is no run {list_query.run} in this store.")


def _without(hidden: Hidden, query: str, narrowed: str, wanted: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Narrow a query to what is not hidden."""
    if not hidden.subjects:
        return query, wanted
    return f"{query} {narrowed}", wanted | {"hidden": sorted(hidden.subjects)}


def _alert(row: Row) -> StandingFinding:
    # The table that a ledger's finding concerns would take the place of the one at which it stands.
    stands = {"table": row["table_id"], "at": utc(row["found_at"]), "concerns_table": None}
    return replace(finding_of(row | stands, StandingFinding), concerns_table=row["concerns_table"] or UNSET)


def _unread(row: Row) -> Unread:
    return msgspec.convert(row | {"noted": utc(row["noted"]), "table": row["table_id"]}, Unread)


# ── Rounds that are shown with something else ─────────────────────────────────────────────────────────

# A shoe may be in play as the gaming day changes: its rounds after that are of the next day.
_OF_SHOE: Final = """
    SELECT id, gaming_date, table_id, round, opened, verdict FROM rounds
    WHERE run = $run AND table_id = $table AND gaming_date BETWEEN $day AND $day::DATE + 1 AND shoe = $shoe
        AND round IN (SELECT unnest($rounds)) AND opened IS NOT NULL
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY opened
"""
_LAY: Final = """
    SELECT DISTINCT id, revision, coupon FROM wagers
    WHERE run = $run AND coupon IN (SELECT unnest($coupons))
"""
# The first and the last of the ids are also parameters: row groups outside that range are skipped.
_ROUNDS: Final = """
    SELECT * FROM rounds
    WHERE run = $run AND id BETWEEN $first AND $last AND id IN (SELECT unnest($ids))
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY gaming_date, opened, table_id
"""


class RelatedRound(Struct, frozen=True):
    """A round that is shown with something else, and when it was opened."""

    gaming_date: date
    table: str
    round: str
    at: datetime
    verdict: Verdict


class Placed(RelatedRound, frozen=True):
    """A round in which a coupon was used."""

    coupon: str


def in_steps(
    reader: Reader, record: RecordView, finding: FindingBase[Fact], viewer_scope: ViewerScope
) -> list[RelatedRound]:
    """Return the rounds of a shoe that the steps of a sum name, in their order, as a person may see them."""
    rounds = [number for step in finding.steps or () if (number := round_of(step)) is not None]
    if record.shoe is None or not rounds:
        return []
    within = {"run": record.run, "table": record.table, "day": record.gaming_date, "shoe": record.shoe}
    return [
        RelatedRound(*_round(row))
        for row in reader.ask(_OF_SHOE, within | {"rounds": rounds})
        if not viewer_scope.hides(row["id"])
    ]


def placed(reader: Reader, run: str, coupons: Collection[str], viewer_scope: ViewerScope) -> list[Placed]:
    """Return the rounds in which coupons were used under a wager, in order, as a person may see them."""
    return [
        Placed(*_round(row), coupon)
        for coupon, row in where_lain(reader, run, coupons)
        if row["opened"] is not None and not viewer_scope.hides(row["id"])
    ]


def where_lain(reader: Reader, run: str, coupons: Collection[str]) -> list[tuple[str, Row]]:
    """Return each of these coupons that was used under a wager with the row of the round, by round."""
    lain = reader.ask(_LAY, {"run": run, "coupons": list(coupons)}) if coupons else []
    if not lain:
        return []
    lying = grouped(lain, "id")
    ids = sorted(lying)
    rows = reader.ask(_ROUNDS, {"run": run, "ids": ids, "first": ids[0], "last": ids[-1]})
    return [
        (each["coupon"], row)
        for row in rows
        for each in lying[row["id"]]
        if each["revision"] == row["revision"]
    ]


def _round(row: Row) -> tuple[date, str, str, datetime, Verdict]:
    return row["gaming_date"], row["table_id"], row["round"], utc(row["opened"]), row["verdict"]
