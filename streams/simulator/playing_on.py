"""A floor that was played, and its tables' next gaming day."""

from collections.abc import Mapping
from datetime import datetime

from schemas.codec import Frame
from streams.simulator import floor
from streams.simulator.frames import cut
from streams.simulator.sessions import sessions
from streams.simulator.simulate import START, Floor, Outline


def next_day(
    *,
    tables: int,
    hours: float,
    seed: str,
    rates: Mapping[str, float],
    days: int = 1,
    start: datetime = START,
) -> dict[str, list[Frame]]:
    """Play on where `simulate` with the same arguments ended; give the tables' frames of the next gaming day.

    Devices and frames go on with their numbers. What crosses tables is not told.
    """
    played = list(sessions(start, hours, days))
    daily = sessions(start, min(hours, 24), days + len(played))
    following = next(each for each in daily if each.day > played[-1].day)
    outline = Outline(floor.plan(tables), [*played, following])
    return {
        run.name: [each for each in cut(run.name, run.arrivals) if each.received >= following.first]
        for run in Floor(outline, seed, dict(rates)).tables()
    }
