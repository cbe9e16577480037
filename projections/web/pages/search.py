"""Search: a table, a round of it, a time, a check, a seat, an alert, a serial number, a masked name."""

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from litestar import Request, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter
from litestar.response import Response, Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.alerts.queues import QueueItem
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.disputes.dispute_state import Dispute
from projections.catalogue import check_name
from projections.engine.accounts.account_lines import OF_PATRONS
from projections.engine.conclusion import Verdict
from projections.store.rows import Row, as_stored, utc
from projections.store.runs import Run
from projections.views.time_text import clock, date_text, day_and_minute
from projections.web.auth.guard import lead
from projections.web.pages.action_routes import Clock
from projections.web.pages.alert_view import FloorContext
from projections.web.pages.list_queries import BY_RUN
from projections.web.pages.queue_stream import tags_of
from projections.web.phrases.page_phrases import page_of, segment, sums_in_words
from projections.web.records.record_links import called, counts_as_open, kind_of
from projections.web.records.record_views import ListQuery
from projections.web.records.store_queries import Reader, run_of, where_lain
from projections.web.records.viewer_scope import ViewerScope
from schemas.values import MOST_64, YEARS, Micros, in_words
from schemas.values import moment as moment_of

# ── What is typed to go somewhere, taken apart in whatever order it is typed ───────────────────────────

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_US_DATE: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_TIME: Final = re.compile(
    r"([01]?\d|2[0-3])[:.]([0-5]\d)(?:[:.]([0-5]\d)(?:\.\d{1,6})?)?(am|pm)?", re.IGNORECASE
)
_HALF_APART: Final = re.compile(r"(?<=\d)\s+(?=[ap]m\b)", re.IGNORECASE)
_NOON: Final = 12
_SEAT: Final = re.compile(r"\bseat\s+(\d{1,2})\b", re.IGNORECASE)
_SHORTEST: Final = 3  # letters of the beginning of a check's word, by which it is found as somebody types


class SearchTerms(Struct, frozen=True):
    """Parsed query: a table's name, a gaming date, a time of day, a seat, checks, and one other word.

    `lasts` is for how many seconds the time of day is meant: a minute, where no second was typed.
    """

    table: str | None = None
    day: date | None = None
    at: time | None = None
    lasts: int = 0
    word: str | None = None
    seat: int | None = None
    checks: tuple[str, ...] = ()


def read(text: str, tables: list[str], checks: Collection[str] = ()) -> SearchTerms | None:
    """Parse what was typed; None if it is not understood.

    `tables` and `checks` are the existing ones; a check is found by the beginnings of its words.

    >>> read("bac-104 88", ["BAC-101", "BAC-104"])
    SearchTerms(table='BAC-104', day=None, at=None, lasts=0, word='88', seat=None, checks=())
    >>> terms = read("BAC-104 2026-11-22 21:14", ["BAC-104"])
    >>> terms.table, str(terms.day), str(terms.at), terms.lasts
    ('BAC-104', '2026-11-22', '21:14:00', 60)
    >>> terms = read("2025-03-01 bac104 1:29 pm", ["BAC-104"])
    >>> terms.table, str(terms.day), str(terms.at)
    ('BAC-104', '2025-03-01', '13:29:00')
    >>> read("winner col seat 6", [], ["winner_collected", "push_collected"]).checks
    ('winner_collected',)
    >>> read("one two three", ["BAC-104"]) is None
    True
    """
    seat = _SEAT.search(text)
    rest = _SEAT.sub(" ", text, count=1) if seat is not None else text
    table_name, remaining = _take_table(_HALF_APART.sub("", rest).split(), tables)
    days: list[date] = []
    times: list[time] = []
    lasts = 0
    words: list[str] = []
    for word in remaining:
        if (day := _day(word)) is not None:
            days.append(day)
        elif (at := _time(word)) is not None:
            times.append(at)
            lasts = 0 if word.count(":") + word.count(".") > 1 else 60
        else:
            words.append(word)
    meant = _checks(words, checks)
    if max(len(days), len(times)) > 1 or (not meant and (len(words) > 1 or (times and words))):
        return None
    return SearchTerms(
        table=table_name,
        day=next(iter(days), None),
        at=next(iter(times), None),
        lasts=lasts,
        word=words[0] if len(words) == 1 else None,
        seat=int(seat[1]) if seat is not None else None,
        checks=meant,
    )


def _take_table(words: list[str], tables: list[str]) -> tuple[str | None, list[str]]:
    """Return the table that is named among words, the longest name first, and the words without it.

    A name typed without its hyphens and blanks is accepted if no other one matches all characters.

    >>> _take_table(["13:29", "BAC", "1", "2"], ["BAC", "BAC 1"])
    ('BAC 1', ['13:29', '2'])
    >>> _take_table(["bac1", "2"], ["BAC 1"])
    ('BAC 1', ['2'])
    """
    for table in sorted(tables, key=len, reverse=True):
        parts = table.casefold().split()
        for at in range(len(words) - len(parts) + 1):
            if [each.casefold() for each in words[at : at + len(parts)]] == parts:
                return table, words[:at] + words[at + len(parts) :]
    joined = {_joined(table): table for table in tables}
    for at, word in enumerate(words):
        if (found := joined.get(_joined(word))) is not None:
            return found, words[:at] + words[at + 1 :]
    return None, words


def _joined(name: str) -> str:
    return re.sub(r"[\s-]", "", name.casefold())


def _time(word: str) -> time | None:
    """Read a time of day, of 24 hours or of twice 12.

    >>> [str(_time(word)) for word in ("13:29", "1:29pm", "12:05am", "13:29pm")]
    ['13:29:00', '13:29:00', '00:05:00', 'None']
    """
    found = _TIME.fullmatch(word)
    if found is None:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4] is None:
        return time(hour, minute, second)
    if not 1 <= hour <= _NOON:
        return None
    return time(hour % _NOON + (_NOON if found[4].casefold() == "pm" else 0), minute, second)


def _checks(words: list[str], checks: Collection[str]) -> tuple[str, ...]:
    """Return the checks in which each typed word begins a word."""
    if not any(len(word) >= _SHORTEST for word in words):
        return ()
    beginnings = [word.casefold() for word in words]
    return tuple(
        check
        for check in sorted(checks)
        if all(any(part.startswith(word) for part in _words_of(check)) for word in beginnings)
    )


def _words_of(check: str) -> set[str]:
    """Return the words of a check, and of what people call it."""
    return {*in_words(check).split(), *check_name(check).casefold().split()}


def _day(word: str) -> date | None:
    """Read a day as the pages write it, or in its ISO form.

    >>> [str(_day(word)) for word in ("03/01/2025", "3/1/2025", "2025-03-01", "02/30/2025")]
    ['2025-03-01', '2025-03-01', '2025-03-01', 'None']
    """
    word = _US_DATE.sub(lambda found: f"{found[3]}-{found[1]:>02}-{found[2]:>02}", word)
    try:
        day = date.fromisoformat(word) if _DATE.fullmatch(word) else None
    except ValueError:  # such as 30 February
        return None
    return day if day is not None and day.year in YEARS else None


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What is found for what was typed: a table, a round of it, a time, an alert, a dispute, a tag, a number.

Kind: TypeAlias = Literal["alert", "dispute", "table", "round", "shoe", "account"]

MOST: Final = 200  # hits that are listed
LONGEST: Final = 200  # characters that are read
_MASKED: Final = re.compile(r"(?:dealer |patron )?(·[0-9a-f]+)")  # a masked name, with its role or without
_FIRST: Final = 4  # digits of a dispute, with which it is found: fewer are the number of a round
# A time of day is the last one up to this long after the newest round: nobody types the future.
_SOON: Final = timedelta(minutes=10)
_DAY: Final = timedelta(days=1)

_TABLES: Final = """
    SELECT DISTINCT table_id FROM rounds WHERE run = $run AND round IS NOT NULL ORDER BY table_id
"""
_CHECKS: Final = "SELECT DISTINCT check_name FROM open_findings WHERE run = $run"
_LATEST: Final = """
    SELECT max(opened) AS latest FROM rounds WHERE run = $run AND ($table IS NULL OR table_id = $table)
"""
_NUMBERED: Final = """
    SELECT * FROM rounds_now
    WHERE run = $run AND round = $number AND ($table IS NULL OR table_id = $table)
        AND ($day IS NULL OR gaming_date = $day)
    ORDER BY gaming_date DESC, table_id LIMIT $limit
"""
# At each table the last round before a moment, which may have been over by then, and those that were opened
# after it and before another.
_AT: Final = """
    SELECT * FROM rounds_now
    WHERE run = $run AND round IS NOT NULL AND opened > $since AND (opened <= $at OR opened < $until)
        AND ($table IS NULL OR table_id = $table)
    QUALIFY opened > $at OR row_number() OVER (PARTITION BY table_id, opened > $at ORDER BY opened DESC) = 1
    ORDER BY table_id, opened LIMIT $limit
"""
_ALERTS: Final = """
    SELECT * FROM findings_now WHERE run = $run AND (id = $word OR serial = $word)
    ORDER BY gaming_date DESC, table_id, id LIMIT $limit
"""
# Of each check the first finding in a round stands for the others there.
_OF_CHECK: Final = """
    SELECT * FROM open_findings
    WHERE run = $run AND (len($checks) = 0 OR list_contains($checks, check_name))
        AND ($seat IS NULL OR seat = $seat)
        AND ($table IS NULL OR table_id = $table) AND ($day IS NULL OR gaming_date = $day)
    QUALIFY row_number() OVER (PARTITION BY round_id, check_name ORDER BY ordinal) = 1
    ORDER BY gaming_date DESC, opened DESC NULLS LAST, table_id, check_name LIMIT $limit
"""
_SLIPS: Final = """
    SELECT * FROM rounds_now
    WHERE run = $run AND account IS NOT NULL
        AND len(list_filter(
            lines, lambda line: line."of" = $word AND NOT list_contains($patrons, line."name")
        )) > 0
    ORDER BY gaming_date DESC, table_id LIMIT $limit
"""


class Hit(Struct, frozen=True):
    """Search result: its kind, its name, and the path of its page.

    `but` is why it may not be what was meant: it was over, or its table closed, at the time that was typed.
    For a round, a shoe or an account, and an alert of one, `about` is its key, `verdict` how it was judged,
    and `sums` in words what is open of it.
    """

    kind: Kind
    called: str
    path: str
    but: str | None = None
    about: str | None = None
    verdict: Verdict | None = None
    sums: str = ""


class SearchResult(Struct, frozen=True):
    """All that was found for what was typed, up to the most that is listed."""

    typed: str
    hits: list[Hit]


def find(
    reader: Reader,
    run: Run,
    text_typed: str,
    viewer_scope: ViewerScope,
    floor_context: FloorContext,
    commands: CommandHandler,
    now: Micros,
) -> SearchResult:
    """Find what was typed, which may be several things at once, as far as a person may see it.

    A tag, and a name that is masked, are found as they are shown to them; a dispute by the first digits of
    its name.
    """
    text, hidden = " ".join(text_typed.split())[:LONGEST], viewer_scope.hidden.subjects
    tables = [row["table_id"] for row in reader.ask(_TABLES, {"run": run.run})]
    checks = [row["check_name"] for row in reader.ask(_CHECKS, {"run": run.run})]
    terms = read(text, tables, checks) if text else None
    mask = _MASKED.fullmatch(text)
    hits = [
        *_tagged(commands.tagged_items(now, hidden), text, viewer_scope, run),
        *(_masked(commands.queue_items(now, hidden), mask[1], viewer_scope, run) if mask else ()),
        *_disputed(commands.book(DisputeBook).all(hidden), text),
        *(_hits(reader, run, terms, viewer_scope, floor_context) if terms is not None else ()),
    ]
    found = list(dict.fromkeys(hits))[:MOST]
    sums = commands.sums_about({each.about for each in found if each.about is not None}, hidden)
    return SearchResult(
        text, [replace(each, sums=sums_in_words(sums.get(each.about or "", ()))) for each in found]
    )


def _tagged(tagged: Iterable[QueueItem], text: str, viewer_scope: ViewerScope, run: Run) -> Iterator[Hit]:
    for row in tagged:
        if text.casefold() in map(str.casefold, tags_of(row, viewer_scope.masking)):
            yield _queued(row, run)


def _masked(items: Iterable[QueueItem], mask: str, viewer_scope: ViewerScope, run: Run) -> Iterator[Hit]:
    """Yield the alerts of a dealer or of a patron by what masks the name."""
    is_meant = viewer_scope.masking.is_meant
    for row in items:
        alert = row.alert
        if is_meant(f"dealer {mask}", "dealer", alert.dealer) or is_meant(
            f"patron {mask}", "patron", alert.bettor
        ):
            yield _queued(row, run)


def _queued(row: QueueItem, run: Run) -> Hit:
    """Return an alert of the queue, and its page."""
    alert = row.alert
    at = alert.at if alert.account is None else None  # an account is of its gaming day
    when = day_and_minute(moment_of(at), run.zone) if at is not None else date_text(alert.gaming_date)
    called = f"{check_name(alert.check)}, {alert.table}, {when}"
    return Hit("alert", called, f"/alerts/{segment(alert.id)}", about=alert.about)


def _disputed(disputes: Iterable[Dispute], text: str) -> Iterator[Hit]:
    for each in disputes:
        if len(text) >= _FIRST and each.name.startswith(text.casefold()):
            called = f"Dispute {each.name}, {each.about.table}, {date_text(each.about.gaming_date)}"
            yield Hit("dispute", called, f"/disputes/{segment(each.name)}")


def _hits(
    reader: Reader, run: Run, terms: SearchTerms, viewer_scope: ViewerScope, floor_context: FloorContext
) -> Iterator[Hit]:
    narrowed = {"run": run.run, "table": terms.table, "limit": MOST}
    with_finding: list[Row] = []
    if terms.checks or terms.seat is not None:
        sought = {"checks": list(terms.checks), "seat": terms.seat, "day": terms.day}
        limit = {"limit": MOST_64 if terms.at is not None else MOST}
        with_finding = [
            row
            for row in reader.ask(_OF_CHECK, narrowed | sought | limit)
            if not viewer_scope.hides(row["round_id"], row["id"])
        ]
    if with_finding and terms.at is None:
        yield from (_finding_hit(row, run) for row in with_finding)
    abouts = {row["round_id"] for row in with_finding} if with_finding or terms.checks else None
    if terms.at is not None:
        for at in _moments(reader, run, terms.table, terms.day, terms.at):
            within = {"at": at, "since": at - _DAY, "until": at + timedelta(seconds=terms.lasts)}
            rows = [
                row
                for row in reader.ask(_AT, narrowed | within)
                if not viewer_scope.hides(row["id"]) and (abouts is None or row["id"] in abouts)
            ]
            yield from (replace(_hit(row, run), but=_but(row, at, run.zone, floor_context)) for row in rows)
    elif terms.word is not None:
        numbered = {"number": terms.word, "day": terms.day}
        yield from _named_hits(reader.ask(_NUMBERED, narrowed | numbered), run, viewer_scope)
    elif terms.table is not None and terms.seat is None and not terms.checks:
        path = f"/tables/{segment(terms.table)}" + (f"/{terms.day}" if terms.day is not None else "")
        called = terms.table + (f", {date_text(terms.day)}" if terms.day is not None else "")
        yield Hit("table", called, path)
    if terms.word is not None and terms.table is None and terms.day is None:
        yield from _by_name(reader, run, terms.word, viewer_scope)


def _by_name(reader: Reader, run: Run, word: str, viewer_scope: ViewerScope) -> Iterator[Hit]:
    """Find an alert by its id, and whatever a serial number stands in."""
    sought = {"run": run.run, "word": word, "limit": MOST}
    for row in reader.ask(_ALERTS, sought):
        if viewer_scope.hides(row["round_id"], row["id"]):
            continue
        yield _finding_hit(row, run)
    yield from _named_hits([row for _, row in where_lain(reader, run.run, [word])][::-1], run, viewer_scope)
    # A line that is a patron's own is not found by the patron's name.
    slips = reader.ask(_SLIPS, sought | {"patrons": sorted(OF_PATRONS)})
    yield from _named_hits(slips, run, viewer_scope)


def _named_hits(rows: list[Row], run: Run, viewer_scope: ViewerScope) -> Iterator[Hit]:
    return (_hit(row, run) for row in rows if not viewer_scope.hides(row["id"]))


def _moments(reader: Reader, run: Run, table: str | None, day: date | None, at: time) -> list[datetime]:
    """Return the moments of a time of day, in the store's form; two if clocks are put back.

    With a day it is the time of that gaming day or calendar day, and without one the last occurrence: both,
    once it has occurred a second time.
    """
    zone = ZoneInfo(run.zone)
    (row,) = reader.ask(_LATEST, {"run": run.run, "table": table})
    latest: datetime | None = utc(row["latest"])
    if latest is None:
        return []
    on = day or (latest + _SOON).astimezone(zone).date()
    meant = {_instant(on, at, zone, fold) for fold in (0, 1)}
    if day is None:
        been = {each for each in meant if each <= latest + _SOON}
        meant = been or {_instant(on - _DAY, at, zone, fold) for fold in (0, 1)}
    return sorted(map(as_stored, meant))


def _but(row: Row, at: datetime, zone: str, floor_context: FloorContext) -> str | None:
    """Return that the last round before a moment (as stored) was over by then, or None if it was not."""
    if row["opened"] > at or counts_as_open(floor_context.cameras, row["opened"], at):
        return None
    time = clock(utc(at), zone)
    status = floor_context.tables.get(row["table_id"])
    closed = status.since if status is not None and status.open is False else None
    if closed is not None and row["opened"] <= as_stored(moment_of(closed)) <= at:
        return f"the last before {time}; the table was closed"
    return f"the last before {time}; no round is known to have been open then"


def _instant(day: date, at: time, zone: ZoneInfo, fold: int) -> datetime:
    return datetime.combine(day, at.replace(fold=fold), zone).astimezone(UTC)


def _hit(row: Row, run: Run) -> Hit:
    """Return a round, a shoe or an account, and its page."""
    kind, name = kind_of(row)
    opened: datetime | None = utc(row["opened"]) if row["round"] is not None else None
    when = day_and_minute(opened, run.zone) if opened is not None else date_text(row["gaming_date"])
    path = page_of(kind, row["gaming_date"], row["table_id"], name)
    return Hit(kind, f"{called(row)}, {when}", path, about=row["id"], verdict=row["verdict"])


def _finding_hit(row: Row, run: Run) -> Hit:
    """Return an alert by a finding's row, and its page."""
    record = _hit(row, run)
    called = f"{check_name(row['check_name'])}, {record.called}"
    path = f"/alerts/{segment(row['id'])}"
    return Hit("alert", called, path, about=row["round_id"], verdict=record.verdict)


# ── routes ───────────────────────────────────────────────────────────────────────────────────────────


def _found(
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    viewer_scope: NamedDependency[ViewerScope],
    commands: NamedDependency[CommandHandler],
    wall_clock: NamedDependency[Clock],
    floor_context: NamedDependency[FloorContext],
    q: Annotated[str, QueryParameter(max_length=LONGEST)] = "",
) -> SearchResult:
    run = run_of(reader.runs(), list_query)
    if run is None:
        return SearchResult(q, [])
    return find(
        reader,
        run,
        q,
        viewer_scope,
        floor_context,
        commands,
        wall_clock(),
    )


_FOUND: Final = {"found": Provide(_found, sync_to_thread=True)}


@get("/find", sync_to_thread=False, opt={"needs": "see"}, dependencies=_FOUND)
def find_page(request: Request[Any, Any, Any], found: NamedDependency[SearchResult]) -> Response[Any]:
    """Redirect to a single result; list several; show what can be typed if there is none."""
    if len(found.hits) == 1 and found.hits[0].but is None:
        return lead(request, found.hits[0].path)
    return Template("find.html", context={"found": found, "most": MOST})


@get("/api/find", sync_to_thread=False, opt={"needs": "see"}, dependencies=_FOUND | BY_RUN)
def find_in_full(found: NamedDependency[SearchResult]) -> SearchResult:
    """Return what was found for what was typed."""
    return found


FIND: Final[list[ControllerRouterHandler]] = [find_page, find_in_full]
