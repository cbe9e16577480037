"""The conclusions of accounts: a shoe's, a table inventory's and its procedures' of a gaming day."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from projections.engine.accounts.account_lines import InventoryCase, ShoeCase, inventory_lines, vigorish_lines
from projections.engine.accounts.checks import INVENTORY_CHECKS, SHOE_CHECKS
from projections.engine.audit.judge import findings_and_notes, verdict_of
from projections.engine.conclusion import Conclusion, Line
from projections.engine.findings import Raised

INVENTORY: Final = "inventory"
CHAPTER: Final = "465a"
PROCEDURES: Final = "procedures"


def judge_shoe(case: ShoeCase) -> Conclusion:
    """Judge what only a shoe's whole history tells."""
    raised = [found for check in SHOE_CHECKS for found in check(case)]
    about = f"{case.day}|{case.table}|shoe {case.shoe.title()}"
    findings, notes = findings_and_notes(raised, about, case.day)
    return Conclusion(
        table=case.table,
        shoe=case.shoe.title(),
        gaming_date=case.day,
        chapter=case.book.chapter,
        verdict=verdict_of(raised, is_open=False),
        outcome=None,
        expected=(),
        findings=findings,
        notes=notes,
        rulebook=case.book.digest,
        lines=tuple(vigorish_lines(case.shoe.vigorish, case.account)),
    )


def judge_inventory(case: InventoryCase) -> Conclusion:
    """Conclude the inventory of a table's gaming day as far as it has gone."""
    raised = [found for check in INVENTORY_CHECKS for found in check(case)]
    findings, notes = findings_and_notes(raised, f"{case.day}|{case.table}|{INVENTORY}", case.day)
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
        lines=tuple(inventory_lines(case.inventory, over=case.over)),
    )


def conclude_procedures(
    table: str, chapter: str, day: date, raised: Sequence[Raised], shoes: int
) -> Conclusion:
    """Conclude the procedures of a table's gaming day by what was raised of them so far.

    `shoes` is of how many shoes the preparation was judged.
    """
    findings, notes = findings_and_notes(raised, f"{day}|{table}|{PROCEDURES}", day)
    return Conclusion(
        table=table,
        account=PROCEDURES,
        gaming_date=day,
        chapter=chapter,
        verdict=verdict_of(raised, is_open=False),
        outcome=None,
        expected=(),
        findings=findings,
        notes=notes,
        lines=(Line(name="shoes_prepared", count=shoes),),
    )
