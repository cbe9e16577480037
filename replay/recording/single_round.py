"""Round of an archive: on which days it was played, the events that name it, and its judgement."""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, cast

from projections.engine.audit.table_audit import Concluded
from projections.web.records.archived_events import ArchivedEvents
from replay.recording.event_audit import (
    audit_log,
    day_snapshots,
    is_past,
    latest_conclusions,
    start_of_snapshot,
)
from replay.recording.judged_rounds import JudgedRound
from replay.recording.recording import Recording, may_name
from replay.recording.seated_rounds import SeatedRound, SeatingIndex, may_seat, seated_round
from schemas.errors import BadInput
from schemas.events import Event, EventId, RoundOpened, id_of
from schemas.house import House
from streams import log
from streams.log import ArchivedLog, DayRangeLog, FrameNumbers, Log, RecordedPayload, Unread, read_frame

if TYPE_CHECKING:
    from streams.archive.snapshots import Snapshot

# ── On which gaming dates a table played a round of a number, without judging any of them ────────────────

_DAY: Final = timedelta(days=1)
_FEW: Final = 12  # stretches of dates that a message lists


def dates_of(recording: Recording, table: str, number: str) -> list[date]:
    """Return the gaming dates on which a round of that number was opened, in order.

    Only frames that name it are taken apart. Where its opening was not reported, the dates of what was.

    Raises:
        BadInput: the archive lacks the table, or has no house file.
    """
    opened: set[date] = set()
    dates: set[date] = set()
    house = recording.house
    for each in recording.naming_round(table, number):
        for event in each.frame.events if each.frame is not None else ():
            if getattr(event, "round", None) == number:
                found = opened if isinstance(event, RoundOpened) else dates
                found.add(house.gaming_date(event.at))
    # What is reported of a round after the turn of the day is still that round's.
    return sorted(opened | {day for day in dates if not {day, day - _DAY} & opened})


def unread_in(recording: Recording, table: str) -> list[Unread]:
    """Return what of a table's frames cannot be read."""
    return [each for each in recording.frames(table) if isinstance(each, Unread)]


def date_list(days: Sequence[date]) -> str:
    """Return dates in order, three and more that follow each other as from and to.

    >>> date_list([date(2025, 1, day) for day in (1, 2, 5, 6, 7, 9)])
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


class RecordedEvents:
    """Reads the events of the rounds of archives, sealed or not yet, one round at a time.

    Of several the first that has anything of the round's day answers.
    """

    def __init__(self, *archives: Path) -> None:
        self._archives = archives
        self._reading = Lock()

    def of_round(self, table: str, day: date, number: str, house: House) -> ArchivedEvents:
        """Return the events that name a round; `house` has the gaming day if the archive does not.

        Events are searched under the round's gaming day and the one after it, each once. If none is there,
        they are searched under all others: a floor's clock may be days from that of its receiver.

        Raises:
            BadInput: the archive, or a file of it, cannot be read.
        """
        with self._reading:
            answers = (_recorded_events(each, table, day, number, house) for each in self._archives)
            found = next(answers)
            return found if found.kept else next((each for each in answers if each.kept), found)


def _recorded_events(archive: Path, table: str, day: date, number: str, house: House) -> ArchivedEvents:
    recording = Recording(archive)
    if not recording.is_archive:
        raise BadInput(f"{archive}: there is no archive, or nothing in it yet")
    own_house = recording.house if (archive / log.HOUSE).is_file() else house
    found = _round_events(recording, table, (day, day + _DAY), day, number, own_house)
    return found if found.kept else _round_events(recording, table, None, day, number, own_house)


def _round_events(
    recording: Recording, table: str, days: Collection[date] | None, day: date, number: str, house: House
) -> ArchivedEvents:
    """Find a round's events under some days, or all; `kept` is true if its day has anything."""
    found: dict[EventId, Event] = {}
    unread = 0
    for record in recording.naming_round(table, number, days):
        unread += bool(record.unread)
        events = record.frame.events if record.frame is not None else ()
        of_round = (cast("Event", each) for each in events if each.round == number)
        found.update((id_of(each), each) for each in of_round)
    of_day = _of_day([*found.values()], day, house)
    filed = (record for each in recording.logs_of(table) for record in log.on_days(each, (day,)).records())
    is_recorded = bool(of_day) or any(True for _ in filed)
    return ArchivedEvents(of_day, unread if is_recorded else 0, is_recorded)


def _of_day(events: Sequence[Event], day: date, house: House) -> list[Event]:
    """Leave out events of another day's round of the same number; sort the rest by the devices' clocks.

    What is reported of a round after the turn of the day still belongs to that round.
    """
    begins, ends = house.bounds(day)
    opened = [each.at for each in events if isinstance(each, RoundOpened)]
    first = max(begins, min((at for at in opened if begins <= at < ends), default=begins) - _APART)
    until = min((at - _APART for at in opened if at >= ends), default=ends + (ends - begins))
    events_of_day = [each for each in events if first <= each.at < until]
    return sorted(events_of_day, key=lambda each: (each.at, each.device, each.epoch, each.seq))


# ── One round of an archive, without judging the day around it ────────────────────────────────────────
# The table is read from the start of the round's gaming day for events that name the round, and on to the end
# of the next one for seating reports. Judging begins with the shoe in which the round is named first, and
# ends when it cannot be revised.


def judge_around(
    recording: Recording, table: str, number: str, day: date
) -> tuple[SeatedRound | Unread, ...]:
    """Judge what is around a round of a gaming day; all of the day if none of its events names the round.

    The result for the round is that of judging the whole archive, with two exceptions: events of the round
    that came later than the lateness window after the day, and seating reports later than that after the next
    day. Only the days about it are opened, and all of them if those lack a frame: it may be filed under
    another day.

    Raises:
        BadInput: the archive lacks the table, a file of it is damaged, or the house file is missing or at
            fault.
    """
    house = recording.house
    (found,) = recording.logs_of(table)
    snapshots = day_snapshots(found, house, day)
    if snapshots and isinstance(found, ArchivedLog):
        numbers = FrameNumbers()
        days = DayRangeLog(found.archive, found.stem, day=day, numbers=numbers)
        around = _around(days, house, day, _Search(number, snapshots, house.late(day)), numbers.begin)
        if not numbers.lacks_one:
            return around
    return _around(found, house, day, _Search(number, snapshots, house.late(day)))


def _around(
    log: Log, house: House, day: date, search: "_Search", begin: Callable[[int], None] = lambda _: None
) -> tuple[SeatedRound | Unread, ...]:
    """Find the round in a table's log, and judge what is around it.

    `begin` gets the number of the frame before, whenever the log is read.
    """
    with SeatingIndex() as seats:
        part, audits = start_of_snapshot(log, house, search.start)
        begin(_number(search.start))
        seats.begin(audits)
        is_over, key, last = False, part.key, house.late(day + _DAY)
        for record in part.records():
            if not is_over:
                search.note_record(record)
            # What a terminal reports now and then shows that a day is over, without reading each frame.
            at = seats.index_frame(read_frame(record, key)) if may_seat(record.payload) else None
            if at is not None and at > last:
                break
            is_over = is_over or (at is not None and at > search.late)
        until = search.late if search.last is None else search.last
        read, audits = start_of_snapshot(log, house, search.start)
        begin(_number(search.start))
        concluded = latest_conclusions(audit_log(read, house, audits, lambda audit: is_past(audit, until)))
        return tuple(_seated(concluded, house, seats))


def _seated(
    concluded: Iterator[Concluded | Unread], house: House, seats: SeatingIndex
) -> Iterator[SeatedRound | Unread]:
    """Yield the rounds, and what could not be read."""
    for each in concluded:
        if isinstance(each, Unread):
            yield each
        elif each.seen is not None:
            yield seated_round(JudgedRound(each.conclusion, house, each.seen, each.book), each.seen, seats)


def _number(snapshot: "Snapshot | None") -> int:
    return snapshot.frame if snapshot is not None else 0


class _Search:
    """Searches for events that name a round on its day.

    `late` is when no more of the day is expected. `start` is the snapshot from which the table is read, and
    then the last one before what was found. `last` is the moment of its last event, None if nothing was
    found, and then the whole day is judged. Moments are microseconds UTC.
    """

    def __init__(self, number: str, snapshots: Sequence["Snapshot"], late: int) -> None:
        self.start = self._shoe = snapshots[0] if snapshots else None
        self.last: int | None = None
        self.late = late
        self._number, self._may_name = number, may_name(number)
        self._shoes = {each.after: each for each in snapshots[1:]}

    def note_record(self, record: RecordedPayload) -> None:
        """Note the next record."""
        if self._may_name(record.payload) and (at := self._moment(record)) is not None:
            if self.last is None:
                self.start = self._shoe
            self.last = max(self.last or 0, min(at, self.late))
        else:
            self._shoe = self._shoes.get(record.position, self._shoe)

    def _moment(self, record: RecordedPayload) -> int | None:
        """Return the moment of the last event of a frame that names the round; what cannot be read may."""
        found = read_frame(record)
        if found.frame is None or found.unread:
            return self.late
        moments = (each.at for each in found.frame.events if getattr(each, "round", None) == self._number)
        return max(moments, default=None)
