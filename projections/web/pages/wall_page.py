"""The floor on a wall: a tile a table without navigation, coloured by a measure; overdue incidents in red."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import isqrt
from typing import Annotated, Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.web.live.broadcaster import LiveFloor
from projections.web.pages.floor_heat import SCALES, Heat, Measure, heat_of
from projections.web.pages.floor_page import FloorView, floor
from projections.web.pages.floor_tiles import Tile, by_pit

MOST_TILES: Final = 120  # on one screen of 1080p; more could not be read across a room


class WallTile(Struct, frozen=True):
    """A table on the wall; the first one of its pit's on a screen `begins` the pit."""

    tile: Tile
    heat: Heat
    begins: bool


class Wall(Struct, frozen=True):
    """One of the wall's screens, which a wall with more tables than fit shows in turn.

    `overdue` are the tiles with something overdue on the whole floor, the most first.
    """

    floor: FloorView
    measure: Measure
    page: int
    pages: int
    columns: int
    tiles: Sequence[WallTile]
    overdue: Sequence[Tile]


def columns_for(tiles: int) -> int:
    """Return how many columns fill a screen with tiles of the screen's own shape.

    >>> columns_for(100), columns_for(101), columns_for(6), columns_for(1), columns_for(0)
    (10, 11, 3, 1, 1)
    """
    return isqrt(max(tiles, 1) - 1) + 1


def wall_of(floor: FloorView, measure: Measure, page: int) -> Wall:
    """Return a screen of the wall; a page beyond the last is the first again, so that screens go round."""
    tiles = [tile for _, pit in by_pit(floor.tables) for tile in pit]
    pages = max(1, -(-len(tiles) // MOST_TILES))
    page = (page - 1) % pages + 1
    # As many on each, and not a last one of three.
    size = max(1, -(-len(tiles) // pages))
    visible = tiles[(page - 1) * size : page * size]
    return Wall(
        floor=floor,
        measure=measure,
        page=page,
        pages=pages,
        columns=columns_for(size if tiles else 0),
        tiles=list(_with_heat(visible, measure)),
        overdue=sorted(
            (tile for tile in tiles if tile.alerts.overdue), key=lambda tile: -tile.alerts.overdue
        ),
    )


def _with_heat(tiles: Iterable[Tile], measure: Measure) -> Iterable[WallTile]:
    for _, pit in groupby(tiles, key=lambda tile: tile.pit):
        for number, tile in enumerate(pit):
            yield WallTile(tile, heat_of(tile, measure), begins=number == 0)


@get(
    "/wall",
    sync_to_thread=True,
    opt={"needs": "queue"},
    dependencies={"floor": Provide(floor, sync_to_thread=True)},
)
def wall_page(
    floor: NamedDependency[FloorView],
    live: NamedDependency[LiveFloor],
    by: FromQuery[Measure] = "money",
    page: Annotated[int, QueryParameter(ge=1, le=1_000_000)] = 1,
) -> Template:
    """Show the floor on a wall, without navigation."""
    context = {
        "wall": wall_of(floor, by, page),
        "scales": SCALES,
        "floor_live": live,
    }
    return Template("wall.html", context=context)


WALL: Final[list[ControllerRouterHandler]] = [wall_page]
