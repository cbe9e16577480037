"""A table inventory and its drop box through a gaming day, by the events' account and by every count."""

from collections.abc import Iterable
from copy import copy
from datetime import date, timedelta
from typing import Final, Literal, TypeAlias, assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from projections.engine.accounts.inventory_entries import (
    ChipsMoved,
    Entry,
    GamingDayBegan,
    NotReported,
    Reason,
    RoundDealt,
    TrayCounted,
    TrayRead,
)
from projections.engine.facts import Fact
from schemas.events import (
    ChipsBought,
    CounterCheckTaken,
    CouponDropped,
    CreditSent,
    DropBoxChanged,
    FillReceived,
    InventoryListed,
    Occasion,
    SlipDropped,
    TableClosed,
    TableOpened,
    TokeGiven,
)
from schemas.values import Denominations, Person, total

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What the account of a table inventory is made of: counts, what they show, chips with a slip, drop boxes.

Counter: TypeAlias = Literal["tray", "people"]
_DAY: Final = timedelta(days=1)


class InventoryStep(Struct, frozen=True):
    """A change that no reason accounts for: found by the count `at`, after the last agreeing count, `after`.

    `within` names the round during which it happened, if it did during one. `misread` is true if the reported
    settlement is not what was owed. `by` is who proved it, `gaps` what was not reported between the two
    counts, `slip` the Table Inventory Slip on which it was counted, if it was on one.
    """

    after: str
    at: str
    expected: int
    counted: int
    by: Counter
    within: str | None = None
    misread: bool = False
    gaps: tuple[Fact, ...] = ()
    slip: str | None = None


class Suspect(Struct, frozen=True):
    """A count that differs by `off` and that no second one has confirmed yet."""

    after: str
    at: str
    expected: int
    counted: int
    within: str | None = None
    misread: bool = False
    slip: str | None = None

    @property
    def off(self) -> int:
        """Return how much more was counted than expected, in cents."""
        return self.counted - self.expected

    def confirmed(self, by: Counter, gaps: Iterable[Fact]) -> InventoryStep:
        """Return the change that it shows, now that it stands."""
        return InventoryStep(
            after=self.after,
            at=self.at,
            expected=self.expected,
            counted=self.counted,
            by=by,
            within=self.within,
            misread=self.misread,
            gaps=tuple(gaps),
            slip=self.slip,
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
    """Count of the inventory by people onto a slip, `at` a moment in microseconds UTC.

    `read` is the sum on which tray reader and account agreed, None if they did not or there was no reader.
    `previous` is the slip that last closed the table or its box, with its figures.
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
    """Return a listing for a reported count, with what was known at the time."""
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


def closed_days(last: date | None, until: date, *, was_played: bool) -> tuple[date, date] | None:
    """Return the first and last of the days before a day that have no record.

    They begin after the `last` one that there is, or with it where it was not played (`was_played`).

    >>> day = [date(2025, 3, number) for number in range(1, 5)]
    >>> closed_days(day[0], day[3], was_played=True) == (day[1], day[2])
    True
    >>> closed_days(day[2], day[3], was_played=False) == (day[2], day[2])
    True
    >>> closed_days(day[2], day[3], was_played=True) is None
    True
    """
    if last is None:
        return None
    first, before = last + _DAY if was_played else last, until - _DAY
    return (first, before) if first <= before else None


class Box(Struct):
    """Contents of one drop box while it was on the table.

    Counter Checks are recorded with their sums, and as `coupons` with the time (microseconds UTC) at which
    each came. `listed` are the slips that were made out meanwhile. `off` is when the box was removed, and
    `open` is true if play was to go on then. `late` are the slips that should have gone in before play
    continued, and had not.
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
        """Return True if it came off the table."""
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


# ── A table inventory and its drop box through a gaming day, by the events' account and by every count ────
# Each change of the chips in the tray has its lawful reason, 465a.36(b)(1)-(6); what the counts show beyond
# that is an `InventoryStep`. A count that the next one contradicts was a misreading and no step.

_GAPS_NOTED_AT_MOST: Final = 8


class TableInventory(Struct):
    """Gaming day of a table's inventory; sums in cents.

    `expected` is the sum of the opener and all `changes`, each with its lawful reason, 465a.36(b)(1)-(6).
    `listed_now` is true if nothing has moved since people last listed the inventory. The opening is not
    `known_at_opening` if the record begins later; the first count then sets it. It is `carried` if the
    account continues from the day before. `unlisted` are the first and last of the days before it on which
    the table stayed closed and nobody counted. `off` is the difference that the steps so far explain.
    People's counts have `proved` so many of these steps and so many of these cents (`proved_off`). `good`
    names the last count that agreed.

    `read` is true if the tray reader counted in the last round, `uncounted` if the table opened and no
    opening count was listed yet. `last` is the slip on which people listed the inventory last. `not_heard` is
    what the terminal did not report in the day, `unheard` the part of it before the first round. `gaps` is
    what the terminal or the chip reader did not report since the last count that agreed. If wagers are not
    `wagers_read`, because the table has no chip reader, the counts define what they brought.
    """

    day: date | None = None
    expected: int = 0
    changes: dict[Reason, int] = field(default_factory=dict)
    fills: tuple[Chips, ...] = ()
    credits: tuple[Chips, ...] = ()
    listed_now: bool = False
    opener: int = 0
    known_at_opening: bool = False
    carried: bool = False
    off: int = 0
    good: str = "the opening"
    is_open: bool = False
    played: bool = False
    uncounted: bool = False
    openings_missed: int = 0
    closings_missed: int = 0
    steps: tuple[InventoryStep, ...] = ()
    proved: int = 0
    proved_off: int = 0
    suspect: Suspect | None = None
    read: bool = False
    gaps: tuple[Fact, ...] = ()
    not_heard: tuple[Fact, ...] = ()
    listings: tuple[Listing, ...] = ()
    boxes: list[Box] = field(default_factory=list)
    tips: int = 0
    last: tuple[str, Denominations] | None = None
    wagers_read: bool = True
    opened: bool = False
    unlisted: tuple[date, date] | None = None
    unheard: tuple[Fact, ...] = ()

    def ensure_box(self) -> Box:
        """Return the drop box that is on the table; if no event reported one, begin an unnamed one."""
        if not self.boxes or self.boxes[-1].removed:
            self.boxes.append(Box(None))
        return self.boxes[-1]

    @property
    def balance(self) -> int:
        """Return what the tray holds, by the account and what the counts have shown beyond it."""
        return self.expected + self.off

    @property
    def closer(self) -> Listing | None:
        """The count with which the day ended at the table, closed or open, if nothing moved after it."""
        return self.listings[-1] if self._listed_for("closing") or self._listed_for("drop") else None

    @property
    def begun_before(self) -> bool:
        """Return True if the table was open before the record begins, with no report until then."""
        counted = any(listing.occasion in ("drop", "closing") for listing in self.listings)
        return not (self.opened or self.carried) and bool(self.played or self.changes or counted)

    def apply(self, entry: Entry) -> None:  # noqa: C901, PLR0912  one case an entry
        """Apply an entry to the inventory or its box; the beginnings of days are applied by the caller."""
        match entry:
            case ChipsMoved():
                self.move(entry.reason, entry.cents)
                if entry.number is not None:
                    self.put_right(entry.number, entry.cents)
            case NotReported():
                self.doubt(entry.counted)
                self.lack(entry.acts)
            case RoundDealt():
                self.deal()
            case TrayRead():
                self.read = entry.is_read
            case TrayCounted():
                self.count(entry.at, entry.cents, "tray", within=entry.within, since=entry.since)
            case ChipsBought():
                self.ensure_box().cash += entry.cents
            case CounterCheckTaken():
                self.ensure_box().checks[entry.check] = (entry.cents, entry.at)
            case FillReceived() | CreditSent():
                self.carry(entry)
            case InventoryListed():
                self.listed(entry)
            case SlipDropped():
                self.ensure_box().slips.append(entry.slip)
            case CouponDropped():
                self.ensure_box().coupons.append((entry.coupon, entry.at))
            case DropBoxChanged():
                self.change_box(entry)
            case TokeGiven():
                self.tips += entry.cents
            case TableOpened():
                self.open(entry.inventory_cents)
            case TableClosed():
                self.close()
            case GamingDayBegan():
                self.day = self.day or entry.day
            case _:
                assert_never(entry)

    def move(self, reason: Reason, cents: int) -> None:
        """Book a change with its reason; positive is into the tray."""
        self.expected += cents
        self.changes[reason] = self.changes.get(reason, 0) + cents
        self.listed_now = False

    def carry(self, event: FillReceived | CreditSent) -> None:
        """Book the slip with which chips came, or left."""
        chips = Chips(
            event.slip, event.at, event.cents, event.denominations, event.counted_by, event.witnessed_by
        )
        if isinstance(event, FillReceived):
            self.fills += (chips,)
        else:
            self.credits += (chips,)

    def doubt(self, gaps: Iterable[Fact]) -> None:
        """Note what was not reported since the last count that agreed; the first few are enough."""
        self.gaps = _with_gaps(self.gaps, gaps)

    def lack(self, gaps: Iterable[Fact]) -> None:
        """Note what the terminal did not report: people's acts may be among it."""
        self.not_heard = _with_gaps(self.not_heard, gaps)
        if not self.played:
            self.unheard = _with_gaps(self.unheard, gaps)

    def count(
        self,
        at: str,
        cents: int,
        by: Counter,
        within: str | None = None,
        since: int = 0,
        slip: str | None = None,
    ) -> None:
        """Compare a count, which `slip` may hold, with the account as it was before `since` changed it.

        A count that differs is accepted once a second one agrees with it, or at once if people counted.
        Another difference that the tray reader had just shown, by a misread settlement, may be part of it.
        """
        if not self.known_at_opening:
            self._begin_at(cents + since)
        if not self.wagers_read:
            self.move("by_count", cents + since - self.balance)
        expected = self.balance - since
        found = Suspect(self.good, at, expected, cents, within, slip=slip)
        doubtful = self.suspect
        same = doubtful is not None and doubtful.off == found.off
        self.suspect = None
        if found.off and not same and by == "tray":
            self.suspect = found
            return
        if found.off:
            if doubtful is not None:
                found = doubtful if same else replace(found, misread=doubtful.misread)
            self.steps += (found.confirmed(by, self.gaps),)
            self.off += found.off
        self.good = at
        self.gaps = ()

    def suspects(self, number: str) -> bool:
        """Return True if a round's last count differs from the account where the first did not."""
        return self.suspect is not None and self.suspect.within == number

    def explain(self, number: str, cents: int | None) -> None:
        """Explain a difference that came about in a round: its settlement was misreported by so many cents.

        Where it is another one, or that is not known, chips may be gone or be misread.
        """
        if self.suspect is None or not self.suspects(number) or cents == 0:
            return
        if self.suspect.off != cents:
            self.suspect = replace(self.suspect, misread=True)
            return
        self.move("by_count", cents)
        self.good, self.suspect = self.suspect.at, None
        self.gaps = ()

    def put_right(self, number: str, cents: int) -> None:
        """Explain a difference of a round whose settlement was put right later, by chips into the tray.

        What was read as owed was then not what was paid: it was misread if just so many chips were gone.
        """
        if self.suspect is not None and not self.suspect.misread:
            self.explain(number, -cents)
        for ordinal, step in enumerate(self.steps):
            if step.within != number or step.misread:
                continue
            if step.counted - step.expected != -cents:
                misread = replace(step, misread=True)
                self.steps = (*self.steps[:ordinal], misread, *self.steps[ordinal + 1 :])
                continue
            self.steps = (*self.steps[:ordinal], *self.steps[ordinal + 1 :])
            self.off += cents
            if ordinal < self.proved:
                self.proved, self.proved_off = self.proved - 1, self.proved_off + cents
            self.move("by_count", -cents)
            return

    def _begin_at(self, cents: int) -> None:
        """Set the opener from a count, because the opening was not seen."""
        self.opener += cents - self.expected
        self.expected, self.known_at_opening = cents, True

    def _prove(self, at: str, cents: int, slip: str) -> None:
        """Prove or refute with a count by people what only the tray reader has shown."""
        if self._refuted(cents):
            self.steps = self.steps[: self.proved]
            self.off, self.suspect = self.proved_off, None
        self.count(at, cents, "people", slip=slip)
        self.proved, self.proved_off = len(self.steps), self.off

    def _refuted(self, cents: int) -> bool:
        """Return True if a count by people equals the account without the tray reader's differences."""
        return self.off != self.proved_off and cents == self.expected + self.proved_off

    def listed(self, event: InventoryListed) -> None:
        """Apply a count by people onto a slip.

        The first count at an opening is the sum with which the day begins. If the tray reader contradicts the
        slip and agrees with the account, the slip is doubted until the reader agrees with it.
        """
        cents = total(event.denominations)
        agree = self.read and self.suspect is None and not (self.gaps or self._refuted(cents))
        read, previous = self.balance if agree else None, self.last if self.listed_now else None
        listing = listing_of(event, read, previous)
        begins = event.occasion == "opening" and self._begins()
        at = f"Table Inventory Slip {listing.slip}"
        self.listings += (listing,)
        self.ensure_box().listed.append(listing.slip)
        if event.occasion == "opening":
            self.uncounted = False
        if event.occasion == "closing" and not self.is_open and self.closings_missed:
            self.closings_missed -= 1
        if begins:
            self._begin(cents, at)
        elif listing.read in (None, cents):
            self._prove(at, cents, listing.slip)
        else:
            self.suspect = Suspect(self.good, at, self.balance, cents, slip=listing.slip)
        self.last, self.listed_now = (listing.slip, listing.denominations), True

    def _begins(self) -> bool:
        """Return True if an opening count is the day's first, and is compared with a slip or with nothing."""
        return not (self.changes or self.played or self.listings) and (self.listed_now or not self.carried)

    def _begin(self, cents: int, at: str) -> None:
        self.opener = self.expected = cents
        self.off = self.proved_off = 0
        self.known_at_opening, self.suspect, self.good = True, None, at
        self.gaps = ()

    def open(self, cents: int) -> None:
        """Open the table with an inventory; it is a count of one that was not listed as the table closed."""
        if self._begins():
            self._begin(cents, "the opening")
        else:
            self.count("the opening", cents, "people")
        self.is_open = self.opened = True
        self.uncounted = not self._listed_for("opening")

    def _listed_for(self, occasion: Occasion) -> bool:
        """Return True if the inventory has just been listed for this."""
        return self.listed_now and bool(self.listings) and self.listings[-1].occasion == occasion

    def deal(self) -> None:
        """Note that a round was dealt."""
        self.openings_missed += self.uncounted
        self.uncounted, self.played, self.listed_now = False, True, False
        if self.listings and self.boxes and not self.boxes[-1].removed:
            self.boxes[-1].miss(self.boxes[-2:-1], self.listings)

    def close(self) -> None:
        """Close the table; its inventory has been listed for that, or was not."""
        self.closings_missed += not self._listed_for("closing")
        if self.boxes and self.boxes[-1].removed:
            self.boxes[-1].open = False  # no other was put on, so it was removed for the closing
        self.is_open = self.uncounted = False

    def change_box(self, event: DropBoxChanged) -> None:
        """Take the drop box off the table, or put one on."""
        if event.removed is not None:
            box = self.ensure_box()
            box.name, box.off = box.name or event.removed, event.at
            box.open = self.is_open and not self._listed_for("closing")
        if event.attached is not None:
            if self.boxes and not self.boxes[-1].removed and self.boxes[-1].name is None:
                self.boxes[-1].name = event.attached
            else:
                self.boxes.append(Box(event.attached))

    def next_day(self, day: date) -> "TableInventory":
        """Begin the next gaming day with the present contents."""
        boxes = [] if not self.boxes or self.boxes[-1].removed else [Box(self.boxes[-1].name)]
        return TableInventory(
            day=day,
            opener=self.balance,
            known_at_opening=self.known_at_opening,
            carried=self.known_at_opening,
            expected=self.balance,
            good=self.good,
            is_open=self.is_open,
            read=self.read,
            suspect=self.suspect,
            gaps=self.gaps,
            not_heard=self.not_heard if boxes else (),  # it may be another box that is on
            boxes=boxes,
            last=self.last,
            listed_now=self.listed_now,
            wagers_read=self.wagers_read,
            opened=self.is_open,
            unlisted=None if self.is_open else self._unlisted(day),
        )

    def _unlisted(self, until: date) -> tuple[date, date] | None:
        """Return the days without a count before a day, where the inventory is known and was followed."""
        has_activity = self.opened or self.played or self.listings or not self.carried
        return closed_days(self.day, until, was_played=bool(has_activity)) if self.known_at_opening else None

    def marks(self) -> tuple[int, ...]:
        """Return how much there is to judge: what may be raised has changed only where this has."""
        missed = self.openings_missed + self.closings_missed + (self.unlisted is not None)
        misread, removed = sum(step.misread for step in self.steps), sum(b.removed for b in self.boxes)
        return len(self.steps), self.proved, misread, len(self.listings), removed, missed

    def copied(self) -> "TableInventory":
        """Copy it for a fold that may have to be done again."""
        other = copy(self)
        other.changes = dict(self.changes)
        other.boxes = [box.copied() for box in self.boxes]
        return other


def _with_gaps(noted: tuple[Fact, ...], gaps: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(dict.fromkeys((*noted, *gaps)))[:_GAPS_NOTED_AT_MOST]
