"""Was each losing wager collected?"""

from typing import Final

from projections.engine.check_context import Case
from projections.engine.checks.settlement_difference import raise_missettled
from projections.engine.findings import Kind, Raised

LOSER_NOT_COLLECTED: Final = Kind(
    "loser_not_collected",
    severity="money",
    asks="Was each losing wager collected whole?",
    false_positives="A stack collected by hand past the chip reader.",
)
KINDS: Final = (LOSER_NOT_COLLECTED,)


def check(case: Case) -> list[Raised]:
    """Raise losing wagers that were left on the layout, in whole or in part."""
    return [
        raise_missettled(LOSER_NOT_COLLECTED, case, key, owed, observed)
        for key, owed, observed in case.missettled
        if owed < observed <= 0
    ]
