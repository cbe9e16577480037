"""Was there a text in force on the gaming date?"""

from typing import Final

from projections.engine.facts import fact
from projections.engine.findings import Kind, Raised
from schemas.law_text import chapter as law

NOT_IN_FORCE: Final = Kind(
    "not_in_force",
    severity="data",
    asks="Was the chapter in force on the round's gaming date?",
    false_positives="A wrong clock, or a house whose start of the text is not in its file.",
    weight="undetermined",
)


def refuse(chapter: str, reason: str) -> Raised:
    """Say that a round was played under a text that was not in force."""
    return Raised(
        kind=NOT_IN_FORCE,
        message=fact("checks.not_in_force", reason=reason),
        cites=law(chapter).clauses["in_force"],
    )
