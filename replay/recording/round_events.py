"""The events that name a round, read from an archive without judging them, for the console."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from threading import Lock
from typing import Final, cast

from projections.web.records.round_events import Found
from replay.recording.event_audit import house_of
from replay.recording.round_dates import naming
from schemas.codec import decode
from schemas.errors import BadInput
from schemas.events import Event, EventId, RoundOpened, id_of
from schemas.house import House
from streams import log

_DAY: Final = timedelta(days=1)
_APART: Final = 3_600_000_000  # microseconds: no device is that far off, no two rounds are that near


class Recorded:
    """Reads the events of an archive's rounds, sealed or not yet, one round at a time."""

    def __init__(self, archive: Path) -> None:
        self._archive = archive
        self._reading = Lock()

    def of_round(self, table: str, day: date, number: str, house: House) -> Found:
        """Return the events that name a round; `house` tells the gaming day where the archive does not.

        What came is looked for under the round's gaming day and the one after it, each event once; where
        nothing of it is there, under all others: a floor's clock may be days from that of what received it.

        Raises:
            BadInput: the archive, or a file of it, cannot be read.
        """
        known = house_of(self._archive, None) if (self._archive / log.HOUSE).is_file() else house
        near = (day, day + _DAY)
        with self._reading:
            found = self._found(table, near, day, number, known)
            return found if found.kept else self._found(table, None, day, number, known)

    def _found(
        self, table: str, days: Collection[date] | None, day: date, number: str, house: House
    ) -> Found:
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
            told = (cast("Event", each) for each in frame.events if each.round == number)
            found.update((id_of(each), each) for each in told)
        events = _of_day([*found.values()], day, house)
        kept = bool(events) or any(True for _ in self._payloads(table, (day,)))
        return Found(events, unread if kept else 0, kept)

    def _payloads(self, table: str, days: Collection[date] | None) -> Iterator[tuple[str, bytes]]:
        if not log.is_archive(self._archive):
            raise BadInput(f"{self._archive}: there is no archive, or nothing in it yet")
        for each in log.logs(self._archive, table):
            near = (each if days is None else log.on_days(each, days)).payloads()
            yield from ((where, payload) for _, where, payload in near)


def _of_day(events: Sequence[Event], day: date, house: House) -> list[Event]:
    """Leave out what is of another day's round of the same number; put the rest by the devices' clocks.

    What is reported of a round after the turn of the day is still that round's.
    """
    begins, ends = house.bounds(day)
    opened = [each.at for each in events if isinstance(each, RoundOpened)]
    first = max(begins, min((at for at in opened if begins <= at < ends), default=begins) - _APART)
    until = min((at - _APART for at in opened if at >= ends), default=ends + (ends - begins))
    kept = [each for each in events if first <= each.at < until]
    return sorted(kept, key=lambda each: (each.at, each.device, each.epoch, each.seq))
