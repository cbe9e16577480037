"""Is everything of a ledger here?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import Ledger

INCOMPLETE: Final = Duty(
    "ledger_incomplete",
    severity="data",
    asks="Did every entry of the ledger come, from a device that keeps it, and was it closed for the day?",
    false_positives="None: it says what is not known, not that anything was wrong.",
    weight="undetermined",
    cites=(HOUSE_CONTROL,),
    paper=None,
)
KINDS: Final = (INCOMPLETE,)


def of_ledger(case: DayCase, ledger: Ledger) -> Iterator[Raised]:
    """Raise what is missing of a ledger: holes by device and number, what was refused, that it is open."""
    for doubt in case.doubts.get(ledger, ()):
        yield case.raised(INCOMPLETE, f"{ledger.replace('_', ' ')}: {doubt}", who=doubt)
