"""The checks: one question a file, all of them listed here.

A check looks at one case and raises what it finds; it never fails and never writes. `CHECKS` are asked of
every round, `SHOE_CHECKS` of every shoe, `TRAY_CHECKS` of every table inventory of a gaming day. All kinds of
findings, those of games and programmes among them, are in `projections.catalogue`.
"""

from collections.abc import Callable, Iterable
from typing import Final

from projections.engine.check_context import Case
from projections.engine.checks import (
    announced,
    coupon,
    data_missing,
    device_contradicts,
    impossible_card,
    inventory_begun,
    inventory_ended,
    inventory_slip,
    inventory_untyped,
    late_wager,
    loser_collected,
    notes,
    paid,
    play,
    round_repeated,
    shoe_data,
    source_conflict,
    text_silent,
    vigorish,
    vigorish_mixed,
    vigorish_owing,
    void_called,
    wager_allowed,
    winner_collected,
)
from projections.engine.findings import Raised
from projections.engine.fold.shoe_context import ShoeCase
from projections.engine.inventory.inventory_context import TrayCase

CHECKS: Final[tuple[Callable[[Case], Iterable[Raised]], ...]] = (
    play.check,
    impossible_card.check,
    void_called.check,
    announced.check,
    wager_allowed.check,
    late_wager.check,
    coupon.check,
    paid.check,
    loser_collected.check,
    winner_collected.check,
    vigorish.check,
    source_conflict.check,
    data_missing.check,
    text_silent.check,
    round_repeated.check,
    notes.check,
)

SHOE_CHECKS: Final[tuple[Callable[[ShoeCase], Iterable[Raised]], ...]] = (
    vigorish_owing.check,
    vigorish_mixed.check,
    device_contradicts.check,
    shoe_data.check,
)

TRAY_CHECKS: Final[tuple[Callable[[TrayCase], Iterable[Raised]], ...]] = (
    inventory_begun.check,
    inventory_ended.check,
    inventory_untyped.check,
    inventory_slip.check,
)
