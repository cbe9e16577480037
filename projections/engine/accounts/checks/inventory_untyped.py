"""Has every change of the table inventory one of the six lawful reasons?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.accounts.account_lines import TrayCase
from projections.engine.accounts.table_inventory import Step
from projections.engine.facts import Cents, Fact, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.findings import Step as SumStep

INVENTORY_UNTYPED: Final = Kind(
    "inventory_untyped",
    severity="grave",
    asks="Has every change of the table inventory one of the six reasons of 465a.36(b)?",
    false_positives="A stack that the tray reader reads wrongly every time; a change that nobody keyed in.",
)
KINDS: Final = (INVENTORY_UNTYPED,)
_CITE: Final = "465a.36(b)"


def check(case: TrayCase) -> Iterator[Raised]:
    """Raise each change that the counts show and no reason accounts for.

    What came about while a round was on is a contradiction between the tray reader and the others, until
    people count too; it stays one where what was read of the settlement was not owed. Nothing is proven of
    a time from which reports are missing.
    """
    for ordinal, step in enumerate(case.tray.steps):
        proven = step.within is None or step.by == "people" or ordinal < case.tray.proved
        yield Raised(
            kind=INVENTORY_UNTYPED,
            message=_message(step),
            cites=case.cites(_CITE),
            weight="mismatch" if proven and not (step.gaps or step.misread) else "undetermined",
            who=step.at,
            table=case.table,
            expected=step.expected,
            observed=step.counted,
            sum_of="count",
            more_favours=None,
            steps=(
                SumStep(
                    fact("accounts.checks.inventory_expected"),
                    _CITE,
                    step.expected,
                ),
                SumStep(fact("accounts.checks.inventory_counted", at=step.at), _CITE, step.counted),
            ),
        )


def _message(step: Step) -> Fact:
    return fact(
        "accounts.checks.inventory_untyped",
        cents=Cents(abs(step.counted - step.expected)),
        is_over=int(step.counted > step.expected),
        at=step.at,
        after=step.after,
        by=step.by,
        misread=int(step.misread),
        gaps=listed(*step.gaps),
    )
