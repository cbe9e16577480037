"""What is only worth a note: settlement that no one saw, mistakes put right in time, dropped fractions."""

from collections.abc import Iterator
from typing import Final

from projections.case import Case
from projections.findings import HOUSE_CONTROL, Kind, Raised
from schemas.values import dollars

SETTLEMENT_NOT_OBSERVED: Final = Kind(
    "settlement_not_observed",
    severity="note",
    asks="Was the settlement of the wagers seen?",
    false_positives="None: a record may leave it out.",
    weight="note",
)
PUT_RIGHT: Final = Kind(
    "put_right",
    severity="note",
    asks="Was a mistake put right before the round closed?",
    false_positives="None: what was put right in time is no mismatch.",
    weight="note",
)
FRACTION_DROPPED: Final = Kind(
    "fraction_dropped",
    severity="note",
    asks="Was a fraction of a cent dropped, of which the text is silent?",
    false_positives="None.",
    weight="note",
)
KINDS: Final = (SETTLEMENT_NOT_OBSERVED, PUT_RIGHT, FRACTION_DROPPED)


def check(case: Case) -> Iterator[Raised]:
    """Note what was not seen, what was put right in time, and what was too small to pay."""
    if case.seen.paid is None:
        if case.seen.wagers:
            yield Raised(
                kind=SETTLEMENT_NOT_OBSERVED,
                message="how the wagers were settled was not observed and is not judged",
                cites=(HOUSE_CONTROL,),
            )
        return
    for (seat, bettor, wager, hand), paid in case.seen.paid.items():
        if paid.righted_cents or paid.righted_vigorish_cents:
            moved = dollars(paid.righted_cents or paid.righted_vigorish_cents)
            yield Raised(
                kind=PUT_RIGHT,
                message=f"{wager}: {moved} put right before the round closed",
                cites=(HOUSE_CONTROL,),
                seat=seat,
                wager=wager,
                hand=hand,
                bettor=bettor,
            )
    for (seat, bettor, wager, hand), reckoning, paid in case.settlements:
        due = reckoning.vigorish
        of_vigorish = due is not None and due.fraction and paid.vigorish_cents == due.exact
        if reckoning.fraction or of_vigorish:
            yield Raised(
                kind=FRACTION_DROPPED,
                message=f"{wager}: a fraction of a cent was dropped",
                cites=case.book.clauses["vigorish" if of_vigorish else "settlement"],
                seat=seat,
                wager=wager,
                hand=hand,
                bettor=bettor,
            )
