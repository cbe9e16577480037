"""Counter Checks that are outstanding, one by one."""

from projections.findings import Finding
from projections.lines import Line
from replay.nightly.book import Book
from replay.report.model import Cell, Kind, Report
from schemas.values import dollars

_ACCOUNT = "counter_checks"


def outstanding(book: Book) -> Report:
    """Give each Counter Check that is not redeemed as the day ends: what is owed on it, and how it stands.

    Whose it is stands in the ledger alone: this report is read by others than finance.
    """
    taken = {
        line.of: (table.table, line.cents or 0)
        for table in book.tables
        if table.inventory is not None
        for line in table.inventory.lines
        if line.name == "box_check"
    }
    accounts = [each for each in book.accounts if each.account == _ACCOUNT]
    owed = [line for each in accounts for line in each.lines if line.name == "outstanding" and line.of]
    found = [finding for each in accounts for finding in each.findings]
    rows: list[list[Cell]] = []
    for line in owed:
        table, cents = taken.get(line.of, (None, None))
        rows.append(
            [
                line.of,
                book.day.date if table is not None else None,
                table,
                line.cents,
                _state(line, cents, [each for each in found if each.serial == line.of]),
            ]
        )
    columns: list[tuple[str, str, Kind]] = [
        ("check", "Counter Check", "text"),
        ("day", "Taken on", "date"),
        ("table", "At table", "text"),
        ("owed_cents", "Outstanding", "cents"),
        ("state", "State", "text"),
    ]
    return book.report(
        "counter_checks",
        "Counter Checks outstanding",
        columns,
        rows,
        note=(
            "As the day ends, those of earlier days too, 609a.13. Whose a check is stands in the ledger and "
            "on the check."
        ),
        total=["all", None, None, sum(line.cents or 0 for line in owed), None],
    )


def _state(owed: Line, taken: int | None, found: list[Finding]) -> str:
    """Say how a check stands: what was redeemed of it, if it was taken today, and what was found about it."""
    said = []
    if taken is None:
        said.append("no table took it today")
    else:
        redeemed = taken - (owed.cents or 0)
        said.append(
            "nothing redeemed" if redeemed <= 0 else f"{dollars(redeemed)} of {dollars(taken)} redeemed"
        )
    said += [each.message for each in found]
    return "; ".join(said)
