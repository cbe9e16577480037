"""A table's day as a picture: where its shoes, rounds and findings lie on a line of time, in whole units.

Pure geometry; the template writes it as SVG. The picture is WIDE units wide, whatever the day was long.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Final

from msgspec import Struct

from projections.console.rooms.table_day import RoundOfDay, TableDay
from projections.console.rooms.tiles import gravest
from projections.hand.findings import Severity
from schemas.values import Micros

WIDE: Final = 1_200
TALL: Final = 250
_TOP: Final = 140  # where the line of money begins, and how tall it is
_DEEP: Final = 100
_HOUR: Final = 3_600_000_000
_LEAST: Final = 60_000_000  # a day of one round is drawn as a minute


class Band(Struct, frozen=True):
    """A shoe: from where to where its rounds lie."""

    shoe: str | None
    left: int
    wide: int


class Tick(Struct, frozen=True):
    """A round, and the gravest of what was found of it."""

    x: int
    round: RoundOfDay
    gravest: Severity | None


class Hour(Struct, frozen=True):
    """A full hour (microseconds UTC)."""

    x: int
    at: Micros


class Silence(Struct, frozen=True):
    """A device that is silent, from where."""

    x: int
    device: str


class Picture(Struct, frozen=True):
    """A day's picture: `line` is what play brought so far, as the points of an SVG polyline; `zero` its zero.

    `least` and `most` are the bounds of that line, cents.
    """

    bands: list[Band]
    ticks: list[Tick]
    hours: list[Hour]
    silences: list[Silence]
    line: str
    zero: int
    least: int
    most: int


def drawn_day(day: TableDay, silent: Iterable[tuple[str, Micros]]) -> Picture | None:
    """Draw a day; `silent` are devices that are silent now, and since when. None where no round has a time.

    What a round brought moves the line at its opening, as the store has no time of its settlement.
    """
    times = [each.at for each in day.rounds if each.at is not None]
    if not times:
        return None
    begins = min(times)
    lasts = max(_LEAST, max(times) - begins)

    def x_of(at: Micros) -> int:
        return min(WIDE, max(0, (at - begins) * WIDE // lasts))

    sums = _sums(day.rounds)
    least, most = min(0, *sums), max(0, *sums)
    steps = [
        (x_of(each.at), _y_of(cents, least, most))
        for each, cents in zip(day.rounds, sums, strict=True)
        if each.at is not None
    ]
    return Picture(
        bands=[band for shoe in day.shoes if (band := _band(shoe.shoe, shoe.rounds, x_of)) is not None],
        ticks=[
            Tick(x_of(each.at), each, gravest(found.severity for found in each.findings))
            for each in day.rounds
            if each.at is not None
        ],
        hours=[Hour(x_of(at), at) for at in range(-(-begins // _HOUR) * _HOUR, max(times) + 1, _HOUR)],
        silences=[Silence(x_of(since), device) for device, since in silent if since >= begins],
        line=_stairs(steps, _y_of(0, least, most)),
        zero=_y_of(0, least, most),
        least=least,
        most=most,
    )


def _sums(rounds: Sequence[RoundOfDay]) -> list[int]:
    return list(accumulate(each.won_cents or 0 for each in rounds))


def _y_of(cents: int, least: int, most: int) -> int:
    """Give the height at which a sum is drawn: the most on top.

    >>> _y_of(100, -100, 100), _y_of(-100, -100, 100), _y_of(0, 0, 0)
    (140, 240, 240)
    """
    return _TOP + _DEEP - (cents - least) * _DEEP // max(1, most - least)


def _stairs(steps: Iterable[tuple[int, int]], zero: int) -> str:
    """Write steps as points: level until a round, then up or down.

    >>> _stairs([(0, 200), (600, 150)], 240)
    '0,240 0,200 600,200 600,150 1200,150'
    """
    at = zero
    points = [(0, zero)]
    for x, y in steps:
        points += [(x, at), (x, y)]
        at = y
    points.append((WIDE, at))
    return " ".join(f"{x},{y}" for x, y in dict.fromkeys(points))


def _band(shoe: str | None, rounds: Sequence[RoundOfDay], x_of: Callable[[Micros], int]) -> Band | None:
    times = [each.at for each in rounds if each.at is not None]
    if not times:
        return None
    left = x_of(min(times))
    return Band(shoe, left, max(2, x_of(max(times)) - left))
