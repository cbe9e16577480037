"""Events of a table that belong to one hand, and those that it stands on.

A round's number may come again on another day, so an event belongs to the opening of that number that is
nearest to it in time.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from msgspec import Struct

from projections.engine.fold.watermark import lies_before, mark_of
from schemas.events import (
    DealerAssigned,
    Event,
    EventId,
    FloorpersonAssigned,
    HouseRulesChanged,
    ReportCorrected,
    Reported,
    RoundOpened,
    ShoeLoaded,
    TableOpened,
    id_of,
)

_DAY: Final = timedelta(days=1)
PEOPLE: Final = (DealerAssigned, FloorpersonAssigned)


class PlacedEvent(Struct, frozen=True, gc=False):
    """An event and its place: the part's path in the archive, its leaf, and that of its envelope.

    It is `plain` if neither its text nor its frame's has anything that is not read.
    """

    part: str
    leaf: int
    envelope: int
    event: Event
    plain: bool = True


def of_round(
    placed_events: Iterable[PlacedEvent], number: str, day: date, day_of: Callable[[int], date]
) -> tuple[RoundOpened | None, list[PlacedEvent]]:
    """Pick out the events of a round, in the order in which they came, and its opening.

    `placed_events` are those of its gaming day and of the days about it; `day_of` gives the gaming day of a
    moment (microseconds UTC). Where the opening was not reported, what was is taken by its own day.
    """
    of_number = [each for each in placed_events if each.event.round == number]
    openings = [each.event for each in of_number if isinstance(each.event, RoundOpened)]
    opened = next((each for each in openings if day_of(each.at) == day), None)
    found = [each for each in of_number if _is_of(each.event, day, openings, day_of)]
    return opened, found


def _is_of(event: Event, day: date, openings: Sequence[RoundOpened], day_of: Callable[[int], date]) -> bool:
    if openings:
        nearest = min(openings, key=lambda opened: abs(opened.at - event.at))
        return day_of(nearest.at) == day
    return day_of(event.at) == day


def stood_on(
    placed_events: Iterable[PlacedEvent], opened: RoundOpened, lacking: set[type[Reported]]
) -> list[PlacedEvent]:
    """Pick out of earlier events the latest of each lacking kind that the round stands on.

    What is found is taken out of `lacking`. Of shoes it is the one that the opening names, of house rules
    those with its number.
    """
    before = mark_of(opened.heard, opened.device, opened.epoch, opened.seq - 1)
    latest: dict[type[Reported], PlacedEvent] = {}
    for each in placed_events:
        kind = type(each.event)
        if kind in lacking and _fits(each.event, opened) and lies_before(each.event, before):
            event = latest.get(kind)
            if event is None or _place(event.event) < _place(each.event):
                latest[kind] = each
    lacking -= latest.keys()
    return list(latest.values())


def needed(opened: RoundOpened, *, staff: bool) -> set[type[Reported]]:
    """Return the kinds of events that a round depends on; house rules only if a change was reported."""
    kinds: list[type[Reported]] = [TableOpened, ShoeLoaded]
    if opened.rules:
        kinds.append(HouseRulesChanged)
    return {*kinds, *(PEOPLE if staff else ())}


def _fits(event: Event, opened: RoundOpened) -> bool:
    if isinstance(event, ShoeLoaded):
        return event.shoe == opened.shoe
    if isinstance(event, HouseRulesChanged):
        return event.rules == opened.rules
    return not isinstance(event, DealerAssigned) or event.calling


def _place(event: Event) -> tuple[int, int]:
    return event.epoch, event.seq


def corrections(placed_events: Iterable[PlacedEvent], of: Iterable[PlacedEvent]) -> Iterator[PlacedEvent]:
    """Pick out the corrections of some events."""
    corrected: set[EventId] = {id_of(each.event) for each in of}
    for each in placed_events:
        if isinstance(each.event, ReportCorrected) and each.event.mistaken in corrected:
            corrected.add(id_of(each.event))
            yield each


def about(day: date) -> tuple[date, ...]:
    """Return the days under which events of a gaming day may be filed: clocks differ, and some come late."""
    return day - _DAY, day, day + _DAY
