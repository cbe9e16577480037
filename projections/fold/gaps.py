"""What of a table's reports is missing, and of whom: numbers that never came, restarts, silence."""

from collections.abc import Iterable, Sequence

from projections.fold.arrival import Mark, place_of
from projections.fold.kept import Kept
from projections.fold.sighting import SCOPE
from projections.fold.waiting import Waiting
from projections.hand.facts import verbatim
from projections.hand.round import Gap
from schemas.events import DeviceCameBack, DeviceWentSilent, Event, ShoeLoaded, id_of


def gaps_between(waiting: Waiting, lower: Mark | None, upper: Mark | None) -> list[Gap]:
    """Name what never came between two barriers, and the devices that began anew between them."""
    if upper is None:
        return []
    lower, sources = lower or {}, waiting.sources
    gaps = [
        Gap(
            device,
            sources[device],
            verbatim(f"{device} {_range(first, last)} of epoch {epoch} did not arrive"),
        )
        for device, epoch, first, last in waiting.tallies.missing(lower, upper)
    ]
    restarted = waiting.tallies.restarted(lower, upper)
    gaps += [Gap(device, sources[device], verbatim(f"{device} restarted")) for device in restarted]
    unpolled = [device for device in sources if device not in upper]
    return gaps + [Gap(device, sources[device], verbatim(f"{device} was not polled")) for device in unpolled]


def gaps_of(kept: Kept, start: Mark | None, waiting: Waiting, silent: Iterable[str]) -> list[Gap]:
    """Name what was not reported of a round."""
    sources = waiting.sources
    gaps = gaps_between(waiting, start if start is not None else kept.lower, kept.upper)
    gaps += silences(waiting, silent)
    if kept.upper is None:
        gaps.append(Gap(waiting.terminal, "terminal", verbatim("the round was not seen to close")))
    if waiting.contradicted:
        gaps += [
            Gap(
                each.device, sources[each.device], verbatim(f"{place_of(id_of(each))} came twice and differs")
            )
            for each in (*kept.span.events, *kept.span.before)
            if id_of(each) in waiting.contradicted
        ]
    return gaps


def silences(waiting: Waiting, silent: Iterable[str]) -> list[Gap]:
    """Name the table's devices that were silent, each once."""
    sources = waiting.sources
    return [
        Gap(device, sources[device], verbatim(f"{device} was silent"))
        for device in dict.fromkeys(silent)
        if device in sources
    ]


def silent_between(silent: Iterable[str], events: Iterable[Event]) -> tuple[list[str], list[str]]:
    """Name the devices that were silent at any time between two rounds, and since a shoe was last loaded.

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
    """Leave out the second readers: nothing of a shoe hangs on them alone."""
    return [gap for gap in gaps if gap.source in SCOPE]


def _range(first: int, last: int) -> str:
    return f"number {first}" if first == last else f"numbers {first} to {last}"
