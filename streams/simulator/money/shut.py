"""Days on which a table does not open, and nobody counts its inventory, 465a.36(c)."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from random import Random
from typing import Final

from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.sessions import Daily, Session

_KIND: Final = "unopened_not_counted"


def shut_days(sessions: Sequence[Session], daily: Daily, rng: Random) -> set[date]:
    """Choose the days on which a table stays closed: before and after each it opens."""
    shut: set[date] = set()
    for before, session in pairwise(sessions[:-1]):
        rate = daily[session.day][_KIND]
        if rate and before.day not in shut and rng.random() < rate:
            shut.add(session.day)
    return shut


def uncounted(table: str, day: date) -> FaultLabel:
    """Write the label of such a day."""
    return FaultLabel(
        fault=_KIND,
        table=table,
        gaming_date=str(day),
        round=None,
        shoe=None,
        primary=ExpectedFinding(check=_KIND),
        follows=[],
        delta_cents=None,
    )
