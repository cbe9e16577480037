"""The reports of a day, in the order in which the list of them shows them."""

from typing import Final

from replay.exports.report import Report
from replay.nightly.day_book import Book
from replay.nightly.day_database import day_database
from replay.nightly.report_query import ReportQuery
from replay.nightly.reports import accounts, fairness, money, people, play, reconciling

REPORTS: Final[tuple[ReportQuery, ...]] = (
    reconciling.OPEN_ITEMS,
    reconciling.COMPARISON,
    money.INVENTORY,
    money.FILLS_AND_CREDITS,
    money.WIN_BY_TABLE,
    money.WIN_BY_GAME,
    money.WIN_BY_SHIFT,
    money.THEORETICAL_WIN,
    money.USUAL_HOLD,
    play.MISMATCHES,
    play.PATRONS_AND_HOUSE,
    fairness.BY_TABLE_AND_SHIFT,
    play.FINDINGS,
    play.PACE,
    fairness.PACE_BY_TABLE_AND_SHIFT,
    play.UNDETERMINED,
    play.SENSOR_GAPS,
    play.SOURCE_CONFLICTS,
    accounts.VIGORISH,
    accounts.VIGORISH_BY_SHOE,
    accounts.LEDGER_FINDINGS,
    accounts.LEDGERS,
    accounts.BUY_INS,
    accounts.COUNTER_CHECKS,
    accounts.COUPONS,
    accounts.COUPONS_BY_TABLE,
    accounts.COUPONS_QUARTER,
    play.CHANGES,
    people.MUTED,
    people.CASH_BY_PATRON,
    people.BY_PERSON,
    fairness.BY_DEALER_AND_FLOORPERSON,
    fairness.PACE_BY_DEALER_AND_FLOORPERSON,
    people.BREACHES,
    people.CLOSINGS,
    people.ALERT_AGEING,
)


def reports_of(book: Book) -> list[Report]:
    """Make every report of a day, in their order."""
    with day_database(book) as db:
        return [each.report(book, db) for each in REPORTS]
