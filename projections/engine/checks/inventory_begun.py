"""Was the table inventory followed from the day's beginning?"""

from collections.abc import Iterator

from projections.engine.checks.data_missing import DATA_MISSING
from projections.engine.facts import fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.engine.inventory.inventory_context import TrayCase


def check(case: TrayCase) -> Iterator[Raised]:
    """Raise that the record begins later in the day: counts that agree tell nothing of what was before."""
    if case.tray.begun_before:
        yield Raised(
            kind=DATA_MISSING,
            message=fact("checks.inventory_begun_late"),
            cites=(HOUSE_CONTROL,),
            table=case.table,
        )
