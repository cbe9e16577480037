"""Was vigorish that was marked paid before the next shoe, and before its player left?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.accounts.account_lines import ShoeCase
from projections.engine.facts import Cents, Fact, fact
from projections.engine.findings import Kind, Raised, Step
from projections.engine.observation import person
from projections.engine.shoe import Lapse

VIGORISH_LEFT_OWING: Final = Kind(
    "vigorish_left_owing",
    severity="money",
    asks="Was vigorish owed on a marker button collected by the shoe's end or the player's leaving?",
    false_positives="A button taken away past the reader; a player who changed seats.",
)
KINDS: Final = (VIGORISH_LEFT_OWING,)


def check(case: ShoeCase) -> Iterator[Raised]:
    """Raise what was still owing, or was taken beyond what was marked."""
    # Where a text has none on vigorish owing: on vigorish, or on paying at all.
    cites = case.book.clause("vigorish_owing", "vigorish", "settlement")
    marked = case.book.clause("vigorish_marked", "vigorish", "settlement")[0]
    for lapse in case.shoe.lapses:
        if not lapse.sure:
            continue
        seat, bettor = person(lapse.who)
        left = fact("accounts.checks.left_owing", is_owing=int(lapse.cents > 0), occasion=lapse.occasion)
        yield Raised(
            kind=VIGORISH_LEFT_OWING,
            message=fact("accounts.checks.vigorish_left_owing", cents=Cents(abs(lapse.cents)), left=left),
            cites=cites,
            seat=seat,
            bettor=bettor,
            expected=max(lapse.cents, 0),
            observed=max(-lapse.cents, 0),
            sum_of="vigorish",
            more_favours="house",
            steps=tuple(_steps(lapse, left, marked, cites[0])),
        )


def _steps(lapse: Lapse, left: Fact, marked: str, owing: str) -> Iterator[Step]:
    """Yield what was marked and what was collected, and what that leaves; of the provisions on either."""
    for each in lapse.booked:
        says = fact("accounts.checks.vigorish_booked", round=each.round, is_marked=int(each.cents > 0))
        yield Step(says, marked if each.cents > 0 else owing, each.cents)
    if lapse.before:
        yield Step(fact("accounts.checks.collected_for_earlier"), owing, lapse.before)
    yield Step(left, owing, lapse.cents)


def round_of(step: Step) -> str | None:
    """Return the round in which a step of such a sum was made; None where it was in none.

    >>> round_of(Step(fact("checks.vigorish_booked", round="41", is_marked=1), "541.13(e)", 50))
    '41'
    >>> round_of(Step(fact("checks.collected_for_earlier"), "541.13(e)", -50))
    """
    number = step.says.args.get("round")
    return number if isinstance(number, str) else None
