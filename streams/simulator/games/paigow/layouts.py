"""Layouts of Pai Gow tables, and the kinds of fault that only they have."""

from collections.abc import Mapping
from typing import Final

from streams.simulator.games.paigow.rules import Ways
from streams.simulator.kinds import Kind
from streams.simulator.plan import Layout

FAULTS: Final[Mapping[str, Kind]] = {
    "first_stack_misplaced": Kind("void_not_called", 0.005, "round of Pai Gow"),
    "cancelled_roll_used": Kind("void_not_called", 0.3, "roll that is cancelled"),
    "stacks_exchanged": Kind("card_order_wrong", 0.004, "round of Pai Gow"),
    "stack_left_out": Kind("card_missing", 0.004, "round of Pai Gow"),
    "exposed_and_played": Kind("void_not_called", 0.3, "tile shown that makes a round void"),
    "foreign_tile": Kind("card_not_in_deck", 0.008, "round of Pai Gow"),
    "set_wrong_way": Kind("hand_set_wrongly", 0.008, "dealer's hand that admits it"),
    "co_bank_set_wrong_way": Kind("hand_set_wrongly", 0.06, "co-bank's hand that admits it"),
    "laid_open_early": Kind("card_order_wrong", 0.005, "round of Pai Gow"),
    "surrender_too_early": Kind("decision_not_allowed", 0.004, "round that the dealer banks"),
    "surrender_too_late": Kind("decision_not_allowed", 0.004, "losing hand laid open"),
    "surrender_halved": Kind("loser_not_collected", 0.06, "surrendered wager"),
    "voided_without_cause": Kind("decision_not_allowed", 0.004, "round of Pai Gow"),
    "voided_hand_collected": Kind("push_collected", 0.3, "voided hand"),
    "called_wrongly": Kind("announced_wrong", 0.0015, "hand called"),
    "settled_as_called": Kind("announced_wrong", 0.0015, "hand called"),
    "copy_paid": Kind("push_paid", 0.1, "wager tied by a copy"),
    "copy_returned": Kind("loser_not_collected", 0.08, "wager lost by a copy"),
    "zero_paid": Kind("push_paid", 0.08, "wager tied by a low hand of zero"),
    "zero_returned": Kind("loser_not_collected", 0.5, "zero above the dealer's zero"),
    "pai_gow_vigorish_not_taken": Kind("vigorish_not_taken", 0.004, "winning Pai Gow Wager"),
    "pai_gow_vigorish_at_10": Kind("vigorish_wrong", 0.004, "winning Pai Gow Wager"),
    "pai_gow_vigorish_down": Kind("vigorish_rounding_wrong", 0.01, "vigorish off a multiple of 25 cents"),
    "vigorish_on_tie": Kind("vigorish_unauthorized", 0.002, "tied Pai Gow Wager"),
    "surplus_kept": Kind("paid_too_little", 0.02, "bank's surplus"),
    "surplus_vigorish_not_taken": Kind("vigorish_not_taken", 0.03, "bank's surplus"),
    "vigorish_on_all_collected": Kind("vigorish_wrong", 0.08, "bank's surplus after winners"),
    "deficit_not_collected": Kind("loser_not_collected", 0.02, "bank's deficit"),
    "co_bank_given_all": Kind("paid_too_much", 0.08, "co-bank's surplus"),
    "co_bank_charged_all": Kind("paid_too_little", 0.08, "co-bank's deficit"),
    "bank_against_itself": Kind("wager_not_permitted", 0.02, "round that a player banks"),
    "bank_not_covering": Kind("wager_not_permitted", 0.02, "round that a player banks alone"),
    "dealer_against_co_bank": Kind("wager_not_permitted", 0.04, "round with a co-bank"),
    "bank_not_offered": Kind("wager_not_offered", 0.006, "round where no player may bank"),
    "co_bank_not_offered": Kind("wager_not_offered", 0.05, "bank taken where none is shared"),
}

# What the Rules Submission of each table chose.
_WAYS: Final = (
    Ways(),
    Ways(vigorish_rounding_cents=25, player_bank=True, co_bank=True, house_way="best_high"),
    Ways(player_bank=True, house_way="best_low", low_above_high="lose", abandoned_wager="settle"),
    Ways(vigorish_rounding_cents=25, house_way="best_high", low_above_high="lose"),
    Ways(player_bank=True, co_bank=True),
    Ways(house_way="best_low", abandoned_wager="settle"),
)
_READERS: Final = (("tray",), ("camera",), (), ("camera", "tray"))


def lay_out(index: int) -> Layout:
    """Return the setup of the n-th table of the game."""
    ways = _WAYS[index % len(_WAYS)]
    return Layout(
        positions=6,  # 535.2(a)
        ways=ways,
        sources=("terminal", "tiles", "dice", "chips", *_READERS[index % len(_READERS)]),
    )
