"""The nightly reports in the store, shown to whom they are for, without rows of what is withheld."""

import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias, cast, runtime_checkable

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import FromPath
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from markupsafe import Markup
from msgspec import Struct

from projections.catalogue import check_name
from projections.engine.conclusion import id_of_table_day
from projections.store.rows import utc
from projections.store.stored_alerts import DAYS
from projections.views.cells import FIGURES
from projections.views.time_text import date_text, moment_text
from projections.web.auth.access_log import AccessRecorder
from projections.web.auth.auth_service import AuthService
from projections.web.auth.embargo import Hidden
from projections.web.auth.masking import Masking
from projections.web.auth.record_subjects import within
from projections.web.auth.roles import Person, Right
from projections.web.live.broadcaster import LiveFloor
from projections.web.phrases.page_phrases import SIDES
from projections.web.records.store_queries import Reader

# ── Rows of a nightly report about a record that is withheld from the reader ───────────────────────────
# A report was made for all readers, and has with each row the keys of the conclusions that it is about. A row
# that does not name its finding is left out as soon as it may be about a withheld one: rather too many rows
# than one too few.

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
# Columns of words that name rounds, shoes and accounts: a report with such a column has the keys of its rows,
# unless an older version made it.
_NAMING: Final = frozenset({"about", "names", "round", "shoe", "account"})
_ALL: Final = "all"  # the cell of a total in place of a table


class _Withheld(Struct, frozen=True):
    """Error: a sum would reveal findings that are withheld."""

    check: str
    table: str
    gaming_date: date


class WithheldRows:
    """Decides which rows of a day's report are withheld from a person."""

    def __init__(self, reader: Reader, hidden: Hidden, report: str, day: date) -> None:
        self._hidden, self._report, self._day = hidden, report, day
        names = [each.removeprefix("alert:") for each in hidden.subjects if each.startswith("alert:")]
        self._alerts = [_Withheld(**row) for row in reader.ask(_ABOUT, [names])] if names else []

    def withholds(self, row: _Row, keys: Collection[str] | None) -> bool:
        """Return True if a row is about something that is withheld, or may be.

        `keys` are those of the conclusions that it is about, as the report has them; None if it has none.
        """
        if not self._hidden.subjects:
            return False
        subjects = {f"alert:{row.get('id')}", str(row.get("of"))}  # a snoozed record is named by its subject
        about = (subject for each in keys or () for subject in within(each))
        if self._hidden.hides([*subjects, *about]):
            return True
        return (keys is None and self._of_its_table(row)) or self._sums(row)

    def _of_its_table(self, row: _Row) -> bool:
        """Return True if anything of a row's table is withheld, and only its words name what it is about."""
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
        """Return True if a row sums up findings, one of them withheld, as far as it identifies them."""
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
# The nightly reports in the store: listed by gaming day, and shown to those who may read them, masked.

# Which right opens a report for one role only; one for a role that is not here is shown to nobody.
_OPENS: Final[Mapping[str, Right]] = {"finance": "finance", "surveillance_supervisor": "second"}
# The only role whose reports show names.
_WITH_NAMES: Final = "finance"
_DAYS: Final = 31  # gaming days that are listed
# Columns in which a check, an account or a line of one may stand by its name.
_MOST_USUAL: Final = 8  # columns; more of them are set smaller
_FAVOURS: Final = "favours"  # the column of a mistake's side, which reads as money
_OF_NAMES: Final = frozenset({"about", "account", "check", "line", "what"})
_NAME: Final = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")

_REPORTS: Final = """
    SELECT gaming_day, report, edition, restricted, noted, json_extract_string(body, '$.title') AS title,
        json_array_length(body, '$.rows') AS rows, digest
    FROM reports_now
    WHERE gaming_day = $day::DATE
        OR ($day IS NULL AND gaming_day > (SELECT max(gaming_day) FROM reports) - $days::INTEGER)
    ORDER BY gaming_day DESC, report
"""
_REPORT: Final = "SELECT * FROM reports_now WHERE gaming_day = ? AND report = ?"
_DAYS_OF_REPORT: Final = """
    SELECT * FROM reports_now
    WHERE report = $report AND gaming_day <= $last AND gaming_day > $last - $days::INTEGER
    ORDER BY gaming_day
"""
FileForm: TypeAlias = Literal["csv", "parquet", "json"]
FILE_TYPES: Final[Mapping[FileForm, str]] = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
}


@runtime_checkable  # Litestar asks whether what it hands on is one
class ReportForms(Protocol):
    """Forms of a nightly report as the nightly folder has them, made of its JSON as a reader may see it."""

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the reports in the order of the nightly list, the most important first."""

    def charts(self, document: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the drawings of a report as SVG elements in the page's colours."""

    def file(self, document: Mapping[str, Any], form: FileForm) -> bytes:
        """Write a report as a file."""


class NoForms:
    """Forms of a console that was opened without any: no drawing, and no file."""

    names: Sequence[str] = ()

    def charts(self, document: Mapping[str, Any]) -> tuple[str, ...]:  # noqa: ARG002  as the protocol has it
        """Return no drawing."""
        return ()

    def file(self, document: Mapping[str, Any], form: FileForm) -> bytes:  # noqa: ARG002  as the protocol has it
        """Raise NotFoundException."""
        raise NotFoundException("This console makes no report files.")


class ReportLabel(Struct, frozen=True):
    """A report of a gaming day in the list: its name and title, its edition, and for whom alone it is.

    `rows` counts its rows; None if some of them may be withheld from the reader.
    """

    gaming_day: date
    report: str
    title: str
    edition: int
    noted: datetime
    restricted: str | None
    rows: int | None
    digest: str


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
    about: dict[str, Any] = {}
    plot: dict[str, str] | None = None


class ReportView(Struct, frozen=True):
    """A report as it is shown: exact values, cents, names masked; `digest` is of the one with names.

    `about` is what it was made from, `plot` which of its columns its chart shows.
    """

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
    about: dict[str, Any] = {}
    plot: dict[str, str] | None = None

    def document(self) -> dict[str, Any]:
        """Return the report as its JSON file has it."""
        copied = ("report", "title", "restricted", "about", "note", "rows", "total", "plot")
        columns = [msgspec.to_builtins(each) for each in self.columns]
        return {name: getattr(self, name) for name in copied} | {"columns": columns}


def may_read(restricted: str | None, person: Person) -> bool:
    """Return True if somebody may read a report that is for a role alone, or for all."""
    return restricted is None or _OPENS.get(restricted) in person.rights


def head(column: Column) -> str:
    """Write the head of a column: for a mistake's side it names the values of the cells."""
    return "Owed or overpaid" if column.name == _FAVOURS else column.says


def cell(value: str | int | None, column: Column, zone: str) -> str:
    """Write a cell of a report for a person.

    >>> won, edge = Column("won", "Won", "cents"), Column("edge", "Edge", "percent")
    >>> cell(-250000, won, "UTC"), cell("1/80", edge, "UTC")
    ('-$2,500.00', '1.25%')
    >>> cell("2025-03-01T20:00:00Z", Column("at", "At", "moment"), "America/New_York")
    '03/01/2025 3:00:00 PM EST'
    >>> cell("announced_wrong", Column("check", "Check", "text"), "UTC")
    'wrong result called'
    >>> cell("house", Column("favours", "Favours", "text"), "UTC")
    'owed to patron'
    """
    if value is None:
        return "\N{EN DASH}"
    if column.kind == "moment":
        return moment_text(datetime.fromisoformat(str(value)), zone)
    if column.kind == "date":
        return date_text(str(value))
    if column.kind in FIGURES:
        return FIGURES[column.kind](value)
    text = str(value)
    if column.name == _FAVOURS:
        return SIDES.get(text, text)
    return check_name(text) if column.name in _OF_NAMES and _NAME.fullmatch(text) else text


class ReportReader:
    """Reads reports for one person: without rows of what is withheld, names masked.

    Names stand in a report for finance alone: it is of what single patrons did with cash. A program sees no
    name. Each report that was opened is noted in the access log.
    """

    def __init__(
        self,
        reader: Reader,
        person: Person,
        masking: Masking,
        hidden: Hidden,
        access_recorder: AccessRecorder,
    ) -> None:
        self._reader, self.person, self._masking, self.hidden = reader, person, masking, hidden
        self._access_recorder = access_recorder

    def find(self, day: date, report: str) -> ReportView:
        """Find a report in its newest edition.

        Raises:
            NotFoundException: there is none, or it is withheld.
            PermissionDeniedException: it is for another role alone.
        """
        found = self._reader.ask(_REPORT, [day, report])
        if not found or self.hidden.hides([f"report:{day}|{report}"]):
            raise NotFoundException(f"There is no report {report} of {date_text(day)} in this store.")
        (row,) = found
        if not may_read(row["restricted"], self.person):
            raise PermissionDeniedException(
                f"Only {row['restricted'].replace('_', ' ')} may read this report."
            )
        self._access_recorder.note_viewed(self.person, "report", f"{day}|{report}")
        return self._view(row)

    def find_some(self, day: date, reports: Iterable[str]) -> dict[str, ReportView]:
        """Find those of some reports that there are for the person, by name."""
        views = {}
        for report in reports:
            with suppress(NotFoundException, PermissionDeniedException):
                views[report] = self.find(day, report)
        return views

    def totals(self, report: str, last: date, days: int) -> dict[date, dict[str, str | int | None]]:
        """Return the totals of a report on so many days up to the last; none where something is withheld."""
        rows = self._reader.ask(_DAYS_OF_REPORT, {"report": report, "last": last, "days": days})
        views = [
            self._view(row)
            for row in rows
            if may_read(row["restricted"], self.person)
            and not self.hidden.hides([f"report:{row['gaming_day']}|{report}"])
        ]
        return {view.gaming_day: view.total for view in views if view.total is not None}

    def note_exported(self, view: ReportView, form: FileForm) -> None:
        """Note that the person took a report out as a file."""
        what = f"report {view.report} of {view.gaming_day}, {form}"
        self._access_recorder.note_exported(self.person, what, [f"report:{view.gaming_day}|{view.report}"])

    def _view(self, row: Mapping[str, Any]) -> ReportView:
        day, report = row["gaming_day"], row["report"]
        body = msgspec.json.decode(row["body"], type=_Body)
        restricted = row["restricted"] == _WITH_NAMES and not self.person.is_program
        if restricted:
            masked = self._masking.release(body)
        else:
            masked = self._masking.masked(body, [f"report:{day}|{report}"], body.people)
        rows = WithheldRows(self._reader, self.hidden, report, day)
        keys = body.row_keys if body.row_keys is not None else [None] * len(body.rows)
        # An earlier version did not list whom the rows name: such rows are hidden from people who may not see
        # names.
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
            about=body.about,
            plot=body.plot,
        )


def report_reader(
    reader: NamedDependency[Reader],
    person: NamedDependency[Person],
    masking: NamedDependency[Masking],
    hidden: NamedDependency[Hidden],
    access_recorder: NamedDependency[AccessRecorder],
) -> ReportReader:
    """Return the viewer's reader of reports."""
    return ReportReader(reader, person, masking, hidden, access_recorder)


def report_of(
    report_reader: NamedDependency[ReportReader], day: FromPath[date], report: FromPath[str]
) -> ReportView:
    """Find the report that is asked for."""
    return report_reader.find(day, report)


@get("/reports", sync_to_thread=True, opt={"needs": "see"})
def reports_page(
    reader: NamedDependency[Reader],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    live: NamedDependency[LiveFloor],
    auth: NamedDependency[AuthService],
    report_forms: NamedDependency[ReportForms],
) -> Template:
    """Return the reports of the last gaming days, without those for another role only."""
    days = groupby(listed(reader, person, hidden, report_forms), key=lambda each: each.gaming_day)
    context = {"days": [(day, list(each)) for day, each in days], "command": _command(live, auth.store)}
    return Template("reports.html", context=context)


def _command(live: LiveFloor, store: Path) -> str:
    """Return the command that makes a day's reports and brings them here: by Kafka, else into the store."""
    way = ("--broker", live.brokers) if live.brokers is not None else ("--store", str(store))
    return shlex.join(("discardrack", "nightly", live.archive, *way))


@get("/api/reports", sync_to_thread=True, opt={"needs": "see"})
def reports(
    reader: NamedDependency[Reader],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    report_forms: NamedDependency[ReportForms],
) -> list[ReportLabel]:
    """Return the reports of the last gaming days, without those for another role only."""
    return listed(reader, person, hidden, report_forms)


def listed(
    reader: Reader, person: Person, hidden: Hidden, report_forms: ReportForms, day: date | None = None
) -> list[ReportLabel]:
    """Return what a person may read and is not withheld from them: of a day, or the last ones, newest first.

    The reports of a day are in the order of the nightly list; those that it does not have come last.
    """
    found = reader.ask(_REPORTS, {"days": _DAYS, "day": day})
    # The number of rows would reveal those that are withheld.
    rows = [row | {"rows": None} for row in found] if hidden.subjects else found
    reports = [msgspec.convert(row | {"noted": utc(row["noted"])}, ReportLabel) for row in rows]
    places = {name: place for place, name in enumerate(report_forms.names)}
    return sorted(
        (
            each
            for each in reports
            if may_read(each.restricted, person)
            and not hidden.hides([f"report:{each.gaming_day}|{each.report}"])
        ),
        key=lambda each: (-each.gaming_day.toordinal(), places.get(each.report, len(places)), each.report),
    )


_ONE: Final = "reports/{day:date}/{report:str}"
_REPORTED: Final = {"found": Provide(report_of, sync_to_thread=True)}


@get(f"/{_ONE}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_REPORTED)
def report_page(
    found: NamedDependency[ReportView],
    person: NamedDependency[Person],
    live: NamedDependency[LiveFloor],
    report_forms: NamedDependency[ReportForms],
) -> Template:
    """Show a report of a gaming day."""
    context = {
        "paper": found,
        "cell": cell,
        "head": head,
        "zone_named": live.zone,
        "is_wide": len(found.columns) > _MOST_USUAL,
        "charts": [Markup(each) for each in report_forms.charts(found.document())],  # noqa: S704  every name in it is escaped
        "file_types": FILE_TYPES if report_forms.names and "export" in person.rights else (),
    }
    return Template("report.html", context=context)


@get(f"/{_ONE}/{{form:str}}", sync_to_thread=True, opt={"needs": "export"}, dependencies=_REPORTED)
def report_file(
    found: NamedDependency[ReportView],
    report_reader: NamedDependency[ReportReader],
    report_forms: NamedDependency[ReportForms],
    form: FromPath[str],
) -> Response[bytes]:
    """Return a report as a file: what its page shows, and no more."""
    if form not in FILE_TYPES:
        raise NotFoundException(f"A report has no form {form}; there are {', '.join(FILE_TYPES)}.")
    chosen = cast("FileForm", form)
    content = report_forms.file(found.document(), chosen)
    report_reader.note_exported(found, chosen)
    name = f"{found.gaming_day}-{found.report}.{form}"
    return Response(
        content,
        media_type=FILE_TYPES[chosen],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@get(f"/api/{_ONE}", sync_to_thread=False, opt={"needs": "see"}, dependencies=_REPORTED)
def report_in_full(found: NamedDependency[ReportView]) -> ReportView:
    """Return a report of a gaming day, as its page shows it."""
    return found


REPORTS: Final[list[ControllerRouterHandler]] = [
    reports_page,
    reports,
    report_page,
    report_file,
    report_in_full,
]
