"""Counter Checks that are outstanding, one by one."""

from collections.abc import Sequence

from projections.engine.findings import Finding
from projections.programmes.ledgers.counter_checks import Owed
from projections.views.text import text
from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book
from schemas.values import dollars

_ACCOUNT = "counter_checks"


def outstanding(book: Book) -> Report:
    """Return each Counter Check that is not redeemed as the day ends: whose, what is owed, how it stands.

    It names patrons: it is for finance alone.
    """
    taken = {
        line.of
        for table in book.tables
        if table.inventory is not None
        for line in table.inventory.lines
        if line.name == "box_check"
    }
    found = [finding for each in book.accounts if each.account == _ACCOUNT for finding in each.findings]
    rows: list[list[Cell]] = []
    for check, owed in sorted(book.outstanding.items()):
        made = book.house.gaming_date(owed.at)
        untaken = made == book.day.date and check not in taken
        said = [each for each in found if each.serial == check]
        left = owed.cents - owed.redeemed
        rows.append(
            [check, owed.patron, made, owed.table, owed.cents, left, _state(owed, said, untaken=untaken)]
        )
    columns: list[tuple[str, str, Kind]] = [
        ("check", "Counter Check", "text"),
        ("patron", "Patron", "text"),
        ("day", "Made out on", "date"),
        ("table", "For table", "text"),
        ("made_cents", "Made out for", "cents"),
        ("owed_cents", "Outstanding", "cents"),
        ("state", "State", "text"),
    ]
    made_for = sum(each.cents for each in book.outstanding.values())
    redeemed = sum(each.redeemed for each in book.outstanding.values())
    return book.report(
        "counter_checks",
        "Counter Checks outstanding",
        columns,
        rows,
        note="As the day ends, those of earlier days too, 609a.13.",
        restricted="finance",
        total=["all", None, None, None, made_for, made_for - redeemed, None],
    )


def _state(owed: Owed, found: Sequence[Finding], *, untaken: bool) -> str:
    """Return how a check stands: what was redeemed, if no table took it on its day, and what was found."""
    said = [f"{dollars(owed.redeemed)} redeemed" if owed.redeemed else "nothing redeemed"]
    if untaken:
        said.append("no table took it on that day")
    said += [text(each.message) for each in found]
    return "; ".join(said)
