"""The time for wagers: chips placed, added to and withdrawn, "no more bets", and what comes after it."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from schemas import events
from schemas.events import Reported
from streams.simulator.games.baccarat.rules import BONUSES, MAIN, Ways
from streams.simulator.games.baccarat.table import Round, Table
from streams.simulator.patrons import LEAST_WAGER, SIDES, Patron
from streams.simulator.table import Made, Stake

_UNKNOWN_SPOTS: Final = ("perfect_pair", "lucky_6", "small_tiger")

# One chip movement: its moment in microseconds after the round opened, what it is, and its fields.
_Move = tuple[int, type[Reported], dict[str, Any]]


def take_wagers(table: Table, current: Round) -> None:
    """Play the time for wagers, from the first chip to the reading of the stacks after "no more bets"."""
    script = table.script
    span = 1000 * table.rng.randint(13_000, 21_000)
    moves: list[_Move] = []
    for patron in table.patrons:
        for wager, cents in wishes(patron, table.ways):
            if wager == "house_money" and table.shoe.left < _CARDS_OF_A_ROUND:
                continue
            moves += _place(table, current, patron, wager, cents, span)
    moves += _improper(table, current, span)
    opened = script.now
    for moment, kind, fields in sorted(moves, key=lambda move: move[0]):
        script.now = opened + moment
        script.tell(kind, round=current.name, **fields)
    script.now = opened + span + 1000 * table.rng.randint(1500, 3500)
    script.tell(events.WagersClosed, round=current.name)
    _see_stacks(table, current)
    _late(table, current)


# A round needs six cards at most; where there may be fewer, House Money could not be settled and then undone.
_CARDS_OF_A_ROUND: Final = 6


def wishes(patron: Patron, ways: Ways) -> Iterator[tuple[str, int]]:
    """Name the wagers that this person would make in a round, and their cents."""
    rng = patron.rng
    main = None
    if rng.random() < 0.94:  # noqa: PLR2004  one round in sixteen is sat out but for side wagers
        main = "banker" if rng.random() < patron.likes_banker else "player"
        yield main, max(LEAST_WAGER, patron.base * rng.randint(60, 200) // 100 // patron.unit * patron.unit)
    for wager in ("tie", "dragon_7", "panda_8", *BONUSES, "house_money"):
        fancies = patron.likes_sides * (0.4 if wager in BONUSES and main and main not in wager else 0.8)
        if ways.offers(wager) and rng.random() < fancies:
            yield wager, rng.choice(SIDES)


def place_in_simulated_round(table: Table, current: Round) -> None:
    """Let a person wager, against 631a.15(d), in a simulated round."""
    patron = table.rng.choice(table.patrons)
    _pocket(table, patron, patron.base, current)
    wager = table.rng.choice(MAIN)
    fields = _lay(current, patron, wager, patron.base // 500 * 500, is_open=True)
    table.script.tell(events.ChipsPlaced, round=current.name, **fields)
    table.script.wait(1500, 3000)
    current.made = Made("wager_in_simulated_round", patron.seat, patron.bettor, wager)


def _place(table: Table, current: Round, patron: Patron, wager: str, cents: int, span: int) -> list[_Move]:
    """Lay a wager, at once or in two steps, now and then taking part of it or all of it back."""
    rng = table.rng
    _pocket(table, patron, 2 * cents, current)
    fields = _lay(current, patron, wager, cents)
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


def _pocket(table: Table, patron: Patron, cents: int, current: Round) -> None:
    while patron.chips < cents:
        table.script.wait(300, 900)
        table.buys_in(patron, current.name)


def _lay(current: Round, patron: Patron, wager: str, cents: int, *, is_open: bool = False) -> dict[str, Any]:
    stake = Stake(patron, wager, cents, is_open=is_open)
    current.stakes[stake.key] = stake
    patron.chips -= cents
    return {"seat": patron.seat, "wager": wager, "cents": cents, "bettor": patron.bettor}


def _improper(table: Table, current: Round, span: int) -> list[_Move]:
    """Lay a wager that the text does not know or the house does not offer, if that fault is to be made."""
    ways, rng = table.ways, table.rng
    chances: list[tuple[str, tuple[str, ...]]] = [("unknown_spot", _UNKNOWN_SPOTS)]
    if ways.dragon_bonus is None:
        chances.append(("bonus_not_offered", BONUSES))
    if not ways.house_money and table.shoe.left >= _CARDS_OF_A_ROUND:
        chances.append(("house_money_not_offered", ("house_money",)))
    if not ways.ez:
        chances.append(("ez_wager_not_offered", ("dragon_7", "panda_8")))
    for kind, wagers in chances:
        if table.strikes(kind, current):
            patron, wager, cents = (
                rng.choice(table.patrons),
                rng.choice(wagers),
                rng.choice((500, 1000, 2500)),
            )
            _pocket(table, patron, cents, current)
            current.made = Made(kind, patron.seat, patron.bettor, wager)
            fields = _lay(current, patron, wager, cents, is_open=True)
            return [(1000 * rng.randint(2500, span // 1000), events.ChipsPlaced, fields)]
    return []


def _see_stacks(table: Table, current: Round) -> None:
    table.script.wait(40, 80)
    for stake in current.stakes.values():
        table.script.now += 10_000
        table.script.tell(
            events.StackSeen,
            round=current.name,
            seat=stake.patron.seat,
            wager=stake.wager,
            cents=stake.cents,
            bettor=stake.patron.bettor,
        )


def _late(table: Table, current: Round) -> None:
    """Let a person make, increase, reduce or withdraw a wager after "no more bets", 631a.8(c)."""
    # House Money would tie the wager to a payout; one fault is enough.
    free = [
        patron
        for patron in table.patrons
        if (patron.seat, patron.bettor, "house_money", None) not in current.stakes
    ]
    idle = [patron for patron in free if not _on_hands(current, patron)]
    if idle and table.strikes("placed_late", current):
        _place_late(table, current, table.rng.choice(idle))
    held = [stake for patron in free for stake in _on_hands(current, patron)]
    for kind, change in _LATE.items():
        if held and table.strikes(kind, current):
            stake = table.rng.choice(held)
            table.script.wait(1200, 2600)
            stake.is_open = True
            seat, bettor, wager, _ = stake.key
            current.made = Made(kind, seat, bettor, wager)
            change(table, current, stake)


def _on_hands(current: Round, patron: Patron) -> list[Stake]:
    stakes = [current.stakes.get((patron.seat, patron.bettor, wager, None)) for wager in MAIN]
    return [stake for stake in stakes if stake is not None]


def _place_late(table: Table, current: Round, patron: Patron) -> None:
    cents = patron.base // 500 * 500
    _pocket(table, patron, cents, current)
    table.script.wait(1200, 2600)
    wager = table.rng.choice(MAIN)
    fields = _lay(current, patron, wager, cents, is_open=True)
    table.script.tell(events.ChipsPlaced, round=current.name, **fields)
    current.made = Made("placed_late", patron.seat, patron.bettor, wager)


def _increase_late(table: Table, current: Round, stake: Stake) -> None:
    cents = stake.patron.base // 500 * 500
    _pocket(table, stake.patron, cents, current)
    stake.patron.chips -= cents
    stake.cents += cents
    _move(table, current, events.ChipsPlaced, stake, cents)


def _reduce_late(table: Table, current: Round, stake: Stake) -> None:
    _take_back(table, current, stake, stake.cents // 2 // stake.patron.unit * stake.patron.unit)


def _withdraw_late(table: Table, current: Round, stake: Stake) -> None:
    _take_back(table, current, stake, stake.cents)


def _take_back(table: Table, current: Round, stake: Stake, cents: int) -> None:
    stake.patron.chips += cents
    stake.cents -= cents
    _move(table, current, events.ChipsRemoved, stake, cents)


def _move(table: Table, current: Round, kind: type[Reported], stake: Stake, cents: int) -> None:
    seat, bettor, wager, _ = stake.key
    table.script.tell(kind, round=current.name, seat=seat, wager=wager, cents=cents, bettor=bettor)


_LATE: Final[dict[str, Callable[[Table, Round, Stake], None]]] = {
    "increased_late": _increase_late,
    "reduced_late": _reduce_late,
    "withdrawn_late": _withdraw_late,
}
