"""The alert queue: what can still be put right, what is for this shift, what waits; the gravest first."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec
from jinja2 import Environment
from litestar import Request, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.board.board import Shown, order_of
from projections.console.access.entry import Entry
from projections.console.access.guard import root_of
from projections.console.access.masking import Masking
from projections.console.access.person import Person
from projections.console.acting import Clock, withheld
from projections.console.live import Live, Words
from projections.desk import Desk, News
from projections.work.actions import QueueName
from projections.work.deciding import Actor
from projections.work.work import State
from schemas.values import Micros

PAGE: Final = 100
QUEUES: Final = get_args(QueueName)
Favours: TypeAlias = Literal["house", "patron"]


class QueueAsked(Struct, frozen=True):
    """Which alerts a person asks for, where None is any; `every` shows each repeat by itself."""

    queue: QueueName = "act_now"
    severity: str | None = None
    table: str | None = None
    pit: str | None = None
    game: str | None = None
    check: str | None = None
    dealer: str | None = None
    state: State | None = None
    favours: Favours | None = None
    mine: bool = False
    every: bool = False
    page: int = 1

    def wants(self, row: Shown, name: str, masking: Masking) -> bool:
        """Tell whether a row is one of those asked for, of whatever queue; `name` is who asks.

        A dealer may be asked for by what masks the name.
        """
        alert = row.alert
        if self.dealer is not None and not masking.is_meant(self.dealer, "dealer", alert.dealer):
            return False
        wanted = (
            (self.severity, alert.severity),
            (self.table, alert.table),
            (self.pit, alert.pit),
            (self.game, alert.chapter),
            (self.check, alert.check),
            (self.favours, alert.favours),
        )
        if any(asked not in (None, has) for asked, has in wanted) or (self.mine and row.case.owner != name):
            return False
        if self.state is not None:
            return row.case.state == self.state
        return row.case.state != "closed" and not _put_off(row)


class QueuePage(Struct, frozen=True):
    """One page of a queue, with how many alerts each queue has for who asks, and how often it rang lately."""

    queue: QueueName
    page: int
    pages: int
    total: int
    counts: dict[str, int]
    rings: int
    rows: list[Shown]


def _put_off(row: Shown) -> bool:
    return row.silenced is not None and row.silenced.startswith("put off")


def queue_asked(
    queue: FromQuery[QueueName] = "act_now",
    severity: FromQuery[str | None] = None,
    table: FromQuery[str | None] = None,
    pit: FromQuery[str | None] = None,
    game: FromQuery[str | None] = None,
    check: FromQuery[str | None] = None,
    dealer: FromQuery[str | None] = None,
    stands: Annotated[str | None, QueryParameter(name="state")] = None,
    favours: FromQuery[str | None] = None,
    *,
    mine: FromQuery[bool] = False,
    every: FromQuery[bool] = False,
    page: Annotated[int, QueryParameter(ge=1, le=1_000_000)] = 1,
) -> QueueAsked:
    """Read a queue's filters; a form sends what was left open as an empty word."""
    told = {
        "queue": queue, "severity": severity, "table": table, "pit": pit, "game": game, "check": check,
        "dealer": dealer, "state": stands, "favours": favours, "mine": mine, "every": every, "page": page,
    }  # fmt: skip
    return msgspec.convert(
        {name: value for name, value in told.items() if value not in (None, "")}, QueueAsked
    )


def queue_of(desk: Desk, asked: QueueAsked, actor: Actor, masking: Masking, now: Micros) -> QueuePage:
    """Give a page of a queue as it stands at a moment, names masked."""
    wanted = [row for row in desk.shown(now, actor.hidden) if asked.wants(row, actor.name, masking)]
    rows = sorted((row for row in wanted if row.queue == asked.queue), key=order_of)
    if not asked.every:
        rows = list(_first_of_each(rows))
    begin = PAGE * (asked.page - 1)
    return QueuePage(
        queue=asked.queue,
        page=asked.page,
        pages=max(1, -(-len(rows) // PAGE)),
        total=len(rows),
        counts=dict.fromkeys(QUEUES, 0) | Counter(row.queue for row in wanted),
        rings=desk.board.rings_in_the_last_hour(now),
        rows=[masking.masked(row) for row in rows[begin : begin + PAGE]],
    )


def _first_of_each(rows: Iterable[Shown]) -> Iterator[Shown]:
    """Of repeats that nobody has, give the first alone."""
    seen: set[tuple[str, str]] = set()
    for row in rows:
        group = (row.alert.table, row.alert.check)
        if row.case.state == "new":
            if group in seen:
                continue
            seen.add(group)
        yield row


@get("/", sync_to_thread=True, opt={"needs": "see"})
def queue_page(
    wanted: NamedDependency[QueueAsked],
    desk: NamedDependency[Desk],
    actor: NamedDependency[Actor],
    masking: NamedDependency[Masking],
    wall: NamedDependency[Clock],
) -> Template:
    """Show a queue."""
    now = wall()
    found = queue_of(desk, wanted, actor, masking, now)
    context = {"wanted": wanted, "found": found, "now": now, "queues": QUEUES, "actor": actor}
    return Template("queue.html", context=context)


@get("/api/queue", sync_to_thread=True, opt={"needs": "see"})
def queue(
    wanted: NamedDependency[QueueAsked],
    desk: NamedDependency[Desk],
    actor: NamedDependency[Actor],
    masking: NamedDependency[Masking],
    wall: NamedDependency[Clock],
) -> QueuePage:
    """Give a queue, as the page shows it."""
    return queue_of(desk, wanted, actor, masking, wall())


def telling(
    request: Request[Any, Any, Any],
    desk: NamedDependency[Desk],
    live: NamedDependency[Live],
    person: NamedDependency[Person],
    entry: NamedDependency[Entry],
    masking: NamedDependency[Masking],
    wall: NamedDependency[Clock],
) -> Words:
    """Give the words in which this person's stream tells of alerts: each with its row of the queue.

    What is withheld from the person while the stream is open is not told any more, nor that it is gone.
    """
    engine: Environment = request.app.template_engine.engine  # type: ignore[union-attr]
    row = engine.get_template("queue_row.html").module.row  # type: ignore[attr-defined]
    root = root_of(request)
    hidden: set[str] = set()

    def words(news: News) -> Iterator[tuple[str, str]]:
        now = wall()
        hidden.update(withheld(entry.embargoes.hidden(person.name), desk, now))
        for alert in [*(alert.id for alert in news.new), *sorted(news.changed)]:
            shown = desk.shown_one(alert, now)
            if shown is None or f"alert:{alert}" in hidden:
                continue
            shown = masking.masked(shown)
            told = {
                "id": alert,
                "queue": shown.queue,
                "severity": shown.alert.severity,
                "table": shown.alert.table,
                "rings": alert in news.ring,
                "state": shown.case.state,
                "row": row(shown, now, root, live.zone),
            }
            yield "alert", msgspec.json.encode(told).decode()
        for alert in (each for each in news.gone if f"alert:{each}" not in hidden):
            yield "gone", msgspec.json.encode({"id": alert}).decode()

    return words


QUEUE: Final[list[ControllerRouterHandler]] = [queue_page, queue]
QUEUE_GIVEN: Final = {
    "wanted": Provide(queue_asked, sync_to_thread=False),
    "telling": Provide(telling, sync_to_thread=False),
}
