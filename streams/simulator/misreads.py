"""Readings that were wrong or could not be made: of cards, of stacks, of payments.

A reading is only wrong if a second connected source has it too, so that it can be noticed. Payments of one
round are not misread by sums that cancel each other out: the tray then agrees, and nothing distinguishes them
from chips that went to the wrong seat.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from schemas import events
from schemas.values import RANKS, SUITS
from streams.simulator.labels import SensorLabel
from streams.simulator.plan import Plan
from streams.simulator.script import Happening

_CARDS: Final = (events.CardDrawn, events.CardSeen)
_SETTLED: Final = (events.ChipsPaid, events.ChipsCollected)
_DEALER: Final = 0  # what his wager wins or loses the tray reader sees only through the other seats' chips
_CHIP: Final = 500
_BOTH_COUNTS: Final = 2


def misread(
    plan: Plan, rng: Random, rates: dict[str, float], happenings: list[Happening], labels: list[SensorLabel]
) -> None:
    """Replace readings by wrong ones in place, and label each."""
    chances = (
        ("card_misread", _card_pairs, _another_card),
        ("card_unread", _cards, _half_a_card),
        ("stack_misread", _double_read_sums, _another_sum),
    )
    touched: set[int] = set()
    off: dict[str | None, int] = {}  # by round, how far what was read of payments is from the tray, in cents
    for kind, find, reading in chances:
        if not rates[kind]:
            continue
        for places in find(happenings):
            if rng.random() >= rates[kind] or touched.intersection(places):
                continue
            place = rng.choice(places)
            true = happenings[place]
            changed = reading(true, rng)
            if changed is None:
                continue
            if true.kind in _SETTLED and kind == "stack_misread":
                left = off.get(true.round, 0) + _off(true, changed["cents"])
                if not left:
                    continue
                off[true.round] = left
            touched.update(places)
            happenings[place] = Happening(true.at, true.kind, {**true.fields, **changed}, true.shoe)
            labels.append(_label(kind, plan, true, changed))


def _off(true: Happening, read: int) -> int:
    """Return by how many cents a misread payment makes the tray's account differ from its content."""
    gone: int = true.fields["cents"] - read
    return gone if true.kind is events.ChipsPaid else -gone


def _label(kind: str, plan: Plan, true: Happening, changed: dict[str, Any]) -> SensorLabel:
    return SensorLabel(
        sensor=kind,
        table=plan.name,
        device=plan.devices[true.source],
        rounds=[true.round] if true.round is not None else [],
        shoes=[],
        detail={
            "event": true.kind.__name__,
            "true": {name: true.fields[name] for name in changed},
            "read": changed,
        },
    )


def _cards(happenings: Sequence[Happening]) -> Iterator[list[int]]:
    for place, each in enumerate(happenings):
        if each.kind in _CARDS:
            yield [place]


def _card_pairs(happenings: Sequence[Happening]) -> Iterator[list[int]]:
    """Find the cards that both shoe and camera read: the camera's reading follows the shoe's."""
    for place in range(len(happenings) - 1):
        drawn_event, card_seen = happenings[place], happenings[place + 1]
        if (
            drawn_event.kind is events.CardDrawn
            and card_seen.kind is events.CardSeen
            and drawn_event.fields["hand"] == card_seen.fields["hand"]
        ):
            yield [place, place + 1]


def _double_read_sums(happenings: Sequence[Happening]) -> Iterator[list[int]]:
    """Find the sums that chip reader and camera, or chip reader and tray reader, both read."""
    start = None
    for place, each in enumerate(happenings):
        if each.kind is events.RoundOpened:
            start = place
        elif each.kind is events.RoundClosed and start is not None:
            yield from _sums_of_round(happenings, range(start, place))
            start = None


def _sums_of_round(happenings: Sequence[Happening], places: range) -> Iterator[list[int]]:
    counts = sum(happenings[place].kind is events.InventoryCounted for place in places)
    placed: dict[tuple[Any, ...], int] = {}
    for place in places:
        each = happenings[place]
        if each.kind is events.ChipsPlaced:
            placed.setdefault(_spot(each), place)
        elif each.kind is events.StackSeen and _spot(each) in placed:
            yield [placed[_spot(each)], place]
        elif each.kind in _SETTLED and each.fields["seat"] != _DEALER and counts == _BOTH_COUNTS:
            yield [place]


def _spot(each: Happening) -> tuple[Any, ...]:
    return each.fields["seat"], each.fields["bettor"], each.fields["wager"], each.fields.get("hand")


def _another_card(true: Happening, rng: Random) -> dict[str, Any]:
    card = true.fields["card"]
    return {"card": rng.choice([rank + suit for rank in RANKS for suit in SUITS if rank + suit != card])}


def _half_a_card(true: Happening, rng: Random) -> dict[str, Any]:
    card = true.fields["card"]
    rest = ["0?"] if card[0] in "TJQK" else []
    return {"card": rng.choice(["??", card[0] + "?", "?" + card[1], *rest])}


def _another_sum(true: Happening, rng: Random) -> dict[str, Any] | None:
    """Read a stack a few chips too low or too high, a payment too low; None if that leaves nothing."""
    cents: int = true.fields["cents"]
    steps = [chips * _CHIP for chips in (1, 2, 5) if chips * _CHIP < cents]
    if true.kind not in _SETTLED:
        steps += [-_CHIP, -5 * _CHIP]
    return {"cents": cents - rng.choice(steps)} if steps else None
