"""Was everything seen that the judgement needs?"""

from collections.abc import Iterator
from typing import Final

from projections.case import Case
from projections.findings import HOUSE_CONTROL, Kind, Raised
from schemas.values import RANKS_OF

DATA_MISSING: Final = Kind(
    "data_missing",
    severity="data",
    asks="Did every connected device report all it saw, and were the cards read?",
    false_positives="None: it says what is not known, not that anything was wrong.",
    weight="undetermined",
)
KINDS: Final = (DATA_MISSING,)


def check(case: Case) -> Iterator[Raised]:
    """Raise the holes by device and number, and cards that were not read where the money hangs on them."""
    for doubt in case.seen.doubts:
        if doubt.check == "data_missing":
            yield Raised(
                kind=DATA_MISSING,
                message=doubt.message,
                cites=(HOUSE_CONTROL,),
                weight="note" if doubt.scope == "second" else None,
                device=doubt.device,
            )
    ruled = case.ruled
    hangs = (
        ruled.uncertain
        or (ruled.outcome is None and case.seen.announced is not None)
        or any(owed.cents is None and key not in case.improper for key, owed in ruled.owed.items())
    )
    if not hangs or ruled.defects or not case.cards_known or case.seen.void:
        return
    unread = [*(f"{who} {what}" for who, what in case.seen.dealt() if _unread(what)), *ruled.unseen]
    if unread:
        yield Raised(
            kind=DATA_MISSING,
            message=f"not read, and the result hangs on it: {', '.join(unread)}",
            cites=(HOUSE_CONTROL,),
        )


def _unread(card: str) -> bool:
    return len(RANKS_OF[card[0]]) > 1
