"""One round of an archive: on which days it was played, the events that name it, and its judgement."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, cast

from projections.engine.audit.table_audit import Concluded
from projections.web.pages.event_pages import ArchivedEvents
from replay.recording.event_audit import (
    Unread,
    audited_log,
    frames,
    from_snapshot,
    house_of,
    is_past,
    latest,
    starts,
)
from replay.recording.judged_rounds import Judged
from replay.recording.seated_rounds import Seated, Seats, as_known
from schemas.codec import Told, decode
from schemas.errors import BadInput
from schemas.events import Event, EventId, RoundOpened, id_of
from schemas.house import House
from streams import log
from streams.archive.archive_reader import ArchivedLog
from streams.archive.record_names import Position
from streams.log import Log

# ── On which gaming dates a table played a round of some number, told without judging any of them ─────

_DAY: Final = timedelta(days=1)
_FEW: Final = 12  # stretches of dates that a message lists
# A number that every writer of JSON writes alike, so that it can be looked for in the bytes.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]+", re.ASCII)


def dates_of(archive: Path, house_file: str | None, table: str, number: str) -> list[date]:
    """Return the gaming dates on which a round of that number was opened, in order.

    Only frames that name it are taken apart. Where its opening was not reported, the dates of what was.

    Raises:
        BadInput: the archive lacks the table, or has no house file.
    """
    house = house_of(archive, house_file)
    opened: set[date] = set()
    dates: set[date] = set()
    for event in (each for recorded in log.logs(archive, table) for each in _naming(recorded, number)):
        found = opened if isinstance(event, RoundOpened) else dates
        found.add(house.gaming_date(event.at))
    # What is reported of a round after the turn of the day is still that round's.
    return sorted(opened | {day for day in dates if not {day, day - _DAY} & opened})


def unread_in(archive: Path, table: str) -> list[Unread]:
    """Return what of a table's frames cannot be read."""
    frames_read = (each for recorded in log.logs(archive, table) for each in frames(recorded))
    return [each for each in frames_read if isinstance(each, Unread)]


def naming(number: str) -> Callable[[bytes], bool]:
    r"""Return which payloads may name a round, by their bytes alone.

    >>> [naming("17")(each) for each in (b'"round":"17"', b'"round":"170"', rb'"round":"1\u0037"')]
    [True, False, True]
    """
    needle = f'"{number}"'.encode() if _PLAIN.fullmatch(number) else b""
    return lambda payload: needle in payload or b"\\u" in payload


def _naming(recorded: log.Log, number: str) -> Iterator[Told]:
    """Read the events that name a round; frames that cannot are passed over unread."""
    names_round = naming(number)
    for _, where, payload in recorded.payloads():
        if names_round(payload):
            try:
                frame, _ = decode(payload, where)
            except BadInput:
                continue  # it is told where nothing else is found
            yield from (event for event in frame.events if getattr(event, "round", None) == number)


def listed(days: Sequence[date]) -> str:
    """List dates in order, three and more that follow each other as from and to.

    >>> listed([date(2025, 1, day) for day in (1, 2, 5, 6, 7, 9)])
    '2025-01-01, 2025-01-02, 2025-01-05 to 2025-01-07, 2025-01-09'
    """
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == _DAY:
            runs[-1].append(day)
        else:
            runs.append([day])
    records = [part for run in runs for part in _run(run)]
    more = len(records) - _FEW
    return ", ".join(records[:_FEW]) + (f" and {more} more" if more > 0 else "")


def _run(run: Sequence[date]) -> list[str]:
    return [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(day) for day in run]  # noqa: PLR2004  two are a pair


# ── The events that name a round, read from an archive without judging them, for the console ──────────

_APART: Final = 3_600_000_000  # microseconds: no device is that far off, no two rounds are that near


class Recorded:
    """Reads the events of an archive's rounds, sealed or not yet, one round at a time."""

    def __init__(self, archive: Path) -> None:
        self._archive = archive
        self._reading = Lock()

    def of_round(self, table: str, day: date, number: str, house: House) -> ArchivedEvents:
        """Return the events that name a round; `house` tells the gaming day where the archive does not.

        What came is looked for under the round's gaming day and the one after it, each event once; where
        nothing of it is there, under all others: a floor's clock may be days from that of what received it.

        Raises:
            BadInput: the archive, or a file of it, cannot be read.
        """
        own_house = house_of(self._archive, None) if (self._archive / log.HOUSE).is_file() else house
        days = (day, day + _DAY)
        with self._reading:
            found = self._found(table, days, day, number, own_house)
            return found if found.kept else self._found(table, None, day, number, own_house)

    def _found(
        self, table: str, days: Collection[date] | None, day: date, number: str, house: House
    ) -> ArchivedEvents:
        """Look under some days, or under all; whether the day is kept is told by what is filed under it."""
        found: dict[EventId, Event] = {}
        unread, may_name = 0, naming(number)
        for where, payload in self._payloads(table, days):
            if not may_name(payload):
                continue
            try:
                frame, unreadable = decode(payload, where)
            except BadInput:
                unread += 1
                continue
            unread += bool(unreadable)
            event = (cast("Event", each) for each in frame.events if each.round == number)
            found.update((id_of(each), each) for each in event)
        events = _of_day([*found.values()], day, house)
        is_recorded = bool(events) or any(True for _ in self._payloads(table, (day,)))
        return ArchivedEvents(events, unread if is_recorded else 0, is_recorded)

    def _payloads(self, table: str, days: Collection[date] | None) -> Iterator[tuple[str, bytes]]:
        if not log.is_archive(self._archive):
            raise BadInput(f"{self._archive}: there is no archive, or nothing in it yet")
        for each in log.logs(self._archive, table):
            parts = (each if days is None else log.on_days(each, days)).payloads()
            yield from ((where, payload) for _, where, payload in parts)


def _of_day(events: Sequence[Event], day: date, house: House) -> list[Event]:
    """Leave out what is of another day's round of the same number; put the rest by the devices' clocks.

    What is reported of a round after the turn of the day is still that round's.
    """
    begins, ends = house.bounds(day)
    opened = [each.at for each in events if isinstance(each, RoundOpened)]
    first = max(begins, min((at for at in opened if begins <= at < ends), default=begins) - _APART)
    until = min((at - _APART for at in opened if at >= ends), default=ends + (ends - begins))
    events_of_day = [each for each in events if first <= each.at < until]
    return sorted(events_of_day, key=lambda each: (each.at, each.device, each.epoch, each.seq))


# ── One round of an archive, without judging the day around it ────────────────────────────────────────
# The table is read from the start of the round's gaming day for what names the round, and on to the end of
# the next one for what is told of who sat. Judging begins with the shoe in which the round is named first,
# and ends when it cannot be revised.

if TYPE_CHECKING:
    from streams.archive.snapshots import Snapshot


def around_round(
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
        from streams.archive.archive_reader import NearLog, Numbers  # noqa: PLC0415  Parquet takes long to load

        numbers = Numbers()
        close = NearLog(found.archive, found.filed, day=day, numbers=numbers)
        around = _around(close, house, day, _Search(number, known, house.late(day)), numbers.begin)
        if not numbers.lack:
            return around
    return _around(found, house, day, _Search(number, known, house.late(day)))


def _around(
    log: Log, house: House, day: date, search: "_Search", begin: Callable[[int], None] = lambda _: None
) -> tuple[Seated | Unread, ...]:
    """Look for the round in a table's log, and judge what is around it.

    `begin` is told, whenever the log is read, the number of the frame before.
    """
    with Seats() as seats:
        part, audits = from_snapshot(log, house, search.start)
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
        read, audits = from_snapshot(log, house, search.start)
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


def _number(snapshot: "Snapshot | None") -> int:
    return snapshot.frame if snapshot is not None else 0


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

    def __init__(self, number: str, snapshots: Sequence["Snapshot"], late: int) -> None:
        self.start = self._shoe = snapshots[0] if snapshots else None
        self.last: int | None = None
        self.late = late
        self._number, self._names = number, naming(number)
        self._shoes = {each.after: each for each in snapshots[1:]}

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
