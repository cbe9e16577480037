"""The time for wagers at Pai Gow: who banks, wagers against the bank, and forbidden wagers."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from schemas import events
from streams.simulator.games.paigow.rules import Ways
from streams.simulator.patrons import LEAST_WAGER, SIDES, Patron
from streams.simulator.table import Key, Made, Round, Table
from streams.simulator.wagering import Move, lay, pocket

MAIN: Final = "pai_gow"
DEALERS: Final = "dealer_wager"
_ACCEPTS: Final = 0.35
_SHARES_BANK: Final = 0.4
_CHIP: Final = 500
_HUNDRED: Final = 10_000


class Bank(Struct, frozen=True):
    """Banker of a round, alone or with the house, and the position where they sit."""

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
                return Bank(patron, self.ways.co_bank and self.table.rng.random() < _SHARES_BANK)
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


def offer_bank(
    table: Table, current: Round, rotation: Rotation, ways: Ways, again: Patron | None = None
) -> Bank | None:
    """Offer the bank if the house has players bank; otherwise one may be taken wrongly, 535.11(a), (e).

    By mistake the last bank may have it `again`, 535.11(c).
    """
    bank = rotation.offer() if ways.player_bank else None
    if again is not None:
        rotation.last, bank = again, Bank(again, shared=False)
    if not ways.player_bank and rotation.wagered and table.strikes("bank_not_offered", current):
        seated = [patron for patron in rotation.wagered if patron in table.patrons]
        if seated:
            bank = Bank(table.rng.choice(seated), shared=False)
            current.made = Made("bank_not_offered", bank.patron.seat, None, bank.wager)
    elif (
        again is None
        and bank is not None
        and not ways.co_bank
        and table.strikes("co_bank_not_offered", current)
    ):
        bank = Bank(bank.patron, shared=True)
        current.made = Made("co_bank_not_offered", bank.patron.seat, None, bank.wager)
    if bank is not None:
        table.script.wait(2000, 5000)
        table.script.tell(events.BankTaken, round=current.name, seat=bank.patron.seat, co_bank=bank.shared)
        table.script.wait(600, 1500)
    return bank


def place_wagers(
    table: Table, current: Round, bank: Bank, rotation: Rotation, house: Patron, span: int
) -> list[Move]:
    """Place the chips that cover the wagers, 535.11(d)(2), and the dealer's wager, 535.11(h)."""
    moves: list[Move] = []
    dealers = 0 if current.made is not None else rotation.dealers_wager(bank)
    if bank.shared and table.strikes("dealer_against_co_bank", current):
        dealers = rotation.wagered.get(bank.patron, LEAST_WAGER)
        current.made = Made("dealer_against_co_bank", 0, None, DEALERS)
    at_risk = sum(stake.cents for stake in current.stakes.values())
    chips = cover(at_risk + dealers)
    if not bank.shared and at_risk > _CHIP and table.strikes("bank_not_covering", current):
        chips = at_risk - _CHIP
        current.made = Made("bank_not_covering", bank.patron.seat, None, bank.wager)
    pocket(table, bank.patron, chips, current)
    before_exposure = span - 1000 * table.rng.randint(3000, 6000)
    moves.append((before_exposure, events.ChipsPlaced, lay(current, bank.patron, bank.wager, chips)))
    if dealers:
        table.tray -= dealers
        house.chips += dealers
        placed = lay(current, house, DEALERS, dealers)
        moves.append((before_exposure + 1000 * table.rng.randint(900, 2000), events.ChipsPlaced, placed))
    if table.strikes("bank_against_itself", current):
        cents = rotation.wagered.get(bank.patron, LEAST_WAGER)
        pocket(table, bank.patron, cents, current)
        placed = lay(current, bank.patron, MAIN, cents)
        moves.append((1000 * table.rng.randint(3000, 8000), events.ChipsPlaced, placed))
        current.made = Made("bank_against_itself", bank.patron.seat, None, MAIN)
    return moves


def place_unknown(table: Table, current: Round) -> list[Move]:
    """Accept a wager now and then on a spot that the text does not have."""
    if not table.patrons or not table.strikes("unknown_spot", current):
        return []
    patron, cents = table.rng.choice(table.patrons), table.rng.choice(SIDES)
    pocket(table, patron, cents, current)
    placed = lay(current, patron, "tie", cents, is_open=True)
    current.made = Made("unknown_spot", patron.seat, None, "tie")
    return [(1000 * table.rng.randint(3000, 9000), events.ChipsPlaced, placed)]


def leave_open(current: Round, bank: Bank | None) -> None:
    """Mark what no text settles once a stake is not as it must be."""
    if current.made is None or bank is None:
        return
    current.stakes[bank.key].is_open = True
    blamed = (current.made.seat, None, current.made.wager, None)
    for key, stake in current.stakes.items():
        if key == blamed or current.made.kind in ("bank_not_offered", "co_bank_not_offered"):
            stake.is_open = True
