"""Was each wager one that text and house offer, made in its time, with a coupon that may lie there?"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from projections.engine.check_context import RoundCase, raise_defect
from projections.engine.checks.data import NOT_IN_FORCE
from projections.engine.facts import fact
from projections.engine.findings import Kind, Raised
from projections.engine.improper_wagers import OF_ANOTHER_TEXT, late, moved

# ── Does the text know the wager, and does the house offer it here? ───────────────────────────────────

WAGER_NOT_PERMITTED: Final = Kind(
    "wager_not_permitted",
    severity="critical",
    asks="Does the text in force that day know the wager, and may one be made in this round?",
    false_positives=(
        "A spot of the layout that is named wrongly in the chip reader's set-up; a side wager that another "
        "text approves, where the house file does not name it as offered."
    ),
)
WAGER_NOT_OFFERED: Final = Kind(
    "wager_not_offered",
    severity="critical",
    asks="Is the wager among those that the house's Rules Submission offers at the table?",
    false_positives="A Rules Submission that took effect and was not yet in the house file.",
)
WAGER_OF_ANOTHER_TEXT: Final = Kind(
    OF_ANOTHER_TEXT,
    severity="note",
    asks="Is the wager one that the text on file settles, and not another text that approves it?",
    false_positives="None: it says that the wager's money is not judged.",
    weight="note",
)
WAGER_ALLOWED_KINDS: Final = (WAGER_NOT_PERMITTED, WAGER_NOT_OFFERED, WAGER_OF_ANOTHER_TEXT)
_BY_NAME: Final = {kind.check: kind for kind in WAGER_ALLOWED_KINDS}


def check_wager_allowed(case: RoundCase) -> list[Raised]:
    """Raise wagers that the text or the house does not have, and options chosen before they were law.

    Those that another text approves are noted.
    """
    known_by = {
        case.book.wagers[key.wager].offered_with
        for key, defect in case.improper.items()
        if defect.check == WAGER_NOT_PERMITTED.check and key.wager in case.book.wagers
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
            raise_defect(_BY_NAME[defect.check], defect)
            for defect in case.improper.values()
            if defect.check in _BY_NAME
        )
    return raised


# ── Was every wager made and changed before "no more bets", or in its own time in the game? ───────────

LATE_WAGER: Final = Kind(
    "late_wager",
    severity="critical",
    asks='Was no wager made or changed after "no more bets", or after its own time in the game?',
    false_positives="A stack straightened by hand that the reader took for a change; a late key press.",
)
LATE_WAGER_KINDS: Final = (LATE_WAGER,)


def check_late_wager(case: RoundCase) -> Iterator[Raised]:
    """Raise wagers that changed after the call, and leave open those too close to it to decide."""
    for doubt in case.observed.doubts:
        if doubt.check == "late_wager" and doubt.key is not None:
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
        if defect.check == "late_wager":
            yield raise_defect(LATE_WAGER, defect)
    for move in case.observed.late:
        if not moved(case.observed, move):  # a withdrawn wager is no longer among the wagers
            yield raise_defect(LATE_WAGER, late(move, case.book))


# ── May the Match Play Coupon lie under the wager? ────────────────────────────────────────────────────

_COUPON: Final = "A coupon of another value, or of another person on the same spot."

COUPON_OVER_CHIPS: Final = Kind(
    "coupon_over_chips",
    severity="by_amount",
    asks="Are the chips worth at least the coupon?",
    false_positives=_COUPON,
    paper="coupon",
)
SECOND_COUPON: Final = Kind(
    "second_coupon",
    severity="by_amount",
    asks="Did each patron use one coupon a round?",
    false_positives=_COUPON,
    paper="coupon",
)
COUPON_NOT_PERMITTED: Final = Kind(
    "coupon_not_permitted",
    severity="by_amount",
    asks="Does the text in force admit a coupon on this wager?",
    false_positives=_COUPON,
    paper="coupon",
)
COUPON_KINDS: Final = (COUPON_OVER_CHIPS, SECOND_COUPON, COUPON_NOT_PERMITTED)
_COUPON_BY_NAME: Final = {kind.check: kind for kind in (*COUPON_KINDS, NOT_IN_FORCE)}


def check_coupon(case: RoundCase) -> list[Raised]:
    """Raise coupons that do not count, and those for which no text in force decides whether they do.

    If two readers contradict each other, it is open whether the chips are worth enough.
    """
    if not case.void_coupons or not case.money_known:
        return []
    raised = []
    for key, defect in case.void_coupons.items():
        found = raise_defect(_COUPON_BY_NAME[defect.check], defect)
        disputed = found.kind is COUPON_OVER_CHIPS and key in case.in_doubt
        raised.append(replace(found, weight="undetermined") if disputed else found)
    return raised


KINDS: Final = (
    *WAGER_ALLOWED_KINDS,
    *LATE_WAGER_KINDS,
    *COUPON_KINDS,
)
