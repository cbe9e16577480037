"""How the checks on payment and collection put a difference into words."""

from collections.abc import Iterable

from projections.checks.vigorish import gone_along
from projections.hand.case import NOTHING_PAID, Case
from projections.hand.facts import verbatim
from projections.hand.findings import Kind, Raised
from projections.hand.round import Key
from projections.hand.sums import steps_of
from schemas.values import dollars, in_words


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
        message=verbatim(
            f"{in_words(wager)}: gain {dollars(observed)}, owed {dollars(owed)}, "
            f"{dollars(abs(over))} {'above' if over > 0 else 'below'} the rule"
            + (_with(over, *along) if along is not None else "")
            + (", put right after the round closed" if put_right else "")
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


def _with(over: int, due: int, taken: int) -> str:
    """Tell the vigorish that is part of a difference, and what the two come to.

    >>> _with(40800, 10200, 0)
    ' (with vigorish of $0.00, due $102.00: $510.00)'
    """
    net = dollars(abs(over - (taken - due)))
    return f" (with vigorish of {dollars(taken)}, due {dollars(due)}: {net})"


def _cites(cites: Iterable[str | None]) -> tuple[str, ...]:
    """Name each provision once, in order."""
    return tuple(dict.fromkeys(cite for cite in cites if cite is not None))
