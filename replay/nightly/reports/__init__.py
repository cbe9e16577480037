"""The reports of a day, in the order in which the list of them shows them."""

from collections.abc import Callable
from typing import Final

from replay.nightly.book import Book
from replay.nightly.reports import changes, compared, inventory, ledgers, people, play, vigorish, win
from replay.report.model import Report

REPORTS: Final[tuple[Callable[[Book], Report], ...]] = (
    compared.open_items,
    compared.comparison,
    inventory.inventory,
    inventory.fills_and_credits,
    win.by_table,
    win.by_game,
    win.by_shift,
    win.theoretical,
    win.usual_hold,
    play.mismatches,
    play.patrons_and_house,
    play.findings,
    play.pace,
    play.undetermined,
    play.gaps,
    vigorish.by_table,
    vigorish.by_shoe,
    ledgers.findings,
    ledgers.accounts,
    ledgers.coupons,
    ledgers.coupons_quarter,
    changes.changes,
    people.cash_by_patron,
    people.by_person,
    people.closings,
    people.ageing,
)
