"""Was the table inventory followed from the day's beginning to its end?"""

from collections.abc import Iterator

from projections.engine.accounts.account_lines import TrayCase
from projections.engine.checks.data_missing import DATA_MISSING
from projections.engine.facts import Fact, fact
from projections.engine.findings import HOUSE_CONTROL, Raised


def check(case: TrayCase) -> Iterator[Raised]:
    """Raise that the record begins later in the day, or ends with the table open.

    Counts that agree tell nothing of what was before; what a record ended with was not counted, and may be
    less.
    """
    if case.tray.begun_before:
        yield _missing(case, fact("accounts.checks.inventory_begun_late"))
    if case.cut:
        yield _missing(case, fact("accounts.checks.inventory_cut_off"))


def _missing(case: TrayCase, says: Fact) -> Raised:
    return Raised(kind=DATA_MISSING, message=says, cites=(HOUSE_CONTROL,), table=case.table)
