"""Were the first cards dealt, and in the order that the text asks for?"""

from typing import Final

from projections.case import Case
from projections.findings import Kind, Raised

_READER: Final = "A shoe reader that missed a card, where no second reader is connected."

CARD_ORDER_WRONG: Final = Kind(
    "card_order_wrong",
    severity="grave",
    asks="Did the cards go to the hands in the order of the text?",
    false_positives=_READER,
)
INITIAL_CARD_MISSING: Final = Kind(
    "initial_card_missing",
    severity="grave",
    asks="Did each hand get its first two cards?",
    false_positives=_READER,
)
KINDS: Final = (CARD_ORDER_WRONG, INITIAL_CARD_MISSING)


def check(case: Case) -> list[Raised]:
    """Raise what was wrong with the order of the cards."""
    return case.defects(KINDS) if case.ruled.defects else []
