"""The tables of a day shared out over fresh processes; what each came to is kept until the reports are there.

A result is kept under the digest of all that it depends on, so that a run which was killed goes on with what
is finished, and nothing is taken for another day's or another archive's.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from replay.nightly.gaming_days import parts_of, tables_of
from replay.nightly.table_audit import table_day
from replay.nightly.table_day import TableDay, read, written
from replay.recording.parallel_audit import processes
from schemas.house import House
from streams import log
from streams.archive.disk import appearing
from streams.archive.journal import Journal
from streams.archive.record_names import JOURNAL, file_name, is_archive, own_days
from streams.topics import FRAMES

_PIECE: Final = 1 << 20


class Task(Struct, frozen=True):
    """A table's day to be audited, and where what it comes to is kept."""

    path: Path
    house: House
    table: str
    day: date
    kept: Path


def tasks(path: Path, house: House, tables: Sequence[str], day: date, scratch: Path) -> list[Task]:
    """Return what is to be done, the largest first; what is kept of other inputs is removed."""
    found = [
        Task(
            path,
            house,
            table,
            day,
            scratch / f"{file_name(table.encode())}-{_inputs(path, house, table, day)}.json",
        )
        for table in tables
    ]
    wanted = {each.kept.name for each in found}
    for each in scratch.glob("*.json"):
        if each.name not in wanted:
            each.unlink()
    return found


def run(tasks: Sequence[Task], jobs: int, progress: Callable[[str], None]) -> None:
    """Do what is not done yet, in so many processes; one job is done in this one.

    Raises:
        BadInput: a table cannot be audited; what is finished is kept.
    """
    waiting = [each for each in tasks if not each.kept.is_file()]
    if jobs == 1 or len(waiting) < 2:  # noqa: PLR2004  one table needs no second process
        for each in waiting:
            _do(each)
            progress(each.table)
        return
    with processes(min(jobs, len(waiting))) as pool:
        running = {pool.submit(_do, each): each for each in waiting}
        try:
            for done in as_completed(running):
                done.result()
                progress(running[done].table)
        finally:
            pool.shutdown(cancel_futures=True)


def results(tasks: Sequence[Task]) -> Iterator[TableDay]:
    """Read what the tasks came to, one after the other."""
    return (read(each.kept.read_bytes(), str(each.kept)) for each in tasks)


def _do(task: Task) -> None:
    (found,) = [each for each in tables_of(task.path, task.house) if each.name == task.table]
    result = table_day(task.path, found, task.house, task.day)
    with appearing(task.kept) as out:
        out.write(written(result))


def _inputs(path: Path, house: House, table: str, day: date) -> str:
    """Hash all that a table's day depends on: software, house, and the bytes that are recorded of it."""
    hashed = hashlib.sha256(version("discardrack").encode())
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
            held = [
                (str(on), *each) for on, _ in journal.days() for each in journal.streams(on, FRAMES, name)
            ]
        hashed.update(repr(held).encode())
    return hashed.hexdigest()[:24]


def _hash_file(hashed: "hashlib._Hash", file: Path) -> None:
    with file.open("rb") as read_from:
        while piece := read_from.read(_PIECE):
            hashed.update(piece)


def forget(scratch: Path) -> None:
    """Remove what was kept: the reports are there."""
    shutil.rmtree(scratch)
