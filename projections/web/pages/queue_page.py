"""The alert queue: what can still be put right, what is for this shift, what waits; the gravest first."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, get_args

from jinja2 import Environment
from litestar import Request, get
from litestar.di import NamedDependency, Provide
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.casework.actions import Actor
from projections.casework.alerts.alert_arrival import Silent
from projections.casework.alerts.queue_rows import QueueItem
from projections.casework.cases.case_actions import LISTED
from projections.casework.cases.case_state import Level
from projections.casework.command_handler import CommandHandler
from projections.engine.findings import Severity, Side
from projections.web.auth.auth_service import Entry
from projections.web.auth.guard import root_of
from projections.web.auth.masking import Masking
from projections.web.live.broadcaster import Live, Rate, Words
from projections.web.pages.action_routes import Clock
from projections.web.pages.floor_page import named_games
from projections.web.pages.queue_stream import (
    LISTS,
    STANDS,
    Common,
    Eyes,
    Listed,
    QueueAsked,
    QueueTold,
    queue_asked,
    tags_of,
)

PAGE: Final = LISTED
LEVELS: Final = get_args(Level)
SEVERITIES: Final = [severity for severity in get_args(Severity) if severity != "note"]


class QueuePage(Struct, frozen=True):
    """One page of a queue, with how many rows each list has for who asks, and how often it rang lately.

    `overdue` counts those of each that nobody has taken though they were due.
    `silent` are the devices that say nothing: what rests on them does not ring.
    """

    queue: Listed
    page: int
    pages: int
    total: int
    counts: dict[Listed, int]
    overdue: dict[Listed, int]
    rate: Rate
    silent: list[Silent]
    rows: list[QueueItem]


class Choices(Struct, frozen=True):
    """What the filters of the queue offer: what there is among the alerts that a person may see.

    A game is its chapter's number, and `named` says what that is called.
    """

    severity: Sequence[str]
    table: Sequence[str]
    pit: Sequence[str]
    game: Sequence[str]
    check: Sequence[str]
    dealer: Sequence[str]
    tag: Sequence[str]
    named: Mapping[str, str]
    state: Sequence[str] = STANDS
    favours: Sequence[Side] = ("house", "patron")
    escalated: Sequence[Level] = LEVELS


def page_of(
    items: Iterable[QueueItem],
    queue_query: QueueAsked,
    who: Actor,
    masking: Masking,
    rate: Rate,
    silent: list[Silent],
) -> QueuePage:
    """Return a page of a queue, names masked."""
    listed = list(queue_query.listed(items, who, masking))
    queued = sorted((row for name, row in listed if name == queue_query.queue), key=lambda row: row.order)
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


def choices(items: Collection[QueueItem], masking: Masking) -> Choices:
    """Return what the filters offer."""
    alerts = [row.alert for row in items]
    games = named_games({alert.chapter for alert in alerts})
    return Choices(
        severity=[
            each for each in ("grave", "money", "procedure", "data") if each in {a.severity for a in alerts}
        ],
        table=sorted({alert.table for alert in alerts}),
        pit=sorted({alert.pit for alert in alerts if alert.pit is not None}),
        game=sorted(games, key=games.__getitem__),
        named=games,
        check=sorted({alert.check for alert in alerts}),
        dealer=sorted({masking.name("dealer", name) for name in {alert.dealer for alert in alerts} if name}),
        tag=sorted({tag for row in items for tag in tags_of(row, masking)}),
    )


@get("/", sync_to_thread=True, opt={"needs": "see"})
def queue_page(
    wanted: NamedDependency[QueueAsked],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[Live],
    actor: NamedDependency[Actor],
    entry: NamedDependency[Entry],
    masking: NamedDependency[Masking],
    wall: NamedDependency[Clock],
) -> Template:
    """Show a queue."""
    now = wall()
    items = commands.shown(now, actor.hidden)
    found = page_of(items, wanted, actor, masking, live.rate, commands.silent())
    context = {
        "actor": actor,
        "wanted": wanted,
        "found": found,
        "now": now,
        "lists": LISTS if "work" in actor.rights else LISTS[:-1],
        "narrowed_to": wanted.narrowed_to(),
        "choices": choices(items, masking),
        "views": entry.views.of(actor.name),
    }
    return Template("queue.html", context=context)


@get("/api/queue", sync_to_thread=True, opt={"needs": "see"})
def queue(
    wanted: NamedDependency[QueueAsked],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[Live],
    actor: NamedDependency[Actor],
    masking: NamedDependency[Masking],
    wall: NamedDependency[Clock],
) -> QueuePage:
    """Return a queue, as the page shows it."""
    items = commands.shown(wall(), actor.hidden)
    return page_of(items, wanted, actor, masking, live.rate, commands.silent())


def queue_words(
    request: Request[Any, Any, Any],
    wanted: NamedDependency[QueueAsked],
    common: NamedDependency[Common],
    live: NamedDependency[Live],
    actor: NamedDependency[Actor],
    entry: NamedDependency[Entry],
    masking: NamedDependency[Masking],
    wall: NamedDependency[Clock],
) -> Words:
    """Return the words in which this person's stream tells of alerts: each with its row of the queue."""
    engine: Environment = request.app.template_engine.engine  # type: ignore[union-attr]
    row = engine.get_template("queue_row.html").module.row  # type: ignore[attr-defined]
    root = root_of(request)

    def hidden() -> frozenset[str]:
        return entry.embargoes.hidden(actor.name).subjects

    def rendered(item: QueueItem) -> str:
        return str(row(item, wall(), root, live.zone))

    began = live.tellings
    return QueueTold(common, wanted, Eyes(actor, hidden, masking, wall, root), rendered, began)


QUEUE: Final[list[ControllerRouterHandler]] = [queue_page, queue]
QUEUE_GIVEN: Final = {
    "wanted": Provide(queue_asked, sync_to_thread=False),
    "words": Provide(queue_words, sync_to_thread=True),
}
