"""Figures on a form as people write them: a number, cents of one to how many, or serial numbers."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from schemas.serials import between

_QUANTITY: Final = ("quantity", "count", "number")
_NOTHING: Final = frozenset({"", "-", "0", "no", "nil", "none", "n/a"})
_WHY: Final = ("explanation", "explained", "reason", "why")


class Figure(Struct, frozen=True):
    """What a form says: how many, which, or how many of each cents; None where it does not say."""

    count: int | None = None
    serials: frozenset[str] | None = None
    by_cents: Mapping[int, int] | None = None

    def agrees(self, serials: frozenset[str], by_cents: Mapping[int, int] | None) -> bool:
        """Return True if it says these coupons, as far as it says anything and their cents are known."""
        return (
            self.count in (None, len(serials))
            and self.serials in (None, serials)
            and (by_cents is None or self.by_cents in (None, by_cents))
        )


def read(told: Any) -> list[Figure]:
    """Read a figure in each way in which it can be meant; one that says nothing agrees with everything.

    >>> read(3), read({"1000": 2, "500": 1})[0].count, read([]) == read("none")
    ([Figure(count=3, serials=None, by_cents=None)], 3, True)
    >>> [each.count for each in read(["1001", "1050"])]
    [2, 50]
    """
    if isinstance(told, bool):
        return [Figure()]
    if told is None:
        return [_listed(())]
    if isinstance(told, int):
        return [Figure(told)]
    if isinstance(told, str):
        return [_of_words(told)]
    if isinstance(told, dict):
        return [_of_object(told)]
    return _of_list(told) if isinstance(told, list) else [Figure()]


def _of_words(told: str) -> Figure:
    words = told.strip()
    if words.lower() in _NOTHING:
        return _listed(())
    for mark in (" to ", "..", "-"):
        first, found, last = words.partition(mark)
        if found and not words.count(mark) > 1:
            try:
                return _listed(between(first.strip(), last.strip()))
            except ValueError:
                return Figure()
    return Figure()


def _of_object(told: Mapping[str, Any]) -> Figure:
    if told and all(key.isdecimal() for key in told):
        each = {int(key): read(value)[0].count for key, value in told.items()}
        if None in each.values():
            return Figure()
        numbers = {cents: count for cents, count in each.items() if count}
        return Figure(sum(numbers.values()), None, numbers)
    serials = _serials(told)
    stated = next((told[key] for key in _QUANTITY if isinstance(told.get(key), int)), None)
    count = stated if stated is not None else None if serials is None else len(serials)
    cents = told.get("denomination_cents")
    by_cents = {cents: count} if isinstance(cents, int) and count else None
    return Figure(count, serials, by_cents)


def _serials(told: Mapping[str, Any]) -> frozenset[str] | None:
    if isinstance(told.get("serials"), list):
        return read(told["serials"])[0].serials
    if "serial" in told:
        return frozenset({str(told["serial"])})
    if None not in (told.get("first"), told.get("last")):
        try:
            return frozenset(between(str(told["first"]), str(told["last"])))
        except ValueError:
            return None
    return None


def _of_list(told: list[Any]) -> list[Figure]:
    if all(isinstance(each, str | int) for each in told):
        names = [str(each) for each in told]
        ways = [_listed(names)]
        if len(names) == 2:  # noqa: PLR2004  two serial numbers may be the ends of a range
            try:
                ways.append(_listed(between(*names)))
            except ValueError:
                return ways
        return ways
    parts = [read(each)[0] for each in told]
    if any(part.count is None for part in parts):
        return [Figure()]
    serials = [part.serials for part in parts]
    whole = frozenset[str]().union(*(each for each in serials if each is not None))
    return [Figure(sum(part.count or 0 for part in parts), None if None in serials else whole)]


def _listed(names: Iterable[str]) -> Figure:
    serials = frozenset(names)
    return Figure(len(serials), serials)


def is_nothing(told: Any) -> bool:
    """Return True if an entry says that there was nothing.

    >>> [is_nothing(each) for each in ([], {}, 0, False, "none", "one short", [{"serial": "7"}])]
    [True, True, True, True, True, False, False]
    """
    return not told or (isinstance(told, str) and told.strip().lower() in _NOTHING)


def is_explained(told: Any) -> bool:
    """Return True if every entry comes with its reason: words are one.

    >>> is_explained("7 torn"), is_explained([{"serial": "7", "reason": "torn"}]), is_explained(1)
    (True, True, False)
    """
    if isinstance(told, list):
        return all(is_explained(each) for each in told)
    if isinstance(told, dict):
        return any(bool(told.get(key)) for key in _WHY)
    return isinstance(told, str)
