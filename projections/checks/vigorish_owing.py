"""Was vigorish that was marked paid before the next shoe, and before its player left?"""

from collections.abc import Iterator
from typing import Final

from projections.fold.shoe_case import ShoeCase
from projections.hand.findings import Kind, Raised
from projections.hand.round import person
from schemas.values import dollars

VIGORISH_LEFT_OWING: Final = Kind(
    "vigorish_left_owing",
    severity="money",
    asks="Was vigorish owed on a marker button collected by the shoe's end or the player's leaving?",
    false_positives="A button taken away past the reader; a player who changed seats.",
)
KINDS: Final = (VIGORISH_LEFT_OWING,)


def check(case: ShoeCase) -> Iterator[Raised]:
    """Raise what was still owing, or was taken beyond what was marked."""
    for lapse in case.shoe.lapses:
        if not lapse.sure:
            continue
        seat, bettor = person(lapse.who)
        says = "still owing" if lapse.cents > 0 else "collected beyond what was marked"
        yield Raised(
            kind=VIGORISH_LEFT_OWING,
            message=f"vigorish of {dollars(abs(lapse.cents))} {says} at {lapse.occasion}",
            # Where a text has none on vigorish owing: on vigorish, or on paying at all.
            cites=case.book.clause("vigorish_owing", "vigorish", "settlement"),
            seat=seat,
            bettor=bettor,
            expected=max(lapse.cents, 0),
            observed=max(-lapse.cents, 0),
            more_favours="house",
        )
