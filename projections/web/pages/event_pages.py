"""The events behind a round, as its devices reported them, read from the floor's archive.

The console itself has no archive; what reads one is given to it (`EventReader`). A card that the page of the
round shows from the back is covered here too, and names are masked.
"""

from collections import Counter
from datetime import date, datetime
from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from msgspec.structs import replace

from projections.views.time_text import date_text
from projections.views.timeline_entry import event_text
from projections.web.pages.action_routes import Conflict, Refusal
from projections.web.pages.list_queries import BY_RUN_AND_PAGE
from projections.web.records.archived_events import ArchivedEvents, EventReader
from projections.web.records.record_views import ListQuery, RecordKey, RecordView
from projections.web.records.store_queries import Reader, run_of
from projections.web.records.viewer_scope import ViewerScope
from schemas.errors import BadInput
from schemas.events import (
    CardBurned,
    CardDiscarded,
    CardDrawn,
    CardSeen,
    Event,
    ReportCorrected,
    TileLaid,
)
from schemas.house import House
from schemas.values import Person, moment

_FACE_DOWN: Final = "face down"


class RoundEvent(Struct, frozen=True):
    """An event of a round by its device's own clock, in words; the people whom it names."""

    at: datetime
    device: str
    says: str
    seat: int | None
    bettor: str | None
    patron: str | None
    dealer: str | None
    floorperson: str | None
    signed: list[Person]


class RoundEvents(Struct, frozen=True):
    """Page of the events of a round; `unread` frames may hold others.

    `kept` is false if the archive has nothing of the table's gaming day.
    """

    id: str
    run: str
    gaming_date: date
    table: str
    round: str
    page: int
    pages: int
    total: int
    unread: int
    kept: bool
    events: list[RoundEvent]


def round_event(event: Event, cover: "Cover") -> RoundEvent:
    """Return an event as the page shows it; cards face down in its round stay covered."""
    return described_event(cover.over(event))


def described_event(covered: Event) -> RoundEvent:
    """Return an event in words, after `Cover` has removed what must not be shown."""
    # The event inside a correction names people too.
    subject: object = covered
    while isinstance(subject, ReportCorrected) and subject.instead is not None:
        subject = subject.instead
    parts = [getattr(subject, name) for name in getattr(subject, "__struct_fields__", ())]
    each = [one for part in parts for one in (part if isinstance(part, tuple) else (part,))]
    return RoundEvent(
        at=moment(covered.at),
        device=covered.device,
        says=event_text(covered),
        seat=getattr(subject, "seat", None),
        bettor=getattr(subject, "bettor", None),
        patron=getattr(subject, "patron", None),
        dealer=getattr(subject, "dealer", None),
        floorperson=getattr(subject, "floorperson", None),
        signed=[one for one in each if isinstance(one, Person)],
    )


class Cover:
    """Cards and tiles of a round that may be shown: those face up on its page.

    If all cards of a hand are face up, each reading is shown, also one that turned out to be mistaken.
    Otherwise a face is shown per device as often as it lies open there, so events must be covered in order.
    """

    def __init__(self, record: RecordView) -> None:
        hands = [hand for place in record.places for hand in place.hands]
        self._open = {
            each.hand
            for each in hands
            if each.pieces and all(piece.face is not None for piece in each.pieces)
        }
        self._faces = Counter((each.hand, piece.face) for each in hands for piece in each.pieces)
        self._told: Counter[tuple[type[Event], str, str, str]] = Counter()

    def over(self, event: Event) -> Event:
        """Remove the face from an event if it must not be shown."""
        match event:
            case CardDrawn() | CardSeen():
                return (
                    event if self._shows(event, event.hand, event.card) else replace(event, card=_FACE_DOWN)
                )
            case TileLaid():
                return (
                    event if self._shows(event, event.hand, event.tile) else replace(event, tile=_FACE_DOWN)
                )
            case CardBurned() | CardDiscarded() if event.card is not None:
                hand = "burn" if isinstance(event, CardBurned) else "discard"
                return event if self._shows(event, hand, event.card) else replace(event, card=_FACE_DOWN)
            case ReportCorrected() if event.instead is not None:
                return replace(event, instead=self.over(event.instead))
        return event

    def _shows(self, event: Event, hand: str, face: str) -> bool:
        if hand in self._open:
            return True
        reading = (type(event), event.device, hand, face)
        self._told[reading] += 1
        return self._told[reading] <= self._faces[hand, face]


def archived_events(events: EventReader | None, record: RecordView, house: House) -> ArchivedEvents:
    """Return the events that name the round of a record.

    Raises:
        NotFoundException: there is no archive, or the record is of no round.
        Conflict: the archive cannot be read.
    """
    if events is None or record.round is None:
        raise NotFoundException("This console was given no archive to read events from.")
    try:
        return events.of_round(record.table, record.gaming_date, record.round, house)
    except BadInput as error:
        raise Conflict(f"The events could not be read: {error}") from None


PAGE: Final = 100


def _found(
    about: NamedDependency[RecordKey],
    list_query: NamedDependency[ListQuery],
    reader: NamedDependency[Reader],
    events: NamedDependency[EventReader | None],
    viewer_scope: NamedDependency[ViewerScope],
) -> RoundEvents:
    record = reader.record("round", about, None)
    if record is None or record.round is None or viewer_scope.hides(record.id):
        raise NotFoundException(
            f"There is no round {about.name} at {about.table} on {date_text(about.day)} in this store."
        )
    found = archived_events(events, record, reader.house)
    pages = max(1, -(-len(found.events) // PAGE))
    if list_query.page > pages:
        raise NotFoundException(f"There is no page {list_query.page}; the last is {pages}.")
    viewer_scope.note_opened("events", record.id, record.id)
    cover, first = Cover(record), PAGE * (list_query.page - 1)
    every = [round_event(each, cover) for each in found.events]
    view = RoundEvents(
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
    return viewer_scope.masked(view, record.id)


_GIVEN: Final = {"found": Provide(_found, sync_to_thread=True)}
_ANSWERS: Final = {409: ResponseSpec(Refusal, description="The archive cannot be read.")}
_PATH: Final = "/rounds/{day:date}/{table:str}/{name:str}/events"


@get(_PATH, sync_to_thread=True, opt={"needs": "see"}, dependencies=_GIVEN)
def events_page(
    found: NamedDependency[RoundEvents],
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    viewer_scope: NamedDependency[ViewerScope],
) -> Template:
    """Show the events behind a round."""
    context = {
        "found": found,
        "run": run_of(reader.runs(), list_query),
        "asked": list_query,
        "names_until": viewer_scope.shows_names(found.id),
    }
    return Template("events.html", context=context)


@get(
    f"/api{_PATH}",
    sync_to_thread=False,
    opt={"needs": "see"},
    dependencies=_GIVEN | BY_RUN_AND_PAGE,
    responses=_ANSWERS,
)
def round_events(found: NamedDependency[RoundEvents]) -> RoundEvents:
    """Return the events behind a round, as the page shows them."""
    return found


EVENTS: Final[list[ControllerRouterHandler]] = [events_page, round_events]
