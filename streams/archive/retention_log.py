"""Log of what retention removed from an archive, retention.jsonl, and whether that was allowed."""

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from schemas.errors import BadInput
from schemas.law_text import chapter
from streams.archive import custody
from streams.archive.record_names import RETENTION, table_of

_LONGEST: Final = 1 << 16  # bytes of a line
_UNREAD: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Removal(Struct, frozen=True):
    """A line of the archive's log: a file that was removed, whose it was, who asked for it and when (UTC)."""

    path: str
    sha256: str
    bytes: int
    day: date
    table: str
    by: str
    at: datetime


def removals(archive: Path) -> Iterator[Removal]:
    """Read what was removed; a line that a crash cut short, or that is invalid, is ignored."""
    log = archive / RETENTION
    if not log.is_file():
        return
    with log.open("rb") as lines:
        while line := lines.readline(_LONGEST):
            try:
                yield msgspec.json.decode(line, type=Removal)
            except _UNREAD:
                continue


def least_years(day: date) -> int:
    """Return the number of years for which the law of a day requires records to be kept, 465a.6."""
    years: int = chapter("465a").numbers_on(day)["records_kept_years"].value
    return years


def years_before(day: date, years: int) -> date:
    """Return the first gaming day that has to be retained on a day; older ones may be removed.

    >>> years_before(date(2028, 2, 29), 5), years_before(date(2030, 3, 1), 5)
    (datetime.date(2023, 2, 28), datetime.date(2025, 3, 1))
    """
    year = max(day.year - years, 1)
    try:
        return day.replace(year=year)
    except ValueError:  # February 29 of a year that has none
        return day.replace(year=year, day=28)


def removal_breach(archive: Path, removal: Removal, day: date, today: date) -> str | None:
    """Return why a file of a day may not have been removed as the log has it; None if it may have been.

    `today` is the day on which this is asked: no removal can be later.
    """
    when = min(removal.at.date(), today)
    if day >= years_before(when, least_years(when)):
        return f"by {removal.by} on {when}, when it had to be kept still (465a.6)"
    try:
        hold_records = custody.hold_records(archive)
    except BadInput as error:
        return f"by {removal.by} on {when}; whether it was under legal hold cannot be read: {error}"
    for each in hold_records:
        was_held = each.hold.at <= removal.at and (each.lifted is None or each.lifted.at > removal.at)
        if was_held and each.hold.covers(table_of(removal.table), day):
            return f"by {removal.by} on {when}, while the legal hold {each.hold.hold} was on it"
    return None
