"""Serial numbers that are printed in sequence: a prefix and the digits that count."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

MOST: Final = 1_000_000  # coupons in one range; a longer one is a slip of the pen, and would fill the memory
MOST_LISTED: Final = 4  # runs of serial numbers that are listed one by one

_NUMBER: Final = re.compile(r"(.*?)(\d+)", re.ASCII | re.DOTALL)


class Place(Struct, frozen=True):
    """Place of a serial number: its series, its number there, and with how many digits that is printed."""

    series: str
    number: int
    width: int

    def numbered(self, number: int) -> str:
        """Print another number of the series as this one is.

        >>> Place("FS-", 12, 4).numbered(7)
        'FS-0007'
        """
        return f"{self.series}{number:0{self.width}d}"


def place(serial: str) -> Place | None:
    """Read a serial number; None if it has no digits at its end.

    >>> place("FS-0012"), place("void")
    (Place(series='FS-', number=12, width=4), None)
    """
    found = _NUMBER.fullmatch(serial)
    return Place(found[1], int(found[2]), len(found[2])) if found is not None else None


def between(first: str, last: str) -> Sequence[str]:
    """Return every serial number of a range, both ends among them.

    >>> list(between("MP-0098", "MP-0101")), list(between("7", "7"))
    (['MP-0098', 'MP-0099', 'MP-0100', 'MP-0101'], ['7'])

    Raises:
        ValueError: the two are not of one series, the last comes before the first, or they lie too far apart.
    """
    if first == last:
        return (first,)
    start, ended = place(first), place(last)
    if start is None or ended is None or start.series != ended.series:
        raise ValueError(f"first {first!r} and last {last!r} are not of one series")
    low, high = start.number, ended.number
    if high < low:
        raise ValueError(f"first {first!r} comes after last {last!r}")
    if high - low >= MOST:
        raise ValueError(f"{first!r} to {last!r} are more than {MOST} coupons")
    return tuple(start.numbered(number) for number in range(low, high + 1))


def serial_ranges(serials: Iterable[str]) -> str:
    """Return serial numbers as people write them, runs of them by their ends.

    >>> serial_ranges(["1001", "1002", "1003", "1007"]), serial_ranges(["A9"])
    ('1001-1003, 1007', 'A9')
    """
    ranges = [first if first == last else f"{first}-{last}" for first, last in runs(serials)]
    more = f" and {len(ranges) - MOST_LISTED} more" if len(ranges) > MOST_LISTED else ""
    return ", ".join(ranges[:MOST_LISTED]) + more


def runs(serials: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the first and the last of each run of serial numbers.

    >>> list(runs(["1001", "1002", "1003", "1007"]))
    [('1001', '1003'), ('1007', '1007')]
    """
    first = last = None
    for serial in sorted(set(serials), key=_sorted):
        if first is None or last is None:
            first = last = serial
        elif _follows(last, serial):
            last = serial
        else:
            yield first, last
            first = last = serial
    if first is not None and last is not None:
        yield first, last


def _sorted(serial: str) -> tuple[str, int, str]:
    found = place(serial)
    return (found.series, found.number, serial) if found is not None else (serial, -1, serial)


def _follows(before: str, after: str) -> bool:
    (series, number, _), (other, following, _) = _sorted(before), _sorted(after)
    return series == other and number >= 0 and following == number + 1
