"""What the account of a table inventory is made of: counts, what they show, chips with a slip, drop boxes."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from projections.engine.facts import Fact
from schemas.events import InventoryListed, Occasion
from schemas.values import Denominations, Person, total

Counter: TypeAlias = Literal["tray", "people"]
_DAY: Final = timedelta(days=1)


class Step(Struct, frozen=True):
    """A change that no reason accounts for: found by the count `at`, after the one `after` that still agreed.

    `within` names the round during which it came about, where it did, and `misread` says that what was
    reported of its settlement is not what was owed. `by` is who proved it, `gaps` what was not reported
    between the two counts.
    """

    after: str
    at: str
    expected: int
    counted: int
    by: Counter
    within: str | None = None
    misread: bool = False
    gaps: tuple[Fact, ...] = ()


class Suspect(Struct, frozen=True):
    """A count that differs by `off` and that no second one has confirmed yet."""

    after: str
    at: str
    expected: int
    counted: int
    within: str | None = None
    misread: bool = False

    @property
    def off(self) -> int:
        """How much more was counted than expected, in cents."""
        return self.counted - self.expected

    def confirmed(self, by: Counter, gaps: Iterable[Fact]) -> Step:
        """Return the change that it shows, now that it stands."""
        return Step(
            after=self.after,
            at=self.at,
            expected=self.expected,
            counted=self.counted,
            by=by,
            within=self.within,
            misread=self.misread,
            gaps=tuple(gaps),
        )


class Chips(Struct, frozen=True):
    """Chips that came with a slip or left with one, as counted at the table; `at` in microseconds UTC."""

    slip: str
    at: int
    cents: int
    denominations: Denominations | None
    counted_by: Person | None
    witnessed_by: Person | None


class Listing(Struct, frozen=True):
    """One count of the inventory by people onto a slip, `at` a moment in microseconds UTC.

    `read` is what tray reader and account both said, absent where they did not or there was no reader;
    `previous` is the slip that closed the table or its box last, with its figures.
    """

    slip: str
    at: int
    occasion: Occasion
    denominations: Denominations
    read: int | None
    previous: tuple[str, Denominations] | None
    counted_by: Person | None
    witnessed_by: Person | None
    signatures: tuple[Person, ...]

    @property
    def cents(self) -> int:
        """The chips that were listed, in cents."""
        return total(self.denominations)


def listing_of(
    event: InventoryListed, read: int | None, previous: tuple[str, Denominations] | None
) -> Listing:
    """Take a count as it was reported, with what was known beside it."""
    return Listing(
        event.slip,
        event.at,
        event.occasion,
        event.denominations,
        read,
        previous,
        event.counted_by,
        event.witnessed_by,
        event.signatures,
    )


def closed_days(last: date | None, until: date, *, seen: bool) -> tuple[date, date] | None:
    """Return the first and last day before a day of which there is nothing.

    They begin after the `last` one that there is, or with it where nothing was `seen` on it.

    >>> day = [date(2025, 3, number) for number in range(1, 5)]
    >>> closed_days(day[0], day[3], seen=True) == (day[1], day[2])
    True
    >>> closed_days(day[2], day[3], seen=False) == (day[2], day[2]), closed_days(day[2], day[3], seen=True)
    (True, None)
    """
    if last is None:
        return None
    first, before = last + _DAY if seen else last, until - _DAY
    return (first, before) if first <= before else None


class Box(Struct):
    """What went into one drop box while it was on the table.

    Counter Checks stand with their sums, and they as `coupons` with the moment (microseconds UTC) at which
    each came. `listed` are the slips that were made out meanwhile; `off` is when the box came off, and `open`
    says that play was to go on then. `late` are the slips that ought to have gone in before play, and had not
    when it went on.
    """

    name: str | None
    cash: int = 0
    checks: dict[str, tuple[int, int]] = field(default_factory=dict)
    coupons: list[tuple[str, int]] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    off: int | None = None
    open: bool = False
    late: list[str] = field(default_factory=list)

    @property
    def removed(self) -> bool:
        """Whether it came off the table."""
        return self.off is not None

    def miss(self, before: Iterable["Box"], listings: Iterable[Listing]) -> None:
        """Note what is not in it as play goes on: an opening's slip, the duplicate of the drop `before`."""
        listed: set[tuple[Occasion, str]] = {("opening", slip) for slip in self.listed}
        listed |= {("drop", slip) for box in before if box.open for slip in box.listed}
        due = (each.slip for each in listings if (each.occasion, each.slip) in listed)
        self.late += [slip for slip in due if slip not in (*self.slips, *self.late)]

    def copied(self) -> "Box":
        """Copy it for a fold that may have to be done again."""
        return Box(
            self.name,
            self.cash,
            dict(self.checks),
            list(self.coupons),
            list(self.slips),
            list(self.listed),
            self.off,
            self.open,
            list(self.late),
        )
