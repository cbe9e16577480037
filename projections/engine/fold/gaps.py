"""Gaps in a table's reports, and of which device: numbers that never came, restarts, silence."""

from collections.abc import Iterable, Sequence

from projections.engine.facts import DeviceRef, Fact, fact
from projections.engine.fold.reconcile_sources import SCOPE
from projections.engine.fold.reorder_buffer import ReorderBuffer
from projections.engine.fold.watermark import ClosedWindow, Mark
from projections.engine.observation import Gap
from schemas.events import DeviceCameBack, DeviceWentSilent, Event, ShoeLoaded, id_of


def gaps_between(buffer: ReorderBuffer, lower: Mark | None, upper: Mark | None) -> list[Gap]:
    """Return what never came between two barriers, and the devices that restarted between them."""
    if upper is None:
        return []
    lower, sources = lower or {}, buffer.sources
    gaps = [
        Gap(
            device,
            sources[device],
            fact("fold.numbers_missing", device=DeviceRef(device), epoch=epoch, first=first, last=last),
        )
        for device, epoch, first, last in buffer.tallies.missing(lower, upper)
    ]
    restarted = buffer.tallies.restarted(lower, upper)
    gaps += [
        Gap(device, sources[device], fact("fold.restarted", device=DeviceRef(device))) for device in restarted
    ]
    unpolled = [device for device in sources if device not in upper]
    return gaps + [
        Gap(device, sources[device], fact("fold.not_polled", device=DeviceRef(device))) for device in unpolled
    ]


def gaps_of(
    window: ClosedWindow, start: Mark | None, buffer: ReorderBuffer, silent: Iterable[str]
) -> list[Gap]:
    """Return what was not reported of a round."""
    sources = buffer.sources
    gaps = gaps_between(buffer, start if start is not None else window.lower, window.upper)
    gaps += silences(buffer, silent)
    if window.upper is None:
        gaps.append(Gap(buffer.terminal, "terminal", fact("fold.round_not_closed")))
    if buffer.contradicted:
        gaps += [
            Gap(each.device, sources[each.device], came_twice(each))
            for each in (*window.span.events, *window.span.before)
            if id_of(each) in buffer.contradicted
        ]
    return gaps


def silences(buffer: ReorderBuffer, silent: Iterable[str]) -> list[Gap]:
    """Return the table's devices that were silent, each once."""
    sources = buffer.sources
    return [
        Gap(device, sources[device], silent_fact(device))
        for device in dict.fromkeys(silent)
        if device in sources
    ]


def gap_of(stated: Fact) -> Fact:
    """Return what was not reported, also from a fact that a round can do without it.

    >>> gap = fact("fold.restarted", device=DeviceRef("C-1"))
    >>> gap_of(fact("fold.alone", gap=gap)) == gap_of(gap) == gap
    True
    """
    gap = stated.args["gap"] if stated.code == "fold.alone" else None
    return gap if isinstance(gap, Fact) else stated


def silent_between(silent: Iterable[str], events: Iterable[Event]) -> tuple[list[str], list[str]]:
    """Return the devices that were silent at any time between two rounds, and since a shoe was last loaded.

    `silent` are those that were as the first of the two closed.
    """
    now = dict.fromkeys(silent)
    ever, unloaded = dict(now), dict(now)
    for event in events:
        match event:
            case DeviceWentSilent():
                now[event.silent] = ever[event.silent] = unloaded[event.silent] = None
            case DeviceCameBack():
                now.pop(event.back, None)
            case ShoeLoaded():
                unloaded = dict(now)
    return list(ever), list(unloaded)


def needed(gaps: Sequence[Gap]) -> list[Gap]:
    """Return the gaps without those of second readers, on which nothing of a shoe depends."""
    return [gap for gap in gaps if gap.source in SCOPE]


def silent_fact(device: str) -> Fact:
    """Return that a device was silent."""
    return fact("fold.silent", device=DeviceRef(device))


def came_twice(event: Event) -> Fact:
    """Return that two events came under one number and differ."""
    return fact("fold.came_twice", device=DeviceRef(event.device), epoch=event.epoch, number=event.seq)
