"""The time for wagers: chips placed, added to and withdrawn, "no more bets", and what comes after it."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from schemas import events
from schemas.events import Reported
from streams.simulator.patrons import Patron
from streams.simulator.table import Made, Round, Stake, Table

# One chip movement: its moment in microseconds after the round opened, what it is, and its fields.
Move = tuple[int, type[Reported], dict[str, Any]]


def close(table: Table, current: Round, moves: Sequence[Move], span: int) -> None:
    """Play the moves out in the order of their moments, announce "no more bets", and read the stacks.

    `span` is how long wagers were taken, in microseconds.
    """
    script = table.script
    opened = script.now
    for moment, kind, fields in sorted(moves, key=lambda move: move[0]):
        script.now = opened + moment
        script.tell(kind, round=current.name, **fields)
    script.now = opened + span + 1000 * table.rng.randint(1500, 3500)
    script.tell(events.WagersClosed, round=current.name)
    see_stacks(table, current)


def place(table: Table, current: Round, patron: Patron, wager: str, cents: int, span: int) -> list[Move]:
    """Place a wager, at once or in two steps, now and then taking part of it or all of it back."""
    rng = table.rng
    pocket(table, patron, 2 * cents, current)
    fields = lay(current, patron, wager, cents)
    first = 1000 * rng.randint(2500, span // 2000)
    second = first + 1000 * rng.randint(900, span // 2000)
    way = rng.random()
    step = max(patron.unit, cents // 4 // patron.unit * patron.unit)
    if way < 0.10 and cents > step:  # noqa: PLR2004  one wager in ten is added to
        return [
            (first, events.ChipsPlaced, fields | {"cents": cents - step}),
            (second, events.ChipsPlaced, fields | {"cents": step}),
        ]
    if way < 0.13:  # noqa: PLR2004  a few are reduced
        return [
            (first, events.ChipsPlaced, fields | {"cents": cents + step}),
            (second, events.ChipsRemoved, fields | {"cents": step}),
        ]
    if way < 0.15:  # noqa: PLR2004  and a few withdrawn
        stake = current.stakes.pop((patron.seat, patron.bettor, wager, None))
        patron.chips += stake.cents
        return [(first, events.ChipsPlaced, fields), (second, events.ChipsRemoved, fields)]
    return [(first, events.ChipsPlaced, fields)]


def pocket(table: Table, patron: Patron, cents: int, current: Round) -> None:
    """Ensure that a person holds so many cents in chips."""
    while patron.chips < cents:
        table.script.wait(300, 900)
        table.buys_in(patron, current.name)


def lay(current: Round, patron: Patron, wager: str, cents: int, *, is_open: bool = False) -> dict[str, Any]:
    """Place chips on a spot; return the fields of the event. `is_open`: no text settles such a wager."""
    stake = Stake(patron, wager, cents, is_open=is_open)
    current.stakes[stake.key] = stake
    patron.chips -= cents
    return {"seat": patron.seat, "wager": wager, "cents": cents, "bettor": patron.bettor}


def see_stacks(table: Table, current: Round) -> None:
    """Make the second reader see each stack, once."""
    table.script.wait(40, 80)
    for stake in current.stakes.values():
        table.script.now += 10_000
        table.tell(events.StackSeen, current, stake, stake.cents)


def late(
    table: Table, current: Round, idle: Sequence[Patron], stakes: Sequence[Stake], wagers: Sequence[str]
) -> None:
    """Make a person make, increase, reduce or withdraw a wager after "no more bets".

    `idle` are those who have none of the main `wagers`, `stakes` are the wagers on them.
    """
    if idle and table.strikes("placed_late", current):
        _place_late(table, current, table.rng.choice(idle), wagers)
    for kind, change in _LATE.items():
        if stakes and table.strikes(kind, current):
            stake = table.rng.choice(stakes)
            table.script.wait(1200, 2600)
            stake.is_open = True
            seat, bettor, wager, _ = stake.key
            current.made = Made(kind, seat, bettor, wager)
            change(table, current, stake)


def _place_late(table: Table, current: Round, patron: Patron, wagers: Sequence[str]) -> None:
    cents = patron.base // 500 * 500
    pocket(table, patron, cents, current)
    table.script.wait(1200, 2600)
    wager = table.rng.choice(wagers)
    fields = lay(current, patron, wager, cents, is_open=True)
    table.script.tell(events.ChipsPlaced, round=current.name, **fields)
    current.made = Made("placed_late", patron.seat, patron.bettor, wager)


def _increase_late(table: Table, current: Round, stake: Stake) -> None:
    cents = stake.patron.base // 500 * 500
    pocket(table, stake.patron, cents, current)
    stake.patron.chips -= cents
    stake.cents += cents
    table.tell(events.ChipsPlaced, current, stake, cents)


def _reduce_late(table: Table, current: Round, stake: Stake) -> None:
    take_back(table, current, stake, stake.cents // 2 // stake.patron.unit * stake.patron.unit)


def _withdraw_late(table: Table, current: Round, stake: Stake) -> None:
    take_back(table, current, stake, stake.cents)


def take_back(table: Table, current: Round, stake: Stake, cents: int) -> None:
    """Withdraw chips of a wager."""
    stake.patron.chips += cents
    stake.cents -= cents
    table.tell(events.ChipsRemoved, current, stake, cents)


_LATE: Final[dict[str, Callable[[Table, Round, Stake], None]]] = {
    "increased_late": _increase_late,
    "reduced_late": _reduce_late,
    "withdrawn_late": _withdraw_late,
}
