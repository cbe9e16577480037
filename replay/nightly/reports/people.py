"""What is about persons: patrons' cash, and staff."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.alert_work import Worked
from replay.nightly.day_book import Book
from replay.nightly.reports.compared import NO_SNAPSHOT
from replay.nightly.table_day import Said
from schemas.values import dollars


def cash_by_patron(book: Book) -> Report:
    """Return the cash of each known patron, and where it reaches the house's limits; for finance alone."""
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
    """Return the findings of the day that an operator closed as confirmed, by dealer and floorperson.

    Those stand here who have one, and what was settled by them, or under them, on the day beside it.
    """
    done = book.worked
    confirmed = done.confirmed if done is not None else frozenset()
    found = [said for said in book.findings if said.round is not None and said.finding.id in confirmed]
    rows: list[list[Cell]] = []
    for role in ("dealer", "floorperson"):
        settled: Counter[str] = Counter()
        for table in book.tables:
            settled.update(table.dealt if role == "dealer" else table.supervised)
        by: defaultdict[str, list[Said]] = defaultdict(list)
        for said in found:
            who = said.dealer if role == "dealer" else said.floorperson
            if who is not None:
                by[who].append(said)
        rows += [_person(who, role, settled[who], by[who]) for who in sorted(by)]
    columns: list[tuple[str, str, Kind]] = [
        ("person", "Person", "text"),
        ("role", "Role", "text"),
        ("findings", "Confirmed findings", "whole"),
        ("settlements", "Settlements", "whole"),
        ("against_patrons", "Owed to patrons, per thousand", "fraction"),
        ("against_house", "Overpaid, per thousand", "fraction"),
    ]
    return book.report(
        "by_person",
        "Confirmed findings by dealer and floorperson",
        columns,
        rows,
        note=NO_SNAPSHOT if done is None else _confirmed(done, found, book.findings),
        restricted="surveillance_supervisor",
    )


def _person(who: str, role: str, settled: int, found: Sequence[Said]) -> list[Cell]:
    against = Counter(said.finding.favours for said in found)
    rates = (Fraction(1000 * against[side], settled) if settled else None for side in ("house", "patron"))
    return [who, role, len(found), settled, *rates]


def _confirmed(done: Worked, found: Sequence[Said], every: Sequence[Said]) -> str:
    """Return what counts, and what was confirmed and does not."""
    of_day = {said.finding.id for said in every}
    earlier = sum(each.outcome == "confirmed" and each.alert not in of_day for each in done.closed)
    nobody = sum(said.dealer is None and said.floorperson is None for said in found)
    return " ".join(
        [
            "Only findings of the day's rounds count that an operator had closed as confirmed as it ended.",
            *([f"Closed so on the day, of earlier days, and not here: {earlier:,}."] if earlier else []),
            *([f"Of the day, and it is not known who worked at the table: {nobody:,}."] if nobody else []),
        ]
    )
