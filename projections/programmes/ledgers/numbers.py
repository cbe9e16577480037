"""Serial numbers of slips: which were seen in each series, which are missing, which were made out twice.

What stands before the last digits is a slip's series. A series begins with the first number that was seen; a
number behind the last one of a day is not missing yet.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from msgspec import Struct, field

from projections.engine.facts import Fact, SerialRef, fact
from schemas.serials import Place, place


class Run(Struct, frozen=True):
    """Numbers of one series that follow each other, by the slips' own names."""

    first: str
    last: str

    @property
    def named(self) -> Fact:
        """The numbers as a fact names them."""
        one = self.first == self.last
        return fact("ledgers.run", first=SerialRef(self.first), last=None if one else SerialRef(self.last))

    def told(self) -> str:
        """Return the serial number that a finding or a line has of it.

        >>> Run("FS-7", "FS-7").told(), Run("FS-7", "FS-9").told()
        ('FS-7', 'FS-7 to FS-9')
        """
        return self.first if self.first == self.last else f"{self.first} to {self.last}"


class Exceptional(Struct):
    """Numbers missing or made out twice, when that was found, and whether internal audit was told in time."""

    run: Run
    found: date
    reported: bool = False


class Series(Struct):
    """A series of slips: the numbers from `first` to `last` were seen but for the `missing` ranges.

    `users` are the ledger and the tables that its slips were told by.
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


class Gap(Struct, frozen=True):
    """Numbers that no one saw, and the ledger and tables that use their series."""

    run: Run
    users: tuple[str, ...]


def repeated(series: dict[str, Series], made: Sequence[str]) -> list[str]:
    """Return the slips that were made out under a number that was there before."""
    known: set[str] = set()
    twice: list[str] = []
    for slip in made:
        if slip in known or _was_seen(series, slip):
            twice.append(slip)
        known.add(slip)
    return list(dict.fromkeys(twice))


def unheard(series: dict[str, Series], slips: Slips, by: str) -> set[str]:
    """Return the slips that one alone tells of, today, and nobody before."""
    alone = [slip for slip, users in slips.seen.items() if set(users) == {by}]
    return {slip for slip in alone if not _was_seen(series, slip)}


def _was_seen(series: dict[str, Series], slip: str) -> bool:
    found = place(slip)
    return found is not None and found.series in series and series[found.series].was_seen(found.number)


def advance(series: dict[str, Series], slips: Slips) -> list[Gap]:
    """Take a day's slips into their series, which are changed in place; give the gaps that are new."""
    numbers: dict[str, set[int]] = {}
    for slip, users in slips.seen.items():
        found = place(slip)
        if found is None:
            continue
        numbers.setdefault(found.series, set()).add(found.number)
        known = series.setdefault(found.series, Series(found.width, found.number, found.number - 1))
        known.users += [each for each in dict.fromkeys(users) if each not in known.users]
    gaps = []
    for name, seen in sorted(numbers.items()):
        known = series[name]
        if known.last < known.first:
            known.first, known.last = min(seen), min(seen) - 1
        known.missing = [part for low, high in known.missing for part in _without(low, high, seen)]
        new = list(_between(known.last, sorted(number for number in seen if number > known.last)))
        known.last = max(known.last, *seen)
        known.missing += new
        named = Place(name, known.last, known.width).named
        gaps += [Gap(Run(named(low), named(high)), tuple(known.users)) for low, high in new]
    return gaps


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Put numbers in order together where they follow each other.

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


def _between(last: int, seen: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the ranges between numbers, from the last one before them on.

    >>> list(_between(4, [5, 8, 9, 11]))
    [(6, 7), (10, 10)]
    """
    for number in seen:
        if number > last + 1:
            yield last + 1, number - 1
        last = number


def _without(low: int, high: int, seen: set[int]) -> Iterator[tuple[int, int]]:
    """Return what is left of a range without the numbers that were seen.

    >>> list(_without(3, 9, {2, 5, 9})), list(_without(3, 3, {3}))
    ([(3, 4), (6, 8)], [])
    """
    return _between(low - 1, [*sorted(number for number in seen if low <= number <= high), high + 1])


def report(exceptions: Iterable[Exceptional], serials: Iterable[str]) -> None:
    """Note what internal audit was told of: a run is told by its ends."""
    named = set(serials)
    for each in exceptions:
        each.reported = each.reported or {each.run.first, each.run.last} <= named


def overdue(exceptions: Iterable[Exceptional], day: date, days: int) -> list[Exceptional]:
    """Return what should have been reported by the end of a day, so many after it was found, and was not."""
    return [each for each in exceptions if not each.reported and each.found + timedelta(days=days) <= day]
