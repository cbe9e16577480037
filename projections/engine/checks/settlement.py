"""Was each wager settled as it was owed: winners paid what they won, losers collected, ties left?"""

from collections.abc import Iterable, Iterator
from typing import Final

from projections.engine.adjudication import steps_of
from projections.engine.check_context import NOTHING_PAID, RoundCase
from projections.engine.checks.vigorish import vigorish_error_of_payment
from projections.engine.facts import Cents, Fact, Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.observation import Key

# ── How the checks on payment and collection state a difference ───────────────────────────────────────


def raise_missettled(kind: Kind, case: RoundCase, key: Key, owed: int, observed: int) -> Raised:
    """Raise a difference between the gain owed and observed on one wager, in cents."""
    reckoning = case.owed(key)
    ruled = reckoning.ruling
    cites = (ruled.cite, ruled.odds_cite) if ruled is not None else ()
    steps = steps_of(key, reckoning, case.book)
    paid = (case.observed.paid or {}).get(key, NOTHING_PAID)
    put_right = paid.later_cents != 0 and paid.final_gain_cents == owed
    over = observed - owed
    along = vigorish_error_of_payment(case, key, paid, put_right=put_right)
    return Raised(
        kind=kind,
        message=fact(
            "checks.settled_wrong",
            wager=Word(key.wager),
            gain=Cents(observed),
            owed=Cents(owed),
            over=over,
            along=_along(over, *along) if along is not None else None,
            put_right=int(put_right),
        ),
        cites=_cites((*cites, *(step.cite for step in steps[1:]), *case.book.clauses["settlement"])),
        **key._asdict(),
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


# ── Was each winning wager paid what it won, and nothing paid that had not won? ───────────────────────

_CHIPS: Final = "Chips pushed across a neighbouring spot, or a correction that no one keyed."

PAID_TOO_MUCH: Final = Kind(
    "paid_too_much",
    severity="by_amount",
    asks="Was no wager paid above its odds, no losing wager paid, and nothing where no wager lay?",
    false_positives=_CHIPS,
)
PAID_TOO_LITTLE: Final = Kind(
    "paid_too_little",
    severity="by_amount",
    asks="Was each winning wager paid in full, and no more collected than was wagered?",
    false_positives=_CHIPS,
)
PAID_KINDS: Final = (PAID_TOO_MUCH, PAID_TOO_LITTLE)


def check_paid(case: RoundCase) -> Iterator[Raised]:
    """Raise payments above or below what was owed."""
    for key, owed, observed in case.missettled:
        if (owed > 0 and observed > owed) or (owed < 0 < observed):
            yield raise_missettled(PAID_TOO_MUCH, case, key, owed, observed)
        elif (owed > 0 and 0 <= observed < owed) or (observed < owed < 0):
            yield raise_missettled(PAID_TOO_LITTLE, case, key, owed, observed)
    for key, paid in case.unwagered():
        if (observed := paid.final_gain_cents) > 0:
            yield raise_missettled(PAID_TOO_MUCH, case, key, 0, observed)


# ── Was each losing wager collected? ──────────────────────────────────────────────────────────────────

LOSER_NOT_COLLECTED: Final = Kind(
    "loser_not_collected",
    severity="by_amount",
    asks="Was each losing wager collected whole?",
    false_positives="A stack collected by hand past the chip reader.",
    name="losing bet left up",
)
LOSER_COLLECTED_KINDS: Final = (LOSER_NOT_COLLECTED,)


def check_loser_collected(case: RoundCase) -> list[Raised]:
    """Raise losing wagers that were left on the layout, in whole or in part."""
    return [
        raise_missettled(LOSER_NOT_COLLECTED, case, key, owed, observed)
        for key, owed, observed in case.missettled
        if owed < observed <= 0
    ]


# ── Was no wager collected that had won or tied, and none paid that had tied? ─────────────────────────

_COLLECTED_CHIPS: Final = "A person who took the stake back while the dealer's hand was on it."

WINNER_COLLECTED: Final = Kind(
    "winner_collected",
    severity="by_amount",
    asks="Was no winning wager collected?",
    false_positives=_COLLECTED_CHIPS,
    name="winning bet taken",
)
PUSH_COLLECTED: Final = Kind(
    "push_collected",
    severity="by_amount",
    asks="Was nothing collected from a wager that is returned, or where no wager lay?",
    false_positives=_COLLECTED_CHIPS,
    name="push taken",
)
PUSH_PAID: Final = Kind(
    "push_paid",
    severity="by_amount",
    asks="Was no wager paid that is only returned?",
    false_positives=_COLLECTED_CHIPS,
    name="push paid as a win",
)
WINNER_COLLECTED_KINDS: Final = (WINNER_COLLECTED, PUSH_COLLECTED, PUSH_PAID)


def check_winner_collected(case: RoundCase) -> Iterator[Raised]:
    """Raise winners and ties that were collected, and ties that were paid."""
    for key, owed, observed in case.missettled:
        if owed > 0 > observed:
            yield raise_missettled(WINNER_COLLECTED, case, key, owed, observed)
        elif owed == 0:
            kind = PUSH_PAID if observed > 0 else PUSH_COLLECTED
            yield raise_missettled(kind, case, key, owed, observed)
    for key, paid in case.unwagered():
        if (observed := paid.final_gain_cents) < 0:
            yield raise_missettled(PUSH_COLLECTED, case, key, 0, observed)


KINDS: Final = (
    *PAID_KINDS,
    *LOSER_COLLECTED_KINDS,
    *WINNER_COLLECTED_KINDS,
)
