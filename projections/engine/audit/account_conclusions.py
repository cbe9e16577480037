"""The conclusions of accounts: a shoe's, a table inventory's and its procedures' of a gaming day."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from projections.engine.accounts.account_lines import (
    STAFF_UNREPORTED,
    SUPERVISION_BEGAN,
    SUPERVISION_ENDED,
    InventoryCase,
    ShoeCase,
    inventory_lines,
    vigorish_lines,
)
from projections.engine.accounts.checks import INVENTORY_CHECKS, SHOE_CHECKS
from projections.engine.audit.judge import conclude_account, findings_and_notes, verdict_of
from projections.engine.conclusion import Conclusion, Line
from projections.engine.procedures.account import ProceduresAccount

INVENTORY: Final = "inventory"
CHAPTER: Final = "465a"
PROCEDURES: Final = "procedures"


def judge_shoe(case: ShoeCase) -> Conclusion:
    """Judge what shows only over a shoe's whole history."""
    raised = [found for check in SHOE_CHECKS for found in check(case)]
    about = f"{case.day}|{case.table}|shoe {case.shoe.title()}"
    findings, notes = findings_and_notes(raised, about, case.day, case.thresholds)
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
    lines = inventory_lines(case.inventory, over=case.over)
    return conclude_account(case.table, INVENTORY, case.day, CHAPTER, raised, lines, case.thresholds)


def conclude_procedures(table: str, chapter: str, account: ProceduresAccount) -> Conclusion:
    """Conclude the procedures of a table's gaming day by what was raised of them so far.

    Its lines are of how many shoes the preparation was judged, and who supervised the table at what time.
    """
    lines = (Line(name="shoes_prepared", count=account.judged), *_supervision_lines(account))
    return conclude_account(table, PROCEDURES, account.day or date.min, chapter, account.raised, lines)


def _supervision_lines(account: ProceduresAccount) -> Iterator[Line]:
    """Yield who supervised the open table and when: a pair of lines each, one for who still does."""
    for each in account.supervised:
        yield Line(name=SUPERVISION_BEGAN, of=each.floorperson, at=each.since)
        if each.until is not None:
            yield Line(name=SUPERVISION_ENDED, of=each.floorperson, at=each.until)
    if account.staff_gaps:
        yield Line(name=STAFF_UNREPORTED, count=account.staff_gaps)
