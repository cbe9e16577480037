"""The nightly reports in the store, shown to whom they are for, without rows of what is withheld."""

import re
import shlex
from collections.abc import Collection, Mapping
from datetime import date, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import FromPath
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.engine.conclusion import id_of_table_day
from projections.store.rows import utc
from projections.store.stored_alerts import DAYS
from projections.views.cells import FIGURES
from projections.web.auth.access_log import AccessRecorder
from projections.web.auth.auth_service import AuthService
from projections.web.auth.embargo import Hidden
from projections.web.auth.masking import Masking
from projections.web.auth.record_subjects import within
from projections.web.auth.roles import Person, Right
from projections.web.live.broadcaster import LiveFloor
from projections.web.phrases.page_phrases import SIDES, moment
from projections.web.records.store_queries import Reader
from schemas.values import in_words

# ── Which rows of a nightly report tell of a record that is withheld from whoever reads it ────────────
# A report was made for all, and brings with each row the keys of the conclusions that it tells of. Where a
# row does not name the finding that it tells of, it is left out as soon as it may be one of those withheld:
# rather too many than one too few.

_Row: TypeAlias = Mapping[str, str | int | None]

_ABOUT: Final = """
    SELECT DISTINCT check_name AS "check", table_id AS "table", gaming_date
    FROM findings JOIN rounds ON rounds.run = findings.run AND rounds.id = findings.round_id
        AND rounds.revision = findings.revision
    WHERE findings.id IN (SELECT unnest(?))
"""
# Sums and counts of the findings of the day, and of the alerts that the room had of late.
_OF_DAY: Final = frozenset({"mismatches", "patrons_and_house", "by_person"})
_OF_NIGHTS: Final = frozenset({"closings", "alert_ageing"})
# Columns of words that name rounds, shoes and accounts: a report that has one has the keys of its rows, but
# for one that an older version made.
_NAMING: Final = frozenset({"about", "names", "round", "shoe", "account"})
_ALL: Final = "all"  # what the cell of a total says in place of a table


class _Withheld(Struct, frozen=True):
    """Error: a sum would reveal findings that are withheld."""

    check: str
    table: str
    gaming_date: date


class WithheldRows:
    """Tells which rows of a day's report are withheld from a person."""

    def __init__(self, reader: Reader, hidden: Hidden, report: str, day: date) -> None:
        self._hidden, self._report, self._day = hidden, report, day
        names = [each.removeprefix("alert:") for each in hidden.subjects if each.startswith("alert:")]
        self._alerts = [_Withheld(**row) for row in reader.ask(_ABOUT, [names])] if names else []

    def withholds(self, row: _Row, keys: Collection[str] | None) -> bool:
        """Return True if a row is about something that is withheld, or may be.

        `keys` are those of the conclusions that it tells of, as the report has them; None where it has none.
        """
        if not self._hidden.subjects:
            return False
        subjects = {f"alert:{row.get('id')}", str(row.get("of"))}  # what was put off is called by its subject
        about = (subject for each in keys or () for subject in within(each))
        if self._hidden.hides([*subjects, *about]):
            return True
        return (keys is None and self._of_its_table(row)) or self._sums(row)

    def _of_its_table(self, row: _Row) -> bool:
        """Return True if anything of a row's table is withheld, where its words alone say what it is of."""
        if _NAMING.isdisjoint(row):
            return False
        masked_row = row.get("gaming_day")
        day = date.fromisoformat(masked_row) if isinstance(masked_row, str) else self._day
        table = id_of_table_day(day, str(row.get("table")))
        return any(
            each == f"table-day:{table}" or each.startswith(f"round:{table}|")
            for each in self._hidden.subjects
        )

    def _sums(self, row: _Row) -> bool:
        """Return True if a row sums up findings one of them withheld, as far as it says of which it is."""
        since = self._day - timedelta(days=DAYS if self._report in _OF_NIGHTS else 1)
        if self._report not in _OF_DAY | _OF_NIGHTS:
            return False
        return any(
            since < each.gaming_date <= self._day
            and row.get("table") in (None, _ALL, each.table)
            and row.get("check") in (None, each.check)
            for each in self._alerts
        )


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The nightly reports in the store: listed by gaming day, and shown to who may read them, names masked.

# Which right opens a report that is for one role alone; one for a role that is not here is shown to nobody.
_OPENS: Final[Mapping[str, Right]] = {"finance": "finance", "surveillance_supervisor": "second"}
# For whom alone a report is whose names are shown.
_WITH_NAMES: Final = "finance"
_DAYS: Final = 31  # gaming days that are listed
# Columns in which a check, an account or a line of one may stand by its name.
_FAVOURS: Final = "favours"  # the column of a mistake's side, which reads as money
_OF_NAMES: Final = frozenset({"about", "account", "check", "line", "what"})
_NAME: Final = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")

_REPORTS: Final = """
    SELECT gaming_day, report, edition, restricted, noted, json_extract_string(body, '$.title') AS title
    FROM reports_now
    WHERE gaming_day > (SELECT max(gaming_day) FROM reports) - $days::INTEGER
    ORDER BY gaming_day DESC, report
"""
_REPORT: Final = "SELECT * FROM reports_now WHERE gaming_day = ? AND report = ?"


class ReportLabel(Struct, frozen=True):
    """A report of a gaming day in the list: its name and title, its edition, and for whom alone it is."""

    gaming_day: date
    report: str
    title: str
    edition: int
    noted: datetime
    restricted: str | None


class Column(Struct, frozen=True):
    """A column of a report: its name, its head, and what its cells are."""

    name: str
    says: str
    kind: Literal["text", "whole", "cents", "fraction", "percent", "date", "moment"]

    @property
    def figure(self) -> bool:
        """Return True if it stands to the right."""
        return self.kind in FIGURES


class _Body(Struct, frozen=True):
    """Part of a report's JSON that the console reads."""

    title: str
    columns: list[Column]
    rows: list[dict[str, str | int | None]]
    note: str | None = None
    total: dict[str, str | int | None] | None = None
    row_keys: list[list[str]] | None = None
    people: dict[str, str] | None = None


class ReportView(Struct, frozen=True):
    """A report as it is shown: exact values, cents, names masked; `digest` is of the one with names."""

    gaming_day: date
    report: str
    edition: int
    restricted: str | None
    made_by: str
    digest: str
    title: str
    note: str | None
    columns: list[Column]
    rows: list[dict[str, str | int | None]]
    total: dict[str, str | int | None] | None


def may_read(restricted: str | None, person: Person) -> bool:
    """Return True if somebody may read a report that is for a role alone, or for all."""
    return restricted is None or _OPENS.get(restricted) in person.rights


def head(column: Column) -> str:
    """Write the head of a column: of a mistake's side it says what the cells then are."""
    return "Owed or overpaid" if column.name == _FAVOURS else column.says


def cell(value: str | int | None, column: Column, zone: str) -> str:
    """Write a cell of a report for a person.

    >>> won, edge = Column("won", "Won", "cents"), Column("edge", "Edge", "percent")
    >>> cell(-250000, won, "UTC"), cell("1/80", edge, "UTC")
    ('-$2,500.00', '1.25 %')
    >>> cell("2025-03-01T20:00:00Z", Column("at", "At", "moment"), "America/New_York")
    '2025-03-01 15:00:00 EST'
    >>> cell("announced_wrong", Column("check", "Check", "text"), "UTC")
    'announced wrong'
    >>> cell("house", Column("favours", "Favours", "text"), "UTC")
    'owed to patron'
    """
    if value is None:
        return "\N{EN DASH}"
    if column.kind == "moment":
        return moment(datetime.fromisoformat(str(value)), zone)
    if column.kind in FIGURES:
        return FIGURES[column.kind](value)
    text = str(value)
    if column.name == _FAVOURS:
        return SIDES.get(text, text)
    return in_words(text) if column.name in _OF_NAMES and _NAME.fullmatch(text) else text


def report_of(
    reader: NamedDependency[Reader],
    person: NamedDependency[Person],
    masking: NamedDependency[Masking],
    hidden: NamedDependency[Hidden],
    access_recorder: NamedDependency[AccessRecorder],
    day: FromPath[date],
    report: FromPath[str],
) -> ReportView:
    """Find a report in its newest edition, without rows of what is withheld.

    Names are masked, but those in a report for finance alone: it is of what single patrons did with cash. A
    program sees no name.
    """
    found = reader.ask(_REPORT, [day, report])
    if not found or hidden.hides([f"report:{day}|{report}"]):
        raise NotFoundException(f"There is no report {report} of {day} in this store.")
    (row,) = found
    if not may_read(row["restricted"], person):
        raise PermissionDeniedException(f"This report is for {row['restricted'].replace('_', ' ')} alone.")
    access_recorder.note_viewed(person, "report", f"{day}|{report}")
    body = msgspec.json.decode(row["body"], type=_Body)
    restricted = row["restricted"] == _WITH_NAMES and not person.is_program
    masked = body if restricted else masking.masked(body, [f"report:{day}|{report}"], body.people)
    rows = WithheldRows(reader, hidden, report, day)
    keys = body.row_keys if body.row_keys is not None else [None] * len(body.rows)
    # An earlier version did not say whom the rows name: nobody sees these who may not see names.
    shows_rows = restricted or body.people is not None
    visible_rows = [
        masked_row
        for masked_row, was, of in zip(masked.rows, body.rows, keys, strict=True)
        if shows_rows and not rows.withholds(was, of)
    ]
    is_whole = len(visible_rows) == len(body.rows)
    return ReportView(
        gaming_day=day,
        report=report,
        edition=row["edition"],
        restricted=row["restricted"],
        made_by=row["made_by"],
        digest=row["digest"],
        title=body.title,
        note=masked.note if is_whole else None,  # it may count them
        columns=body.columns,
        rows=visible_rows,
        total=body.total if is_whole else None,
    )


@get("/reports", sync_to_thread=True, opt={"needs": "see"})
def reports_page(
    reader: NamedDependency[Reader],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    live: NamedDependency[LiveFloor],
    auth: NamedDependency[AuthService],
) -> Template:
    """Return the reports of the last gaming days, but those that are for another role alone."""
    days = groupby(listed(reader, person, hidden), key=lambda each: each.gaming_day)
    context = {"days": [(day, list(each)) for day, each in days], "command": _command(live, auth.store)}
    return Template("reports.html", context=context)


def _command(live: LiveFloor, store: Path) -> str:
    """Return the command that makes a day's reports and brings them here: by Kafka, else into the store."""
    way = ("--broker", live.brokers) if live.brokers is not None else ("--store", str(store))
    return shlex.join(("discardrack", "nightly", live.archive, *way))


@get("/api/reports", sync_to_thread=True, opt={"needs": "see"})
def reports(
    reader: NamedDependency[Reader], person: NamedDependency[Person], hidden: NamedDependency[Hidden]
) -> list[ReportLabel]:
    """Return the reports of the last gaming days, but those that are for another role alone."""
    return listed(reader, person, hidden)


def listed(reader: Reader, person: Person, hidden: Hidden) -> list[ReportLabel]:
    """Return what a person may read and is not withheld from them, the newest day first."""
    rows = reader.ask(_REPORTS, {"days": _DAYS})
    reports = [msgspec.convert(row | {"noted": utc(row["noted"])}, ReportLabel) for row in rows]
    return [
        each
        for each in reports
        if may_read(each.restricted, person) and not hidden.hides([f"report:{each.gaming_day}|{each.report}"])
    ]


_ONE: Final = "reports/{day:date}/{report:str}"
_REPORTED: Final = {"found": Provide(report_of, sync_to_thread=True)}


@get(f"/{_ONE}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_REPORTED)
def report_page(found: NamedDependency[ReportView], live: NamedDependency[LiveFloor]) -> Template:
    """Show a report of a gaming day."""
    return Template(
        "report.html", context={"paper": found, "cell": cell, "head": head, "zone_named": live.zone}
    )


@get(f"/api/{_ONE}", sync_to_thread=False, opt={"needs": "see"}, dependencies=_REPORTED)
def report_in_full(found: NamedDependency[ReportView]) -> ReportView:
    """Return a report of a gaming day, as its page shows it."""
    return found


REPORTS: Final[list[ControllerRouterHandler]] = [reports_page, reports, report_page, report_in_full]
