"""From a recording to a timeline: read table after table, sorted by time on the disk."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import date, timedelta
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from projections.engine.audit.table_audit import Concluded, TableAudit
from projections.engine.fold.reorder_buffer import ReorderBuffer
from projections.views.timeline_entry import Concluding, Entry, Happening, Moment, of_conclusion, of_event
from replay.recording.event_audit import audit_log, day_is_over, latest_conclusions, read_to_end, start_of_day
from replay.recording.judged_rounds import judge_rounds
from replay.recording.ledger_days import with_ledgers
from replay.recording.recording import Recording
from replay.recording.seated_rounds import SeatingIndex
from replay.recording.spill import SpillFile
from schemas.codec import AnyEvent, Frame
from schemas.events import Event, Heard, id_of, may_report
from schemas.house import House
from schemas.surveillance import STREAM, OperatorActed
from streams.log import Log, Unread

_MOST_UNREAD = 20


class Missing(Struct, frozen=True, order=True):
    """Numbers of a device's epoch that never came."""

    table: str
    device: str
    epoch: int
    first: int
    last: int


class Accounting(Struct, kw_only=True):
    """Counts of what was read and shown; `frames` counts lines and records, round records among them.

    `elsewhere` are events of tables that the house file lacks or that cannot be judged, `ledgers` the entries
    of ledgers, `strange` the events of devices that the table does not have. `unread` has for the first few
    lines why they could not be read, `unread_besides` how many more there are.
    """

    frames: int = 0
    unreadable_lines: int = 0
    read: int = 0
    used: int = 0
    doubled: int = 0
    late: int = 0
    strange: int = 0
    crowded_out: int = 0
    unreadable: int = 0
    elsewhere: int = 0
    ledgers: int = 0
    missing: list[Missing] = field(default_factory=list)
    rounds: int = 0
    clean: int = 0
    mismatch: int = 0
    undetermined: int = 0
    shown: int = 0
    hidden: int = 0
    unread: list[str] = field(default_factory=list)
    unread_besides: int = 0
    accounts_left_out: bool = False

    @property
    def complete(self) -> int:
        """The rounds that could be decided."""
        return self.clean + self.mismatch

    def conclude(self, verdict: str) -> None:
        """Count a round."""
        self.rounds += 1
        setattr(self, verdict, getattr(self, verdict) + 1)

    def miss(self, each: Unread) -> None:
        """Count what could not be read."""
        if len(self.unread) < _MOST_UNREAD:
            self.unread.append(each.error)
        else:
            self.unread_besides += 1

    def to_builtins(self) -> dict[str, Any]:
        """Return it as plain values."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain | {"complete": self.complete}


class DeviceNumbers(Struct):
    """The numbers that came of one epoch of a device: from `first` up to `last`, but not the `holes`.

    Numbers before the first one are from before the record begins, and are not missing.
    """

    first: int
    last: int
    holes: list[tuple[int, int]] = field(default_factory=list)

    def take(self, seq: int) -> bool:
        """Note a number that came; False where it came before.

        >>> numbers = DeviceNumbers(1, 0)
        >>> [numbers.take(seq) for seq in (1, 4, 3, 4)], numbers.holes
        ([True, True, True, False], [(2, 2)])
        """
        if seq > self.last:
            if seq > self.last + 1:
                self.holes.append((self.last + 1, seq - 1))
            self.last = seq
            return True
        if seq < self.first:
            if seq + 1 < self.first:
                self.holes.insert(0, (seq + 1, self.first - 1))
            self.first = seq
            return True
        return self._fill(seq)

    def hear(self, seq: int) -> None:
        """Note that the device had come to a number, whether or not it came."""
        if seq > self.last:
            self.holes.append((self.last + 1, seq))
            self.last = seq

    def _fill(self, seq: int) -> bool:
        at = bisect_right(self.holes, seq, key=lambda hole: hole[0]) - 1
        if at < 0 or seq > self.holes[at][1]:
            return False
        first, last = self.holes[at]
        parts = [(first, seq - 1), (seq + 1, last)]
        self.holes[at : at + 1] = [part for part in parts if part[0] <= part[1]]
        return True


class _CountingBuffer(ReorderBuffer):
    """Reorder buffer that counts what it has no use for."""

    late: int = 0
    crowded_out: int = 0

    def leave_out(self, event: Event) -> None:
        # What came too late and then comes again was counted when it came first.
        self.late += id_of(event) not in self.left_out
        super().leave_out(event)

    def _hold(self, events: list[Event], event: Event) -> bool:
        fits = super()._hold(events, event)
        self.crowded_out += not fits
        return fits


class EventCount:
    """Listens while logs are audited; the counts are complete once `over` was called for every log.

    `first` is which of the latest frame's events came for the first time.
    """

    def __init__(self, house: House) -> None:
        self.result = Accounting()
        self.first: list[AnyEvent] = []
        self._house = house
        self._waiting: list[_CountingBuffer] = []
        self._numbers: dict[tuple[str, str], dict[int, DeviceNumbers]] = {}

    def begin(self, audit: TableAudit) -> None:
        """Count in a table's waiting room."""
        counted = _CountingBuffer(**msgspec.structs.asdict(audit.progress.buffer))
        audit.progress.buffer = counted
        self._waiting.append(counted)

    def line(self) -> None:
        """Count an unreadable line."""
        self.result.frames += 1
        self.result.unreadable_lines += 1

    def frame(self, frame: Frame, unreadable: int, *, judged: bool) -> None:
        """Count a frame's events."""
        result = self.result
        result.frames += 1
        result.read += len(frame.events) + unreadable
        result.unreadable += unreadable
        self.first = []
        if not judged and frame.table != STREAM:
            ledger = frame.table in self._house.ledgers
            result.ledgers += len(frame.events) if ledger else 0
            result.elsewhere += 0 if ledger else len(frame.events)
            return
        setup = self._house.tables.get(frame.table)
        sources = setup.sources if setup is not None else {}
        for event in frame.events:
            if not _belongs(event, frame.table, sources):
                result.strange += 1
            elif self._of(frame.table, event.device, event.epoch, event.seq).take(event.seq):
                self.first.append(event)
            else:
                result.doubled += 1
            self._hear(frame.table, getattr(event, "heard", {}), sources)

    def _hear(self, table: str, positions: dict[str, Heard], houses: Mapping[str, str]) -> None:
        for device, each in positions.items():
            if device in houses:
                self._of(table, device, each.epoch, each.seq + 1).hear(each.seq)

    def _of(self, table: str, device: str, epoch: int, seq: int) -> DeviceNumbers:
        """Return the numbers of an epoch; the first one of a device may have begun before the record does."""
        epochs = self._numbers.setdefault((table, device), {})
        if epoch not in epochs:
            first = 1 if epochs and epoch > min(epochs) else seq
            epochs[epoch] = DeviceNumbers(first, first - 1)
        return epochs[epoch]

    def over(self) -> None:
        """Add up a log that was read to its end, or as far as it matters."""
        result = self.result
        result.late += sum(each.late for each in self._waiting)
        result.crowded_out += sum(each.crowded_out for each in self._waiting)
        result.missing += sorted(self._missing())
        lost = result.doubled + result.late + result.strange + result.crowded_out
        result.used = result.read - lost - result.unreadable - result.elsewhere - result.ledgers
        self._waiting, self._numbers = [], {}

    def _missing(self) -> Iterator[Missing]:
        for (table, device), epochs in self._numbers.items():
            for epoch, numbers in epochs.items():
                for first, last in numbers.holes:
                    yield Missing(table, device, epoch, first, last)


def _belongs(event: AnyEvent, table: str, sources: Mapping[str, str]) -> bool:
    """Return True if an event is one of its stream's, from a device that the table has for it."""
    if table == STREAM:
        return isinstance(event, OperatorActed)
    return may_report(sources.get(event.device), event)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A timeline sorted from the order in which it is read, table after table, into the order of time. It is on
# the disk, in a file of its own that is deleted at the end: memory does not grow with the range.

_MADE: Final = (
    "PRAGMA journal_mode=OFF",
    "PRAGMA temp_store=FILE",
    "CREATE TABLE moments (at, tbl TEXT, rank INT, device TEXT, epoch INT, seq INT, shoe TEXT, told BLOB)",
    "CREATE TABLE ends (tbl TEXT, shoe TEXT, at INT, PRIMARY KEY (tbl, shoe)) WITHOUT ROWID",
    "CREATE TABLE names (what TEXT, name TEXT, PRIMARY KEY (what, name)) WITHOUT ROWID",
)
_KIB: Final = 512  # of its pages, and of what is sorted, stay in memory
_ROUND, _EVENT, _OTHER = 0, 1, 2
_NAME_FIELDS: Final = (
    "gaming_date",
    "dealer",
    "floorperson",
    "shoe",
    "round",
    "patron",
    "bettor",
    "seat",
    "operator",
    "subject",
)
_MOST_HELD: Final = 1000  # moments on their way to the disk

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Moment).decode


class TimelineSpill(SpillFile):
    """Takes moments in any order and gives them by time, table, and what they are; then device and number."""

    def __init__(self) -> None:
        super().__init__(*_MADE, kib=_KIB)
        self._moments: list[tuple[object, ...]] = []
        self._names: set[tuple[str, str]] = set()

    def add(self, moment: Moment, place: tuple[str, int, int] = ("", 0, 0)) -> None:
        """Add a moment; `place` is an event's device, epoch and number."""
        if isinstance(moment, Happening):
            about, rank, shoe = moment.entry, _EVENT, None
            self._note(about)
        else:
            about = moment.about
            rank = _ROUND if about.round is not None else _OTHER
            shoe = _shoe(about) if rank == _OTHER and about.shoe is not None else None
            self._note(about, *moment.findings)
            self._names |= {("seat", str(seat)) for seat in moment.seats}
            self._names |= {("bettor", bettor) for bettor in moment.bettors}
            if rank == _ROUND and about.shoe is not None:
                self._base.execute(
                    "INSERT INTO ends VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
                    (about.table, _shoe(about), about.at),
                )
        self._moments.append((about.at, about.table, rank, *place, shoe, _encode(moment)))
        if len(self._moments) >= _MOST_HELD:
            self._write()

    def _note(self, *entries: Entry) -> None:
        for entry in entries:
            for what in _NAME_FIELDS:
                if (name := getattr(entry, what)) is not None:
                    self._names.add((what, str(name)))

    def _write(self) -> None:
        self._base.executemany("INSERT INTO moments VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._moments)
        self._base.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", self._names)
        self._moments.clear()
        self._names.clear()

    def names(self, *what: str) -> list[str]:
        """Return the names of a kind, or of several, that occurred."""
        self._write()
        found: set[str] = set()
        for each in what:
            with closing(self._base.execute("SELECT name FROM names WHERE what = ?", (each,))) as names:
                found.update(name for (name,) in names)
        return sorted(found)

    def moments(self) -> Iterator[Moment]:
        """Yield everything in its order; it may be asked for again."""
        self._write()
        self._base.execute(
            "UPDATE moments SET at = (SELECT at FROM ends WHERE ends.tbl = moments.tbl "
            "AND ends.shoe = moments.shoe) WHERE shoe IN (SELECT shoe FROM ends WHERE tbl = moments.tbl)"
        )
        # A shoe is entered as often as it was concluded, and stands as it was concluded last.
        self._base.execute(
            "DELETE FROM moments WHERE shoe IS NOT NULL "
            "AND rowid NOT IN (SELECT max(rowid) FROM moments WHERE shoe IS NOT NULL GROUP BY tbl, shoe)"
        )
        query = "SELECT at, told FROM moments ORDER BY at, tbl, rank, device, epoch, seq, told"
        with closing(self._base.execute(query)) as rows:
            yield from _read(rows)


def _shoe(about: Entry) -> str:
    """Return a shoe by its gaming day too, as one of the same name comes again on another day."""
    return f"{about.gaming_date} {about.shoe}"


def _read(rows: Iterable[tuple[int, bytes]]) -> Iterator[Moment]:
    for at, text in rows:
        moment = _decode(text)
        if isinstance(moment, Concluding) and moment.about.at != at:
            moment = msgspec.structs.replace(
                moment,
                about=msgspec.structs.replace(moment.about, at=at),
                findings=tuple(msgspec.structs.replace(each, at=at) for each in moment.findings),
            )
        yield moment


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# From what is recorded into a spool: conclusions and events of the tables and days that were asked for.

_DAY: Final = timedelta(days=1)


class Reach(Struct, frozen=True):
    """Scope of reading: which tables, all if none is named, and from which gaming day to which.

    `every` event is entered, or those that an investigator looks for.
    """

    tables: frozenset[str] = frozenset()
    first: date | None = None
    last: date | None = None
    every: bool = False

    @property
    def is_whole(self) -> bool:
        """Return True if everything is read, so that the ledgers can be reconciled."""
        return not self.tables and self.first is None and self.last is None


def read_records(spool: TimelineSpill, recording: Recording) -> Accounting:
    """Read round records into a spool.

    Raises:
        BadInput: the house file is missing or at fault.
    """
    result = Accounting()
    for each in judge_rounds(recording):
        result.frames += 1
        if isinstance(each, Unread):
            result.unreadable_lines += 1
            result.miss(Unread(each.line, f"{recording.path.name}:{each.line}: {each.error}"))
        else:
            spool.add(of_conclusion(each.conclusion, each.seen, each.house))
            result.conclude(each.conclusion.verdict)
    return result


def read_events(spool: TimelineSpill, recording: Recording, reach: Reach) -> Accounting:
    """Read recorded events into a spool, log after log; of an archive no more tables and days than asked for.

    Raises:
        BadInput: the path holds no recorded events, or a file of an archive is damaged.
    """
    house = recording.house
    counting = EventCount(house)
    result = counting.result
    result.accounts_left_out = bool(house.ledgers) and not reach.is_whole
    concluded: Iterable[Concluded | Unread] = _concluded(spool, recording, reach, counting)
    if reach.is_whole:
        concluded = with_ledgers(concluded, recording)
    for each in concluded:
        if isinstance(each, Unread):
            result.miss(each)
            continue
        spool.add(of_conclusion(each.conclusion, each.seen, house))
        if each.conclusion.round is not None:
            result.conclude(each.conclusion.verdict)
    return result


def read_seats(seats: SeatingIndex, recording: Recording, reach: Reach) -> None:
    """Index who sat at the tables and days that were asked for, and on the day after, which may correct it.

    Raises:
        BadInput: as `read_events` does.
    """
    until = None
    if reach.last is not None and recording.is_archive:
        until = recording.house.late(reach.last + _DAY)
    for found in _logs(recording, reach):
        part, audits = _log_from_day(found, recording, reach)
        seats.begin(audits)
        seats.read(part, until)


def _logs(recording: Recording, reach: Reach) -> Iterator[Log]:
    in_part, ledgers = recording.is_archive and not reach.is_whole, recording.house.ledgers
    for found in recording.logs:
        if in_part and (found.name in ledgers or (reach.tables and found.name not in reach.tables)):
            continue
        yield found


def _concluded(
    spool: TimelineSpill, recording: Recording, reach: Reach, counting: EventCount
) -> Iterator[Concluded | Unread]:
    house = recording.house
    for found in _logs(recording, reach):
        ingest = _TimelineIngest(spool, house, counting, reach)
        yield from latest_conclusions(_but_shoes(_of_log(found, recording, reach, ingest), spool, house))
        counting.over()


def _but_shoes(
    concluded: Iterable[Concluded | Unread], spool: TimelineSpill, house: House
) -> Iterator[Concluded | Unread]:
    """Enter shoes at once, however often they are concluded: a table has more of them than can be held."""
    for each in concluded:
        if isinstance(each, Unread) or each.conclusion.shoe is None or each.conclusion.round is not None:
            yield each
        else:
            spool.add(of_conclusion(each.conclusion, None, house))


def _of_log(
    log: Log, recording: Recording, reach: Reach, ingest: "_TimelineIngest"
) -> Iterator[Concluded | Unread]:
    log, audits = _log_from_day(log, recording, reach)
    for audit in audits.values():
        ingest.begin(audit)
    house = recording.house
    past = day_is_over(house, reach.last) if reach.last is not None and recording.is_archive else read_to_end
    return audit_log(log, house, audits, past, ingest)


def _log_from_day(log: Log, recording: Recording, reach: Reach) -> tuple[Log, dict[str, TableAudit]]:
    """Leave out of a table's log what is before the first day, as `start_of_day` does."""
    if reach.first is None or not recording.is_archive:
        return log, {}
    return start_of_day(log, recording.house, reach.first)


class _TimelineIngest:
    """Looks on while a log is audited: counts, and enters the events that come for the first time."""

    def __init__(self, spool: TimelineSpill, house: House, counting: EventCount, reach: Reach) -> None:
        self._spool, self._house, self._counting, self._reach = spool, house, counting, reach
        self.begin, self.line = counting.begin, counting.line

    def frame(self, frame: Frame, unreadable: int, *, judged: bool) -> None:
        self._counting.frame(frame, unreadable, judged=judged)
        for event in self._counting.first:
            entered = of_event(event, frame.table, self._house, every=self._reach.every)
            if entered is not None:
                self._spool.add(entered, (event.device, event.epoch, event.seq))
