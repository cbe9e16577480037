"""Expected contents of marketing's form and finance's reconciliations: figures and periods."""

import calendar
from collections.abc import Iterable, Iterator, Mapping
from datetime import MAXYEAR, date, timedelta
from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from projections.programmes.coupons.ledger import CouponLedger, PendingCoupons
from schemas.coupon_log import Reconciled
from schemas.serials import between

# ── What marketing's form and finance's reconciliation should show by the ledger ────────────────────────
# A day begins and ends somewhere, and documents are filled in before or after that. If two ways of counting
# comply with the text, either is accepted.

Serials = frozenset[str]

FIGURES: Final = ("given", "returned", "voided", "distributed", "redeemed")


class AtHand(Struct, dict=True):
    """Coupons that marketing had on a gaming day, and where they went.

    `new` came from finance, `carried` were kept from the day before. `unkept` are still there although nobody
    kept them, `later` are for a later day.
    """

    new: Serials
    carried: Serials
    unkept: Serials
    later: Serials
    distributed: Serials
    distributed_today: Serials
    voided: Serials
    returned: Serials

    @cached_property
    def available(self) -> Serials:
        """Return all that marketing had to distribute."""
        return self.new | self.carried

    @cached_property
    def to_distribute(self) -> list[Serials]:
        """Return the ways to count what there was to distribute."""
        additions: tuple[Serials, ...] = (frozenset(), self.later, self.unkept, self.later | self.unkept)
        return [self.available | more for more in additions]

    @cached_property
    def received(self) -> list[Serials]:
        """Return the ways to count what came from finance: kept coupons may be included or separate."""
        return [self.new, self.new | self.later, *self.to_distribute]

    @cached_property
    def given_out(self) -> list[Serials]:
        """Return the ways to count what patrons were given."""
        return [self.distributed, self.distributed & self.available, self.distributed_today]

    @cached_property
    def remaining(self) -> list[Serials]:
        """Return the ways to count what remained: before or after it was returned."""
        gone = self.distributed | self.voided
        return [each - gone for each in self.to_distribute] + [
            each - gone - self.returned for each in self.to_distribute
        ]


def at_hand(ledger: CouponLedger, day: date, *, stale: bool = True, presumed: bool = True) -> AtHand:
    """Return what marketing had on a gaming day, by the time that it fills in its form.

    With `stale` what left it earlier and stands on no form yet is this day's; with `presumed` coupons were
    handed out that were played without.
    """
    left = {
        serial: each
        for serial, each in ledger.left.items()
        if (each.day == day or (stale and each.day < day)) and (presumed or not each.presumed)
    }
    sorts: dict[str, set[str]] = {"new": set(), "carried": set(), "unkept": set(), "later": set()}
    for serial in (*(serial for serial, _ in ledger.coupons_at("marketing")), *left):
        sort = _sort(ledger, serial, day, stale=stale)
        if sort is not None:
            sorts[sort].add(serial)
    gone = {
        how: frozenset(serial for serial, each in left.items() if each.how == how)
        for how in ("distributed", "voided", "returned")
    }
    gone["voided"] |= {serial for serial, on in ledger.voids.items() if on == day or (stale and on < day)}
    return AtHand(
        **{sort: frozenset(serials) for sort, serials in sorts.items()},
        **gone,
        distributed_today=frozenset(
            serial for serial, each in left.items() if (each.how, each.day) == ("distributed", day)
        ),
    )


def ways_at_hand(ledger: CouponLedger, day: date) -> list[AtHand]:
    """Return what marketing had, in each way in which it may be counted."""
    return [
        at_hand(ledger, day, stale=stale, presumed=presumed)
        for presumed in (True, False)
        for stale in (True, False)
    ]


def _sort(ledger: CouponLedger, serial: str, day: date, *, stale: bool) -> str | None:
    """Return how a coupon came to be in marketing's hands; None if it was never issued."""
    coupon = ledger.coupons[serial]
    if coupon.needed_for is None:
        return None
    if coupon.on_form is None and (stale or coupon.needed_for >= day):
        return "later" if coupon.needed_for > day and serial not in ledger.left else "new"
    since = coupon.on_form or coupon.needed_for
    return "carried" if coupon.kept_on is not None and coupon.kept_on >= since else "unkept"


def pending(ledger: CouponLedger, until: date | None = None) -> PendingCoupons:
    """Add up what awaits reconciliation, up to a gaming day or all of it."""
    added = PendingCoupons()
    for day, tally in ledger.tallies.items():
        if until is None or day <= until:
            for name in PendingCoupons.__struct_fields__:
                setattr(added, name, getattr(added, name) + getattr(tally, name))
    return added


def counts(ledger: CouponLedger, day: date) -> dict[str, set[int]]:
    """Return the numbers that a reconciliation for a day may show, by figure."""
    admitted: dict[str, set[int]] = {figure: set() for figure in FIGURES}
    for sums in (pending(ledger, day), pending(ledger)):
        admitted["given"] |= {sums.given}
        # What expired goes back, but not for reissuance; what is void comes back with it, but is void.
        back = {sums.returned, sums.returned - sums.returned_expired}
        admitted["returned"] |= back | {each + sums.returned_void for each in back}
        # What never left finance, or was back, may be included or not.
        admitted["voided"] |= {sums.voided, sums.voided_issued}
        # What a provider mailed is held for reconciliation too, 603a.20(q)(4).
        out = {sums.distributed, sums.distributed + sums.presumed_distributed}
        admitted["distributed"] |= {each + mailed for each in out for mailed in (0, sums.mailed)}
        admitted["redeemed"] |= {sums.redeemed, sums.redeemed - sums.redeemed_improperly}
    # With what was kept from the day before.
    at_hand = ledger.reported_forms.get(day) or [len(way.available) for way in ways_at_hand(ledger, day)]
    admitted["given"].update(at_hand)
    return admitted


def early(event: Reconciled, ledger: CouponLedger, day: date) -> list[str]:
    """Return the figures in which a reconciliation takes in what came after its gaming day."""
    by_day, everything = pending(ledger, day), pending(ledger)
    return [
        figure
        for figure in FIGURES
        if getattr(event, figure) == getattr(everything, figure) != getattr(by_day, figure)
    ]


# ── Figures on a form as people write them: a number, cents of one to how many, or serial numbers ─────

_QUANTITY: Final = ("quantity", "count", "number")
_NOTHING: Final = frozenset({"", "-", "0", "no", "nil", "none", "n/a"})
_WHY: Final = ("explanation", "explained", "reason", "why")


class Figure(Struct, frozen=True):
    """Figure on a form: how many, which, or how many of each cents; None if it is not given."""

    count: int | None = None
    serials: frozenset[str] | None = None
    by_cents: Mapping[int, int] | None = None

    def agrees(self, serials: frozenset[str], by_cents: Mapping[int, int] | None) -> bool:
        """Return True if it is these coupons, as far as it is given and their cents are known."""
        return (
            self.count in (None, len(serials))
            and self.serials in (None, serials)
            and (by_cents is None or self.by_cents in (None, by_cents))
        )


def read(value: Any) -> list[Figure]:
    """Parse a figure in each way in which it can be meant; an empty one agrees with everything.

    >>> read(3), read({"1000": 2, "500": 1})[0].count, read([]) == read("none")
    ([Figure(count=3, serials=None, by_cents=None)], 3, True)
    >>> [each.count for each in read(["1001", "1050"])]
    [2, 50]
    """
    if isinstance(value, bool):
        return [Figure()]
    if value is None:
        return [_listed(())]
    if isinstance(value, int):
        return [Figure(value)]
    if isinstance(value, str):
        return [_of_words(value)]
    if isinstance(value, dict):
        return [_of_object(value)]
    return _of_list(value) if isinstance(value, list) else [Figure()]


def _of_words(text: str) -> Figure:
    words = text.strip()
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


def _of_object(fields: Mapping[str, Any]) -> Figure:
    if fields and all(key.isdecimal() for key in fields):
        each = {int(key): read(value)[0].count for key, value in fields.items()}
        if None in each.values():
            return Figure()
        numbers = {cents: count for cents, count in each.items() if count}
        return Figure(sum(numbers.values()), None, numbers)
    serials = _serials(fields)
    stated = next((fields[key] for key in _QUANTITY if isinstance(fields.get(key), int)), None)
    count = stated if stated is not None else None if serials is None else len(serials)
    cents = fields.get("denomination_cents")
    by_cents = {cents: count} if isinstance(cents, int) and count else None
    return Figure(count, serials, by_cents)


def _serials(value: Mapping[str, Any]) -> frozenset[str] | None:
    if isinstance(value.get("serials"), list):
        return read(value["serials"])[0].serials
    if "serial" in value:
        return frozenset({str(value["serial"])})
    if None not in (value.get("first"), value.get("last")):
        try:
            return frozenset(between(str(value["first"]), str(value["last"])))
        except ValueError:
            return None
    return None


def _of_list(values: list[Any]) -> list[Figure]:
    if all(isinstance(each, str | int) for each in values):
        names = [str(each) for each in values]
        ways = [_listed(names)]
        if len(names) == 2:  # noqa: PLR2004  two serial numbers may be the ends of a range
            try:
                ways.append(_listed(between(*names)))
            except ValueError:
                return ways
        return ways
    parts = [read(each)[0] for each in values]
    if any(part.count is None for part in parts):
        return [Figure()]
    serials = [part.serials for part in parts]
    all_serials = frozenset[str]().union(*(each for each in serials if each is not None))
    return [Figure(sum(part.count or 0 for part in parts), None if None in serials else all_serials)]


def _listed(names: Iterable[str]) -> Figure:
    serials = frozenset(names)
    return Figure(len(serials), serials)


def is_nothing(value: Any) -> bool:
    """Return True if an entry is a form of none.

    >>> [is_nothing(each) for each in ([], {}, 0, False, "none", "one short", [{"serial": "7"}])]
    [True, True, True, True, True, False, False]
    """
    return not value or (isinstance(value, str) and value.strip().lower() in _NOTHING)


def is_explained(value: Any) -> bool:
    """Return True if every entry comes with its reason: words are one.

    >>> is_explained("7 torn"), is_explained([{"serial": "7", "reason": "torn"}]), is_explained(1)
    (True, True, False)
    """
    if isinstance(value, list):
        return all(is_explained(each) for each in value)
    if isinstance(value, dict):
        return any(bool(value.get(key)) for key in _WHY)
    return isinstance(value, str)


# ── Months and quarters of the calendar, in which coupons are retained, counted and reported ────────────


def months_after(day: date, months: int) -> date:
    """Return the same day of a later month, or that month's last; at the calendar's end its last day.

    >>> months_after(date(2013, 8, 31), 6), months_after(date(2013, 10, 2), 6)
    (datetime.date(2014, 2, 28), datetime.date(2014, 4, 2))
    """
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    if year > MAXYEAR:
        return date.max
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def month_ends(first: date, last: date) -> Iterator[date]:
    """Yield the last days of the months that were over between two days.

    >>> [str(day) for day in month_ends(date(2013, 10, 30), date(2013, 12, 1))]
    ['2013-10-31', '2013-11-30']
    """
    begins = first.replace(day=1)
    while (begins := months_after(begins, 1)) <= last:
        yield begins - timedelta(days=1)


def quarter_of(day: date) -> str:
    """Return a day's quarter.

    >>> quarter_of(date(2013, 10, 1)), quarter_of(date(2014, 3, 31))
    ('2013Q4', '2014Q1')
    """
    return f"{day.year}Q{(day.month + 2) // 3}"


def quarter_ends(quarter: str) -> date:
    """Return the first day that is no longer in a quarter.

    >>> quarter_ends("2013Q4")
    datetime.date(2014, 1, 1)
    """
    year, _, number = quarter.partition("Q")
    return months_after(date(int(year), 1, 1), 3 * int(number))
