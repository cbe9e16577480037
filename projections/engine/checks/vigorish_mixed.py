"""Is vigorish rounded the same way all through a shoe?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.check_context import Case
from projections.engine.facts import fact
from projections.engine.findings import Kind, Raised
from projections.engine.fold.shoe_context import ShoeCase

VIGORISH_MIXED: Final = Kind(
    "vigorish_mixed",
    severity="procedure",
    asks="Was vigorish rounded for all or for none within one shoe?",
    false_positives="A single sum left exact because no coin for the rest was at hand.",
)
KINDS: Final = (VIGORISH_MIXED,)


def ways_taken(case: Case) -> Iterator[str]:
    """Say of each vigorish whose exact and rounded sums differ which of the two was taken."""
    for _, reckoning, paid in case.settlements:
        due = reckoning.vigorish
        if due is None or due.exact == due.rounded or paid.cents != reckoning.cents:
            continue
        if paid.vigorish_cents == due.exact and paid.vigorish_cents:
            yield "exact"
        elif paid.vigorish_cents == due.rounded:
            yield "rounded"


def check(case: ShoeCase) -> Iterator[Raised]:
    """Raise a shoe in which vigorish was taken both ways."""
    ways = case.shoe.ways
    if len(ways) > 1:
        yield Raised(
            kind=VIGORISH_MIXED,
            message=fact("checks.vigorish_mixed", exact=ways["exact"], rounded=ways["rounded"]),
            cites=case.book.clause("vigorish_rounding", "vigorish"),
        )
