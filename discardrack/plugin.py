"""What a plugin is made with: a house's own checks and games, in a package of its own; docs/plugins.md.

These names are stable, as those of `discardrack` are.
"""

from projections.engine.adjudication import (
    UNDECIDED,
    Adjudication,
    Defect,
    Reckoning,
    Ruling,
    Vigorish,
    returned,
    silent_on,
    vigorish_of,
)
from projections.engine.check_context import RoundCase, raise_defect
from projections.engine.facts import (
    CardRef,
    Cents,
    DeviceRef,
    Fact,
    HandRef,
    PatronRef,
    SerialRef,
    StaffRef,
    WagerRef,
    Word,
    fact,
    listed,
)
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised, Step
from projections.engine.game import Game, Laid, Reason
from projections.engine.observation import Doubt, Key, Paid, Round, Wager
from schemas.plugins import PluginFault
from schemas.rulebook import Rulebook
from schemas.values import CARDS, RANKS

__all__ = [
    "CARDS",
    "HOUSE_CONTROL",
    "RANKS",
    "UNDECIDED",
    "Adjudication",
    "CardRef",
    "Cents",
    "Defect",
    "DeviceRef",
    "Doubt",
    "Fact",
    "Game",
    "HandRef",
    "Key",
    "Kind",
    "Laid",
    "Paid",
    "PatronRef",
    "PluginFault",
    "Raised",
    "Reason",
    "Reckoning",
    "Round",
    "RoundCase",
    "Rulebook",
    "Ruling",
    "SerialRef",
    "StaffRef",
    "Step",
    "Vigorish",
    "Wager",
    "WagerRef",
    "Word",
    "fact",
    "listed",
    "raise_defect",
    "returned",
    "silent_on",
    "vigorish_of",
]
