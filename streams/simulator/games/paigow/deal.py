"""The shaker, the eight stacks and the tiles in them, 535.8 and 535.12(a) to (e)."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final, Literal, TypeAlias

from schemas import events
from streams.simulator.games.paigow.procedures import TileProcedures
from streams.simulator.games.paigow.rules import CIRCLE, SET, Tile, first_stack, stacks_from
from streams.simulator.table import Made, Round, Table

# The end of the round: it goes on; it is void and called so, or played all the same; no text decides.
Fate: TypeAlias = Literal["sound", "called", "overlooked", "open"]

_NO_ROLL: Final = 0.012
_NOTICED: Final = 0.006
_TILE_EXPOSED: Final = 0.02
_PIPS: Final = 6


def shake(table: Table, current: Round) -> tuple[int, int | None]:
    """Shake the dice, again where they did not land flat; give the total, and the cancelled one if any."""
    cancelled = None
    table.script.wait(3000, 6000)
    total = _roll(table, current)
    if table.rng.random() < _NO_ROLL:
        cancelled = total
        table.script.wait(1500, 3000)
        table.script.tell(events.RollCancelled, round=current.name)
        table.script.wait(4000, 7000)
        total = _roll(table, current)
    return total, cancelled


def _roll(table: Table, current: Round) -> int:
    dice = sorted((table.rng.randint(1, _PIPS) for _ in range(3)), reverse=True)
    table.script.tell(events.DiceRolled, round=current.name, dice="-".join(map(str, dice)))
    return sum(dice)


def deal(table: Table, current: Round, banker: str, procedures: TileProcedures) -> Fate:
    """Shake the dice and deal the stacks, rightly, or with a fault; `banker` is who counts as number one."""
    total, cancelled = shake(table, current)
    right = first_stack(total, banker)
    fate: Fate
    first, fate = right, "sound"
    if cancelled is not None and first_stack(cancelled, banker) != right:
        if table.strikes("cancelled_roll_used", current):
            first, fate = first_stack(cancelled, banker), "overlooked"
            current.made = Made("cancelled_roll_used", who=first)
    elif table.strikes("first_stack_misplaced", current):
        first, fate = _wrong_first(table, right, banker, total), "overlooked"
        current.made = Made("first_stack_misplaced", who=first)
    elif current.made is None and table.rng.random() < _NOTICED:
        first, fate = _wrong_first(table, right, banker, total), "called"
    order = stacks_from(first)
    if fate == "sound":
        order, fate = _disorder(table, current, order)
    table.script.wait(1500, 3000)
    for position, stacks in zip(order, procedures.stacks(current, len(order)), strict=True):
        table.script.wait(700, 1200)
        table.script.tell(events.TilesDealt, round=current.name, position=position, stacks=stacks)
    return fate


def _wrong_first(table: Table, right: str, banker: str, total: int) -> str:
    """Count one too many or too few, or from the dealer though a player banks."""
    place = CIRCLE.index(right)
    wrong = [CIRCLE[place - 1], CIRCLE[(place + 1) % len(CIRCLE)]]
    return table.rng.choice([*wrong, first_stack(total)] if banker != "dealer" else wrong)


def _disorder(table: Table, current: Round, order: list[str]) -> tuple[list[str], Fate]:
    """Exchange the stacks of two neighbours, or forget one without a wager; the first is right."""
    if table.strikes("stacks_exchanged", current):
        place = table.rng.randrange(1, len(order) - 1)
        current.made = Made("stacks_exchanged")
        return [*order[:place], order[place + 1], order[place], *order[place + 2 :]], "open"
    if order[0] != "dead" and table.strikes("stack_left_out", current):
        current.made = Made("stack_left_out", who="dead")
        return [position for position in order if position != "dead"], "open"
    return order, "sound"


def call_void(table: Table, current: Round) -> None:
    """Call all hands void, 535.12(c), (e)."""
    table.script.wait(2500, 6000)
    table.script.tell(events.RoundVoided, round=current.name)


def show_a_tile(
    table: Table, current: Round, wagered: Sequence[str], safe: Collection[str]
) -> tuple[Fate, str | None]:
    """Make the dealer turn over a tile too early now and then, 535.12(d), (e).

    `wagered` are the seats that wager, whose owners may play on or void their hands; the hands in `safe` are
    spared. Return the round's fate, and the seat whose hand was voided.
    """
    if current.made is not None or table.is_staged or table.rng.random() >= _TILE_EXPOSED:
        return "sound", None
    position = table.rng.choice([each for each in CIRCLE if each not in safe])
    table.script.wait(1500, 3000)
    table.script.tell(events.HandExposed, round=current.name, position=position)
    if position in wagered:
        voids = table.rng.random() < 0.5  # noqa: PLR2004  as many do as do not
        table.script.wait(2000, 5000)
        table.script.tell(
            events.HandDecided, round=current.name, hand=position, decision="void" if voids else "play"
        )
        return "sound", position if voids else None
    if table.strikes("exposed_and_played", current):
        current.made = Made("exposed_and_played", who=position)
        return "overlooked", None
    return "called", None


def draw(table: Table, current: Round, positions: Sequence[str]) -> dict[str, list[Tile]]:
    """Draw four tiles for each position; now and then one is not of the set."""
    mixed = table.rng.sample(SET, 4 * len(positions))
    tiles = {position: mixed[4 * place : 4 * place + 4] for place, position in enumerate(positions)}
    if table.strikes("foreign_tile", current):
        table.is_staged = True  # until it is seen, or the round is over
        exchange(table, tiles)
    return tiles


def exchange(table: Table, tiles: dict[str, list[Tile]]) -> None:
    """Exchange a tile for one of a kind whose every tile is already among those that will be seen."""
    lying = Counter(tile for each in tiles.values() for tile in each)
    pairs = sorted(tile for tile, count in lying.items() if count == SET.count(tile))
    if not pairs:
        return
    kind = table.rng.choice(pairs)
    others = [
        (position, place)
        for position, each in tiles.items()
        for place, tile in enumerate(each)
        if tile != kind
    ]
    position, place = table.rng.choice(others)
    tiles[position][place] = kind
