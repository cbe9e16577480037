"""The checks of procedures: one question a function, asked of every window of a table.

A theme is a module; what it asks stands in `CHECKS`, what its findings are in `KINDS`. A check looks at one
case and raises what it finds; it never fails and never writes.
"""

from collections.abc import Callable, Iterable
from typing import Final

from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.checks import (
    announcements,
    blackjack,
    curator,
    cut,
    decks,
    devices,
    idle,
    layout,
    new_cards,
    shoe_end,
    shuffle,
    turning,
)

CHECKS: Final[tuple[Callable[[ProcedureCase], Iterable[Raised]], ...]] = (
    decks.check_decks_received,
    decks.check_decks_changed,
    decks.check_batches,
    decks.check_batches_alternate,
    decks.check_discard_rack,
    new_cards.check_cards_inspected,
    new_cards.check_tens_removed,
    new_cards.check_cards_spread,
    new_cards.check_cards_washed,
    shuffle.check_cards_shuffled,
    cut.check_cut,
    cut.check_cover_card,
    cut.check_cut_order,
    cut.check_recut,
    shoe_end.check_burn,
    shoe_end.check_cover_card_reached,
    shoe_end.check_last_hand,
    shoe_end.check_reshuffle_directed,
    shoe_end.check_cards_collected,
    idle.check_idle_spread,
    idle.check_idle_reshuffled,
    curator.check_curator,
    curator.check_pass_ordered,
    announcements.check_cards_called,
    announcements.check_point_counts,
    devices.check_jam,
    devices.check_shuffler_marked,
    devices.check_reader_inspected,
    devices.check_reader_broken,
    devices.check_shoe,
    layout.check_table,
    turning.check_dealing,
    turning.check_turning,
    turning.check_turn_offered,
    turning.check_cards_cleared,
    blackjack.check_hole_card_read,
    blackjack.check_verbal_wagers,
    blackjack.check_wagers_handled,
    blackjack.check_boxes,
)
KINDS: Final[tuple[Kind, ...]] = (
    *decks.KINDS,
    *new_cards.KINDS,
    *shuffle.KINDS,
    *cut.KINDS,
    *shoe_end.KINDS,
    *idle.KINDS,
    *curator.KINDS,
    *announcements.KINDS,
    *devices.KINDS,
    *layout.KINDS,
    *turning.KINDS,
    *blackjack.KINDS,
)
