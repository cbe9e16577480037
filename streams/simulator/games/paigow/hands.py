"""Setting of each position's four tiles, 535.10(a) to (d), and by whom."""

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec import Struct, field

from streams.simulator.games.paigow.deal import draw
from streams.simulator.games.paigow.rules import (
    Set,
    Tile,
    Ways,
    house_ways,
    in_order,
    is_zero,
    settings,
    worth,
)
from streams.simulator.games.paigow.wagers import Bank
from streams.simulator.table import Made, Round, Table

_NOTICED: Final = 0.006
_BY_THE_BOOK: Final = 0.8
_REVERSED: Final = 0.012


class Laid(Struct):
    """The hands by position as they are laid in the end; `before` is what was set again, 535.12(f).

    `instead` are the right settings of hands that are set wrongly.
    """

    final: dict[str, Set] = field(default_factory=dict)
    before: dict[str, Set] = field(default_factory=dict)
    instead: dict[str, list[Set]] = field(default_factory=dict)


def set_all(table: Table, current: Round, positions: Sequence[str], bank: Bank | None, ways: Ways) -> Laid:
    """Set the hands of all positions that are compared.

    A deal is not played if the text leaves the dealer's wager open after it: if his low hand of zero is above
    the bank's, which 535.10(g) loses for a player and 535.11(n) does not mention.
    """
    while True:
        table.is_staged = False
        tiles = draw(table, current, positions)
        if bank is None or "dealer" not in tiles or not _leaves_open(tiles["dealer"], tiles[bank.position]):
            break
    laid = Laid()
    for position, four in tiles.items():
        if position == "dealer" or (bank is not None and bank.shared and position == bank.position):
            _set_by_the_house(table, current, position, four, ways, laid)
        else:
            banks = bank is not None and position == bank.position
            laid.final[position] = _set_freely(table.rng, four, ways, may_err=not banks)
    return laid


def _leaves_open(dealers: Sequence[Tile], banks: Sequence[Tile]) -> bool:
    return any(
        is_zero(low) and worth(low) > worth(other)
        for _, low in settings(dealers)
        for _, other in settings(banks)
    )


def _set_by_the_house(
    table: Table, current: Round, position: str, tiles: Sequence[Tile], ways: Ways, laid: Laid
) -> None:
    right = house_ways(tiles, ways)
    laid.final[position] = table.rng.choice(right)
    wrong = [each for each in settings(tiles) if each not in right]
    if not wrong:
        return
    kind = "set_wrong_way" if position == "dealer" else "co_bank_set_wrong_way"
    if table.strikes(kind, current):
        current.made = Made(kind, who=position)
        laid.final[position] = table.rng.choice(wrong)
        laid.instead[position] = right
    elif table.rng.random() < _NOTICED:
        laid.before[position] = table.rng.choice(wrong)


def _set_freely(rng: Random, tiles: Sequence[Tile], ways: Ways, *, may_err: bool) -> Set:
    """Set a player's hands: most as the house would, some otherwise, a few with the better hand low."""
    every = house_ways(tiles, ways) if rng.random() < _BY_THE_BOOK else settings(tiles)
    high, low = rng.choice(every)
    if may_err and rng.random() < _REVERSED and in_order((low, high)) != (low, high):
        return low, high
    return high, low
