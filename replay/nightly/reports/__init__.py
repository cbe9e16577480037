"""The reports of a day, in the order in which the list of them shows them."""

from collections.abc import Callable
from typing import Final

from replay.exports.report.model import Report
from replay.nightly.day_book import Book
from replay.nightly.reports import (
    alerts,
    boxes,
    changes,
    checks,
    compared,
    coupons,
    inventory,
    ledgers,
    muted,
    people,
    play,
    theory,
    usual,
    vigorish,
    win,
)

REPORTS: Final[tuple[Callable[[Book], Report], ...]] = (
    compared.open_items,
    compared.comparison,
    inventory.inventory,
    inventory.fills_and_credits,
    win.by_table,
    win.by_game,
    win.by_shift,
    theory.theoretical,
    usual.usual_hold,
    play.mismatches,
    play.patrons_and_house,
    play.findings,
    play.pace,
    play.undetermined,
    play.gaps,
    play.conflicts,
    vigorish.by_table,
    vigorish.by_shoe,
    ledgers.findings,
    ledgers.accounts,
    boxes.buy_ins,
    checks.outstanding,
    coupons.coupons,
    coupons.by_table,
    coupons.quarter,
    changes.changes,
    muted.muted,
    people.cash_by_patron,
    people.by_person,
    alerts.breaches,
    alerts.closings,
    alerts.ageing,
)
