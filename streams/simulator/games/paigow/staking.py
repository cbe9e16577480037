"""The time for wagers at Pai Gow: who banks, what stands against the bank, what must not lie there."""

from typing import Final

from schemas import events
from streams.simulator.games.paigow.banking import DEALERS, MAIN, Bank, Rotation, cover
from streams.simulator.games.paigow.rules import Ways
from streams.simulator.patrons import LEAST_WAGER, SIDES, Patron
from streams.simulator.table import Made, Round, Table
from streams.simulator.wagering import Move, lay, pocket

_CHIP: Final = 500


def offered(table: Table, current: Round, rotation: Rotation, ways: Ways) -> Bank | None:
    """Offer the bank where the house has players bank; let one be taken where it has not, 535.11(a), (e)."""
    bank = rotation.offer() if ways.player_bank else None
    if not ways.player_bank and rotation.wagered and table.strikes("bank_not_offered", current):
        seated = [patron for patron in rotation.wagered if patron in table.patrons]
        if seated:
            bank = Bank(table.rng.choice(seated), shared=False)
            current.made = Made("bank_not_offered", bank.patron.seat, None, bank.wager)
    elif bank is not None and not ways.co_bank and table.strikes("co_bank_not_offered", current):
        bank = Bank(bank.patron, shared=True)
        current.made = Made("co_bank_not_offered", bank.patron.seat, None, bank.wager)
    if bank is not None:
        table.script.wait(2000, 5000)
        table.script.tell(events.BankTaken, round=current.name, seat=bank.patron.seat, co_bank=bank.shared)
        table.script.wait(600, 1500)
    return bank


def stand(
    table: Table, current: Round, bank: Bank, rotation: Rotation, house: Patron, span: int
) -> list[Move]:
    """Lay the chips that cover the wagers, 535.11(d)(2), and the dealer's wager, 535.11(h)."""
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
    until_shown = span - 1000 * table.rng.randint(3000, 6000)
    moves.append((until_shown, events.ChipsPlaced, lay(current, bank.patron, bank.wager, chips)))
    if dealers:
        table.tray -= dealers
        house.chips += dealers
        placed = lay(current, house, DEALERS, dealers)
        moves.append((until_shown + 1000 * table.rng.randint(900, 2000), events.ChipsPlaced, placed))
    if table.strikes("bank_against_itself", current):
        cents = rotation.wagered.get(bank.patron, LEAST_WAGER)
        pocket(table, bank.patron, cents, current)
        placed = lay(current, bank.patron, MAIN, cents)
        moves.append((1000 * table.rng.randint(3000, 8000), events.ChipsPlaced, placed))
        current.made = Made("bank_against_itself", bank.patron.seat, None, MAIN)
    return moves


def unknown(table: Table, current: Round) -> list[Move]:
    """Take a wager now and then on a spot that the text does not know."""
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
