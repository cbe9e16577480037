"""Recorded events judged again: the latest conclusion of each round and shoe, table after table."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import msgspec

from projections.engine.audit.table_audit import AuditProgress, Concluded, TableAudit
from replay.recording.spill import ConclusionSpill
from schemas.codec import Frame
from schemas.errors import BadInput
from schemas.house import House
from schemas.surveillance import STREAM
from streams.log import ArchivedLog, Log, RecordedPayload, Unread, read_frames

if TYPE_CHECKING:
    from streams.archive.snapshots import Snapshot

_UNREAD_LISTED: Final = 20  # in a row, to a person
_MOST_HELD: Final = 64  # conclusions held back because a late event may still revise them
_Answer = TypeVar("_Answer")
_read_progress: Final = msgspec.json.Decoder(AuditProgress).decode


class AuditWatch(Protocol):
    """Looks on while a log is audited."""

    def begin(self, audit: TableAudit) -> None:
        """Note that a table's audit begins."""

    def line(self) -> None:
        """Note an unreadable line or record."""

    def frame(self, frame: Frame, unreadable: int, *, judged: bool) -> None:
        """Note a frame before it is judged, and how many of its events cannot be read; not all are judged."""


def limit_unread(answers: Iterable[_Answer | Unread]) -> Iterator[_Answer | Unread]:
    """Yield answers for a person, with at most twenty unreadable lines in a row and the number of the rest.

    >>> [each.error for each in limit_unread(Unread(line, "no round") for line in range(23))][-2:]
    ['no round', '... and 3 more lines up to this one']
    """
    row, last = 0, 0
    for each in answers:
        if isinstance(each, Unread):
            row, last = row + 1, each.line
            if row > _UNREAD_LISTED:
                continue
        else:
            if row > _UNREAD_LISTED:
                yield _unread_rest(row, last)
            row = 0
        yield each
    if row > _UNREAD_LISTED:
        yield _unread_rest(row, last)


def _unread_rest(row: int, last: int) -> Unread:
    return Unread(last, f"... and {row - _UNREAD_LISTED:,} more lines up to this one")


def audit_logs(logs: Iterable[Log], house: House) -> Iterator[Concluded | Unread]:
    """Audit recorded events, log after log; each round and shoe once, as last concluded."""
    for each in logs:
        yield from latest_conclusions(audit_log(each, house, {}))


def audit_day(log: Log, house: House, day: date) -> Iterator[Concluded | Unread]:
    """Audit a table's gaming day in an archive of a live floor, without the years around it.

    It begins with the last snapshot at or before the day's start, and ends when none of the day's rounds can
    be revised any more. So it also yields some rounds of other days, and not all that came late.
    """
    log, audits = start_of_day(log, house, day)
    late = house.late(day)
    yield from latest_conclusions(audit_log(log, house, audits, lambda audit: is_past(audit, late)))


def start_of_day(log: Log, house: House, day: date) -> tuple[Log, dict[str, TableAudit]]:
    """Leave out of a table's log what is before a day, if a snapshot has what was known then.

    Return also the table's audit as it was then; none if everything is to be read.
    """
    return start_of_snapshot(log, house, next(iter(day_snapshots(log, house, day)), None))


def day_snapshots(log: Log, house: House, day: date) -> Sequence["Snapshot"]:
    """Return what was known of a table as a day began, and as each of its shoes did.

    None without snapshots.
    """
    if not isinstance(log, ArchivedLog):
        return ()
    from streams.archive import snapshots  # noqa: PLC0415  Parquet takes long to load; only a sealed day needs it

    return snapshots.from_start(log.archive, log.name, house, day)


def start_of_snapshot(
    log: Log, house: House, snapshot: "Snapshot | None"
) -> tuple[Log, dict[str, TableAudit]]:
    """Leave out of a table's log what is before a snapshot, and return its audit, as `start_of_day` does."""
    if snapshot is None or not isinstance(log, ArchivedLog):
        return log, {}
    audit = TableAudit(log.name, house)
    audit.progress = _read_progress(snapshot.progress)
    return msgspec.structs.replace(log, after=snapshot.after), {log.name: audit}


def is_past(audit: TableAudit, late: int) -> bool:
    """Return True if no round from before a moment can be concluded or revised, by the table's own clock."""
    reorder_buffer = audit.progress.buffer
    if reorder_buffer.clock <= late or any(event.at <= late for event in reorder_buffer.unassigned):
        return False
    spans = (*reorder_buffer.spans.values(), *(window.span for window in reorder_buffer.revisable))
    return all(span.begins() > late for span in spans)


def day_is_over(house: House, day: date) -> Callable[[TableAudit], bool]:
    """Return a test for when nothing of a gaming day can be concluded any more: round, shoe or inventory.

    The last two are awaited for one more day at most: without cards a shoe has no end.
    """
    late, (begins, ends) = house.late(day), house.bounds(day)

    def is_over(audit: TableAudit) -> bool:
        if not is_past(audit, late):
            return False
        state = audit.progress.state
        accounts = audit.progress.accounts
        days = [account.day for account in (*accounts.over, accounts.inventory)]
        days += [state.shoe.day] if state.shoe is not None else []
        owing = any(each is not None and each <= day for each in days)
        return not owing or audit.progress.buffer.clock > late + (ends - begins)

    return is_over


def read_to_end(_: TableAudit) -> bool:
    """Read on to the log's end."""
    return False


class StrangeFrames:
    """Counts the frames with events that the house file does not admit, by what is wrong with them.

    >>> strange = StrangeFrames()
    >>> for number in (3, 4, 9):
    ...     strange.note(RecordedPayload(number, f"T.jsonl:{number}", b""), ["table T has no device 'X'"])
    >>> [each.error for each in strange.unread()]
    ["T.jsonl:3: table T has no device 'X'; in 3 frames, the last at T.jsonl:9"]
    """

    def __init__(self) -> None:
        self._found: dict[str, _Strange] = {}

    def note(self, record: RecordedPayload, reasons: Iterable[str]) -> None:
        """Note what is wrong with events of a frame."""
        for reason in reasons:
            found = self._found.setdefault(reason, _Strange(record.number, record.where, record.where))
            found.last = record.where
            found.frames += 1

    def unread(self) -> Iterator[Unread]:
        """Yield what was found, in order of the first frame that had it."""
        for reason, found in self._found.items():
            more = f"; in {found.frames:,} frames, the last at {found.last}" if found.frames > 1 else ""
            yield Unread(found.number, f"{found.first}: {reason}{more}")


class _Strange(msgspec.Struct):
    number: int
    first: str
    last: str
    frames: int = 0


class _NoWatch:
    def begin(self, audit: TableAudit) -> None: ...

    def line(self) -> None: ...

    def frame(self, frame: Frame, unreadable: int, *, judged: bool) -> None: ...


NO_WATCH: Final = _NoWatch()


def audit_log(
    recorded: Log,
    house: House,
    audits: dict[str, TableAudit],
    past: Callable[[TableAudit], bool] = read_to_end,
    watch: AuditWatch = NO_WATCH,
) -> Iterator[Concluded | Unread]:
    """Continue audits of tables, and begin others, to the log's end or until one is past.

    A round that is revised is given again; `latest_conclusions` leaves the earlier ones out. What a device
    reports that it cannot by the house file is named once, at the end, with the number of its frames.
    """
    refused: set[str] = set()
    strangers = StrangeFrames()
    for each in read_frames(recorded, recorded.key):
        frame = each.frame
        if frame is None:
            watch.line()
            yield from each.unread
            continue
        audit = audits.get(frame.table)
        if audit is None:
            if frame.table in refused or house.beside_tables(frame.table):
                watch.frame(frame, len(each.unread), judged=False)
                if frame.table == STREAM:
                    yield from each.unread
                continue  # no table's; reconciliation reports missing frames of a ledger
            try:
                audit = audits[frame.table] = TableAudit(frame.table, house)
            except BadInput as error:
                refused.add(frame.table)
                watch.frame(frame, len(each.unread), judged=False)
                yield Unread(each.record.number, f"{each.record.where}: {error}; all its frames are left out")
                continue
            watch.begin(audit)
        watch.frame(frame, len(each.unread), judged=True)
        yield from each.unread
        yield from audit.feed(frame.events)
        strangers.note(each.record, (f"table {frame.table} {what}" for what in audit.take_strangers()))
        if past(audit):
            yield from strangers.unread()
            return
    yield from strangers.unread()
    for audit in audits.values():
        yield from audit.finish()


def latest_conclusions(concluded: Iterator[Concluded | Unread]) -> Iterator[Concluded | Unread]:
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
            if len(rounds) > _MOST_HELD:
                yield rounds.pop(next(iter(rounds)))
        yield from rounds.values()
        yield from others.all()
