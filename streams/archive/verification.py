"""Checking an archive: its files against its checkpoints, and these against lines stored elsewhere."""

import hashlib
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projections.evidence import merkle_tree
from projections.evidence.checkpoint import Checkpoint, CheckpointEntry
from projections.evidence.checkpoint import read as checkpoint_read
from projections.store.disk import sha256_of
from schemas.errors import BadInput
from schemas.law_text import chapter
from streams.archive import custody, sealed_files
from streams.archive import sealed_files as sealed
from streams.archive.checkpoint_chain import (
    Found,
    files,
    is_kept,
    log_breach,
    newest,
    overlapping,
    planted_files,
    secret_of,
)
from streams.archive.checkpoint_chain import breach as checkpoint_chain_breach
from streams.archive.checkpoint_chain import sealed_files as checkpoint_chain_sealed_files
from streams.archive.journal import Journal
from streams.archive.layout import LOGS, day_of, kind_of, strangers
from streams.archive.record_names import (
    CHECKPOINTS,
    DAYS,
    HOUSE,
    JOURNAL,
    RETENTION,
    SALT,
    checkpoint_file,
    days_of,
    table_of,
)

# ── What retention removed from an archive by `retention.jsonl`, and whether that was allowed ────────────

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


def read(archive: Path) -> Iterator[Removal]:
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


def breach(archive: Path, removal: Removal, day: date, today: date) -> str | None:
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


# ── The files of an archive held to the entries that checkpoints have of them ─────────────────────────


class Trouble(Struct, frozen=True):
    """Difference from what was closed: where, and what is wrong with it."""

    where: str
    what: str


class ArchiveFiles:
    """An archive's files and the notes on them; `today` is the day of the check."""

    def __init__(self, archive: Path, today: date) -> None:
        self.archive = archive
        self.today = today
        self.notes: list[str] = []
        self.unclosed: list[Trouble] = []  # what is the archive's own, and not closed yet
        self._removed: dict[tuple[str, str], Removal] = {
            (each.path, each.sha256): each for each in read(archive)
        }

    def trouble(self, entry: CheckpointEntry) -> Trouble | None:
        """Check a file against the newest entry for it; None if it is as it was closed."""
        path = self.archive / entry.path
        if not path.is_file():
            return self._missing(entry)
        size = path.stat().st_size
        if entry.kind == "log":  # what it began with is held to every checkpoint elsewhere
            if size > entry.size:
                self.notes.append(
                    f"{entry.path}: {size - entry.size} bytes were added, and are not closed yet"
                )
            return None
        if size != entry.size:
            what = f"has {size} bytes, not the {entry.size} that were closed"
        elif sha256_of(path) != entry.sha256:
            what = "is not, byte for byte, what was closed"
        else:
            return None
        if entry.kind == "newest" and is_kept(self.archive, path.read_bytes()):
            self.unclosed.append(Trouble(entry.path, "is another version since the last day was closed"))
            return None
        no_evidence = "; it is no evidence: remove it, and it is made anew"
        return Trouble(entry.path, what + (no_evidence if entry.kind == "snapshots" else ""))

    def _missing(self, entry: CheckpointEntry) -> Trouble | None:
        removal = self._removed.get((entry.path, entry.sha256))
        day = day_of(entry.path)
        if entry.kind == "snapshots":
            if removal is None:
                self.notes.append(f"{entry.path}: is not there; what it held can be concluded again")
            return None
        if entry.kind != "part" or removal is None or day is None:
            return Trouble(entry.path, "is missing")
        if (reason := breach(self.archive, removal, day, self.today)) is not None:
            return Trouble(entry.path, f"was removed {reason}")
        self.notes.append(f"{entry.path}: removed by {removal.by} at {removal.at}, as {RETENTION} tells")
        return None

    def unnamed(self, files: Iterable[Found], entries: Mapping[str, CheckpointEntry]) -> Iterator[Trouble]:
        """Yield the archive's own files that no checkpoint names; what may still be closed is not wrong."""
        for found in files:
            if found.path in entries:
                continue
            added = "was added since the last day was closed"
            if found.kind == "log":
                self.notes.append(f"{found.path}: {added}")
            elif found.kind == "house" or (
                found.kind == "newest" and is_kept(self.archive, (self.archive / HOUSE).read_bytes())
            ):
                self.unclosed.append(Trouble(found.path, added))
            else:
                yield Trouble(found.path, "no checkpoint names it: its day never was closed, or was before")


# ── Lines of checkpoints that were stored elsewhere, and what of an archive they prove ─────────────────

_LINE: Final = re.compile(
    r"discardrack 1 ([0-9a-f]{32}) ([1-9][0-9]*) ([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9a-f]{64})"
)


class KeptLine(Struct, frozen=True):
    """A checkpoint as someone stored it elsewhere."""

    archive: str
    number: int
    day: str
    body: str


def kept_line(text: str) -> KeptLine:
    """Parse the line that was stored of a checkpoint.

    >>> kept_line("discardrack 1 " + "0" * 32 + " 12 2025-03-01 " + "f" * 64).number
    12

    Raises:
        BadInput: it is not one.
    """
    found = _LINE.fullmatch(" ".join(text.split()))
    if found is None:
        raise BadInput(
            f"{text!r}: not the line of a checkpoint, which reads: discardrack 1 ARCHIVE NUMBER DAY HASH"
        )
    return KeptLine(found[1], int(found[2]), found[3], found[4])


def against(chain: Sequence[Checkpoint], lines: Sequence[KeptLine]) -> Iterator[Trouble]:
    """Check the chain against lines that were stored elsewhere."""
    for line in lines:
        if (reason := _breach(chain, line)) is not None:
            yield Trouble(f"checkpoint {line.number} of {line.day}", reason)


def _breach(chain: Sequence[Checkpoint], line: KeptLine) -> str | None:
    if chain and chain[0].body.archive != line.archive:
        return f"was kept of archive {line.archive}; this one is {chain[0].body.archive}"
    if line.number > len(chain):
        return f"was kept elsewhere, but is not here: the archive ends with {len(chain)}"
    if chain[line.number - 1].body_hash != line.body:
        return "is not the one that was kept elsewhere: from there on it was made anew"
    return None


def uncovered(chain: Sequence[Checkpoint], lines: Sequence[KeptLine]) -> Iterator[Trouble]:
    """Yield what was closed after the newest line: a line covers its checkpoint and all before it.

    Without lines nothing is yielded.
    """
    covered = max((line.number for line in lines if _breach(chain, line) is None), default=0)
    newer = chain[covered:] if lines else ()
    if newer:
        first, last = covered + 1, len(chain)
        which = f"checkpoint {first}" if first == last else f"checkpoints {first} to {last}"
        days = sorted({str(each.body.day) for each in newer})
        closed = f"{sum(each.body.entries for each in newer)} files, {' to '.join({days[0]: 0, days[-1]: 0})}"
        yield Trouble(which, f"no line was named that covers what was closed then: {closed}")


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
    troubles += files.unnamed(checkpoint_chain_sealed_files(archive, closed_days), entries)
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
            stretch = sealed.stretch_of(file)
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
        reason = checkpoint_chain_breach(each, found[-1] if found else None, number)
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
