"""Match Play Coupons: the day's figures, what became of them table by table, and the quarter."""

from collections import Counter
from datetime import timedelta
from typing import Final

from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book, game
from replay.nightly.table_day import TableDay
from replay.recording.ledger_days import Tables
from schemas.coupon_log import Played, Settled

ACCOUNT: Final = "coupons"
_QUARTER: Final = "redeemed_in_quarter"
_QUARTER_ENDS: Final = (3, 6, 9, 12)  # months


def coupons(book: Book) -> Report:
    """Return the coupons that were issued, played, dropped, counted and are outstanding."""
    rows: list[list[Cell]] = [
        [line.name, line.count, line.cents]
        for each in book.accounts
        if each.account == ACCOUNT
        for line in each.lines
        if line.name != _QUARTER
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("line", "Line", "text"),
        ("count", "How many", "whole"),
        ("cents", "Sum", "cents"),
    ]
    note = (
        "Of the day, but for outstanding: that is cumulative, every coupon in patrons' hands as the day "
        "ended, whenever it was handed out, those whose wager tied among them. Returned is what marketing "
        "gave back to finance. Sums are of denominations; a coupon is no cash."
    )
    return book.report("coupons", "Match Play Coupons", columns, rows, note=note)


def by_table(book: Book) -> Report:
    """Return what became of the coupons at each table: played, won, lost, tied, dropped, counted."""
    counted = _counted(book)
    rows: list[list[Cell]] = []
    for table in book.tables:
        cells = _at_table(table, counted.get(table.table))
        if any(cells):
            rows.append([table.table, game(table.chapter), *cells])
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("game", "Game", "text"),
        ("played", "Played", "whole"),
        ("played_cents", "Sum", "cents"),
        ("won", "Won", "whole"),
        ("lost", "Lost", "whole"),
        ("tied", "Tied", "whole"),
        ("open", "Not seen how", "whole"),
        ("dropped", "Dropped", "whole"),
        ("counted", "Counted", "whole"),
    ]
    total = [sum(cell for row in rows if isinstance(cell := row[at], int)) for at in range(2, len(columns))]
    note = (
        "A coupon that tied goes back to its patron, unless the house has a tie redeem it, and may be played "
        "again. Counted is what the count room found in the table's boxes, where it counted any: a number "
        "that was found twice stands twice. The sum is of the values that the layout readers saw."
    )
    return book.report(
        "coupons_by_table",
        "Match Play Coupons by table",
        columns,
        rows,
        note=note,
        total=["all", None, *total],
    )


def _at_table(table: TableDay, counted: int | None) -> list[int | None]:
    played = [each for each in table.told.played if isinstance(each, Played)]
    ended = Counter(each.result for each in table.told.played if isinstance(each, Settled))
    won, lost, tied = (ended[result] for result in ("win", "lose", "tie"))
    return [
        len(played),
        sum(each.value_cents or 0 for each in played),
        won,
        lost,
        tied,
        len(played) - won - lost - tied,
        _dropped(table.told, table.table),
        counted,
    ]


def _dropped(told: Tables, table: str) -> int:
    account = told.accounts.get(table)
    return sum(line.name == "box_coupon" for line in account.lines) if account is not None else 0


def _counted(book: Book) -> Counter[str]:
    """Count the coupons in each table's boxes; a table of which no box was counted is not among them."""
    found: Counter[str] = Counter()
    for account in book.accounts:
        for line in account.lines if account.account == "drop" else ():
            if line.name == "box_coupons" and line.of is not None:
                found[line.of] += line.count or 0
    return found


def quarter(book: Book) -> Report:
    """Return what was redeemed in the quarter by denomination, on the day that ends one, 603a.20(o)."""
    after = book.day.date + timedelta(days=1)
    ends = after.day == 1 and book.day.date.month in _QUARTER_ENDS
    rows: list[list[Cell]] = [
        [int(line.of or 0), line.cents]
        for each in book.accounts
        if ends and each.account == ACCOUNT
        for line in each.lines
        if line.name == _QUARTER
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("denomination_cents", "Coupons of", "cents"),
        ("redeemed_cents", "Redeemed", "cents"),
    ]
    note = "The quarter ends with this day." if ends else "No quarter ends with this day."
    return book.report("coupons_quarter", "Match Play Coupons of the quarter", columns, rows, note=note)
