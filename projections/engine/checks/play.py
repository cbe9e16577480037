"""Was the game played as its rules ask: its cards, its acts, its stakes?

The game itself finds what was wrong. Here are the names that several games share; what only one can find it
names itself, in `Game.kinds`.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from projections.engine.check_context import RoundCase, raise_defect
from projections.engine.checks import result, wagers
from projections.engine.findings import Kind, Raised
from schemas.errors import LawError

READER: Final = "A shoe reader that missed or doubled a card, where no second reader is connected."

CARD_ORDER_WRONG: Final = Kind(
    "card_order_wrong",
    severity="critical",
    asks="Did the cards go to the hands in the order of the text?",
    false_positives="A shoe reader that missed a card, where no second reader is connected.",
    name="cards out of order",
)
CARD_MISSING: Final = Kind(
    "card_missing",
    severity="critical",
    asks="Did each hand get every card that it was due?",
    false_positives=READER,
    due_card=True,
)
CARD_EXTRA: Final = Kind(
    "card_extra",
    severity="critical",
    asks="Was no card dealt that must not be?",
    false_positives="A card reported on a hand that was discarded as drawn in error.",
)
DECISION_NOT_ALLOWED: Final = Kind(
    "decision_not_allowed",
    severity="critical",
    asks="Was nothing decided on a hand that the text does not allow, or not then?",
    false_positives="A decision keyed for the wrong hand, or a moment before or after it was made.",
)
HAND_DREW_WRONGLY: Final = Kind(
    "hand_drew_wrongly",
    severity="critical",
    asks="Did no hand get a card that it must not have?",
    false_positives="A discarded card reported on a hand; a decision keyed for the wrong hand.",
)
KINDS: Final = (CARD_ORDER_WRONG, CARD_MISSING, CARD_EXTRA, DECISION_NOT_ALLOWED, HAND_DREW_WRONGLY)
_SHARED: Final = {kind.check: kind for kind in KINDS}

# Kinds that other checks raise for every round, and that some games find in their own way: in the play of a
# seat, in tiles, in what makes a round void, on a wager that was removed.
_FOUND_BY_GAMES: Final = {
    kind.check: kind
    for kind in (
        *result.ANNOUNCED_KINDS,
        *result.IMPOSSIBLE_CARD_KINDS,
        *wagers.LATE_WAGER_KINDS,
        *result.VOID_CALLED_KINDS,
        *wagers.WAGER_ALLOWED_KINDS,
    )
}


def check(case: RoundCase) -> Iterator[Raised]:
    """Raise what the game found wrong with the play, and what it leaves open for nearness in time."""
    ruled, observed = case.ruled, case.observed
    if not (ruled.defects or case.improper or observed.doubts):
        return
    kinds = _SHARED | {kind.check: kind for kind in case.game.kinds}
    for doubt in observed.doubts:
        # A check that a game shares with all others speaks for itself.
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
    found = _FOUND_BY_GAMES | kinds
    for defect in ruled.defects:
        if defect.check not in found:
            raise LawError(f"Chapter {case.book.chapter}: its game finds {defect.check}, which is no check")
        kind = found[defect.check]
        raised = raise_defect(kind, defect)
        # A shoe that did not report may have been empty.
        unsure = observed.covered and kind.due_card
        yield msgspec.structs.replace(raised, weight="undetermined") if unsure else raised
    if case.money_known:
        for defect in case.improper.values():
            if defect.check in kinds:
                yield raise_defect(kinds[defect.check], defect)
