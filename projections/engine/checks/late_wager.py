"""Was every wager made and changed before "no more bets", or in its own time in the game?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.check_context import Case, raise_defect
from projections.engine.findings import Kind, Raised
from projections.engine.improper_wagers import late, moved

LATE_WAGER: Final = Kind(
    "late_wager",
    severity="grave",
    asks='Was no wager made or changed after "no more bets", or after its own time in the game?',
    false_positives="A stack straightened by hand that the reader took for a change; a late key press.",
)
KINDS: Final = (LATE_WAGER,)


def check(case: Case) -> Iterator[Raised]:
    """Raise wagers that changed after the call, and leave open those too near to it to tell."""
    for doubt in case.seen.doubts:
        if doubt.check == "late_wager" and not isinstance(doubt.scope, str):
            seat, bettor, wager, hand = doubt.scope
            yield Raised(
                kind=LATE_WAGER,
                message=doubt.message,
                cites=doubt.cites or case.book.clauses["late_wager"],
                weight="undetermined",
                seat=seat,
                wager=wager,
                hand=hand,
                bettor=bettor,
                device=doubt.device,
            )
    if not (case.seen.late or case.improper) or not case.money_known:
        return
    for defect in case.improper.values():
        if defect.check == "late_wager":
            yield raise_defect(LATE_WAGER, defect)
    for move in case.seen.late:
        if not moved(case.seen, move):  # what was withdrawn no longer lies among the wagers
            yield raise_defect(LATE_WAGER, late(move, case.book))
