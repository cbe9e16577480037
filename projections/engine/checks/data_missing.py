"""Was everything seen that the judgement needs?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.check_context import Case
from projections.engine.facts import CardRef, HandRef, WagerRef, Word, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised
from projections.engine.observation import Near
from schemas.values import CARDS, RANKS_OF, is_certain

DATA_MISSING: Final = Kind(
    "data_missing",
    severity="data",
    asks="Did every connected device report all it saw, and were the cards read?",
    false_positives="None: it says what is not known, not that anything was wrong.",
    weight="undetermined",
)
KINDS: Final = (DATA_MISSING,)


def check(case: Case) -> Iterator[Raised]:
    """Raise the holes by device and number, and what was not read or too near in time, where it matters."""
    for doubt in case.seen.doubts:
        if doubt.check == "data_missing":
            yield Raised(
                kind=DATA_MISSING,
                message=doubt.message,
                cites=(HOUSE_CONTROL,),
                weight="note" if doubt.scope == "second" else None,
                device=doubt.device,
            )
    ruled = case.ruled
    left_open = {
        key
        for key, owed in ruled.owed.items()
        if owed.cents is None and not owed.pending and owed.silent is None and key not in case.improper
    }
    hangs = ruled.uncertain or left_open or (ruled.outcome is None and case.seen.announced is not None)
    if not hangs or ruled.defects or not case.cards_known or case.seen.void:
        return
    dealt = case.seen.dealt()
    doubted = {doubt.scope for doubt in case.seen.doubts}
    # Where every rank was read the money hangs on a suit, in games that look at suits.
    doubtful = [act for act in dealt if _unread(act[1])] or [act for act in dealt if not is_certain(act[1])]
    unread = [*(fact("checks.card_unread", at=HandRef(who), card=CardRef(what)) for who, what in doubtful)]
    unread += ruled.unseen
    if unread:
        yield Raised(
            kind=DATA_MISSING,
            message=fact("checks.result_hangs_on_unread", unread=listed(*unread)),
            cites=(HOUSE_CONTROL,),
        )
    elif case.seen.near and (ruled.uncertain or left_open - doubted):
        acts = (case.seen.play[place] for place in _pair(case.seen.near[0]))
        first, second = (
            fact("checks.act", at=HandRef(who), act=CardRef(what) if what in CARDS else Word(what))
            for who, what in acts
        )
        yield Raised(
            kind=DATA_MISSING,
            message=fact("checks.acts_too_near", first=first, second=second),
            cites=(HOUSE_CONTROL,),
            device=case.seen.near[0].device,
        )
    elif (undecided := left_open - doubted) and not _told_otherwise(case):
        wagers = listed(*(WagerRef(*key) for key in ruled.owed if key in undecided))
        yield Raised(
            kind=DATA_MISSING,
            message=fact("checks.wagers_undecided", wagers=wagers),
            cites=(HOUSE_CONTROL,),
        )


def _told_otherwise(case: Case) -> bool:
    """Whether a finding on a wager, its coupon, or a text that is silent tells why money is open."""
    silent = any(owed.silent is not None for owed in case.ruled.owed.values())
    return not case.money_known or bool(case.improper or case.void_coupons) or silent


def _pair(near: Near) -> tuple[int, int]:
    return min(near.act, near.other), max(near.act, near.other)


def _unread(card: str) -> bool:
    return len(RANKS_OF[card[0]]) > 1
