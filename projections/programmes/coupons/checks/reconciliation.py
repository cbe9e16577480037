"""Does finance's reconciliation agree with what happened? 603a.20(m)(2), (3)."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Final

from projections.engine.facts import Fact, Word, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from projections.programmes.coupons.expected_papers import FIGURES, counts
from schemas.coupon_log import Closed, Reconciled

SIGNATURES: Final = Duty(
    "signatures_not_reviewed",
    severity="procedure",
    asks="Were the signatures on the papers reviewed?",
    false_positives="A review that is not in the log.",
    cites=("603a.20(m)(2)",),
)
WRONG: Final = Duty(
    "reconciliation_wrong",
    severity="money",
    asks="Does the reconciliation show the coupons given, returned, voided, distributed and redeemed?",
    false_positives="An event of that day that is not in the log.",
    cites=("603a.20(m)(3)",),
)
MISSING: Final = Duty(
    "reconciliation_missing",
    severity="money",
    asks="Was each gaming day reconciled?",
    false_positives="A reconciliation that is not in the log.",
    cites=("603a.20(m)(3)", "603a.20(m)"),
)
KINDS: Final = (SIGNATURES, WRONG, MISSING)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise what a reconciliation shows wrongly, days that nobody reconciled in time or at all."""
    event, overdue = moment.event, moment.overdue
    if overdue is not None:
        yield from _missing(moment, lambda day: day <= overdue)
    if isinstance(event, Reconciled):
        if not event.signatures_reviewed:
            yield moment.found(SIGNATURES, fact("coupons.signatures_not_reviewed"))
        admitted = counts(moment.ledger, moment.day)
        wrong = [
            _wrong(figure, told, admitted[figure])
            for figure in FIGURES
            if (told := getattr(event, figure)) not in admitted[figure]
        ]
        if wrong:
            yield moment.found(WRONG, fact("coupons.reconciliation_wrong", figures=listed(*wrong)))
        if moment.settings.each_day_reconciled:
            yield from _left_out(moment, before=True)
    elif isinstance(event, Closed):
        yield from _left_out(moment, before=False)


def _wrong(figure: str, told: int | None, admitted: set[int]) -> Fact:
    return fact("coupons.figure_wrong", figure=Word(figure), told=told, were=listed(*sorted(admitted)))


def _left_out(moment: Moment, *, before: bool) -> Iterator[Raised]:
    """Raise the days that await reconciliation; with `before` those before the day that is reconciled."""
    yield from _missing(moment, lambda day: not (before and day >= moment.day))


def _missing(moment: Moment, due: Callable[[date], bool]) -> Iterator[Raised]:
    """Raise the days that are due, and were not asked for before."""
    asked = moment.ledger.overdue
    for day, tally in sorted(moment.ledger.tallies.items()):
        if tally.awaits and due(day) and (asked is None or day > asked):
            none = fact("coupons.no_reconciliation", day=str(day))
            yield moment.found(MISSING, none, serials=(), day=day)
