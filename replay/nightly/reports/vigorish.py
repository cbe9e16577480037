"""Vigorish: by person and shoe as the shoes' accounts have it, and added up by table."""

from collections import defaultdict
from typing import Final

from projections.engine.conclusion import Conclusion
from projections.engine.identity import id_of
from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book, game

_SUMS: Final = {
    "accrued": "Accrued",
    "rounding": "Of it by rounding up",
    "taken": "Taken at payout",
    "marked": "Marked",
    "collected": "Collected",
    "owed": "Still owed",
}
_MONEY: Final[list[tuple[str, str, Kind]]] = [
    (f"{name}_cents", says, "cents") for name, says in _SUMS.items()
]


def _people(shoe: Conclusion) -> dict[str, dict[str, int]]:
    """Return each person's sums of a shoe."""
    found: defaultdict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_SUMS, 0))
    for line in shoe.lines:
        name = line.name.removeprefix("vigorish_")
        if line.of is not None and line.cents is not None and name in _SUMS:
            found[line.of][name] += line.cents
    return dict(found)


def by_table(book: Book) -> Report:
    """Add each table's shoes up."""
    rows: list[list[Cell]] = []
    for table in book.tables:
        shoes = [_people(each) for each in table.accounts if each.shoe is not None]
        if any(shoes):
            sums = [sum(of[name] for shoe in shoes for of in shoe.values()) for name in _SUMS]
            rows.append([table.table, game(table.chapter), *sums])
    columns: list[tuple[str, str, Kind]] = [("table", "Table", "text"), ("game", "Game", "text"), *_MONEY]
    total = [sum(cell for row in rows if isinstance(cell := row[at], int)) for at in range(2, len(columns))]
    return book.report(
        "vigorish",
        "Vigorish by table",
        columns,
        rows,
        total=["all", None, *total],
        note="Of the shoes whose first round was played on the day and that have ended.",
    )


def by_shoe(book: Book) -> Report:
    """Return each person's vigorish of each shoe, and by which rule it was rounded."""
    rows: list[list[Cell]] = []
    keys: list[list[str]] = []
    for table in book.tables:
        for shoe in table.accounts:
            rules = "; ".join(line.of for line in shoe.lines if line.name == "vigorish_rule" and line.of)
            rows += [
                [table.table, shoe.shoe, who, *of.values(), rules or None]
                for who, of in sorted(_people(shoe).items())
            ]
            keys += [[id_of(shoe)] for _ in _people(shoe)]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("shoe", "Shoe", "text"),
        ("who", "Seat", "text"),
        *_MONEY,
        ("rule", "Rule", "text"),
    ]
    return book.report("vigorish_by_shoe", "Vigorish by shoe and seat", columns, rows, row_keys=keys)
