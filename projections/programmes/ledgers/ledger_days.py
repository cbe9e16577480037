"""A gaming day of each ledger from its entries: the cage, the count room, Counter Checks.

The state of a gaming day holds its entries as they were made; what outlives the day is listed in `turn`.
"""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct, field

from projections.programmes.ledgers.tables import TableBox, TableDayAccount
from schemas.ledgers import (
    BookSignedIn,
    BookSignedOut,
    BoxCounted,
    BoxEmptied,
    BoxReceived,
    CheckMade,
    CheckRedeemed,
    CheckVoided,
    ChipsCashed,
    CountFileOpened,
    CreditReceived,
    ErrorNotified,
    FillEscorted,
    FillIssued,
    FillRequested,
    LedgerEvent,
    SerialExceptionReported,
    SlipVoided,
)
from schemas.serials import place


class CashPaid(Struct):
    """Cash that a patron was paid for chips, in how many goes."""

    cents: int = 0
    count: int = 0


class Cage(Struct):
    """A gaming day at the cage.

    `pending` are requests of the day before that no fill answered, `underway` fills and `early` credits of
    the day before that only one side had seen by the turn of the day. `cashed` is keyed by patron, "" if
    nobody is named.
    """

    requests: list[FillRequested] = []
    fills: list[FillIssued] = []
    escorts: list[FillEscorted] = []
    credits: list[CreditReceived] = []
    voids: list[SlipVoided] = []
    notices: list[ErrorNotified] = []
    reports: list[SerialExceptionReported] = []
    cashed: dict[str, CashPaid] = {}
    pending: list[FillRequested] = []
    underway: list[FillIssued] = []
    early: list[str] = []

    def turn(self, under_way: Callable[[int], bool], early: list[str]) -> "Cage":
        """Begin the next day: with what was requested and not filled, and fills that were on their way."""
        filled = {each.request for each in self.fills}
        return Cage(
            pending=[each for each in self.requests if each.request not in filled],
            underway=[each for each in self.fills if under_way(each.at)],
            escorts=[each for each in self.escorts if under_way(each.at)],
            early=early,
        )


def post_cage_entry(cage: Cage, entry: LedgerEvent) -> None:
    """Apply an entry of the cage to its day, in place; an entry of another ledger changes nothing."""
    match entry:
        case FillRequested():
            cage.requests.append(entry)
        case FillIssued():
            cage.fills.append(entry)
        case FillEscorted():
            cage.escorts.append(entry)
        case CreditReceived():
            cage.credits.append(entry)
        case SlipVoided():
            cage.voids.append(entry)
        case ErrorNotified():
            cage.notices.append(entry)
        case SerialExceptionReported():
            cage.reports.append(entry)
        case ChipsCashed():
            paid = cage.cashed.setdefault(entry.patron or "", CashPaid())
            paid.cents += entry.cents
            paid.count += 1
        case _:
            pass  # the ledger's closing, which `entries` has; others do not belong here


# ── The count room's ledger: boxes received, emptied, shown and counted, and the boxes that are awaited ───


class BoxHandling(Struct):
    """Handling of one box: under which tables' name it came, and how it was emptied and counted.

    What was entered after its count was not done before it: `emptied` and `shown_empty` are those until then.
    """

    received: list[BoxReceived] = []
    emptied: int = 0
    shown_empty: int = 0
    counts: list[BoxCounted] = []


class AwaitedBox(Struct):
    """A drop box with its contents by its table; `is_reported` once it was raised as missing.

    `before` is what was done with it on earlier days.
    """

    table: str
    content: TableBox
    is_reported: bool = False
    before: BoxHandling = field(default_factory=BoxHandling)


class CountRoom(Struct):
    """A gaming day in the count room, and the boxes that it awaits, from earlier days too."""

    handled: dict[str, BoxHandling] = {}
    awaited: list[AwaitedBox] = field(default_factory=list)
    files_opened: list[CountFileOpened] = field(default_factory=list)
    counted_since: int | None = None

    def is_begun_by(self, at: int) -> bool:
        """Return True if the day's count had begun by a moment: a box was emptied or counted."""
        return self.counted_since is not None and self.counted_since <= at

    def turn(self, early: Iterable[str] = ()) -> "CountRoom":
        """Begin the next day: with the boxes that were not counted, and those that came `early` for it."""
        awaited = [each for each in self.awaited if not self.counts(each)]
        found = self.found
        for each in awaited:
            each.before = self.done(each)
            for slip in found & each.content.owed.keys():
                del each.content.owed[slip]
        return CountRoom({box: self.handled[box] for box in early}, awaited)

    @property
    def found(self) -> set[str]:
        """The slips that were found in boxes on the day."""
        return {slip for handled in self.handled.values() for count in handled.counts for slip in count.slips}

    def of(self, box: str | None) -> BoxHandling:
        """Return what was done with a box on the day."""
        return self.handled.get(box or "", BoxHandling())

    def done(self, awaited: AwaitedBox) -> BoxHandling:
        """Return what was done with an awaited box until now; one that no event named was not followed."""
        before, now = awaited.before, self.of(awaited.content.name)
        return BoxHandling(
            [*before.received, *now.received],
            before.emptied + now.emptied,
            before.shown_empty + now.shown_empty,
            now.counts,
        )

    def counts(self, awaited: AwaitedBox) -> list[BoxCounted]:
        """Return an awaited box's counts; one that no event named is whatever was counted for its table."""
        if awaited.content.name is not None:
            return self.of(awaited.content.name).counts
        boxes = {each.content.name for each in self.awaited}
        return [
            count
            for box, handled in self.handled.items()
            if box not in boxes
            for count in handled.counts
            if count.table == awaited.table
        ]

    def waits_for(self, days: Iterable[TableDayAccount]) -> None:
        """Take in the boxes of a day's tables; one that stayed on its table over the turn goes on filling."""
        for day in days:
            for box in day.boxes:
                stays = next((each for each in self.awaited if _stays(each, day.table, box)), None)
                if stays is not None:
                    stays.content.add(box)
                else:
                    # A box that is on a table again is not waited for from its last time.
                    self.awaited = [
                        each for each in self.awaited if box.name is None or each.content.name != box.name
                    ]
                    self.awaited.append(AwaitedBox(day.table, box))


def _stays(awaited: AwaitedBox, table: str, box: TableBox) -> bool:
    same = (awaited.table, awaited.content.name) == (table, box.name)
    return same and not awaited.content.off and not awaited.is_reported


def post_count_room_entry(count_room: CountRoom, entry: LedgerEvent) -> None:
    """Apply an entry of the count room to its day, in place; an entry of another ledger changes nothing."""
    if isinstance(entry, BoxEmptied | BoxCounted) and count_room.counted_since is None:
        count_room.counted_since = entry.at
    match entry:
        case BoxReceived():
            count_room.handled.setdefault(entry.box, BoxHandling()).received.append(entry)
        case BoxEmptied():
            handled = count_room.handled.setdefault(entry.box, BoxHandling())
            if not handled.counts:
                handled.emptied += 1
                handled.shown_empty += entry.shown
        case BoxCounted():
            count_room.handled.setdefault(entry.box, BoxHandling()).counts.append(entry)
        case CountFileOpened():
            count_room.files_opened.append(entry)
        case _:
            pass  # the ledger's closing, which `entries` has; others do not belong here


# ── The ledger of Counter Checks: books signed out and in, checks made, voided and redeemed ───────────


class CheckBook(Struct):
    """A book of checks as it was last signed out: its numbers, those used since, and whether it is out.

    `width` is with how many digits its numbers are printed.
    """

    series: str
    width: int
    first: int
    last: int
    used: set[int] = field(default_factory=set)
    out: bool = True

    def name(self, number: int) -> str:
        """Write a number as it is printed.

        >>> CheckBook("K-", 3, 1, 10).name(7)
        'K-007'
        """
        return f"{self.series}{number:0{self.width}d}"

    def holds(self, check: str) -> bool:
        """Return True if a check's number is one of the book's."""
        found = place(check)
        return found is not None and found.series == self.series and self.first <= found.number <= self.last


class OutstandingCheck(Struct):
    """A check that is outstanding: whose, at which table, its cents, and what of them was redeemed.

    It was made out `at` this moment, microseconds UTC.
    """

    table: str
    patron: str
    cents: int
    at: int
    redeemed: int = 0


class CheckIssued(Struct):
    """A check that was made out today, the book it is from, and whether that was with table games."""

    entry: CheckMade
    book: str | None
    out: bool
    again: bool


class BookReturn(Struct):
    """A book that came back today, with the numbers used; `was_out` if it had been signed out."""

    entry: BookSignedIn
    book: CheckBook | None
    was_out: bool


class CheckRedemption(Struct):
    """A redemption of today, and what was owed on the check before it; None if no such check is known."""

    entry: CheckRedeemed
    owed: int | None


class CounterChecks(Struct):
    """A gaming day's checks, and what outlives it.

    `owed` are the checks that are outstanding, `settled` those wholly redeemed or voided, `underway` those
    that were made out at the turn of the day before. The record does not reach back to the ledger's beginning
    where it is not `is_complete`.
    """

    is_complete: bool = True

    books: dict[str, CheckBook] = {}
    owed: dict[str, OutstandingCheck] = {}
    settled: list[str] = field(default_factory=list)  # a list, so that it is always written in the same order
    handed: list[BookSignedOut] = []
    returns: list[BookReturn] = []
    made: list[CheckIssued] = []
    voids: list[CheckVoided] = []
    redemptions: list[CheckRedemption] = []
    underway: list[CheckMade] = []

    def turn(self, under_way: Callable[[int], bool]) -> "CounterChecks":
        """Begin the next day: with the books, and what is owed."""
        late = [each.entry for each in self.made if under_way(each.entry.at)]
        return CounterChecks(self.is_complete, self.books, self.owed, self.settled, underway=late)


_UNREAD: Final = CheckBook("", 1, 1, 0)  # its numbers are of no series; it holds nothing


def post_counter_check_entry(ledger: CounterChecks, entry: LedgerEvent) -> None:
    """Apply an entry on Counter Checks to their day, in place; an entry of another ledger changes nothing."""
    match entry:
        case BookSignedOut():
            ledger.handed.append(entry)
            ledger.books[entry.book] = _book(entry)
        case BookSignedIn():
            book = ledger.books.get(entry.book)
            is_out = book is not None and book.out
            if book is not None:
                book.out = False
                book = CheckBook(book.series, book.width, book.first, book.last, set(book.used), out=False)
            ledger.returns.append(BookReturn(entry, book, is_out))
        case CheckMade():
            _make(ledger, entry)
        case CheckVoided():
            ledger.voids.append(entry)
            _use(ledger, entry.check)
            ledger.owed.pop(entry.check, None)
            ledger.settled.append(entry.check)
        case CheckRedeemed():
            _redeem(ledger, entry)
        case _:
            pass  # the ledger's closing, which `entries` has; others do not belong here


def _book(entry: BookSignedOut) -> CheckBook:
    first, last = place(entry.first), place(entry.last)
    if first is None or last is None or first.series != last.series:
        return _UNREAD
    return CheckBook(first.series, first.width, first.number, last.number)


def _use(ledger: CounterChecks, check: str) -> tuple[str | None, bool]:
    """Note that a number was used; return its book, and whether that book is out."""
    holding = [(name, book) for name, book in ledger.books.items() if book.holds(check)]
    found = place(check)
    for _, book in holding:
        if found is not None:
            book.used.add(found.number)
    out = [name for name, book in holding if book.out]
    books = out or [name for name, _ in holding]
    return (books[0] if books else None), bool(out)


def _make(ledger: CounterChecks, entry: CheckMade) -> None:
    again = entry.check in ledger.owed or entry.check in ledger.settled
    book, out = _use(ledger, entry.check)
    ledger.made.append(CheckIssued(entry, book, out, again))
    if not again:
        ledger.owed[entry.check] = OutstandingCheck(entry.table, entry.patron, entry.cents, entry.at)


def _redeem(ledger: CounterChecks, entry: CheckRedeemed) -> None:
    owed = ledger.owed.get(entry.check)
    if owed is None:
        cents = 0 if entry.check in ledger.settled else None
        ledger.redemptions.append(CheckRedemption(entry, cents))
        return
    ledger.redemptions.append(CheckRedemption(entry, owed.cents - owed.redeemed))
    owed.redeemed += entry.cents
    if owed.redeemed >= owed.cents:
        del ledger.owed[entry.check]
        ledger.settled.append(entry.check)
