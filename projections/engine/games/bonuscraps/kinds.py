"""The checks that only Bonus Craps adds: the marker buttons on the numbers that were thrown."""

from typing import Final

from projections.engine.findings import Kind

_KEYED: Final = "A button that was put on or taken off as it should be and keyed late, or not keyed."

KINDS: Final = (
    Kind(
        "number_not_marked",
        severity="procedure",
        asks="Did a marker button go on each number that was thrown?",
        false_positives=_KEYED,
    ),
    Kind(
        "number_marked_wrongly",
        severity="procedure",
        asks="Did a marker button lie only on numbers that had been thrown?",
        false_positives=_KEYED,
    ),
    Kind(
        "markers_not_cleared",
        severity="procedure",
        asks="Were all marker buttons taken off after a 7?",
        false_positives=_KEYED,
    ),
    Kind(
        "markers_cleared_early",
        severity="procedure",
        asks="Did the marker buttons lie until a 7, or until nothing hung on them?",
        false_positives=_KEYED,
    ),
)
