"""The stream of the queue: a person's selection, the rows that come and go, and the alerts that ring."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Annotated, Final, Literal, TypeAlias, get_args
from urllib.parse import quote

import msgspec
from litestar.params import FromQuery, QueryParameter
from msgspec import Struct, field

from projections.casework.actions import Actor
from projections.casework.alert_watch import CaseworkNews
from projections.casework.alerts.notifications import is_third
from projections.casework.alerts.queues import QUEUES, QueueItem, incidents_of, is_open, row_of
from projections.casework.cases.case_actions import QueueName
from projections.casework.cases.case_rules import waits_for
from projections.casework.cases.case_state import Level, alert_of
from projections.casework.command_handler import CommandHandler
from projections.catalogue import check_name
from projections.engine.findings import Severity, Side
from projections.web.auth.masking import Masking
from projections.web.live.broadcaster import StreamEvent
from projections.web.pages.action_routes import Clock
from projections.web.pages.floor_tiles import game_of
from projections.web.phrases.page_phrases import SIDES
from schemas.values import Micros

# ── Which alerts a person asks the queue for ──────────────────────────────────────────────────────────

# What the page of the queue lists: one of the three queues, or what waits for the viewer.
QueueList: TypeAlias = QueueName | Literal["for_me"]
Stands: TypeAlias = Literal["new", "open", "second person", "closed", "look again", "snoozed", "withdrawn"]
Sort: TypeAlias = Literal["time", "table", "money", "due"]
# A filter, and the field of an alert that it is compared with.
_NARROWED: Final = (
    ("severity", "severity"),
    ("table", "table"),
    ("pit", "pit"),
    ("game", "chapter"),
    ("check", "check"),
    ("favours", "favours"),
)
STANDS: Final[tuple[Stands, ...]] = get_args(Stands)
LISTS: Final[tuple[QueueList, ...]] = (*QUEUES, "for_me")


class QueueQuery(Struct, frozen=True):
    """Filter of alerts, where None is any; `every` shows each finding by itself.

    An incident is asked for if one of its alerts is. Rows are in the order of `sort`, or else in that of
    their queue: the newest, the largest sum or what is due first, or by the names of tables.
    """

    queue: QueueList = "act_now"
    severity: str | None = None
    table: str | None = None
    pit: str | None = None
    game: str | None = None
    check: str | None = None
    dealer: str | None = None
    state: Stands | None = None
    favours: Side | None = None
    escalated: Level | None = None
    tag: str | None = None
    mine: bool = False
    every: bool = False
    page: int = 1
    sort: Sort | None = None

    def order(self, row: QueueItem) -> tuple[int | str, ...]:
        """Sort rows as is asked for, among equals as their queue does."""
        match self.sort:
            case "time":
                return (-(row.alert.at or 0), *row.order)
            case "table":
                return (quote(row.alert.table), *row.order)
            case "money":
                return (-max((each.cents for each in row.sums), default=0), *row.order)
            case "due":
                return (row.due, *row.order)
        return row.order

    def narrowed_to(self) -> list[str]:
        """Return by what the queue is narrowed.

        >>> QueueQuery(severity="critical", mine=True).narrowed_to()
        ['critical', 'mine']
        """
        values = (
            self.severity,
            self.table,
            self.pit,
            game_of(self.game) or self.game if self.game is not None else None,
            check_name(self.check) if self.check is not None else None,
            self.dealer,
            self.state,
            SIDES[self.favours] if self.favours is not None else None,
            f"escalated to the {self.escalated}" if self.escalated is not None else None,
            f"tag {self.tag}" if self.tag is not None else None,
        )
        flags = [name for name, on in (("mine", self.mine), ("every finding", self.every)) if on]
        return [each.replace("_", " ") for each in values if each is not None] + flags

    def rows(
        self, items: Iterable[QueueItem], who: Actor, masking: Masking
    ) -> Iterator[tuple[QueueList, QueueItem]]:
        """Yield the rows that match the query, of each list, for the viewer `who`.

        What waits for the viewer is also in its queue, unless it is closed. If no state is asked for, a queue
        has what is neither closed nor snoozed.
        """
        narrows = bool(self.narrowed_to())
        for incident in incidents_of(items, every=self.every):
            wanted = incident
            if narrows:
                wanted = [
                    each
                    for each in incident
                    if self._narrows(each, who, masking)
                    and (self.state is None or self.state in _stands(each))
                ]
                if not wanted:
                    continue
            row = row_of(incident)
            if self.state or is_open(row):
                yield row.queue, row
            for each in wanted:
                if waits_for(each.case, who, altered=each.altered, climbed=each.climbed):
                    yield "for_me", row
                    break

    def _narrows(self, row: QueueItem, who: Actor, masking: Masking) -> bool:
        """Return True if a row is one of those asked for, of whatever list and state.

        A dealer may be asked for by what masks the name; a tag is asked for as it is shown.
        """
        alert = row.alert
        if self.mine and row.case.owner != who.name:
            return False
        if self.escalated is not None and row.case.escalated != self.escalated:
            return False
        if self.tag is not None and self.tag not in tags_of(row, masking):
            return False
        for name, of in _NARROWED:
            wanted = getattr(self, name)
            if wanted is not None and wanted != getattr(alert, of):
                return False
        return self.dealer is None or masking.is_meant(self.dealer, "dealer", alert.dealer)


def tags_of(row: QueueItem, masking: Masking) -> tuple[str, ...]:
    """Return the tags of a row as a person sees them: a name that is typed into one is masked."""
    if not row.case.tags:
        return ()
    return masking.masked(row, row.alert.subjects()).case.tags


def _stands(row: QueueItem) -> Iterator[Stands]:
    """Yield by which of its states an alert may be asked for."""
    case = row.case
    match case.state:
        case "new" | "open" | "closed" as state:
            yield "snoozed" if row.put_off else state
        case _:
            yield "second person"
    if row.withdrawn:
        yield "withdrawn"
    if row.look_again:
        yield "look again"


def read_queue_query(
    queue: FromQuery[QueueList] = "act_now",
    severity: FromQuery[str | None] = None,
    table: FromQuery[str | None] = None,
    pit: FromQuery[str | None] = None,
    game: FromQuery[str | None] = None,
    check: FromQuery[str | None] = None,
    dealer: FromQuery[str | None] = None,
    stands: Annotated[Stands | Literal[""] | None, QueryParameter(name="state")] = None,
    favours: FromQuery[Side | Literal[""] | None] = None,
    escalated: FromQuery[Level | Literal[""] | None] = None,
    tag: FromQuery[str | None] = None,
    *,
    mine: FromQuery[bool] = False,
    every: FromQuery[bool] = False,
    page: Annotated[int, QueryParameter(ge=1, le=1_000_000)] = 1,
    sort: FromQuery[Sort | Literal[""] | None] = None,
) -> QueueQuery:
    """Read a queue's filters; a form sends what was left open as an empty word."""
    values = {
        "queue": queue, "severity": severity, "table": table, "pit": pit, "game": game, "check": check,
        "dealer": dealer, "state": stands, "favours": favours, "escalated": escalated, "tag": tag,
        "mine": mine, "every": every, "page": page, "sort": sort,
    }  # fmt: skip
    return msgspec.convert(
        {name: value for name, value in values.items() if value not in (None, "")}, QueueQuery
    )


# ── Messages to a page on a ringing alert: when it rings, and while it is unassigned ───────


class RingingAlert(Struct, frozen=True):
    """An alert that rang: if it is unassigned, `due` is until when somebody must take it.

    `why` is what made it ring though it repeats another: its dealer's third mistake.
    """

    id: str
    table: str
    check: str
    severity: Severity
    due: Micros | None
    why: str = ""


def ringing_alert(
    item: QueueItem, commands: CommandHandler, now: Micros, hidden: frozenset[str]
) -> RingingAlert:
    """Return an alert that rang, without what is in `hidden`."""
    alert, due = item.alert, item.due if item.case.state == "new" else None
    mistakes = commands.count_mistakes(item, now, hidden)
    minutes = commands.alert_queue.settings.repeats_minutes
    why = f"mistake {mistakes} of this dealer in {minutes} minutes" if is_third(mistakes) else ""
    return RingingAlert(alert.id, alert.table, alert.check, alert.severity, due, why)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The queue as a stream of events: which rows come, change and go for one person, and how many there are.

_Place: TypeAlias = tuple[QueueList, bool]  # a list in which a row stands, and whether it is overdue there
Rendering: TypeAlias = Callable[[QueueItem], str]
_encode: Final = msgspec.json.Encoder().encode
_SHARED_NEWS: Final = 16  # pieces of news: those sent together, for streams a little behind


class Viewer(Struct, frozen=True):
    """The viewer of a stream: what is withheld (asked each time), how names are masked, a clock.

    `root` is the path that the console has behind the person's proxy.
    """

    actor: Actor
    hidden: Callable[[], frozenset[str]]
    masking: Masking
    wall_clock: Clock
    root: str = ""


class _CachedNews(Struct):
    """Cache of what was queried and written for one message: by person, by what is withheld, by row."""

    news: CaseworkNews
    hidden: dict[str, frozenset[str]] = field(default_factory=dict)
    related_items: dict[frozenset[str], list[QueueItem]] = field(default_factory=dict)
    overdue: dict[frozenset[str], int] = field(default_factory=dict)
    row_texts: dict[Hashable, str] = field(default_factory=dict)


class StreamCache:
    """Shared work of the streams on the newest message: it is looked up and encoded once for all.

    A stream that is far behind looks it up again.
    """

    def __init__(self, commands: CommandHandler) -> None:
        self.commands = commands
        self._recent: deque[_CachedNews] = deque(maxlen=_SHARED_NEWS)

    def hidden(self, news: CaseworkNews, eyes: Viewer) -> frozenset[str]:
        """Return what is withheld from a person: asked once for the newest news, and each time for older."""
        looked = self._cached(news)
        if looked is not self._recent[-1]:
            return eyes.hidden()
        if eyes.actor.name not in looked.hidden:
            looked.hidden[eyes.actor.name] = eyes.hidden()
        return looked.hidden[eyes.actor.name]

    def related_items(self, news: CaseworkNews, now: Micros, hidden: frozenset[str]) -> list[QueueItem]:
        """Return the alerts that news touches, and all that a row may stand for with one of them."""
        items = self._cached(news).related_items
        if hidden not in items:
            items[hidden] = self.commands.related_items(news.touched, now, hidden)
        return items[hidden]

    def overdue(self, news: CaseworkNews, now: Micros, hidden: frozenset[str]) -> int:
        """Count the unassigned rows past their due time, of all lists."""
        counts = self._cached(news).overdue
        if hidden not in counts:
            counts[hidden] = self.commands.overdue_rows(now, hidden)
        return counts[hidden]

    def row_text(self, news: CaseworkNews, row: Hashable, write: Callable[[], str]) -> str:
        """Return the text of a row of some news; it is written once."""
        rendered = self._cached(news).row_texts
        if row not in rendered:
            rendered[row] = write()
        return rendered[row]

    def _cached(self, news: CaseworkNews) -> _CachedNews:
        for looked in reversed(self._recent):
            if looked.news is news:
                return looked
        self._recent.append(_CachedNews(news))
        return self._recent[-1]


class CaseworkStream:
    """Stream for a viewer who does not see the live queue: it only reports that something was done."""

    def __init__(self, common: StreamCache, eyes: Viewer, began: int) -> None:
        self._common, self._eyes, self.began = common, eyes, began

    def first_events(self) -> Iterator[StreamEvent]:
        """Yield nothing."""
        yield from ()

    def events_since(self, news: CaseworkNews) -> Iterator[StreamEvent]:
        """Yield that something was done, unless all of it is withheld from the person."""
        hidden = self._common.hidden(news, self._eyes)
        if news.written or self._common.related_items(news, self._eyes.wall_clock(), hidden):
            yield "acted", "{}"


class QueueStream:
    """The rows of a queue as a page has them, for one stream.

    It knows for each alert in which lists it is a row. So changes are sent and counted without querying all
    the others.
    """

    def __init__(
        self, common: StreamCache, query: QueueQuery, eyes: Viewer, rendered: Rendering, began: int
    ) -> None:
        self._common, self._query, self._eyes, self._render = common, query, eyes, rendered
        self.began = began
        self._hidden = eyes.hidden()
        listed = self._listed(common.commands.queue_items(eyes.wall_clock(), self._hidden))
        self._rows = {name: _places(rows) for name, rows in listed.items()}
        self._counts = Counter(chain.from_iterable(self._rows.values()))
        self._overdue = common.commands.overdue_rows(eyes.wall_clock(), self._hidden)

    def first_events(self) -> Iterator[StreamEvent]:
        """Yield how many rows each queue has, and how many of all there are that are overdue."""
        yield self._counted()
        yield self._late()

    def _counted(self) -> StreamEvent:
        late = {each: self._counts[each, True] for each in LISTS}
        counts: dict[str, object] = {each: self._counts[each, False] + late[each] for each in LISTS}
        return "counts", _encode(counts | {"overdue": late}).decode()

    def _late(self) -> StreamEvent:
        return "overdue", _encode({"rows": self._overdue}).decode()

    def events_since(self, news: CaseworkNews) -> Iterator[StreamEvent]:
        """Yield what casework news changed: rows, their number, and alerts to be heard.

        What becomes withheld from the person while the stream is open is removed like a closed row, and what
        no longer is comes back. If something was written that changes no alert, everybody gets the same event
        without details.
        """
        hidden = self._common.hidden(news, self._eyes)
        if hidden == self._hidden:
            touched, related = news.touched, self._common.related_items(news, self._eyes.wall_clock(), hidden)
        else:
            touched = news.touched | self._visibility_changed(hidden)
            related = self._common.commands.related_items(touched, self._eyes.wall_clock(), hidden)
            self._hidden = hidden
        if self._query.every:  # each row is one alert
            related = [each for each in related if each.alert.id in touched]
        listed = self._listed(related)
        before = self._counts.copy()
        for alert in dict.fromkeys([*touched, *(each.alert.id for each in related)]):
            rows, was = listed.get(alert, {}), self._rows.get(alert, frozenset())
            if self._query.queue in rows:
                yield "alert", self._row_data(news, rows[self._query.queue], hidden)
            elif any(name == self._query.queue for name, _ in was):
                yield "gone", _encode({"id": alert}).decode()
            self._set_places(alert, _places(rows))
        if self._counts != before:
            yield self._counted()
        yield from self._overdue_events(news, related, hidden)
        called = {
            each.case.key: each
            for each in related
            if each.alert.id in news.called and waits_for(each.case, self._eyes.actor)
        }
        for each in (*(each for each in related if each.alert.id in news.rings), *called.values()):
            yield (
                "ring",
                _encode(ringing_alert(each, self._common.commands, self._eyes.wall_clock(), hidden)).decode(),
            )
        if related or news.written:
            yield "acted", "{}"

    def _overdue_events(
        self, news: CaseworkNews, related: list[QueueItem], hidden: frozenset[str]
    ) -> Iterator[StreamEvent]:
        """Yield the number of overdue rows if it changed, and which of them ring again."""
        now, before = self._eyes.wall_clock(), self._overdue
        self._overdue = self._common.overdue(news, now, hidden)
        if self._overdue != before:
            yield self._late()
        overdue = (each for each in related if each.alert.id in news.overdue)
        ordered = sorted(overdue, key=lambda each: each.order)
        if ordered:
            again = [ringing_alert(each, self._common.commands, now, hidden) for each in ordered]
            yield "again", _encode(again).decode()

    def _visibility_changed(self, hidden: frozenset[str]) -> set[str]:
        """Return the alerts whose embargo for the person began or ended since the last message."""
        turned = [alert_of(each) for each in hidden ^ self._hidden if each.startswith("alert:")]
        return {*turned, *(each for alert in turned for each in self._common.commands.alerts_of_case(alert))}

    def _listed(self, items: Iterable[QueueItem]) -> dict[str, dict[QueueList, QueueItem]]:
        """Return the rows of each list by the alert that stands for them."""
        found: defaultdict[str, dict[QueueList, QueueItem]] = defaultdict(dict)
        for name, row in self._query.rows(items, self._eyes.actor, self._eyes.masking):
            found[row.alert.id][name] = row
        return dict(found)

    def _set_places(self, alert: str, places: frozenset[_Place]) -> None:
        self._counts.subtract(self._rows.pop(alert, ()))
        self._counts.update(places)
        if places:
            self._rows[alert] = places

    def _row_data(self, news: CaseworkNews, row: QueueItem, hidden: frozenset[str]) -> str:
        """Return the text of a row, which is shared by all who see the same, with names or without."""
        shows_names = self._eyes.masking.until(row.alert.subjects()) is not None
        key = (
            row.alert.id,
            row.others,
            row.checks,
            row.seats,
            row.sums,
            row.round,
            row.critical,
            self._query.sort,
            row.overdue,
            row.climbed,
            hidden,
            self._eyes.root,
            shows_names,
        )
        return self._common.row_text(news, key, lambda: self._written(row))

    def _written(self, row: QueueItem) -> str:
        alert = row.alert
        values = {
            "id": alert.id,
            "queue": row.queue,
            "severity": alert.severity,
            "table": alert.table,
            "state": row.case.state,
            "row": self._render(self._eyes.masking.masked(row, alert.subjects())),
        }
        return _encode(values).decode()


def _places(rows: Mapping[QueueList, QueueItem]) -> frozenset[_Place]:
    return _one_set(*((name, row.overdue) for name, row in rows.items()))


@cache
def _one_set(*places: _Place) -> frozenset[_Place]:
    """Return places as the one set of them that there is: every stream has one for each alert."""
    return frozenset(places)
