"""The page of an alert, its history, and what a page asks of alerts before it offers an action."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from secrets import token_hex
from typing import Annotated, Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.actions import Actor, Refused
from projections.casework.alerts.queues import QueueItem
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import MERGED_AT_ONCE, Merge, Undo
from projections.casework.cases.case_rules import waits_for
from projections.casework.cases.case_state import alert_of
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.disputes.dispute_state import Dispute
from projections.casework.shift_log import lines
from projections.store.runs import Run
from projections.views.hand_replay import ReplayStep
from projections.web.auth.masking import Masking
from projections.web.live.broadcaster import LiveFloor
from projections.web.pages.action_routes import Clock, DialogChoices, Refusal, conflict
from projections.web.pages.alert_view import AlertView, FloorContext, load_alert_view
from projections.web.pages.case_timeline import (
    CaseEntry,
    HistoryLine,
    case_timeline,
    dispute_entries,
    done_entries,
    found_entries,
    hand_entries,
)
from projections.web.pages.event_pages import archived_events, described_event
from projections.web.pages.list_queries import BY_RUN
from projections.web.pages.queue_stream import RingingAlert, ringing_alert
from projections.web.pages.replay_page import recorded_steps
from projections.web.records.archived_events import EventReader
from projections.web.records.record_links import AlertLabel, alert_labels
from projections.web.records.record_views import ListQuery, RecordKey
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import ViewerScope
from schemas.cameras import Cameras
from schemas.values import Micros, moment

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# All alerts of a round: which other ones can be put into an alert's case, by one action.


class RelatedAlerts(Struct, frozen=True):
    """The other alerts of an alert's round that are not settled, and are not in its case.

    `others` can be put into it, the most severe first. `case_alerts` are the ids to request, one of each
    case; `along` counts the rest of these cases, which come with them. `left` has the number of those that
    stay, by reason. `refused` is the message with which the action would be refused now.
    """

    others: list[Alert]
    case_alerts: tuple[str, ...]
    along: int
    left: list[str]
    refused: str | None = None


def related_alerts(here: QueueItem, related: Iterable[QueueItem], who: str) -> RelatedAlerts | None:
    """Return which alerts of its round `who` could put into an alert's case; `related` are those alerts.

    Closed alerts stay closed. Also left out are alerts that another person has than the owner of the case, or
    its owner to be, and those given to a role or snoozed, unless the alert itself was. The result is None if
    there is nothing to show, the alert is of no round, or its case is settled or waits for a second person.
    """
    if here.alert.round is None or here.case.state not in ("new", "open"):
        return None
    cases: defaultdict[str, list[Alert]] = defaultdict(list)
    along: dict[str, int] = {}
    left: Counter[str] = Counter()
    for each in sorted(related, key=lambda item: item.order):
        if each.case.key == here.case.key or each.case.state == "closed":
            continue
        if why := _left(each, here, who):
            left[why] += 1
            continue
        cases[each.case.key].append(each.alert)
        along[each.case.key] = len(each.case.alerts)
    parts = list(cases.items())[:MERGED_AT_ONCE]
    if not parts and not left:
        return None
    others = [alert for _, alerts in parts for alert in alerts]
    return RelatedAlerts(
        others=others,
        case_alerts=tuple(alerts[0].id for _, alerts in parts),
        along=sum(along[case] for case, _ in parts) - len(others),
        left=[f"{many} {why}" for why, many in left.items()],
    )


def _left(other: QueueItem, here: QueueItem, who: str) -> str | None:
    """Return why an alert that is not closed stays out of another's case; None if it need not."""
    case = other.case
    if case.state in ("closing", "reopening"):
        return "waiting for a second person"
    if case.owner not in (None, here.case.owner or who):
        return "that you have" if case.owner == who else f"that {case.owner} has"
    if case.escalated not in (None, here.case.escalated):
        return f"with the {case.escalated}"
    if other.put_off != here.put_off:
        return "snoozed" if other.put_off else "not snoozed as this one is"
    return None


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What a page asks of alerts before it does or offers something: what would be one case, what still rings.

_PROBE_ID: Final = "0" * 32  # the id of an action that is not done
_ANSWERS: Final = {409: ResponseSpec(Refusal, description="They cannot be one case as things stand.")}


@get("/api/alerts/{alert:str}/merging", sync_to_thread=True, opt={"needs": "work"}, responses=_ANSWERS)
def merging(
    alert: FromPath[str],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    masking: NamedDependency[Masking],
    wall_clock: NamedDependency[Clock],
    other: Annotated[list[str] | None, QueryParameter(max_items=MERGED_AT_ONCE)] = None,
) -> list[QueueItem]:
    """Return what would be one case with an alert now: others, or if none are named the rest of its round."""
    now = wall_clock()
    others = tuple(f"alert:{each}" for each in other or ())
    merge = Merge(id=_PROBE_ID, subject=f"alert:{alert}", others=others, whole_incident=not others)
    try:
        would = commands.preview(merge, actor, now)
    except Refused as error:
        raise conflict(error) from None
    found = (
        commands.queue_item(alert_of(each), now, actor.hidden) for each in (would.subject, *would.others)
    )
    return [masking.masked(each, each.alert.subjects()) for each in found if each is not None]


@get("/api/rung", sync_to_thread=True, opt={"needs": "queue"})
def rung(
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    wall_clock: NamedDependency[Clock],
    alert: Annotated[list[str] | None, QueryParameter(max_items=100)] = None,
) -> list[RingingAlert]:
    """Return which of some alerts the viewer should still hear.

    These can be put right and are unassigned; or they are critical, assigned to the viewer's role, and not
    taken by the viewer.
    """
    now = wall_clock()
    found = (commands.queue_item(each, now, actor.hidden) for each in alert or ())
    return [
        ringing_alert(each, commands, now, actor.hidden)
        for each in found
        if each is not None and _stands(each, actor)
    ]


def may_undo(commands: CommandHandler, alert: str, actor: Actor, now: Micros) -> bool:
    """Return True if the last thing done to an alert is somebody's own, and can still be undone."""
    try:
        commands.preview(Undo(id=_PROBE_ID, subject=f"alert:{alert}"), actor, now)
    except Refused:
        return False
    return True


def whole_round(
    commands: CommandHandler, item: QueueItem | None, actor: Actor, now: Micros
) -> RelatedAlerts | None:
    """Return which alerts of its round a person could put into an alert's case now.

    It is None for a person who may not work on it.
    """
    if item is None or Merge.needs not in actor.rights:
        return None
    found = related_alerts(item, commands.found_with(item.alert.id, now, actor.hidden), actor.name)
    if found is None or not found.case_alerts:
        return found
    others = tuple(f"alert:{each}" for each in found.case_alerts)
    try:
        commands.preview(Merge(id=_PROBE_ID, subject=f"alert:{item.alert.id}", others=others), actor, now)
    except Refused as error:
        return replace(found, refused=str(error))
    return found


def _stands(item: QueueItem, who: Actor) -> bool:
    case = item.case
    if case.state == "new" and item.queue == "act_now" and not item.silenced:
        return True
    with_role = case.critical and case.state in ("new", "open") and waits_for(case, who)
    return with_role and case.owner != who.name


ALERT_LOOKUP: Final[list[ControllerRouterHandler]] = [merging, rung]


# ── What was done to an alert's case, as the surveillance log has it, on the alert's own page ─────────


class CaseHistory(Struct, frozen=True):
    """The work on an alert: as the queue shows it (None if it does not), and what was done, in order.

    `others` are the other alerts of its case, and those by which something was done, as the store has them.
    """

    item: QueueItem | None
    history: list[HistoryLine]
    others: Mapping[str, AlertLabel]


def case_history(
    commands: CommandHandler,
    reader: Reader,
    viewer_scope: ViewerScope,
    item: QueueItem | None,
    alert: str,
    about: str,
) -> CaseHistory:
    """Return the work on an alert as a person may see it, names masked; `about` is the key of its round."""
    found = lines(commands.done_to(alert, viewer_scope.hidden.subjects), {}, lambda *_: True)
    subjects = {alert_of(line.subject) for line in found}
    others = alert_labels(reader, subjects.union(item.case.alerts if item is not None else ()) - {alert})
    # Names in the other alerts are masked like those in this one.
    alerts = [commands.alert_queue.find(name) for name in (alert, *others)]
    item, texts, _ = viewer_scope.masked((item, [line.what for line in found], alerts), about, alert)
    return CaseHistory(
        item,
        [
            HistoryLine(moment(line.at), line.who, what, others.get(alert_of(line.subject)))
            for line, what in zip(found, texts, strict=True)
        ],
        others,
    )


# ── The page of an alert: the hand as it lay, what was owed and paid, the rule, the footage ───────────


def floor_context(
    live: NamedDependency[LiveFloor],
    cameras: NamedDependency[Cameras | None],
    commands: NamedDependency[CommandHandler],
) -> FloorContext:
    """Return what the page of an alert or a round shows besides the store's data."""
    archive = None if live.state == "recorded" else live.archive
    return FloorContext(cameras, commands.book(DisputeBook), dict(live.tables), archive)


def _runs(reader: NamedDependency[Reader], commands: NamedDependency[CommandHandler]) -> list[Run]:
    commands.wait_until_written()  # an alert is in the queue before the store has it
    return reader.runs()


def _alert_view(
    alert: FromPath[str],
    reader: NamedDependency[Reader],
    runs: NamedDependency[list[Run]],
    list_query: NamedDependency[ListQuery],
    viewer_scope: NamedDependency[ViewerScope],
    floor_context: NamedDependency[FloorContext],
) -> AlertView:
    found = load_alert_view(reader, runs, list_query.run, alert, floor_context, viewer_scope)
    if found is None:
        raise NotFoundException(f"There is no alert {alert} in this store.")
    viewer_scope.note_opened("alert", alert, found.record.id)
    return found


# The page and its view share one reading of the runs: a request resolves a dependency once.
_ALERT_VIEW: Final = {
    "runs": Provide(_runs, sync_to_thread=True),
    "alert_view": Provide(_alert_view, sync_to_thread=True),
}


@get("/alerts/{alert:str}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_ALERT_VIEW)
def alert_page(
    alert_view: NamedDependency[AlertView],
    runs: NamedDependency[list[Run]],
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    viewer_scope: NamedDependency[ViewerScope],
    wall_clock: NamedDependency[Clock],
    events: NamedDependency[EventReader | None],
    dialog_choices: NamedDependency[DialogChoices],
    live: NamedDependency[LiveFloor],
    ask: FromQuery[str | None] = None,
) -> Template:
    """Show an alert with all that a person needs to decide, and the possible actions.

    Without scripts a button loads the page again with what its action needs besides; `ask` is which action.
    """
    (run,) = (each for each in runs if each.run == alert_view.record.run)
    now = wall_clock()
    item = commands.queue_item(alert_view.finding.id, now, actor.hidden)
    disputes = viewer_scope.disputes(commands.book(DisputeBook), alert_view.record)
    worked_item = case_history(
        commands, reader, viewer_scope, item, alert_view.finding.id, alert_view.record.id
    )
    context = {
        "alert": alert_view,
        "record": alert_view.record,
        "run": run,
        "asked": list_query,
        "actor": actor,
        "ask": ask,
        "dialog_choices": dialog_choices,
        "form": token_hex(16),
        "has_events": events is not None,
        "names_until": viewer_scope.shows_names(alert_view.record.id, alert_view.finding.id),
        "shown": worked_item.item,
        "seconds": item is not None and waits_for(item.case, actor),
        "may_undo": may_undo(commands, alert_view.finding.id, actor, now),
        "whole": whole_round(commands, item, actor, now),
        "timeline": case_timeline(
            [
                *hand_entries(alert_view.record),
                *_casework_entries(commands, alert_view, worked_item, disputes),
            ],
            has_own_clock=live.has_own_clock,
        ),
        "others": worked_item.others,
        "disputes": disputes,
    }
    return Template("alert.html", context=context)


def _casework_entries(
    commands: CommandHandler, alert_view: AlertView, work: CaseHistory, disputes: Iterable[Dispute]
) -> Iterator[CaseEntry]:
    """Yield what was found of an alert's round and case, what people did with it, and its disputes."""
    findings = {each.id: each for each in (alert_view.finding, *alert_view.record.findings)}
    yield from found_entries(findings.values(), commands.alert_queue.arrivals, work.others)
    yield from done_entries(work.history)
    yield from dispute_entries(disputes)


@get("/alerts/{alert:str}/timeline", sync_to_thread=True, opt={"needs": "see"}, dependencies=_ALERT_VIEW)
def timeline_page(
    alert_view: NamedDependency[AlertView],
    runs: NamedDependency[list[Run]],
    reader: NamedDependency[Reader],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    viewer_scope: NamedDependency[ViewerScope],
    wall_clock: NamedDependency[Clock],
    events: NamedDependency[EventReader | None],
    live: NamedDependency[LiveFloor],
) -> Template:
    """Show the one timeline of an alert's case, with the events of its hand."""
    view, alert = alert_view.record, alert_view.finding.id
    item = commands.queue_item(alert, wall_clock(), actor.hidden)
    work = case_history(commands, reader, viewer_scope, item, alert, view.id)
    disputes = viewer_scope.disputes(commands.book(DisputeBook), view)
    record = (
        reader.record("round", RecordKey(view.run, view.gaming_date, view.table, view.round), None)
        if view.round is not None
        else None
    )
    steps: list[ReplayStep] = []
    if record is not None and events is not None:
        steps = recorded_steps(archived_events(events, record, reader.house), record)
    described = viewer_scope.masked([described_event(step.event) for step in steps], view.id, alert)
    hand = hand_entries(record or view, steps, [each.says for each in described])
    entries = [*hand, *_casework_entries(commands, alert_view, work, disputes)]
    context = {
        "alert": alert_view,
        "record": view,
        "run": next(each for each in runs if each.run == view.run),
        "timeline": case_timeline(entries, has_own_clock=live.has_own_clock),
        "names_until": viewer_scope.shows_names(view.id, alert),
    }
    return Template("timeline.html", context=context)


@get("/api/alerts/{alert:str}", sync_to_thread=False, opt={"needs": "see"}, dependencies=_ALERT_VIEW | BY_RUN)
def alert_in_full(alert_view: NamedDependency[AlertView]) -> AlertView:
    """Return an alert with all that a person decides by."""
    return alert_view


ALERT: Final[list[ControllerRouterHandler]] = [alert_page, alert_in_full, timeline_page]
