"""One round of an archive, without judging the day around it.

The table is read from the start of the round's gaming day for what names the round, and on to the end of the
next one for what is told of who sat. Judging begins with the shoe in which the round is named first, and ends
when it cannot be revised.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from projections.engine.audit.table_audit import Concluded
from replay.recording.event_audit import Unread, audited_log, from_snapshot, house_of, is_past, latest, starts
from replay.recording.judged_rounds import Judged
from replay.recording.round_dates import naming
from replay.recording.seated_rounds import Seated, as_known
from replay.recording.seating_index import Seats
from schemas.codec import decode
from schemas.errors import BadInput
from schemas.house import House
from streams import log
from streams.archive.record_names import Position
from streams.archive.table_log import ArchivedLog
from streams.log import Log

if TYPE_CHECKING:
    from streams.archive.snapshots import Snapshot


_DAY: Final = timedelta(days=1)


def near(
    archive: Path, house_file: str | None, table: str, number: str, day: date
) -> tuple[Seated | Unread, ...]:
    """Judge what is around a round of a gaming day; all of the day where nothing of it names the round.

    Of the round it comes to what judging the whole archive does, unless something of it came when the day was
    over for longer than the lateness window, or of who sat when the next one was. Only the days about it are
    opened, and all of them where those lack a frame: it may lie under another day.

    Raises:
        BadInput: the archive lacks the table, a file of it is damaged, or the house file is missing or at
            fault.
    """
    house = house_of(archive, house_file)
    (found,) = log.logs(archive, table)
    known = starts(found, archive, house, day)
    if known and isinstance(found, ArchivedLog):
        from streams.archive.day_range import NearLog, Numbers  # noqa: PLC0415  Parquet takes long to load

        numbers = Numbers()
        close = NearLog(found.archive, found.filed, day=day, numbers=numbers)
        around = _around(close, house, day, _Search(number, known, house.late(day)), numbers.begin)
        if not numbers.lack:
            return around
    return _around(found, house, day, _Search(number, known, house.late(day)))


def _around(
    found: Log, house: House, day: date, search: "_Search", begin: Callable[[int], None] = lambda _: None
) -> tuple[Seated | Unread, ...]:
    """Look for the round in a table's log, and judge what is around it.

    `begin` is told, whenever the log is read, the number of the frame before.
    """
    with Seats() as seats:
        part, audits = from_snapshot(found, house, search.start)
        begin(_number(search.start))
        seats.begin(audits)
        is_over, key, last = False, part.key, house.late(day + _DAY)
        for position, where, payload in _placed(part):
            if not is_over:
                search.take(position, where, payload)
            # By what a terminal tells now and then it is seen that a day is over, without reading each frame.
            at = seats.take(where, payload, key)
            if at is not None and at > last:
                break
            is_over = is_over or (at is not None and at > search.late)
        until = search.late if search.last is None else search.last
        read, audits = from_snapshot(found, house, search.start)
        begin(_number(search.start))
        concluded = latest(audited_log(read, house, audits, lambda audit: is_past(audit, until)))
        return tuple(_seated(concluded, house, seats))


def _seated(concluded: Iterator[Concluded | Unread], house: House, seats: Seats) -> Iterator[Seated | Unread]:
    """Yield the rounds, and what could not be read."""
    for each in concluded:
        if isinstance(each, Unread):
            yield each
        elif each.seen is not None:
            yield as_known(Judged(each.conclusion, house, each.seen, each.book), each.seen, seats)


def _number(known: "Snapshot | None") -> int:
    return known.frame if known is not None else 0


def _placed(part: Log) -> Iterator[tuple[Position | None, str, bytes]]:
    """Read payloads with where their records stand, which only those of an archive do."""
    if isinstance(part, ArchivedLog):
        return part.placed()
    return ((None, where, payload) for _, where, payload in part.payloads())


class _Search:
    """Looks for what names a round on its day.

    `late` is when no more of the day is expected; `start` is the snapshot from which the table is read, and
    then the last one before what was found, `last` the moment of its last event, None where nothing was, and
    the whole day is to be judged. Moments are microseconds UTC.
    """

    def __init__(self, number: str, known: Sequence["Snapshot"], late: int) -> None:
        self.start = self._shoe = known[0] if known else None
        self.last: int | None = None
        self.late = late
        self._number, self._names = number, naming(number)
        self._shoes = {each.after: each for each in known[1:]}

    def take(self, position: Position | None, where: str, payload: bytes) -> None:
        """See the next record."""
        if self._names(payload) and (at := self._named(where, payload)) is not None:
            if self.last is None:
                self.start = self._shoe
            self.last = max(self.last or 0, min(at, self.late))
        else:
            self._shoe = self._shoes.get(position, self._shoe)

    def _named(self, where: str, payload: bytes) -> int | None:
        """Return the moment of the last event of a frame that names the round; what cannot be read may."""
        try:
            frame, unreadable = decode(payload, where)
        except BadInput:
            return self.late
        if unreadable:
            return self.late
        moments = (each.at for each in frame.events if getattr(each, "round", None) == self._number)
        return max(moments, default=None)
