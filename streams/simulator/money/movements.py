"""What each thing that happens at a table does to the chips in its tray."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from schemas import events
from schemas.events import Reported
from streams.simulator.script import Happening

_DEALER: Final = (
    0  # what he wagers lies outside the tray while the round is on, and moves as the other seats' chips
)

_MOVES: Final[Mapping[type[Reported], Callable[[dict[str, Any]], int]]] = {
    events.ChipsBought: lambda told: -told["cents"],
    events.CounterCheckTaken: lambda told: -told["cents"],
    events.ChipsPaid: lambda told: -told["cents"] if told["seat"] != _DEALER else 0,
    events.ChipsCollected: lambda told: told["cents"] if told["seat"] != _DEALER else 0,
    events.PayoutHanded: lambda told: -told["cents"],
    events.PayoutAdded: lambda told: -told["cents"] - told.get("handed_cents", 0),
    events.VigorishCollected: lambda told: told["cents"],
    events.MarkerButtonRemoved: lambda told: told["cents"],
    events.SettlementAdjusted: lambda told: told.get("vigorish_cents", 0) - told["cents"],
}


def into_tray(happened: Happening) -> int:
    """Return the cents that came into the tray, negative for what left it.

    What a slip brings or takes is booked where the slip is written.
    """
    moves = _MOVES.get(happened.kind)
    return moves(happened.fields) if moves is not None else 0
