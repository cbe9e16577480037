"""Does a text say what each wager is owed?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.check_context import Case
from projections.engine.findings import Kind, Raised

TEXT_SILENT: Final = Kind(
    "text_silent",
    severity="data",
    asks="Does the text in force say what the wager is owed?",
    false_positives="None: it says what no text tells, not that anything was wrong.",
    weight="undetermined",
)
KINDS: Final = (TEXT_SILENT,)


def check(case: Case) -> Iterator[Raised]:
    """Raise each wager whose money the text leaves open, and what it does not say of it."""
    for (seat, bettor, wager, hand), owed in case.ruled.owed.items():
        if owed.silent is not None:
            yield Raised(
                kind=TEXT_SILENT,
                message=owed.silent.says,
                cites=(owed.silent.cite,),
                seat=seat,
                wager=wager,
                hand=hand,
                bettor=bettor,
            )
