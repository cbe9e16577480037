"""Calls of a baccarat table's dealer: "no more bets", "cards", and the Point Counts of the four cards.

A table that never reported one of the last two since it opened is not asked for it.
"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import HandRef, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.curatorship import point_count
from projections.engine.procedures.round_steps import round_of
from schemas.events import WagersClosed

CARDS_NOT_CALLED: Final = Kind(
    "cards_not_called",
    severity="medium",
    asks='Was "cards" called after "no more bets" and before the first card?',
    false_positives="A call that was keyed in late.",
    sources=("pit",),
)
POINT_COUNT_WRONG: Final = Kind(
    "point_count_wrong",
    severity="medium",
    asks="Were the Point Counts of the first four cards announced rightly, before any third card?",
    false_positives="An announcement that was keyed in wrongly or late.",
    sources=("pit",),
)
DEALT_TOO_EARLY: Final = Kind(
    "dealt_too_early",
    severity="medium",
    asks='Was "no more bets" called before the first card?',
    false_positives="A call that was keyed in late.",
    sources=("terminal", "shoe"),
)
KINDS: Final = (CARDS_NOT_CALLED, POINT_COUNT_WRONG, DEALT_TOO_EARLY)

_FIRST_CARDS: Final = 4


def check_cards_called(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a first card before the call "cards", and that call before "no more bets"."""
    duty, played = case.duty("cards_called"), round_of(case)
    if duty is None or played is None or "cards_called" not in case.window.after.seen:
        return
    calls, drawn = played.steps("cards_called"), played.drawn()
    if not drawn:
        return
    closed = [at for at, _ in played.events(WagersClosed)]
    who = played.who
    gaps = case.unreported(played.since, case.window.until, "pit", "terminal", "shoe")
    if not calls or calls[0][0] > drawn[0][0] + case.uncertainty:
        message = fact("procedures.checks.cards_not_called", round=played.name)
        yield case.found(CARDS_NOT_CALLED, message, (duty.cite,), who=who, gaps=gaps)
    elif calls[0][0] > drawn[0][0] - case.uncertainty:
        message = fact("procedures.checks.cards_called_at_first_card", round=played.name)
        yield case.found(CARDS_NOT_CALLED, message, (duty.cite,), who=who, undetermined=True)
    elif closed and calls[0][0] + case.uncertainty < closed[0]:
        message = fact("procedures.checks.cards_called_early", round=played.name)
        yield case.found(CARDS_NOT_CALLED, message, (duty.cite,), who=who, gaps=gaps)


def check_bets_closed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a first card that left the shoe before "no more bets"."""
    duty, played = case.duty("bets_closed_first"), round_of(case)
    if duty is None or played is None:
        return
    drawn, closed = played.drawn(), [at for at, _ in played.events(WagersClosed)]
    if drawn and closed and drawn[0][0] + case.uncertainty < closed[0]:
        message = fact("procedures.checks.dealt_too_early", round=played.name)
        gaps = played.unreported("terminal")
        yield case.found(DEALT_TOO_EARLY, message, (duty.cite,), who=played.who, gaps=gaps)


def check_point_counts(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a Point Count of two cards that was announced wrongly, late, or not at all."""
    duty, played = case.duty("point_counts_called"), round_of(case)
    if duty is None or played is None or "point_count_announced" not in case.window.after.seen:
        return
    drawn = played.drawn()
    if len(drawn) < _FIRST_CARDS:
        return
    gaps = case.unreported(played.since, case.window.until, "pit", "shoe")
    third = drawn[_FIRST_CARDS][0] if len(drawn) > _FIRST_CARDS else None
    for hand in ("player", "banker"):
        who = f"{played.who}, {hand}"
        called = [(at, each) for at, each in played.steps("point_count_announced") if each.hand == hand]
        if not called:
            message = fact("procedures.checks.point_count_not_called", hand=HandRef(hand))
            yield case.found(POINT_COUNT_WRONG, message, (duty.cite,), who=who, gaps=gaps)
            continue
        at, first = called[0]
        if third is not None and at > third + case.uncertainty:
            message = fact("procedures.checks.point_count_late", hand=HandRef(hand))
            yield case.found(POINT_COUNT_WRONG, message, (duty.cite,), who=who, gaps=gaps)
        counted = point_count(tuple(each.card for _, each in drawn[:_FIRST_CARDS] if each.hand == hand))
        if counted is not None and first.count is not None and first.count != counted:
            message = fact(
                "procedures.checks.point_count_wrong", hand=HandRef(hand), called=first.count, counted=counted
            )
            yield case.found(POINT_COUNT_WRONG, message, (duty.cite,), who=who, gaps=gaps)
