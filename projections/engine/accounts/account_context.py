"""A shoe and a table inventory before their judges."""

from datetime import date

from msgspec import Struct

from projections.engine.accounts.shoe_account import ShoeAccount
from projections.engine.accounts.table_inventory import Tray
from projections.engine.facts import Fact
from projections.engine.findings import HOUSE_CONTROL
from projections.engine.shoe import Shoe
from schemas.errors import NotInForce
from schemas.law_text import chapter
from schemas.rulebook import Rulebook


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


class ShoeCase(Struct):
    """A shoe, ended or in play, its account and rulebook, and the events that came too late during it."""

    table: str
    day: date
    shoe: Shoe
    account: ShoeAccount
    book: Rulebook
    late: list[Fact]


class TrayCase(Struct):
    """A table's inventory account, and whether the day is over for it.

    It is `cut` where the record ends while the table is open, with no count of what was there.
    """

    table: str
    day: date
    tray: Tray
    over: bool
    cut: bool = False

    def cites(self, *provisions: str) -> tuple[str, ...]:
        """Cite provisions of 465a as of the day."""
        return cites_on(self.day, *provisions)
