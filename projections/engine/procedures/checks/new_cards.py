"""Were the cards that came to the table inspected, shown to the first player, washed and stacked?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.account import Preparation
from projections.engine.procedures.case import ProcedureCase
from schemas.events import ItemInspected, PlayerSeated
from schemas.procedures import FLOORPERSON_OR_ABOVE, ProcedureStep
from schemas.values import Micros

CARDS_NOT_INSPECTED: Final = Kind(
    "cards_not_inspected",
    severity="medium",
    asks="Did a dealer inspect the cards that came to the table, and a floorperson verify it?",
    false_positives="An inspection that the pit terminal was not told of.",
    sources=("pit", "cards"),
)
DEFECTIVE_CARDS_PLAYED: Final = Kind(
    "defective_cards_played",
    severity="critical",
    asks="Were cards in which the dealer found a defect kept out of play?",
    false_positives="A deck that was replaced without its replacement being reported.",
    sources=("pit", "cards"),
)
TENS_NOT_REMOVED: Final = Kind(
    "tens_not_removed",
    severity="critical",
    asks="Were all 10s taken out of decks that came with them?",
    false_positives="A count of 10s that was keyed in wrongly.",
    sources=("pit", "cards"),
)
CARDS_NOT_SPREAD: Final = Kind(
    "cards_not_spread",
    severity="medium",
    asks="Were the cards spread face up, in the shape that the text names, before they were washed?",
    false_positives="A spread that the pit terminal was not told of.",
    sources=("pit", "cards"),
)
CARDS_TURNED_EARLY: Final = Kind(
    "cards_turned_early",
    severity="medium",
    asks="Could the first player look at the cards before they were turned down and washed?",
    false_positives="A player who stood at the table and was keyed in as seated only later.",
    sources=("pit", "cards"),
)
OPENING_STEP_MISSING: Final = Kind(
    "opening_step_missing",
    severity="medium",
    asks="Were the cards turned down, washed and stacked, in this order?",
    false_positives="A step that the pit terminal was not told of.",
    sources=("pit", "cards"),
)
KINDS: Final = (
    CARDS_NOT_INSPECTED,
    DEFECTIVE_CARDS_PLAYED,
    TENS_NOT_REMOVED,
    CARDS_NOT_SPREAD,
    CARDS_TURNED_EARLY,
    OPENING_STEP_MISSING,
)

_WITH_TENS: Final = 52  # cards of a deck from which nothing was taken out


def _opening(case: ProcedureCase) -> Preparation | None:
    """Return the preparation of cards that are new to the table; None if there is nothing to check."""
    preparation = case.window.preparation
    if preparation is None or "pit" not in case.sources or not preparation.is_opening:
        return None
    return preparation


def check_cards_inspected(case: ProcedureCase) -> Iterator[Raised]:
    """Raise cards that no dealer inspected or no floorperson verified, and defective ones that were played.

    Cards that are certified as inspected are exempt if the text exempts them.
    """
    preparation, duty = _opening(case), case.duty("cards_inspected")
    if preparation is None or duty is None:
        return
    if preparation.is_certified and case.duty("certificate_spares_inspection") is not None:
        return
    who, shoe = f"shoe {preparation.shoe}", preparation.shoe
    gaps = case.unreported(preparation.since, preparation.opened, "pit")
    inspections = [
        entry.event
        for entry in preparation.entries
        if isinstance(entry.event, ItemInspected) and entry.event.kind == "cards"
    ]
    by_dealers = [each for each in inspections if each.by.role == "dealer"]
    if not by_dealers:
        message = fact("procedures.checks.cards_not_inspected", shoe=shoe)
        yield case.found(CARDS_NOT_INSPECTED, message, (duty.cite,), who=who, gaps=gaps)
    elif not any(_is_verified(each) for each in by_dealers):
        message = fact("procedures.checks.inspection_not_verified", shoe=shoe)
        verified = case.duty("inspection_verified") or duty
        yield case.found(CARDS_NOT_INSPECTED, message, (verified.cite,), who=who, gaps=gaps)
    elif duty.value == "each_deck" and sum(_decks_of(each) for each in by_dealers) < case.decks:
        message = fact(
            "procedures.checks.decks_not_each_inspected",
            shoe=shoe,
            inspected=sum(_decks_of(each) for each in by_dealers),
            decks=case.decks,
        )
        yield case.found(CARDS_NOT_INSPECTED, message, (duty.cite,), who=who, undetermined=True)
    last = {each.item: each for each in inspections}
    for item, each in last.items():
        if not each.passed:
            message = fact("procedures.checks.defective_cards_played", shoe=shoe, item=item)
            yield case.found(DEFECTIVE_CARDS_PLAYED, message, (duty.cite,), who=f"{who}, {item}", gaps=gaps)


def check_tens_removed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise decks that came with their 10s, some of which were not removed at the inspection."""
    preparation, duty = _opening(case), case.duty("tens_removed")
    if preparation is None or duty is None:
        return
    came = [each.figures for _, each in preparation.receipts()]
    decks = sum(each.get("decks", case.decks) for each in came if each.get("cards_per_deck") == _WITH_TENS)
    removed = sum(
        entry.event.figures.get("tens_removed", 0)
        for entry in preparation.entries
        if isinstance(entry.event, ItemInspected)
    )
    if decks and removed != duty.value * decks:
        message = fact(
            "procedures.checks.tens_not_removed",
            shoe=preparation.shoe,
            removed=removed,
            asked=duty.value * decks,
        )
        gaps = case.unreported(preparation.since, preparation.opened, "pit")
        yield case.found(TENS_NOT_REMOVED, message, (duty.cite,), who=f"shoe {preparation.shoe}", gaps=gaps)


def _is_verified(inspection: ItemInspected) -> bool:
    """Return True if a floorperson or above, another person than the dealer, verified an inspection."""
    verifier = inspection.verified_by
    return (
        verifier is not None and verifier.role in FLOORPERSON_OR_ABOVE and verifier.name != inspection.by.name
    )


def _decks_of(inspection: ItemInspected) -> int:
    return inspection.figures.get("decks", 1)


def check_cards_spread(case: ProcedureCase) -> Iterator[Raised]:
    """Raise cards that were not spread face up before they were washed, or in another shape.

    Cards that are certified as inspected are exempt if the text exempts them from the spread.
    """
    preparation, duty = _opening(case), case.duty("cards_spread")
    if preparation is None or duty is None:
        return
    if preparation.is_certified and case.duty("certificate_spares_spread") is not None:
        return
    who, shoe = f"shoe {preparation.shoe}", preparation.shoe
    washed = preparation.last("washed")
    until = washed[0] if washed is not None else preparation.ready
    spreads = [each for at, each in preparation.steps("spread") if each.face == "up" and at <= until]
    if not spreads:
        yield case.found(
            CARDS_NOT_SPREAD,
            fact("procedures.checks.cards_not_spread", shoe=shoe),
            (duty.cite,),
            who=who,
            gaps=case.unreported(preparation.since, preparation.opened, "pit"),
        )
    elif spreads[-1].manner not in (None, duty.value):
        message = fact(
            "procedures.checks.cards_spread_otherwise",
            shoe=shoe,
            manner=Word(spreads[-1].manner or ""),
            asked=Word(duty.value),
        )
        yield case.found(CARDS_NOT_SPREAD, message, (duty.cite,), who=who)


def check_cards_washed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a step between spreading and shuffling that was not reported or came out of order.

    Before the cards are turned down somebody has to sit at the table.
    """
    preparation, duty = _opening(case), case.duty("cards_washed")
    if preparation is None or duty is None:
        return
    if preparation.is_certified and case.duty("certificate_spares_wash") is not None:
        return
    gaps = case.unreported(preparation.since, preparation.opened, "pit")
    names: tuple[ProcedureStep, ...] = ("turned", "washed", "stacked")
    reached: Micros = 0
    for name in names:
        at = next((at for at, _ in preparation.steps(name) if at >= reached), None)
        if at is None:
            message = fact("procedures.checks.opening_step_missing", shoe=preparation.shoe, step=Word(name))
            who = f"shoe {preparation.shoe}, {name}"
            yield case.found(OPENING_STEP_MISSING, message, (duty.cite,), who=who, gaps=gaps)
        else:
            reached = at
            if name != "stacked":
                yield from _turned_early(case, preparation, at, name)


def _turned_early(
    case: ProcedureCase, preparation: Preparation, at: Micros, step: ProcedureStep
) -> Iterator[Raised]:
    """Raise cards that were turned or washed while nobody sat at the table."""
    duty = case.duty("cards_washed")
    if duty is None or preparation.at_table(at + case.uncertainty).seats:
        if duty is not None and not preparation.at_table(at - case.uncertainty).seats:
            message = fact(
                "procedures.checks.cards_turned_at_arrival", shoe=preparation.shoe, step=Word(step)
            )
            who = f"shoe {preparation.shoe}, {step}"
            yield case.found(CARDS_TURNED_EARLY, message, (duty.cite,), who=who, undetermined=True)
        return
    seated = any(isinstance(entry.event, PlayerSeated) for entry in preparation.entries)
    yield case.found(
        CARDS_TURNED_EARLY,
        fact("procedures.checks.cards_turned_early", shoe=preparation.shoe, step=Word(step)),
        (duty.cite,),
        who=f"shoe {preparation.shoe}, {step}",
        gaps=case.unreported(preparation.since, preparation.opened, "terminal"),
        undetermined=not seated,  # a game is played by somebody: who sat down was not keyed in
    )
