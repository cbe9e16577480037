"""A table inventory and its drop box through a gaming day, by the events' account and by every count.

Each change of the chips in the tray has its lawful reason, 465a.36(b)(1)-(6); what the counts show beyond
that is a `Step`. A count that the next one takes back was a misreading and no step.
"""

from datetime import date
from typing import Literal, TypeAlias

from msgspec import Struct, field

from schemas.events import CreditSent, DropBoxChanged, FillReceived, InventoryListed, Occasion
from schemas.values import Denominations, Person, total

# Why chips came into the tray or left it; the paragraph of 465a.36(b) is told by `projections.accounting`.
Reason: TypeAlias = Literal[
    "cash", "counter_checks", "wagers_collected", "wagers_paid", "fills", "credits", "vigorish", "put_right"
]
Counter: TypeAlias = Literal["tray", "people"]


class Step(Struct, frozen=True):
    """A change that no reason accounts for: found by the count `at`, after the one `after` that still agreed.

    `within` names the round during which it came about, where it did; `by` is who proved it, `gaps` what was
    not reported between the two counts.
    """

    after: str
    at: str
    expected: int
    counted: int
    by: Counter
    within: str | None = None
    gaps: tuple[str, ...] = ()


class Suspect(Struct, frozen=True):
    """A count that differs and that no second one has confirmed yet."""

    after: str
    at: str
    off: int
    within: str | None


class Chips(Struct, frozen=True):
    """Chips that came with a slip or left with one, as they were counted at the table."""

    slip: str
    cents: int
    denominations: Denominations | None
    counted_by: Person | None
    witnessed_by: Person | None


class Listing(Struct, frozen=True):
    """One count of the inventory by people onto a slip, beside what was expected.

    `read` is what the tray reader had last told, absent where it told nothing or had just been contradicted;
    `previous` is the slip that closed the table or its box last, with its figures. `played` says that a round
    had been dealt since the table opened.
    """

    slip: str
    occasion: Occasion
    denominations: Denominations
    expected: int
    read: int | None
    previous: tuple[str, Denominations] | None
    played: bool
    counted_by: Person | None
    witnessed_by: Person | None
    signatures: tuple[Person, ...]

    @property
    def cents(self) -> int:
        """The chips that were listed, in cents."""
        return total(self.denominations)


class Box(Struct):
    """What went into one drop box while it was on the table.

    `coupons` stand with the moment (microseconds UTC) at which each was dropped. `listed` are the slips
    that were made out meanwhile; `open` says that the table was open when the box came off.
    """

    name: str | None
    cash: int = 0
    checks: dict[str, int] = field(default_factory=dict)
    coupons: list[tuple[str, int]] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    removed: bool = False
    open: bool = False


class Tray(Struct):
    """One gaming day of a table's inventory; sums in cents.

    `known` is the difference that the steps so far explain, of which people's counts have `proved` so many;
    `good` names the last count that agreed. `reader` says that a tray reader counts, `went_on` that the table
    was open from the day before. `last` is the slip on which people listed the inventory last.
    """

    day: date | None = None
    opener: int = 0
    expected: int = 0
    known: int = 0
    good: str = "the opening"
    is_open: bool = False
    went_on: bool = False
    played: bool = False
    changes: dict[Reason, int] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    proved: int = 0
    suspect: Suspect | None = None
    reader: bool = False
    gaps: list[str] = field(default_factory=list)
    fills: list[Chips] = field(default_factory=list)
    credits: list[Chips] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    tips: int = 0
    last: tuple[str, Denominations] | None = None

    @property
    def box(self) -> Box:
        """The drop box that is on the table; one that no event named where none was put on."""
        if not self.boxes or self.boxes[-1].removed:
            self.boxes.append(Box(None))
        return self.boxes[-1]

    @property
    def closer(self) -> Listing | None:
        """The count with which the day ended at the table, closed or open, where there was one."""
        last = self.listings[-1] if self.listings else None
        return last if last is not None and last.occasion in ("closing", "drop") else None

    def move(self, reason: Reason, cents: int) -> None:
        """Book a change with its reason; positive is into the tray."""
        self.expected += cents
        self.changes[reason] = self.changes.get(reason, 0) + cents

    def doubt(self, gaps: list[str]) -> None:
        """Note what was not reported since the last count that agreed."""
        self.gaps += [gap for gap in gaps if gap not in self.gaps]

    def count(self, at: str, cents: int, by: Counter, within: str | None = None, since: int = 0) -> None:
        """Hold a count against the account, as it stood when `since` had not moved yet.

        One that differs stands once a second one says the same, or at once where people counted.
        """
        expected = self.expected - since
        off = cents - expected - self.known
        self.reader = self.reader or by == "tray"
        if not off:
            self.suspect = None
        elif by == "people" or (self.suspect is not None and self.suspect.off == off):
            first = self.suspect if self.suspect is not None and self.suspect.off == off else None
            first = first or Suspect(self.good, at, off, within)
            self.steps.append(
                Step(
                    after=first.after,
                    at=first.at,
                    expected=expected + self.known,
                    counted=cents,
                    by=by,
                    within=first.within,
                    gaps=tuple(self.gaps),
                )
            )
            self.known += off
            self.suspect = None
        else:
            self.suspect = Suspect(self.good, at, off, within)
            return
        self.good = at
        self.gaps.clear()

    def open(self, cents: int) -> None:
        """Open the table with an inventory; where it was open before in the day that is a count of it."""
        if self.changes or self.played:
            self.count("the opening", cents, "people")
        else:
            self.opener = self.expected = cents
            self.known, self.suspect = 0, None
            self.gaps.clear()
        self.is_open = True

    def listed(self, event: InventoryListed) -> None:
        """Take a count by people onto a slip.

        At an opening it is what the day begins with. Where a tray reader says otherwise and agrees with the
        account, the slip is wrong and not the tray.
        """
        listing = Listing(
            event.slip,
            event.occasion,
            event.denominations,
            self.expected + self.known,
            self.expected + self.known if self.reader and self.suspect is None else None,
            self.last,
            self.played,
            event.counted_by,
            event.witnessed_by,
            event.signatures,
        )
        self.listings.append(listing)
        self.box.listed.append(listing.slip)
        self.last = (listing.slip, listing.denominations)
        if event.occasion == "opening" and not self.changes and not self.played:
            self.opener = self.expected = listing.cents
            self.known, self.suspect, self.good = 0, None, f"Table Inventory Slip {listing.slip}"
            self.gaps.clear()
        elif listing.read is None or listing.read == listing.cents:
            self.count(f"Table Inventory Slip {listing.slip}", listing.cents, "people")
            self.proved = len(self.steps)

    def take(self, event: FillReceived | CreditSent) -> None:
        """Book chips that came with a slip, or left with one."""
        chips = Chips(event.slip, event.cents, event.denominations, event.counted_by, event.witnessed_by)
        if isinstance(event, FillReceived):
            self.fills.append(chips)
            self.move("fills", event.cents)
        else:
            self.credits.append(chips)
            self.move("credits", -event.cents)

    def change_box(self, event: DropBoxChanged) -> None:
        """Take the drop box off, or put one on."""
        if event.removed is not None:
            box = self.box
            box.name, box.removed, box.open = box.name or event.removed, True, self.is_open
        if event.attached is not None:
            if self.boxes and not self.boxes[-1].removed and self.boxes[-1].name is None:
                self.boxes[-1].name = event.attached
            else:
                self.boxes.append(Box(event.attached))

    def next_day(self, day: date) -> "Tray":
        """Begin the next gaming day with what is there."""
        held = self.expected + self.known
        boxes = [] if not self.boxes or self.boxes[-1].removed else [Box(self.boxes[-1].name)]
        return Tray(
            day,
            opener=total(self.last[1]) if self.last is not None and self.is_open else held,
            expected=held,
            is_open=self.is_open,
            went_on=self.is_open,
            reader=self.reader,
            gaps=list(self.gaps),
            suspect=self.suspect,
            boxes=boxes,
            last=self.last,
        )

    def marks(self) -> tuple[int, ...]:
        """Tell how much there is to judge: what may be raised has changed only where this has."""
        removed = sum(box.removed for box in self.boxes)
        return len(self.steps), self.proved, len(self.listings), removed, int(self.played)

    def copied(self) -> "Tray":
        """Copy it for a fold that may have to be done again."""
        return Tray(
            self.day,
            self.opener,
            self.expected,
            self.known,
            self.good,
            self.is_open,
            self.went_on,
            self.played,
            dict(self.changes),
            list(self.steps),
            self.proved,
            self.suspect,
            self.reader,
            list(self.gaps),
            list(self.fills),
            list(self.credits),
            list(self.listings),
            [_copied(box) for box in self.boxes],
            self.tips,
            self.last,
        )


def _copied(box: Box) -> Box:
    return Box(
        box.name,
        box.cash,
        dict(box.checks),
        list(box.coupons),
        list(box.slips),
        list(box.listed),
        box.removed,
        box.open,
    )
