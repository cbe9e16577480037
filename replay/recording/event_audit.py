"""Recorded events judged again: the latest conclusion of each round and shoe, table after table."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import msgspec

from projections.engine.audit.table_audit import Concluded, Progress, TableAudit
from replay.cli.custody import no_recording
from replay.recording.spill import ConclusionSpill
from schemas import house as houses
from schemas.codec import Frame, Unreadable, decode
from schemas.errors import BadInput
from schemas.house import House
from schemas.surveillance import STREAM
from streams import log
from streams.archive.archive_reader import ArchivedLog
from streams.log import Log

if TYPE_CHECKING:
    from streams.archive.snapshots import Snapshot

_UNREAD_TOLD: Final = 20  # in a row, to a person
_HELD: Final = 64  # conclusions held back because a late event may still revise them
_Answer = TypeVar("_Answer")
_read_progress: Final = msgspec.json.Decoder(Progress).decode


class Watch(Protocol):
    """Looks on while a log is audited."""

    def begin(self, audit: TableAudit) -> None:
        """See a table's audit begin."""

    def line(self) -> None:
        """See a line, or a record, of which nothing can be read."""

    def frame(self, frame: Frame, unreadable: int, *, judged: bool) -> None:
        """See a frame before it is judged, and how many of its events cannot be read; some are not judged."""


class Unread(msgspec.Struct, frozen=True):
    """Something that could not be read, in the place of its answer.

    `line` is that of a file, or the record's offset in an archive of a live floor.
    """

    line: int
    error: str

    def told(self, path: object = None) -> str:
        """Return where it stood and why, in one line; its place once, whoever names it.

        >>> Unread(3, "no round").told(), Unread(3, "no round").told("in.jsonl")
        ('line 3: no round', 'in.jsonl:3: no round')
        >>> Unread(0, "2025-03-01/BAC-1:0: not a frame").told()
        '2025-03-01/BAC-1:0: not a frame'
        """
        if re.search(rf":{self.line}(,|$)", self.error.partition(": ")[0]):
            return self.error if path is None else f"{path}: {self.error}"
        return f"line {self.line}: {self.error}" if path is None else f"{path}:{self.line}: {self.error}"


def few(answers: Iterable[_Answer | Unread]) -> Iterator[_Answer | Unread]:
    """Pass answers on for a person; of what in a row cannot be read the first twenty, and how many more.

    >>> [each.error for each in few(Unread(line, "no round") for line in range(23))][-2:]
    ['no round', '... and 3 more lines up to this one']
    """
    row, last = 0, 0
    for each in answers:
        if isinstance(each, Unread):
            row, last = row + 1, each.line
            if row > _UNREAD_TOLD:
                continue
        else:
            if row > _UNREAD_TOLD:
                yield _more(row, last)
            row = 0
        yield each
    if row > _UNREAD_TOLD:
        yield _more(row, last)


def _more(row: int, last: int) -> Unread:
    return Unread(last, f"... and {row - _UNREAD_TOLD:,} more lines up to this one")


def house_of(path: Path, name: str | None) -> House:
    """Find the house of an archive: the one that was named, or the archive's own.

    Raises:
        BadInput: there is none.
    """
    if name is not None:
        return houses.load(name, Path.cwd())
    folder = path if path.is_dir() else path.parent
    if not (folder / log.HOUSE).is_file():
        if path.is_dir() and not log.is_archive(path):
            raise no_recording(path)
        raise BadInput(f"{path}: recorded events need a house file; none beside them, say --house FILE")
    return houses.load(log.HOUSE, folder)


def audited(logs: Iterable[Log], house: House) -> Iterator[Concluded | Unread]:
    """Audit recorded events, log after log; each round and shoe once, as last concluded."""
    for each in logs:
        yield from latest(audited_log(each, house, {}))


def audited_near(log: Log, archive: Path, house: House, day: date) -> Iterator[Concluded | Unread]:
    """Audit a table's gaming day in an archive of a live floor, without the years around it.

    It begins with the last snapshot at or before the day's start, and ends when none of the day's rounds can
    be revised any more. So it also gives some rounds beside the day's, and not all that came late.
    """
    log, audits = from_day(log, archive, house, day)
    late = house.late(day)
    yield from latest(audited_log(log, house, audits, lambda audit: is_past(audit, late)))


def from_day(log: Log, archive: Path, house: House, day: date) -> tuple[Log, dict[str, TableAudit]]:
    """Leave out of a table's log what lies before a day, where a snapshot tells what was known then.

    Gives the table's audit as it stood then; none where everything is to be read.
    """
    return from_snapshot(log, house, next(iter(starts(log, archive, house, day)), None))


def starts(log: Log, archive: Path, house: House, day: date) -> Sequence["Snapshot"]:
    """Return what was known of a table as a day began, and as each of its shoes did.

    None without snapshots.
    """
    if not isinstance(log, ArchivedLog):
        return ()
    from streams.archive import snapshots  # noqa: PLC0415  Parquet takes long to load; only a sealed day needs it

    return snapshots.from_start(archive, log.name, house, day)


def from_snapshot(log: Log, house: House, snapshot: "Snapshot | None") -> tuple[Log, dict[str, TableAudit]]:
    """Leave out of a table's log what lies before a snapshot, and give its audit, as `from_day` does."""
    if snapshot is None or not isinstance(log, ArchivedLog):
        return log, {}
    audit = TableAudit(log.name, house)
    audit.progress = _read_progress(snapshot.progress)
    return msgspec.structs.replace(log, after=snapshot.after), {log.name: audit}


def is_past(audit: TableAudit, late: int) -> bool:
    """Return True if no round from before a moment can be concluded or revised, by the table's own clock."""
    reorder_buffer = audit.progress.waiting
    if reorder_buffer.clock <= late or any(event.at <= late for event in reorder_buffer.loose):
        return False
    spans = (*reorder_buffer.spans.values(), *(window.span for window in reorder_buffer.kept))
    return all(span.begins() > late for span in spans)


def over(house: House, day: date) -> Callable[[TableAudit], bool]:
    """Return when nothing of a gaming day can be concluded any more: no round, nor its shoe or inventory.

    Nobody waits longer for the last two than another day: where no cards are dealt a shoe has no end.
    """
    late, (begins, ends) = house.late(day), house.bounds(day)

    def is_over(audit: TableAudit) -> bool:
        if not is_past(audit, late):
            return False
        state = audit.progress.state
        accounts = audit.progress.accounts
        days = [account.day for account in (*accounts.over, accounts.tray)]
        days += [state.shoe.day] if state.shoe is not None else []
        owing = any(each is not None and each <= day for each in days)
        return not owing or audit.progress.waiting.clock > late + (ends - begins)

    return is_over


def frames(recorded: Log) -> Iterator[Frame | Unread]:
    """Read the frames of the one table or ledger that a log is named after; what cannot be read is told."""
    name = recorded.name
    for number, where, payload in recorded.payloads():
        try:
            frame, unreadable = _opened(name, where, payload)
        except BadInput as error:
            yield Unread(number, str(error))
            continue
        for each in unreadable:
            yield Unread(number, f"{each.where}: {each.reason}")
        yield frame


def _opened(key: str | None, where: str, payload: bytes) -> tuple[Frame, list[Unreadable]]:
    """Read a frame, and hold it to the key that it was sent under."""
    frame, unreadable = decode(payload, where)
    if key not in (None, frame.table):
        raise BadInput(f"{where}: a frame of table {frame.table!r} under the key {key!r}")
    return frame, unreadable


def never(_: TableAudit) -> bool:
    """Read on to the log's end."""
    return False


class _NoOne:
    def begin(self, audit: TableAudit) -> None: ...

    def line(self) -> None: ...

    def frame(self, frame: Frame, unreadable: int, *, judged: bool) -> None: ...


_NO_ONE: Final = _NoOne()


def audited_log(
    recorded: Log,
    house: House,
    audits: dict[str, TableAudit],
    past: Callable[[TableAudit], bool] = never,
    watch: Watch = _NO_ONE,
) -> Iterator[Concluded | Unread]:
    """Go on with audits of tables, and begin others, to the log's end or until one is past.

    A round that is revised is given again; `latest` leaves the earlier ones out.
    """
    refused: set[str] = set()
    key = recorded.key
    for number, where, payload in recorded.payloads():
        try:
            frame, unreadable = _opened(key, where, payload)
        except BadInput as error:
            watch.line()
            yield Unread(number, str(error))
            continue
        if frame.table in refused or house.beside_tables(frame.table):
            watch.frame(frame, len(unreadable), judged=False)
            if frame.table == STREAM:
                yield from _unread(number, unreadable)
            continue  # no table's; what a ledger's frames lack, the gaming day's reconciliation tells
        audit = audits.get(frame.table)
        if audit is None:
            try:
                audit = audits[frame.table] = TableAudit(frame.table, house)
            except BadInput as error:
                refused.add(frame.table)
                watch.frame(frame, len(unreadable), judged=False)
                yield Unread(number, f"{where}: {error}; all its frames are left out")
                continue
            watch.begin(audit)
        watch.frame(frame, len(unreadable), judged=True)
        yield from _unread(number, unreadable)
        yield from audit.feed(frame.events)
        for stranger in audit.strangers():
            yield Unread(number, f"{where}: table {frame.table} {stranger}")
        if past(audit):
            return
    for audit in audits.values():
        yield from audit.finish()


def _unread(number: int, unreadable: Iterable[Unreadable]) -> Iterator[Unread]:
    return (Unread(number, f"{each.where}: {each.reason}") for each in unreadable)


def latest(concluded: Iterator[Concluded | Unread]) -> Iterator[Concluded | Unread]:
    """Pass each subject on once, as last concluded; shoes and accounts come after the rounds."""
    rounds: dict[tuple[date, str, str], Concluded] = {}
    with ConclusionSpill() as others:
        for each in concluded:
            if isinstance(each, Unread):
                yield each
                continue
            conclusion = each.conclusion
            if conclusion.round is None:
                others.put(each)
                continue
            rounds[conclusion.gaming_date, conclusion.table, conclusion.round] = each
            if len(rounds) > _HELD:
                yield rounds.pop(next(iter(rounds)))
        yield from rounds.values()
        yield from others.all()
