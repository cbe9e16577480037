"""How many clean shoes of each game are warned of or accused: `make bench-shoes`, for docs/shoes.md.

A thousand shoes of each game are shuffled and dealt to the cover card, each after two
others, and taken by the engine's account of a shoe round by round, at each rate that a house may choose.
"""

import random
from collections.abc import Iterator
from datetime import date
from typing import Final

import click

from projections.engine.accounts.shoe_account import ShoeAccount
from projections.engine.accounts.shoe_order import (
    CERTAIN,
    ShoeOrder,
    chance_of_run,
    orders_to_compare,
    references,
)
from projections.engine.observation import Round
from projections.engine.pack import Pack
from tests.builders.shoes import DECKS, HANDS

DAY: Final = date(2025, 3, 1)
ONE_IN: Final = (100, 1000, 10_000)
SHOES: Final = 1000
_NO_TENS: Final = "A23456789JQK"


def rounds_of(cards: list[str], rng: random.Random) -> Iterator[Round]:
    """Deal rounds of four to six cards until the cover card is out."""
    hands = ("player", "banker", "player", "banker", "player", "banker")
    at, behind = 2, rng.randint(14, 22)
    while len(cards) - at >= behind:
        dealt = cards[at : at + rng.randint(4, 6)]
        at += len(dealt)
        yield Round("T", "1", DAY, 0, play=list(zip(hands, dealt, strict=False)))


def alarms(pack: Pack, one_in: int, seed: str) -> dict[str, int]:
    """Count the shoes that are warned of, by what, and those that are accused."""
    rng = random.Random(seed)  # noqa: S311  a bench that can be repeated
    found = {"cards_stay_away": 0, "order_preserved": 0, "proof": 0, "card_not_in_deck": 0}
    earlier: tuple[str, ...] = ()
    for _ in range(SHOES):
        cards = [*pack.cards()] * pack.decks
        rng.shuffle(cards)
        account = ShoeAccount(face_down=2)
        order, is_rare, surplus = ShoeOrder(references=references(pack, earlier)), False, False
        for observed in rounds_of(cards, rng):
            surplus = bool(account.count(observed, pack)) or surplus
            account.look_for_absence(pack, one_in)
            is_rare = is_rare or account.is_rare
            order = order.then(observed, pack, one_in)
        order = order.end((), pack, one_in)
        earlier = orders_to_compare(order.arrangements, earlier)
        found["cards_stay_away"] += is_rare
        found["order_preserved"] += bool(order.runs or order.likeness)
        found["proof"] += any(chance_of_run(run.length, pack) * CERTAIN < 1 for run in order.runs)
        found["card_not_in_deck"] += surplus
    return found


def main() -> None:
    """Print a row for each game and rate."""
    for chapter in HANDS:
        pack = Pack(DECKS[chapter], _NO_TENS) if chapter == "551" else Pack(DECKS[chapter])
        for one_in in ONE_IN:
            row = alarms(pack, one_in, f"{chapter} {one_in}")
            click.echo(f"| {chapter} | 1 in {one_in} | {' | '.join(map(str, row.values()))} |")


if __name__ == "__main__":
    main()
