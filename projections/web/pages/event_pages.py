"""The page of the events behind a round, and the JSON under /api."""

from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Template
from litestar.types import ControllerRouterHandler

from projections.web.pages.action_routes import Conflict, Refusal
from projections.web.pages.finding_pages import run_of
from projections.web.records.record_views import About, ListQuery
from projections.web.records.round_events import Cover, Events, RoundEvents, told_of
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import Sight
from schemas.errors import BadInput

PAGE: Final = 100


def _found(
    about: NamedDependency[About],
    list_query: NamedDependency[ListQuery],
    reader: NamedDependency[Reader],
    events: NamedDependency[Events | None],
    sight: NamedDependency[Sight],
) -> RoundEvents:
    record = reader.told("round", about, None)
    if record is None or record.round is None or sight.hides(record.id):
        raise NotFoundException(
            f"There is no round {about.name} at {about.table} on {about.day} in this store."
        )
    if events is None:
        raise NotFoundException("This console was given no archive to read events from.")
    try:
        found = events.of_round(record.table, record.gaming_date, record.round, reader.house)
    except BadInput as error:
        raise Conflict(f"The events could not be read: {error}") from None
    pages = max(1, -(-len(found.events) // PAGE))
    if list_query.page > pages:
        raise NotFoundException(f"There is no page {list_query.page}; the last is {pages}.")
    sight.opened("events", record.id, record.id)
    cover, first = Cover(record), PAGE * (list_query.page - 1)
    every = [told_of(each, cover) for each in found.events]
    shown = RoundEvents(
        id=record.id,
        run=record.run,
        gaming_date=record.gaming_date,
        table=record.table,
        round=record.round,
        page=list_query.page,
        pages=pages,
        total=len(found.events),
        unread=found.unread,
        kept=found.kept,
        events=every[first : first + PAGE],
    )
    return sight.masked(shown, record.id)


_GIVEN: Final = {"found": Provide(_found, sync_to_thread=True)}
_ANSWERS: Final = {409: ResponseSpec(Refusal, description="The archive cannot be read.")}
_PATH: Final = "/rounds/{day:date}/{table:str}/{name:str}/events"


@get(_PATH, sync_to_thread=True, opt={"needs": "see"}, dependencies=_GIVEN)
def events_page(
    found: NamedDependency[RoundEvents],
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    sight: NamedDependency[Sight],
) -> Template:
    """Show the events behind a round."""
    context = {
        "found": found,
        "run": run_of(reader.runs(), list_query),
        "asked": list_query,
        "names_until": sight.shows_names(found.id),
    }
    return Template("events.html", context=context)


@get(f"/api{_PATH}", sync_to_thread=False, opt={"needs": "see"}, dependencies=_GIVEN, responses=_ANSWERS)
def round_events(found: NamedDependency[RoundEvents]) -> RoundEvents:
    """Return the events behind a round, as the page shows them."""
    return found


EVENTS: Final[list[ControllerRouterHandler]] = [events_page, round_events]
