"""How the checks on payment and collection state a difference."""

from collections.abc import Iterable

from projections.engine.check_context import NOTHING_PAID, Case
from projections.engine.checks.vigorish import gone_along
from projections.engine.facts import Cents, Fact, Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.observation import Key
from projections.engine.sum_steps import steps_of


def raise_missettled(kind: Kind, case: Case, key: Key, owed: int, observed: int) -> Raised:
    """Raise a difference between the gain owed and observed on one wager, in cents."""
    seat, bettor, wager, hand = key
    reckoning = case.owed(key)
    ruled = reckoning.ruling
    cites = (ruled.cite, ruled.odds_cite) if ruled is not None else ()
    steps = steps_of(key, reckoning, case.book)
    paid = (case.seen.paid or {}).get(key, NOTHING_PAID)
    put_right = paid.later_cents != 0 and paid.cents + paid.later_cents == owed
    over = observed - owed
    along = gone_along(case, key, paid, put_right=put_right)
    return Raised(
        kind=kind,
        message=fact(
            "checks.settled_wrong",
            wager=Word(wager),
            gain=Cents(observed),
            owed=Cents(owed),
            over=over,
            along=_along(over, *along) if along is not None else None,
            put_right=int(put_right),
        ),
        cites=_cites((*cites, *(step.cite for step in steps[1:]), *case.book.clauses["settlement"])),
        seat=seat,
        wager=wager,
        hand=hand,
        bettor=bettor,
        expected=owed,
        observed=observed,
        vigorish=along[1] - along[0] if along is not None else 0,
        put_right=put_right,
        steps=steps,
    )


def _along(over: int, due: int, taken: int) -> Fact:
    """Return the vigorish that is part of a difference, and what the two come to.

    >>> _along(40800, 10200, 0).args["together"]
    Cents(cents=51000)
    """
    together = Cents(abs(over - (taken - due)))
    return fact("checks.vigorish_along", taken=Cents(taken), due=Cents(due), together=together)


def _cites(cites: Iterable[str | None]) -> tuple[str, ...]:
    """Return each provision once, in order."""
    return tuple(dict.fromkeys(cite for cite in cites if cite is not None))
