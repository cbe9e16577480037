"""What does not reconcile, in one list, and how the audit was held against the live store."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from projections.findings import told
from replay.nightly.book import Book
from replay.report.model import Cell, Kind, Report

NO_SNAPSHOT: Final = "No snapshot was given."


class Item(Struct, frozen=True):
    """One thing that does not reconcile: where, what it is called, what it says, cents, and the provision."""

    table: str
    about: str
    what: str
    says: str
    cents: int | None = None
    citations: str | None = None


def open_of(book: Book) -> Iterator[Item]:
    """Give all that does not reconcile: differences first, then what could not be read, then findings."""
    for each in book.compared or ():
        for names, what in ((each.differing, "differs"), (each.missing, "missing"), (each.extra, "extra")):
            yield from (Item(each.table, named(name), what, _SAYS[what]) for name in names)
    for table in book.tables:
        yield from (Item(table.table, "archive", "unreadable", each) for each in table.unread)
    yield from (Item("ledgers", "archive", "unreadable", each) for each in book.unread)
    yield from (
        Item(each, "archive", "absent", "the archive has nothing of the table") for each in book.absent
    )
    for said in book.findings:
        finding = said.finding
        yield Item(
            said.table,
            named(said.about),
            finding.check,
            told(finding),
            finding.delta_cents if isinstance(finding.delta_cents, int) else None,
            ", ".join(finding.citations),
        )


_SAYS: Final = {
    "differs": "the live store has it otherwise than the audit",
    "missing": "the live store does not have it",
    "extra": "the live store alone has it",
}


_ABSENT: Final = "the archive has nothing of the table"
_PARTS: Final = 2


def named(about: str) -> str:
    """Name for a person what a conclusion is about, within its day and table.

    >>> [named(f"2025-03-01|BAC-104|{about}") for about in ("17", "shoe|3", "account|inventory")]
    ['round 17', 'shoe 3', 'inventory']
    >>> named("abc")
    'abc'
    """
    if about.count("|") < _PARTS:
        return about  # no name that this software gave
    _, _, kind, *name = about.split("|")
    said = "|".join(name) if kind == "account" else f"{kind} {'|'.join(name)}" if name else f"round {kind}"
    return said.replace("%7C", "|").replace("%25", "%")


def open_items(book: Book) -> Report:
    """List what does not reconcile."""
    rows: list[list[Cell]] = [
        [each.table, each.about, each.what, each.says, each.cents, each.citations] for each in open_of(book)
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table or ledger", "text"),
        ("about", "About", "text"),
        ("what", "What", "text"),
        ("says", "Says", "text"),
        ("cents", "Difference", "cents"),
        ("citations", "Provision", "text"),
    ]
    note = None if book.compared is not None else NO_SNAPSHOT
    return book.report("open_items", "What does not reconcile", columns, rows, note=note)


def comparison(book: Book) -> Report:
    """Give table by table how many conclusions the live store has to the byte, and which it has not."""
    rows: list[list[Cell]] = [
        [
            each.table,
            each.same,
            len(each.differing),
            len(each.missing),
            len(each.extra),
            ", ".join(map(named, (*each.differing, *each.missing, *each.extra))) or None,
        ]
        for each in book.compared or ()
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("same", "The same", "whole"),
        ("differing", "Differing", "whole"),
        ("missing", "Missing", "whole"),
        ("extra", "Extra", "whole"),
        ("names", "Which", "text"),
    ]
    note = (
        NO_SNAPSHOT
        if book.compared is None
        else f"Held against {', '.join(book.against) or 'a store without the day'}."
    )
    return book.report("comparison", "The live store beside the audit", columns, rows, note=note)
