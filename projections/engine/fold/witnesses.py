"""Witnesses: which facts of a round rest on one device alone, and which a second one saw as well."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from projections.engine.fold.corrections import corrected_once
from projections.engine.fold.reconcile_sources import same_card
from projections.engine.fold.table_state import Building, TableState, evolve
from projections.engine.game import Game
from projections.engine.observation import Round, hand_in_words
from schemas.events import PROCEDURAL, Event, Source
from schemas.values import in_words, is_certain

Rests: TypeAlias = Literal["alone", "contradicted", "confirmed", "not_relied_on"]

_COUNTS: Final = 2  # of the tray in a round
_ALONE: Final[Mapping[Source, str]] = {
    "terminal": "the calls, the closing of the wagers and what the dealer keyed have no second source",
    "tiles": "no second source reads the tiles",
    "dice": "no second source reads the dice",
    "reader": "no second source tells the range of the hole card",
}
_SECOND_READER: Final[Mapping[Source, str]] = {
    "tray": "it is the second reader; chips and terminal were read",
    **dict.fromkeys(PROCEDURAL, "it reports procedures; nothing of a round rests on it"),
}


class Witness(Struct, frozen=True):
    """Support of a round's facts by a device, and the code of its note."""

    rests: Rests
    reason: str


def witness(
    source: Source, events: Iterable[Event], observed: Round, sources: Collection[Source], game: Game
) -> Witness:
    """Return how a round's facts rest on the reader of a source; `events` are all reports of the round."""
    if source in _ALONE:
        return Witness("alone", _ALONE[source])
    state = TableState()
    for event in corrected_once(events):
        evolve(state, event)
    building = state.building or Building(observed.number)
    if source == "camera":
        if observed.covered:
            return Witness("alone", "the shoe's report has a hole, and the second reader alone was read")
        return Witness("not_relied_on", "it is the second reader; the first one was read")
    if source in _SECOND_READER:
        return Witness("not_relied_on", _SECOND_READER[source])
    if source == "shoe":
        return _cards(building, observed, sources)
    return _chips(building, sources, game)


def _cards(building: Building, observed: Round, sources: Collection[Source]) -> Witness:
    """Compare every card that the shoe reported with the second reader's."""
    if observed.covered:
        return Witness("not_relied_on", "its report has a hole, and the second reader alone was read")
    if "camera" not in sources:
        return Witness("alone", "no second reader of cards is connected")
    second = {(each.hand, each.place): each.card for each in building.seen_cards}
    places: dict[str, int] = {}
    lacking = 0
    for each in building.cards:
        places[each.hand] = place = places.get(each.hand, 0) + 1
        other = second.pop((each.hand, place), None)
        if other is None or not is_certain(other):
            lacking += 1
        elif not same_card(each.card, other):
            return Witness(
                "contradicted",
                f"{hand_in_words(each.hand)} card {place}: it read {each.card}, the second reader {other}",
            )
    if second:
        (hand, place), card = next(iter(second.items()))
        where = f"{hand_in_words(hand)} card {place}"
        return Witness("contradicted", f"{where}: the second reader read {card}, it read no card")
    if lacking or not building.cards:
        return Witness("alone", f"the second reader did not read {lacking} of {len(building.cards)} cards")
    return Witness("confirmed", f"the second reader read the same {len(building.cards)} cards")


def _chips(building: Building, sources: Collection[Source], game: Game) -> Witness:
    """Compare the stakes with the second reader's, and what moved with the tray's counts."""
    if "camera" not in sources or "tray" not in sources:
        lacks = " and ".join(name for name in ("camera", "tray") if name not in sources)
        return Witness("alone", f"no {lacks} is connected that reads stakes and settlement too")
    if (stakes := _stakes(building, game)) is not None:
        return stakes
    if len(building.counts) < _COUNTS:
        return Witness("alone", "the tray was not counted before and after")
    if building.counts[-1] - building.counts[0] != building.inventory_change:
        return Witness("contradicted", "the tray changed by another sum")
    return Witness("confirmed", "the second reader read the same stakes, the tray changed by the same sum")


def _stakes(building: Building, game: Game) -> Witness | None:
    """Return the stake on which the second reader differs; None if it agrees on every one."""
    alone: Witness | None = None
    placed = {key: wager.cents for key, wager in building.wagers.items()}
    for key in sorted(placed.keys() | building.stacks.keys(), key=str):
        stack, cents = building.stacks.get(key), placed.get(key)
        where = f"seat {key.seat} {in_words(key.wager)}"
        if stack is None and cents == 0:
            continue  # withdrawn before the second reader looked
        if stack is None:
            why = "made during play" if game.made_during_play(key) else "not read by the second reader"
            alone = alone or Witness("alone", f"{where}: the stake was {why}")
        elif cents != stack:
            return Witness("contradicted", f"{where}: the second reader read another stake")
    return alone
