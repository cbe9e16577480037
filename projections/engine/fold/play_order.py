"""The play of a round in the words of the round record: what was said, done and dealt, in order.

Cards keep the order in which they left the shoe. What else was done stands between them where the terminal
was told after how many cards, and otherwise where the clocks put it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

from projections.engine.fold.acts import Act, acts_of
from projections.engine.fold.table_state import Building
from projections.engine.fold.wager_time import part_late
from projections.engine.game import Game
from projections.engine.observation import Near, Round, who_of
from schemas.events import Event
from schemas.values import CARDS


def play_of(
    building: Building,
    seen: Round,
    game: Game,
    events: Sequence[Event],
    cards: list[tuple[str, str]],
    times: Sequence[int],
    tolerance: Callable[[str], int],
    sources: Mapping[str, str],
) -> list[tuple[str, str]]:
    """Put a round into the words of the round record, and note in `seen` what the clocks do not tell.

    `times` are those of the cards, `tolerance` says how far a source's clock can be from the terminal's, in
    microseconds; `sources` says what each device reads.
    """
    acts = acts_of(building, game, events)
    called = building.wagers_closed_at
    before = 0 if called is None else sum(1 for act in acts if act.at < called and not act.drawn)
    play = [act.words for act in acts[:before]]
    if building.simulated:
        play.append(("dealer", "simulated"))
    if called is not None:
        play.append(("dealer", "no_more_bets"))
    play.extend((f"seat{who_of(move.seat, move.bettor)}", f"{move.move} {move.wager}") for move in seen.late)
    if len(acts) > before or game.own_time:
        shoe = next((device for device, reads in sources.items() if reads == "shoe"), "")
        order = interleaved(acts[before:], cards, times, shoe)
        timed = {id(act) for act in order}

        def apart(one: str, other: str) -> int:
            """Return how far two devices' clocks can be from each other."""
            each = [tolerance(sources.get(device, "")) for device in (one, other)]
            return sum(each) - tolerance("terminal")

        part_late(order, acts[:before], game, events, apart, seen.doubts)
        readers = ("shoe",) if cards else ("tiles", "dice", "chips")
        placed = [(place, act) for place, act in enumerate(order, len(play)) if id(act) in timed]
        seen.near = list(_near(placed, max(tolerance(source) for source in readers)))
        play.extend(act.words for act in order)
    else:
        play.extend(cards)
    play.extend(("discard", each.card or "??") for each in building.discards)
    if building.void:
        play.append(("dealer", "void"))
    return play


def interleaved(
    acts: Sequence[Act], cards: list[tuple[str, str]], times: Sequence[int], shoe: str
) -> list[Act]:
    """Put each act between the cards that it fell between, as far as it is known."""
    after: list[list[Act]] = [[] for _ in range(len(cards) + 1)]
    for act in acts:
        by_clock = sum(1 for time in times if time <= act.at)
        after[min(act.drawn if act.drawn is not None else by_clock, len(cards))].append(act)
    order = after[0]
    for card, at, following in zip(cards, times, after[1:], strict=True):
        order += [Act(card, at, shoe), *following]
    return order


def _near(placed: list[tuple[int, Act]], tolerance: int) -> Iterator[Near]:
    """Find what another device reported within `tolerance` microseconds of each act."""
    timed = sorted((act.at, place, act.device) for place, act in placed if act.drawn is None)
    times = [at for at, _, _ in timed]
    for place, act in placed:
        if act.drawn is None and act.words[1] not in CARDS:
            first, last = bisect_left(times, act.at - tolerance), bisect_right(times, act.at + tolerance)
            others = sorted((other, device) for _, other, device in timed[first:last])
            yield from (
                Near(place, other, device or None) for other, device in others if device != act.device
            )
