"""May the Match Play Coupon lie under the wager?"""

from typing import Final

from msgspec.structs import replace

from projections.engine.check_context import Case, raise_defect
from projections.engine.checks.not_in_force import NOT_IN_FORCE
from projections.engine.findings import Kind, Raised

_COUPON: Final = "A coupon of another value, or of another person on the same spot."

COUPON_OVER_CHIPS: Final = Kind(
    "coupon_over_chips",
    severity="money",
    asks="Are the chips worth at least the coupon?",
    false_positives=_COUPON,
    paper="coupon",
)
SECOND_COUPON: Final = Kind(
    "second_coupon",
    severity="money",
    asks="Did each patron use one coupon a round?",
    false_positives=_COUPON,
    paper="coupon",
)
COUPON_NOT_PERMITTED: Final = Kind(
    "coupon_not_permitted",
    severity="money",
    asks="Does the text in force admit a coupon on this wager?",
    false_positives=_COUPON,
    paper="coupon",
)
KINDS: Final = (COUPON_OVER_CHIPS, SECOND_COUPON, COUPON_NOT_PERMITTED)
_BY_NAME: Final = {kind.check: kind for kind in (*KINDS, NOT_IN_FORCE)}


def check(case: Case) -> list[Raised]:
    """Raise coupons that do not count, and those of which no text in force says whether they do.

    Whether chips are worth enough that two readers dispute is open.
    """
    if not case.void_coupons or not case.money_known:
        return []
    raised = []
    for key, defect in case.void_coupons.items():
        found = raise_defect(_BY_NAME[defect.check], defect)
        disputed = found.kind is COUPON_OVER_CHIPS and key in case.in_doubt
        raised.append(replace(found, weight="undetermined") if disputed else found)
    return raised
