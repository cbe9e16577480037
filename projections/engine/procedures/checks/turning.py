"""Turning of a Baccarat hand: how its cards are laid, who turns them, how they leave the layout."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import HandRef, Word, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.checks.curator import seats_after
from projections.engine.procedures.round_steps import PlayedRound, round_of
from schemas.events import TilesDealt
from schemas.procedures import FLOORPERSON_OR_ABOVE

DEALT_OTHERWISE: Final = Kind(
    "dealt_otherwise",
    severity="medium",
    asks="Were the cards laid in the way of the Rules Submission, and the Banker's Hand under the shoe?",
    false_positives="A card of which the wrong side was keyed in; a way that the house file has wrongly.",
    sources=("pit",),
)
TURNED_BY_OTHER: Final = Kind(
    "turned_by_other",
    severity="medium",
    asks="Were the cards of each hand handed to the player with the highest wager on it?",
    false_positives="A seat that was keyed in wrongly; a wager that the chip reader did not read.",
    sources=("pit", "chips"),
)
TURN_OFFER_WRONG: Final = Kind(
    "turn_offer_wrong",
    severity="medium",
    asks="Was the right to turn the cards taken by who may take it, and offered on counterclockwise?",
    false_positives="An offer that was not keyed in.",
    sources=("pit",),
)
CARDS_NOT_CLEARED: Final = Kind(
    "cards_not_cleared",
    severity="medium",
    asks="Did all cards or tiles of the round leave the layout, in order where the text says so?",
    false_positives="A count of the rack that was keyed in or measured wrongly.",
    sources=("pit", "tiles"),
)
KINDS: Final = (DEALT_OTHERWISE, TURNED_BY_OTHER, TURN_OFFER_WRONG, CARDS_NOT_CLEARED)

_HANDS: Final = ("player", "banker")
_FIRST_CARDS: Final = 4
_TILES_IN_STACK: Final = 4


def check_dealing(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a card that was laid with the wrong side up, and a Banker's Hand that did not wait."""
    duty, played = case.duty("dealing"), round_of(case)
    way = case.settings.dealing.get(case.law.chapter)
    if duty is None or played is None or way not in duty.value:
        return
    cite = duty.value[way]
    wrong_side = "down" if way == "face_up" else "up"
    laid = [step for _, step in played.steps("card_laid")][:_FIRST_CARDS]
    if any(step.face == wrong_side for step in laid):
        message = fact("procedures.checks.laid_otherwise", round=played.name, face=Word(wrong_side))
        # With a card unreported a third one may stand among the first four.
        gaps = played.unreported("pit")
        yield case.found(DEALT_OTHERWISE, message, (cite,), who=f"{played.who}, side", gaps=gaps)
    if way != "face_up" and "hand_tucked" in case.window.after.seen:
        tucked = case.duty("banker_tucked")
        cite = tucked.cite if tucked is not None else cite
        steps = played.steps("point_count_announced", "hand_passed")
        until = min([at for at, _ in steps], default=played.until)
        if not any(at <= until + case.uncertainty for at, _ in played.steps("hand_tucked")):
            message = fact("procedures.checks.banker_not_tucked", round=played.name)
            yield case.found(
                DEALT_OTHERWISE, message, (cite,), who=f"{played.who}, shoe", gaps=played.unreported("pit")
            )


def check_turning(case: ProcedureCase) -> Iterator[Raised]:
    """Raise cards that were handed to another than the highest wager's player, or to nobody.

    It applies to a table that has handed cards to players since it opened.
    """
    played = round_of(case)
    if played is None or "hand_passed" not in case.window.after.seen or len(played.drawn()) < _FIRST_CARDS:
        return
    for hand in _HANDS:
        yield from _turned(case, played, hand)
        yield from _third_card(case, played, hand)
        yield from _returned(case, played, hand)


def _turned(case: ProcedureCase, played: PlayedRound, hand: str) -> Iterator[Raised]:
    """Check that the two cards of a hand went to the highest wager, or of equal ones to the lowest seat."""
    passed = next(((at, step.seat) for at, step in played.steps("hand_passed") if step.hand == hand), None)
    wagers = played.wagers(hand, until=passed[0] if passed is not None else None)
    most = max(wagers.values(), default=0)
    highest = sorted({seat for (seat, _), cents in wagers.items() if cents == most})
    duty, nobody = case.duty(f"{hand}_turned"), case.duty("no_wager_turned")
    equal = case.duty("equal_turned")
    if any(step.hand == hand for _, step in played.steps("turn_relinquished")):
        return  # then it is offered on, by another provision
    gaps, who = played.unreported("pit", "chips"), f"{played.who}, {hand}"
    seat, due = _seat(passed[1] if passed is not None else None), _seat(highest[0] if highest else None)
    if not highest:
        clause = nobody if passed is not None else None
        message = fact("procedures.checks.turned_without_wager", hand=HandRef(hand), seat=seat)
    elif passed is None:
        clause = duty
        message = fact("procedures.checks.hand_not_passed", hand=HandRef(hand), due=due)
    elif passed[1] not in highest:
        clause = duty
        message = fact("procedures.checks.turned_by_lower", hand=HandRef(hand), seat=seat, due=due)
    else:
        clause = equal if passed[1] != highest[0] else None
        message = fact("procedures.checks.turned_by_farther", hand=HandRef(hand), seat=seat, due=due)
    if clause is not None:
        # Where nobody wagered no seat is right; otherwise one that was not reported may be the right one.
        is_unnamed = bool(highest) and passed is not None and passed[1] is None
        doubtful = is_unnamed or played.are_wagers_doubtful(hand)
        yield case.found(TURNED_BY_OTHER, message, (clause.cite,), who=who, gaps=gaps, undetermined=doubtful)


def _seat(seat: int | None) -> HandRef | None:
    return HandRef(f"seat{seat}") if seat is not None else None


def _third_card(case: ProcedureCase, played: PlayedRound, hand: str) -> Iterator[Raised]:
    """Check that a third card went to the player who had turned the hand.

    That it went to anybody is required of a table that has handed one on since it opened.
    """
    duty = case.duty(f"{hand}_third_turned")
    passed = [step.seat for _, step in played.steps("hand_passed") if step.hand == hand]
    if duty is None or not passed or played.steps("turn_relinquished"):
        return
    who = f"{played.who}, {hand}, third card"
    handed = [step for _, step in played.steps("third_card_passed") if step.hand == hand]
    has_third = sum(each.hand == hand for _, each in played.drawn()) > _FIRST_CARDS // 2
    if has_third and not handed and "third_card_passed" in case.window.after.seen:
        message = fact("procedures.checks.third_card_not_passed", hand=HandRef(hand), due=_seat(passed[-1]))
        gaps = played.unreported("pit", "shoe")
        yield case.found(TURNED_BY_OTHER, message, (duty.cite,), who=who, gaps=gaps)
    for step in handed:
        if step.seat != passed[-1]:
            message = fact(
                "procedures.checks.third_card_to_other",
                hand=HandRef(hand),
                seat=_seat(step.seat),
                due=_seat(passed[-1]),
            )
            yield case.found(
                TURNED_BY_OTHER,
                message,
                (duty.cite,),
                who=who,
                gaps=played.unreported("pit"),
                undetermined=None in (step.seat, passed[-1]),
            )


def _returned(case: ProcedureCase, played: PlayedRound, hand: str) -> Iterator[Raised]:
    """Check that the cards came back face up."""
    duty = case.duty(f"{hand}_turned")
    if duty is not None and any(
        step.hand == hand and step.face == "down" for _, step in played.steps("hand_returned")
    ):
        message = fact("procedures.checks.returned_face_down", hand=HandRef(hand))
        yield case.found(TURNED_BY_OTHER, message, (duty.cite,), who=f"{played.who}, {hand}, returned")


def check_turn_offered(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a right to turn that was taken by who may not, or not offered to the next on the right."""
    duty, played = case.duty("turn_relinquished"), round_of(case)
    if duty is None or played is None:
        return
    for at, step in played.steps("turn_relinquished"):
        who = f"{played.who}, right to turn"
        if step.by is not None and step.by.role != "dealer" and step.by.role not in FLOORPERSON_OR_ABOVE:
            message = fact("procedures.checks.turn_taken_by_other", round=played.name)
            yield case.found(TURN_OFFER_WRONG, message, (duty.cite,), who=f"{who}, taken")
        if step.seat is None:
            continue
        order = seats_after(step.seat, sorted(played.people(at).seats - {step.seat}))
        later = [
            each
            for moment, each in played.steps("turn_offered", "hand_passed")
            if moment >= at and each.hand == step.hand
        ]
        offered = list(dict.fromkeys(each.seat for each in later if each.seat is not None))
        is_taken = any(each.step == "hand_passed" for each in later)
        if offered != (order[: len(offered)] if is_taken else order):
            message = fact(
                "procedures.checks.turn_offer_wrong",
                offered=listed(*(HandRef(f"seat{seat}") for seat in offered)),
                order=listed(*(HandRef(f"seat{seat}") for seat in order)),
            )
            since = played.people(at).since
            gaps = (*played.unreported("pit"), *case.unreported(since, played.until, "terminal"))
            yield case.found(TURN_OFFER_WRONG, message, (duty.cite,), who=who, gaps=gaps)


def check_cards_cleared(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a round whose cards or tiles did not all leave the layout, or in an order that mixes hands."""
    duty, played = case.duty("cards_cleared"), round_of(case)
    if duty is None or played is None or "cards_cleared" not in case.window.after.seen:
        return
    steps, tiles = played.steps("cards_cleared"), _TILES_IN_STACK * len(list(played.events(TilesDealt)))
    drawn, is_tiles = tiles or len(played.drawn()), int(tiles > 0)
    gaps = played.unreported("pit", "tiles" if tiles else "shoe")
    if not steps:
        message = fact("procedures.checks.cards_not_cleared", round=played.name, is_tiles=is_tiles)
        yield case.found(CARDS_NOT_CLEARED, message, (duty.cite,), who=played.who, gaps=gaps)
        return
    last = steps[-1][1]
    if last.count is not None and last.count != drawn:
        message = fact(
            "procedures.checks.cards_cleared_wrong",
            round=played.name,
            count=last.count,
            drawn=drawn,
            is_tiles=is_tiles,
        )
        yield case.found(CARDS_NOT_CLEARED, message, (duty.cite,), who=played.who, gaps=gaps)
    if duty.value == "in_order" and last.manner == "out_of_order":
        message = fact("procedures.checks.cards_out_of_order", round=played.name, is_tiles=is_tiles)
        yield case.found(CARDS_NOT_CLEARED, message, (duty.cite,), who=f"{played.who}, order")
