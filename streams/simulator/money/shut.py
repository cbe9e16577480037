"""Days on which a table does not open, and nobody counts its inventory, 465a.36(c)."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from random import Random
from typing import Final

from streams.simulator.labels import FaultLabel, Named
from streams.simulator.sessions import Session

_KIND: Final = "unopened_not_counted"


def shut_days(sessions: Sequence[Session], rates: Mapping[str, float], rng: Random) -> set[date]:
    """Choose the days on which a table stays closed: before and after each it opens."""
    shut: set[date] = set()
    rate = rates[_KIND]
    for before, session in pairwise(sessions[:-1]):
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
        primary=Named(check=_KIND),
        follows=[],
        delta_cents=None,
    )
