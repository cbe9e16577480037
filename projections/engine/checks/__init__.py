"""The checks: one question a file, all of them listed here.

A check looks at one case and raises what it finds; it never fails and never writes. `CHECKS` are asked of
every round, `SHOE_CHECKS` of every shoe, `TRAY_CHECKS` of every table inventory of a gaming day. `KINDS` is
the closed list of all names, those that single games add among them.
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
    not_in_force,
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
from projections.engine.findings import Kind, Raised
from projections.engine.fold.shoe_context import ShoeCase
from projections.engine.games import GAMES
from projections.engine.inventory.inventory_context import TrayCase
from projections.programmes.coupons.checks import KINDS as COUPON_KINDS
from projections.programmes.ledgers.checks import KINDS as LEDGER_KINDS

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

KINDS: Final[dict[str, Kind]] = {
    kind.check: kind
    for kind in (
        *play.KINDS,
        *impossible_card.KINDS,
        *void_called.KINDS,
        *announced.KINDS,
        *wager_allowed.KINDS,
        *late_wager.KINDS,
        *coupon.KINDS,
        *paid.KINDS,
        *loser_collected.KINDS,
        *winner_collected.KINDS,
        *vigorish.KINDS,
        *source_conflict.KINDS,
        *data_missing.KINDS,
        *text_silent.KINDS,
        *round_repeated.KINDS,
        *notes.KINDS,
        *vigorish_owing.KINDS,
        *vigorish_mixed.KINDS,
        *device_contradicts.KINDS,
        *shoe_data.KINDS,
        *inventory_untyped.KINDS,
        *inventory_slip.KINDS,
        not_in_force.NOT_IN_FORCE,
        *(kind for game in GAMES.values() for kind in game.kinds),
        *COUPON_KINDS,
        *LEDGER_KINDS,
    )
}
