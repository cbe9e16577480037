"""A table's gaming day judged again, from the archive only, and the tables shared out over processes.

Frames are not stored after they are read. The result of a table is stored, under the digest of all that it
depends on, until the reports are written. A run that was killed continues with what is finished, and results
of another day or archive are never used.
"""

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projections.engine.audit.rulebooks import of_table
from projections.engine.audit.table_audit import Concluded, TableAudit
from projections.engine.checks.plugin_checks import software
from projections.store.disk import atomic_output
from replay.nightly.gaming_days import Day, Shifts, day_of, parts_of
from replay.nightly.rule_changes import Changes
from replay.nightly.survey import Survey, SurveyBuilder
from replay.nightly.table_day import TableDay, dump, load
from replay.recording.event_audit import day_is_over, is_past, latest_conclusions, start_of_day
from replay.recording.parallel_audit import processes
from replay.recording.recording import Recording
from schemas.codec import Frame
from streams import log
from streams.archive.journal import Journal
from streams.archive.record_names import JOURNAL, file_name, is_archive, own_days
from streams.log import Log, Unread, frames
from streams.topics import FRAMES

_PIECE: Final = 1 << 20

_MOST_UNREAD: Final = 100  # of a table; beyond that only "more" is reported


def table_day(recording: Recording, log: Log, day: date) -> TableDay:
    """Survey and audit a table's gaming day; memory does not grow with its length.

    A table about which the house file is at fault is not audited: why stands with what cannot be read.

    Raises:
        BadInput: a file of the archive is damaged.
    """
    house = recording.house
    bounds = day_of(house, day)
    table = log.name
    if at_fault := of_table(table, house):
        why = "; ".join(each.describe() for each in at_fault)
        message = f"{table} is left out, the house file is at fault: {why}"
        survey = _survey(log, SurveyBuilder(house.tables[table], bounds))
        return TableDay(
            table=table, chapter=house.tables[table].chapter, day=day, survey=survey, unread=[message]
        )
    audit_from, audit = _audit_from_day(recording, log, day)
    survey = _surveyed(audit_from, audit, bounds)
    result = TableDay(table=table, chapter=house.tables[table].chapter, day=day, survey=survey)
    changes = Changes(table, house, bounds, survey, audit.progress.state.options)
    shifts = Shifts(house, bounds)
    for each in _latest(audit_from, audit, bounds, result.unread):
        shift = shifts.number(each.seen.at) if each.seen is not None else 0
        result.add_conclusion(each, house, shift)
        if each.seen is not None:
            changes.judge_round(each.conclusion, each.seen)
    result.changes = changes.found
    return result


def audit_table(recording: Recording, log: Log, day: date) -> Iterator[Concluded]:
    """Audit a table's gaming day and give what was last concluded of each round, shoe and account.

    Raises:
        BadInput: the house cannot be applied to the table, or a file of the archive is damaged.
    """
    yield from _latest(*_audit_from_day(recording, log, day), day_of(recording.house, day), [])


def survey_table(recording: Recording, log: Log, day: date) -> Survey:
    """Survey a table's gaming day without judging it.

    Raises:
        BadInput: a file of the archive is damaged.
    """
    house = recording.house
    if of_table(log.name, house):
        return _survey(log, SurveyBuilder(house.tables[log.name], day_of(house, day)))
    return _surveyed(*_audit_from_day(recording, log, day), day_of(house, day))


def _audit_from_day(recording: Recording, log: Log, day: date) -> tuple[Log, TableAudit]:
    """Leave out what is before the day, if a snapshot has what was known then; return the audit, too."""
    house = recording.house
    log, audits = start_of_day(log, house, day)
    audit = audits.get(log.name)
    return log, audit if audit is not None else TableAudit(log.name, house)


def _surveyed(log: Log, audit: TableAudit, day: Day) -> Survey:
    """Survey a day that begins with what the audit knows."""
    progress = audit.progress
    is_open, moves = progress.state.is_open, progress.buffer.seating.reports
    return _survey(log, SurveyBuilder(audit.setup, day, is_open=is_open, events=moves))


def _survey(log: Log, surveying: SurveyBuilder) -> Survey:
    """Survey a log from its beginning on."""
    for frame in frames(log):
        if isinstance(frame, Frame):
            surveying.add_events(frame.received, frame.events)
            if surveying.is_past():
                break
    return surveying.result()


def _latest(log: Log, audit: TableAudit, day: Day, unread: list[str]) -> Iterator[Concluded]:
    """Yield what was last concluded of the day; what of it cannot be read is added to `unread`."""
    for each in latest_conclusions(_concluded(log, audit, day, unread)):
        if not isinstance(each, Unread) and each.conclusion.gaming_date == day.date:
            yield each


def _concluded(log: Log, audit: TableAudit, day: Day, unread: list[str]) -> Iterator[Concluded]:
    """Audit until nothing of the day can be concluded or revised any more."""
    count, is_over = 0, day_is_over(audit.house, day.date)
    strange: Counter[str] = Counter()
    for frame in frames(log):
        if isinstance(frame, Unread):
            count += 1
            if count <= _MOST_UNREAD:
                unread.append(frame.error)
            continue
        yield from audit.feed(frame.events)
        strange.update(audit.take_strangers())
        if is_over(audit):
            break
    unread += [
        f"{audit.table} {each}{f'; in {seen:,} frames' if seen > 1 else ''}" for each, seen in strange.items()
    ]
    if count > _MOST_UNREAD:
        unread.append(f"{count - _MOST_UNREAD} more of table {audit.table} cannot be read")
    if not is_past(audit, day.late):
        yield from audit.finish()


class Task(Struct, frozen=True):
    """A table's day to be audited, and where its result is stored."""

    recording: Recording
    table: str
    day: date
    kept: Path


def tasks(recording: Recording, tables: Sequence[str], day: date, scratch: Path) -> list[Task]:
    """Return what is to be done, the largest first; stored results of other inputs are removed."""
    found = [
        Task(
            recording,
            table,
            day,
            scratch / f"{file_name(table.encode())}-{_inputs(recording, table, day)}.json",
        )
        for table in tables
    ]
    wanted = {each.kept.name for each in found}
    for each in scratch.glob("*.json"):
        if each.name not in wanted:
            each.unlink()
    return found


def run(tasks: Sequence[Task], jobs: int, progress: Callable[[str], None]) -> None:
    """Run the unfinished jobs in a number of processes; a single job is run in this one.

    Raises:
        BadInput: a table cannot be audited; finished results remain.
    """
    to_do = [each for each in tasks if not each.kept.is_file()]
    if jobs == 1 or len(to_do) < 2:  # noqa: PLR2004  one table needs no second process
        for each in to_do:
            _do(each)
            progress(each.table)
        return
    with processes(min(jobs, len(to_do))) as pool:
        running = {pool.submit(_do, each): each for each in to_do}
        try:
            for done in as_completed(running):
                done.result()
                progress(running[done].table)
        finally:
            pool.shutdown(cancel_futures=True)


def results(tasks: Sequence[Task]) -> Iterator[TableDay]:
    """Read what the tasks came to, one after the other."""
    return (load(each.kept.read_bytes(), str(each.kept)) for each in tasks)


def _do(task: Task) -> None:
    (found,) = [each for each in task.recording.table_logs() if each.name == task.table]
    result = table_day(task.recording, found, task.day)
    with atomic_output(task.kept) as out:
        out.write(dump(result))


def _inputs(recording: Recording, table: str, day: date) -> str:
    """Hash all that a table's day depends on: software, house, and the bytes that are recorded of it."""
    path, house = recording.path, recording.house
    hashed = hashlib.sha256(software().encode())
    hashed.update(msgspec.json.encode([house, day, table], order="sorted"))
    if not is_archive(path):
        _hash_file(hashed, path / log.EVENTS / f"{table}.jsonl")
        return hashed.hexdigest()[:24]
    name = file_name(table.encode())
    for filed in own_days(path):
        for file in parts_of(path, filed, name):
            hashed.update(f"{filed}/{file.name}/{file.stat().st_size}".encode())
            if abs((filed - day).days) <= 1:
                _hash_file(hashed, file)
    if (path / JOURNAL).is_file():
        with Journal(path) as journal:
            inputs = [
                (str(on), *each) for on, _ in journal.days() for each in journal.streams(on, FRAMES, name)
            ]
        hashed.update(repr(inputs).encode())
    return hashed.hexdigest()[:24]


def _hash_file(hashed: "hashlib._Hash", file: Path) -> None:
    with file.open("rb") as read_from:
        while piece := read_from.read(_PIECE):
            hashed.update(piece)


def remove_results(scratch: Path) -> None:
    """Remove the stored results: the reports are written."""
    shutil.rmtree(scratch)
