"""The table inventories of a day, and what was carried to them and from them."""

from typing import Final

from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book, doubts, game
from schemas.values import capital, dollars

# line of the account -> head of the column; signed into the tray
_CHANGES: Final = {
    "fills": "fills",
    "credits": "table credits",
    "cash": "for cash",
    "counter_checks": "for Counter Checks",
    "wagers_collected": "wagers collected",
    "wagers_paid": "wagers paid",
    "vigorish": "vigorish",
    "put_right": "put right",
}


def inventory(book: Book) -> Report:
    """Return each table's inventory: opener, every kind of change, expected, closer, remainder."""
    columns: list[tuple[str, str, Kind]] = [("table", "Table", "text"), ("game", "Game", "text")]
    names = ["opener", *_CHANGES, "expected", "closer", "untyped", "tokes"]
    columns += [(f"{name}_cents", capital(_CHANGES.get(name, name)), "cents") for name in names]
    columns.append(("doubts", "Slip doubted", "text"))
    rows: list[list[Cell]] = []
    for table in book.tables:
        if table.inventory is not None:
            sums = [table.line(name) for name in names]
            changes = [
                cents or 0 if name in _CHANGES else cents for name, cents in zip(names, sums, strict=True)
            ]
            rows.append([table.table, game(table.chapter), *changes, doubts(table.inventory)])
    return book.report(
        "inventory",
        "Table inventories",
        columns,
        rows,
        total=[
            "all",
            None,
            *(
                sum(cell for row in rows if isinstance(cell := row[at], int))
                for at in range(2, len(columns) - 1)
            ),
            None,
        ],
        note=(
            "Opener plus every change with its lawful reason is what is expected; untyped is what the counts "
            "show beyond that. Changes are signed into the tray. Tokes never lie in it. Opener and closer "
            "stand as the slips have them, also where a slip is doubted."
        ),
    )


def fills_and_credits(book: Book) -> Report:
    """Return the fills and table credits by their slips."""
    rows: list[list[Cell]] = [
        [table.table, line.name, line.of, line.cents, _chips(line.denominations)]
        for table in book.tables
        if table.inventory is not None
        for line in table.inventory.lines
        if line.name in {"fill", "credit"}
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("kind", "Kind", "text"),
        ("slip", "Slip", "text"),
        ("cents", "Counted at the table", "cents"),
        ("denominations", "Chips", "text"),
    ]
    return book.report("fills_and_credits", "Fills and table credits", columns, rows)


def _chips(denominations: dict[int, int] | None) -> str | None:
    """Write chips by their worth, the largest first.

    >>> _chips({500: 20, 10_000: 3}), _chips({25: 4})
    ('3 x $100, 20 x $5', '4 x $0.25')
    """
    if denominations is None:
        return None
    told = sorted(denominations.items(), reverse=True)
    return ", ".join(f"{count} x {dollars(worth).removesuffix('.00')}" for worth, count in told)
