"""Were the cards cut, deep enough, and did the cover card stand far enough from the bottom?"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from projections.engine.facts import Fact, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.account import Preparation
from projections.engine.procedures.case import ProcedureCase
from schemas.events import ProcedureStepTaken
from schemas.law_text import Number

CARDS_NOT_CUT: Final = Kind(
    "cards_not_cut",
    severity="procedure",
    asks="Were the cards cut before they were put into the dealing shoe?",
    false_positives="A cut that the pit terminal was not told of.",
)
CUT_TOO_SHALLOW: Final = Kind(
    "cut_too_shallow",
    severity="procedure",
    asks="Was the cover card placed deep enough from the top and from the bottom of the stack?",
    false_positives="A depth that was measured wrongly; a cut that was made again without being reported.",
)
CUT_NOT_COMPLETED: Final = Kind(
    "cut_not_completed",
    severity="procedure",
    asks="Were the cards above the cover card put on the bottom, and a cover card inserted?",
    false_positives="A step that the pit terminal was not told of.",
)
COVER_CARD_TOO_LOW: Final = Kind(
    "cover_card_too_low",
    severity="procedure",
    asks="Did the cover card stand far enough above the bottom of the stack?",
    false_positives="Cards behind the cover card that were counted wrongly.",
)
KINDS: Final = (CARDS_NOT_CUT, CUT_TOO_SHALLOW, CUT_NOT_COMPLETED, COVER_CARD_TOO_LOW)


def check_cut(case: ProcedureCase) -> Iterator[Raised]:
    """Raise that the cards of a shoe were not cut, or that the cut that stood was too shallow.

    A cut that was made again before the cards were loaded does not count.
    """
    preparation, least = case.window.preparation, case.duty("cut_least")
    if preparation is None or least is None or "pit" not in case.sources:
        return
    who = f"shoe {preparation.shoe}"
    until = preparation.loaded.at if preparation.loaded is not None else preparation.opened
    gaps = case.unreported(preparation.since, preparation.opened, "pit")
    cuts = [cut for at, cut in preparation.steps("cut_made") if at <= until]
    if not cuts:
        yield case.found(
            CARDS_NOT_CUT,
            fact("procedures.checks.cards_not_cut", shoe=preparation.shoe),
            (least.cite,),
            who=who,
            gaps=gaps,
        )
        return
    yield from _depth(case, preparation, cuts[-1], least)
    yield from _completed(case, preparation, gaps)


def _depth(
    case: ProcedureCase, preparation: Preparation, cut: ProcedureStepTaken, least: Number
) -> Iterator[Raised]:
    who = f"shoe {preparation.shoe}"
    if cut.count is None or cut.total is None:
        yield case.found(
            CUT_TOO_SHALLOW,
            fact("procedures.checks.cut_not_measured", shoe=preparation.shoe),
            (least.cite,),
            who=who,
            undetermined=True,
        )
    elif min(cut.count, cut.total - cut.count) < least.value:
        yield case.found(
            CUT_TOO_SHALLOW,
            fact(
                "procedures.checks.cut_too_shallow",
                shoe=preparation.shoe,
                above=cut.count,
                below=cut.total - cut.count,
                least=least.value,
            ),
            (least.cite,),
            who=who,
        )


def _completed(case: ProcedureCase, preparation: Preparation, gaps: tuple[Fact, ...]) -> Iterator[Raised]:
    """Raise a stack that was not turned over as it was cut, and a cover card that was not inserted."""
    last = preparation.last("cut_made")
    duty = case.duty("cover_card_least") or case.duty("cover_card_part")
    if last is None or duty is None:
        return
    for step in ("stack_rotated", "cover_card_inserted"):
        after = preparation.last("stack_rotated" if step == "stack_rotated" else "cover_card_inserted")
        if after is None or after[0] < last[0]:
            # Two of the texts put the second cover card at the bottom in the same breath.
            unclear = step == "cover_card_inserted" and case.duty("cover_card_at_bottom") is not None
            yield case.found(
                CUT_NOT_COMPLETED,
                fact("procedures.checks.stack_not_rotated", shoe=preparation.shoe)
                if step == "stack_rotated"
                else fact("procedures.checks.cover_card_not_inserted", shoe=preparation.shoe),
                (duty.cite,),
                who=f"shoe {preparation.shoe}, {step}",
                gaps=gaps,
                undetermined=unclear,
            )


def check_cover_card(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a cover card with too few cards behind it, as it was inserted or as it was reached.

    Where the text says approximately how deep it stands, the house's tolerance is taken off.
    """
    preparation = case.window.preparation
    if preparation is not None and (last := preparation.last("cover_card_inserted")) is not None:
        yield from _cover_card(case, last[1], f"shoe {preparation.shoe}")


def _cover_card(case: ProcedureCase, step: ProcedureStepTaken, who: str) -> Iterator[Raised]:
    least, part = case.duty("cover_card_least"), case.duty("cover_card_part")
    duty = least or part
    if duty is None:
        return
    if step.count is None or (least is None and step.total is None):
        yield case.found(
            COVER_CARD_TOO_LOW,
            fact("procedures.checks.cover_card_not_measured", shoe=who),
            (duty.cite,),
            who=who,
            undetermined=True,
        )
        return
    if least is not None:
        asked = Fraction(least.value)
    else:
        tolerance = case.settings.cover_card_tolerance if case.duty("cover_card_approximate") else 0
        asked = Fraction(duty.value) * (step.total or 0) - tolerance
    if step.count < asked:
        yield case.found(
            COVER_CARD_TOO_LOW,
            fact("procedures.checks.cover_card_too_low", shoe=who, behind=step.count, least=-(-asked // 1)),
            (duty.cite,),
            who=who,
        )
