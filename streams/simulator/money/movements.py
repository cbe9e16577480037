"""Chip movements in the tray of each act at a table."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from schemas import events
from schemas.events import Reported
from streams.simulator.script import Happening

_DEALER: Final = (
    0  # the bank's wager is outside the tray during the round, and moves as the other seats' chips
)

_MOVES: Final[Mapping[type[Reported], Callable[[dict[str, Any]], int]]] = {
    events.ChipsBought: lambda fields: -fields["cents"],
    events.CounterCheckTaken: lambda fields: -fields["cents"],
    events.ChipsPaid: lambda fields: -fields["cents"] if fields["seat"] != _DEALER else 0,
    events.ChipsCollected: lambda fields: fields["cents"] if fields["seat"] != _DEALER else 0,
    events.PayoutHanded: lambda fields: -fields["cents"],
    events.PayoutAdded: lambda fields: -fields["cents"] - fields.get("handed_cents", 0),
    events.VigorishCollected: lambda fields: fields["cents"],
    events.MarkerButtonRemoved: lambda fields: fields["cents"],
    events.SettlementAdjusted: lambda fields: fields.get("vigorish_cents", 0) - fields["cents"],
}

# The kinds of act that move chips into the tray or out of it.
MOVED: Final = frozenset(_MOVES)


def into_tray(happened: Happening) -> int:
    """Return the cents that came into the tray, negative for what left it.

    What a slip brings or takes is booked where the slip is written.
    """
    moves = _MOVES.get(happened.kind)
    return moves(happened.fields) if moves is not None else 0
