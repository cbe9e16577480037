"""What is only worth a note: settlement that no one saw, and mistakes put right in time."""

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
KINDS: Final = (SETTLEMENT_NOT_OBSERVED, PUT_RIGHT)


def check(case: Case) -> Iterator[Raised]:
    """Note what was not seen, and what was put right in time."""
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
