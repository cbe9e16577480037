"""The log and the embargoes as pages and as JSON, without records that are withheld from the reader."""

import io
import itertools
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter, URLEncodedBody
from litestar.response import Stream, Template
from msgspec import Struct

from projections.views.cells import csv_cell, write_csv
from projections.web.auth.access_log import AccessRecorder, Logged, left_of, logged
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.auth_service import AuthService
from projections.web.auth.embargo import Hidden, not_withheld
from projections.web.auth.guard import lead
from projections.web.auth.roles import Person
from projections.web.phrases.subject_words import subject_words
from schemas.errors import BadInput
from schemas.values import YEARS, capital

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What a person may read of the log: nothing of a record that is withheld from them, nor of the embargo.

PAGE: Final = 100
_PIECE: Final = 5_000  # rows of an export that are read at once
_ROWS: Final = """
    FROM log
    WHERE (:person IS NULL OR person = :person OR whom = :person)
        AND (:subject IS NULL OR instr(subject, :subject) > 0 OR instr(within, :subject) > 0)
        AND (:since IS NULL OR at >= :since) AND (:until IS NULL OR at < :until)
        AND NOT (kind IN ('embargoed', 'lifted') AND whom = :reader)
"""


class AccessLogQuery(Struct, frozen=True):
    """Filter of the access log, where None is any: from `since` until before `until`."""

    person: str | None = None
    subject: str | None = None
    since: int | None = None
    until: int | None = None
    page: int = 1


class AccessLogPage(Struct, frozen=True):
    """Page of the log, the newest first."""

    page: int
    pages: int
    total: int
    rows: list[Logged]


def read(file: AccountsFile, wanted: AccessLogQuery, reader: str, hidden: Hidden) -> AccessLogPage:
    """Return a page of the log as its reader may know it; beyond the last it is empty."""
    values: dict[str, Any] = msgspec.structs.asdict(wanted) | {"reader": reader}
    (counted,) = file.ask_named(*left_of(f"SELECT count(*) AS total {_ROWS}", hidden.subjects, values))
    query, asked_too = left_of(f"SELECT * {_ROWS}", hidden.subjects, values)
    page = {"limit": PAGE, "start": PAGE * (wanted.page - 1)}
    rows = file.ask_named(f"{query} ORDER BY number DESC LIMIT :limit OFFSET :start", {**asked_too, **page})
    total = counted["total"]
    return AccessLogPage(wanted.page, max(1, -(-total // PAGE)), total, list(map(logged, rows)))


_COLUMNS: Final = (
    "number",
    "time",
    "person",
    "kind",
    "subject",
    "whom",
    "detail",
    "within",
    "change",
    "role",
    "hash",
)


def exported_rows(
    file: AccountsFile, wanted: AccessLogQuery, reader: str, hidden: Hidden
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the log as its reader may know it, the oldest first, with what proves their order."""
    after = 0
    while True:
        values = msgspec.structs.asdict(wanted) | {"reader": reader, "after": after}
        query, asked_too = left_of(f"SELECT * {_ROWS} AND number > :after", hidden.subjects, values)
        rows = file.ask_named(f"{query} ORDER BY number LIMIT {_PIECE}", asked_too)
        for row in rows:
            yield {name: row[name] for name in _COLUMNS if name != "time"} | {
                "time": datetime.fromtimestamp(row["at"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            }
        if not rows:
            return
        after = rows[-1]["number"]


def as_csv(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Yield rows as lines of CSV, under a head."""
    head = dict(zip(_COLUMNS, _COLUMNS, strict=True))
    for line in itertools.chain([head], rows):
        text = io.StringIO()
        write_csv(text, [csv_cell(line[name]) for name in _COLUMNS], [])
        yield text.getvalue().encode()


def as_json(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Yield rows as one JSON array."""
    before = b"["
    for row in rows:
        yield before + msgspec.json.encode({name: row[name] for name in _COLUMNS})
        before = b",\n"
    yield b"[]" if before == b"[" else b"]\n"


# ── The log and the embargoes as pages, the log as JSON, and the request to see a name ────────────────

_BAD: Final = 400
_WRITERS: Final = {"csv": as_csv, "json": as_json}


class Unmask(Struct):
    """A request to see the names in a record."""

    subject: str
    reason: str


class Unmasked(Struct):
    """Until when, in seconds since 1970 UTC, a record's names are shown to this session."""

    subject: str
    until: int


class EmbargoForm(Struct):
    """Form of an embargo."""

    subject: str
    whom: str
    reason: str


class AccessLogFilter(Struct, frozen=True):
    """Query of the access log's page, as it was typed."""

    person: str | None = None
    subject: str | None = None
    day: date | None = None
    page: int = 1


def read_access_log_filter(
    person_: Annotated[str | None, QueryParameter(name="person")] = None,
    subject: FromQuery[str | None] = None,
    day: FromQuery[str | None] = None,
    page: Annotated[int, QueryParameter(ge=1, le=1_000_000)] = 1,
) -> AccessLogFilter:
    """Read the log's filters; a form sends what was left open as an empty word."""
    try:
        of = date.fromisoformat(day) if day else None
    except ValueError:
        raise ClientException(f"{day!r} is no day; days are written 2025-03-01.") from None
    if of is not None and of.year not in YEARS:
        raise ClientException(f"There is no day {of}.")
    return AccessLogFilter(person_ or None, subject or None, of, page)


def log_page(
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    sought: NamedDependency[AccessLogFilter],
) -> AccessLogPage:
    """Return the page of the log that is asked for, without what its reader may not know."""
    found = read(auth.file, _wanted(sought, auth.zone), person.name, hidden)
    if sought.page > found.pages:
        raise NotFoundException(f"There is no page {sought.page}; the last is {found.pages}.")
    return found


def _wanted(sought: AccessLogFilter, zone: str) -> AccessLogQuery:
    since, until = _bounds(sought.day, zone) if sought.day is not None else (None, None)
    return AccessLogQuery(sought.person, sought.subject, since, until, sought.page)


def _bounds(day: date, zone: str) -> tuple[int, int]:
    """Return the seconds from which, and before which, it is a day in a zone.

    >>> _bounds(date(2025, 3, 9), "America/New_York")  # the clocks are put forward: 23 hours
    (1741496400, 1741579200)
    """
    begins, ends = (
        datetime.combine(each, time(), ZoneInfo(zone)).timestamp() for each in (day, day + timedelta(days=1))
    )
    return int(begins), int(ends)


@get("/audit", opt={"needs": "audit"}, include_in_schema=False, sync_to_thread=False)
def audit_page(
    auth: NamedDependency[AuthService],
    found: NamedDependency[AccessLogPage],
    sought: NamedDependency[AccessLogFilter],
) -> Template:
    """Show who did and looked at what."""
    context = {"found": found, "sought": sought, "at": auth.clock, "words_of": subject_words}
    return Template("access_audit.html", context=context)


@get("/api/audit", opt={"needs": "audit"}, sync_to_thread=False)
def audit(found: NamedDependency[AccessLogPage]) -> AccessLogPage:
    """Return who did and looked at what, the newest first; times in seconds since 1970 UTC."""
    return found


@get("/audit/export/{form:str}", opt={"needs": "audit"}, include_in_schema=False, sync_to_thread=True)
def export(
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    access_recorder: NamedDependency[AccessRecorder],
    sought: NamedDependency[AccessLogFilter],
    form: FromPath[str],
) -> Stream:
    """Return the rows of the log that a filter leaves, as CSV or JSON; that they were taken out is noted."""
    if form not in _WRITERS:
        raise NotFoundException("The access log is exported as csv or json.")
    chosen = (
        f"{name} {value}"
        for name, value in msgspec.structs.asdict(sought).items()
        if value and name != "page"
    )
    access_recorder.note_exported(person, ", ".join([f"the access log as {form}", *chosen]))
    rows = exported_rows(auth.file, _wanted(sought, auth.zone), person.name, hidden)
    media_type = "text/csv" if form == "csv" else "application/json"
    headers = {"Content-Disposition": f'attachment; filename="access-log.{form}"'}
    return Stream(_WRITERS[form](rows), media_type=media_type, headers=headers)


@post("/api/unmask", opt={"needs": "unmask"}, status_code=200, sync_to_thread=True)
def unmask(
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    data: JSONBody[Unmask],
) -> Unmasked:
    """Show this session the names in a record, for ten minutes; it is written down who asked and why."""
    if hidden.hides([data.subject.strip()]):
        raise NotFoundException("There is no such record.")
    try:
        until = auth.unmasking.unmask(person, data.subject, data.reason)
    except BadInput as error:
        raise ClientException(f"{error}.") from None
    return Unmasked(data.subject.strip(), until)


@get("/embargoes", opt={"needs": ("embargo", "lift")}, include_in_schema=False, sync_to_thread=True)
def embargoes_page(
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    subject: FromQuery[str | None] = None,
) -> Template:
    """Show which records are withheld from whom."""
    return _embargoes(auth, person, EmbargoForm(subject or "", "", ""))


@post("/embargoes", opt={"needs": "embargo"}, include_in_schema=False, sync_to_thread=True)
def place(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    data: URLEncodedBody[EmbargoForm],
) -> Response[Any]:
    """Withhold a record from a person."""
    try:
        auth.embargoes.place(data.subject, data.whom, data.reason, by=person.name)
    except BadInput as error:
        return _embargoes(auth, person, data, error)
    return lead(request, "/embargoes")


@post("/embargoes/{number:int}/lift", opt={"needs": "lift"}, include_in_schema=False, sync_to_thread=True)
def lift(
    request: Request[Any, Any, Any],
    auth: NamedDependency[AuthService],
    person: NamedDependency[Person],
    number: FromPath[int],
) -> Response[Any]:
    """Lift an embargo."""
    try:
        auth.embargoes.lift(number, by=person.name)
    except BadInput as error:
        raise NotFoundException(f"{capital(str(error))}.") from None
    return lead(request, "/embargoes")


def _embargoes(
    auth: AuthService, person: Person, form: EmbargoForm, error: BadInput | None = None
) -> Template:
    embargoes = auth.embargoes.seen_by(person.name)
    context = {
        "embargoes": embargoes,
        "not_withheld": not_withheld(auth.file, embargoes),
        "people": [each for each in auth.accounts.all() if each.name != person.name],
        "typed": form,
        "error": error,
        "at": auth.clock,
    }
    return Template("access_embargoes.html", context=context, status_code=_BAD if error is not None else 200)


_GIVEN: Final = {
    "sought": Provide(read_access_log_filter, sync_to_thread=False),
    "found": Provide(log_page, sync_to_thread=True),
}
AUDIT: Final = Router("/", route_handlers=[audit_page, audit, export], dependencies=_GIVEN)
ROUTES: Final = Router("/", route_handlers=[AUDIT, unmask, embargoes_page, place, lift])
