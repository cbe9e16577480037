"""Checking an archive: its files against its checkpoints, and these against lines stored elsewhere."""

import hashlib
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from projections.evidence import merkle_tree
from projections.evidence.checkpoint import Checkpoint, CheckpointEntry
from projections.evidence.checkpoint import read as checkpoint_read
from schemas.errors import BadInput
from streams.archive import checkpoint_chain, sealed_files
from streams.archive.checked_files import ArchiveFiles, Trouble
from streams.archive.checkpoint_chain import (
    files,
    log_breach,
    newest,
    overlapping,
    planted_files,
    secret_of,
)
from streams.archive.journal import Journal
from streams.archive.kept_lines import KeptLine, against, uncovered
from streams.archive.layout import LOGS, day_of, kind_of, strangers
from streams.archive.record_names import (
    CHECKPOINTS,
    DAYS,
    JOURNAL,
    SALT,
    checkpoint_file,
    days_of,
    table_of,
)

# ── What of an archive is not sealed yet: reported plainly, and compared with what is sealed ─────────────


class Unsealed:
    """The journal of an archive, and the notes on it."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self.notes: list[str] = []
        self.unclosed: list[Trouble] = []  # the days that it has records of

    def troubles(self, entries: Mapping[str, CheckpointEntry]) -> list[Trouble]:
        """Return what the journal has that no archiver puts there; `entries` are those of closed files.

        Nothing proves its records of a day that is not closed; these are reported in `unclosed`.
        """
        if not (self.archive / JOURNAL).is_file():
            self.notes.append("there is no journal here: what was not sealed is not in this copy")
            return []
        try:
            with Journal(self.archive) as journal:
                return list(self._journal(journal, entries))
        except (BadInput, ValueError, sqlite3.Error) as error:
            return [Trouble(JOURNAL, f"cannot be read: {error}")]

    def _journal(self, journal: Journal, entries: Mapping[str, CheckpointEntry]) -> Iterator[Trouble]:
        closed = {day_of(path) for path, entry in entries.items() if entry.kind == "part"}
        for day, _ in journal.days():
            self.unclosed.append(Trouble(str(day), _open_day_note(is_closed=day in closed)))
            for topic, name in journal.filed(day):
                where = f"{JOURNAL}, {day}/{name}"
                for stream, first, last in journal.streams(day, topic, name):
                    if first < 0:
                        yield Trouble(where, f"has a record at {first}, which is no place in Kafka")
                    parts = list(overlapping(self.archive, entries, (topic, name), (stream, first, last)))
                    if not parts:
                        continue
                    sealed = {each.offset: each for part in parts for each in sealed_files.read(part)}
                    for record in journal.read(day, topic, name, stream, first - 1):
                        if sealed.get(record.offset, record) != record:
                            yield Trouble(where, f"has record {record.offset} otherwise than it is sealed")


def _open_day_note(*, is_closed: bool) -> str:
    if is_closed:
        return "is closed; what the journal has of it came later, and is not closed yet"
    return (
        "is not closed; what the journal has of it could be changed by whoever may write here, and nothing "
        "would tell"
    )


# ── Checking an archive against its checkpoints, and these against lines stored elsewhere ───────────────


class Checked(Struct, frozen=True):
    """Result of a check: what it found wrong, what it read, and what it cannot speak for.

    `beyond` is what no line that was named covers: what was closed after the newest, or is not closed yet.
    Lines that were added to a log are only noted: that someone looked at an archive makes it no newer.
    `line` is that of the newest checkpoint; `keys` are the public keys that signed, each with the numbers of
    the first and last checkpoint that it did.
    """

    troubles: tuple[Trouble, ...]
    notes: tuple[str, ...]
    beyond: tuple[Trouble, ...]
    line: str | None
    checkpoints: int
    files: int
    bytes: int
    keys: tuple[tuple[str, int, int], ...]


def check(
    archive: Path, lines: Sequence[KeptLine], keys: Sequence[str], *, events: bool, today: date
) -> Checked:
    """Check an archive; `keys` are those that may have signed, all where none is named.

    With `events` every record is read too and the trees are rebuilt, which takes as long as reading does.
    `today` is the day on which it is asked, by which what retention removed may have been old enough.
    """
    chain, troubles = _chain(archive)
    last, entries = newest(iter(chain))
    if last is None and not troubles:
        nothing = Trouble(CHECKPOINTS, "no day was closed: nothing here can be checked")
        return Checked((nothing, *against(chain, lines)), (), (), None, 0, 0, 0, ())
    troubles += [*_bodies(chain), *_entries(chain), *against(chain, lines), *_signers(chain, keys)]
    troubles += [*_salt(archive, last), *(Trouble(each.path, each.what) for each in strangers(archive))]
    archive_files = ArchiveFiles(archive, today)
    for log in LOGS:
        if (reason := log_breach(archive, log, chain)) is not None:
            troubles.append(Trouble(log, reason))
    for path, entry in sorted(entries.items()):
        if kind_of(path) == entry.kind and (trouble := archive_files.trouble(entry)) is not None:
            troubles.append(trouble)
    try:
        troubles += archive_files.unnamed(files(archive), entries)
    except BadInput as error:  # a link among the days; other faults are reported all the same
        troubles.append(Trouble(DAYS, str(error)))
    unsealed = Unsealed(archive)
    troubles += unsealed.troubles(entries)
    if events and not troubles:
        troubles += _trees(archive, entries)
    return Checked(
        tuple(troubles),
        (*archive_files.notes, *_late(archive, chain), *unsealed.notes),
        (*uncovered(chain, lines), *archive_files.unclosed, *unsealed.unclosed),
        last.kept_line() if last is not None else None,
        len(chain),
        len(entries),
        sum(entry.size for entry in entries.values()),
        _spans(chain),
    )


def check_days(archive: Path, days: Collection[date]) -> tuple[Trouble, ...]:
    """Check the sealed files of gaming days, and the checkpoints that name them; an open day has none.

    The date of a removal is taken from the log. If no day of the archive was ever closed there is nothing to
    compare with.
    """
    if not (archive / CHECKPOINTS).is_dir():
        return ()
    checkpoints, troubles = _chain(archive)
    _, entries = newest(iter(checkpoints))
    files = ArchiveFiles(archive, date.max)
    own = {path: entry for path, entry in entries.items() if day_of(path) in days}
    found = (files.trouble(entry) for _, entry in sorted(own.items()))
    troubles += [each for each in found if each is not None]
    closed = {each.body.day for each in checkpoints}.intersection(days)
    closed_days = (day for day in days_of(archive) if day in closed)
    troubles += files.unnamed(checkpoint_chain.sealed_files(archive, closed_days), entries)
    return tuple(troubles)


def _late(archive: Path, chain: Sequence[Checkpoint]) -> Iterator[str]:
    """Yield what was closed of a day after its first checkpoint had closed it, and what Kafka had lost."""
    days: set[date] = set()
    for each in chain:
        if each.body.day in days:
            yield from (_came_late(archive, each, entry) for entry in each.entries if entry.kind == "part")
        days.add(each.body.day)
    for lost in chain[-1].body.missing if chain else ():
        yield f"{lost.topic}, partition {lost.partition}: Kafka had lost {lost.first} to {lost.last}"


def _came_late(archive: Path, checkpoint: Checkpoint, entry: CheckpointEntry) -> str:
    file = archive / entry.path
    where = "that is not there any more"
    if file.is_file():
        try:
            stretch = sealed_files.stretch_of(file)
            where = f"partition {stretch.partition}, offsets {stretch.first} to {stretch.last}"
        except BadInput:  # reported among the troubles
            where = "that cannot be read"
    records = "1 record" if entry.records == 1 else f"{entry.records} records"
    return (
        f"{checkpoint.body.day}, {table_of(entry.table or '')}: {records} of {entry.topic} came late: "
        f"{where}; "
        f"closed by checkpoint {checkpoint.body.number} as {entry.path}"
    )


def _chain(archive: Path) -> tuple[list[Checkpoint], list[Trouble]]:
    """Read checkpoints up to the first that is wrong; each file that does not belong to them is trouble."""
    found: list[Checkpoint] = []
    present = sorted((archive / CHECKPOINTS).glob("[!.]*"))
    for number in range(1, len(present) + 1):
        file = checkpoint_file(archive, number)
        where = file.relative_to(archive).as_posix()
        try:
            each = checkpoint_read(file.read_bytes(), where) if file.is_file() else None
        except BadInput as error:
            return found, [Trouble(where, str(error).removeprefix(f"{where}: "))]
        if each is None:
            return found, [Trouble(where, "is missing, though there are later ones")]
        reason = checkpoint_chain.breach(each, found[-1] if found else None, number)
        if reason is not None:
            return found, [Trouble(where, reason)]
        found.append(each)
    return found, []


def _bodies(chain: Sequence[Checkpoint]) -> Iterator[Trouble]:
    """Yield bodies that no archiver writes after one another."""
    for before, each in pairwise(chain):
        where = checkpoint_file(Path(), each.body.number).as_posix()
        if each.body.house != before.body.house:
            yield Trouble(
                where, f"is of house {each.body.house!r}, the one before it of {before.body.house!r}"
            )
        if each.body.closed < before.body.closed:
            yield Trouble(where, "was closed before the one that it follows, by its own time")
    for each in chain:
        where = checkpoint_file(Path(), each.body.number).as_posix()
        if each.body.closed.date() < each.body.day:
            yield Trouble(where, "was closed before its day began, by its own time")
        if not each.entries:
            yield Trouble(where, "names no file")


def _entries(chain: Sequence[Checkpoint]) -> Iterator[Trouble]:
    """Yield entries that no archiver writes: of a kind that their path is not, twice, of another day."""
    names: set[str] = set()
    for each in chain:
        for entry in each.entries:
            where = f"checkpoint {each.body.number}, {entry.path}"
            of_part = (entry.table, entry.topic, entry.records, entry.leaves, entry.root)
            if kind_of(entry.path) != entry.kind:
                yield Trouble(where, f"is closed as {entry.kind}, which no file of that path is")
            elif (entry.kind == "part") != (None not in of_part) or (entry.kind != "part" and any(of_part)):
                yield Trouble(where, "does not say what an entry of its kind says")
            elif entry.kind in ("part", "house") and entry.path in names:
                yield Trouble(where, "is closed a second time, though it may never change")
            elif entry.kind == "part" and day_of(entry.path) != each.body.day:
                yield Trouble(where, "is of another day than the checkpoint")
            names.add(entry.path)


def _signers(chain: Sequence[Checkpoint], keys: Sequence[str]) -> Iterator[Trouble]:
    for each in chain:
        if keys and each.body.key not in keys:
            where = checkpoint_file(Path(), each.body.number).as_posix()
            yield Trouble(where, f"is signed by {each.body.key}, which is none of the keys that were named")


def _salt(archive: Path, last: Checkpoint | None) -> Iterator[Trouble]:
    if last is None:
        return
    try:
        if hashlib.sha256(secret_of(archive)).hexdigest() != last.body.salt:
            yield Trouble(SALT, "is not the one that the checkpoints name; no proof can be made")
    except BadInput as error:
        yield Trouble(SALT, str(error).partition(": ")[2])


def _trees(archive: Path, entries: Mapping[str, CheckpointEntry]) -> Iterator[Trouble]:
    """Read every sealed record, and hold each part's tree to its root; no record may stand in two parts."""
    secret = secret_of(archive)
    seen_offsets: dict[tuple[str, str, int], bytearray] = {}
    for path, entry in sorted(entries.items()):
        if entry.kind != "part" or not (archive / path).is_file():
            continue
        found = planted_files(archive, path, secret)
        leaves, root = len(found.hashes), merkle_tree.root(found.hashes).hex()
        facts = (found.table, found.topic, len(found.positions), leaves, root)
        if facts != (entry.table, entry.topic, entry.records, entry.leaves, entry.root):
            yield Trouble(path, "its records do not make the tree that was closed")
        for cluster, partition, offset in found.positions:
            marks = seen_offsets.setdefault((found.topic, cluster, partition), bytearray())
            at, bit = divmod(offset, 8)
            marks.extend(bytes(max(at + 1 - len(marks), 0)))
            if marks[at] >> bit & 1:
                yield Trouble(path, f"its record {partition}/{offset} stands in another part too")
                break
            marks[at] |= 1 << bit


def _spans(chain: Sequence[Checkpoint]) -> tuple[tuple[str, int, int], ...]:
    spans: list[tuple[str, int, int]] = []
    for each in chain:
        key, number = each.body.key, each.body.number
        if spans and spans[-1][0] == key:
            spans[-1] = (key, spans[-1][1], number)
        else:
            spans.append((key, number, number))
    return tuple(spans)
