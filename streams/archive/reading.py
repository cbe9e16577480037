"""Reading an archive: a table's records in the order of their offsets, sealed days and journal alike.

It may be read while the archiver writes and seals: the journal is looked at before the sealed files, and
what stands in both is given once.
"""

import heapq
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from msgspec import Struct

from schemas.errors import BadInput
from streams import topics
from streams.archive.journal import Journal
from streams.archive.kept import (
    JOURNAL,
    NOTHING_YET,
    Kept,
    Position,
    Stream,
    days_of,
    file_name,
    folder_of,
    part_of,
    shown,
)


class Filed(Struct, frozen=True):
    """A record, and the day under which it is filed."""

    day: date
    record: Kept


class _Run(Struct, frozen=True):
    """Records of one day, cluster and partition by offset; `read` gives those after one."""

    day: date
    stream: Stream
    since: int
    first: int
    last: int
    read: Callable[[int], Iterator[Kept]]


def names(archive: Path) -> list[str]:
    """List the names under which an archive files frames: its tables, and whatever else was a key."""
    found: set[str] = set()
    if (archive / JOURNAL).is_file():
        with Journal(archive) as journal:
            for day, _ in journal.days():
                found.update(name for topic, name in journal.filed(day) if topic == topics.FRAMES)
    for day in days_of(archive):
        files = folder_of(archive, day, topics.FRAMES).glob("*.parquet")
        found.update(part[0] for file in files if (part := part_of(file.name)) is not None)
    return sorted(found)


def records(archive: Path, table: str, after: Position | None = None) -> Iterator[Filed]:
    """Read a table's frames, all or those after (cluster, partition, offset), in the order they were sent.

    Clusters come in the order in which the archive first saw them; within one, and within a partition, it is
    the order of offsets, whatever the days.

    Raises:
        BadInput: the archive has no such cluster and partition, or a file of it is damaged.
    """
    return filed(archive, file_name(table.encode()), after)


def filed(
    archive: Path, name: str, after: Position | None = None, topic: str = topics.FRAMES
) -> Iterator[Filed]:
    """Read what is filed under a name, as `records` does."""
    if not (archive / JOURNAL).is_file():
        yield from _in_order(archive, _sealed(archive, name, topic), after)
        return
    # The view of the journal is taken first: what is sealed after that stands in both, and is given once.
    with Journal(archive) as journal:
        runs = [*_unsealed(journal, name, topic), *_sealed(archive, name, topic)]
        yield from _in_order(archive, runs, after)


def _sealed(archive: Path, name: str, topic: str) -> list[_Run]:
    from streams.archive import sealed  # noqa: PLC0415  Parquet takes long to load; the journal alone needs none

    def run(day: date, file: Path) -> _Run:
        held = sealed.stretch_of(file)
        return _Run(
            day, held.stream, held.since, held.first, held.last, lambda after: sealed.read(file, after)
        )

    return [
        run(day, file)
        for day in days_of(archive)
        for file in sealed.parts(folder_of(archive, day, topic), name)
    ]


def _unsealed(journal: Journal, name: str, topic: str) -> list[_Run]:
    since = journal.clusters()

    def run(day: date, stream: Stream, first: int, last: int) -> _Run:
        return _Run(
            day,
            stream,
            since[stream[0]],
            first,
            last,
            lambda after: journal.read(day, topic, name, stream, after),
        )

    return [run(day, *stretch) for day, _ in journal.days() for stretch in journal.streams(day, topic, name)]


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
            *(_dated(run, last) for run in together), key=lambda each: each.record.offset
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


class ArchivedLog(Struct, frozen=True):
    """A table's frames in an archive as a log that can be audited; `after` leaves out what lies before it."""

    archive: Path
    filed: str
    after: Position | None = None

    @property
    def name(self) -> str:
        """The table."""
        return shown(self.filed)

    @property
    def key(self) -> str:
        """The key that its frames were sent under."""
        return shown(self.filed)

    def payloads(self) -> Iterator[tuple[int, str, bytes]]:
        """Read the payloads: offset, place for messages, bytes."""
        for each in filed(self.archive, self.filed, self.after):
            yield (
                each.record.offset,
                f"{each.day}/{self.name}:{each.record.offset}",
                each.record.payload or b"",
            )
