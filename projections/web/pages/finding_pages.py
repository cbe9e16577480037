"""The pages of what a store holds: findings, rounds, shoes and accounts, and what could not be read."""

from datetime import date
from typing import Annotated, Final, get_args

from litestar import Router, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, HeaderParameter
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec.structs import replace

from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_book import DisputeBook
from projections.views.time_text import date_text
from projections.web.auth.embargo import Hidden
from projections.web.auth.roles import Person
from projections.web.pages.action_routes import Clock
from projections.web.pages.list_queries import BY_FINDINGS, BY_PAGE, BY_REVISION
from projections.web.phrases import page_phrases
from projections.web.records.archived_events import EventReader
from projections.web.records.record_views import (
    FindingPage,
    ListQuery,
    Quarantine,
    RecordKey,
    RecordView,
    Unread,
)
from projections.web.records.store_queries import Kind, Reader, run_of
from projections.web.records.viewer_scope import ViewerScope
from schemas.house import House
from schemas.values import Micros, microseconds

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The pages of a store's contents: findings, and single rounds, shoes and accounts; JSON under /api. They
# never blame anybody.


@get("/findings", sync_to_thread=True, opt={"needs": "see"})
def findings_page(
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    hidden: NamedDependency[Hidden],
    choices: Annotated[str | None, HeaderParameter(name="X-Choices")] = None,
) -> Template:
    """Show the present findings; without the filters' choices if the page already has them (`choices`)."""
    runs = reader.runs()
    run = run_of(runs, list_query)
    if run is None:
        return Template(
            "message.html", context={"title": "Findings", "sentence": "Nothing has been audited yet."}
        )
    found = reader.finding_page(run.run, list_query, hidden)
    if list_query.page > found.pages:
        raise NotFoundException(f"There is no page {list_query.page}; the last is {found.pages}.")
    context = {
        "run": run,
        "runs": runs,
        "asked": list_query,
        "found": found,
        "tally": reader.tally(run.run, hidden),
        "choices": reader.choices(run.run, hidden) if choices != "kept" else None,
        "refused": reader.count_refused(hidden),
    }
    return Template("findings.html", context=context)


@get("/{day:date}/{table:str}/{name:str}", sync_to_thread=True, opt={"needs": "see"})
def record_page(
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    record: NamedDependency[RecordView],
    viewer_scope: NamedDependency[ViewerScope],
    events: NamedDependency[EventReader | None],
    commands: NamedDependency[CommandHandler],
) -> Template:
    """Show a round, a shoe or an account: what lay there, what was owed and paid, each finding's sum."""
    context = {
        "record": record,
        "run": run_of(reader.runs(), list_query),
        "asked": list_query,
        "has_events": events is not None,
        "names_until": viewer_scope.shows_names(record.id),
        "disputes": viewer_scope.disputes(commands.book(DisputeBook), record),
    }
    return Template("record.html", context=context)


@get(
    ["/api/alerts", "/api/findings"],
    sync_to_thread=True,
    opt={"needs": "see"},
    dependencies=BY_FINDINGS,
    description="Return the findings that stand, as the page shows them.",  # in a thread it has no docstring
)
def alerts(
    reader: NamedDependency[Reader], list_query: NamedDependency[ListQuery], hidden: NamedDependency[Hidden]
) -> FindingPage:
    """Return the findings that stand, as the page shows them."""
    run = run_of(reader.runs(), list_query)
    return (
        reader.finding_page(run.run, list_query, hidden)
        if run is not None
        else FindingPage(None, 1, 1, 0, [])
    )


@get("/{day:date}/{table:str}/{name:str}", sync_to_thread=False, opt={"needs": "see"})
def record_in_full(record: NamedDependency[RecordView]) -> RecordView:
    """Return a round, a shoe or an account with its money, its findings and those withdrawn."""
    return record


def _record_routes(kind: Kind) -> Router:
    """Build the page, and the JSON under /api, of each subject of one kind."""

    def record(
        reader: NamedDependency[Reader],
        list_query: NamedDependency[ListQuery],
        about: NamedDependency[RecordKey],
        viewer_scope: NamedDependency[ViewerScope],
    ) -> RecordView:
        found = reader.record(kind, about, list_query.revision)
        visible = _existing_record(
            None if found is None or viewer_scope.hides(found.id) else found, kind, about, list_query
        )
        viewer_scope.note_opened("round", visible.id, visible.id)
        return viewer_scope.masked(viewer_scope.without_patron_lines(visible), visible.id)

    routes: list[ControllerRouterHandler] = [
        Router(f"/{kind}s", route_handlers=[record_page]),
        Router(f"/api/{kind}s", route_handlers=[record_in_full], dependencies=BY_REVISION),
    ]
    return Router("/", route_handlers=routes, dependencies={"record": Provide(record, sync_to_thread=True)})


def record_key(
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    day: FromPath[date],
    table: FromPath[str],
    name: FromPath[str],
) -> RecordKey:
    """Read from a path which round, shoe or account is asked for."""
    run = run_of(reader.runs(), list_query)
    return RecordKey(
        run.run if run is not None else "", day, page_phrases.name_of(table), page_phrases.name_of(name)
    )


def _existing_record(
    record: RecordView | None, kind: Kind, about: RecordKey, list_query: ListQuery
) -> RecordView:
    if record is None:
        of_that = f", revision {list_query.revision}," if list_query.revision is not None else ""
        where = f"at {about.table} on {date_text(about.day)}"
        raise NotFoundException(f"There is no {kind} {about.name}{of_that} {where} in this store.")
    return record


FINDINGS: Final[list[ControllerRouterHandler]] = [
    findings_page,
    alerts,
    *(_record_routes(kind) for kind in get_args(Kind)),
]


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What could not be read or stored: its place and the reason; its text only for some people and times. The
# text can hold cards of a round that is still open, so nobody sees it until the gaming day in which it came
# is over, the lateness window included.


def kept_back(found: Quarantine, person: Person, hidden: Hidden, house: House, now: Micros) -> Quarantine:
    """Remove the texts from a page of the quarantine that this person may not read now.

    The texts contain names unmasked, so they are for people who may see names. It is not known what they are
    about, so they are not for somebody from whom a record is withheld.
    """
    may = "unmask" in person.rights and not hidden.subjects
    return replace(
        found,
        records=[
            each if may and _over(each, house, now) else replace(each, payload=None) for each in found.records
        ],
    )


def _over(record: Unread, house: House, now: Micros) -> bool:
    """Return True if every round that a record can be of is over: its gaming day is, with what comes late."""
    return now > house.late(house.gaming_date(microseconds(record.noted)))


def page_of(
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    viewer_scope: NamedDependency[ViewerScope],
    wall_clock: NamedDependency[Clock],
) -> Quarantine:
    """Find the page that is asked for; one beyond the last is not there. Whose text is shown is noted."""
    found = reader.quarantine(list_query.page, viewer_scope.hidden)
    if list_query.page > found.pages:
        raise NotFoundException(f"There is no page {list_query.page}; the last is {found.pages}.")
    visible = kept_back(found, viewer_scope.person, viewer_scope.hidden, reader.house, wall_clock())
    for each in visible.records:
        if each.payload is not None:
            viewer_scope.access_recorder.note_viewed(viewer_scope.person, "quarantine", each.id)
    return visible


_GIVEN: Final = {"found": Provide(page_of, sync_to_thread=True)}


@get("/quarantine", sync_to_thread=True, opt={"needs": "health"}, dependencies=_GIVEN)
def quarantine_page(found: NamedDependency[Quarantine], list_query: NamedDependency[ListQuery]) -> Template:
    """Show what could not be read or stored."""
    return Template("quarantine.html", context={"found": found, "asked": list_query})


@get("/api/quarantine", sync_to_thread=False, opt={"needs": "health"}, dependencies=_GIVEN | BY_PAGE)
def quarantine(found: NamedDependency[Quarantine]) -> Quarantine:
    """Return what could not be read or stored, as the page shows it."""
    return found


QUARANTINE: Final[list[ControllerRouterHandler]] = [quarantine_page, quarantine]
