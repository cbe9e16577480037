"""Was vigorish taken where it is due, in the right sum, rightly rounded, and nowhere else?"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from projections.engine.adjudication import Reckoning, Vigorish, steps_of
from projections.engine.check_context import RoundCase
from projections.engine.facts import Cents, Word, fact
from projections.engine.findings import FindingBase, Kind, Raised, wager_of
from projections.engine.observation import Key, Paid

_BUTTON: Final = "A coin or marker button that the reader did not see, or one placed for several rounds."

VIGORISH_NOT_TAKEN: Final = Kind(
    "vigorish_not_taken",
    severity="by_amount",
    asks="Was vigorish taken or marked on each win that owes it?",
    false_positives=_BUTTON,
    of_vigorish=True,
)
VIGORISH_WRONG: Final = Kind(
    "vigorish_wrong",
    severity="by_amount",
    asks="Was the vigorish the percentage of the amount won?",
    false_positives=_BUTTON,
    of_vigorish=True,
)
VIGORISH_ROUNDING_WRONG: Final = Kind(
    "vigorish_rounding_wrong",
    severity="by_amount",
    asks="Was vigorish left exact or rounded up to the next multiple, and never down?",
    false_positives=_BUTTON,
    of_vigorish=True,
)
VIGORISH_UNAUTHORIZED: Final = Kind(
    "vigorish_unauthorized",
    severity="by_amount",
    asks="Was no vigorish taken where the text has none?",
    false_positives="Vigorish of an earlier round collected in this one and keyed to it.",
    of_vigorish=True,
)
VIGORISH_PERMISSIVE: Final = Kind(
    "vigorish_permissive",
    severity="note",
    asks="Was vigorish rounded otherwise than the house's submission says, as the text permits?",
    false_positives="None: the text permits both.",
    weight="note",
    of_vigorish=True,
)
KINDS: Final = (
    VIGORISH_NOT_TAKEN,
    VIGORISH_WRONG,
    VIGORISH_ROUNDING_WRONG,
    VIGORISH_UNAUTHORIZED,
    VIGORISH_PERMISSIVE,
)


def check(case: RoundCase) -> Iterator[Raised]:
    """Raise vigorish that is not what the text requires.

    If the payment itself went the wrong way, its vigorish is part of that mistake. If it was of the wrong
    sum, vigorish on what was paid is as right as vigorish on what was due.
    """
    for key, reckoning, paid in case.settlements:
        yield from _of_wager(case, key, reckoning, paid)
    for key, paid in case.unwagered():
        if stands := paid.final_vigorish_cents:
            yield _raise(VIGORISH_UNAUTHORIZED, case, key, None, stands)


def vigorish_error_of_payment(
    case: RoundCase, key: Key, paid: Paid, *, put_right: bool
) -> tuple[int, int] | None:
    """Return the vigorish due and taken, in cents, that is part of a wrong payment of a wager.

    If the payment was corrected after the round closed (`put_right`), it is what was taken with it until
    then. It is None if it is as it should be, or has a finding or a note of its own.
    """
    reckoning = case.owed(key)
    due = reckoning.vigorish.expected if reckoning.vigorish is not None else 0
    taken = paid.vigorish_cents if put_right else paid.final_vigorish_cents
    if taken == due or reckoning.cents is None or any(_of_wager(case, key, reckoning, paid)):
        return None
    return due, taken


def permitted(notes: Iterable[FindingBase[Any]]) -> dict[Key, str]:
    """Return by wager the provision that permits the vigorish taken, where the house chose the other way."""
    return {
        key: note.citations[-1]
        for note in notes
        if note.check == VIGORISH_PERMISSIVE.check and (key := wager_of(note)) is not None
    }


def _of_wager(case: RoundCase, key: Key, reckoning: Reckoning, paid: Paid) -> Iterator[Raised]:
    due = reckoning.vigorish
    stands = paid.final_vigorish_cents
    if due is None and not stands:
        return
    if due is not None and due.expected == stands == paid.vigorish_cents:
        return
    gain = paid.final_gain_cents
    if _way(reckoning.cents or 0) != _way(gain) and _follows(case, key, due, gain, stands):
        return
    taken = paid.vigorish_cents if due is not None and stands == due.expected else stands
    if due is None:
        yield _raise(VIGORISH_UNAUTHORIZED, case, key, None, taken)
        return
    on_paid = None
    if gain != reckoning.cents and due.of == "won":
        on_paid = case.game.vigorish_on(gain - reckoning.untaxed, reckoning.stake, key.wager, case.book)
    yield from _judged(case, key, due, on_paid, taken, put_right=taken != stands)


def _way(gain: int) -> int:
    """Return whether a wager was paid, returned or collected: 1, 0 or -1."""
    return (gain > 0) - (gain < 0)


def _follows(case: RoundCase, key: Key, due: Vigorish | None, gain: int, taken: int) -> bool:
    """Return True if vigorish belongs to a payment that went the wrong way: none, or what fits either."""
    owed = case.owed(key)
    stake = owed.stake + ((owed.added.cents or 0) if owed.added is not None else 0) - owed.untaxed
    won = gain - owed.untaxed if gain > 0 else gain
    fitting = [due, case.game.vigorish_on(won, stake, key.wager, case.book) if gain >= 0 else None]
    return taken == 0 or any(each is not None and each.permits(taken) for each in fitting)


def _judged(
    case: RoundCase, key: Key, due: Vigorish, on_paid: Vigorish | None, taken: int, *, put_right: bool
) -> Iterator[Raised]:
    if due.permits(taken) or (on_paid is not None and on_paid.permits(taken)):
        if taken != due.expected and due.permits(taken):
            yield _raise(VIGORISH_PERMISSIVE, case, key, due, taken)
    elif taken == 0:
        yield _raise(VIGORISH_NOT_TAKEN, case, key, due, taken, put_right=put_right)
    elif _is_rounding(due, taken, due.unit):
        yield _raise(VIGORISH_ROUNDING_WRONG, case, key, due, taken, put_right=put_right)
    else:
        yield _raise(VIGORISH_WRONG, case, key, due, taken, put_right=put_right)


def _is_rounding(due: Vigorish, taken: int, unit: int) -> bool:
    """Return True if a wrong sum looks like the right one rounded to a multiple nearby, or to a cent."""
    return abs(taken - due.exact) <= 1 or (taken % unit == 0 and abs(taken - due.exact) <= unit)


def _raise(
    kind: Kind, case: RoundCase, key: Key, due: Vigorish | None, taken: int, *, put_right: bool = False
) -> Raised:
    # In a game that has no vigorish, what is asked for stands on paying at all.
    clause = case.book.clause("vigorish", "settlement")
    expected = due.expected if due is not None else 0
    cites = tuple(dict.fromkeys((*_none_due(case, key), *clause) if due is None else _cited(kind, due)))
    permitting = cites[-1] if kind is VIGORISH_PERMISSIVE else None
    return Raised(
        kind=kind,
        message=fact(
            "checks.vigorish_differs",
            wager=Word(key.wager),
            taken=Cents(taken),
            due=Cents(expected),
            permitting=permitting,
            put_right=int(put_right),
        ),
        cites=cites,
        **key._asdict(),
        expected=expected,
        observed=taken,
        # What the text permits favours nobody.
        more_favours=None if kind is VIGORISH_PERMISSIVE else "house",
        put_right=put_right,
        steps=steps_of(key, case.owed(key), case.book),
    )


def _cited(kind: Kind, due: Vigorish) -> tuple[str, ...]:
    """Return the provision on this vigorish, and the one on rounding where that is what went wrong."""
    on_rounding = kind in (VIGORISH_ROUNDING_WRONG, VIGORISH_PERMISSIVE) and due.rounding_cite is not None
    return (due.cite, due.rounding_cite or due.cite) if on_rounding else (due.cite,)


def _none_due(case: RoundCase, key: Key) -> tuple[str, ...]:
    """Return the provision on the wager's odds, which knows no vigorish."""
    ruled = case.owed(key).ruling
    return (ruled.odds_cite,) if ruled is not None and ruled.odds_cite is not None else ()
