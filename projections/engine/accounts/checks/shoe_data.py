"""Was everything of a shoe reported, between its rounds too, and in time?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.accounts.account_lines import ShoeCase
from projections.engine.checks.data_missing import DATA_MISSING
from projections.engine.checks.source_conflict import SOURCE_CONFLICT
from projections.engine.facts import fact
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised

LATE_EVENT: Final = Kind(
    "late_event",
    severity="data",
    asks="Did every event come while its round could still be revised?",
    false_positives="None: the event came after the lateness window and was not used.",
    weight="undetermined",
)
KINDS: Final = (LATE_EVENT,)


def check(case: ShoeCase) -> Iterator[Raised]:
    """Raise the holes of a shoe, the events that came too late, and decks that are not the table's."""
    if case.shoe.decks not in (None, case.book.shoe_decks):
        yield Raised(
            kind=SOURCE_CONFLICT,
            message=fact(
                "accounts.checks.decks_loaded",
                loaded=case.shoe.decks,
                decks=case.book.shoe_decks,
            ),
            cites=(HOUSE_CONTROL,),
        )
    for gap in case.account.unknown:
        yield Raised(
            kind=DATA_MISSING, message=gap.message, cites=(HOUSE_CONTROL,), device=gap.device or None
        )
    for late in case.late:
        yield Raised(kind=LATE_EVENT, message=late, cites=(HOUSE_CONTROL,))
