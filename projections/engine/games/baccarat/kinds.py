"""The checks that only the baccarat games add: initial and third cards, and House Money."""

from collections.abc import Mapping
from typing import Final

from projections.engine.findings import Kind

_READER: Final = "A shoe reader that missed or doubled a card, where no second reader is connected."
_KEYED: Final = "A choice keyed at the terminal a moment before or after it was made."

KINDS: Final = (
    Kind(
        "initial_card_missing",
        severity="grave",
        asks="Did each hand get its first two cards?",
        false_positives="A shoe reader that missed a card, where no second reader is connected.",
        due_card=True,
    ),
    Kind(
        "third_card_missing",
        severity="grave",
        asks="Was a third card dealt wherever the text asks for one?",
        false_positives=_READER,
        due_card=True,
    ),
    Kind(
        "third_card_extra",
        severity="grave",
        asks="Was no additional card dealt that the text does not allow?",
        false_positives="A card reported on a hand that was discarded as drawn in error.",
        extra_card=True,
    ),
    Kind(
        "card_after_natural",
        severity="grave",
        asks="Did the dealing stop at a Natural?",
        false_positives="A card reported on a hand that was discarded as drawn in error.",
        extra_card=True,
    ),
    Kind(
        "house_money_late",
        severity="grave",
        asks="Was House Money settled before any third card?",
        false_positives=_KEYED,
    ),
    Kind(
        "house_money_early",
        severity="grave",
        asks="Was House Money settled only after both hands had two cards?",
        false_positives=_KEYED,
    ),
    Kind(
        "house_money_not_won",
        severity="grave",
        asks="Was a House Money payout taken or added only by a winner?",
        false_positives="A choice keyed for the wrong seat.",
    ),
    Kind(
        "house_money_without_wager",
        severity="grave",
        asks="Did the player have a wager on the hand that the payout was added to?",
        false_positives="A choice keyed for the wrong seat or hand.",
    ),
)

_EMPTY: Final = (
    "A shoe reader that reports an empty shoe while cards remain; a call of void that was not keyed."
)

FALSE_POSITIVES: Final[Mapping[tuple[str, str | None], str]] = {("void_not_called", None): _EMPTY}

# The checks on a card too many: where an unread card leaves open which of them it was, `card_extra` is found.
CARDS_EXTRA: Final = frozenset(kind.check for kind in KINDS if kind.extra_card)
