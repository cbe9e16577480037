"""Blackjack tables: the hole card in the reader, spoken wagers, and boxes of one player at any table."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import HandRef, Word, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.round_steps import PlayedRound, round_of
from schemas.events import (
    ChipsBought,
    ChipsPlaced,
    ChipsRemoved,
    HandDecided,
    NoticeGiven,
    RoundVoided,
)
from schemas.procedures import FLOORPERSON_OR_ABOVE
from schemas.values import Micros

HOLE_CARD_READING_WRONG: Final = Kind(
    "hole_card_reading_wrong",
    severity="medium",
    asks="Was the hole card read when the text asks for it, and a reading without cause dealt with?",
    false_positives="A reading that the pit terminal was not told of, or told late.",
    sources=("pit",),
)
VERBAL_WAGER_WRONG: Final = Kind(
    "verbal_wager_wrong",
    severity="medium",
    asks="Was a spoken wager admitted and confirmed by those who must, and its cash turned into chips?",
    false_positives="An exchange at another seat; a confirmation that was not keyed in.",
    sources=("pit",),
)
WAGER_HANDLED: Final = Kind(
    "wager_handled",
    severity="critical",
    asks="Did insurance, doubles and splits stay as they were made until they were decided?",
    false_positives="Chips that a dealer straightened, read as taken back.",
    sources=("pit", "chips"),
)
TOO_MANY_BOXES: Final = Kind(
    "too_many_boxes",
    severity="medium",
    asks="Did one player wager on no more adjacent boxes than the Rules Submission admits?",
    false_positives="Two persons under one name.",
    sources=("pit", "chips"),
)
KINDS: Final = (
    HOLE_CARD_READING_WRONG,
    VERBAL_WAGER_WRONG,
    WAGER_HANDLED,
    TOO_MANY_BOXES,
)

_READ_WITH: Final = frozenset("AKQJ")
_HANDLED: Final = ("insurance", "double_down")
_RESCUE: Final = "rescue"


def check_hole_card_read(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a hole card that was not read before a further card, or was read without cause.

    It is asked of a table that has reported such a reading since it opened.
    """
    duty, misuse = case.duty("hole_card_read"), case.duty("hole_card_misread")
    played = round_of(case, void=True)
    if duty is None or played is None or "hole_card_read" not in case.window.after.seen:
        return
    dealt = played.drawn()
    own = [place for place, (_, each) in enumerate(dealt) if each.hand == "dealer"]
    if len(own) < 2 or dealt[own[0]][1].card[0] not in "23456789AKQJ":  # noqa: PLR2004  up card and hole card
        return
    is_due, hole_at = dealt[own[0]][1].card[0] in _READ_WITH, dealt[own[1]][0]
    following = [at for at, each in dealt if at > hole_at]
    next_card = following[0] if following else None
    reads = [at for at, _ in played.steps("hole_card_read")]
    gaps = played.unreported("pit", "shuffler", "shoe")
    if is_due and next_card is not None and not any(at <= next_card + case.uncertainty for at in reads):
        message = fact("procedures.checks.hole_card_not_read", round=played.name)
        yield case.found(HOLE_CARD_READING_WRONG, message, (duty.cite,), who=played.who, gaps=gaps)
    elif not is_due and reads and misuse is not None:
        yield from _misread(case, played, reads[0], next_card)


def _misread(
    case: ProcedureCase, played: PlayedRound, read: Micros, next_card: Micros | None
) -> Iterator[Raised]:
    """Require that a floorperson was notified, and a void round only if a player could see the card."""
    notified, visible, hidden = (case.duty(f"hole_card_{name}") for name in ("misread", "shown", "hidden"))
    until = next_card if next_card is not None else played.until
    notices = [
        at
        for at, notice in played.events(NoticeGiven)
        if notice.notice == "misuse" and notice.to in FLOORPERSON_OR_ABOVE and read <= at
    ]
    gaps = played.unreported("pit")
    if notified is not None and not any(at <= until + case.uncertainty for at in notices):
        message = fact("procedures.checks.reading_not_notified", round=played.name)
        yield case.found(HOLE_CARD_READING_WRONG, message, (notified.cite,), who=played.who, gaps=gaps)
    is_shown, is_void = case.settings.reader_shows_hole_card, any(played.events(RoundVoided))
    clause = visible if is_shown else hidden
    if is_shown is not None and clause is not None and is_void is not is_shown:
        message = (
            fact("procedures.checks.play_continued", round=played.name)
            if is_shown
            else fact("procedures.checks.play_not_continued", round=played.name)
        )
        who = f"{played.who}, play"
        yield case.found(HOLE_CARD_READING_WRONG, message, (clause.cite,), who=who, gaps=gaps)


def check_verbal_wagers(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a spoken wager that lacks the confirmation of either, or whose cash never became chips."""
    duty, converted = case.duty("verbal_wager_confirmed"), case.duty("verbal_wager_converted")
    played = round_of(case)
    if duty is None or converted is None or played is None:
        return
    by = case.duty("verbal_wager_by")
    confirming = by.value if by is not None else ("dealer", "floorperson")
    confirmed: dict[tuple[int, str], list[tuple[Micros, str]]] = {}
    for at, step in played.steps("verbal_wager_confirmed"):
        if step.seat is not None and step.by is not None:
            wager = step.manner if step.manner is not None and step.manner in duty.value else "wager"
            role = "floorperson" if step.by.role in FLOORPERSON_OR_ABOVE else step.by.role
            confirmed.setdefault((step.seat, wager), []).append((at, role))
    for (seat, wager), steps in confirmed.items():
        who = f"{played.who}, seat {seat}, {wager}"
        lacking = [role for role in confirming if role not in [each for _, each in steps]]
        if lacking:
            message = fact(
                "procedures.checks.verbal_wager_not_confirmed",
                seat=HandRef(f"seat{seat}"),
                roles=listed(*(Word(role) for role in lacking)),
            )
            gaps = played.unreported("pit")
            yield case.found(VERBAL_WAGER_WRONG, message, (duty.value[wager],), who=who, gaps=gaps)
        if not any(each.seat == seat and at >= steps[0][0] for at, each in played.events(ChipsBought)):
            message = fact("procedures.checks.cash_not_converted", seat=HandRef(f"seat{seat}"))
            gaps = played.unreported("pit")
            cites = (converted.value[wager],)
            yield case.found(VERBAL_WAGER_WRONG, message, cites, who=f"{who}, cash", gaps=gaps)


def check_no_verbal_wagers(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a spoken wager where the text admits none."""
    duty, played = case.duty("verbal_wager_barred"), round_of(case)
    if duty is None or played is None:
        return
    for seat in dict.fromkeys(step.seat for _, step in played.steps("verbal_wager_confirmed")):
        message = fact("procedures.checks.verbal_wager_barred", round=played.name)
        yield case.found(VERBAL_WAGER_WRONG, message, (duty.cite,), who=f"{played.who}, seat {seat}")


def check_wagers_handled(case: ProcedureCase) -> Iterator[Raised]:
    """Raise insurance, a double or a split's stake that was taken back after the next card."""
    duty, played = case.duty("stakes_confirmed"), round_of(case)
    if duty is None or played is None:
        return
    cards = [at for at, _ in played.drawn()]
    rescued = {step.hand for _, step in played.events(HandDecided) if step.decision == _RESCUE}
    for at, removed in played.events(ChipsRemoved):
        hand = removed.hand or f"seat{removed.seat}"
        if removed.wager not in _HANDLED and removed.hand is None:
            continue
        placed = [
            moment
            for moment, each in played.events(ChipsPlaced)
            if (each.seat, each.wager, each.hand) == (removed.seat, removed.wager, removed.hand)
        ]
        # A card after it shows that the dealer had confirmed it; a rescue gives the double back.
        if hand in rescued or not any(max(placed, default=0) < card < at for card in cards):
            continue
        message = fact("procedures.checks.wager_handled", wager=Word(removed.wager), round=played.name)
        who = f"{played.who}, seat {removed.seat}, {removed.wager}"
        yield case.found(WAGER_HANDLED, message, (duty.cite,), who=who)


def check_boxes(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a player who wagered on more boxes than one may, or on boxes that do not adjoin."""
    duty, played = case.duty("adjacent_boxes"), round_of(case)
    most = case.settings.adjacent_boxes.get(case.law.chapter)
    if duty is None or played is None:
        return
    if most is None or (duty.value is not None and most > duty.value):
        most = duty.value
    if most is None:
        return  # the Rules Submission is not in the house file
    people = played.people(played.since)
    wagered = {each.seat for _, each in played.events(ChipsPlaced) if each.seat}
    boxes: dict[str, list[int]] = {}
    for seat, patron in sorted(people.patrons):
        if seat in wagered:
            boxes.setdefault(patron, []).append(seat)
    for seats in boxes.values():
        if len(seats) > most or seats[-1] - seats[0] >= len(seats):
            message = fact(
                "procedures.checks.too_many_boxes",
                seats=listed(*(HandRef(f"seat{seat}") for seat in seats)),
                most=most,
            )
            who = f"{played.who}, seat {seats[0]}"
            since = people.seated_since(*seats)
            gaps = (*case.unreported(since, played.until, "terminal"), *played.unreported("chips"))
            yield case.found(TOO_MANY_BOXES, message, (duty.cite,), who=who, gaps=gaps)
