"""A dispute and the call that brought it."""

from datetime import date
from typing import Final

from projections.casework.disputes.dispute_state import AboutPart, CallPart
from tests.builders.staffed_room import EVENING

# The disputed hand of docs/dispute.md: the Player's Hand won, $275.00 were collected, $550.00 are owed.
ABOUT: Final = AboutPart(
    table="BAC-105",
    gaming_date=date(2025, 3, 1),
    rounds=("484",),
    seat=6,
    patron="P-105-0025",
    claim="Player won and his chips were taken",
    claim_cents=55_000,
    alerts=("c1e9224b9bfb23cb",),
)


CALL: Final = CallPart(called=EVENING, caller="FL-2-1")
