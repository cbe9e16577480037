"""The heat of a table: a measure of how much is wrong there, in steps, each with its figure."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from projections.web.pages.floor_tiles import Tile
from schemas.values import dollars

Measure: TypeAlias = Literal["money", "overdue", "silent"]
MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)


class MeasureScale(Struct, frozen=True):
    """Scale of a measure: its name for people, a table's value, and where each step above 0 begins."""

    name: str
    value: Callable[[Tile], int]
    steps: tuple[int, ...]
    figure: Callable[[int], str]


def _money(tile: Tile) -> int:
    return tile.alerts.owed_cents + tile.alerts.overpaid_cents


def _dollars(cents: int) -> str:
    """Write a sum as a wall has room for it: whole dollars, rounded up, so that a cent is not nothing.

    >>> _dollars(231_901), _dollars(0)
    ('$2,320', '$0')
    """
    return dollars(-(-cents // 100) * 100).removesuffix(".00")


SCALES: Final[Mapping[Measure, MeasureScale]] = {
    "money": MeasureScale("Money at risk", _money, (1, 10_000, 50_000, 250_000), _dollars),
    "overdue": MeasureScale("Overdue incidents", lambda tile: tile.alerts.overdue, (1, 2, 3, 5), str),
    "silent": MeasureScale("Silent devices", lambda tile: len(tile.silent), (1, 2, 3, 4), str),
}


class Heat(Struct, frozen=True):
    """Heat of a table by a measure: its step, 0 where nothing is wrong up to 4, and its figure."""

    step: int
    figure: str


def heat_of(tile: Tile, measure: Measure) -> Heat:
    """Return a table's heat by a measure."""
    scale = SCALES[measure]
    value = scale.value(tile)
    return Heat(bisect_right(scale.steps, value), scale.figure(value))
