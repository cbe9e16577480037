"""The alert queue, what was over its time on a gaming day, and what does not ring."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, get_args
from zoneinfo import ZoneInfo

from jinja2 import Environment
from litestar import Request, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery
from litestar.response import Redirect, Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.casework.actions import Actor
from projections.casework.alerts.alert_arrival import Breach, SilentDevice
from projections.casework.alerts.queues import QueueItem
from projections.casework.cases.case_actions import LISTED, mute_scope
from projections.casework.cases.case_state import Level, Muted
from projections.casework.command_handler import CommandHandler
from projections.engine.findings import SEVERITIES as ALL_SEVERITIES
from projections.engine.findings import Side
from projections.web.auth.auth_service import AuthService
from projections.web.auth.guard import lead, root_of
from projections.web.auth.masking import Masking
from projections.web.auth.record_subjects import within
from projections.web.live.broadcaster import EventSource, LiveFloor, Rate
from projections.web.pages.action_routes import Clock, DialogChoices
from projections.web.pages.floor_tiles import named_games
from projections.web.pages.queue_stream import (
    LISTS,
    STANDS,
    CaseworkStream,
    QueueList,
    QueueQuery,
    QueueStream,
    StreamCache,
    Viewer,
    read_queue_query,
    tags_of,
)
from projections.web.phrases.page_phrases import queue_query
from projections.web.records.record_links import alert_labels
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import ViewerScope
from schemas.values import Micros, moment

PAGE: Final = LISTED
LEVELS: Final = get_args(Level)
SEVERITIES: Final = ALL_SEVERITIES[:-1]  # no alert is of a note


class QueuePage(Struct, frozen=True):
    """Page of a queue, with how many rows each list has for the viewer, and how often it rang lately.

    `overdue` counts the unassigned rows of each list that are past their due time. `silent` are the silent
    devices: what rests on them does not ring.
    """

    queue: QueueList
    page: int
    pages: int
    total: int
    counts: dict[QueueList, int]
    overdue: dict[QueueList, int]
    rate: Rate
    silent: list[SilentDevice]
    rows: list[QueueItem]


class QueueChoices(Struct, frozen=True):
    """Choices of the queue's filters: what there is among the alerts that a person may see.

    A game is its chapter's number, and `game_names` has its name.
    """

    severity: Sequence[str]
    table: Sequence[str]
    pit: Sequence[str]
    game: Sequence[str]
    check: Sequence[str]
    dealer: Sequence[str]
    tag: Sequence[str]
    game_names: Mapping[str, str]
    state: Sequence[str] = STANDS
    favours: Sequence[Side] = ("house", "patron")
    escalated: Sequence[Level] = LEVELS


def page_of(
    items: Iterable[QueueItem],
    queue_query: QueueQuery,
    who: Actor,
    masking: Masking,
    rate: Rate,
    silent: list[SilentDevice],
) -> QueuePage:
    """Return a page of a queue, names masked."""
    listed = list(queue_query.rows(items, who, masking))
    queued = sorted((row for name, row in listed if name == queue_query.queue), key=queue_query.order)
    begin = PAGE * (queue_query.page - 1)
    return QueuePage(
        queue=queue_query.queue,
        page=queue_query.page,
        pages=max(1, -(-len(queued) // PAGE)),
        total=len(queued),
        counts=dict.fromkeys(LISTS, 0) | Counter(name for name, _ in listed),
        overdue=dict.fromkeys(LISTS, 0) | Counter(name for name, row in listed if row.overdue),
        rate=rate,
        silent=silent,
        rows=[masking.masked(row, row.alert.subjects()) for row in queued[begin : begin + PAGE]],
    )


def choices(items: Collection[QueueItem], masking: Masking) -> QueueChoices:
    """Return what the filters offer."""
    alerts = [row.alert for row in items]
    severities = {alert.severity for alert in alerts}
    games = named_games({alert.chapter for alert in alerts})
    return QueueChoices(
        severity=[each for each in SEVERITIES if each in severities],
        table=sorted({alert.table for alert in alerts}),
        pit=sorted({alert.pit for alert in alerts if alert.pit is not None}),
        game=sorted(games, key=games.__getitem__),
        game_names=games,
        check=sorted({alert.check for alert in alerts}),
        dealer=sorted({masking.name("dealer", name) for name in {alert.dealer for alert in alerts} if name}),
        tag=sorted({tag for row in items if row.case.tags for tag in tags_of(row, masking)}),
    )


@get("/", sync_to_thread=True, opt={"needs": "queue"})
def queue_page(
    request: Request[Any, Any, Any],
    wanted: NamedDependency[QueueQuery],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[LiveFloor],
    actor: NamedDependency[Actor],
    auth: NamedDependency[AuthService],
    masking: NamedDependency[Masking],
    wall_clock: NamedDependency[Clock],
    dialog_choices: NamedDependency[DialogChoices],
) -> Template | Redirect:
    """Show a queue; a form that left filters open is led to an address without them."""
    if "" in request.query_params.values():
        return lead(request, f"/{queue_query(wanted, page=wanted.page)}")
    now = wall_clock()
    items = commands.queue_items(now, actor.hidden)
    found = page_of(items, wanted, actor, masking, live.rate, commands.silent())
    context = {
        "actor": actor,
        "wanted": wanted,
        "found": found,
        "now": now,
        "lists": LISTS if "work" in actor.rights else LISTS[:-1],
        "narrowed_to": wanted.narrowed_to(),
        "choices": choices(items, masking),
        "views": auth.views.of(actor.name),
        # Where no row was masked, all would be: these names are of accounts, which have no masks.
        "dialog_choices": masking.release(dialog_choices),
    }
    return Template("queue.html", context=context)


@get("/api/queue", sync_to_thread=True, opt={"needs": "queue"})
def queue(
    wanted: NamedDependency[QueueQuery],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[LiveFloor],
    actor: NamedDependency[Actor],
    masking: NamedDependency[Masking],
    wall_clock: NamedDependency[Clock],
) -> QueuePage:
    """Return a queue, as the page shows it."""
    items = commands.queue_items(wall_clock(), actor.hidden)
    return page_of(items, wanted, actor, masking, live.rate, commands.silent())


def queue_event_source(
    request: Request[Any, Any, Any],
    wanted: NamedDependency[QueueQuery],
    common: NamedDependency[StreamCache],
    live: NamedDependency[LiveFloor],
    actor: NamedDependency[Actor],
    auth: NamedDependency[AuthService],
    masking: NamedDependency[Masking],
    wall_clock: NamedDependency[Clock],
) -> EventSource:
    """Return the source of alert events for this person's stream: each alert with its row of the queue."""
    engine: Environment = request.app.template_engine.engine  # type: ignore[union-attr]
    row = engine.get_template("queue_row.html").module.row  # type: ignore[attr-defined]
    root = root_of(request)

    def hidden() -> frozenset[str]:
        return auth.embargoes.hidden(actor.name).subjects

    def rendered(item: QueueItem) -> str:
        return str(row(item, wall_clock(), root, live.zone, wanted.order(item)))

    began, viewer = live.broadcasts, Viewer(actor, hidden, masking, wall_clock, root)
    if "queue" not in actor.rights:
        return CaseworkStream(common, viewer, began)
    return QueueStream(common, wanted, viewer, rendered, began)


QUEUE: Final[list[ControllerRouterHandler]] = [queue_page, queue]
QUEUE_GIVEN: Final = {
    "wanted": Provide(read_queue_query, sync_to_thread=False),
    "event_source": Provide(queue_event_source, sync_to_thread=True),
}


# ── What was over its time, and what does not ring ────────────────────────────────────────────────────


class OverdueView(Struct, frozen=True):
    """Overdue alerts of a gaming day; counted by severity and by owner (empty: nobody)."""

    day: date
    at: Micros
    by_severity: dict[str, int]
    by_person: dict[str, int]
    breaches: list[Breach]


class SilencedView(Struct, frozen=True):
    """Silenced: mutes that run or have ended; snoozed alerts; devices that are silent."""

    at: Micros
    mutes: list[Muted]
    ended: list[Muted]
    put_off: list[QueueItem]
    silent: list[SilentDevice]


def late(
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[LiveFloor],
    actor: NamedDependency[Actor],
    wall_clock: NamedDependency[Clock],
    day: FromQuery[date | None] = None,
) -> OverdueView:
    """Find what was overdue on a gaming day; where none is asked for, the latest, or today before any."""
    now = wall_clock()
    if day is None:
        latest = commands.alert_queue.today
        day = latest if latest != date.min else moment(now).astimezone(ZoneInfo(live.zone)).date()
    found = [each for each in commands.breaches(day, now) if not _is_hidden(each, commands, actor)]
    counted = Counter(each.severity for each in found)
    return OverdueView(
        day=day,
        at=now,
        by_severity={severity: counted[severity] for severity in SEVERITIES if counted[severity]},
        by_person=dict(sorted(Counter(each.who or "" for each in found).items())),
        breaches=found,
    )


def quiet(
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    viewer_scope: NamedDependency[ViewerScope],
    wall_clock: NamedDependency[Clock],
) -> SilencedView:
    """Find what does not ring, names masked; who muted is an account, which has no mask."""
    now = wall_clock()
    mutes = viewer_scope.masking.release(commands.mutes())
    put_off = (each for each in commands.queue_items(now, actor.hidden) if each.put_off)
    return SilencedView(
        at=now,
        mutes=[each for each in mutes if now < each.until],
        ended=[each for each in reversed(mutes) if now >= each.until][:_ENDED],
        put_off=[viewer_scope.masked(each, each.alert.about, each.alert.id) for each in _in_order(put_off)],
        silent=commands.silent(),
    )


def _in_order(items: Iterable[QueueItem]) -> list[QueueItem]:
    return sorted(items, key=lambda each: (each.case.snoozed_until or 0, each.order))


def _is_hidden(breach: Breach, commands: CommandHandler, actor: Actor) -> bool:
    """Return True if a breach is about something withheld.

    The owner of the case would reveal something about all that is in it.
    """
    of_case = commands.is_hidden(f"alert:{breach.alert}", actor.hidden)
    return of_case or not actor.hidden.isdisjoint(within(breach.about))


_ENDED: Final = 100  # ended mutes that the page shows
_LATE: Final = {"late": Provide(late, sync_to_thread=True)}
_QUIET: Final = {"quiet": Provide(quiet, sync_to_thread=True)}


@get("/breaches", sync_to_thread=True, opt={"needs": "see"}, dependencies=_LATE)
def breaches_page(late: NamedDependency[OverdueView], reader: NamedDependency[Reader]) -> Template:
    """Show what was over its time."""
    others = alert_labels(reader, {each.alert for each in late.breaches})
    return Template("breaches.html", context={"late": late, "others": others})


@get("/api/breaches", sync_to_thread=False, opt={"needs": "see"}, dependencies=_LATE)
def breaches_in_full(late: NamedDependency[OverdueView]) -> OverdueView:
    """Return what was over its time."""
    return late


@get("/muted", sync_to_thread=False, opt={"needs": "queue"}, dependencies=_QUIET)
def muted_page(quiet: NamedDependency[SilencedView], actor: NamedDependency[Actor]) -> Template:
    """Show what does not ring."""
    return Template("muted.html", context={"quiet": quiet, "actor": actor, "covered": mute_scope})


@get("/api/muted", sync_to_thread=False, opt={"needs": "queue"}, dependencies=_QUIET)
def muted_in_full(quiet: NamedDependency[SilencedView]) -> SilencedView:
    """Return what does not ring."""
    return quiet


BREACHES: Final[list[ControllerRouterHandler]] = [breaches_page, breaches_in_full, muted_page, muted_in_full]
