"""A kind of fault, and the kinds that every game has."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct


class Kind(Struct, frozen=True):
    """A kind of fault: the check that names it first, and how often it is made of so many opportunities."""

    check: str | None
    rate: float
    per: str


# docs/faults.md explains each kind.
SHARED: Final[Mapping[str, Kind]] = {
    "foreign_card": Kind("card_not_in_deck", 0.12, "shoe"),
    "placed_late": Kind("late_wager", 0.005, "round that someone sits out"),
    "increased_late": Kind("late_wager", 0.0015, "round"),
    "reduced_late": Kind("late_wager", 0.0015, "round"),
    "withdrawn_late": Kind("late_wager", 0.0015, "round"),
    "unknown_spot": Kind("wager_not_permitted", 0.0015, "round"),
    "winner_overpaid": Kind("paid_too_much", 0.0005, "winning wager"),
    "winner_underpaid": Kind("paid_too_little", 0.0005, "winning wager"),
    "winner_not_paid": Kind("paid_too_little", 0.0004, "winning wager"),
    "winner_collected": Kind("winner_collected", 0.0005, "winning wager"),
    "loser_not_collected": Kind("loser_not_collected", 0.0003, "losing wager"),
    "loser_paid": Kind("paid_too_much", 0.0003, "losing wager"),
    "push_collected": Kind("push_collected", 0.0015, "returned wager"),
    "push_paid": Kind("push_paid", 0.0015, "returned wager"),
    "put_right_in_time": Kind(None, 0.0003, "winning wager"),
    "overpaid_put_right_late": Kind("paid_too_much", 0.0004, "winning wager"),
    "underpaid_put_right_late": Kind("paid_too_little", 0.0004, "winning wager"),
}
