"""Were Counter Checks made out of books handed over, exchanged for chips, signed, and redeemed?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Cents, SerialRef, StaffRef, Word, fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import BEFORE, DayCase
from projections.programmes.ledgers.entries import runs
from projections.programmes.ledgers.ledger_days import CheckBook, CheckIssued, CheckRedemption
from schemas.ledgers import BookSignedIn, CheckMade
from schemas.serials import place, serial_ranges
from schemas.values import Person

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Were Counter Checks made out of books that finance had handed over, every number of them? 609a.13(c)(3).

NOT_OUT: Final = Duty(
    "counter_check_book_not_out",
    severity="medium",
    asks="Was the book signed out to table games when the check was made out of it?",
    false_positives="A book that was handed over and not signed out.",
    cites=("609a.13(c)(3)",),
    paper="Counter Check",
)
HANDS: Final = Duty(
    "counter_check_book_hands",
    severity="medium",
    asks="Was the book handed out by finance to table games, and given back to finance?",
    false_positives="A role that was keyed in wrongly.",
    cites=("609a.13(c)(3)",),
    paper="Counter Check",
)
MISSING: Final = Duty(
    "counter_check_number_missing",
    severity="by_amount",
    asks="Was each number that the returned book lacks made out or voided?",
    false_positives="A check whose making was not keyed in, or a next number that was read wrongly.",
    cites=("609a.13(c)(3)",),
    paper="Counter Check",
)
PAST: Final = Duty(
    "counter_check_past_return",
    severity="by_amount",
    asks="Are the checks that were made out of the book gone from it as it comes back?",
    false_positives="A next number that was read wrongly.",
    cites=("609a.13(c)(3)",),
    paper="Counter Check",
)
CHECK_BOOK_KINDS: Final = (NOT_OUT, HANDS, MISSING, PAST)

_TABLE_GAMES: Final = (
    "table_games", "dealer", "boxperson", "floorperson", "pit_clerk", "pit_manager", "shift_manager",
)  # fmt: skip


def check_check_book(case: DayCase) -> Iterator[Raised]:
    """Raise checks out of books that were not out, books in other hands, and numbers that do not add up."""
    yield from _not_out(case)
    for each in case.checks.handed:
        yield from _hands(case, each.book, "handed_out", each.given_by, ("finance",))
        yield from _hands(case, each.book, "taken", each.taken_by, _TABLE_GAMES)
    for returned in case.checks.returns:
        yield from _hands(case, returned.entry.book, "taken_back", returned.entry.taken_by, ("finance",))
        if returned.was_out and returned.book is not None:
            yield from _numbers(case, returned.entry, returned.book)


def _not_out(case: DayCase) -> Iterator[Raised]:
    """Raise each book, or series of no book, once with all its checks."""
    of: dict[tuple[str | None, str], list[CheckIssued]] = {}
    for made in case.checks.made:
        if not made.out and not made.again:
            found = place(made.entry.check)
            of.setdefault((made.book, found.series if found is not None else ""), []).append(made)
    for (book, _), checks in of.items():
        serials = serial_ranges(each.entry.check for each in checks)
        yield case.raised(
            NOT_OUT,
            fact("ledgers.check_made_outside", book=None if book is None else SerialRef(book)),
            serial=serials,
            who=book,
            hangs_on=["counter_checks"]
            if case.checks.is_complete or book is not None
            else ["counter_checks", BEFORE],
        )


def _hands(case: DayCase, book: str, done: str, by: Person, roles: tuple[str, ...]) -> Iterator[Raised]:
    if by.role not in roles:
        person = StaffRef(by.name, by.role)
        message = fact("ledgers.book_in_other_hands", book=SerialRef(book), done=Word(done), by=person)
        yield case.raised(HANDS, message, who=book)


def _numbers(case: DayCase, entry: BookSignedIn, book: CheckBook) -> Iterator[Raised]:
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
    for duty, numbers, message in (
        (MISSING, missing, fact("ledgers.gone_from_book")),
        (PAST, past, fact("ledgers.used_past_return", unused=unused)),
    ):
        for low, high in runs(numbers):
            serial = serial_ranges(book.name(number) for number in range(low, high + 1))
            yield case.raised(duty, message, who=entry.book, serial=serial, hangs_on=["counter_checks"])


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Was each Counter Check exchanged for chips of its sum at its table, and chips given for none but these?

NOT_EXCHANGED: Final = Duty(
    "counter_check_not_exchanged",
    severity="by_amount",
    asks="Did chips go out against the check that was made out?",
    false_positives="An exchange that the terminal was not told of.",
    cites=("465a.36(b)(2)",),
    paper="Counter Check",
)
UNMATCHED: Final = Duty(
    "counter_check_unmatched",
    severity="by_amount",
    asks="Is each check against which chips went out one that was made out for that table and not voided?",
    false_positives="A check's number that was keyed in wrongly at the table.",
    cites=("465a.36(b)(2)",),
    paper="Counter Check",
)
SUM: Final = Duty(
    "counter_check_sum_differs",
    severity="by_amount",
    asks="Did chips of just the check's sum go out against it?",
    false_positives="A sum that was keyed in wrongly.",
    cites=("465a.36(b)(2)",),
    paper="Counter Check",
)
CHECK_EXCHANGE_KINDS: Final = (NOT_EXCHANGED, UNMATCHED, SUM)


def check_check_exchange(case: DayCase) -> Iterator[Raised]:
    """Raise what one side has and the other has not, and sums that differ."""
    ledger = case.checks
    made = {
        each.check: each for each in (*ledger.underway, *(one.entry for one in ledger.made if not one.again))
    }
    voided = {each.check for each in ledger.voids}
    taken: set[str] = set()
    for day in case.tables.values():
        for box in day.boxes:
            taken |= box.checks.keys()
            for number, cents in box.checks.items():
                yield from _taken(case, day.table, number, cents, made.get(number), voided)
    due = [each for each in made.values() if each in ledger.underway or not case.under_way(each.at)]
    for each in due:
        if each.check not in taken and each.check not in voided:
            yield case.raised(
                NOT_EXCHANGED,
                fact(
                    "ledgers.check_not_exchanged",
                    check=SerialRef(each.check),
                    cents=Cents(each.cents),
                    table=each.table,
                ),
                serial=each.check,
                table=each.table,
                expected=each.cents,
                observed=0,
                hangs_on=[each.table],
            )


def _taken(
    case: DayCase, table: str, number: str, cents: int, made: CheckMade | None, voided: set[str]
) -> Iterator[Raised]:
    is_recorded = number in case.checks.owed or number in case.checks.settled
    out = fact("ledgers.chips_went_out", check=SerialRef(number), cents=Cents(cents), table=table)
    if number in voided:
        message = fact("ledgers.exchanged_void", out=out)
        yield case.raised(UNMATCHED, message, serial=number, table=table)
    elif made is None:
        if not is_recorded:
            message = fact("ledgers.exchanged_unmade", out=out)
            yield case.raised(UNMATCHED, message, serial=number, table=table, hangs_on=["counter_checks"])
    elif made.table != table:
        message = fact("ledgers.exchanged_elsewhere", out=out, table=made.table)
        yield case.raised(UNMATCHED, message, serial=number, table=table)
    elif made.cents != cents:
        yield case.raised(
            SUM,
            fact("ledgers.exchanged_other_sum", out=out, over=Cents(made.cents)),
            serial=number,
            table=table,
            expected=made.cents,
            observed=cents,
            more_favours="patron",
        )


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Was each Counter Check signed, made out once, voided by two, and redeemed for no more than its sum?

UNSIGNED: Final = Duty(
    "counter_check_unsigned",
    severity="medium",
    asks="Did the patron sign the check?",
    false_positives="A signature on paper that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="Counter Check",
)
REPEATED: Final = Duty(
    "counter_check_repeated",
    severity="by_amount",
    asks="Was each number made out once?",
    false_positives="A number that was keyed in wrongly.",
    cites=("465a.3(c)",),
    paper="Counter Check",
)
VOIDED_UNSIGNED: Final = Duty(
    "counter_check_voided_unsigned",
    severity="medium",
    asks="Do two persons' signatures stand on the voided check?",
    false_positives="A signature on paper that was not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="Counter Check",
)
OVERREDEEMED: Final = Duty(
    "counter_check_overredeemed",
    severity="by_amount",
    asks="Was no more redeemed on the check than was owed?",
    false_positives="A redemption that was entered twice.",
    cites=(HOUSE_CONTROL,),
    paper="Counter Check",
)
CHECK_PAPER_KINDS: Final = (UNSIGNED, REPEATED, VOIDED_UNSIGNED, OVERREDEEMED)

_SIGNERS: Final = 2


def check_check_paper(case: DayCase) -> Iterator[Raised]:
    """Raise what the checks of the day lack, and what was redeemed beyond them."""
    voided = {each.check for each in case.checks.voids}
    for made in case.checks.made:
        entry = made.entry
        if made.again:
            message = fact("ledgers.check_made_again", check=SerialRef(entry.check))
            yield case.raised(REPEATED, message, serial=entry.check, table=entry.table, patron=entry.patron)
        elif not entry.signed and entry.check not in voided:
            message = fact("ledgers.check_unsigned", check=SerialRef(entry.check))
            yield case.raised(UNSIGNED, message, serial=entry.check, table=entry.table, patron=entry.patron)
    for void in case.checks.voids:
        signers = {person.name for person in void.signatures}
        if len(signers) < _SIGNERS:
            message = fact(
                "ledgers.check_voided_unsigned",
                check=SerialRef(void.check),
                signatures=len(signers),
                needed=_SIGNERS,
            )
            yield case.raised(VOIDED_UNSIGNED, message, serial=void.check)
    for each in case.checks.redemptions:
        yield from _redeemed(case, each)


def _redeemed(case: DayCase, redemption: CheckRedemption) -> Iterator[Raised]:
    entry, owed = redemption.entry, redemption.owed
    number, cents = SerialRef(entry.check), Cents(entry.cents)
    if owed is None:
        # It may have been made out before the record begins.
        message = fact("ledgers.redeemed_unmade", check=number, cents=cents)
        yield case.raised(OVERREDEEMED, message, serial=entry.check, hangs_on=[BEFORE])
    elif entry.cents > owed:
        yield case.raised(
            OVERREDEEMED,
            fact("ledgers.redeemed_beyond", check=number, cents=cents, owed=Cents(owed)),
            serial=entry.check,
            expected=owed,
            observed=entry.cents,
            more_favours="house",
        )


KINDS: Final = (
    *CHECK_BOOK_KINDS,
    *CHECK_EXCHANGE_KINDS,
    *CHECK_PAPER_KINDS,
)
