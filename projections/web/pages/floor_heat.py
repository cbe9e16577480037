"""The heat of a table: how much is wrong there by a measure, in steps, with its figure; its hour as bars."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from projections.web.pages.floor_tiles import Tile
from projections.web.pages.small_bars import bars_of
from projections.web.records.table_play import FiveMinutes
from schemas.values import decimal, dollars

Measure: TypeAlias = Literal["money", "errors", "overdue", "silent"]
_THOUSAND: Final = 1_000
_LEAST: Final = Fraction(1, 1_000_000)  # a step that begins as soon as there is anything

# ── Steps and figures ─────────────────────────────────────────────────────────────────────────────────


class MeasureScale(Struct, frozen=True):
    """Scale of a measure: its name, a table's value, where each step above 0 begins, and how it is written.

    A table without a value has none of what is measured.
    """

    name: str
    value: Callable[[Tile], int | Fraction | None]
    steps: tuple[int | Fraction, ...]
    figure: Callable[[int | Fraction], str]


def _money(tile: Tile) -> int:
    return tile.alerts.owed_cents + tile.alerts.overpaid_cents


def _errors(tile: Tile) -> Fraction | None:
    if tile.play is None or not tile.play.wagers:
        return None
    return Fraction(tile.play.mistakes * _THOUSAND, tile.play.wagers)


def _dollars(cents: int | Fraction) -> str:
    """Write a sum for the wall: whole dollars, rounded up, so that a cent does not become zero.

    >>> _dollars(231_901), _dollars(0)
    ('$2,320', '$0')
    """
    return dollars(int(-(-cents // 100)) * 100).removesuffix(".00")


def _rate(value: int | Fraction) -> str:
    """Write a rate with one place, and zero without one.

    >>> _rate(Fraction(25, 12)), _rate(Fraction(0))
    ('2.1', '0')
    """
    return decimal(Fraction(value), 1) if value else "0"


SCALES: Final[Mapping[Measure, MeasureScale]] = {
    "money": MeasureScale("Money at risk", _money, (1, 10_000, 50_000, 250_000), _dollars),
    "errors": MeasureScale("Errors per 1,000 wagers", _errors, (_LEAST, 1, 2, 5), _rate),
    "overdue": MeasureScale("Overdue incidents", lambda tile: tile.alerts.overdue, (1, 2, 3, 5), str),
    "silent": MeasureScale("Silent devices", lambda tile: len(tile.silent), (1, 2, 3, 4), str),
}


class Heat(Struct, frozen=True):
    """Heat of a table by a measure: its step, from 0 (nothing wrong) to 4, and its figure."""

    step: int
    figure: str


def heat_of(tile: Tile, measure: Measure) -> Heat:
    """Return a table's heat by a measure."""
    scale = SCALES[measure]
    value = scale.value(tile)
    if value is None:
        return Heat(0, "\N{EN DASH}")
    return Heat(bisect_right(scale.steps, value), scale.figure(value))


# ── The hour of a table as bars, a span of five minutes each ──────────────────────────────────────────

_MISTAKE: Final = 6  # how high the mark of a mistake is at least


class Sparkline(Struct, frozen=True):
    """Bars of a table's hour: wagers, and those settled wrong."""

    wagers: str
    mistakes: str
    label: str


def sparkline_of(hour: Sequence[FiveMinutes]) -> Sparkline:
    """Draw an hour; the span with the most wagers is as high as the picture.

    >>> drawn = sparkline_of([FiveMinutes(4, 0), FiveMinutes(8, 1)])
    >>> drawn.wagers, drawn.mistakes
    ('M0 24v-12h58v12zM60 24v-24h58v24z', 'M60 24v-6h58v6z')
    >>> drawn.label
    '12 wagers in the last hour of play, 1 settled wrong'
    """
    most = max((each.wagers for each in hour), default=0)
    total, wrong = sum(each.wagers for each in hour), sum(each.mistakes for each in hour)
    counted = f"{total:,} wager{'' if total == 1 else 's'} in the last hour of play"
    return Sparkline(
        wagers=bars_of([each.wagers for each in hour]).above,
        mistakes=bars_of([each.mistakes for each in hour], most, _MISTAKE).above,
        label=f"{counted}, {wrong or 'none'} settled wrong",
    )
