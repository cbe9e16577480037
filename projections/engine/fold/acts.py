"""What was done in a round besides the dealing: each act with its words and its device's clock."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from projections.engine.fold.act_words import said
from projections.engine.fold.table_state import Building
from projections.engine.game import Game
from projections.engine.observation import Key, Move, key_of, who_of
from schemas.events import ChipsPlaced, ChipsRemoved, Event


class Act(Struct, frozen=True):
    """Something to be put into the play: its words, when by its device's clock, and after how many cards."""

    words: tuple[str, str]
    at: int
    device: str
    drawn: int | None = None


def acts_of(building: Building, game: Game, events: Sequence[Event]) -> list[Act]:
    """Return what was done besides the dealing of time, with moves of wagers that have their own."""
    acts = [Act(said(deed), deed.at, deed.device, deed.drawn) for deed in building.deeds]
    if not game.wagers_close:
        chips = [event for event in events if isinstance(event, ChipsPlaced | ChipsRemoved)]
        acts += [
            Act((f"seat{who_of(event.seat, event.bettor)}", f"{move} {event.wager}"), event.at, event.device)
            for event, move in moves(chips)
        ]
    return sorted(acts, key=lambda act: act.at)


def moves(events: Iterable[ChipsPlaced | ChipsRemoved]) -> Iterator[tuple[ChipsPlaced | ChipsRemoved, Move]]:
    """Say of each move of chips what it was to its wager."""
    on_spot: dict[Key, int] = {}
    for event in events:
        key = key_of(event)
        before = on_spot.get(key, 0)
        placed = isinstance(event, ChipsPlaced)
        on_spot[key] = before + event.cents if placed else before - event.cents
        move: Move = "increase" if before else "place"
        if not placed:
            move = "reduce" if on_spot[key] else "withdraw"
        yield event, move
