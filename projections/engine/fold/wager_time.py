"""Wagers made during play whose time ends by itself: what came surely after it, and what too near to tell."""

from collections.abc import Callable, Sequence

from projections.engine.facts import fact
from projections.engine.fold.acts import Act, moves
from projections.engine.game import Game
from projections.engine.observation import Doubt, Key, key_of, who_of
from schemas.events import ChipsPlaced, ChipsRemoved, Event


def part_late(
    order: list[Act],
    begun: Sequence[Act],
    game: Game,
    events: Sequence[Event],
    apart: Callable[[str, str], int],
    doubts: list[Doubt],
) -> None:
    """Put what was wagered surely too late into the play, and doubt what the clocks do not part from its end.

    `order` is the play with its clocks after what had `begun` before "no more bets"; what was wagered in time
    does not stand in it. `apart` says how far
    the clocks of two devices can be from each other, in microseconds.
    """
    acts = [*begun, *order]
    play = [act.words for act in acts]
    chips = [event for event in events if isinstance(event, ChipsPlaced | ChipsRemoved)]
    late: list[Act] = []
    for event, move in moves(chips):
        if event.wager not in game.own_time or move not in ("place", "increase"):
            continue
        who = f"seat{who_of(event.seat, event.bettor)}"
        wagered = Act((who, f"{move} {event.wager}"), event.at, event.device)
        ends = [acts[place] for place in game.time_ended(event.wager, play)]
        after = [(wagered.at - end.at, apart(event.device, end.device), end) for end in ends]
        if any(by > within for by, within, _ in after):
            late.append(wagered)
            continue
        near = [each for each in after if each[0] >= -each[1]]
        if near:
            key = key_of(event)
            doubts.append(_too_near(key, near[0], event.device, game.own_time[event.wager]))
    for wagered in late:
        order.insert(_place(order, wagered), wagered)


def _place(order: Sequence[Act], late: Act) -> int:
    """Find the place after everything that came before it by the clocks; what ended its time is of that."""
    return max((place for place, act in enumerate(order, 1) if act.at <= late.at), default=0)


def _too_near(key: Key, near: tuple[int, int, Act], device: str, cites: tuple[str, ...]) -> Doubt:
    after, within, end = near
    near_end = fact("fold.changed_near_end", after=after, end=" ".join(end.words), within=within)
    return Doubt("late_wager", key, near_end, device, cites)
