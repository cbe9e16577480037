"""What the ledgers of the cage, the count room and Counter Checks came to, and all that was found in them."""

from projections.engine.identity import id_of
from projections.views.finding_text import finding_text
from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import CASHED_OUT, Book
from replay.nightly.reports.coupons import ACCOUNT as COUPONS


def findings(book: Book) -> Report:
    """Return the findings of every account, tables' inventories too, each with what it stands on."""
    rows: list[list[Cell]] = [
        [
            said.account,
            said.table,
            said.finding.check,
            said.finding.weight,
            finding_text(said.finding),
            said.finding.serial if isinstance(said.finding.serial, str) else None,
            said.finding.comes_to_cents,
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
        ("variance_cents", "Variance", "cents"),
        ("citations", "Provision", "text"),
        ("id", "Id", "text"),
    ]
    keys = [[said.about] for said in book.findings if said.account is not None]
    return book.report("ledger_findings", "Findings of inventories and ledgers", columns, rows, row_keys=keys)


def accounts(book: Book) -> Report:
    """Return the figures of each ledger's account; those of coupons have a report of their own."""
    lines = [
        (each, line)
        for each in book.accounts
        if each.account != COUPONS
        for line in each.lines
        if line.name != CASHED_OUT or line.of is None  # whose cash it is, finance reads
    ]
    rows: list[list[Cell]] = [
        [each.account, line.name, line.of, line.box, line.count, line.cents] for each, line in lines
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("account", "Account", "text"),
        ("line", "Line", "text"),
        ("of", "Of", "text"),
        ("box", "Drop box", "text"),
        ("count", "How many", "whole"),
        ("cents", "Sum", "cents"),
    ]
    keys = [[id_of(each)] for each, _ in lines]
    return book.report("ledgers", "Accounts of the ledgers", columns, rows, row_keys=keys)
