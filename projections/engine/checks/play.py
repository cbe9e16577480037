"""Was the game played as its rules ask: its cards, its acts, its stakes?

The game itself finds what was wrong, and names its kind.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from projections.engine.check_context import RoundCase, raise_defect
from projections.engine.findings import Raised
from projections.engine.kinds import (
    CARD_EXTRA,
    CARD_MISSING,
    CARD_ORDER_WRONG,
    DECISION_NOT_ALLOWED,
    HAND_DREW_WRONGLY,
)

KINDS: Final = (CARD_ORDER_WRONG, CARD_MISSING, CARD_EXTRA, DECISION_NOT_ALLOWED, HAND_DREW_WRONGLY)


def check(case: RoundCase) -> Iterator[Raised]:
    """Raise what the game found wrong with the play, and what it leaves open for nearness in time."""
    ruled, observed = case.ruled, case.observed
    if not (ruled.defects or case.improper or observed.doubts):
        return
    # A check that a game shares with all others speaks for itself.
    kinds = {kind.check: kind for kind in (*KINDS, *case.game.kinds)}
    for doubt in observed.doubts:
        if doubt.cites and doubt.check in kinds and doubt.key is not None:
            yield Raised(
                kind=kinds[doubt.check],
                message=doubt.message,
                cites=doubt.cites,
                weight="undetermined",
                seat=doubt.key.seat,
                wager=doubt.wager or doubt.key.wager,
                hand=doubt.key.hand,
                bettor=doubt.key.bettor,
                device=doubt.device,
            )
    for defect in ruled.defects:
        raised = raise_defect(defect)
        # A shoe that did not report may have been empty.
        unsure = observed.covered and defect.kind.due_card
        yield msgspec.structs.replace(raised, weight="undetermined") if unsure else raised
    if case.money_known:
        for defect in case.improper.values():
            if defect.check in kinds:
                yield raise_defect(defect)
