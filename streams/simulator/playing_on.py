"""A floor that was played, and its tables' next gaming day."""

from datetime import datetime
from typing import Final

from msgspec.structs import replace

from schemas.codec import Frame
from streams.simulator import floor
from streams.simulator.frames import cut
from streams.simulator.plan import Due
from streams.simulator.sessions import sessions
from streams.simulator.simulate import START, Floor, Later, Outline

_MINUTE: Final = 60_000_000


def next_day(
    *,
    tables: int,
    hours: float,
    seed: str,
    rates: dict[str, float],
    then: dict[str, float] | None = None,
    first: tuple[str, int] | None = None,
    days: int = 1,
    start: datetime = START,
) -> dict[str, list[Frame]]:
    """Play on where `simulate` with the same arguments ended; give the tables' frames of the next gaming day.

    Devices and frames go on with their numbers. What crosses tables is not told. `then` are the rates of that
    day, where they are others. `first` is a kind of fault that is made on it for certain, at the first table,
    at the first opportunity after so many minutes of play.
    """
    played = list(sessions(start, hours, days))
    daily = sessions(start, min(hours, 24), days + len(played))
    following = next(each for each in daily if each.day > played[-1].day)
    plans = floor.plan(tables)
    if first is not None:
        kind, minutes = first
        plans[0] = replace(plans[0], due=Due(kind, following.first + minutes * _MINUTE))
    later = Later(len(played) + 1, rates if then is None else then)
    outline = Outline(plans, [*played, following], later)
    return {
        run.name: [each for each in cut(run.name, run.arrivals) if each.received >= following.first]
        for run in Floor(outline, seed, rates).tables()
    }
