"""Was the table inventory followed to the day's end?"""

from collections.abc import Iterator

from projections.engine.checks.data_missing import DATA_MISSING
from projections.engine.facts import fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.engine.inventory.inventory_context import TrayCase


def check(case: TrayCase) -> Iterator[Raised]:
    """Raise that the record ends with the table open: what it ended with was not counted, and may be less."""
    if case.cut:
        yield Raised(
            kind=DATA_MISSING,
            message=fact("checks.inventory_cut_off"),
            cites=(HOUSE_CONTROL,),
            table=case.table,
        )
