"""Did each hand get the third card it was due, and no other?"""

from typing import Final

from projections.case import Case
from projections.findings import Kind, Raised

_READER: Final = "A shoe reader that missed or doubled a card, where no second reader is connected."

THIRD_CARD_MISSING: Final = Kind(
    "third_card_missing",
    severity="grave",
    asks="Was a third card dealt wherever the text asks for one?",
    false_positives=_READER,
)
THIRD_CARD_EXTRA: Final = Kind(
    "third_card_extra",
    severity="grave",
    asks="Was no additional card dealt that the text does not allow?",
    false_positives="A card reported on a hand that went to the discard bucket as drawn in error.",
)
CARD_AFTER_NATURAL: Final = Kind(
    "card_after_natural",
    severity="grave",
    asks="Did the dealing stop at a Natural?",
    false_positives="A card reported on a hand that went to the discard bucket as drawn in error.",
)
CARD_EXTRA: Final = Kind(
    "card_extra",
    severity="grave",
    asks="Was no card dealt that must not be, whatever a card was that could not be read?",
    false_positives="A card reported on a hand that went to the discard bucket as drawn in error.",
)
KINDS: Final = (THIRD_CARD_MISSING, THIRD_CARD_EXTRA, CARD_AFTER_NATURAL, CARD_EXTRA)


def check(case: Case) -> list[Raised]:
    """Raise what was wrong with the additional cards."""
    return case.defects(KINDS) if case.ruled.defects else []
