"""Reading an archive: a table's records in the order of their offsets, whole or of a few days, as one log."""

import heapq
import logging
from collections.abc import Callable, Container, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from schemas.errors import BadInput
from streams import topics
from streams.archive import sealed_files
from streams.archive.checkpoint_chain import closed_files
from streams.archive.journal import Journal
from streams.archive.record_names import (
    JOURNAL,
    NOTHING_YET,
    KafkaRecord,
    Position,
    Stream,
    file_name,
    files_of,
    folder_of,
    own_days,
    own_file,
    part_of,
    table_of,
)
from streams.archive.sealed_files import Stretch

# ── Reading an archive: a table's records in the order of their offsets, sealed days and journal ────
# It may be read while the archiver writes and seals. The journal is read before the sealed files, and a
# record in both is returned once, as sealed. A closed day has what was closed: for those offsets the journal
# is ignored.

_log: Final = logging.getLogger(__name__)
_CLOSED, _SEALED, _IN_JOURNAL = range(3)  # precedence if two runs contain one offset


class Filed(Struct, frozen=True):
    """A record, and the day under which it is filed."""

    day: date
    record: KafkaRecord


class _Run(Struct, frozen=True):
    """Records of one day, cluster and partition by offset; `read` returns those after one.

    If two runs contain one offset, the lower `rank` counts: a closed part, then a sealed one, then the
    journal.
    """

    day: date
    stream: Stream
    since: int
    first: int
    last: int
    rank: int
    read: Callable[[int], Iterator[KafkaRecord]]


def names(archive: Path) -> list[str]:
    """Return the names under which an archive files frames: its tables, and whatever else was a key."""
    found: set[str] = set()
    if (archive / JOURNAL).is_file():
        with Journal(archive) as journal:
            for day, _ in journal.days():
                found.update(name for topic, name in journal.filed(day) if topic == topics.FRAMES)
    # Most days have the same: each is looked at once.
    files = {file for day in own_days(archive) for file in files_of(folder_of(archive, day, topics.FRAMES))}
    found.update(part[0] for file in files if (part := part_of(file)) is not None)
    return sorted(found)


def is_sealed(archive: Path, name: str) -> bool:
    """Return True if anything is sealed under a name, without listing what else there is.

    Raises:
        BadInput: a day, or the file, is a link.
    """
    part = f"{name}.parquet"
    return any(own_file(folder_of(archive, day, topics.FRAMES) / part) for day in own_days(archive))


def records(archive: Path, table: str, after: Position | None = None) -> Iterator[Filed]:
    """Read a table's frames, all or those after (cluster, partition, offset), in the order they were sent.

    Clusters come in the order in which the archive first saw them; within one, and within a partition, it is
    the order of offsets, whatever the days.

    Raises:
        BadInput: the archive has no such cluster and partition, a file of it is damaged or a link, or the
            journal has an offset that there is not.
    """
    return filed(archive, file_name(table.encode()), after)


def filed(
    archive: Path,
    name: str,
    after: Position | None = None,
    topic: str = topics.FRAMES,
    days: Container[date] | None = None,
) -> Iterator[Filed]:
    """Read what is filed under a name, as `records` does; where `days` are given, under these alone."""
    if not (archive / JOURNAL).is_file():
        yield from _in_order(archive, _on(days, _sealed(archive, name, topic)), after)
        return
    # The view of the journal is taken first: what is sealed after that stands in both, and is given once.
    with Journal(archive) as journal:
        journal_runs = _unsealed(journal, name, topic)
        parts = _sealed(archive, name, topic)
        runs = _on(days, [*parts, *_uncovered_runs(archive, name, journal_runs, parts)])
        yield from _in_order(archive, runs, after)


def _on(days: Container[date] | None, runs: list[_Run]) -> list[_Run]:
    return runs if days is None else [run for run in runs if run.day in days]


def closed_records(
    archive: Path, parts: Sequence[tuple[date, Path]], check: Callable[[Path], None], after: Position | None
) -> Iterator[Filed]:
    """Read these parts of one name, as `records` does, without the journal; `check` gets each part first.

    Raises:
        BadInput: `check` raises it, or a part cannot be read.
    """

    def run(day: date, file: Path) -> _Run:
        plain = _part(day, file, _CLOSED)

        def checked(after: int) -> Iterator[KafkaRecord]:
            check(file)
            return plain.read(after)

        return msgspec.structs.replace(plain, read=checked)

    yield from _in_order(archive, [run(day, file) for day, file in parts], after)


def _sealed(archive: Path, name: str, topic: str) -> list[_Run]:
    closed = closed_files(archive, name) or {}
    return [
        _part(day, file, _CLOSED if file.relative_to(archive).as_posix() in closed else _SEALED)
        for day in own_days(archive)
        for file in sealed_files.parts(folder_of(archive, day, topic), name)
    ]


def _part(day: date, file: Path, rank: int) -> _Run:
    stretch = sealed_files.stretch_of(file)
    return _Run(
        day,
        stretch.stream,
        stretch.since,
        stretch.first,
        stretch.last,
        rank,
        lambda after: sealed_files.read(file, after),
    )


def _unsealed(journal: Journal, name: str, topic: str) -> list[_Run]:
    since = journal.clusters()

    def run(day: date, stream: Stream, first: int, last: int) -> _Run:
        if first < 0 or stream[0] not in since:
            raise BadInput(
                f"{journal.path}: has {table_of(name)} at {'/'.join(map(str, stream))}/{first}, "
                "which no broker "
                "gives; no archiver wrote that: look who did"
            )
        return _Run(
            day,
            stream,
            since[stream[0]],
            first,
            last,
            _IN_JOURNAL,
            lambda after: journal.read(day, topic, name, stream, after),
        )

    return [run(day, *stretch) for day, _ in journal.days() for stretch in journal.streams(day, topic, name)]


def _uncovered_runs(archive: Path, name: str, journal_runs: list[_Run], parts: list[_Run]) -> Iterator[_Run]:
    """Remove from the journal's runs the offsets that closed parts cover."""
    for run in journal_runs:
        closed = [part for part in parts if part.rank == _CLOSED and part.stream == run.stream]
        if not closed:
            yield run
            continue
        open_to = _Open(run.day, closed)
        if not (open_to.has(run.first) and open_to.has(run.last) and open_to.is_whole(run)):
            _warn_left_out(archive, name, run.day)
        yield msgspec.structs.replace(run, read=partial(_records_of, run, open_to))


def _records_of(run: _Run, open_to: "_Open", after: int) -> Iterator[KafkaRecord]:
    return (each for each in run.read(after) if open_to.has(each.offset))


class _Open:
    """Offsets of a stream that the journal may still have for a day, besides what is closed of it.

    These are the ones beyond all that is closed. If the day itself has nothing closed, they are also those
    between the closed records of the days before it and of the days after it, as days can be sealed in any
    order.
    """

    def __init__(self, day: date, closed: list[_Run]) -> None:
        self.beyond = max(part.last for part in closed)
        before = [part.last for part in closed if part.day < day]
        later = [part.first for part in closed if part.day > day]
        of_day = any(part.day == day for part in closed)
        self.above = self.beyond if of_day else max(before, default=NOTHING_YET)
        self.below = self.beyond if of_day else min(later, default=self.beyond)

    def has(self, offset: int) -> bool:
        """Return True if an offset is one of them."""
        return offset > self.beyond or self.above < offset < self.below

    def is_whole(self, run: _Run) -> bool:
        """Return True if no closed record is between the first and the last offset of a run."""
        return run.first > self.beyond or run.last < self.below


def _warn_left_out(archive: Path, name: str, day: date) -> None:
    _log.warning(
        "%s: what it has of %s for %s lies among what is closed, and is left out until it is closed itself",
        *(archive / JOURNAL, table_of(name), day),
    )


def _in_order(archive: Path, runs: list[_Run], after: Position | None) -> Iterator[Filed]:
    streams: dict[Stream, list[_Run]] = {}
    # A table changes its partition only when there are more of them: then the later day is the later one.
    for run in sorted(runs, key=lambda run: (run.since, run.stream[0], run.day, run.stream[1])):
        streams.setdefault(run.stream, []).append(run)
    order = list(streams)
    offset = NOTHING_YET
    if after is not None:
        if after[:2] not in streams:
            raise BadInput(f"{archive}: holds nothing of cluster {after[0]}, partition {after[1]}")
        order, offset = order[order.index(after[:2]) :], after[2]
    for stream in order:
        yield from _merged(streams[stream], offset)
        offset = NOTHING_YET


def _merged(runs: list[_Run], after: int) -> Iterator[Filed]:
    """Read runs of one stream in the order of offsets; what stands in two of them is given once."""
    last = after
    for together in _overlapping([run for run in runs if run.last > after]):
        for each in heapq.merge(
            *(_dated(run, last) for run in sorted(together, key=lambda run: run.rank)),
            key=lambda each: each.record.offset,  # of equal ones that of the first of them
        ):
            if each.record.offset > last:
                last = each.record.offset
                yield each


def _dated(run: _Run, after: int) -> Iterator[Filed]:
    return (Filed(run.day, record) for record in run.read(after))


def _overlapping(runs: list[_Run]) -> Iterator[list[_Run]]:
    """Group runs whose offsets overlap, so that no more files are open at once than have to be."""
    group: list[_Run] = []
    for run in sorted(runs, key=lambda run: run.first):
        if group and run.first > max(each.last for each in group):
            yield group
            group = []
        group.append(run)
    if group:
        yield group


# ── A few days of a table's archive: each day's parts are opened only when reading comes to them ─────────
# `filed` opens every part of a table before it returns the first record, as a day may have records that were
# sent long before or after it: a gateway's clock was wrong. Here a day is only compared with the next one. A
# caller of this has to check that nothing is left out, by the numbers of the frames
# (`streams.log.FrameNumbers`).


class _Part(Struct, frozen=True):
    """A sealed part of a day."""

    day: date
    file: Path
    stretch: Stretch


def filed_in_day_range(archive: Path, name: str, after: Position, day: date) -> Iterator[Filed]:
    """Read what `filed` gives after a record, day by day; `day` is one near it, not before that record's.

    Most days have one part of a table, which goes on where that of the day before ended. From the first day
    that is otherwise on, the rest is read as `filed` reads it.

    Raises:
        BadInput: a file of the days that are read is damaged or a link.
    """
    previous: _Part | None = None
    for each in _begin(archive, name, after, day):
        parts = _parts(archive, name, each)
        if not parts:
            continue  # the table was closed
        (part, *others) = parts
        overlaps = previous is not None and part.stretch.first <= previous.stretch.last
        if others or part.stretch.stream != after[:2] or overlaps:
            break
        if previous is not None and previous.stretch.last > after[2]:
            for record in sealed_files.read(previous.file, after[2]):
                after = record.position
                yield Filed(previous.day, record)
        previous = part
    yield from filed(archive, name, after)


def _begin(archive: Path, name: str, after: Position, day: date) -> list[date]:
    """Return the sealed days to be read, from the one that contains a record: from `day` backwards."""
    days = own_days(archive)
    if (archive / JOURNAL).is_file():
        # What the journal has is held to all that is closed, as `filed` does it.
        with Journal(archive) as journal:
            journal_runs = (each for each, _ in journal.days() if journal.streams(each, topics.FRAMES, name))
            first = next(journal_runs, date.max)
        days = [each for each in days if each < first]
    for at in range(sum(each <= day for each in days) - 1, -1, -1):
        stretches = [each.stretch for each in _parts(archive, name, days[at])]
        if any(each.stream == after[:2] and each.first <= after[2] for each in stretches):
            return days[at:]
    return []


def _parts(archive: Path, name: str, day: date) -> list[_Part]:
    files = sealed_files.parts(folder_of(archive, day, topics.FRAMES), name)
    return [_Part(day, file, sealed_files.stretch_of(file)) for file in files]
