"""The check that only Pai Gow adds, and what makes those that it shares wrong at a table of tiles."""

from collections.abc import Mapping
from typing import Final

from projections.engine.findings import Kind

KINDS: Final = (
    Kind(
        "hand_set_wrongly",
        severity="grave",
        asks="Did the dealer set his hands, or the co-bank's, as the text and the house's submission ask?",
        false_positives="A tile read as another; hands set anew that the reader did not see.",
    ),
)

_STACKS: Final = (
    "A stack keyed for the wrong position, or not keyed; hands that the reader saw in another order."
)
_TILES: Final = "A tile read as another, or read twice."
_EXPOSED: Final = (
    "A tile keyed or read as shown that lay face down, or was shown once the hands were over; a wager there "
    "that was not read; a call of void that was not keyed."
)
_DICE: Final = (
    'Dice read wrongly, or a "no roll" that was not keyed; a first stack keyed for the wrong position; a '
    "call of void that was not keyed."
)

FALSE_POSITIVES: Final[Mapping[tuple[str, str | None], str]] = {
    ("void_not_called", "535.12(c)"): _DICE,
    ("void_not_called", "535.12(e)"): _EXPOSED,
    ("card_order_wrong", None): _STACKS,
    ("card_missing", None): _STACKS,
    (
        "card_extra",
        None,
    ): "A stack keyed twice; a tile read twice, or hands set anew that were not keyed as such.",
    ("card_not_in_deck", None): _TILES,
}
