"""Is every number of a series of slips there, once, and were exceptions reported in time? 465a.3(c)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import SerialRef, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase

MISSING: Final = Duty(
    "slip_number_missing",
    severity="procedure",
    asks="Was each number of the series seen, be it only as voided?",
    false_positives="Slips of one series that two tables use out of turn.",
    cites=("465a.3(c)",),
    paper="slip",
)
REPEATED: Final = Duty(
    "slip_number_repeated",
    severity="procedure",
    asks="Was each number of the series made out once?",
    false_positives="A number that was keyed in wrongly.",
    cites=("465a.3(c)",),
    paper="slip",
)
UNREPORTED: Final = Duty(
    "serial_exception_unreported",
    severity="procedure",
    asks="Was the missing or repeated number reported in writing to internal audit within two days?",
    false_positives="A report that was not keyed in, or one that names other ends of the missing range.",
    cites=("465a.3(c)",),
    paper="slip",
)
KINDS: Final = (MISSING, REPEATED, UNREPORTED)


def check(case: DayCase) -> Iterator[Raised]:
    """Raise the day's gaps and repeats, and exceptions whose two days are over."""
    for gap in case.gaps:
        message = fact("ledgers.numbers_missing", run=gap.run.named)
        yield case.raised(MISSING, message, serial=gap.run.told(), hangs_on=case.tellers(gap))
    for slip in case.twice:
        yield case.raised(REPEATED, fact("ledgers.slip_repeated", slip=SerialRef(slip)), serial=slip)
    for each in case.overdue:
        message = fact("ledgers.exception_unreported", run=each.run.named, found=str(each.found))
        yield case.raised(UNREPORTED, message, serial=each.run.told(), hangs_on=["cage"])
