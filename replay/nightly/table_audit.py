"""One table's gaming day judged once more, from the archive alone: what is read is let go at once."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from projections.engine.audit.house_mistakes import of_table
from projections.engine.audit.table_audit import Concluded, TableAudit
from replay.nightly.gaming_days import Day, day_of
from replay.nightly.rule_changes import Changes
from replay.nightly.shifts import Shifts
from replay.nightly.survey import Survey, Surveying
from replay.nightly.table_day import TableDay
from replay.recording.event_audit import Unread, frames, from_day, is_past, latest, over
from schemas.codec import Frame
from schemas.house import House
from streams.log import Log

_UNREAD_TOLD: Final = 100  # of a table; of more it is said that there are more


def table_day(path: Path, found: Log, house: House, day: date) -> TableDay:
    """Survey and audit a table's gaming day; memory does not grow with its length.

    A table about which the house file is at fault is not audited: why stands with what cannot be read.

    Raises:
        BadInput: a file of the archive is damaged.
    """
    bounds = day_of(house, day)
    table = found.name
    if at_fault := of_table(table, house):
        why = "; ".join(each.told() for each in at_fault)
        says = f"{table} is left out, the house file is at fault: {why}"
        survey = _survey(found, Surveying(house.tables[table], bounds))
        return TableDay(
            table=table, chapter=house.tables[table].chapter, day=day, survey=survey, unread=[says]
        )
    begun, audit = _begun(path, found, house, day)
    survey = _surveyed(begun, audit, bounds)
    result = TableDay(table=table, chapter=house.tables[table].chapter, day=day, survey=survey)
    changes = Changes(table, house, bounds, survey, audit.progress.state.options)
    shifts = Shifts(house, bounds)
    for each in _latest(begun, audit, bounds, result.unread):
        shift = shifts.number(each.seen.at) if each.seen is not None else 0
        result.take(each, house, shift)
        if each.seen is not None:
            changes.take(each.conclusion, each.seen)
    result.changes = changes.found
    return result


def concluded(path: Path, found: Log, house: House, day: date) -> Iterator[Concluded]:
    """Audit a table's gaming day and give what was last concluded of each round, shoe and account.

    Raises:
        BadInput: the house cannot be applied to the table, or a file of the archive is damaged.
    """
    yield from _latest(*_begun(path, found, house, day), day_of(house, day), [])


def surveyed(path: Path, found: Log, house: House, day: date) -> Survey:
    """Survey a table's gaming day without judging it.

    Raises:
        BadInput: a file of the archive is damaged.
    """
    if of_table(found.name, house):
        return _survey(found, Surveying(house.tables[found.name], day_of(house, day)))
    return _surveyed(*_begun(path, found, house, day), day_of(house, day))


def _begun(path: Path, found: Log, house: House, day: date) -> tuple[Log, TableAudit]:
    """Leave out what lies before the day, where a snapshot tells what was known then; give the audit, too."""
    found, audits = from_day(found, path, house, day)
    audit = audits.get(found.name)
    return found, audit if audit is not None else TableAudit(found.name, house)


def _surveyed(found: Log, audit: TableAudit, day: Day) -> Survey:
    """Survey a day that begins with what the audit knows."""
    known = audit.progress
    is_open, told = known.state.is_open, known.waiting.seating.told
    return _survey(found, Surveying(audit.setup, day, is_open=is_open, told=told))


def _survey(found: Log, surveying: Surveying) -> Survey:
    """Survey a log from its beginning on."""
    for frame in frames(found):
        if isinstance(frame, Frame):
            surveying.take(frame.received, frame.events)
            if surveying.is_past():
                break
    return surveying.result()


def _latest(found: Log, audit: TableAudit, day: Day, unread: list[str]) -> Iterator[Concluded]:
    """Yield what was last concluded of the day; what of it cannot be read is added to `unread`."""
    for each in latest(_concluded(found, audit, day, unread)):
        if not isinstance(each, Unread) and each.conclusion.gaming_date == day.date:
            yield each


def _concluded(found: Log, audit: TableAudit, day: Day, unread: list[str]) -> Iterator[Concluded]:
    """Audit until nothing of the day can be concluded or revised any more."""
    told, is_over = 0, over(audit.house, day.date)
    for frame in frames(found):
        if isinstance(frame, Unread):
            told += 1
            if told <= _UNREAD_TOLD:
                unread.append(frame.error)
            continue
        yield from audit.feed(frame.events)
        unread += [f"{audit.table} {each}" for each in audit.strangers()]
        if is_over(audit):
            return
    if told > _UNREAD_TOLD:
        unread.append(f"{told - _UNREAD_TOLD} more of table {audit.table} cannot be read")
    if not is_past(audit, day.late):
        yield from audit.finish()
