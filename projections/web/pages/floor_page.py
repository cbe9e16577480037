"""The floor's page: a tile a table, by pit, with how it stands; and the same as JSON."""

from collections.abc import Sequence
from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.command_handler import CommandHandler
from projections.store.conclusion_diff import natural
from projections.store.rows import micros
from projections.web.auth.embargo import Hidden
from projections.web.auth.masking import Masking
from projections.web.live.broadcaster import LiveFloor
from projections.web.pages.action_routes import Clock
from projections.web.pages.floor_heat import SCALES, Measure, heat_of, sparkline_of
from projections.web.pages.floor_tiles import (
    OpenAlerts,
    RecordedTable,
    Tile,
    by_pit,
    live_tiles,
    named_games,
    opened_at,
    recorded_tiles,
    urgent_first,
)
from projections.web.phrases.page_phrases import segment
from projections.web.records.store_queries import Reader
from projections.web.records.table_play import FloorPlay
from schemas.values import Micros

# The latest round of each table within a day of the latest one of all, in the newest run.
_RECORDED: Final = """
    SELECT table_id, opened, chapter, round, dealer FROM rounds
    WHERE run = (SELECT run FROM newest_run) AND round IS NOT NULL
        AND gaming_date >= (SELECT max(gaming_date) - 1 FROM rounds)
    QUALIFY row_number() OVER (PARTITION BY table_id ORDER BY opened DESC NULLS LAST, revision DESC) = 1
"""


class FloorFilter(Struct, frozen=True):
    """Filter of tables: of a pit, of a game (its chapter), only those with open alerts; `by` colours them."""

    pit: str | None = None
    game: str | None = None
    only_alerts: bool = False
    by: Measure = "money"

    def shows(self, tile: Tile) -> bool:
        """Return True if a tile is among them."""
        return (
            self.pit in (None, tile.pit)
            and self.game in (None, tile.chapter)
            and (not self.only_alerts or bool(tile.alerts.mismatches or tile.alerts.nightly))
        )


class FloorView(Struct, frozen=True):
    """The floor at a moment: tiles, and their filters; `followed` is true if it goes on.

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
    by: FromQuery[Measure] = "money",
) -> FloorFilter:
    """Read what a person wants to see; a form sends what was left open as an empty word."""
    return FloorFilter(pit or None, game or None, only == "alerts", by)


def floor(
    reader: NamedDependency[Reader],
    live: NamedDependency[LiveFloor],
    commands: NamedDependency[CommandHandler],
    hidden: NamedDependency[Hidden],
    masking: NamedDependency[Masking],
    wall_clock: NamedDependency[Clock],
    floor_play: NamedDependency[FloorPlay],
) -> FloorView:
    """Build the present view of the floor, staff masked; what is withheld is not counted."""
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
    play = floor_play.by_table(hidden)
    tables = [_masked(replace(tile, play=play.get(tile.table)), masking) for tile in tables]
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


@get("/floor", sync_to_thread=True, opt={"needs": "queue"}, dependencies=_GIVEN)
def floor_page(floor: NamedDependency[FloorView], narrowed: NamedDependency[FloorFilter]) -> Template:
    """Show the floor: calm if nothing is wrong, unmistakable if something critical is open."""
    tiles = [tile for tile in floor.tables if narrowed.shows(tile)]
    context = {
        "floor": floor,
        "narrowed": narrowed,
        "pits": by_pit(tiles),
        "shown": tiles,
        "urgent": urgent_first(tiles),
        "games": named_games(floor.games),
        "segment": segment,
        "scales": SCALES,
        "heat": heat_of,
        "sparkline": sparkline_of,
    }
    return Template("floor.html", context=context)


@get("/api/floor", sync_to_thread=True, opt={"needs": "queue"}, dependencies=_GIVEN)
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
