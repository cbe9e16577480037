"""Was the round called void when the cards ran out?"""

from typing import Final

from projections.engine.check_context import Case
from projections.engine.facts import fact
from projections.engine.findings import Kind, Raised

VOID_NOT_CALLED: Final = Kind(
    "void_not_called",
    severity="grave",
    asks="Was a round that could not be completed called void and its wagers returned?",
    false_positives="What made the round void was read wrongly; a call of void that was not keyed.",
)
KINDS: Final = (VOID_NOT_CALLED,)


def check(case: Case) -> list[Raised]:
    """Raise a round that ran out of cards and was not called void, where the chapter says that it is."""
    clause = case.book.clauses.get("cards_run_out")
    if clause is None or not case.seen.exhausted or case.seen.void or not case.cards_known:
        return []
    return [
        Raised(
            kind=VOID_NOT_CALLED,
            message=fact("checks.void_not_called"),
            cites=clause,
        )
    ]
