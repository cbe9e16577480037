"""The checks: one question a file, all of them listed here.

A check looks at one case and raises what it finds; it never fails and never writes. `CHECKS` are asked of
every round; those of shoes and table inventories are in `projections.engine.accounts.checks`. All kinds of
findings, those of games and programmes among them, are in `projections.catalogue`.
"""

from collections.abc import Callable, Iterable
from typing import Final

from projections.engine.check_context import Case
from projections.engine.checks import (
    announced,
    coupon,
    data_missing,
    impossible_card,
    late_wager,
    loser_collected,
    notes,
    paid,
    play,
    round_repeated,
    source_conflict,
    text_silent,
    vigorish,
    void_called,
    wager_allowed,
    winner_collected,
)
from projections.engine.findings import Raised

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
