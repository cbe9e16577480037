"""The reports of a day, in the order in which the list of them shows them."""

from typing import Final

from replay.exports.report.model import Report
from replay.nightly.day_book import Book
from replay.nightly.day_database import day_database
from replay.nightly.report_query import ReportQuery
from replay.nightly.reports.accounts import (
    BUY_INS,
    COUNTER_CHECKS,
    COUPONS,
    COUPONS_BY_TABLE,
    COUPONS_QUARTER,
    LEDGER_FINDINGS,
    LEDGERS,
    VIGORISH,
    VIGORISH_BY_SHOE,
)
from replay.nightly.reports.money import (
    FILLS_AND_CREDITS,
    INVENTORY,
    THEORETICAL_WIN,
    USUAL_HOLD,
    WIN_BY_GAME,
    WIN_BY_SHIFT,
    WIN_BY_TABLE,
)
from replay.nightly.reports.people import (
    ALERT_AGEING,
    BREACHES,
    BY_PERSON,
    CASH_BY_PATRON,
    CLOSINGS,
    MUTED,
)
from replay.nightly.reports.play import (
    CHANGES,
    FINDINGS,
    MISMATCHES,
    PACE,
    PATRONS_AND_HOUSE,
    SENSOR_GAPS,
    SOURCE_CONFLICTS,
    UNDETERMINED,
)
from replay.nightly.reports.reconciling import COMPARISON, OPEN_ITEMS

__all__ = ["OPEN_ITEMS", "REPORTS", "reports_of"]

REPORTS: Final[tuple[ReportQuery, ...]] = (
    OPEN_ITEMS,
    COMPARISON,
    INVENTORY,
    FILLS_AND_CREDITS,
    WIN_BY_TABLE,
    WIN_BY_GAME,
    WIN_BY_SHIFT,
    THEORETICAL_WIN,
    USUAL_HOLD,
    MISMATCHES,
    PATRONS_AND_HOUSE,
    FINDINGS,
    PACE,
    UNDETERMINED,
    SENSOR_GAPS,
    SOURCE_CONFLICTS,
    VIGORISH,
    VIGORISH_BY_SHOE,
    LEDGER_FINDINGS,
    LEDGERS,
    BUY_INS,
    COUNTER_CHECKS,
    COUPONS,
    COUPONS_BY_TABLE,
    COUPONS_QUARTER,
    CHANGES,
    MUTED,
    CASH_BY_PATRON,
    BY_PERSON,
    BREACHES,
    CLOSINGS,
    ALERT_AGEING,
)


def reports_of(book: Book) -> list[Report]:
    """Make every report of a day, in their order."""
    with day_database(book) as db:
        return [each.report(book, db) for each in REPORTS]
