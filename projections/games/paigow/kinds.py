"""The check that only Pai Gow adds: the hands that the dealer sets."""

from typing import Final

from projections.hand.findings import Kind

KINDS: Final = (
    Kind(
        "hand_set_wrongly",
        severity="grave",
        asks="Did the dealer set his hands, or the co-bank's, as the text and the house's submission ask?",
        false_positives="A tile read as another; hands set anew that the reader did not see.",
    ),
)
