"""The play of a round in the words of the round record: what was said, done and dealt, in order.

Cards keep the order in which they left the shoe. What else was done stands between them where the terminal
was told after how many cards, and otherwise where the clocks put it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from projections.deeds import said
from projections.game import Game
from projections.round import Key, Move, Near, Round, who_of
from projections.table import Building
from schemas.events import ChipsPlaced, ChipsRemoved, Event
from schemas.values import CARDS


class Act(Struct, frozen=True):
    """Something to be put into the play: its words, when by its device's clock, and after how many cards."""

    words: tuple[str, str]
    at: int
    device: str
    drawn: int | None = None


def play_of(
    building: Building,
    seen: Round,
    game: Game,
    events: Sequence[Event],
    cards: list[tuple[str, str]],
    times: Sequence[int],
    tolerance: Callable[[str], int],
    shoe: str | None,
) -> list[tuple[str, str]]:
    """Put a round into the words of the round record, and note in `seen` what the clocks do not tell.

    `times` are those of the cards, `tolerance` says how far a source's clock can be off, in microseconds;
    `shoe` is the device that reads the cards.
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
    if len(acts) > before:
        sources = ("shoe",) if cards else ("tiles", "dice", "chips")
        within = max(tolerance(source) for source in sources)
        interleave(play, acts[before:], cards, times, seen, within, shoe)
    else:
        play.extend(cards)
    play.extend(("discard", each.card or "??") for each in building.discards)
    if building.void:
        play.append(("dealer", "void"))
    return play


def acts_of(building: Building, game: Game, events: Sequence[Event]) -> list[Act]:
    """Give what was done besides the dealing, in order of time, with moves of wagers that have their own."""
    acts = [Act(said(deed), deed.at, deed.device, deed.drawn) for deed in building.deeds]
    if not game.wagers_close:
        chips = [event for event in events if isinstance(event, ChipsPlaced | ChipsRemoved)]
        acts += [
            Act((f"seat{who_of(event.seat, event.bettor)}", f"{move} {event.wager}"), event.at, event.device)
            for event, move in moves(chips)
        ]
    return sorted(acts, key=lambda act: act.at)


def moves(events: Iterable[ChipsPlaced | ChipsRemoved]) -> Iterator[tuple[ChipsPlaced | ChipsRemoved, Move]]:
    """Say of each move of chips what it was to its wager."""
    on_spot: dict[Key, int] = {}
    for event in events:
        key = (event.seat, event.bettor, event.wager, event.hand)
        before = on_spot.get(key, 0)
        placed = isinstance(event, ChipsPlaced)
        on_spot[key] = before + event.cents if placed else before - event.cents
        move: Move = "increase" if before else "place"
        if not placed:
            move = "reduce" if on_spot[key] else "withdraw"
        yield event, move


def interleave(
    play: list[tuple[str, str]],
    acts: Sequence[Act],
    cards: list[tuple[str, str]],
    times: Sequence[int],
    seen: Round,
    tolerance: int,
    shoe: str | None,
) -> None:
    """Put each act between the cards that it fell between, as far as it is known."""
    after: list[list[Act]] = [[] for _ in range(len(cards) + 1)]
    for act in acts:
        by_clock = sum(1 for time in times if time <= act.at)
        after[min(act.drawn if act.drawn is not None else by_clock, len(cards))].append(act)
    placed: list[tuple[int, Act]] = []
    for index, slot in enumerate(after):
        for act in slot:
            placed.append((len(play), act))
            play.append(act.words)
        if index < len(cards):
            placed.append((len(play), Act(cards[index], times[index], shoe or "")))
            play.append(cards[index])
    seen.near = list(_near(placed, tolerance))


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
