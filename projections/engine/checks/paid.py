"""Was each winning wager paid what it won, and nothing paid that had not won?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.check_context import Case
from projections.engine.checks.settlement_difference import raise_missettled
from projections.engine.findings import Kind, Raised

_CHIPS: Final = "Chips pushed across a neighbouring spot, or a correction that no one keyed."

PAID_TOO_MUCH: Final = Kind(
    "paid_too_much",
    severity="money",
    asks="Was no wager paid above its odds, no losing wager paid, and nothing where no wager lay?",
    false_positives=_CHIPS,
)
PAID_TOO_LITTLE: Final = Kind(
    "paid_too_little",
    severity="money",
    asks="Was each winning wager paid in full, and no more collected than was wagered?",
    false_positives=_CHIPS,
)
KINDS: Final = (PAID_TOO_MUCH, PAID_TOO_LITTLE)


def check(case: Case) -> Iterator[Raised]:
    """Raise payments above or below what was owed."""
    for key, owed, observed in case.missettled:
        if (owed > 0 and observed > owed) or (owed < 0 < observed):
            yield raise_missettled(PAID_TOO_MUCH, case, key, owed, observed)
        elif (owed > 0 and 0 <= observed < owed) or (observed < owed < 0):
            yield raise_missettled(PAID_TOO_LITTLE, case, key, owed, observed)
    for key, paid in case.unwagered():
        if (observed := paid.cents + paid.later_cents) > 0:
            yield raise_missettled(PAID_TOO_MUCH, case, key, 0, observed)
