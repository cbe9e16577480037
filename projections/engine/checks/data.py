"""Was everything that the judgement needs seen once, without contradiction, and does a text decide it?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.check_context import RoundCase
from projections.engine.facts import CardRef, HandRef, WagerRef, Word, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised
from projections.engine.kinds import NOT_IN_FORCE
from projections.engine.observation import CloseActs, device_names
from schemas.law_text import chapter as law
from schemas.values import CARDS, RANKS_OF, is_certain

# ── Was everything seen that the judgement needs? ─────────────────────────────────────────────────────

DATA_MISSING: Final = Kind(
    "data_missing",
    severity="data",
    asks="Did every connected device report all it saw, and were the cards read?",
    false_positives="None: it says what is not known, not that anything was wrong.",
    weight="undetermined",
)
DATA_MISSING_KINDS: Final = (DATA_MISSING,)


def check_data_missing(case: RoundCase) -> Iterator[Raised]:
    """Raise the holes by device and number, and what was not read or too near in time, where it matters."""
    for doubt in case.observed.doubts:
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
    hangs = ruled.uncertain or left_open or (ruled.outcome is None and case.observed.announced is not None)
    if not hangs or ruled.defects or not case.cards_known or case.observed.void:
        return
    dealt = case.observed.dealt()
    doubted = {doubt.scope for doubt in case.observed.doubts}
    # Where every rank was read the money depends on a suit, in games that look at suits.
    doubtful = [act for act in dealt if _unread(act[1])] or [act for act in dealt if not is_certain(act[1])]
    unread = [*(fact("checks.card_unread", at=HandRef(who), card=CardRef(what)) for who, what in doubtful)]
    unread += ruled.unseen
    if unread:
        yield Raised(
            kind=DATA_MISSING,
            message=fact("checks.result_hangs_on_unread", unread=listed(*unread)),
            cites=(HOUSE_CONTROL,),
        )
    elif case.observed.close_acts and (ruled.uncertain or left_open - doubted):
        acts = (case.observed.play[place] for place in _pair(case.observed.close_acts[0]))
        first, second = (
            fact("checks.act", at=HandRef(who), act=CardRef(what) if what in CARDS else Word(what))
            for who, what in acts
        )
        yield Raised(
            kind=DATA_MISSING,
            message=fact("checks.acts_too_near", first=first, second=second),
            cites=(HOUSE_CONTROL,),
            device=device_names(case.observed.close_acts[0].devices),
        )
    elif (undecided := left_open - doubted) and not _is_explained_elsewhere(case):
        wagers = listed(*(WagerRef(*key) for key in ruled.owed if key in undecided))
        yield Raised(
            kind=DATA_MISSING,
            message=fact("checks.wagers_undecided", wagers=wagers),
            cites=(HOUSE_CONTROL,),
        )


def _is_explained_elsewhere(case: RoundCase) -> bool:
    """Return True if a finding on a wager or its coupon, or a silent text, explains why money is open."""
    silent = any(owed.silent is not None for owed in case.ruled.owed.values())
    return not case.money_known or bool(case.improper or case.void_coupons) or silent


def _pair(pair: CloseActs) -> tuple[int, int]:
    return min(pair.act, pair.other), max(pair.act, pair.other)


def _unread(card: str) -> bool:
    return len(RANKS_OF[card[0]]) > 1


# ── Do two readings of one quantity agree? ────────────────────────────────────────────────────────────

SOURCE_CONFLICT: Final = Kind(
    "source_conflict",
    severity="data",
    asks="Do two devices that read the same card or sum, or two records of one round, say the same?",
    false_positives="Which of the two is wrong is for a person to see; the round is left open.",
    weight="undetermined",
)
SOURCE_CONFLICT_KINDS: Final = (SOURCE_CONFLICT,)


def check_source_conflict(case: RoundCase) -> list[Raised]:
    """Raise readings that contradict each other, both named."""
    return [
        Raised(kind=SOURCE_CONFLICT, message=doubt.message, cites=(HOUSE_CONTROL,), device=doubt.device)
        for doubt in case.observed.doubts
        if doubt.check == "source_conflict"
    ]


# ── Was each round recorded once? ─────────────────────────────────────────────────────────────────────

ROUND_REPEATED: Final = Kind(
    "round_repeated",
    severity="data",
    asks="Was each round recorded once?",
    false_positives=(
        "Where it is only noted: two rounds in a row with the same cards, by chance one row in 2,000 if of "
        "four cards the values alone were read, and fewer with more."
    ),
    weight="undetermined",
)
ROUND_REPEATED_KINDS: Final = (ROUND_REPEATED,)


def check_round_repeated(case: RoundCase) -> Iterator[Raised]:
    """Note a round that equals the one before it except for its number."""
    for doubt in case.observed.doubts:
        if doubt.check == ROUND_REPEATED.check:
            yield Raised(kind=ROUND_REPEATED, message=doubt.message, cites=(HOUSE_CONTROL,), weight="note")


def repeat_of(line: int) -> Raised:
    """Return the finding on a record of a round that stands in full on an earlier line."""
    return Raised(
        kind=ROUND_REPEATED,
        message=fact("checks.round_repeated", line=line),
        cites=(HOUSE_CONTROL,),
    )


# ── Does a text decide what each wager is owed? ───────────────────────────────────────────────────────

TEXT_SILENT: Final = Kind(
    "text_silent",
    severity="data",
    asks="Does the text in force say what the wager is owed?",
    false_positives="None: it says what no text tells, not that anything was wrong.",
    weight="undetermined",
)
TEXT_SILENT_KINDS: Final = (TEXT_SILENT,)


def check_text_silent(case: RoundCase) -> Iterator[Raised]:
    """Raise each wager whose money the text leaves open, and the question that it leaves open."""
    for key, owed in case.ruled.owed.items():
        if owed.silent is not None:
            yield Raised(
                kind=TEXT_SILENT,
                message=owed.silent.says,
                cites=(owed.silent.cite,),
                **key._asdict(),
            )


# ── Was there a text in force on the gaming date? ─────────────────────────────────────────────────────


def refuse(chapter: str, reason: str) -> Raised:
    """Return the finding that a round was played under a text that was not in force."""
    return Raised(
        kind=NOT_IN_FORCE,
        message=fact("checks.not_in_force", reason=reason),
        cites=law(chapter).clauses["in_force"],
    )


KINDS: Final = (
    *DATA_MISSING_KINDS,
    *SOURCE_CONFLICT_KINDS,
    *ROUND_REPEATED_KINDS,
    *TEXT_SILENT_KINDS,
)
