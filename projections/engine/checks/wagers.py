"""Was each wager one that text and house offer, made in its time, with a coupon that may lie there?"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from projections.engine.check_context import RoundCase, raise_defect
from projections.engine.facts import fact
from projections.engine.findings import Raised
from projections.engine.improper_wagers import late, moved
from projections.engine.kinds import (
    COUPON_NOT_PERMITTED,
    COUPON_OVER_CHIPS,
    LATE_WAGER,
    SECOND_COUPON,
    WAGER_NOT_OFFERED,
    WAGER_NOT_PERMITTED,
    WAGER_OF_ANOTHER_TEXT,
)

# ── Does the text know the wager, and does the house offer it here? ───────────────────────────────────

WAGER_ALLOWED_KINDS: Final = (WAGER_NOT_PERMITTED, WAGER_NOT_OFFERED, WAGER_OF_ANOTHER_TEXT)


def check_wager_allowed(case: RoundCase) -> list[Raised]:
    """Raise wagers that the text or the house does not have, and options chosen before they were law.

    Those that another text approves are noted.
    """
    known_by = {
        case.book.wagers[key.wager].offered_with
        for key, defect in case.improper.items()
        if defect.kind is WAGER_NOT_PERMITTED and key.wager in case.book.wagers
    }
    raised = [
        Raised(
            kind=WAGER_NOT_PERMITTED,
            message=fact(
                "checks.option_not_yet_law",
                option=option,
                text=str(case.book.since),
                day=str(case.book.day),
            ),
            cites=case.book.clauses["wagers"],
        )
        for option in case.book.not_yet_law
        if option not in known_by
    ]
    if case.improper and case.money_known:
        raised.extend(
            raise_defect(defect) for defect in case.improper.values() if defect.kind in WAGER_ALLOWED_KINDS
        )
    return raised


# ── Was every wager made and changed before "no more bets", or in its own time in the game? ───────────

LATE_WAGER_KINDS: Final = (LATE_WAGER,)


def check_late_wager(case: RoundCase) -> Iterator[Raised]:
    """Raise wagers that changed after the call, and leave open those too close to it to decide."""
    for doubt in case.observed.doubts:
        if doubt.check == LATE_WAGER.check and doubt.key is not None:
            yield Raised(
                kind=LATE_WAGER,
                message=doubt.message,
                cites=doubt.cites or case.book.clauses["late_wager"],
                weight="undetermined",
                **doubt.key._asdict(),
                device=doubt.device,
            )
    if not (case.observed.late or case.improper) or not case.money_known:
        return
    for defect in case.improper.values():
        if defect.kind is LATE_WAGER:
            yield raise_defect(defect)
    for move in case.observed.late:
        if not moved(case.observed, move):  # a withdrawn wager is no longer among the wagers
            yield raise_defect(late(move, case.book))


# ── May the Match Play Coupon lie under the wager? ────────────────────────────────────────────────────

COUPON_KINDS: Final = (COUPON_OVER_CHIPS, SECOND_COUPON, COUPON_NOT_PERMITTED)


def check_coupon(case: RoundCase) -> list[Raised]:
    """Raise coupons that do not count, and those for which no text in force decides whether they do.

    If two readers contradict each other, it is open whether the chips are worth enough.
    """
    if not case.void_coupons or not case.money_known:
        return []
    raised = []
    for key, defect in case.void_coupons.items():
        found = raise_defect(defect)
        disputed = found.kind is COUPON_OVER_CHIPS and key in case.in_doubt
        raised.append(replace(found, weight="undetermined") if disputed else found)
    return raised


KINDS: Final = (
    *WAGER_ALLOWED_KINDS,
    *LATE_WAGER_KINDS,
    *COUPON_KINDS,
)
