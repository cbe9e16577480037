"""Was each Counter Check exchanged for chips of its sum at its table, and chips given for none but these?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Cents, SerialRef, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import CheckMade

NOT_EXCHANGED: Final = Duty(
    "counter_check_not_exchanged",
    severity="money",
    asks="Did chips go out against the check that was made out?",
    false_positives="An exchange that the terminal was not told of.",
    cites=("465a.36(b)(2)",),
    paper="Counter Check",
)
UNMATCHED: Final = Duty(
    "counter_check_unmatched",
    severity="money",
    asks="Is each check against which chips went out one that was made out for that table and not voided?",
    false_positives="A check's number that was keyed in wrongly at the table.",
    cites=("465a.36(b)(2)",),
    paper="Counter Check",
)
SUM: Final = Duty(
    "counter_check_sum_differs",
    severity="money",
    asks="Did chips of just the check's sum go out against it?",
    false_positives="A sum that was keyed in wrongly.",
    cites=("465a.36(b)(2)",),
    paper="Counter Check",
)
KINDS: Final = (NOT_EXCHANGED, UNMATCHED, SUM)


def check(case: DayCase) -> Iterator[Raised]:
    """Raise what one side has and the other has not, and sums that differ."""
    ledger = case.checks
    made = {
        each.check: each for each in (*ledger.underway, *(one.entry for one in ledger.made if not one.again))
    }
    voided = {each.check for each in ledger.voids}
    taken: set[str] = set()
    for day in case.tables.values():
        for box in day.boxes:
            taken |= box.checks.keys()
            for number, cents in box.checks.items():
                yield from _taken(case, day.table, number, cents, made.get(number), voided)
    due = [each for each in made.values() if each in ledger.underway or not case.under_way(each.at)]
    for each in due:
        if each.check not in taken and each.check not in voided:
            yield case.raised(
                NOT_EXCHANGED,
                fact(
                    "ledgers.check_not_exchanged",
                    check=SerialRef(each.check),
                    cents=Cents(each.cents),
                    table=each.table,
                ),
                serial=each.check,
                table=each.table,
                expected=each.cents,
                observed=0,
                hangs_on=[each.table],
            )


def _taken(
    case: DayCase, table: str, number: str, cents: int, made: CheckMade | None, voided: set[str]
) -> Iterator[Raised]:
    known = number in case.checks.owed or number in case.checks.settled
    out = fact("ledgers.chips_went_out", check=SerialRef(number), cents=Cents(cents), table=table)
    if number in voided:
        message = fact("ledgers.exchanged_void", out=out)
        yield case.raised(UNMATCHED, message, serial=number, table=table)
    elif made is None:
        if not known:
            message = fact("ledgers.exchanged_unmade", out=out)
            yield case.raised(UNMATCHED, message, serial=number, table=table, hangs_on=["counter_checks"])
    elif made.table != table:
        message = fact("ledgers.exchanged_elsewhere", out=out, table=made.table)
        yield case.raised(UNMATCHED, message, serial=number, table=table)
    elif made.cents != cents:
        yield case.raised(
            SUM,
            fact("ledgers.exchanged_other_sum", out=out, over=Cents(made.cents)),
            serial=number,
            table=table,
            expected=made.cents,
            observed=cents,
            more_favours="patron",
        )
