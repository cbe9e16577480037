"""One round of an archive and its patrons, without judging the day around it.

The table is read from the start of the gaming day before the round's, for who sat where, and for what names
the round. Judging begins with the shoe in which that is named first, and ends when it cannot be revised.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from replay.dates import naming
from replay.judged import Judged, judged_by
from replay.recorded import Unread, audited_log, from_day, from_snapshot, house_of, is_past, latest, starts
from replay.seated import DAY, Seats, heard
from schemas.codec import decode
from schemas.errors import BadInput
from streams import log
from streams.archive.kept import Position
from streams.archive.reading import ArchivedLog
from streams.log import Log

if TYPE_CHECKING:
    from streams.archive.snapshots import Snapshot


class Near(Struct, frozen=True):
    """What is judged around a round, and who sat at its table until the gaming day was over."""

    judged: tuple[Judged | Unread, ...]
    seats: Seats


def near(archive: Path, house_file: str | None, table: str, number: str, day: date) -> Near:
    """Judge what is around a round of a gaming day; all of the day where nothing of it names the round.

    Of the round it comes to what judging the whole archive does, unless something of it came when the day was
    over for longer than the lateness window.

    Raises:
        BadInput: the archive lacks the table, a file of it is damaged, or the house file is missing or at
            fault.
    """
    house = house_of(archive, house_file)
    (found,) = log.logs(archive, table)
    seats, late = Seats(house), house.late(day)
    before, _ = from_day(found, archive, house, day - DAY)
    search = _Search(number, starts(found, archive, house, day), before, late)
    for position, where, payload in heard(_placed(before), seats, late):
        search.take(position, where, payload)
    until = late if search.last is None else search.last
    read, audits = from_snapshot(found, house, search.start)
    concluded = latest(audited_log(read, house, audits, lambda audit: is_past(audit, until)))
    return Near(tuple(judged_by(each, house) for each in concluded), seats)


def _placed(part: Log) -> Iterator[tuple[Position | None, str, bytes]]:
    """Read payloads with where their records stand, which only those of an archive do."""
    if isinstance(part, ArchivedLog):
        return part.placed()
    return ((None, where, payload) for _, where, payload in part.payloads())


class _Search:
    """Looks for what names a round on its day.

    `start` is the last snapshot before that, and `last` the moment of its last event, microseconds UTC; None
    where nothing was found, and the whole day is to be judged.
    """

    def __init__(self, number: str, known: Sequence["Snapshot"], before: Log, late: int) -> None:
        self.start = self._shoe = known[0] if known else None
        self.last: int | None = None
        self._number, self._names, self._late = number, naming(number), late
        self._begins = self.start.after if self.start is not None else None
        self._shoes = {each.after: each for each in known[1:]}
        # Another day's round may have the number: before the day begins nothing counts.
        self._in_day = self._begins is None or (
            isinstance(before, ArchivedLog) and before.after == self._begins
        )

    def take(self, position: Position | None, where: str, payload: bytes) -> None:
        """See the next record."""
        if not self._in_day:
            self._in_day = position == self._begins
        elif self._names(payload) and (at := self._named(where, payload)) is not None:
            if self.last is None:
                self.start = self._shoe
            self.last = max(self.last or 0, min(at, self._late))
        else:
            self._shoe = self._shoes.get(position, self._shoe)

    def _named(self, where: str, payload: bytes) -> int | None:
        """Give the moment of the last event of a frame that names the round; what cannot be read may."""
        try:
            frame, unreadable = decode(payload, where)
        except BadInput:
            return self._late
        if unreadable:
            return self._late
        moments = (each.at for each in frame.events if getattr(each, "round", None) == self._number)
        return max(moments, default=None)
