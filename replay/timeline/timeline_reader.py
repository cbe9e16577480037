"""From what is recorded into a spool: conclusions and events of the tables and days that were asked for."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct

from projections.engine.audit.table_audit import Concluded, TableAudit
from projections.views.timeline_entry import of_conclusion, of_event
from replay.recording.event_audit import Unread, audited_log, from_day, latest, never, over
from replay.recording.judged_rounds import form_of, judged
from replay.recording.ledger_days import with_ledgers
from replay.recording.nested_archives import no_recording
from replay.recording.seating_index import Seats
from replay.timeline.accounting import Accounting, Counting
from replay.timeline.time_order_spill import Spool
from schemas.codec import Frame
from schemas.errors import BadInput
from schemas.house import House
from streams import log
from streams.log import Log

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
        part, audits = _begun(found, path, house, reach)
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
        entering = _Entering(spool, house, counting, reach)
        yield from latest(_but_shoes(_of_log(found, path, house, reach, entering), spool, house))
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
    found: Log, path: Path, house: House, reach: Reach, entering: "_Entering"
) -> Iterator[Concluded | Unread]:
    found, audits = _begun(found, path, house, reach)
    for audit in audits.values():
        entering.begin(audit)
    past = over(house, reach.last) if reach.last is not None and path.is_dir() else never
    return audited_log(found, house, audits, past, entering)


def _begun(found: Log, path: Path, house: House, reach: Reach) -> tuple[Log, dict[str, TableAudit]]:
    """Leave out of a table's log what lies before the first day, as `from_day` does."""
    if reach.first is None or not path.is_dir():
        return found, {}
    return from_day(found, path, house, reach.first)


class _Entering:
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
