"""Was each round recorded once?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.check_context import Case
from projections.engine.facts import fact
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised

ROUND_REPEATED: Final = Kind(
    "round_repeated",
    severity="data",
    asks="Was each round recorded once?",
    false_positives=(
        "Where it is only noted: two rounds in a row with the same cards, by chance one row in 2,000 if of "
        "four cards the values alone were read, and fewer with more."
    ),
    weight="undetermined",
)
KINDS: Final = (ROUND_REPEATED,)


def check(case: Case) -> Iterator[Raised]:
    """Note a round that equals the one before it but for its number."""
    for doubt in case.seen.doubts:
        if doubt.check == ROUND_REPEATED.check:
            yield Raised(kind=ROUND_REPEATED, message=doubt.message, cites=(HOUSE_CONTROL,), weight="note")


def repeat_of(line: int) -> Raised:
    """Return the finding on a record of a round that stands in full on an earlier line."""
    return Raised(
        kind=ROUND_REPEATED,
        message=fact("checks.round_repeated", line=line),
        cites=(HOUSE_CONTROL,),
    )
