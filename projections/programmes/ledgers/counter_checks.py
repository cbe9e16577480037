"""The ledger of Counter Checks: books signed out and in, checks made, voided and redeemed.

A book's numbers are its series and the digits that count; what is outstanding is carried over the days.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct, field

from schemas.ledgers import (
    BookSignedIn,
    BookSignedOut,
    CheckMade,
    CheckRedeemed,
    CheckVoided,
    LedgerEvent,
)
from schemas.serials import place


class Book(Struct):
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

        >>> Book("K-", 3, 1, 10).name(7)
        'K-007'
        """
        return f"{self.series}{number:0{self.width}d}"

    def holds(self, check: str) -> bool:
        """Return True if a check's number is one of the book's."""
        found = place(check)
        return found is not None and found.series == self.series and self.first <= found.number <= self.last


class Owed(Struct):
    """A check that is outstanding: whose, at which table, its cents, and what of them was redeemed.

    It was made out `at` this moment, microseconds UTC.
    """

    table: str
    patron: str
    cents: int
    at: int
    redeemed: int = 0


class Made(Struct):
    """A check that was made out today, out of which book, and whether that was with table games."""

    entry: CheckMade
    book: str | None
    out: bool
    again: bool


class Return(Struct):
    """A book that came back today, with its numbers as they were used; `known` where it had been out."""

    entry: BookSignedIn
    book: Book | None
    known: bool


class Redemption(Struct):
    """A redemption of today, and what was owed on the check before it; None where no such check is known."""

    entry: CheckRedeemed
    owed: int | None


class CounterChecks(Struct):
    """A gaming day's checks, and what outlives it.

    `owed` are the checks that are outstanding, `settled` those wholly redeemed or voided, `underway` those
    that were made out at the turn of the day before. The record does not reach back to the ledger's beginning
    where it is not `whole`.
    """

    whole: bool = True

    books: dict[str, Book] = {}
    owed: dict[str, Owed] = {}
    settled: list[str] = field(default_factory=list)  # a list, to be written alike each time
    handed: list[BookSignedOut] = []
    returns: list[Return] = []
    made: list[Made] = []
    voids: list[CheckVoided] = []
    redemptions: list[Redemption] = []
    underway: list[CheckMade] = []

    def turn(self, under_way: Callable[[int], bool]) -> "CounterChecks":
        """Begin the next day: with the books, and what is owed."""
        late = [each.entry for each in self.made if under_way(each.entry.at)]
        return CounterChecks(self.whole, self.books, self.owed, self.settled, underway=late)


_UNREAD: Final = Book("", 1, 1, 0)  # its numbers are of no series; it holds nothing


def evolve(ledger: CounterChecks, entry: LedgerEvent) -> None:
    """Let an entry on Counter Checks change their day in place; what is of another ledger changes nothing."""
    match entry:
        case BookSignedOut():
            ledger.handed.append(entry)
            ledger.books[entry.book] = _book(entry)
        case BookSignedIn():
            book = ledger.books.get(entry.book)
            is_out = book is not None and book.out
            if book is not None:
                book.out = False
                book = Book(book.series, book.width, book.first, book.last, set(book.used), out=False)
            ledger.returns.append(Return(entry, book, is_out))
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
            pass  # the ledger's closing, which `entries` has told; others do not belong here


def _book(entry: BookSignedOut) -> Book:
    first, last = place(entry.first), place(entry.last)
    if first is None or last is None or first.series != last.series:
        return _UNREAD
    return Book(first.series, first.width, first.number, last.number)


def _use(ledger: CounterChecks, check: str) -> tuple[str | None, bool]:
    """Note that a number was used; say of which book it is, and whether that book is out."""
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
    ledger.made.append(Made(entry, book, out, again))
    if not again:
        ledger.owed[entry.check] = Owed(entry.table, entry.patron, entry.cents, entry.at)


def _redeem(ledger: CounterChecks, entry: CheckRedeemed) -> None:
    owed = ledger.owed.get(entry.check)
    if owed is None:
        cents = 0 if entry.check in ledger.settled else None
        ledger.redemptions.append(Redemption(entry, cents))
        return
    ledger.redemptions.append(Redemption(entry, owed.cents - owed.redeemed))
    owed.redeemed += entry.cents
    if owed.redeemed >= owed.cents:
        del ledger.owed[entry.check]
        ledger.settled.append(entry.check)
