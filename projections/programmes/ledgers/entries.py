"""A ledger's entries in order: corrected, parted by gaming day, their serial numbers, and what is missing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Final, TypeAlias, cast

from msgspec import Struct, field
from msgspec.structs import replace

from projections.engine.facts import DeviceRef, Fact, SerialRef, fact
from schemas.codec import AnyEvent
from schemas.events import EventId, id_of
from schemas.house import House
from schemas.ledgers import Entry, EntryCorrected, Ledger, LedgerClosed, LedgerEvent, belongs
from schemas.serials import Place, place

# ── A ledger's entries in order: corrected, parted by gaming day, and what is missing among them ──────
# A hole in a device's numbers is data that is not there: it is named and leaves open what depends on it.

_DAY: Final = timedelta(days=1)
_Replacements: TypeAlias = dict[EventId, "LedgerEvent | None"]


class EntryHole(Struct, frozen=True):
    """Numbers of a device that never came, and the gaming days in which they may have been given."""

    device: str
    epoch: int
    first: int
    last: int
    since: date
    until: date

    @property
    def missing(self) -> Fact:
        """Return what is not there."""
        return fact(
            "ledgers.entries_missing",
            device=DeviceRef(self.device),
            epoch=self.epoch,
            first=self.first,
            last=self.last,
        )


class OrderedLedger(Struct, frozen=True):
    """A ledger with its entries in order.

    `days` are its entries by gaming day, in order; `closed` the days for which it was closed; `refused` what
    could not be accepted, each once, by the day on which it came. It is `is_complete` if each device's first
    number is 1: nothing was entered before the record begins.
    """

    days: Mapping[date, tuple[LedgerEvent, ...]]
    closed: frozenset[date]
    holes: tuple[EntryHole, ...]
    refused: tuple[tuple[date, Fact], ...]
    is_complete: bool = True

    def doubts(self, day: date) -> list[Fact]:
        """Return why not all of a day may be here: its holes, what was refused, that it is not closed."""
        doubts = [hole.missing for hole in self.holes if hole.since <= day <= hole.until]
        doubts += [message for refused, message in self.refused if refused == day]
        return doubts if day in self.closed else [*doubts, fact("ledgers.not_closed")]

    def begins_within(self, day: date) -> bool:
        """Return True if the record begins on a day in the middle: what was entered before is not known."""
        return not self.is_complete and bool(self.days) and day == min(self.days)


NOTHING: Final = OrderedLedger({}, frozenset(), (), ())


def order_entries(ledger: Ledger, reported: Iterable[AnyEvent], house: House) -> OrderedLedger:
    """Sort a ledger's entries: by number within a device, by their clocks between devices.

    The first number of a device's first epoch may be any: the record begins there. A number that comes twice
    counts once. What no entry of this ledger is, or comes from a device that does not keep it, is refused.
    """
    entries: dict[EventId, LedgerEvent] = {}
    refused: dict[Fact, date] = {}
    for event in reported:
        fault = _fault(ledger, event, house)
        if fault is not None:
            refused.setdefault(fault, house.gaming_date(event.at))
        else:
            entries.setdefault(id_of(event), cast("LedgerEvent", event))
    ordered = _in_order(list(entries.values()))
    replacements, amiss = _corrections(ordered, entries, ledger)
    days = dict(zip(map(id_of, ordered), _days(ledger, ordered, house.gaming_date), strict=True))
    refused |= {message: days[about] for message, about in amiss.items()}
    parted: dict[date, list[LedgerEvent]] = {}
    for stands, day in _effective_entries(ordered, replacements, days):
        parted.setdefault(day, []).append(stands)
    return OrderedLedger(
        {day: tuple(listed) for day, listed in parted.items()},
        frozenset(
            each.date for listed in parted.values() for each in listed if isinstance(each, LedgerClosed)
        ),
        tuple(_holes(sorted(entries), days)),
        tuple((day, message) for message, day in refused.items()),
        is_complete=all((first.epoch, first.seq) == (1, 1) for first in _firsts(sorted(entries))),
    )


def _fault(ledger: Ledger, event: AnyEvent, house: House) -> Fact | None:
    if not isinstance(event, Entry) or not belongs(event, ledger):
        return fact(
            "ledgers.entry_foreign",
            device=DeviceRef(event.device),
            kind=type(event).__name__,
            ledger=ledger,
        )
    if event.device not in house.ledgers.get(ledger, ()):
        return fact("ledgers.device_foreign", device=DeviceRef(event.device), ledger=ledger)
    return None


def _in_order(entries: Sequence[LedgerEvent]) -> list[LedgerEvent]:
    """Return entries by clock; each device's own stay in the order of their numbers."""
    timed = []
    latest: dict[str, int] = {}
    for entry in sorted(entries, key=id_of):
        latest[entry.device] = at = max(entry.at, latest.get(entry.device, 0))
        timed.append((at, id_of(entry), entry))
    return [entry for _, _, entry in sorted(timed, key=lambda each: each[:2])]


def _corrections(
    ordered: Sequence[LedgerEvent], by_id: Mapping[EventId, LedgerEvent], ledger: Ledger
) -> tuple[_Replacements, dict[Fact, EventId]]:
    """Return the entries that replace others, the latest correction first, and what is amiss."""
    replacements: _Replacements = {}
    amiss: dict[Fact, EventId] = {}
    for entry in reversed(ordered):
        # A correction may itself have been mistaken.
        holds = replacements.get(id_of(entry), entry)
        if not isinstance(holds, EntryCorrected):
            continue
        device, epoch, number = DeviceRef(holds.mistaken.device), holds.mistaken.epoch, holds.mistaken.seq
        if holds.mistaken not in by_id:
            absent = fact("ledgers.corrected_absent", device=device, epoch=epoch, number=number)
            amiss[absent] = id_of(entry)
        elif holds.instead is not None and not belongs(holds.instead, ledger):
            foreign = fact(
                "ledgers.corrected_foreign", device=device, epoch=epoch, number=number, ledger=ledger
            )
            amiss[foreign] = id_of(entry)
        else:
            replacements.setdefault(holds.mistaken, holds.instead)
    return replacements, amiss


def _effective_entries(
    ordered: Sequence[LedgerEvent], replacements: _Replacements, days: Mapping[EventId, date]
) -> Iterator[tuple[LedgerEvent, date]]:
    """Yield what stands of the entries, each in the place of the one that it corrects."""
    for entry in ordered:
        name = id_of(entry)
        stands = replacements.get(name, entry)
        if stands is not None and not isinstance(stands, EntryCorrected):
            if stands is not entry:
                stands = replace(stands, device=name.device, epoch=name.epoch, seq=name.seq)
            yield stands, days[name]


def _days(ledger: Ledger, ordered: Sequence[LedgerEvent], day_of: Callable[[int], date]) -> Iterator[date]:
    """Yield each entry's gaming day.

    The count room counts a day's boxes when the day is over: what it enters belongs to the day for which it
    is closed next, or, where it has not been closed again, to the one after the last.
    """
    if ledger != "count_room":
        for entry in ordered:
            yield entry.date if isinstance(entry, LedgerClosed) else day_of(entry.at)
        return
    closings = [entry.date for entry in ordered if isinstance(entry, LedgerClosed)]
    passed = 0
    for entry in ordered:
        if passed < len(closings):
            yield closings[passed]
        else:
            own = day_of(entry.at)
            yield min(own, closings[-1] + _DAY) if closings else own
        passed += isinstance(entry, LedgerClosed)


def _holes(events: Sequence[EventId], days: Mapping[EventId, date]) -> Iterator[EntryHole]:
    """Return the numbers missing between those that came; `events` are in order."""
    for before, after in pairwise(events):
        if before.device != after.device:
            continue
        first = before.seq + 1 if before.epoch == after.epoch else 1
        if first < after.seq:
            since, until = sorted((days[before], days[after]))
            yield EntryHole(after.device, after.epoch, first, after.seq - 1, since, until)


def _firsts(events: Sequence[EventId]) -> Iterator[EventId]:
    """Yield the first that came of each device; `events` are in order."""
    for at, name in enumerate(events):
        if at == 0 or events[at - 1].device != name.device:
            yield name


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Serial numbers of slips: which were seen in each series, which are missing, which were made out twice.
#
# What stands before the last digits is a slip's series. A series begins with the first number that was
# seen; a number behind the last one of a day is not missing yet.


class SerialRun(Struct, frozen=True):
    """Numbers of one series that follow each other, by the slips' own names."""

    first: str
    last: str

    @property
    def serials_fact(self) -> Fact:
        """The numbers as a fact names them."""
        one = self.first == self.last
        return fact("ledgers.run", first=SerialRef(self.first), last=None if one else SerialRef(self.last))

    def serials_text(self) -> str:
        """Return the serial number that a finding or a line has of it.

        >>> SerialRun("FS-7", "FS-7").serials_text(), SerialRun("FS-7", "FS-9").serials_text()
        ('FS-7', 'FS-7 to FS-9')
        """
        return self.first if self.first == self.last else f"{self.first} to {self.last}"


class Exceptional(Struct):
    """Numbers missing or made out twice, when that was found, and whether internal audit knew in time."""

    run: SerialRun
    found: date
    reported: bool = False


class Series(Struct):
    """A series of slips: the numbers from `first` to `last` were seen except for the `missing` ranges.

    `users` are the ledger and the tables that reported its slips.
    """

    width: int
    first: int
    last: int
    missing: list[tuple[int, int]] = []
    users: list[str] = []

    def was_seen(self, number: int) -> bool:
        """Return True if a number was seen before."""
        return self.first <= number <= self.last and not any(
            low <= number <= high for low, high in self.missing
        )


class Slips(Struct):
    """The slips of one day: those seen by whom, and those made out, in order."""

    seen: dict[str, list[str]] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)

    def see(self, slip: str, by: str) -> None:
        """Note that a slip was seen."""
        self.seen.setdefault(slip, []).append(by)

    def make(self, slip: str, by: str) -> None:
        """Note that a slip was made out."""
        self.see(slip, by)
        self.made.append(slip)


class SerialGap(Struct, frozen=True):
    """Numbers that no one saw, and the ledger and tables that use their series."""

    run: SerialRun
    users: tuple[str, ...]


def repeated(series: dict[str, Series], made: Sequence[str]) -> list[str]:
    """Return the slips that were made out under a number that was there before."""
    numbers: set[str] = set()
    twice: list[str] = []
    for slip in made:
        if slip in numbers or _was_seen(series, slip):
            twice.append(slip)
        numbers.add(slip)
    return list(dict.fromkeys(twice))


def unheard(series: dict[str, Series], slips: Slips, by: str) -> set[str]:
    """Return the slips that only one source reports, today, and that nobody reported before."""
    alone = [slip for slip, users in slips.seen.items() if set(users) == {by}]
    return {slip for slip in alone if not _was_seen(series, slip)}


def _was_seen(series: dict[str, Series], slip: str) -> bool:
    found = place(slip)
    return found is not None and found.series in series and series[found.series].was_seen(found.number)


def advance(series: dict[str, Series], slips: Slips) -> list[SerialGap]:
    """Add a day's slips to their series, which are changed in place; return the gaps that are new."""
    numbers: dict[str, set[int]] = {}
    for slip, users in slips.seen.items():
        found = place(slip)
        if found is None:
            continue
        numbers.setdefault(found.series, set()).add(found.number)
        series_so_far = series.setdefault(found.series, Series(found.width, found.number, found.number - 1))
        series_so_far.users += [each for each in dict.fromkeys(users) if each not in series_so_far.users]
    gaps = []
    for name, used in sorted(numbers.items()):
        series_so_far = series[name]
        if series_so_far.last < series_so_far.first:
            series_so_far.first, series_so_far.last = min(used), min(used) - 1
        series_so_far.missing = [
            part for low, high in series_so_far.missing for part in _without(low, high, used)
        ]
        new = list(
            _between(series_so_far.last, sorted(number for number in used if number > series_so_far.last))
        )
        series_so_far.last = max(series_so_far.last, *used)
        series_so_far.missing += new
        number_text = Place(name, series_so_far.last, series_so_far.width).numbered
        gaps += [
            SerialGap(SerialRun(number_text(low), number_text(high)), tuple(series_so_far.users))
            for low, high in new
        ]
    return gaps


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Join numbers that follow each other in order.

    >>> runs([3, 4, 5, 9])
    [(3, 5), (9, 9)]
    """
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _between(last: int, used: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the ranges between numbers, from the last one before them on.

    >>> list(_between(4, [5, 8, 9, 11]))
    [(6, 7), (10, 10)]
    """
    for number in used:
        if number > last + 1:
            yield last + 1, number - 1
        last = number


def _without(low: int, high: int, used: set[int]) -> Iterator[tuple[int, int]]:
    """Return what is left of a range without the numbers that were seen.

    >>> list(_without(3, 9, {2, 5, 9})), list(_without(3, 3, {3}))
    ([(3, 4), (6, 8)], [])
    """
    return _between(low - 1, [*sorted(number for number in used if low <= number <= high), high + 1])


def report(exceptions: Iterable[Exceptional], serials: Iterable[str]) -> None:
    """Note what was reported to internal audit: a run is reported by its ends."""
    serials_given = set(serials)
    for each in exceptions:
        each.reported = each.reported or {each.run.first, each.run.last} <= serials_given


def overdue(exceptions: Iterable[Exceptional], day: date, days: int) -> list[Exceptional]:
    """Return what should have been reported by the end of a day, so many after it was found, and was not."""
    return [each for each in exceptions if not each.reported and each.found + timedelta(days=days) <= day]
