"""Faults of a shoe from the beginning: its cards, or their order; and its count at the end.

A table that reports the floor's procedures counts what is left in each shoe at its end. There a shoe may be
short of a card or of decks, have a card too many, or hold cards that were not shuffled. For other tables
nothing is reported, and nothing drawn.
"""

from collections.abc import Mapping
from random import Random
from typing import Final

from msgspec import Struct

from schemas import events
from schemas.values import RANKS
from streams.simulator.kinds import Kind
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.shoe import Shoe
from streams.simulator.table import Table

# docs/faults.md explains each kind.
SHOES: Final[Mapping[str, Kind]] = {
    "card_missing_from_shoe": Kind("cards_not_conserved", 0.03, "shoe"),
    "card_too_many_in_shoe": Kind("cards_not_conserved", 0.03, "shoe"),
    "decks_missing_from_shoe": Kind("cards_not_conserved", 0.02, "shoe"),
    "false_shuffle": Kind("order_preserved", 0.02, "shoe after another"),
    "slug": Kind("order_preserved", 0.03, "shoe after another"),
    "unshuffled_pack": Kind("order_preserved", 0.02, "shoe"),
}
_OF_ORDER: Final = ("false_shuffle", "slug", "unshuffled_pack")
_WHOLE_SHOE: Final = ("false_shuffle", "unshuffled_pack")
_OF_LAST_SHOE: Final = ("false_shuffle", "slug")
_ENOUGH: Final = 60  # cards of a shoe whose order can be preserved
_PROOF: Final = 10  # so many cards in an earlier order are surely found
_SLUG: Final = (16, 30)
_EARLIEST_SLUG: Final = 20  # after what is burned


class Breach(Struct, frozen=True):
    """Fault of a shoe: the kind, the day, and up to which card it must be dealt for it to show."""

    kind: str
    gaming_date: str
    until: int = 0


def counts_shoes(table: Table) -> bool:
    """Return True if a table counts what is left in its shoes."""
    return "pit" in table.plan.devices


def breach(table: Table, shoe: Shoe, before: Shoe | None) -> Breach | None:
    """Make at most one fault in a shoe before it is loaded; `before` is the last one in order."""
    if not counts_shoes(table):
        return None
    last = before if before is not None and before.drawn >= _ENOUGH and _holds_same(before, shoe) else None
    for kind in SHOES:
        if (last is not None or kind not in _OF_LAST_SHOE) and table.strikes(kind):
            return Breach(kind, table.gaming_date(), _make(kind, shoe, last or shoe, table.rng))
    return None


def _make(kind: str, shoe: Shoe, last: Shoe, rng: Random) -> int:
    """Make a breach of a kind; return up to which card the shoe must be dealt for it to show."""
    match kind:
        case "card_missing_from_shoe":
            shoe.cards.pop(rng.randrange(len(shoe.cards)))
        case "card_too_many_in_shoe":
            shoe.cards.insert(rng.randrange(len(shoe.cards)), rng.choice(shoe.cards))
        case "decks_missing_from_shoe":
            _take_decks(shoe, rng)
        case "slug":
            return _slip_slug(shoe, last, rng)
        case _:
            shoe.cards = _cut(last.cards if kind == "false_shuffle" else _new_decks(shoe), rng)
            return _PROOF - 1
    return 0


def end_shoe(table: Table, shoe: Shoe, made: Breach | None) -> None:
    """Count what is left in a shoe, and label what was wrong with it where it has shown."""
    if not counts_shoes(table) or not any(each.shoe == shoe.name for each in table.past[-1:]):
        return
    table.script.wait(20_000, 40_000)
    table.script.tell(
        events.ShoeCounted, shoe=shoe.name, left=shoe.left, cards=tuple(shoe.to_come(shoe.left))
    )
    if made is None:
        return
    # A whole shoe in an earlier order shows as soon as a run of it was read; a slug at its place.
    if shoe.drawn - (shoe.read_from if made.kind in _WHOLE_SHOE else 0) < made.until:
        return
    table.labels.append(
        FaultLabel(
            fault=made.kind,
            table=table.plan.name,
            gaming_date=made.gaming_date,
            round=None,
            shoe=shoe.name,
            primary=ExpectedFinding(check=str(SHOES[made.kind].check), shoe=shoe.name),
            follows=[],
            delta_cents=None,
        )
    )


def _holds_same(one: Shoe, other: Shoe) -> bool:
    """Return True if two shoes hold the same cards."""
    return sorted(one.cards) == sorted(other.cards)


def is_in_order(made: Breach | None) -> bool:
    """Return True if a shoe's cards are those of its decks, so that the next shoe may be of the same."""
    return made is None or keeps_order(made)


def keeps_order(made: Breach | None) -> bool:
    """Return True if a shoe's cards lie in an order that they had before: no other may be put among them."""
    return made is not None and made.kind in _OF_ORDER


def _take_decks(shoe: Shoe, rng: Random) -> None:
    """Remove some whole decks from a shoe, half of them at most."""
    missing = rng.randint(1, shoe.decks // 2)
    for card in [card for card in dict.fromkeys(shoe.cards) for _ in range(missing)]:
        shoe.cards.remove(card)


def _new_decks(shoe: Shoe) -> list[str]:
    """Return new decks as they are packed: spades and diamonds from the ace, the others from the king."""
    ranks = [rank for rank in RANKS if rank + "s" in shoe.cards]
    deck = [rank + suit for suit in "sd" for rank in ranks]
    deck += [rank + suit for suit in "ch" for rank in reversed(ranks)]
    return deck * shoe.decks


def _cut(cards: list[str], rng: Random) -> list[str]:
    depth = rng.randint(_PROOF, len(cards) - _PROOF)
    return cards[depth:] + cards[:depth]


def _slip_slug(shoe: Shoe, before: Shoe, rng: Random) -> int:
    """Leave some cards together as the last shoe dealt them; return up to where they must be dealt."""
    length = rng.randint(*_SLUG)
    first = rng.randrange(_EARLIEST_SLUG, before.drawn - length)
    slug = before.cards[first : first + length]
    for card in slug:
        shoe.cards.remove(card)
    place = rng.randint(_EARLIEST_SLUG, len(shoe.cards) // 3)
    shoe.cards[place:place] = slug
    return place + _PROOF
