"""The checks of a round: one question a function, all of them listed here.

A check looks at one case and raises what it finds; it never fails and never writes. `CHECKS` are asked of
every round, after them those of `plugin_checks`; those of shoes and table inventories are in
`projections.engine.accounts.checks`. All kinds of findings, those of games and programmes among them, are in
`projections.catalogue`.
"""

from collections.abc import Callable, Iterable
from typing import Final

from projections.engine.check_context import RoundCase
from projections.engine.checks import data, notes, play, result, settlement, vigorish, wagers
from projections.engine.findings import Raised

CHECKS: Final[tuple[Callable[[RoundCase], Iterable[Raised]], ...]] = (
    play.check,
    result.check_impossible_card,
    result.check_void_called,
    result.check_announced,
    result.check_announced_points,
    wagers.check_wager_allowed,
    wagers.check_late_wager,
    wagers.check_coupon,
    settlement.check_paid,
    settlement.check_loser_collected,
    settlement.check_winner_collected,
    vigorish.check,
    data.check_source_conflict,
    data.check_data_missing,
    data.check_text_silent,
    data.check_round_repeated,
    notes.check,
)
