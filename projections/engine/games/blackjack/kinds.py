"""The checks that the games of the Blackjack kind add: the dealer's draws, hands, and their stakes."""

from typing import Final

from projections.engine.findings import Kind

_READER: Final = "A shoe reader that missed or doubled a card, where no second reader is connected."
_TERMINAL: Final = "A decision keyed for the wrong hand, or one that was not keyed."
_CHIPS: Final = "Chips of a double or a split that were read as the first wager's, or not read."

STAKE_MISSING: Final = Kind(
    "stake_missing",
    severity="money",
    asks="Did a stake lie on each hand, for each double, and where another wager may not be made without it?",
    false_positives=_CHIPS,
)
KINDS: Final = (
    Kind(
        "dealer_drew_wrongly",
        severity="grave",
        asks="Did the dealer draw no card where he must not?",
        false_positives="A card that went to the discard rack and was reported on the dealer's hand.",
    ),
    Kind(
        "dealer_stood_wrongly",
        severity="grave",
        asks="Did the dealer draw wherever he must?",
        false_positives=_READER,
    ),
    Kind(
        "no_such_hand",
        severity="grave",
        asks="Did cards, decisions and stakes come only to hands that existed?",
        false_positives=_TERMINAL,
    ),
    STAKE_MISSING,
    Kind(
        "double_too_high",
        severity="money",
        asks="Was no double above the original wager?",
        false_positives=_CHIPS,
    ),
    Kind(
        "split_stake_differs",
        severity="money",
        asks="Was the stake on a split hand equal to the original wager?",
        false_positives=_CHIPS,
    ),
)
