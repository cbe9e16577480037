"""What was done in a round besides cards and chips: each act, its words, and its defects."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from projections.engine.fold.table_state import Building
from projections.engine.game import Game
from projections.engine.observation import Key, Move, key_of, who_of
from schemas.events import (
    BankTaken,
    ChipsPlaced,
    ChipsRemoved,
    Deed,
    DiceRolled,
    Event,
    HandCalled,
    HandDecided,
    HandExposed,
    HandReset,
    MarkersCleared,
    NumberMarked,
    PayoutAdded,
    PayoutHanded,
    RangeIndicated,
    RollCancelled,
    ShooterNamed,
    TileLaid,
    TilesDealt,
)

# ── What was done in a round besides cards and chips, in the words of the round record ────────────────


def describe_deed(deed: Deed) -> tuple[str, str]:  # noqa: C901, PLR0911, PLR0912  one case an event
    """Tell a deed as `(who, what)`.

    Raises:
        TypeError: there are no words for this kind of event.

    >>> describe_deed(PayoutHanded(device="T", epoch=1, seq=9, at=0, round="1", seat=3, cents=6000))
    ('seat3', 'house_money_take')
    >>> describe_deed(DiceRolled(device="D", epoch=1, seq=9, at=0, round="1", dice="3-4"))
    ('dice', '3-4')
    """
    match deed:
        case HandDecided():
            return deed.hand, deed.decision
        case TileLaid():
            return deed.hand, deed.tile
        case TilesDealt():
            return deed.position, "deal"
        case DiceRolled():
            return "dice", deed.dice
        case HandCalled():
            return f"seat{deed.seat}", deed.result
        case RangeIndicated():
            return "dealer", deed.range
        case NumberMarked():
            return "dealer", f"mark {deed.number}"
        case MarkersCleared():
            return "dealer", "clear"
        case RollCancelled():
            return "dealer", "no_roll"
        case ShooterNamed():
            return "shooter", f"seat{deed.seat}"
        case BankTaken():
            return f"seat{deed.seat}", "co_bank" if deed.co_bank else "bank"
        case HandExposed():
            return deed.position, "exposed"
        case HandReset():
            return deed.position, "reset"
        case PayoutHanded():
            return f"seat{who_of(deed.seat, deed.bettor)}", f"{deed.wager}_take"
        case PayoutAdded():
            return f"seat{who_of(deed.seat, deed.bettor)}", f"{deed.wager}_add_{deed.to}"
        case _:
            raise TypeError(f"there are no words for {type(deed).__name__}")


# ── What was done in a round besides the dealing: each act with its words and its device's clock ──────


class Act(Struct, frozen=True):
    """Something to be put into the play: its words, when by its device's clock, and after how many cards."""

    words: tuple[str, str]
    at: int
    device: str
    drawn: int | None = None


def acts_of(building: Building, game: Game, events: Sequence[Event]) -> list[Act]:
    """Return what was done besides the dealing of time, with moves of wagers that have their own."""
    acts = [Act(describe_deed(deed), deed.at, deed.device, deed.drawn) for deed in building.deeds]
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
