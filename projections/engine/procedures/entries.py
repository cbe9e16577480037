"""Entries that the fold of a table's events passes to the account of its procedures, in order."""

from datetime import date
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.facts import Fact
from schemas.events import (
    PROCEDURAL,
    BankTaken,
    CardBurned,
    CardDiscarded,
    CardDrawn,
    ChipsBought,
    ChipsCollected,
    ChipsPaid,
    ChipsPlaced,
    ChipsRemoved,
    CuratorNamed,
    DealerAssigned,
    DealerRelieved,
    DeviceStateReported,
    DiceRolled,
    DocumentFiled,
    Event,
    FloorpersonAssigned,
    HandDecided,
    ItemInspected,
    ItemMoved,
    NoticeGiven,
    OutcomeAnnounced,
    PlayerLeft,
    PlayerSeated,
    ProcedureStepTaken,
    RangeIndicated,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    ShoeExhausted,
    ShoeLoaded,
    SimulatedRoundDealt,
    StackSeen,
    StaffAssigned,
    TableClosed,
    TableOpened,
    TileLaid,
    TilesDealt,
    VigorishCollected,
    VigorishMarked,
    WagersClosed,
)
from schemas.values import Micros

# The events of procedures, and those of the table that their clocks and orders need.
_NOTED: Final[frozenset[type]] = frozenset(
    {
        ProcedureStepTaken,
        ItemInspected,
        ItemMoved,
        NoticeGiven,
        DeviceStateReported,
        DocumentFiled,
        StaffAssigned,
        BankTaken,
        CardBurned,
        CardDiscarded,
        CardDrawn,
        ChipsBought,
        ChipsCollected,
        ChipsPaid,
        ChipsPlaced,
        ChipsRemoved,
        CuratorNamed,
        DealerAssigned,
        DealerRelieved,
        DiceRolled,
        FloorpersonAssigned,
        HandDecided,
        OutcomeAnnounced,
        PlayerLeft,
        PlayerSeated,
        RangeIndicated,
        RoundClosed,
        RoundOpened,
        RoundVoided,
        ShoeExhausted,
        ShoeLoaded,
        SimulatedRoundDealt,
        StackSeen,
        TableClosed,
        TableOpened,
        TileLaid,
        TilesDealt,
        VigorishCollected,
        VigorishMarked,
        WagersClosed,
    }
)
# Besides the sources of procedures, those whose events stand among the noted ones.
RELIED_ON: Final[frozenset[str]] = PROCEDURAL | {
    "terminal",
    "shoe",
    "chips",
    "camera",
    "reader",
    "tiles",
    "dice",
}


class Noted(Struct, frozen=True, tag=True, tag_field="entry"):
    """An event and when it happened by the terminal's clock, microseconds UTC."""

    at: Micros
    event: Event


class Unreported(Struct, frozen=True, tag=True, tag_field="entry"):
    """Missing report of a source between two moments of the terminal's clock."""

    source: str
    since: Micros
    until: Micros
    message: Fact


class DayBegan(Struct, frozen=True, tag=True, tag_field="entry"):
    """A gaming day began at the table."""

    day: date


ProcedureEntry: TypeAlias = Noted | Unreported | DayBegan


def is_noted(event: Event) -> bool:
    """Return True if the account of procedures takes events of this kind."""
    return type(event) in _NOTED
