"""The burn before a shoe is played, the cover card, the last hand, and the cards when the shoe is over."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import CardRef, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.account import Preparation
from projections.engine.procedures.case import ProcedureCase
from schemas.events import CardBurned, DealerAssigned, RoundOpened, ShoeLoaded
from schemas.procedures import FLOORPERSON_OR_ABOVE

BURN_WRONG: Final = Kind(
    "burn_wrong",
    severity="medium",
    asks="Were as many cards burned as the text asks for, and shown where it does?",
    false_positives="A burned card that the shoe counted as none, or as two.",
    sources=("pit", "shoe"),
)
LAST_HAND_NOT_ANNOUNCED: Final = Kind(
    "last_hand_not_announced",
    severity="medium",
    asks='Was "last hand" announced once the cover card was reached and the hand completed?',
    false_positives="A call that was not keyed in.",
    sources=("pit",),
)
PLAYED_PAST_COVER_CARD: Final = Kind(
    "played_past_cover_card",
    severity="medium",
    asks="Did the shoe end when the cover card was reached, after no more hands than the text admits?",
    false_positives="A cover card that was reported twice, or in the wrong round.",
    sources=("pit",),
)
LAST_HAND_NOT_PLAYED: Final = Kind(
    "last_hand_not_played",
    severity="medium",
    asks="Was one more hand played after the cover card, as the text says?",
    false_positives="A table that everybody had left.",
    sources=("pit",),
)
RESHUFFLE_WRONG: Final = Kind(
    "reshuffle_wrong",
    severity="medium",
    asks="Was a shuffle before the shoe's end ordered by a floorperson, and was it done?",
    false_positives="An order that was keyed in under another person's name.",
    sources=("pit",),
)
CARDS_NOT_COLLECTED: Final = Kind(
    "cards_not_collected",
    severity="critical",
    asks="Were all cards of the shoe put together after it, and was none missing?",
    false_positives="A count of the rack that was keyed in or measured wrongly.",
    sources=("pit",),
)
KINDS: Final = (
    BURN_WRONG,
    LAST_HAND_NOT_ANNOUNCED,
    PLAYED_PAST_COVER_CARD,
    LAST_HAND_NOT_PLAYED,
    RESHUFFLE_WRONG,
    CARDS_NOT_COLLECTED,
)

_TEN: Final = frozenset("TJQK")


def check_burn(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a burn of too few or too many cards, or of cards that were not shown."""
    by_value, one = case.duty("burn_by_value"), case.duty("burn_one")
    preparation = case.window.preparation
    if "pit" not in case.sources:
        return
    if by_value is not None and preparation is not None:
        yield from _burn_by_value(case, preparation)
    elif one is not None:
        yield from _burn_of_one(case)


def _burn_by_value(case: ProcedureCase, preparation: Preparation) -> Iterator[Raised]:
    """Compare the burn with the face value of its first card: an ace counts one, a ten to king ten."""
    duty, who = case.duty("burn_by_value"), f"shoe {preparation.shoe}"
    if duty is None:
        return
    burned = [
        entry.event
        for entry in preparation.entries
        if isinstance(entry.event, CardBurned) and entry.at >= preparation.ready
    ]
    gaps = case.unreported(preparation.since, preparation.opened, "shoe")
    rank = (burned[0].card or "?")[0] if burned else ""
    if rank in ("?", "0"):
        message = fact("procedures.checks.burn_not_read", shoe=preparation.shoe)
        yield case.found(BURN_WRONG, message, (duty.cite,), who=who, gaps=gaps, undetermined=True)
        return
    value = 1 if rank == "A" else 10 if rank in _TEN else int(rank or 0)
    required = 1 + value if burned else 2
    if len(burned) != required:
        message = fact(
            "procedures.checks.burn_wrong",
            shoe=preparation.shoe,
            burned=len(burned),
            asked=required,
            card=CardRef(burned[0].card or "??") if burned else None,
        )
        yield case.found(BURN_WRONG, message, (duty.cite,), who=who, gaps=gaps)
    elif case.duty("burn_shown") is not None and any(each.card is None for each in burned):
        message = fact("procedures.checks.burn_not_shown", shoe=preparation.shoe)
        yield case.found(BURN_WRONG, message, (duty.cite,), who=f"{who}, shown", gaps=gaps)


def _burn_of_one(case: ProcedureCase) -> Iterator[Raised]:
    """Check that one card is burned as a batch is loaded, and one for each dealer who comes to the table."""
    duty = case.duty("burn_one")
    opened = case.opened
    if duty is None or opened is None or not isinstance(opened.event, RoundOpened):
        return
    before = [entry.event for entry in case.window.entries if entry.at <= opened.at]
    burned = sum(isinstance(event, CardBurned) for event in before)
    loaded = any(isinstance(event, ShoeLoaded) for event in before)
    dealers = sum(isinstance(event, DealerAssigned) and event.round is None for event in before)
    least, most = (1, 1 + dealers) if loaded else (dealers, dealers)
    if not least <= burned <= most:
        message = fact(
            "procedures.checks.burn_of_one_wrong",
            round=opened.event.round,
            burned=burned,
            asked=least,
            dealers=dealers,
            is_loaded=int(loaded),
        )
        gaps = case.unreported(case.window.since, opened.at, "shoe", "terminal")
        yield case.found(BURN_WRONG, message, (duty.cite,), who=f"round {opened.event.round}", gaps=gaps)


def check_cover_card_reached(case: ProcedureCase) -> Iterator[Raised]:
    """Raise hands beyond those that the text admits after the cover card, and a call that was not made."""
    cover, duty = case.window.after.cover, case.duty("cover_card_end")
    if cover is None or duty is None:
        return
    cites = dict.fromkeys(each.cite for each in (duty, case.duty("reshuffle")) if each is not None)
    admitted = 1 if duty.value == "last_hand" else 0
    who = f"shoe {case.window.shoe}"
    if not case.window.has_round:
        return
    gaps = case.unreported(cover.at, case.window.until, "pit", "shuffler", "shoe")
    if cover.hands == admitted + 1:
        message = fact("procedures.checks.played_past_cover_card", shoe=case.window.shoe, hands=cover.hands)
        yield case.found(PLAYED_PAST_COVER_CARD, message, cites, who=who, gaps=gaps)
    if duty.value == "last_hand" and cover.hands == 1 and not cover.is_announced and "pit" in case.sources:
        message = fact("procedures.checks.last_hand_not_announced", shoe=case.window.shoe)
        yield case.found(LAST_HAND_NOT_ANNOUNCED, message, cites, who=who, gaps=gaps)


def check_last_hand(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a shoe that was replaced right after the cover card, without the one more hand."""
    preparation, duty = case.window.preparation, case.duty("cover_card_end")
    if preparation is None or duty is None or duty.value != "last_hand" or preparation.cover is None:
        return
    if preparation.cover.hands < 1:
        gaps = case.unreported(preparation.cover.at, preparation.opened, "terminal", "shoe")
        message = fact("procedures.checks.last_hand_not_played", shoe=preparation.preceding or "")
        who = f"shoe {preparation.preceding}"
        yield case.found(LAST_HAND_NOT_PLAYED, message, (duty.cite,), who=who, gaps=gaps)


def check_reshuffle_directed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise an order to shuffle by somebody below a floorperson, and one that play went on after."""
    duty = case.duty("reshuffle")
    if duty is None or "pit" not in case.sources:
        return
    opened = [at for at, _ in case.window.events(RoundOpened)]
    for at, event in case.window.steps("reshuffle_directed"):
        who = f"order at {at}"
        if event.by is None or event.by.role not in FLOORPERSON_OR_ABOVE:
            message = fact("procedures.checks.reshuffle_ordered_by_other", shoe=case.window.shoe)
            yield case.found(RESHUFFLE_WRONG, message, (duty.cite,), who=who)
        if case.window.preparation is None and opened and at + case.uncertainty < opened[0]:
            message = fact("procedures.checks.reshuffle_not_done", shoe=case.window.shoe)
            gaps = case.unreported(at, opened[0], "shoe")
            yield case.found(RESHUFFLE_WRONG, message, (duty.cite,), who=who, gaps=gaps)


def check_cards_collected(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a shoe whose cards were not put together after it, or of which cards are missing or too many."""
    preparation, duty = case.window.preparation, case.duty("cards_collected")
    if preparation is None or duty is None or preparation.preceding is None or "pit" not in case.sources:
        return
    who, shoe = f"shoe {preparation.preceding}", preparation.preceding
    last = next((each for _, each in preparation.steps("cards_collected")), None)
    if last is None:
        gaps = case.unreported(preparation.since, preparation.opened, "pit", "shuffler")
        message = fact("procedures.checks.cards_not_collected", shoe=shoe)
        yield case.found(CARDS_NOT_COLLECTED, message, (duty.cite,), who=who, gaps=gaps)
    elif last.count is not None:
        required = last.total if last.total is not None else case.decks * duty.value
        if last.count != required:
            message = fact("procedures.checks.cards_missing", shoe=shoe, counted=last.count, asked=required)
            yield case.found(CARDS_NOT_COLLECTED, message, (duty.cite,), who=who)
