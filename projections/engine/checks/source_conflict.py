"""Do two readings of one quantity agree?"""

from typing import Final

from projections.engine.check_context import Case
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised

SOURCE_CONFLICT: Final = Kind(
    "source_conflict",
    severity="data",
    asks="Do two devices that read the same card or sum, or two records of one round, say the same?",
    false_positives="Which of the two is wrong is for a person to see; the round is left open.",
    weight="undetermined",
)
KINDS: Final = (SOURCE_CONFLICT,)


def check(case: Case) -> list[Raised]:
    """Raise readings that contradict each other, both named."""
    return [
        Raised(kind=SOURCE_CONFLICT, message=doubt.message, cites=(HOUSE_CONTROL,), device=doubt.device)
        for doubt in case.seen.doubts
        if doubt.check == "source_conflict"
    ]
