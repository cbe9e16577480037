"""The words in which procedures of the floor are reported: steps, items, roles, figures and states.

The events that use them are in `schemas.events`; docs/procedures.md lists the duty of each.
"""

from typing import Final, Literal, TypeAlias

from schemas.values import Count, Name, Role

# What was done at the table, by a dealer, a player, a floorperson or a device. A figure that goes with it is
# the step's `count`, out of `total`; docs/procedures.md has what each counts.
ProcedureStep: TypeAlias = Literal[
    # the opening of cards
    "spread",
    "turned",
    "washed",
    "stacked",
    "shuffled",
    "shuffle_verified",
    # the cut
    "cut_offered",
    "cut_declined",
    "cut_made",
    "stack_rotated",
    "cover_card_inserted",
    "recut_directed",
    "reshuffle_directed",
    # the shoe in play
    "cover_card_reached",
    "last_hand_announced",
    "cards_collected",
    # the curator
    "shoe_offered",
    "shoe_declined",
    "dealer_designated",
    "pass_ordered",
    # a round
    "cards_called",
    "point_count_announced",
    "card_laid",
    "hand_tucked",
    "hand_passed",
    "third_card_passed",
    "hand_returned",
    "turn_relinquished",
    "turn_offered",
    "hole_card_read",
    "verbal_wager_confirmed",
    "cards_cleared",
    # tiles
    "tile_exposed",
    "stacks_cut",
    "delivery_chosen",
    "shaker_shaken",
    "shaker_opened",
    "hands_set",
    # dice
    "dice_placed",
]

# What is inspected, moved, fails or is written about.
ItemKind: TypeAlias = Literal[
    "cards",
    "tiles",
    "dice",
    "key",
    "card_reader",
    "shoe",
    "shuffler",
    "table",
    "layout",
    # of the surveillance system, and of the cage
    "surveillance_camera",
    "inventory_container",
    "fill_request",
]

# What a device or a system is reported to be.
DeviceState: TypeAlias = Literal["working", "failed", "jammed", "out_of_order", "removed"]

# A paper or an entry of the document register.
DocumentKind: TypeAlias = Literal[
    "approval",
    "preshuffle_certificate",
    "discrepancy_report",
    "record_destroyed",
    "voucher_report_destroyed",
]

# The subject of a notice.
NoticeKind: TypeAlias = Literal["defect", "failure", "misuse", "inspection", "removal_request"]

# What was counted or measured, besides the count of a step.
Figure: TypeAlias = Literal[
    "decks",
    "cards_per_deck",
    "cover_cards",
    "defects",
    "tens_removed",
    # of a table: the places for players, those for Fire Bets, and how many decks a rack or its mark is high
    "positions",
    "fire_areas",
    "rack_decks",
    "mark_decks",
    # of a set of dice
    "dice",
]

# What an inspector checks on the layout and its signs; docs/procedures.md explains each.
LayoutPoint: TypeAlias = Literal[
    "logo",
    "wager_areas",
    "card_areas",
    "vigorish_areas",
    "payout_odds",
    "tie_odds",
    "draw_rule",
    # areas of single wagers
    "player_areas",
    "banker_areas",
    "player_bonus_areas",
    "banker_bonus_areas",
    "tie_areas",
    "dragon_bonus_areas",
    "dragon_7_areas",
    "panda_8_areas",
    "house_money_areas",
    "perfect_pairs_areas",
    "match_areas",
    "all_small_area",
    "all_or_nothing_area",
    "all_tall_area",
    "small_range_area",
    "medium_range_area",
    "large_range_area",
    "number_areas",
    "fire_gathering_areas",
    # inscriptions of single games
    "dragon_7_push",
    "blackjack_odds",
    "insurance_odds",
    "no_surrender",
    "match_odds",
    "doubled_hands",
    "no_call_bets",
    "bonus_odds",
    "fire_odds",
    "fire_time",
    "fire_limits",
    "limits_posted",
]
# And on the table besides.
EquipmentPoint: TypeAlias = Literal[
    "box_places",
    "discard_rack",
    "discard_bucket",
    "shoe_place",
    "marker_buttons",
    "shaker_capacity",
    "shaker_logo",
]
# On a set of tiles.
TilePoint: TypeAlias = Literal[
    "sixteen_pairs",
    "tiles_alike",
    "backs_and_sides",
    "tile_size",
    "tile_surface",
    "tile_backs",
    "tile_finish",
    "tile_marks",
    "tile_spots",
]
# With dice: the instruments, the place, and the seal and its label.
DicePoint: TypeAlias = Literal[
    "micrometer",
    "balancing_caliper",
    "steel_square",
    "magnet",
    "flat_surface",
    "in_view",
    "instruments_locked",
    "seal_intact",
    "label_date",
    "label_signatures",
]
ChecklistPoint: TypeAlias = Literal[LayoutPoint, EquipmentPoint, TilePoint, DicePoint]

# What can be read off an item; of a table its layout, its make, and the shaker on it.
Mark: TypeAlias = Literal["back_color", "design", "shoe_kind", "layout", "table_make", "shaker"]

Face: TypeAlias = Literal["up", "down"]
Figures: TypeAlias = dict[Figure, Count]
Checklist: TypeAlias = dict[ChecklistPoint, bool]
Marks: TypeAlias = dict[Mark, Name]

# Places of an item that a check looks for; any other is a name of the house.
TABLE: Final = "table"
PIT_STAND: Final = "pit_stand"
STORAGE: Final = "storage"
SHUFFLER: Final = "shuffler"
DISCARD_RACK: Final = "discard_rack"
CAGE: Final = "cage"
CHIP_BANK: Final = "chip_bank"

# Who may do what the texts leave to "a floorperson or above".
FLOORPERSON_OR_ABOVE: Final[frozenset[Role]] = frozenset({"floorperson", "pit_manager", "shift_manager"})
