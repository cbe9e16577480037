"""`make shuffles`: how like an earlier order a shuffled shoe is by chance, measured on seeded shuffles.

What is written into projections/engine/accounts/shuffles.json are the critical values of the two figures of a
whole shoe (projections/engine/accounts/shoe_order.py): for each pack and each rate of false alarms that a
house may choose, by how many the neighbours that were neighbours before must be above what is expected, and
the rising sequences below it, so that a quarter of that rate at most is due to each. The greatest of all the
orders that a shoe is compared with counts: two new decks and two earlier shoes, rising sequences both ways.
"""

import math
from typing import Any, Final

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from projections.engine.accounts.shoe_order import TABLE, Critical, compared, pack_name, references
from projections.engine.pack import Pack

PACKS: Final = (
    *(Pack(decks) for decks in (4, 5, 6, 7, 8)),
    *(Pack(decks, "A23456789JQK") for decks in (6, 8)),
)
ONE_IN: Final = (100, 1000, 10_000)
SHUFFLES: Final = 400_000
_AT_ONCE: Final = 2_000
_SHARE: Final = 4  # a quarter of the false alarms for each figure

Cards = NDArray[np.int64]


def main() -> None:
    """Measure every pack again and write the table."""
    table = {pack_name(pack): critical(pack, SHUFFLES) for pack in PACKS}
    TABLE.write_bytes(msgspec.json.format(msgspec.json.encode(table), indent=2) + b"\n")


def critical(pack: Pack, shuffles: int) -> Critical:
    """Return the critical values of a pack, from so many shuffled shoes."""
    rng = np.random.default_rng([2026, pack.decks, pack.kinds])
    neighbours, rising = [], []
    for _ in range(math.ceil(shuffles / _AT_ONCE)):
        adjacent, passes = figures(pack, rng)
        neighbours.append(adjacent)
        rising.append(passes)
    click.echo(f"{pack_name(pack)}: measured")
    return Critical(_levels(np.concatenate(neighbours)), _levels(np.concatenate(rising)))


def _levels(figures_of_shoes: NDArray[np.float64]) -> dict[int, int]:
    """Return for each rate the least whole figure that no more than a quarter of it of the shoes reach."""
    ordered = np.sort(figures_of_shoes)[::-1]
    return {one_in: math.floor(ordered[len(ordered) // (_SHARE * one_in)]) + 1 for one_in in ONE_IN}


def figures(pack: Pack, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return of some shuffled shoes how far they are above and below the mean by either figure."""
    deck = np.repeat(np.arange(pack.kinds), pack.decks)
    earlier = [rng.permutation(deck) for _ in range(2)]
    letters = references(pack, ()).split("\n")
    coded = {letter: code for code, letter in enumerate(sorted(set("".join(letters))))}
    new_decks = [np.array([coded[letter] for letter in each]) for each in compared(letters)]
    shoes = rng.permuted(np.tile(deck, (_AT_ONCE, 1)), axis=1)
    in_turn = np.argsort(shoes, axis=1, kind="stable")
    above = np.full(_AT_ONCE, -np.inf)
    below = np.full(_AT_ONCE, -np.inf)
    for reference in (*new_decks, *earlier):
        above = np.maximum(above, excess_of_neighbours(shoes, reference, pack))
        for each in (reference, reference[::-1]):
            below = np.maximum(below, lack_of_rising(in_turn, each, pack))
    return above, below


def excess_of_neighbours(shoes: Cards, reference: Cards, pack: Pack) -> NDArray[np.float64]:
    """Return by how many neighbours each shoe is above what is expected."""
    adjacent = np.zeros((pack.kinds, pack.kinds), dtype=bool)
    adjacent[reference[:-1], reference[1:]] = adjacent[reference[1:], reference[:-1]] = True
    of_a_kind = int(np.trace(adjacent))
    ways = (int(adjacent.sum()) - of_a_kind) * pack.decks**2 + of_a_kind * pack.decks * (pack.decks - 1)
    expected = (pack.size - 1) * ways / (pack.size * (pack.size - 1))
    counted: NDArray[np.float64] = adjacent[shoes[:, :-1], shoes[:, 1:]].sum(axis=1) - expected
    return counted


def lack_of_rising(in_turn: Cards, reference: Cards, pack: Pack) -> NDArray[np.float64]:
    """Return by how many rising sequences each shoe is below half its cards.

    `in_turn` are the places of the cards of each kind in each shoe, kind by kind. Of a reference that holds
    fewer cards than the pack the first cards of each kind are met.
    """
    kind_starts = np.arange(pack.kinds) * pack.decks
    turns: dict[int, int] = {}
    columns = []
    for kind in reference.tolist():
        turn = turns.get(kind, 0)
        if turn < pack.decks:
            turns[kind] = turn + 1
            columns.append(int(kind_starts[kind]) + turn)
    places = in_turn[:, columns]
    sequences: Any = 1 + (places[:, 1:] < places[:, :-1]).sum(axis=1)
    lack: NDArray[np.float64] = (len(columns) + 1) / 2 - sequences
    return lack


if __name__ == "__main__":
    main()
