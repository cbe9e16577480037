"""The floor's page: a tile a table, by pit, with how it stands; and the same as JSON."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Final, Literal, TypeAlias

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.alerts.queues import QueueItem, is_open, rows_of
from projections.casework.command_handler import CommandHandler
from projections.casework.table_status import HOUR, Lag, TableStatus
from projections.engine.findings import Severity
from projections.store.conclusion_diff import natural
from projections.store.rows import micros
from projections.web.auth.embargo import Hidden
from projections.web.auth.masking import Masking
from projections.web.live.broadcaster import LiveFloor
from projections.web.pages.action_routes import Clock
from projections.web.phrases.page_phrases import segment
from projections.web.records.store_queries import Reader
from schemas.events import Source
from schemas.house import TableSetup
from schemas.law_text import chapter, chapters
from schemas.values import Micros

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The floor as tiles: a table each, with how it stands, who deals, what is open there and what is silent.
#
# Pure: it is told how tables stand (`casework.table_status`), or what a store knows of them, which alerts
# stand, and what time it is. Times are microseconds UTC.

# `recorded`: nobody follows the floor, the store alone is known; `unheard`: no report has said yet.
State: TypeAlias = Literal["open", "closed", "recorded", "unheard"]

_STATES: Final[Mapping[bool | None, State]] = {None: "unheard", True: "open", False: "closed"}
_GRAVITY: Final[tuple[Severity, ...]] = ("grave", "money", "procedure", "data")
# An open table whose terminal polls its devices between rounds says something more often than this.
_QUIET: Final = 120_000_000
_MINUTE: Final = 60_000_000


class TileSilence(Struct, frozen=True):
    """A device that the terminal lost, what it reads where the house file says so, and since when."""

    device: str
    reads: Source | None
    since: Micros


class OpenAlerts(Struct, frozen=True):
    """Open alerts, in rows of the queues: those for now and this shift by severity, and the nightly ones.

    `urgent` is the gravest severity of those that can still be put right and that nobody has taken; `taken`
    counts those of now and this shift that somebody has.
    """

    mismatches: Mapping[Severity, int] = {}
    nightly: int = 0
    urgent: Severity | None = None
    taken: int = 0


class RecordedTable(Struct, frozen=True):
    """Facts of a table in a store: its latest round, when that was opened, who dealt, which chapter."""

    table: str
    chapter: str
    round: str
    at: Micros | None
    dealer: str | None


class Tile(Struct, frozen=True, kw_only=True):
    """A table as the floor shows it.

    `calling` is the dealer who calls the game, else the one who came last. `round` is the one that is open,
    since `opened`; `last` the latest that closed, at `closed`. `rounds` are those of the `minutes` before the
    table's newest report: 60, or fewer where the table opened since. `felt` is how long that took to the
    gateway's receipt, by its device's clock: negative where this is ahead, None where a recorded floor plays,
    whose clocks are of another day. `known` is how long the latest conclusion took from the gateway's receipt
    until the room knew, `heard` how long ago the gateway heard of the table. `unheard_for` is set where that
    is long for a table in play.
    """

    table: str
    pit: str | None
    chapter: str | None
    game: str
    state: State
    since: Micros | None = None
    calling: str | None = None
    dealers: Sequence[str] = ()
    floorperson: str | None = None
    round: str | None = None
    opened: Micros | None = None
    last: str | None = None
    closed: Micros | None = None
    rounds: int | None = None
    minutes: int | None = None
    shoe: str | None = None
    drawn: int | None = None
    silent: Sequence[TileSilence] = ()
    alerts: OpenAlerts = OpenAlerts()
    felt: int | None = None
    known: int | None = None
    heard: int | None = None
    unheard_for: int | None = None


def opened_at(items: Iterable[QueueItem]) -> tuple[dict[str, OpenAlerts], OpenAlerts]:
    """Count what is open at each table, as the queues do where they are narrowed to it, and on all.

    On all of them that is less than the sum where one case has alerts of more than one.
    """
    tables: defaultdict[str, list[QueueItem]] = defaultdict(list)
    for each in items:
        tables[each.alert.table].append(each)
    rows = {table: rows_of(filter(is_open, statuses)) for table, statuses in tables.items()}
    everywhere = rows_of(chain.from_iterable(rows.values()))
    return {table: _counted(statuses) for table, statuses in rows.items()}, _counted(everywhere)


def _counted(rows: Sequence[QueueItem]) -> OpenAlerts:
    early = [row for row in rows if row.queue != "nightly"]
    found = Counter(row.alert.severity for row in early)
    urgent = (row.alert.severity for row in early if row.queue == "act_now" and row.case.state == "new")
    return OpenAlerts(
        {severity: found[severity] for severity in _GRAVITY if found[severity]},
        len(rows) - len(early),
        gravest(urgent),
        sum(row.case.state != "new" for row in early),
    )


def gravest(severities: Iterable[Severity]) -> Severity | None:
    """Return the gravest of some severities; None of none.

    >>> gravest(["procedure", "money"]), gravest([])
    ('money', None)
    """
    return min(severities, key=_GRAVITY.index, default=None)


def urgent_first(tiles: Iterable[Tile]) -> list[Tile]:
    """Return the tiles with something urgent, the gravest first."""
    urgent = [(tile.alerts.urgent, tile) for tile in tiles if tile.alerts.urgent is not None]
    return [tile for _, tile in sorted(urgent, key=lambda each: _GRAVITY.index(each[0]))]


def live_tiles(
    setups: Mapping[str, TableSetup],
    standings: Mapping[str, TableStatus],
    lags: Mapping[str, Lag],
    alerts: Mapping[str, OpenAlerts],
    now: Micros,
    *,
    plays: bool = False,
) -> list[Tile]:
    """Return a tile for each table of the house, and each that was heard of, in the order of their names.

    Where a recorded floor `plays`, no device's clock tells how far away the felt is.
    """
    tiles = [
        _live(
            table,
            setups.get(table),
            standings.get(table),
            lags.get(table),
            alerts.get(table, OpenAlerts()),
            now,
        )
        for table in sorted({*setups, *standings}, key=natural)
    ]
    return [replace(tile, felt=None) for tile in tiles] if plays else tiles


def _live(
    table: str,
    setup: TableSetup | None,
    stands: TableStatus | None,
    lag: Lag | None,
    alerts: OpenAlerts,
    now: Micros,
) -> Tile:
    if stands is None:
        return _tile(table, setup, "unheard", alerts)
    quiet_for = max(0, now - stands.received)
    return replace(
        _tile(table, setup, _STATES[stands.open], alerts),
        since=stands.since,
        calling=stands.calling or (stands.dealers[-1] if stands.dealers else None),
        dealers=stands.dealers,
        floorperson=stands.floorperson,
        round=stands.round,
        opened=stands.opened,
        last=stands.last,
        closed=stands.closes[-1] if stands.closes else None,
        rounds=stands.rounds_an_hour(stands.at),
        minutes=_minutes(stands),
        shoe=stands.shoe,
        drawn=stands.drawn,
        silent=[
            TileSilence(device, setup.sources.get(device) if setup is not None else None, since)
            for device, since in stands.silent
        ],
        felt=stands.received - stands.at,
        known=lag.took if lag is not None else None,
        heard=quiet_for,
        unheard_for=quiet_for if stands.open and quiet_for > _QUIET else None,
    )


def _minutes(stands: TableStatus) -> int:
    """Return how many minutes, begun ones too, of the hour before its newest report a table has been open."""
    played = stands.at - stands.since if stands.open and stands.since is not None else HOUR
    return max(1, -(-min(played, HOUR) // _MINUTE))


def recorded_tiles(
    setups: Mapping[str, TableSetup], recorded: Iterable[RecordedTable], alerts: Mapping[str, OpenAlerts]
) -> list[Tile]:
    """Return a tile for each table that a store knows rounds of."""
    return [
        replace(
            _tile(
                each.table,
                setups.get(each.table),
                "recorded",
                alerts.get(each.table, OpenAlerts()),
                each.chapter,
            ),
            calling=each.dealer,
            dealers=(each.dealer,) if each.dealer is not None else (),
            last=each.round,
            closed=each.at,
        )
        for each in sorted(recorded, key=lambda each: natural(each.table))
    ]


def _tile(
    table: str, setup: TableSetup | None, state: State, alerts: OpenAlerts, chapter_heard: str | None = None
) -> Tile:
    number = setup.chapter if setup is not None else chapter_heard
    return Tile(
        table=table,
        pit=setup.pit if setup is not None else None,
        chapter=number,
        game=game_of(number) if number is not None else "",
        state=state,
        alerts=alerts,
    )


@cache
def game_of(number: str) -> str:
    """Return a chapter's game; of a chapter that is not on file, nothing."""
    return chapter(number).title if number in chapters() else ""


def named_games(chapters: Collection[str]) -> dict[str, str]:
    """Return the games of chapters.

    Where several have one name, as one text followed another, each with it.
    """
    names = {chapter: game_of(chapter) or chapter for chapter in chapters}
    often = Counter(names.values())
    return {each: name if often[name] == 1 else f"{name} ({each})" for each, name in names.items()}


def by_pit(tiles: Iterable[Tile]) -> list[tuple[str | None, list[Tile]]]:
    """Group tiles by pit; those of no pit come last."""
    pits: dict[str | None, list[Tile]] = {}
    for tile in tiles:
        pits.setdefault(tile.pit, []).append(tile)
    return sorted(pits.items(), key=lambda pit: (pit[0] is None, natural(pit[0] or "")))


# ── The floor's page: a tile a table, by pit; and the same as JSON ────────────────────────────────────

# The latest round of each table within a day of the latest one of all, in the newest run.
_RECORDED: Final = """
    SELECT table_id, opened, chapter, round, dealer FROM rounds
    WHERE run = (SELECT run FROM newest_run) AND round IS NOT NULL
        AND gaming_date >= (SELECT max(gaming_date) - 1 FROM rounds)
    QUALIFY row_number() OVER (PARTITION BY table_id ORDER BY opened DESC NULLS LAST, revision DESC) = 1
"""


class FloorFilter(Struct, frozen=True):
    """Filter of tables: of a pit, of a game (its chapter), only those with open alerts."""

    pit: str | None = None
    game: str | None = None
    only_alerts: bool = False

    def shows(self, tile: Tile) -> bool:
        """Return True if a tile is among them."""
        return (
            self.pit in (None, tile.pit)
            and self.game in (None, tile.chapter)
            and (not self.only_alerts or bool(tile.alerts.mismatches or tile.alerts.nightly))
        )


class FloorView(Struct, frozen=True):
    """The floor at a moment: tiles, and what they can be narrowed to; `followed` says whether it goes on.

    `alerts` is what is open on the whole floor, also at tables that have no tile here.
    """

    at: Micros
    followed: bool
    tables: Sequence[Tile]
    pits: Sequence[str]
    games: Sequence[str]
    alerts: OpenAlerts


def narrowed(
    pit: FromQuery[str | None] = None,
    game: FromQuery[str | None] = None,
    only: FromQuery[str | None] = None,
) -> FloorFilter:
    """Read what a person wants to see; a form sends what was left open as an empty word."""
    return FloorFilter(pit or None, game or None, only == "alerts")


def floor(
    reader: NamedDependency[Reader],
    live: NamedDependency[LiveFloor],
    commands: NamedDependency[CommandHandler],
    hidden: NamedDependency[Hidden],
    masking: NamedDependency[Masking],
    wall_clock: NamedDependency[Clock],
) -> FloorView:
    """Build the present view of the floor, staff masked; withheld alerts are not counted."""
    now = wall_clock()
    alerts, everywhere = opened_at(commands.queue_items(now, hidden.subjects))
    setups = reader.house.tables
    is_followed = live.state != "recorded"
    # Another thread goes on with these.
    standings, lags = dict(live.tables), dict(live.lags)
    if is_followed:
        tables = live_tiles(setups, standings, lags, alerts, now, plays=live.play_speed is not None)
    else:
        tables = recorded_tiles(setups, _recorded(reader), alerts)
    tables = [_masked(tile, masking) for tile in tables]
    games = named_games({tile.chapter for tile in tables if tile.chapter is not None})
    return FloorView(
        at=now,
        followed=is_followed,
        tables=tables,
        pits=sorted({tile.pit for tile in tables if tile.pit is not None}, key=natural),
        games=sorted(games, key=games.__getitem__),
        alerts=everywhere,
    )


_GIVEN: Final = {
    "floor": Provide(floor, sync_to_thread=True),
    "narrowed": Provide(narrowed, sync_to_thread=False),
}


@get("/floor", sync_to_thread=True, opt={"needs": "see"}, dependencies=_GIVEN)
def floor_page(floor: NamedDependency[FloorView], narrowed: NamedDependency[FloorFilter]) -> Template:
    """Show the floor: calm where nothing is wrong, unmistakable where something grave is open."""
    tiles = [tile for tile in floor.tables if narrowed.shows(tile)]
    context = {
        "floor": floor,
        "narrowed": narrowed,
        "pits": by_pit(tiles),
        "shown": tiles,
        "urgent": urgent_first(tiles),
        "games": named_games(floor.games),
        "segment": segment,
    }
    return Template("floor.html", context=context)


@get("/api/floor", sync_to_thread=True, opt={"needs": "see"}, dependencies=_GIVEN)
def floor_in_full(floor: NamedDependency[FloorView], narrowed: NamedDependency[FloorFilter]) -> FloorView:
    """Return the floor as its page shows it."""
    return replace(floor, tables=[tile for tile in floor.tables if narrowed.shows(tile)])


def _masked(tile: Tile, masking: Masking) -> Tile:
    def dealer(name: str) -> str:
        return masking.name("dealer", name)

    supervisor = tile.floorperson
    return replace(
        tile,
        calling=dealer(tile.calling) if tile.calling is not None else None,
        dealers=[dealer(name) for name in tile.dealers],
        floorperson=masking.name("floorperson", supervisor) if supervisor is not None else None,
    )


def _recorded(reader: Reader) -> list[RecordedTable]:
    return [
        RecordedTable(
            row["table_id"],
            row["chapter"],
            row["round"],
            micros(row["opened"]),
            row["dealer"],
        )
        for row in reader.ask(_RECORDED, [])
    ]


FLOOR: Final[list[ControllerRouterHandler]] = [floor_page, floor_in_full]
