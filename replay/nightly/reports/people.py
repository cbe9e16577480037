"""What is about persons: patrons' cash, and staff."""

from replay.nightly.book import Book
from replay.report.model import Cell, Kind, Report
from schemas.values import dollars


def cash_by_patron(book: Book) -> Report:
    """Give the cash of each known patron, and where it reaches the house's limits; for finance alone."""
    paid_in: dict[str, int] = {}
    for table in book.tables:
        for patron, cents in table.survey.bought.items():
            paid_in[patron] = paid_in.get(patron, 0) + cents
    limits = book.house.cash_limits
    rows: list[list[Cell]] = []
    for patron in sorted(paid_in.keys() | book.cashed.keys()):
        came, went = paid_in.get(patron, 0), book.cashed.get(patron, 0)
        reached = [
            name
            for name, cents, limit in (("in", came, limits.in_cents), ("out", went, limits.out_cents))
            if cents >= limit
        ]
        rows.append([patron, came, went, " and ".join(reached) or None])
    columns: list[tuple[str, str, Kind]] = [
        ("patron", "Patron", "text"),
        ("in_cents", "Cash in", "cents"),
        ("out_cents", "Cash out", "cents"),
        ("reached", "Limit reached", "text"),
    ]
    unnamed = sum(table.survey.unnamed_cents for table in book.tables)
    note = (
        f"Limits: in {dollars(limits.in_cents)}, out {dollars(limits.out_cents)}. "
        f"Bought by persons who are not known: {dollars(unnamed)}."
    )
    return book.report(
        "cash_by_patron", "Cash in and out by patron", columns, rows, note=note, restricted="finance"
    )


def by_person(book: Book) -> Report:
    """Give the confirmed findings by dealer and floorperson; none is confirmed without an operator."""
    columns: list[tuple[str, str, Kind]] = [
        ("person", "Person", "text"),
        ("role", "Role", "text"),
        ("settlements", "Settlements", "whole"),
        ("against_patrons", "Against patrons, per thousand", "fraction"),
        ("against_house", "Against the house, per thousand", "fraction"),
    ]
    note = "Only findings that an operator closed as confirmed count."
    return book.report(
        "by_person",
        "Confirmed findings by dealer and floorperson",
        columns,
        (),
        note=note,
        restricted="surveillance_supervisor",
    )
