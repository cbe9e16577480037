"""From what is recorded to a timeline: read table after table, put into the order of time on the disk."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projections.engine.audit.table_audit import Concluded, TableAudit
from projections.views.timeline_entry import Concluding, Entry, Happening, Moment, of_conclusion, of_event
from replay.cli.custody import no_recording
from replay.recording.event_audit import Unread, audited_log, from_day, latest, never, over
from replay.recording.judged_rounds import form_of, judged
from replay.recording.ledger_days import with_ledgers
from replay.recording.seated_rounds import Seats
from replay.recording.spill import OnDisk
from replay.timeline.accounting import Accounting, Counting
from schemas.codec import Frame
from schemas.errors import BadInput
from schemas.house import House
from streams import log
from streams.log import Log

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The way of a timeline from the order in which it is read, table after table, into the order of time.
#
# It lies on the disk, in a file of its own that goes when it is done with: memory does not grow with the
# range.

_MADE: Final = (
    "PRAGMA journal_mode=OFF",
    "PRAGMA temp_store=FILE",
    "CREATE TABLE moments (at, tbl TEXT, rank INT, device TEXT, epoch INT, seq INT, shoe TEXT, told BLOB)",
    "CREATE TABLE ends (tbl TEXT, shoe TEXT, at INT, PRIMARY KEY (tbl, shoe)) WITHOUT ROWID",
    "CREATE TABLE names (what TEXT, name TEXT, PRIMARY KEY (what, name)) WITHOUT ROWID",
)
_KIB: Final = 512  # of its pages, and of what is sorted, stay in memory
_ROUND, _EVENT, _OTHER = 0, 1, 2
_NAMED: Final = (
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
_HELD: Final = 1000  # moments on their way to the disk

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Moment).decode


class Spool(OnDisk):
    """Takes moments in any order and gives them by time, table, and what they are; then device and number."""

    def __init__(self) -> None:
        super().__init__(*_MADE, kib=_KIB)
        self._moments: list[tuple[object, ...]] = []
        self._names: set[tuple[str, str]] = set()

    def add(self, moment: Moment, place: tuple[str, int, int] = ("", 0, 0)) -> None:
        """Take a moment; `place` is an event's device, epoch and number."""
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
        if len(self._moments) >= _HELD:
            self._write()

    def _note(self, *entries: Entry) -> None:
        for entry in entries:
            for what in _NAMED:
                if (name := getattr(entry, what)) is not None:
                    self._names.add((what, str(name)))

    def _write(self) -> None:
        self._base.executemany("INSERT INTO moments VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._moments)
        self._base.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", self._names)
        self._moments.clear()
        self._names.clear()

    def names(self, *what: str) -> list[str]:
        """Return the names of a kind, or of several, that anything was told of."""
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
    """How much is read: which tables, all where none is named, and from which gaming day to which.

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


def is_recorded(path: Path) -> bool:
    """Return True if a path holds recorded events, rather than round records.

    Raises:
        BadInput: it holds neither.
    """
    if log.is_archive(path):
        return True
    form = form_of(path) if path.is_file() else None
    if form == "coupons":
        raise BadInput(f"{path}: a coupon log, of which there are no rounds; discardrack audit judges it")
    if form is None:
        raise no_recording(path)
    return form == "frames"


def read_records(spool: Spool, path: Path, house_file: str | None) -> Accounting:
    """Read round records into a spool.

    Raises:
        BadInput: the house file is missing or at fault.
    """
    result = Accounting()
    for each in judged(path, house_file):
        result.frames += 1
        if isinstance(each, Unread):
            result.unreadable_lines += 1
            result.miss(Unread(each.line, f"{path.name}:{each.line}: {each.error}"))
        else:
            spool.add(of_conclusion(each.conclusion, each.seen, each.house))
            result.conclude(each.conclusion.verdict)
    return result


def read_events(spool: Spool, path: Path, house: House, reach: Reach) -> Accounting:
    """Read recorded events into a spool, log after log; of an archive no more tables and days than asked for.

    Raises:
        BadInput: the path holds no recorded events, or a file of an archive is damaged.
    """
    counting = Counting(house)
    result = counting.result
    result.accounts_left_out = bool(house.ledgers) and not reach.is_whole
    concluded: Iterable[Concluded | Unread] = _concluded(spool, path, house, reach, counting)
    if reach.is_whole:
        concluded = with_ledgers(concluded, path, house)
    for each in concluded:
        if isinstance(each, Unread):
            result.miss(each)
            continue
        spool.add(of_conclusion(each.conclusion, each.seen, house))
        if each.conclusion.round is not None:
            result.conclude(each.conclusion.verdict)
    return result


def read_seats(seats: Seats, path: Path, house: House, reach: Reach) -> None:
    """Hear who sat at the tables and days that were asked for, and of the day after: it may tell otherwise.

    Raises:
        BadInput: as `read_events` does.
    """
    until = None
    if reach.last is not None and path.is_dir():
        until = house.late(reach.last + _DAY)
    for found in _logs(path, house, reach):
        part, audits = _log_from_day(found, path, house, reach)
        seats.begin(audits)
        seats.read(part, until)


def _logs(path: Path, house: House, reach: Reach) -> Iterator[Log]:
    for found in log.logs(path):
        in_part = path.is_dir() and not reach.is_whole
        if in_part and (found.name in house.ledgers or (reach.tables and found.name not in reach.tables)):
            continue
        yield found


def _concluded(
    spool: Spool, path: Path, house: House, reach: Reach, counting: Counting
) -> Iterator[Concluded | Unread]:
    for found in _logs(path, house, reach):
        ingest = _TimelineIngest(spool, house, counting, reach)
        yield from latest(_but_shoes(_of_log(found, path, house, reach, ingest), spool, house))
        counting.over()


def _but_shoes(
    concluded: Iterable[Concluded | Unread], spool: Spool, house: House
) -> Iterator[Concluded | Unread]:
    """Enter shoes at once, however often they are concluded: a table has more of them than can be held."""
    for each in concluded:
        if isinstance(each, Unread) or each.conclusion.shoe is None or each.conclusion.round is not None:
            yield each
        else:
            spool.add(of_conclusion(each.conclusion, None, house))


def _of_log(
    log: Log, path: Path, house: House, reach: Reach, ingest: "_TimelineIngest"
) -> Iterator[Concluded | Unread]:
    log, audits = _log_from_day(log, path, house, reach)
    for audit in audits.values():
        ingest.begin(audit)
    past = over(house, reach.last) if reach.last is not None and path.is_dir() else never
    return audited_log(log, house, audits, past, ingest)


def _log_from_day(log: Log, path: Path, house: House, reach: Reach) -> tuple[Log, dict[str, TableAudit]]:
    """Leave out of a table's log what lies before the first day, as `from_day` does."""
    if reach.first is None or not path.is_dir():
        return log, {}
    return from_day(log, path, house, reach.first)


class _TimelineIngest:
    """Looks on while a log is audited: counts, and enters the events that come for the first time."""

    def __init__(self, spool: Spool, house: House, counting: Counting, reach: Reach) -> None:
        self._spool, self._house, self._counting, self._reach = spool, house, counting, reach
        self.begin, self.line = counting.begin, counting.line

    def frame(self, frame: Frame, unreadable: int, *, judged: bool) -> None:
        self._counting.frame(frame, unreadable, judged=judged)
        for event in self._counting.first:
            entered = of_event(event, frame.table, self._house, every=self._reach.every)
            if entered is not None:
                self._spool.add(entered, (event.device, event.epoch, event.seq))
