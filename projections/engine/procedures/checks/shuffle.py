"""Were the cards shuffled before they were played, by whom the text asks, into one stack, and verified?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.account import Preparation
from projections.engine.procedures.case import ProcedureCase
from schemas.procedures import FLOORPERSON_OR_ABOVE
from schemas.values import Micros

CARDS_NOT_SHUFFLED: Final = Kind(
    "cards_not_shuffled",
    severity="critical",
    asks="Were the cards shuffled before they were put into the shoe?",
    false_positives="A shuffle that neither the pit terminal nor the shuffler reported.",
    sources=("pit",),
)
NOT_EACH_DEALER_SHUFFLED: Final = Kind(
    "not_each_dealer_shuffled",
    severity="medium",
    asks="Did each of the dealers shuffle the cards?",
    false_positives="A shuffle that was keyed in under another dealer's name.",
    sources=("pit",),
)
SHUFFLE_NOT_VERIFIED: Final = Kind(
    "shuffle_not_verified",
    severity="medium",
    asks="Did a floorperson verify the stack after a shuffle by hand?",
    false_positives="A look at the stack that was not keyed in.",
    sources=("pit",),
)
STACKS_NOT_ONE: Final = Kind(
    "stacks_not_one",
    severity="medium",
    asks="Did the shuffled cards come into one stack?",
    false_positives="A count of stacks that was keyed in wrongly.",
    sources=("pit",),
)
KINDS: Final = (CARDS_NOT_SHUFFLED, NOT_EACH_DEALER_SHUFFLED, SHUFFLE_NOT_VERIFIED, STACKS_NOT_ONE)

_DEALERS_LEAST: Final = 2  # "one or more of the dealers ... each of the dealers": Baccarat has two at least


def check_cards_shuffled(case: ProcedureCase) -> Iterator[Raised]:
    """Raise cards that were loaded without a shuffle since they were last played, or an incomplete one.

    Cards that are certified as shuffled need none before they are first played.
    """
    preparation, duty = case.window.preparation, case.duty("shuffle")
    if preparation is None or duty is None or "pit" not in case.sources:
        return
    shuffles = [(at, each) for at, each in preparation.steps("shuffled") if at <= preparation.ready]
    who = f"shoe {preparation.shoe}"
    if not shuffles:
        if preparation.is_opening and preparation.is_certified:
            return
        after = None if preparation.is_opening else case.duty("shuffle_after_shoe")
        yield case.found(
            CARDS_NOT_SHUFFLED,
            fact("procedures.checks.cards_not_shuffled", shoe=preparation.shoe),
            dict.fromkeys((duty.cite, *((after.cite,) if after is not None else ()))),
            who=who,
            gaps=case.unreported(preparation.since, preparation.opened, "pit", "shuffler"),
        )
        return
    by_hand = [each.by.name for _, each in shuffles if each.by is not None and each.by.role == "dealer"]
    if duty.value == "each_dealer":
        yield from _each_dealer(case, preparation, by_hand, shuffles[-1][0])
    if by_hand:
        yield from _verified(case, preparation, shuffles[-1][0])
    yield from _one_stack(case, preparation)


def _each_dealer(
    case: ProcedureCase, preparation: Preparation, by_hand: list[str], at: Micros
) -> Iterator[Raised]:
    """Raise a dealer who was there at the last shuffle and did none."""
    duty = case.duty("shuffle")
    people = preparation.at_table(at)
    idle = set(people.crew.dealers) - set(by_hand)
    lacking = len(idle) if people.crew.dealers else _DEALERS_LEAST - len(set(by_hand))
    if duty is None or lacking <= 0:
        return
    since = people.assigned_since(*idle) if idle else people.since
    yield case.found(
        NOT_EACH_DEALER_SHUFFLED,
        fact("procedures.checks.not_each_dealer_shuffled", shoe=preparation.shoe, lacking=lacking),
        (duty.cite,),
        who=f"shoe {preparation.shoe}",
        gaps=(
            *case.unreported(preparation.since, preparation.opened, "pit"),
            *case.unreported(since, preparation.opened, "terminal"),
        ),
        undetermined=not people.crew.dealers,
    )


def _verified(case: ProcedureCase, preparation: Preparation, shuffled: int) -> Iterator[Raised]:
    """Raise a stack that no floorperson looked at between the shuffle by hand and the cut."""
    duty = case.duty("shuffle_verified")
    if duty is None:
        return
    cut = preparation.last("cut_made")
    until = cut[0] if cut is not None else preparation.ready
    verified = [
        each
        for at, each in preparation.steps("shuffle_verified")
        if shuffled <= at <= until and each.by is not None and each.by.role in FLOORPERSON_OR_ABOVE
    ]
    if not verified:
        yield case.found(
            SHUFFLE_NOT_VERIFIED,
            fact("procedures.checks.shuffle_not_verified", shoe=preparation.shoe),
            (duty.cite,),
            who=f"shoe {preparation.shoe}",
            gaps=case.unreported(preparation.since, preparation.opened, "pit"),
        )


def _one_stack(case: ProcedureCase, preparation: Preparation) -> Iterator[Raised]:
    duty, last = case.duty("single_stack"), preparation.last("stacked")
    if duty is not None and last is not None and last[1].count not in (None, 1):
        yield case.found(
            STACKS_NOT_ONE,
            fact("procedures.checks.stacks_not_one", shoe=preparation.shoe, stacks=last[1].count),
            (duty.cite,),
            who=f"shoe {preparation.shoe}",
        )
