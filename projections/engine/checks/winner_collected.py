"""Was no wager collected that had won or tied, and none paid that had tied?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.check_context import Case
from projections.engine.checks.settlement_difference import raise_missettled
from projections.engine.findings import Kind, Raised

_CHIPS: Final = "A person who took the stake back while the dealer's hand was on it."

WINNER_COLLECTED: Final = Kind(
    "winner_collected", severity="money", asks="Was no winning wager collected?", false_positives=_CHIPS
)
PUSH_COLLECTED: Final = Kind(
    "push_collected",
    severity="money",
    asks="Was nothing collected from a wager that is returned, or where no wager lay?",
    false_positives=_CHIPS,
)
PUSH_PAID: Final = Kind(
    "push_paid",
    severity="money",
    asks="Was no wager paid that is only returned?",
    false_positives=_CHIPS,
)
KINDS: Final = (WINNER_COLLECTED, PUSH_COLLECTED, PUSH_PAID)


def check(case: Case) -> Iterator[Raised]:
    """Raise winners and ties that were collected, and ties that were paid."""
    for key, owed, observed in case.missettled:
        if owed > 0 > observed:
            yield raise_missettled(WINNER_COLLECTED, case, key, owed, observed)
        elif owed == 0:
            kind = PUSH_PAID if observed > 0 else PUSH_COLLECTED
            yield raise_missettled(kind, case, key, owed, observed)
    for key, paid in case.unwagered():
        if (observed := paid.cents + paid.later_cents) < 0:
            yield raise_missettled(PUSH_COLLECTED, case, key, 0, observed)
