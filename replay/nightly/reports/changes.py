"""Changes of rulebook and options in the day, and what they changed."""

from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book


def changes(book: Book) -> Report:
    """Return what was changed, and what the rounds after it were owed by it beside what was owed before."""
    rows: list[list[Cell]] = [
        [
            table.table,
            each.at,
            each.source,
            "; ".join(
                f"{name}: {_said(before)} to {_said(after)}" for name, (before, after) in each.options.items()
            )
            or None,
            each.before,
            each.first,
            each.rounds,
            each.differing,
            each.open,
            each.cents if each.before is not None else None,
        ]
        for table in book.tables
        for each in table.changes
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("at", "Since", "moment"),
        ("source", "By", "text"),
        ("options", "Options", "text"),
        ("before", "Rulebook before", "text"),
        ("first", "First round", "text"),
        ("rounds", "Rounds", "whole"),
        ("differing", "Owed otherwise", "whole"),
        ("open", "Cannot be told", "whole"),
        ("cents", "Owed to the house more", "cents"),
    ]
    return book.report(
        "changes",
        "Changes of rules, and what they changed",
        columns,
        rows,
        note=(
            "The rounds of the day up to the next change, judged again under the rules before it: by the "
            "same cards and wagers. Thresholds: No activity."
        ),
    )


def _said(value: object) -> str:
    """Write an option as a Rules Submission does.

    >>> _said(True), _said(None), _said("5%")
    ('true', 'none', '5%')
    """
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
