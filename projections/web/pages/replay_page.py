"""The replay of a hand: the table at each event of its devices, on one time line.

Every step is computed here, from the floor's archive; the browser only shows the one that was reached. If the
hand is not in the archive the page reports it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.engine.findings import Severity
from projections.views.hand_replay import ReplayStep, event_of, replay_steps
from projections.views.table_drawing import Moment
from projections.views.table_picture import PicturePlace
from projections.views.time_text import date_text
from projections.web.pages.action_routes import Refusal
from projections.web.pages.alert_view import FloorContext
from projections.web.pages.event_pages import (
    Cover,
    RoundEvent,
    archived_events,
    described_event,
)
from projections.web.pages.list_queries import BY_RUN
from projections.web.phrases.table_markup import calls_of, drawn_moments
from projections.web.records.archived_events import ArchivedEvents, EventReader
from projections.web.records.record_links import Bookmark, Recorder, footage_from
from projections.web.records.record_views import ListQuery, RecordKey, RecordView
from projections.web.records.store_queries import Reader, run_of
from projections.web.records.viewer_scope import ViewerScope
from schemas.values import moment

_TRACK: Final = 1_000  # how long the line of time is drawn


class ReplayFrame(Struct, frozen=True):
    """An event of the hand, its milliseconds after the first, and how the table lay after it.

    `at` is by the terminal's clock, to which the other devices' are adjusted. `calls` is what the dealer
    called by then. The cameras' links begin at that moment.
    """

    at: datetime
    after_ms: int
    event: RoundEvent
    calls: list[str]
    places: Sequence[PicturePlace]
    cameras: list[Bookmark]


class ReplayMark(Struct, frozen=True):
    """A finding, and at which frame what was found had happened."""

    frame: int
    finding: str
    check: str
    severity: Severity
    seat: int | None


class HandReplay(Struct, frozen=True):
    """Replay of a round; `kept` is false if the archive has nothing of its table's gaming day."""

    record: RecordView
    kept: bool
    unread: int
    frames: list[ReplayFrame]
    marks: list[ReplayMark]

    @property
    def lasts_ms(self) -> int:
        """Return how long it takes."""
        return self.frames[-1].after_ms if self.frames else 0

    def x(self, frame: int) -> int:
        """Return where a frame stands on the line of time."""
        return self.frames[frame].after_ms * _TRACK // max(1, self.lasts_ms)


def _replay(
    about: NamedDependency[RecordKey],
    reader: NamedDependency[Reader],
    events: NamedDependency[EventReader | None],
    floor_context: NamedDependency[FloorContext],
    list_query: NamedDependency[ListQuery],
    viewer_scope: NamedDependency[ViewerScope],
) -> HandReplay:
    record = reader.record("round", about, None)
    if record is None or record.round is None or viewer_scope.hides(record.id):
        raise NotFoundException(
            f"There is no round {about.name} at {about.table} on {date_text(about.day)} in this store."
        )
    found = archived_events(events, record, reader.house)
    viewer_scope.note_opened("replay", record.id, record.id)
    steps = replay_steps(record.chapter, record.gaming_date, found.events, record.places, Cover(record).over)
    run = run_of(reader.runs(), list_query)
    recorder = floor_context.recorder(record, viewer_scope)
    view = HandReplay(
        record=viewer_scope.without_patron_lines(record),
        kept=found.kept,
        unread=found.unread,
        frames=list(_frames(steps, record, recorder, run.zone if run is not None else reader.house.zone)),
        marks=sorted(_marks(steps, record), key=lambda each: each.frame),
    )
    return viewer_scope.masked(view, record.id)


def recorded_steps(found: ArchivedEvents, record: RecordView) -> list[ReplayStep]:
    """Return the steps of a round from its events; cards face down on its page are covered."""
    cover = Cover(record)
    return replay_steps(record.chapter, record.gaming_date, found.events, record.places, cover.over)


def _frames(
    steps: Sequence[ReplayStep], record: RecordView, recorder: Recorder, zone: str
) -> Sequence[ReplayFrame]:
    return [
        ReplayFrame(
            at=moment(step.at),
            after_ms=(step.at - steps[0].at) // 1_000,
            event=described_event(step.event),
            calls=_calls(step, record),
            places=step.places,
            cameras=footage_from(recorder, record.table, moment(step.at), moment(steps[-1].at), zone),
        )
        for step in steps
    ]


def _calls(step: ReplayStep, record: RecordView) -> list[str]:
    if step.announced is None:
        return ["No more bets"] if step.is_closed else []
    return calls_of(step.announced, record.outcome if step.places == tuple(record.places) else None)


def _marks(steps: Sequence[ReplayStep], record: RecordView) -> list[ReplayMark]:
    events = [step.event for step in steps]
    if not events:
        return []
    return [
        ReplayMark(
            event_of(each, events),
            each.id,
            each.check,
            each.severity,
            each.seat if isinstance(each.seat, int) else None,
        )
        for each in record.findings
    ]


_PATH: Final = "/rounds/{day:date}/{table:str}/{name:str}/replay"
_GIVEN: Final = {"replay": Provide(_replay, sync_to_thread=True)}
_ANSWERS: Final = {409: ResponseSpec(Refusal, description="The archive cannot be read.")}


@get(_PATH, sync_to_thread=True, opt={"needs": "see"}, dependencies=_GIVEN)
def replay_page(
    replay: NamedDependency[HandReplay],
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    viewer_scope: NamedDependency[ViewerScope],
) -> Template:
    """Show a hand event after event."""
    moments = [Moment(each.places, each.calls) for each in replay.frames]
    label = f"The table of round {replay.record.round}; its events are listed below"
    context = {
        "replay": replay,
        "record": replay.record,
        "run": run_of(reader.runs(), list_query),
        "asked": list_query,
        "svg": drawn_moments(moments, label, _marked(replay)),
        "track": _TRACK,
        "names_until": viewer_scope.shows_names(replay.record.id),
    }
    return Template("replay.html", context=context)


def _marked(replay: HandReplay) -> set[str]:
    return {f"Seat {each.seat}" for each in replay.marks if each.seat is not None}


@get(
    f"/api{_PATH}",
    sync_to_thread=False,
    opt={"needs": "see"},
    dependencies=_GIVEN | BY_RUN,
    responses=_ANSWERS,
)
def replay_in_full(replay: NamedDependency[HandReplay]) -> HandReplay:
    """Return a hand event after event: what was reported, and how the table lay then."""
    return replay


REPLAY: Final[list[ControllerRouterHandler]] = [replay_page, replay_in_full]
