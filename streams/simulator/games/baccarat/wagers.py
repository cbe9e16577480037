"""The time for wagers: chips placed, added to and withdrawn, "no more bets", and what comes after it."""

from collections.abc import Iterator
from typing import Final

from schemas import events
from streams.simulator import schemes
from streams.simulator.games.baccarat.rules import BONUSES, MAIN, THREE_WAGERS, Ways
from streams.simulator.games.baccarat.table import Round, Table
from streams.simulator.patrons import LEAST_WAGER, SIDES, Patron
from streams.simulator.table import Made, Stake
from streams.simulator.wagering import Move, close, late, lay, place, pocket

_UNKNOWN_SPOTS: Final = ("perfect_pair", "lucky_6", "small_tiger")


def take_wagers(table: Table, current: Round) -> None:
    """Play the time for wagers, from the first chip to the reading of the stacks after "no more bets"."""
    span = 1000 * table.rng.randint(13_000, 21_000)
    moves: list[Move] = []
    for patron in table.patrons:
        for wager, cents in (
            schemes.wishes(table, patron)
            if isinstance(patron, schemes.Schemer)
            else wishes(patron, table.ways)
        ):
            if wager == "house_money" and table.shoe.left < _CARDS_OF_A_ROUND:
                continue
            moves += place(table, current, patron, wager, cents, span)
    moves += _improper(table, current, span)
    close(table, current, moves, span)
    _late(table, current)


# A round needs six cards at most; where there may be fewer, House Money could not be settled and then undone.
_CARDS_OF_A_ROUND: Final = 6


def wishes(patron: Patron, ways: Ways) -> Iterator[tuple[str, int]]:
    """Yield the wagers that this person would make in a round, and their cents."""
    rng = patron.rng
    main = None
    if rng.random() < 0.94:  # noqa: PLR2004  one round in sixteen is sat out except for side wagers
        main = "banker" if rng.random() < patron.likes_banker else "player"
        yield main, max(LEAST_WAGER, patron.base * rng.randint(60, 200) // 100 // patron.unit * patron.unit)
    for wager in ("tie", "dragon_7", "panda_8", *BONUSES, "house_money"):
        fancies = patron.likes_sides * (0.4 if wager in BONUSES and main and main not in wager else 0.8)
        if ways.offers(wager) and rng.random() < fancies:
            yield wager, rng.choice(SIDES)


def place_in_simulated_round(table: Table, current: Round) -> None:
    """Make a person wager, against 631a.15(d), in a simulated round."""
    patron = table.rng.choice(table.patrons)
    pocket(table, patron, patron.base, current)
    wager = table.rng.choice(MAIN)
    fields = lay(current, patron, wager, patron.base // 500 * 500, is_open=True)
    table.script.tell(events.ChipsPlaced, round=current.name, **fields)
    table.script.wait(1500, 3000)
    current.made = Made("wager_in_simulated_round", patron.seat, patron.bettor, wager)


def _not_offered(table: Table) -> list[tuple[str, tuple[str, ...]]]:
    """Return the wagers that the text has and this table does not offer."""
    ways = table.ways
    chances: list[tuple[str, tuple[str, ...]]] = []
    if ways.dragon_bonus is None:
        chances.append(("bonus_not_offered", BONUSES))
    if not ways.house_money and table.shoe.left >= _CARDS_OF_A_ROUND:
        chances.append(("house_money_not_offered", ("house_money",)))
    if not ways.ez:
        chances.append(("ez_wager_not_offered", ("dragon_7", "panda_8")))
    return chances


def _improper(table: Table, current: Round, span: int) -> list[Move]:
    """Place a wager that the text does not know or the house does not offer, if that fault is due."""
    rng = table.rng
    chances: list[tuple[str, tuple[str, ...]]] = [("unknown_spot", _UNKNOWN_SPOTS)]
    if table.plan.chapter not in THREE_WAGERS:
        chances += _not_offered(table)
    for kind, wagers in chances:
        if table.strikes(kind, current):
            patron, wager = rng.choice(table.patrons), rng.choice(wagers)
            cents = rng.choice((500, 1000, 2500))
            pocket(table, patron, cents, current)
            current.made = Made(kind, patron.seat, patron.bettor, wager)
            fields = lay(current, patron, wager, cents, is_open=True)
            return [(1000 * rng.randint(2500, span // 1000), events.ChipsPlaced, fields)]
    return []


def _late(table: Table, current: Round) -> None:
    """Make a person make, increase, reduce or withdraw a wager after "no more bets", 631a.8(c)."""
    # House Money would tie the wager to a payout; one fault is enough.
    free = [
        patron
        for patron in table.patrons
        if (patron.seat, patron.bettor, "house_money", None) not in current.stakes
    ]
    idle = [patron for patron in free if not _on_hands(current, patron)]
    stakes = [stake for patron in free for stake in _on_hands(current, patron)]
    late(table, current, idle, stakes, MAIN)


def _on_hands(current: Round, patron: Patron) -> list[Stake]:
    stakes = [current.stakes.get((patron.seat, patron.bettor, wager, None)) for wager in MAIN]
    return [stake for stake in stakes if stake is not None]
