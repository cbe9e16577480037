"""What became of the alerts: what was over its due time, what they were closed as, how long they stood."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Final, get_args

from projections.casework.alerts.overdue import Breach
from projections.casework.cases.case_actions import Level
from projections.casework.cases.case_state import MINUTE
from projections.engine.findings import Severity
from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book
from replay.nightly.reports.compared import NO_SNAPSHOT, named
from schemas.values import Micros

_AGES: Final = (
    (5 * MINUTE, "up to 5 minutes"),
    (60 * MINUTE, "up to an hour"),
    (8 * 60 * MINUTE, "up to 8 hours"),
    (24 * 60 * MINUTE, "up to a day"),
    (3 * 24 * 60 * MINUTE, "up to 3 days"),
)
_LONGER: Final = "longer"


def breaches(book: Book) -> Report:
    """Return what became due on the day and was taken or closed later, or was not by the day's end."""
    columns: list[tuple[str, str, Kind]] = [
        ("severity", "Severity", "text"),
        ("step", "To be", "text"),
        ("table", "Table", "text"),
        ("about", "Of", "text"),
        ("gaming_day", "Gaming day", "date"),
        ("check", "Check", "text"),
        ("due", "Due", "moment"),
        ("done", "Done", "moment"),
        ("over", "Minutes over", "whole"),
        ("who", "By", "text"),
    ]
    rows: list[list[Cell]] = []
    counted: Counter[str] = Counter()
    if book.worked is not None:
        counted = Counter(each.severity for each in book.worked.late)
        rows = [_row(each, book.worked.until) for each in book.worked.late]
    by = ", ".join(f"{counted[each]:,} {each}" for each in get_args(Severity) if counted[each])
    return book.report(
        "breaches",
        "Over their due times",
        columns,
        rows,
        note=_note(book, f"By severity: {by}" if by else ""),
        row_keys=[[each.about] for each in (book.worked.late if book.worked is not None else ())],
    )


def _row(late: Breach, until: Micros) -> list[Cell]:
    return [
        late.severity,
        late.step,
        late.table,
        named(late.about),
        date.fromisoformat(late.about.partition("|")[0]),
        late.check,
        late.due,
        late.done,
        late.late(until),
        late.who,
    ]


def closings(book: Book) -> Report:
    """Count what each check's alerts were closed as on the day, and are still closed as at its end."""
    columns: list[tuple[str, str, Kind]] = [
        ("check", "Check", "text"),
        ("closed_as", "Closed as", "text"),
        ("findings", "Findings", "whole"),
    ]
    counted = Counter((each.check, each.outcome) for each in (book.worked.closed if book.worked else ()))
    rows: list[list[Cell]] = [[*name, counted[name]] for name in sorted(counted)]
    return book.report("closings", "What findings were closed as", columns, rows, note=_note(book))


def ageing(book: Book) -> Report:
    """Count by how long they had stood the alerts that were closed on the day, and those still open.

    Of these it says how many were escalated, and to whom.
    """
    columns: list[tuple[str, str, Kind]] = [
        ("age", "Stood for", "text"),
        ("closed", "Closed on the day", "whole"),
        ("open", "Open as it ended", "whole"),
        ("escalated", "Escalated of these", "whole"),
    ]
    closed = _ages(each.stood for each in book.worked.closed) if book.worked else Counter()
    still = book.worked.open if book.worked else ()
    waiting = _ages(each.stood for each in still)
    escalated = _ages(each.stood for each in still if each.escalated is not None)
    to = Counter(each.escalated for each in still)
    whom = ", ".join(f"{to[level]:,} with the {level}" for level in get_args(Level) if to[level])
    names = (*(name for _, name in _AGES), _LONGER) if closed or waiting else ()
    rows: list[list[Cell]] = [[name, closed[name], waiting[name], escalated[name]] for name in names]
    says = f"Escalated and open: {whom}" if whom else ""
    return book.report("alert_ageing", "Alert ageing", columns, rows, note=_note(book, says))


def _ages(stood: Iterable[Micros]) -> Counter[str]:
    return Counter(next((name for most, name in _AGES if each <= most), _LONGER) for each in stood)


def _note(book: Book, says: str = "") -> str | None:
    """Return what a report of alerts rests on."""
    if book.worked is None:
        return NO_SNAPSHOT
    if book.worked.until < book.day.ends:
        says = f"{says}; the day had not ended" if says else "The day had not ended"
    return f"{says}." if says else None
