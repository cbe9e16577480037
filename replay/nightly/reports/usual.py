"""Each table's hold of the day beside what is usual for it."""

from fractions import Fraction
from typing import Final

from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book, game, hold
from replay.nightly.earlier_reports import Usual

# Of ten days the standard deviation is itself known to a quarter or so, 1 / sqrt(2 x 9); of two or three days
# it says nothing.
LEAST_DAYS: Final = 10

_FINE: Final = 1000


def usual_hold(book: Book) -> Report:
    """Hold each table's hold of the day against that of its earlier reported days, where they are enough."""
    rows: list[list[Cell]] = []
    for table in book.tables:
        win = book.win(table)
        now, usual = hold(win.win, win.drop), book.earlier.usual(table.table)
        days = usual.days if usual is not None else 0
        if now is None and not days:
            continue
        earlier = (usual.mean, usual.spread) if usual is not None else (None, None)
        says = "yes" if days >= LEAST_DAYS else "too few days"
        apart = _apart(now, usual) if days >= LEAST_DAYS else None
        rows.append([table.table, game(table.chapter), now, days, *earlier, says, apart])
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("game", "Game", "text"),
        ("hold", "Hold", "percent"),
        ("days", "Earlier days", "whole"),
        ("mean", "Mean", "percent"),
        ("spread", "Spread", "percent"),
        ("says", "Enough to be usual", "text"),
        ("apart", "Spreads apart", "fraction"),
    ]
    return book.report(
        "usual_hold",
        "Hold beside the table's usual hold",
        columns,
        rows,
        note=(
            "The mean hold of the table's earlier days within a year, and their standard deviation from it. "
            f"Of fewer than {LEAST_DAYS} days with a hold nothing is called usual, and the day's hold is not "
            "measured by them."
        ),
    )


def _apart(now: Fraction | None, usual: Usual | None) -> Fraction | None:
    """Return by how many standard deviations a hold is above the mean; None where there are none."""
    if now is None or usual is None or not usual.spread:
        return None
    return Fraction(round((now - usual.mean) / usual.spread * _FINE), _FINE)
