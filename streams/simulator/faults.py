"""Every fault that can be injected: its kind, what it is found as, its rate; and the file of rates."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct

from schemas.errors import BadInput


class Kind(Struct, frozen=True):
    """A kind of fault: the check that names it first, and how often it is made of so many opportunities."""

    check: str | None
    rate: float
    per: str


# docs/faults.md says of each kind what is done.
DEALERS: Final[Mapping[str, Kind]] = {
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
    "foreign_card": Kind("card_not_in_deck", 0.12, "shoe"),
    "void_not_called": Kind("void_not_called", 0.1, "shoe"),
    # wagers
    "placed_late": Kind("late_wager", 0.005, "round that someone sits out"),
    "increased_late": Kind("late_wager", 0.0015, "round"),
    "reduced_late": Kind("late_wager", 0.0015, "round"),
    "withdrawn_late": Kind("late_wager", 0.0015, "round"),
    "unknown_spot": Kind("wager_not_permitted", 0.0015, "round"),
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
    "winner_overpaid": Kind("paid_too_much", 0.0005, "winning wager"),
    "winner_underpaid": Kind("paid_too_little", 0.0005, "winning wager"),
    "winner_not_paid": Kind("paid_too_little", 0.0004, "winning wager"),
    "winner_collected": Kind("winner_collected", 0.0005, "winning wager"),
    "loser_not_collected": Kind("loser_not_collected", 0.0003, "losing wager"),
    "loser_paid": Kind("paid_too_much", 0.0003, "losing wager"),
    "push_collected": Kind("push_collected", 0.0015, "returned wager"),
    "push_paid": Kind("push_paid", 0.0015, "returned wager"),
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
    "vigorish_at_ez": Kind("vigorish_unauthorized", 0.006, "winning Banker Wager at an EZ table"),
    "vigorish_left_at_shoe_end": Kind("vigorish_left_owing", 0.25, "shoe's end with vigorish owed"),
    "vigorish_left_at_departure": Kind("vigorish_left_owing", 0.08, "departure with vigorish owed"),
    # put right
    "put_right_in_time": Kind(None, 0.0003, "winning wager"),
    "overpaid_put_right_late": Kind("paid_too_much", 0.0004, "winning wager"),
    "underpaid_put_right_late": Kind("paid_too_little", 0.0004, "winning wager"),
}

SENSORS: Final[Mapping[str, Kind]] = {
    "event_lost": Kind(None, 0.0002, "event"),
    "event_doubled": Kind(None, 0.0003, "event"),
    "events_out_of_order": Kind(None, 0.0003, "event"),
    "event_late": Kind(None, 0.0002, "event"),
    "device_silent": Kind(None, 0.25, "table and hour"),
    "device_restarted": Kind(None, 0.25, "table and hour"),
    "clock_off": Kind(None, 0.25, "table and hour"),
    "card_misread": Kind(None, 0.0015, "card that two sources read"),
    "card_unread": Kind(None, 0.0007, "reading of a card"),
    "stack_misread": Kind(None, 0.001, "sum that two sources read"),
}

# Rates of a floor without any fault.
NONE: Final[Mapping[str, float]] = dict.fromkeys([*DEALERS, *SENSORS], 0.0)


def rates(path: Path | None = None, *, sensors: bool = False) -> dict[str, float]:
    """Give the rate of every kind: the defaults, with the sensors' where asked for, then the file's.

    Raises:
        BadInput: the file cannot be read, or names an unknown kind or a rate outside 0 to 1.
    """
    chosen = {name: kind.rate for name, kind in DEALERS.items()}
    chosen |= {name: kind.rate if sensors else 0.0 for name, kind in SENSORS.items()}
    if path is None:
        return chosen
    stated = _read(path)
    if stated.get("only", False):
        chosen = dict(NONE)
    for group, kinds in (("dealers", DEALERS), ("sensors", SENSORS)):
        for name, rate in (stated.get(group) or {}).items():
            if name not in kinds:
                known = ", ".join(kinds)
                raise BadInput(f"{path}: {group}.{name}: unknown kind of fault; there are {known}")
            if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
                raise BadInput(f"{path}: {group}.{name}: a rate is a number from 0 to 1, not {rate!r}")
            chosen[name] = float(rate)
    return chosen


def _read(path: Path) -> dict[str, Any]:
    try:
        stated = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadInput(f"{path}: not a faults file: {error}") from None
    if not isinstance(stated, dict):
        raise BadInput(f"{path}: a faults file holds `dealers:` and `sensors:`, kinds and their rates")
    for key in stated:
        if key not in ("dealers", "sensors", "only"):
            raise BadInput(f"{path}: unknown key {key!r}; there are dealers, sensors, only")
    for group in ("dealers", "sensors"):
        if not isinstance(stated.get(group) or {}, dict):
            raise BadInput(f"{path}: {group} holds kinds and their rates")
    if not isinstance(stated.get("only", False), bool):
        raise BadInput(f"{path}: only is true or false, not {stated['only']!r}")
    return stated
