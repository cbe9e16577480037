"""Supervision: a floorperson for the tables of a pit, and another one for each shift."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final
from zoneinfo import ZoneInfo

from schemas import events
from schemas.values import moment
from streams.simulator.plan import GAMING_DAY_STARTS, ZONE, Plan
from streams.simulator.posts import OWN_FLOORPERSON
from streams.simulator.script import Happening

SHIFTS: Final = (GAMING_DAY_STARTS, 14, 22)  # the hours at which they begin
_TABLES: Final = 4  # of a pit; one floorperson watches them all
_FIRST: Final = 101
_ZONE: Final = ZoneInfo(ZONE)


def pit(table: int) -> str:
    """Return the pit of a table by its number.

    >>> pit(101), pit(104), pit(105)
    ('PIT-1', 'PIT-1', 'PIT-2')
    """
    return f"PIT-{1 + (table - _FIRST) // _TABLES}"


def supervised(plan: Plan, happenings: Iterable[Happening]) -> Iterator[Happening]:
    """Assign a floorperson when the table opens, and the next one after the round in which a shift ends.

    Nothing is drawn for it, so that everything else on the floor happens as without it.
    """
    on_duty = None
    for each in happenings:
        yield each
        if each.kind is events.TableOpened or (each.kind is events.RoundClosed and on_duty is not None):
            due = _floorperson(plan, each.at)
            if due != on_duty:
                on_duty = due
                yield Happening(each.at, events.FloorpersonAssigned, {"floorperson": due}, each.shoe)


def _floorperson(plan: Plan, at: int) -> str:
    shift = bisect_right(SHIFTS, moment(at).astimezone(_ZONE).hour) or len(SHIFTS)
    if "staff" in plan.devices and plan.chapter in OWN_FLOORPERSON:
        return f"FL-{plan.number}-{shift}"
    return f"FL-{pit(plan.number).removeprefix('PIT-')}-{shift}"
