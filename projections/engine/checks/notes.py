"""Notes: what was not seen or not decided, was corrected in time, or is below a cent."""

from collections.abc import Iterator
from typing import Final

from projections.engine.check_context import RoundCase
from projections.engine.facts import Cents, Word, fact
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised

SETTLEMENT_NOT_OBSERVED: Final = Kind(
    "settlement_not_observed",
    severity="note",
    asks="Was the settlement of the wagers seen?",
    false_positives="None: a record may leave it out.",
    weight="note",
)
UNDECIDED: Final = Kind(
    "undecided",
    severity="note",
    asks="Was the wager decided by the play that was recorded?",
    false_positives="None: the play that decides it may be recorded elsewhere.",
    weight="note",
)
PUT_RIGHT: Final = Kind(
    "put_right",
    severity="note",
    asks="Was a mistake put right before the round closed?",
    false_positives="None: what was put right in time is no mismatch.",
    weight="note",
)
FRACTION_DROPPED: Final = Kind(
    "fraction_dropped",
    severity="note",
    asks="Was a fraction of a cent dropped, of which the text is silent?",
    false_positives="None.",
    weight="note",
)
KINDS: Final = (SETTLEMENT_NOT_OBSERVED, UNDECIDED, PUT_RIGHT, FRACTION_DROPPED)


def check(case: RoundCase) -> Iterator[Raised]:
    """Note what was not seen or not decided, what was corrected in time, and what was too small to pay."""
    yield from _undecided(case)
    if case.observed.paid is None:
        if case.observed.wagers:
            yield Raised(
                kind=SETTLEMENT_NOT_OBSERVED,
                message=fact("checks.settlement_not_observed"),
                cites=(HOUSE_CONTROL,),
            )
        return
    for key, paid in case.observed.paid.items():
        if paid.righted_cents or paid.righted_vigorish_cents:
            moved = Cents(paid.righted_cents or paid.righted_vigorish_cents)
            yield Raised(
                kind=PUT_RIGHT,
                message=fact("checks.put_right", wager=Word(key.wager), moved=moved),
                cites=(HOUSE_CONTROL,),
                **key._asdict(),
            )
    for key, reckoning, paid in case.settlements:
        due = reckoning.vigorish
        dropped = due if due is not None and due.fraction and paid.vigorish_cents == due.exact else None
        if reckoning.fraction or dropped is not None:
            yield Raised(
                kind=FRACTION_DROPPED,
                message=fact("checks.fraction_dropped", wager=Word(key.wager)),
                cites=(dropped.cite,) if dropped is not None else case.book.clauses["settlement"],
                **key._asdict(),
            )


def _undecided(case: RoundCase) -> Iterator[Raised]:
    settled = case.observed.paid or {}
    for key, reckoning in case.ruled.owed.items():
        if reckoning.pending:
            yield Raised(
                kind=UNDECIDED,
                message=fact("checks.undecided", wager=Word(key.wager), is_settled=int(key in settled)),
                cites=case.book.clauses["settlement"],
                **key._asdict(),
            )
