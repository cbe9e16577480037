"""A table's day as a picture: where its shoes, rounds, findings and inventory lie on a time line.

Pure geometry in whole units; the template writes it as SVG. The picture is WIDE units wide, however long the
day was, and as tall as its names need so that they do not overlap.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from projections.engine.findings import Severity
from projections.views.text import text
from projections.web.pages.day_gaps import MissingData
from projections.web.pages.day_shoes import RoundOfDay, ShoeOfDay
from projections.web.pages.floor_tiles import most_severe
from projections.web.pages.table_day_view import InventoryStep, TableDay, called, inventory_line
from schemas.values import Micros

WIDE: Final = 1_200
_DEVICES: Final = 112  # where the devices begin
_DEVICE: Final = 26  # a lane of theirs: the bar, and the name below it
_LABEL: Final = 18  # a lane of the inventory's names
_ABOVE: Final = 28  # between those and the line of the inventory, which is so deep
_DEEP: Final = 100
_BELOW: Final = 10
_LETTER: Final = 9  # how wide one is at most, on average
_HOUR: Final = 3_600_000_000
_LEAST: Final = 60_000_000  # a day of one round is drawn as a minute
_LEVELS: Final = 4  # so many steps of the axis hold the line of the inventory, or one more
_DOLLAR: Final = 100  # cents


class Band(Struct, frozen=True):
    """A shoe by its title, with the extent of its rounds."""

    title: str
    left: int
    wide: int


class Tick(Struct, frozen=True):
    """A round, and the highest severity of what was found of it."""

    x: int
    round: RoundOfDay
    severity: Severity | None


class Hour(Struct, frozen=True):
    """A full hour (microseconds UTC)."""

    x: int
    at: Micros


class Silence(Struct, frozen=True):
    """A device that is silent, or with missing reports: where, and where its name begins."""

    x: int
    wide: int
    y: int
    label_x: int
    device: str
    title: str


class Moment(Struct, frozen=True):
    """A step of the inventory where its line has come to; its name begins at `label_x`, `label_y`."""

    x: int
    y: int
    label_x: int
    label_y: int
    step: InventoryStep


class Level(Struct, frozen=True):
    """A round sum, in cents, with its place on the axis of the inventory."""

    y: int
    cents: int


class Picture(Struct, frozen=True):
    """A day's picture: `line` is the inventory, as the points of an SVG polyline, and `levels` its axis."""

    bands: list[Band]
    ticks: list[Tick]
    hours: list[Hour]
    silences: list[Silence]
    moments: list[Moment]
    line: str
    levels: list[Level]
    tall: int


def drawn_day(day: TableDay, silent: Iterable[tuple[str, Micros]]) -> Picture | None:
    """Draw a day; `silent` are devices that are silent now, and since when. None if nothing has a time.

    What a round brought moves the line at its opening, as the store has no time of its settlement.
    """
    won = [(each.at, each.won_cents or 0) for each in day.rounds if each.at is not None]
    opener = day.opener_cents or 0
    levels = list(inventory_line(opener, won, day.inventory))
    if not levels:
        return None
    begins, ends = levels[0][0], levels[-1][0]
    lasts = max(_LEAST, ends - begins)

    def x_of(at: Micros) -> int:
        return min(WIDE, max(0, (at - begins) * WIDE // lasts))

    silences, lower = _silences(day.missing, [each for each in silent if each[1] >= begins], x_of)
    names = [_name(x_of(step.at), called(step.line)) for step in day.inventory]
    lanes = _lanes(names)
    top = lower + _LABEL * _deep(lanes) + _ABOVE
    axis = _axis(min(opener, *(cents for _, cents in levels)), max(opener, *(cents for _, cents in levels)))

    def y_of(cents: int) -> int:
        return top + _DEEP - (cents - axis[0]) * _DEEP // (axis[-1] - axis[0])

    return Picture(
        bands=[band for shoe in day.shoes if (band := _band(shoe, x_of)) is not None],
        ticks=[
            Tick(x_of(each.at), each, most_severe(found.severity for found in each.findings))
            for each in day.rounds
            if each.at is not None
        ],
        hours=[Hour(x_of(at), at) for at in range(-(-begins // _HOUR) * _HOUR, ends + 1, _HOUR)],
        silences=silences,
        moments=[
            Moment(x_of(step.at), y_of(step.holds_cents), left, lower + _LABEL * (lane + 1), step)
            for step, (left, _), lane in zip(day.inventory, names, lanes, strict=True)
        ],
        line=_stairs(((x_of(at), y_of(cents)) for at, cents in levels), y_of(opener)),
        levels=[Level(y_of(cents), cents) for cents in axis],
        tall=top + _DEEP + _BELOW,
    )


def _axis(least: int, most: int) -> range:
    """Return round sums of whole dollars, in cents, that enclose all from the least to the most.

    >>> [cents // 100 for cents in _axis(30_112_050, 36_500_000)]
    [300000, 320000, 340000, 360000, 380000]
    >>> list(_axis(5_000, 5_000))
    [5000, 5100]
    """
    unit = _DOLLAR
    while most - least > _LEVELS * 5 * unit:
        unit *= 10
    step = next(times * unit for times in (1, 2, 5) if most - least <= _LEVELS * times * unit)
    bottom, top = least // step * step, -(-most // step) * step
    return range(bottom, max(top, bottom + step) + 1, step)


def _silences(
    missing: Iterable[MissingData], silent: Iterable[tuple[str, Micros]], x_of: Callable[[Micros], int]
) -> tuple[list[Silence], int]:
    """Draw what is missing of devices, and those that are silent now; give where the last of them ends."""
    bars = [
        (
            each.device,
            x_of(each.since),
            x_of(each.until) if each.until is not None else WIDE,
            [text(gap) for gap in each.says],
        )
        for each in missing
    ]
    bars += [(device, x_of(since), WIDE, [f"{device} is silent"]) for device, since in silent]
    bars.sort(key=lambda bar: bar[1])
    names = [_name(left, device) for device, left, _, _ in bars]
    lanes = _lanes(
        (min(at, left), max(end, right)) for (at, end), (_, left, right, _) in zip(names, bars, strict=True)
    )
    gaps = [
        Silence(left, max(4, right - left), _DEVICES + _DEVICE * lane, at, device, "; ".join(messages))
        for (device, left, right, messages), (at, _), lane in zip(bars, names, lanes, strict=True)
    ]
    return gaps, _DEVICES + _DEVICE * _deep(lanes)


def _name(x: int, words: str) -> tuple[int, int]:
    """Return where words begin and end that stand at a place, or before it at the end of the picture.

    >>> _name(100, "Fill F-1"), _name(1190, "Fill F-1")
    ((100, 172), (1128, 1200))
    """
    wide = _LETTER * len(words)
    left = max(0, min(x, WIDE - wide))
    return left, left + wide


def _lanes(spans: Iterable[tuple[int, int]]) -> list[int]:
    """Arrange spans in as few lanes as keep them from overlapping; they come by their beginnings.

    >>> _lanes([(0, 100), (50, 80), (90, 120), (110, 200)])
    [0, 1, 1, 0]
    """
    ends: list[int] = []
    lanes = []
    for left, right in spans:
        lane = next((lane for lane, end in enumerate(ends) if end < left), len(ends))
        ends[lane : lane + 1] = [right]
        lanes.append(lane)
    return lanes


def _deep(lanes: Sequence[int]) -> int:
    return max(lanes, default=-1) + 1


def _stairs(steps: Iterable[tuple[int, int]], start: int) -> str:
    """Write steps as points: level until something moves the line, then up or down.

    >>> _stairs([(0, 200), (600, 150)], 240)
    '0,240 0,200 600,200 600,150 1200,150'
    """
    at = start
    points = [(0, start)]
    for x, y in steps:
        points += [(x, at), (x, y)]
        at = y
    points.append((WIDE, at))
    return " ".join(f"{x},{y}" for x, y in dict.fromkeys(points))


def _band(shoe: ShoeOfDay, x_of: Callable[[Micros], int]) -> Band | None:
    times = [each.at for each in shoe.rounds if each.at is not None]
    if not times:
        return None
    left = x_of(min(times))
    return Band(shoe.title, left, max(2, x_of(max(times)) - left))
