"""A shoe and a table inventory before their judges, and the lines of their accounts."""

from collections.abc import Iterator
from datetime import date
from functools import cached_property
from typing import Final

from msgspec import Struct

from projections.engine.accounts.shoe_account import Accrued, Balance, ShoeAccount
from projections.engine.accounts.table_inventory import Box, TableInventory
from projections.engine.conclusion import Line
from projections.engine.facts import Fact
from projections.engine.findings import HOUSE_CONTROL
from projections.engine.pack import Pack, pack_of
from projections.engine.shoe import Shoe, VigorishAccount, VigorishLedger
from schemas.errors import NotInForce
from schemas.house import SeverityThresholds
from schemas.law_text import chapter
from schemas.rulebook import Rulebook

# ── A shoe and a table inventory before their judges ──────────────────────────────────────────────────


def cites_on(day: date, *provisions: str) -> tuple[str, ...]:
    """Cite provisions of 465a; on a day before it was adopted the house's own control stands instead.

    >>> cites_on(date(2025, 3, 1), "465a.38"), cites_on(date(2012, 5, 11), "465a.41(a)")
    (('465a.38',), ('house control',))
    """
    try:
        chapter("465a").text_on(day)
    except NotInForce:
        return (HOUSE_CONTROL,)
    return provisions


class ShoeCase(Struct, dict=True):
    """A shoe, ended or in play, its account and rulebook, and the events that came too late during it.

    By each test of its cards one in so many shoes in order may be warned of, `one_in`.
    """

    table: str
    day: date
    shoe: Shoe
    account: ShoeAccount
    book: Rulebook
    late: list[Fact]
    one_in: int
    thresholds: SeverityThresholds

    @cached_property
    def pack(self) -> Pack | None:
        """Return what the shoe should hold; None if the game is played without cards."""
        return pack_of(self.book)

    @cached_property
    def balance(self) -> Balance | None:
        """The shoe's cards at its end; None if what was left was not counted, or it is one of no cards."""
        return None if self.pack is None else self.account.balance(self.shoe, self.pack)


class InventoryCase(Struct):
    """A table's inventory account, and whether the day is over for it.

    It is `cut` where the record ends while the table is open, with no count of what was there.
    """

    table: str
    day: date
    inventory: TableInventory
    thresholds: SeverityThresholds
    over: bool
    cut: bool = False

    def cites(self, *provisions: str) -> tuple[str, ...]:
        """Cite provisions of 465a as of the day."""
        return cites_on(self.day, *provisions)


# ── The lines of an account: a table inventory's of a day, a shoe's vigorish ──────────────────────────

# Lines with what the cage paid each patron, who is named in `of`. The sum of all patrons has no `of`.
OF_PATRONS: Final = frozenset({"cashed_out"})
# Lines of a table's procedures: when a floorperson came to have the open table, and when no longer; and that
# the staff source did not report everything. Of the floor: how many tables one had at once.
SUPERVISION_BEGAN: Final = "supervision_began"
SUPERVISION_ENDED: Final = "supervision_ended"
STAFF_UNREPORTED: Final = "staff_unreported"
TABLES_SUPERVISED: Final = "tables_supervised"
OF_FLOORPERSONS: Final = frozenset({SUPERVISION_BEGAN, SUPERVISION_ENDED, TABLES_SUPERVISED})
# A line of a shoe: the vigorish that somebody had marked and did not pay.
VIGORISH_OWED: Final = "vigorish_owed"


def is_of_patron(line: Line) -> bool:
    """Return True if a line is what the cage paid to one patron.

    >>> is_of_patron(Line(name="cashed_out", of="anna")), is_of_patron(Line(name="cashed_out"))
    (True, False)
    """
    return line.name in OF_PATRONS and line.of is not None


def inventory_lines(inventory: TableInventory, *, over: bool) -> Iterator[Line]:
    """Yield an inventory's lines: opener, each kind of change, expected sum, slips, counts and boxes.

    What came with a slip or a Counter Check, and each count, has its time; a box has the time of its removal.
    If no count closed a day that is `over`, the closer is the account's sum, without a slip. An inventory
    that was never counted or opened has no opener.
    """
    yield from _sums(inventory, over=over)
    yield Line(name="counted_by", of="tray reader and people" if inventory.read else "people")
    yield Line(name="tokes", cents=inventory.tips)
    for name, carried in (("fill", inventory.fills), ("credit", inventory.credits)):
        for each in carried:
            yield Line(
                name=name, of=each.slip, cents=each.cents, at=each.at, denominations=each.denominations
            )
    for listing in inventory.listings:
        yield Line(
            name=f"listing_{listing.occasion}",
            of=listing.slip,
            cents=listing.cents,
            at=listing.at,
            denominations=listing.denominations,
        )
    for box in inventory.boxes:
        yield from _box(box)


def _sums(inventory: TableInventory, *, over: bool) -> Iterator[Line]:
    if inventory.known_at_opening:
        yield Line(name="opener", cents=inventory.opener)
    for reason, cents in inventory.changes.items():
        yield Line(name=reason, cents=cents)
    if inventory.known_at_opening:
        yield Line(name="expected", cents=inventory.expected)
        yield Line(name="untyped", cents=inventory.off)
    if over and inventory.closer is not None:
        yield Line(name="closer", of=inventory.closer.slip, cents=inventory.closer.cents)
    elif over and inventory.known_at_opening:
        yield Line(name="closer", cents=inventory.balance)


def _box(box: Box) -> Iterator[Line]:
    yield Line(name="box", of=box.name, cents=box.cash, at=box.off)
    for check, (cents, at) in box.checks.items():
        yield Line(name="box_check", of=check, box=box.name, cents=cents, at=at)
    for coupon, at in box.coupons:
        yield Line(name="box_coupon", of=coupon, box=box.name, at=at)
    for slip in box.slips:
        yield Line(name="box_slip", of=slip, box=box.name)


def vigorish_lines(ledger: VigorishLedger, account: ShoeAccount) -> Iterator[Line]:
    """Yield a shoe's vigorish: for each person what accrued, was taken, marked, collected and is owed."""
    for who in sorted(ledger.people.keys() | account.accrued.keys()):
        reported, accrued = ledger.people.get(who, VigorishAccount()), account.accrued.get(who, Accrued())
        yield Line(name="vigorish_accrued", of=who, cents=accrued.cents)
        yield Line(name="vigorish_rounding", of=who, cents=accrued.rounding)
        yield Line(name="vigorish_taken", of=who, cents=reported.taken)
        yield Line(name="vigorish_marked", of=who, cents=reported.marked)
        yield Line(name="vigorish_collected", of=who, cents=reported.collected)
        yield Line(name=VIGORISH_OWED, of=who, cents=reported.owed)
    for rule in sorted(account.rules):
        yield Line(name="vigorish_rule", of=rule)
