"""From a round that is over to the round as it was seen: its events folded into the table's state."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

from projections.arrival import Mark, in_order, in_time, lies_before
from projections.game import Game
from projections.round import Doubt, Gap, Round
from projections.sighting import SCOPE, Circumstances, sight
from projections.table import Building, TableState, begin_shoe, evolve
from projections.tray import Tray
from projections.waiting import Kept, Waiting
from schemas.events import Event, EventId, ReportCorrected, RoundOpened, TableClosed, id_of

_COUNTS: Final = 2  # of the tray in a round


def fold(
    kept: Kept,
    state: TableState,
    waiting: Waiting,
    table: str,
    game: Game,
    day_of: Callable[[int], date],
    uncertainty: int,
) -> Round:
    """Fold a round's events, and those since the round before, into the state; give the round as seen.

    `uncertainty` is how far apart clocks can be that are held to agree, in microseconds.
    """
    span, start = kept.span, kept.span.start()
    doubts: list[Doubt] = []
    events = _corrected(in_order(span.events) if span.disordered else span.events, doubts)
    during = _settle_before(kept, start, state, waiting, doubts, day_of)
    if span.opened is not None:
        state.keep_day(day_of(span.opened.at))
    stood = state.tray.expected
    opened = next((event for event in events if isinstance(event, RoundOpened)), None)
    if opened is not None:
        evolve(state, opened)
    elif state.next_shoe is not None:
        # A round whose opening was not reported and that follows a loaded shoe was dealt from it.
        if state.shoe is not None:
            state.shoe.lack(_needed(gaps_between(waiting, kept.lower, kept.upper)))
        begin_shoe(state, state.next_shoe.name, named=False)
    for event in events:
        if event is not opened:
            evolve(state, event)
    for event in during:
        evolve(state, event)
    building = state.round(span.number)
    state.building = None
    gaps = _gaps(kept, start, waiting, building.silent)
    if waiting.contradicted:
        gaps += [
            Gap(each.device, waiting.sources[each.device], f"{_place(id_of(each))} came twice and differs")
            for each in (*span.events, *span.before)
            if id_of(each) in waiting.contradicted
        ]
    seen = _begun(building, state, events, table, day_of, waiting.terminal)
    seen.doubts.extend(doubts)
    if state.shoe is not None:
        state.shoe.lack(_needed(gaps))
        state.shoe.day = state.shoe.day or seen.day
    else:
        state.loading_unknown.extend(_needed(gaps))
    _count(state.tray, building, stood, gaps)
    return sight(building, seen, Circumstances(waiting.sources, gaps, uncertainty, game), events)


def _count(tray: Tray, building: Building, stood: int, gaps: Sequence[Gap]) -> None:
    """Hold the tray reader's counts of a round against the account; `stood` is it as the round opened.

    Of two counts the first is of the opening and the second of the settled table; where one of them may be
    missing it cannot be told which, and none is taken.
    """
    tray.played = True
    tray.doubt([gap.message for gap in gaps if gap.source in ("chips", "terminal")])
    if len(building.counts) < _COUNTS or any(gap.source == "tray" for gap in gaps):
        return
    number, moved = building.number, tray.expected - stood
    tray.count(f"round {number} as it opened", building.counts[0], "tray", since=moved)
    later = moved - building.inventory_change
    tray.count(f"round {number} as it closed", building.counts[-1], "tray", within=number, since=later)


def gaps_between(waiting: Waiting, lower: Mark | None, upper: Mark | None) -> list[Gap]:
    """Name what never came between two barriers, and the devices that began anew between them."""
    if upper is None:
        return []
    lower, sources = lower or {}, waiting.sources
    gaps = [
        Gap(device, sources[device], f"{device} {_range(first, last)} of epoch {epoch} did not arrive")
        for device, epoch, first, last in waiting.tallies.missing(lower, upper)
    ]
    restarted = waiting.tallies.restarted(lower, upper)
    gaps += [Gap(device, sources[device], f"{device} restarted") for device in restarted]
    unpolled = [device for device in sources if device not in upper]
    return gaps + [Gap(device, sources[device], f"{device} was not polled") for device in unpolled]


def _range(first: int, last: int) -> str:
    return f"number {first}" if first == last else f"numbers {first} to {last}"


def settle_between(
    state: TableState,
    events: Sequence[Event],
    gaps: Sequence[Gap],
    day_of: Callable[[int], date],
    terminal: str,
) -> None:
    """Fold what happened after the last round."""
    if state.shoe is not None:
        state.shoe.lack(_needed(gaps))
    state.tray.doubt([gap.message for gap in gaps if gap.source in ("chips", "terminal")])
    closed = next((event for event in events if isinstance(event, TableClosed)), None)
    for event in sorted(in_time(events, closed.heard if closed is not None else {}), key=_is_closing):
        if event.device == terminal:
            state.keep_day(day_of(event.at))
        evolve(state, event)


def _is_closing(event: Event) -> bool:
    return isinstance(event, TableClosed)


def _gaps(kept: Kept, start: Mark | None, waiting: Waiting, silent: Sequence[str]) -> list[Gap]:
    """Name what was not reported of a round."""
    sources = waiting.sources
    gaps = gaps_between(waiting, start if start is not None else kept.lower, kept.upper)
    gaps += [
        Gap(device, sources[device], f"{device} was silent")
        for device in dict.fromkeys(silent)
        if device in sources
    ]
    if kept.upper is None:
        gaps.append(Gap(waiting.terminal, "terminal", "the round was not seen to close"))
    return gaps


def _needed(gaps: Sequence[Gap]) -> list[Gap]:
    """Leave out the second readers: nothing of a shoe hangs on them alone."""
    return [gap for gap in gaps if gap.source in SCOPE]


def _settle_before(
    kept: Kept,
    start: Mark | None,
    state: TableState,
    waiting: Waiting,
    doubts: list[Doubt],
    day_of: Callable[[int], date],
) -> list[Event]:
    """Fold what happened since the round before; give what turns out to lie within this one."""
    if start is not None:
        _book_gaps(kept, state, gaps_between(waiting, kept.lower, start))
    during = []
    opened = kept.span.opened
    heard = opened.heard if opened is not None else {}
    for event in _corrected(in_time(kept.span.before, heard), doubts):
        if start is None or (event.round is None and lies_before(event, start)):
            if event.device == waiting.terminal:
                state.keep_day(day_of(event.at))
            evolve(state, event)
        else:
            during.append(event)
    return during


def _book_gaps(kept: Kept, state: TableState, gaps: Sequence[Gap]) -> None:
    """Book what was not reported since the round before.

    What the shoe did not report before a new one's first round is the new one's burn and loading.
    """
    opened = kept.span.opened
    begins = opened is not None and (state.shoe is None or state.shoe.name != opened.shoe)
    state.tray.doubt([gap.message for gap in gaps if gap.source in ("chips", "terminal")])
    for gap in _needed(gaps):
        if state.shoe is None or (begins and gap.source == "shoe"):
            state.loading_unknown.append(gap)
        else:
            state.shoe.lack([gap])


def _begun(
    building: Building,
    state: TableState,
    events: Sequence[Event],
    table: str,
    day_of: Callable[[int], date],
    terminal: str,
) -> Round:
    """Give the round its identity: the gaming day on which it opened, its shoe, and who called it."""
    opened = building.opened
    at = opened.at if opened is not None else min(event.at for event in events)
    doubts: list[Doubt] = []
    if opened is not None and opened.rules != state.rules:
        message = f"house rules {opened.rules} apply and were not received"
        doubts.append(Doubt("data_missing", "all", message, terminal))
    return Round(
        table=table,
        number=building.number,
        day=day_of(at),
        at=at,
        shoe=state.shoe.title() if state.shoe is not None else None,
        dealer=state.calling,
        doubts=doubts,
    )


def _corrected(events: list[Event], doubts: list[Doubt]) -> list[Event]:
    """Put what corrections say in the place of the events that they name; the latest correction holds.

    One that names an event that is not there is told beside the round.
    """
    corrections = [event for event in events if isinstance(event, ReportCorrected)]
    if not corrections:
        return events
    says: dict[EventId, Event | None] = {}
    for correction in reversed(in_order([*corrections])):
        # A correction may itself have been mistaken.
        holds = says.get(id_of(correction), correction)
        if isinstance(holds, ReportCorrected):
            says.setdefault(holds.mistaken, holds.instead)
    named = {id_of(event) for event in events}
    doubts.extend(
        Doubt(
            "data_missing",
            "second",
            f"a correction names {_place(mistaken)}, which is not here",
            mistaken.device,
        )
        for mistaken in sorted(says.keys() - named)
    )
    corrected = [says.get(id_of(event), event) for event in events]
    return [event for event in corrected if event is not None]


def _place(event: EventId) -> str:
    return f"{event.device} {event.epoch}/{event.seq}"
