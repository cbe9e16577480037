"""Entries of the ledgers of the cage, the count room and finance, across tables.

Each ledger is a stream of its own, keyed by its name where a table's stream has the table; its devices number
their entries as a table's devices number their events. A slip, check or box is identified by its printed
number: the part before the last digits is its series, the digits count within it.
"""

from datetime import date
from typing import Final, Literal, TypeAlias, get_args

from msgspec import field

from schemas.coupon_log import CouponEvent
from schemas.events import EventId, Reported
from schemas.values import YEARS, Cents, Denominations, Difference, Name, Person, in_words

Ledger: TypeAlias = Literal["cage", "count_room", "counter_checks", "coupons"]


class Entry(Reported, frozen=True, kw_only=True, gc=False):
    """An entry of a ledger."""


class LedgerClosed(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A ledger was closed for a gaming day: it has no more entries."""

    date: date

    def __post_init__(self) -> None:
        """Check that the day is one that a device's clock can have."""
        if self.date.year not in YEARS:
            raise ValueError(f"date: {self.date} is no gaming day")


# ── the cage: fills, table credits, slips, cash for chips ────────────────────────────────────────────


class FillRequested(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A Fill Request Slip was made out for a table, on paper unless `electronic`, 465a.38."""

    request: Name
    table: Name
    denominations: Denominations
    by: Person
    electronic: bool = False


class FillIssued(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """The chip bank gave out chips against a request, with a Fill Slip."""

    slip: Name
    request: Name
    table: Name
    denominations: Denominations
    signatures: tuple[Person, ...]


class FillEscorted(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """The chips of a Fill Slip left the chip bank for the table, escorted."""

    slip: Name
    by: Person


class CreditReceived(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """Chips of a table credit came to the cage, and were counted there against the Credit Slip."""

    slip: Name
    table: Name
    denominations: Denominations
    signatures: tuple[Person, ...]


class SlipVoided(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A Fill, Credit or Table Inventory Slip was voided."""

    slip: Name
    signatures: tuple[Person, ...]


class ErrorNotified(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """An Error Notification Slip: the count at a table's opening was not the slip's by `cents`."""

    slip: Name
    table: Name
    inventory_slip: Name
    cents: Difference
    signatures: tuple[Person, ...]


class SerialExceptionReported(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """Missing or repeated serial numbers were reported in writing to internal audit, 465a.3(c)."""

    serials: tuple[Name, ...]
    found: date


class ChipsCashed(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """Chips were paid out in cash at the cage, to a patron where the patron is known."""

    cents: Cents
    patron: Name | None = None


# ── the count room ───────────────────────────────────────────────────────────────────────────────────


class BoxReceived(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A drop box came to the count room."""

    box: Name
    table: Name
    by: Person


class BoxEmptied(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A drop box was opened and emptied on the count table, and shown to be empty if `shown`."""

    box: Name
    shown: bool = False


class BoxCounted(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """The contents of one box were counted by themselves.

    `slips` are the documents found in it, each with the sum written on it. Coupons are counted and have no
    value.
    """

    box: Name
    table: Name
    cash: Denominations
    counter_checks: dict[Name, Cents] = field(default_factory=dict)
    coupons: tuple[Name, ...] = ()
    slips: dict[Name, Cents] = field(default_factory=dict)
    by: tuple[Person, ...] = ()


class CountFileOpened(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """Somebody opened a file of the count's system, to read or to write in it, 465a.25(a)(2)."""

    file: Name
    by: Person
    access: Literal["read", "write"] = "read"


# ── Counter Checks ───────────────────────────────────────────────────────────────────────────────────


class BookSignedOut(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A book of Counter Checks, the numbers `first` to `last`, was handed to table games, 609a.13(c)(3)."""

    book: Name
    first: Name
    last: Name
    given_by: Person
    taken_by: Person


class BookSignedIn(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A book of Counter Checks came back; `next` is its first unused number, absent if none is left."""

    book: Name
    given_by: Person
    taken_by: Person
    next: Name | None = None


class CheckMade(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A Counter Check was made out by hand and signed by the patron where `signed`."""

    check: Name
    table: Name
    patron: Name
    cents: Cents
    by: Person
    signed: bool = True


class CheckVoided(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A Counter Check was voided."""

    check: Name
    signatures: tuple[Person, ...]


class CheckRedeemed(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """A patron redeemed a Counter Check, wholly or in part."""

    check: Name
    cents: Cents


# ── coupons ──────────────────────────────────────────────────────────────────────────────────────────


class CouponEntered(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """Action of marketing, finance or the count room on Match Play Coupons, in the coupon log's own words.

    What happens to a coupon at a table comes from the table's own stream.
    """

    entry: CouponEvent


class EntryCorrected(Entry, frozen=True, kw_only=True, gc=False, tag=True):
    """An earlier entry was mistaken: it is deleted, or replaced by `instead`."""

    mistaken: EventId
    instead: "LedgerEvent | None" = None


LedgerEvent: TypeAlias = (
    LedgerClosed
    | FillRequested
    | FillIssued
    | FillEscorted
    | CreditReceived
    | SlipVoided
    | ErrorNotified
    | SerialExceptionReported
    | ChipsCashed
    | BoxReceived
    | BoxEmptied
    | BoxCounted
    | CountFileOpened
    | BookSignedOut
    | BookSignedIn
    | CheckMade
    | CheckVoided
    | CheckRedeemed
    | CouponEntered
    | EntryCorrected
)

LEDGERS: Final = get_args(Ledger)
FLOOR: Final = "floor"  # the name under which accounts of the whole floor stand
_OF_ANY: Final = (LedgerClosed, EntryCorrected)
_ENTRIES_OF: Final[dict[Ledger, tuple[type[Entry], ...]]] = {
    "count_room": (BoxReceived, BoxEmptied, BoxCounted, CountFileOpened),
    "counter_checks": (BookSignedOut, BookSignedIn, CheckMade, CheckVoided, CheckRedeemed),
    "coupons": (CouponEntered,),
}
# Which ledger a kind of entry belongs to; what stands in none of the others is the cage's.
_LEDGER_OF: Final[dict[type[Entry], Ledger]] = {
    kind: name for name, kinds in _ENTRIES_OF.items() for kind in kinds
}


def belongs(entry: Entry, ledger: str) -> bool:
    """Return True if a kind of entry is one of a ledger's."""
    return isinstance(entry, _OF_ANY) or _LEDGER_OF.get(type(entry), "cage") == ledger


def is_table(name: str) -> bool:
    """Return True if a name is a table's, not a ledger's or the floor's, which have their own accounts."""
    return name != FLOOR and name not in LEDGERS


def table_called(name: str) -> str:
    """Write a table's name as it is, and a ledger's, which is ours to write, as words.

    >>> table_called("BAC_1"), table_called("count_room")
    ('BAC_1', 'count room')
    """
    return name if is_table(name) else in_words(name)
