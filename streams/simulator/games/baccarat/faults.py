"""The faults of a baccarat dealer that no other game has."""

from collections.abc import Mapping
from typing import Final

from streams.simulator.kinds import Kind

# docs/faults.md explains each kind.
KINDS: Final[Mapping[str, Kind]] = {
    # cards
    "banker_card_first": Kind("card_order_wrong", 0.002, "round"),
    "two_cards_running": Kind("card_order_wrong", 0.002, "round"),
    "third_cards_reversed": Kind("card_order_wrong", 0.012, "round in which both hands draw"),
    "fourth_card_not_dealt": Kind("initial_card_missing", 0.0015, "round"),
    "player_third_not_dealt": Kind("third_card_missing", 0.006, "Player's draw"),
    "banker_third_not_dealt": Kind("third_card_missing", 0.003, "Banker's draw"),
    "player_third_for_banker": Kind("third_card_extra", 0.012, "Player's stay, Banker's draw"),
    "player_third_surplus": Kind("third_card_extra", 0.03, "Player's stay, Banker's stay"),
    "banker_third_surplus": Kind("third_card_extra", 0.007, "Banker's stay"),
    "second_third_card": Kind("third_card_extra", 0.0015, "third card"),
    "card_dealt_after_natural": Kind("card_after_natural", 0.004, "Natural"),
    "void_not_called": Kind("void_not_called", 0.1, "shoe"),
    # wagers
    "wager_in_simulated_round": Kind("wager_not_permitted", 0.25, "simulated round"),
    "bonus_not_offered": Kind("wager_not_offered", 0.004, "round without Dragon Bonus"),
    "house_money_not_offered": Kind("wager_not_offered", 0.0015, "round without House Money"),
    "ez_wager_not_offered": Kind("wager_not_offered", 0.0015, "round off an EZ table"),
    "house_money_added_late": Kind("house_money_late", 0.03, "winner who adds, a third card to come"),
    "house_money_added_early": Kind("house_money_early", 0.03, "winner by the Player's pair alone"),
    "house_money_not_won": Kind("house_money_not_won", 0.0012, "losing House Money Wager"),
    "house_money_without_wager": Kind("house_money_without_wager", 0.015, "winner without a Player Wager"),
    # the announcement
    "announced_wrong": Kind("announced_wrong", 0.0015, "round"),
    "settled_as_announced": Kind("announced_wrong", 0.0015, "round"),
    # payment and collection
    "tie_overpaid": Kind("paid_too_much", 0.01, "winning Tie Wager"),
    "tie_underpaid": Kind("paid_too_little", 0.03, "winning Tie Wager at more than 8 to 1"),
    "bonus_by_wrong_table_over": Kind("paid_too_much", 0.012, "Dragon Bonus with another table above"),
    "bonus_by_wrong_table_under": Kind("paid_too_little", 0.012, "Dragon Bonus with another table below"),
    "natural_bonus_by_margin": Kind("paid_too_much", 0.01, "Dragon Bonus on a Natural far ahead"),
    "dragon_7_banker_paid": Kind("push_paid", 0.12, "Banker Wager returned with a Dragon 7"),
    # vigorish
    "vigorish_not_taken": Kind("vigorish_not_taken", 0.001, "winning Banker Wager"),
    "vigorish_wrong_rate": Kind("vigorish_wrong", 0.0005, "winning Banker Wager"),
    "vigorish_rounded_down": Kind("vigorish_rounding_wrong", 0.008, "vigorish that is rounded up"),
    "vigorish_mixed": Kind("vigorish_mixed", 0.12, "shoe with vigorish"),
    "vigorish_on_player": Kind("vigorish_unauthorized", 0.0015, "winning Player Wager"),
    "vigorish_on_win": Kind("vigorish_unauthorized", 0.006, "winning Banker Wager with 25% on a tie"),
    "vigorish_not_taken_on_tie": Kind("vigorish_not_taken", 0.02, "tied Banker Wager with 25% on a tie"),
    "vigorish_at_ez": Kind("vigorish_unauthorized", 0.006, "winning Banker Wager at an EZ table"),
    "vigorish_left_at_shoe_end": Kind("vigorish_left_owing", 0.25, "shoe's end with vigorish owed"),
    "vigorish_left_at_departure": Kind("vigorish_left_owing", 0.08, "departure with vigorish owed"),
    # corrected
}
