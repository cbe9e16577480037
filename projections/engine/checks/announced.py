"""Was the result announced that the cards gave?"""

from typing import Final

from projections.engine.check_context import Case
from projections.engine.facts import Word, fact, listed
from projections.engine.findings import Kind, Raised

ANNOUNCED_WRONG: Final = Kind(
    "announced_wrong",
    severity="grave",
    asks="Did the dealer call the result that the cards gave?",
    false_positives="A result keyed wrongly at the terminal after a right call: listen to the table.",
)
KINDS: Final = (ANNOUNCED_WRONG,)


def check(case: Case) -> list[Raised]:
    """Raise an announcement that the hands do not bear out."""
    called, calls = case.seen.announced, case.ruled.calls
    if called is None or not calls or called in calls or not case.cards_known:
        return []
    return [
        Raised(
            kind=ANNOUNCED_WRONG,
            message=fact(
                "checks.announced_wrong",
                called=Word(called),
                right=listed(*(Word(each) for each in sorted(calls))),
            ),
            cites=case.book.clauses["announcement"],
        )
    ]
