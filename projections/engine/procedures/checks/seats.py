"""Did only seated players wager, and stay until the round was over?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import HandRef, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.round_steps import round_of
from schemas.events import ChipsPlaced, PlayerLeft, TableOpened

WAGER_UNSEATED: Final = Kind(
    "wager_unseated",
    severity="medium",
    asks="Was each wager made by a player who sat at the table, and stayed until the round was over?",
    false_positives="A person who was not keyed in as seated, or was keyed in at another seat.",
    sources=("chips",),
)
KINDS: Final = (WAGER_UNSEATED,)


def check_seated(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a wager of a seat at which nobody sits, and a player who left while his wager was open.

    It applies to a table that was seen to open, so that all seated patrons are known, with at least one of
    them.
    """
    duty, played = case.duty("seated_players"), round_of(case)
    if duty is None or played is None or case.game not in (duty.value["games"] or (case.game,)):
        return
    if not (case.window.before.posts.is_open or any(played.events(TableOpened))):
        return
    present, wagered = case.window.before.people, set[int]()
    for entry in case.window.entries:
        match entry.event:
            case ChipsPlaced(seat=seat) if seat and seat not in wagered:
                wagered.add(seat)
                is_wrong = bool(present.seats) and seat not in present.seats
                message = fact("procedures.checks.wager_unseated", seat=HandRef(f"seat{seat}"))
            case PlayerLeft(seat=seat, bettor=None) if duty.value["stays"]:
                is_wrong = seat in wagered and entry.at < played.until
                message = fact("procedures.checks.left_with_wager", seat=HandRef(f"seat{seat}"))
            case _:
                seat, is_wrong = 0, False
        if is_wrong:
            who, since = f"{played.who}, seat {seat}", present.seated_since(seat)
            gaps = (*case.unreported(since, played.until, "terminal"), *played.unreported("chips"))
            yield case.found(WAGER_UNSEATED, message, (duty.cite,), who=who, gaps=gaps)
        present = present.after(entry.event)
