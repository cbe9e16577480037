"""The account of a table inventory for a gaming day: its lines, and what the checks say of it."""

from typing import Final

from projections.engine.audit.account_lines import inventory_lines
from projections.engine.audit.judge import parted, verdict_of
from projections.engine.checks import TRAY_CHECKS
from projections.engine.conclusion import Conclusion
from projections.engine.inventory.inventory_context import TrayCase

INVENTORY: Final = "inventory"
CHAPTER: Final = "465a"


def account(case: TrayCase) -> Conclusion:
    """Conclude the inventory of a table's gaming day as far as it has gone."""
    raised = [found for check in TRAY_CHECKS for found in check(case)]
    findings, notes = parted(raised, f"{case.day}|{case.table}|{INVENTORY}", case.day)
    return Conclusion(
        table=case.table,
        account=INVENTORY,
        gaming_date=case.day,
        chapter=CHAPTER,
        verdict=verdict_of(raised, is_open=False),
        outcome=None,
        expected=(),
        findings=findings,
        notes=notes,
        lines=tuple(inventory_lines(case.tray, over=case.over)),
    )
