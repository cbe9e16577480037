"""A player's bank, 535.11: who is offered it, what the dealer wagers against it, what the centre leaves."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from streams.simulator.games.paigow.rules import Ways
from streams.simulator.patrons import Patron
from streams.simulator.table import Key, Round, Table

MAIN: Final = "pai_gow"
DEALERS: Final = "dealer_wager"
_ACCEPTS: Final = 0.35
_SHARES: Final = 0.4
_CHIP: Final = 500
_HUNDRED: Final = 10_000


class Bank(Struct, frozen=True):
    """Who banks a round, alone or with the house, and which position they sit at."""

    patron: Patron
    shared: bool

    @property
    def wager(self) -> str:
        """The spot of the chips that stand for the bank."""
        return "co_bank" if self.shared else "bank"

    @property
    def key(self) -> Key:
        """The key of the bank's stake."""
        return (self.patron.seat, None, self.wager, None)

    @property
    def position(self) -> str:
        """The position that the bank's tiles go to."""
        return f"seat{self.patron.seat}"


class Rotation:
    """The offer of the bank as it goes round the table, 535.11(b), (c), (d)(1)."""

    def __init__(self, table: Table, ways: Ways) -> None:
        self.table = table
        self.ways = ways
        self.offered = 0  # the seat that had the first offer of the round before
        self.last: Patron | None = None  # who banked the round before
        self.wagered: dict[Patron, int] = {}  # cents against the dealer in the last round that he banked

    def offer(self) -> Bank | None:
        """Offer the bank from the seat after the last first offer; nobody banks twice running."""
        askers = sorted(
            (each for each in self.table.patrons if each.seat > self.offered), key=lambda each: each.seat
        )
        self.offered = askers[0].seat if askers else 0
        before, self.last = self.last, None
        for patron in askers:
            if patron is not before and patron in self.wagered and self.table.rng.random() < _ACCEPTS:
                self.last = patron
                return Bank(patron, self.ways.co_bank and self.table.rng.random() < _SHARES)
        return None

    def remember(self, current: Round) -> None:
        """Note who wagered how much against the dealer in a round that he banked."""
        self.wagered = {
            stake.patron: stake.cents
            for stake in current.stakes.values()
            if stake.wager == MAIN and stake.cents
        }

    def dealers_wager(self, bank: Bank) -> int:
        """Return what the dealer wagers against a bank, 535.11(h): his last wager, or less, or nothing."""
        if bank.shared:
            return 0
        last, chosen = self.wagered.get(bank.patron, 0), self.table.rng.random()
        if chosen < 0.2:  # noqa: PLR2004  some direct that there be none
            return 0
        return last if chosen < 0.8 else last // 2 // _CHIP * _CHIP  # noqa: PLR2004  and some that it be less


def cover(at_risk: int) -> int:
    """Return chips enough to cover all that is wagered, 535.11(d)(2), in cents.

    >>> cover(0), cover(10000), cover(10100)
    (10000, 10000, 20000)
    """
    return max(1, -(-at_risk // _HUNDRED)) * _HUNDRED


def centre(gains: Mapping[Key, int], bank: Bank) -> int:
    """Return what the centre leaves to the bank, or lacks (negative), of others' gains, 535.11(o), (r).

    Half of it is the house's where the house covers half.
    """
    left = -sum(cents for key, cents in gains.items() if key != bank.key)
    return left // 2 if bank.shared else left
