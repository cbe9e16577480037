"""Is vigorish rounded the same way all through a shoe?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.accounts.account_lines import ShoeCase
from projections.engine.facts import fact
from projections.engine.findings import Kind, Raised

VIGORISH_MIXED: Final = Kind(
    "vigorish_mixed",
    severity="procedure",
    asks="Was vigorish rounded for all or for none within one shoe?",
    false_positives="A single sum left exact because no coin for the rest was at hand.",
)
KINDS: Final = (VIGORISH_MIXED,)


def check(case: ShoeCase) -> Iterator[Raised]:
    """Raise a shoe in which vigorish was taken both ways."""
    ways = case.account.ways
    if len(ways) > 1:
        yield Raised(
            kind=VIGORISH_MIXED,
            message=fact("accounts.checks.vigorish_mixed", exact=ways["exact"], rounded=ways["rounded"]),
            cites=case.book.clause("vigorish_rounding", "vigorish"),
        )
