"""Query of an investigator: times, tables, rounds and people, as typed, and which entries answer it."""

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct

from projections.views.timeline_entry import Concluding, Entry, Happening, Moment, TableAtMoment
from schemas.errors import BadInput
from schemas.house import House
from schemas.values import microseconds

# ── What an investigator asks for, and which entries answer it. Every filter has to be met ────────────
# A round is asked by its own place, time, people and verdict; by seat and patron if they wagered in it; by
# check, severity and cents if one of its findings is so. A finding goes with its round, and is asked by its
# own check, severity, cents and seat. An event goes with the round that it names; what happens between
# rounds is asked by who and what stands at the table then, and is of no verdict, check or severity. What
# was done at the console is asked by who did it and to what.

_Name = TypeVar("_Name", str, int, date)


class NameFilters(Struct, frozen=True, kw_only=True):
    """Filters that are used as they are typed; one that is empty or None lets everything through."""

    tables: tuple[str, ...] = ()
    pits: tuple[str, ...] = ()
    dealers: tuple[str, ...] = ()
    supervisors: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    patrons: tuple[str, ...] = ()
    shoes: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    least_cents: int | None = None


class Filters(NameFilters, frozen=True, kw_only=True):
    """Query for entries, also by times and games.

    `since` is included and `until` is not, microseconds UTC.
    """

    days: frozenset[date] = frozenset()
    since: int | None = None
    until: int | None = None
    chapters: frozenset[str] = frozenset()

    @property
    def of_findings(self) -> bool:
        """Return True if findings are asked for by what they are."""
        return bool(self.checks or self.severities or self.least_cents is not None)

    def entries_for(self, status: TableAtMoment, moment: Moment) -> list[Entry]:
        """Return the entries of a moment that pass; `status` is that of its table, and is updated."""
        if isinstance(moment, Happening):
            return self._happened(status, moment)
        return self._concluded(status, moment)

    def _concluded(self, status: TableAtMoment, moment: Concluding) -> list[Entry]:
        about = moment.about
        is_round = about.round is not None
        right = self._people(about) and _in(self.verdicts, about.verdict)
        findings = [status.with_patron(each) for each in moment.findings]
        found = [each for each in findings if right and self._finding(each)]
        right = right and (bool(found) or not self.of_findings)
        if is_round:
            status.open(about, is_listed=right)
        if not self._place(about) or not right:
            return []
        if is_round and self.seats and set(moment.seats).isdisjoint(self.seats):
            return []
        if is_round and self.patrons:
            sits = status.sits(about.at, about.round or "")
            if {*moment.bettors, *(sits.get(seat) for seat in moment.seats)}.isdisjoint(self.patrons):
                return []
        entries = [each for each in found if self._seated(each, also_of_none=is_round)]
        if not is_round or (self.of_findings and not entries):
            return entries
        return [about, *entries]

    def _happened(self, status: TableAtMoment, moment: Happening) -> list[Entry]:
        entry = status.hear(moment)
        if not self._place(entry) or not self._seated(entry, also_of_none=False):
            return []
        its_round = status.rounds.get((entry.gaming_date, entry.round)) if entry.round is not None else None
        if its_round is not None:
            return [entry] if its_round else []
        costs = self.least_cents is None or abs(entry.cents or 0) >= self.least_cents
        unasked = not (self.checks or self.severities or self.verdicts)
        return [entry] if unasked and costs and self._people(entry) else []

    def _place(self, entry: Entry) -> bool:
        """Return True if its place and time pass the filters."""
        return (
            _in(self.days, entry.gaming_date)
            and (self.since is None or entry.at >= self.since)
            and (self.until is None or entry.at < self.until)
            and _in(self.tables, entry.table)
            and _in(self.pits, entry.pit)
            and _in(self.chapters, entry.chapter)
        )

    def _people(self, entry: Entry) -> bool:
        """Return True if its dealer, floorperson, shoe and round pass the filters."""
        return (
            _in(self.dealers, entry.dealer)
            and _in(self.supervisors, entry.floorperson)
            and _in(self.shoes, entry.shoe)
            and _in(self.rounds, entry.round)
            and _in(self.operators, entry.operator)
            and _in(self.subjects, entry.subject)
        )

    def _finding(self, entry: Entry) -> bool:
        return (
            _in(self.checks, entry.check)
            and _in(self.severities, entry.severity)
            and (self.least_cents is None or abs(entry.comes_to_cents or 0) >= self.least_cents)
        )

    def _seated(self, entry: Entry, *, also_of_none: bool) -> bool:
        """Return True if its seat passes; a finding of a round that names no seat concerns all."""
        if also_of_none and entry.seat is None and entry.patron is None:
            return True
        of_patron = not self.patrons or entry.patron in self.patrons or entry.bettor in self.patrons
        return _in(self.seats, entry.seat) and of_patron


def _in(wanted: Collection[_Name], name: _Name | None) -> bool:
    return not wanted or name in wanted


# ── The times of a query: with their day, or as times of a gaming day given separately ──────────────────

MINUTES: Final = 5  # to either side of a moment, by default
_MINUTE: Final = 60_000_000


def span(
    house: House,
    days: tuple[date, ...],
    since: str | None,
    until: str | None,
    around: str | None,
    minutes: int | None,
) -> tuple[int | None, int | None]:
    """Return the queried times as microseconds UTC, the first included, the second not; None is no end.

    Raises:
        BadInput: a time is invalid, nothing is between them, or minutes have no time to be around.
    """
    if around is None and minutes is not None:
        raise BadInput("--minutes goes with --around TIME; a span of time is --from TIME --to TIME")
    # Where clocks are put back an hour occurs twice: from its first occurrence, up to its second.
    first = _moment("--from", since, house, days, fold=0)
    last = _moment("--to", until, house, days, fold=1, ends=True)
    if first is not None and last is not None and last <= first:
        raise BadInput(f"--to {until!r} is not after --from {since!r}; --to is where it ends")
    begins, ends = (_moment("--around", around, house, days, fold=fold) for fold in (0, 1))
    if begins is None or ends is None:
        return first, last
    minutes_each_way = (MINUTES if minutes is None else minutes) * _MINUTE
    first = max(first or 0, begins - minutes_each_way)
    last = ends + minutes_each_way + 1 if last is None else min(last, ends + minutes_each_way + 1)
    if last <= first:
        raise BadInput(f"nothing of --around {around!r} lies between --from and --to")
    return first, last


def _moment(
    option: str, text: str | None, house: House, days: tuple[date, ...], *, fold: int, ends: bool = False
) -> int | None:
    """Read a moment, in the property's zone unless it has an offset, as microseconds UTC.

    >>> own = House(house="doctest")
    >>> _moment("--from", "2025-03-01T16:14", own, (), fold=0)
    1740863640000000
    >>> _moment("--from", "2025-03-01T16:14Z", own, (), fold=0)
    1740845640000000
    >>> _moment("--from", "16:14", own, (date(2025, 3, 1),), fold=0)
    1740863640000000

    Raises:
        BadInput: it is none.
    """
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
        zoned = read if read.tzinfo is not None else read.replace(tzinfo=ZoneInfo(house.zone), fold=fold)
        return max(microseconds(zoned), 0)
    except (ValueError, OverflowError):
        bare = _bare(text)
    if bare is not None and len(days) == 1:
        return _of_day(bare.replace(fold=fold), days[0], house, ends=ends)
    raise BadInput(
        f"{option} {text!r} is no time; write 2025-03-01T21:14, -05:00 or Z after it, or 21:14 beside one "
        "--gaming-day 2025-03-01"
    )


def _bare(text: str) -> time | None:
    try:
        return time.fromisoformat(text)
    except ValueError:
        return None


def _of_day(bare: time, day: date, house: House, *, ends: bool) -> int:
    """Find the time of a gaming day, which may be after midnight; one that `ends` a span may be its last.

    >>> from schemas.values import moment
    >>> own = House(house="doctest")  # its gaming day begins at six
    >>> [moment(_of_day(time(hour), date(2025, 3, 1), own, ends=ends)).day
    ...     for hour, ends in ((7, False), (5, False), (6, False), (6, True))]
    [1, 2, 1, 2]
    """
    begins, over = house.bounds(day)
    zone = bare.tzinfo or ZoneInfo(house.zone)
    for each in (day - timedelta(days=1), day, day + timedelta(days=1)):
        at = microseconds(datetime.combine(each, bare, zone))
        if begins < at <= over if ends else begins <= at < over:
            return at
    return over if ends else begins  # an hour that clocks leave out just there
