"""Were Counter Checks made out of books that finance had handed over, every number of them? 609a.13(c)(3)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import SerialRef, StaffRef, Word, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.counter_checks import Book, Made
from projections.programmes.ledgers.day_context import BEFORE, DayCase
from projections.programmes.ledgers.entries import runs
from schemas.ledgers import BookSignedIn
from schemas.serials import place, told
from schemas.values import Person

NOT_OUT: Final = Duty(
    "counter_check_book_not_out",
    severity="procedure",
    asks="Was the book signed out to table games when the check was made out of it?",
    false_positives="A book that was handed over and not signed out.",
    cites=("609a.13(c)(3)",),
    paper="Counter Check",
)
HANDS: Final = Duty(
    "counter_check_book_hands",
    severity="procedure",
    asks="Was the book handed out by finance to table games, and given back to finance?",
    false_positives="A role that was keyed in wrongly.",
    cites=("609a.13(c)(3)",),
    paper="Counter Check",
)
MISSING: Final = Duty(
    "counter_check_number_missing",
    severity="money",
    asks="Was each number that the returned book lacks made out or voided?",
    false_positives="A check whose making was not keyed in, or a next number that was read wrongly.",
    cites=("609a.13(c)(3)",),
    paper="Counter Check",
)
PAST: Final = Duty(
    "counter_check_past_return",
    severity="money",
    asks="Are the checks that were made out of the book gone from it as it comes back?",
    false_positives="A next number that was read wrongly.",
    cites=("609a.13(c)(3)",),
    paper="Counter Check",
)
KINDS: Final = (NOT_OUT, HANDS, MISSING, PAST)

_TABLE_GAMES: Final = (
    "table_games", "dealer", "boxperson", "floorperson", "pit_clerk", "pit_manager", "shift_manager",
)  # fmt: skip


def check(case: DayCase) -> Iterator[Raised]:
    """Raise checks out of books that were not out, books in other hands, and numbers that do not add up."""
    yield from _not_out(case)
    for each in case.checks.handed:
        yield from _hands(case, each.book, "handed_out", each.given_by, ("finance",))
        yield from _hands(case, each.book, "taken", each.taken_by, _TABLE_GAMES)
    for returned in case.checks.returns:
        yield from _hands(case, returned.entry.book, "taken_back", returned.entry.taken_by, ("finance",))
        if returned.known and returned.book is not None:
            yield from _numbers(case, returned.entry, returned.book)


def _not_out(case: DayCase) -> Iterator[Raised]:
    """Raise each book, or series of no book, once with all its checks."""
    of: dict[tuple[str | None, str], list[Made]] = {}
    for made in case.checks.made:
        if not made.out and not made.again:
            found = place(made.entry.check)
            of.setdefault((made.book, found.series if found is not None else ""), []).append(made)
    for (book, _), checks in of.items():
        serials = told(each.entry.check for each in checks)
        yield case.raised(
            NOT_OUT,
            fact("ledgers.check_made_outside", book=None if book is None else SerialRef(book)),
            serial=serials,
            who=book,
            hangs_on=["counter_checks"]
            if case.checks.whole or book is not None
            else ["counter_checks", BEFORE],
        )


def _hands(case: DayCase, book: str, done: str, by: Person, roles: tuple[str, ...]) -> Iterator[Raised]:
    if by.role not in roles:
        person = StaffRef(by.name, by.role)
        message = fact("ledgers.book_in_other_hands", book=SerialRef(book), done=Word(done), by=person)
        yield case.raised(HANDS, message, who=book)


def _numbers(case: DayCase, entry: BookSignedIn, book: Book) -> Iterator[Raised]:
    follows = place(entry.next) if entry.next is not None else None
    unused = SerialRef(entry.next) if entry.next is not None else None
    if follows is not None and (
        follows.series != book.series or not book.first <= follows.number <= book.last
    ):
        message = fact("ledgers.book_came_with_foreign", unused=unused)
        yield case.raised(MISSING, message, who=entry.book, serial=entry.next)
        return
    left = follows.number if follows is not None else book.last + 1
    missing = [number for number in range(book.first, left) if number not in book.used]
    past = sorted(number for number in book.used if number >= left)
    for duty, numbers, says in (
        (MISSING, missing, fact("ledgers.gone_from_book")),
        (PAST, past, fact("ledgers.used_past_return", unused=unused)),
    ):
        for low, high in runs(numbers):
            serial = told(book.name(number) for number in range(low, high + 1))
            yield case.raised(duty, says, who=entry.book, serial=serial, hangs_on=["counter_checks"])
