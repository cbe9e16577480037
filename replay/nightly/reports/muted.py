"""What did not ring, and what was put off: by whom, until when, and why."""

from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book


def muted(book: Book) -> Report:
    """Return each mute of the day, each alert that was put off, and each mute that was ended early."""
    columns: list[tuple[str, str, Kind]] = [
        ("at", "At", "moment"),
        ("who", "By", "text"),
        ("role", "Role", "text"),
        ("what", "What", "text"),
        ("of", "Of", "text"),
        ("until", "Until", "moment"),
        ("reason", "Reason", "text"),
    ]
    rows: list[list[Cell]] = [
        [each.at, each.who, each.role, each.what, each.of, each.until, each.reason] for each in book.quieted
    ]
    return book.report("muted", "Muted and put off", columns, rows)
