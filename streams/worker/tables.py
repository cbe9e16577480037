"""A worker's tables: frames as they come from Kafka, applied once each; tables that are left out."""

import hashlib
from collections.abc import Callable, Container, Iterable, Mapping

import msgspec
from msgspec import Struct

from projections.engine.audit.rulebooks import left_out
from projections.engine.audit.table_audit import Concluded, TableAudit
from schemas.codec import AnyEvent, Frame, Unreadable, decode
from schemas.errors import BadInput
from schemas.house import House
from schemas.plugins import faults
from schemas.senders import WHY, Refusal, Senders
from streams.archive.record_names import NOTHING_YET
from streams.messages import Quarantined, Result, cut, frame_name, result_of
from streams.topics import FRAMES
from streams.worker.deliveries import Record, does_not_follow, number_of
from streams.worker.table_snapshot import FORM, Applied, Places, first_revision, read, read_progress, written

# ── The tables that a worker leaves out, because the house file is at fault about them ────────────────
# Their records are passed over and acknowledged, as those of the other tables in the partition are. A
# table's state notes how far that went: a worker with a mended house file reads them again (`Tables.owed`).


class LeftOut:
    """Tables that are left out: why (`reasons`, by table), and how far they were; `stored` has the states."""

    def __init__(self, reasons: Mapping[str, str], stored: Mapping[str, str]) -> None:
        self._reasons, self._stored = reasons, stored
        self._last: dict[str, Record] = {}  # of those that came since the states were last returned
        self._told: set[str] = set()

    def __contains__(self, table: str) -> bool:
        """Return True if a table is left out."""
        return table in self._reasons

    def take(self, record: Record) -> Quarantined | None:
        """Leave a record out. The first of its table yields the quarantine's row, one for each reason."""
        table = record.key
        if record.cluster is None:
            self._last[table] = record
        if table in self._told:
            return None
        self._told.add(table)
        reason = f"table {table} is left out: {self._reasons[table]}"
        name = hashlib.sha256(reason.encode()).hexdigest()[:16]
        return Quarantined(
            id=f"left out/{table}/{name}",
            where=record.place,
            reason=f"{reason}. Mend the house file and run discardrack house reload; it is judged then",
            payload="",
            table=table,
        )

    def states(self, names: Container[str] | None) -> Iterable[tuple[str, int, str]]:
        """Yield the states of tables with records that were left out, as `Tables.states` does."""
        for table in [each for each in self._last if names is None or each in names]:
            record = self._last.pop(table)
            state = read(self._stored.get(table, ""))
            if state is None or state.offset > record.offset:  # of another form, or of a log that is no more
                state = Applied(FORM, record.partition, NOTHING_YET, 0, 0, None)
            state.left_out = record.offset
            yield table, record.partition, written(state)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A worker's tables: frames as they come from Kafka, applied once each, and the state that survives a crash.
# Kafka delivers a frame again after a crash, and a state can be older than what was already processed. So the
# state of each table has the last record that went into it and the number of its frame. A record at or before
# it is skipped, and one that does not follow shows that those between must be read again (`Gap`). Nothing
# here uses Kafka; the worker and the benchmark share it.


class Gap(Struct, frozen=True):
    """Records of a table that may be between its state and a record that does not follow it."""

    table: str
    partition: int
    after: int
    before: int


class Drain(Struct, frozen=True):
    """Results of the records taken.

    What was concluded, each with its frame's partition; what could not be read; how many events there were.
    """

    results: list[tuple[int, Result]]
    quarantined: list[Quarantined]
    events: int


class _Open(Struct):
    """A table whose audit is in memory; `stored` is the text it was read from or last written as."""

    audit: TableAudit
    partition: int = 0
    offset: int = NOTHING_YET
    frame: int = 0
    since: int = 0
    left_out: int = NOTHING_YET
    stored: str | None = None
    changed: bool = False


class Tables:
    """The audits of a worker's tables.

    `stored` has each table's state as text and may be replaced at any time (a rebalance). `clock` returns
    microseconds UTC, used only for the time stamp of what is sent. Tables about which the house file is at
    fault are left out: `reasons` has the reason, by table, with the lines of the file if they are known.
    """

    def __init__(
        self,
        house: House,
        stored: Mapping[str, str],
        software: str,
        clock: Callable[[], int],
        reasons: Mapping[str, str] | None = None,
    ) -> None:
        self._house, self._stored, self._software, self._clock = house, stored, software, clock
        self._senders = Senders(house)
        self._open: dict[str, _Open] = {}
        self._places = Places(stored)
        self._results: list[tuple[int, Result]] = []
        self._quarantined: list[Quarantined] = []
        self._events = 0
        self._left_out = LeftOut(left_out(house) if reasons is None else reasons, stored)
        self._taken_up: list[str] = []

    def take(self, record: Record, *, again: bool = False) -> Gap | None:
        """Apply a record, unless it was applied before; its results wait for `drain`.

        A frame of a ledger, of the surveillance room or of a table that is left out is skipped. If a frame
        does not follow the last one of its table it is not applied: the returned gap must be read from the
        log, each record taken with `again`, and then this one too.
        """
        if self._passes_over(record):
            return None
        own = self._table(record.key) if record.key in self._house.tables else None
        if record.cluster is None and own is not None and record.offset <= own.offset:
            if (number := number_of(record)) is None or number <= own.frame:
                return None
            own = self._begin_anew(record.key)
        try:
            frame, unread = decode(record.payload, record.place)
        except BadInput as error:
            self._quarantine(record, str(error))
            if own is not None and number_of(record) == own.frame + 1:
                _pass_over(own, record)
            return None
        try:
            table = self._checked(own, record, frame)
        except BadInput as error:
            self._quarantine(record, str(error), table=frame.table)
            return None
        first = table.offset == NOTHING_YET and frame.frame > 1
        if frame.frame != table.frame + 1 and not again and (first or record.offset > table.offset + 1):
            return Gap(frame.table, record.partition, table.offset, record.offset)
        self._apply(table, record, frame, unread)
        return None

    @property
    def has_more(self) -> bool:
        """Return True if anything came since the last `drain`."""
        return bool(self._results or self._quarantined)

    def drain(self) -> Drain:
        """Return the results of the records since the last call."""
        drained = Drain(self._results, self._quarantined, self._events)
        self._results, self._quarantined, self._events = [], [], 0
        return drained

    def states(self, names: Container[str] | None = None) -> Iterable[tuple[str, int, str]]:
        """Yield the states that changed since last time, of all or some tables: table, partition, text."""
        yield from self._left_out.states(names)
        for name, table in self._open.items():
            if table.changed and (names is None or name in names):
                table.changed = False
                applied = Applied(
                    FORM, table.partition, table.offset, table.frame, table.since, table.audit.progress
                )
                table.stored = written(applied)
                yield name, table.partition, table.stored

    def restore(self, gap: Gap, offset: int, frame: int, progress: str) -> None:
        """Restore the table of a gap from its audit after the record at an offset.

        `progress` is a `table_audit.AuditProgress` as JSON.
        """
        table = _Open(TableAudit(gap.table, self._house), gap.partition, offset, frame)
        table.audit.progress = read_progress(progress)
        table.stored, table.changed = self._stored.get(gap.table), True
        self._open[gap.table] = table

    def owed(self, partitions: Container[int]) -> list[Gap]:
        """Return what was left out of tables whose part of the house file is corrected, to be read again.

        It is limited to these partitions; `take_up` must be called for each when that is done.
        """
        gaps: list[Gap] = []
        for name, place in self._places.all():
            if place.left_out > place.offset and place.partition in partitions:
                own = self._table(name) if name in self._house.tables and name not in self._left_out else None
                if own is not None and own.left_out > own.offset:
                    gaps.append(Gap(name, place.partition, own.offset, own.left_out + 1))
        return gaps

    def take_up(self, gap: Gap) -> None:
        """Note that what was left out of a table has been read again, as far as it can still be had."""
        own = self._table(gap.table)
        own.partition, own.left_out, own.changed = gap.partition, NOTHING_YET, True
        self._taken_up.append(gap.table)

    def taken_up(self) -> list[str]:
        """Return the tables that were taken up since the last time."""
        found, self._taken_up = self._taken_up, []
        return found

    def _passes_over(self, record: Record) -> bool:
        if record.key in self._left_out:
            row = self._left_out.take(record)
            self._quarantined += [row] if row is not None else []
            return True
        # What crosses tables is reconciled from the archive, and what the room did is judged by no one.
        return self._house.beside_tables(record.key)

    def _table(self, name: str) -> _Open:
        """Return a table as it is in memory, or as it is stored where that is not what we last knew."""
        stored = self._stored.get(name)
        table = self._open.get(name)
        if table is not None and (stored is table.stored or table.changed or stored == table.stored):
            return table
        table = self._open[name] = _Open(TableAudit(name, self._house))
        if stored is not None:
            self._load(table, stored)
        return table

    def _begin_anew(self, name: str) -> _Open:
        """Drop a state that is ahead of Kafka: its offsets are those of a log that is no more."""
        table = self._open[name] = _Open(TableAudit(name, self._house), stored=self._stored.get(name))
        return table

    def _load(self, table: _Open, stored: str) -> None:
        """Load a state; one of another form is dropped, and the table is folded again."""
        applied = read(stored)
        if applied is None:
            return
        table.audit.progress = applied.progress or table.audit.progress
        table.partition, table.offset, table.frame = applied.partition, applied.offset, applied.frame
        table.since, table.left_out, table.stored = applied.since, applied.left_out, stored

    def _checked(self, own: _Open | None, record: Record, frame: Frame) -> _Open:
        if frame.table not in self._house.tables:
            house = self._house.house
            raise BadInput(f"{record.place}: table {frame.table!r} is not in the house file of {house}")
        if own is None or frame.table != record.key:
            raise BadInput(f"{record.place}: a frame of table {frame.table!r} under the key {record.key!r}")
        return own

    def _apply(self, table: _Open, record: Record, frame: Frame, unread: list[Unreadable]) -> None:
        if frame.frame != table.frame + 1:
            self._quarantine(record, does_not_follow(record.place, frame, table.frame), "number", frame.table)
        for each in unread:
            reason = f"{each.where}: {each.reason}"
            self._quarantine(record, reason, f"event{each.event}", frame.table, each.payload)
        if table.frame == 0 and frame.frame > 1:
            table.since = first_revision(frame.received)
        name = frame_name(frame.table, frame.frame)
        concluded = table.audit.feed(self._admitted(record, frame))
        self._events += len(frame.events)
        if concluded:
            now, met = self._clock(), faults(frame.table)
            self._results += [
                (
                    record.partition,
                    result_of(_counted(each, table), self._software, name, frame.received, now, met),
                )
                for each in concluded
            ]
        for n, stranger in enumerate(table.audit.take_strangers(), 1):
            reason = f"{record.place}: table {frame.table} {stranger}"
            self._quarantine(record, reason, f"overfull{n}", frame.table)
        table.partition, table.changed = record.partition, True
        if record.cluster is None:
            table.offset = record.offset
        table.frame = max(table.frame, frame.frame) if frame.frame != 1 else 1

    def _admitted(self, record: Record, frame: Frame) -> list[AnyEvent]:
        """Return the events whose senders may send them; what else stands here came past the gateway."""
        refused = dict(self._senders.refused(frame.table, frame.events))
        for place, code in refused.items():
            event = frame.events[place]
            what = f"{type(event).__name__} of {event.device!r}"
            reason = f"{record.place}: table {frame.table}: {what}: {WHY[code]}"
            self._quarantine(record, reason, f"stranger{place + 1}", frame.table, code=code)
        if not refused:
            return frame.events
        return [event for place, event in enumerate(frame.events) if place not in refused]

    def _quarantine(
        self,
        record: Record,
        reason: str,
        part: str | None = None,
        table: str | None = None,
        payload: str | None = None,
        code: Refusal | None = None,
    ) -> None:
        place = record.place if part is None else f"{record.place}/{part}"
        text, reason = cut(record.payload if payload is None else payload.encode(), reason)
        self._quarantined.append(
            Quarantined(
                id=place,
                where=record.place,
                reason=reason,
                payload=text,
                table=table,
                code=code,
                source=FRAMES if code is not None else None,
            )
        )


def _counted(each: Concluded, table: _Open) -> Concluded:
    return msgspec.structs.replace(each, revision=table.since + each.revision) if table.since else each


def _pass_over(table: _Open, record: Record) -> None:
    """Count a frame that cannot be read as come."""
    table.partition, table.offset, table.frame = record.partition, record.offset, table.frame + 1
    table.changed = True
