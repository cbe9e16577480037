"""What the ledgers of the cage, the count room, Counter Checks and coupons came to."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from projections.findings import told
from replay.nightly.book import CASHED_OUT, Book
from replay.report.model import Cell, Kind, Report

_COUPONS: Final = "coupons"
_QUARTER: Final = "redeemed_in_quarter"
_QUARTER_ENDS: Final = (3, 6, 9, 12)  # months
_COLUMNS: Final[list[tuple[str, str, Kind]]] = [
    ("account", "Account", "text"),
    ("line", "Line", "text"),
    ("of", "Of", "text"),
    ("box", "Drop box", "text"),
    ("count", "How many", "whole"),
    ("cents", "Sum", "cents"),
]


def findings(book: Book) -> Report:
    """List the findings of every account, tables' inventories too, each with what it stands on."""
    rows: list[list[Cell]] = [
        [
            said.account,
            said.table,
            said.finding.check,
            said.finding.weight,
            told(said.finding),
            said.finding.serial if isinstance(said.finding.serial, str) else None,
            said.finding.delta_cents if isinstance(said.finding.delta_cents, int) else None,
            ", ".join(said.finding.citations),
            said.finding.id,
        ]
        for said in book.findings
        if said.account is not None
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("account", "Account", "text"),
        ("table", "Table or ledger", "text"),
        ("check", "Check", "text"),
        ("weight", "Weight", "text"),
        ("says", "Finding", "text"),
        ("serial", "Serial number", "text"),
        ("delta_cents", "Difference", "cents"),
        ("citations", "Provision", "text"),
        ("id", "Id", "text"),
    ]
    return book.report("ledger_findings", "Findings of inventories and ledgers", columns, rows)


def accounts(book: Book) -> Report:
    """Give the figures of each ledger's account."""
    return _lines(book, "ledgers", "Accounts of the ledgers", lambda name: name != _COUPONS)


def coupons(book: Book) -> Report:
    """Give the coupons that were issued, played, dropped, counted and are outstanding."""
    return _lines(book, "coupons", "Match Play Coupons", lambda name: name == _COUPONS)


def _lines(book: Book, name: str, title: str, wanted: Callable[[str], bool]) -> Report:
    rows: list[list[Cell]] = [
        [each.account, line.name, line.of, line.box, line.count, line.cents]
        for each in book.accounts
        if wanted(each.account or "")
        for line in each.lines
        if line.name != _QUARTER
        and (line.name != CASHED_OUT or line.of is None)  # whose cash it is, finance reads
    ]
    return book.report(name, title, _COLUMNS, rows)


def coupons_quarter(book: Book) -> Report:
    """Give what was redeemed in the quarter by denomination, on the day that ends one, 603a.20(o)."""
    after = book.day.date + timedelta(days=1)
    ends = after.day == 1 and book.day.date.month in _QUARTER_ENDS
    rows: list[list[Cell]] = [
        [int(line.of or 0), line.cents]
        for each in book.accounts
        if ends and each.account == _COUPONS
        for line in each.lines
        if line.name == _QUARTER
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("denomination_cents", "Coupons of", "cents"),
        ("redeemed_cents", "Redeemed", "cents"),
    ]
    note = "The quarter ends with this day." if ends else "No quarter ends with this day."
    return book.report("coupons_quarter", "Match Play Coupons of the quarter", columns, rows, note=note)
