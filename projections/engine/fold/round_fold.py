"""From a round that is over to the observed round: its events folded into the table's state."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from projections.engine.accounts.inventory_entries import NotReported, RoundDealt, TrayCounted, TrayRead
from projections.engine.facts import DeviceRef, fact
from projections.engine.fold.corrections import corrected
from projections.engine.fold.gaps import gaps_between, gaps_of, needed, silences, silent_between, silent_fact
from projections.engine.fold.reconcile_sources import Circumstances, reconcile
from projections.engine.fold.reorder_buffer import ReorderBuffer
from projections.engine.fold.table_state import Building, TableState, begin_shoe, evolve
from projections.engine.fold.watermark import ClosedWindow, Mark, in_order, in_time, lies_before
from projections.engine.game import Game
from projections.engine.observation import Doubt, Gap, MarkerButton, Round, person
from schemas.events import (
    DeviceWentSilent,
    Event,
    InventoryListed,
    RoundClosed,
    RoundOpened,
    SettlementAdjusted,
    TableClosed,
)

_COUNTS: Final = 2  # of the tray in a round
_COUNTED_BY: Final = ("chips", "terminal", "tray")


def fold(
    window: ClosedWindow,
    state: TableState,
    buffer: ReorderBuffer,
    table: str,
    game: Game,
    day_of: Callable[[int], date],
    uncertainty: int,
) -> Round:
    """Fold a round's events, and those since the round before, into the state; give the round as seen.

    `uncertainty` is how far apart clocks can be that are held to agree, in microseconds.
    """
    span, start = window.span, window.span.start()
    doubts: list[Doubt] = []
    events = corrected(in_order(span.events) if span.disordered else span.events, doubts)
    during = _settle_before(window, start, state, buffer, doubts, day_of, uncertainty)
    if span.opened is not None:
        state.keep_day(day_of(span.opened.at))
        state.catch_up((span.opened.epoch, span.opened.seq))
    chips_at_opening = state.chips
    opened = next((event for event in events if isinstance(event, RoundOpened)), None)
    if opened is not None:
        evolve(state, opened)
    elif state.next_shoe is not None and state.next_shoe.name:
        # A round whose opening was not reported and that follows a loaded shoe was dealt from it.
        if state.shoe is not None:
            state.shoe.lack(needed(gaps_between(buffer, window.lower, window.upper)))
        begin_shoe(state, state.next_shoe.name, is_named=False)
    lay = dict(state.lying)
    for event in events:
        if event is not opened:
            evolve(state, event)
    building = state.ensure_round(span.number)
    within, after = _parted(building, during)
    _evolve_all(state, within)
    state.building = None
    gaps = gaps_of(window, start, buffer, building.silent)
    observed = _begin_round(building, state, events, table, day_of, buffer.terminal)
    observed.seated = buffer.seating.patrons(observed.at, observed.number)
    clocks = _clocks_set(state, building.closed, buffer, uncertainty)
    # What names no round has its place among its device's numbers too: a later one must not date it.
    reported = in_order([*events, *during]) if during else events
    _note_round(state, building, reported, [*gaps, *clocks], observed.at)
    observed.doubts.extend(doubts)
    observed.buttons = _buttons(lay, state.lying)
    if state.shoe is not None:
        state.shoe.lack(needed(gaps))
        state.shoe.day = state.shoe.day or observed.day
        observed.burned, state.shoe.burned = state.shoe.burned, []
    else:
        state.loading_unknown.extend(needed(gaps))
    if span.closed is not None:
        # Chips with which an earlier round was corrected during this one.
        building.inventory_change += state.catch_up((span.closed.epoch, span.closed.seq))
    _count(state, building, chips_at_opening, gaps)
    _evolve_all(state, after)
    return reconcile(building, observed, Circumstances(buffer.sources, gaps, uncertainty, game), events)


def _evolve_all(state: TableState, events: Iterable[Event]) -> None:
    for event in events:
        evolve(state, event)


def _parted(building: Building, during: Sequence[Event]) -> tuple[Sequence[Event], Sequence[Event]]:
    """Part what happened in a round, and named none, from what people did after it.

    Where the round's close was not reported, they listed the inventory after it and not in the midst of it.
    """
    if building.closed is not None:
        return during, []
    within = [each for each in during if not isinstance(each, InventoryListed)]
    return within, [each for each in during if isinstance(each, InventoryListed)]


def _note_round(
    state: TableState, building: Building, events: Sequence[Event], gaps: Iterable[Gap], opened: int
) -> None:
    """Pass a round on to the account of procedures."""
    polled = building.closed or building.opened
    last = state.note(events, polled.heard if polled is not None else {})
    # A round whose close was not reported goes on as long as something is reported of it.
    state.note_unreported(
        gaps, polled.at if polled is building.closed and polled is not None else max(opened, last)
    )


def _buttons(before: Mapping[str, int], after: Mapping[str, int]) -> list[MarkerButton]:
    """Return the marker buttons that lay before a round or after it, by seat."""
    people = sorted(before.keys() | after.keys(), key=lambda who: (person(who)[0], who))
    return [MarkerButton(who, before.get(who, 0), after.get(who, 0)) for who in people]


def _count(state: TableState, building: Building, chips_at_opening: int, gaps: Sequence[Gap]) -> None:
    """Add the tray reader's counts of a round to the inventory; `chips_at_opening` is its balance before.

    Of two counts the first is of the opening and the second of the settled table. If one of them may be
    missing it is not known which, and none is used. What was not reported in the round is in doubt from its
    opening on, if that was reported.
    """
    inventory = state.inventory
    inventory.append(RoundDealt())
    if building.opened is None:
        _doubt(state, gaps)
    is_read = len(building.counts) >= _COUNTS and all(gap.source != "tray" for gap in gaps)
    inventory.append(TrayRead(is_read))
    number, moved = building.number, state.chips - chips_at_opening
    if is_read:
        inventory.append(TrayCounted(f"round {number} as it opened", building.counts[0], moved))
    _doubt(state, gaps)
    if is_read:
        later = moved - building.inventory_change
        inventory.append(TrayCounted(f"round {number} as it closed", building.counts[-1], later, number))


def _doubt(state: TableState, gaps: Iterable[Gap], doubts: Sequence[Doubt] = ()) -> None:
    """Note what was not reported of the money, and of what people did."""
    found = [*gaps]
    if not (found or doubts):
        return
    counted = [gap.message for gap in found if gap.source in _COUNTED_BY] + [each.message for each in doubts]
    acts = [gap.message for gap in found if gap.source == "terminal"]
    if counted or acts:
        state.inventory.append(NotReported(tuple(counted), tuple(acts)))


def settle_between(
    state: TableState,
    events: Sequence[Event],
    gaps: Sequence[Gap],
    day_of: Callable[[int], date],
    buffer: ReorderBuffer,
) -> None:
    """Fold what happened after the last round, up to the table's closing or the end of the record."""
    if state.shoe is not None:
        state.shoe.lack(needed(gaps))
    _doubt(state, gaps)
    closed = next((event for event in events if isinstance(event, TableClosed)), None)
    if closed is not None:
        put_right_elsewhere(state, buffer, buffer.mark)
    doubts: list[Doubt] = []
    positions = closed.heard if closed is not None else {}
    ordered = corrected(in_time(events, positions), doubts)
    silent = _book_silence(state, buffer, ordered)
    for event in sorted(ordered, key=_is_closing):
        _between(state, event, buffer, day_of)
    state.note(ordered, positions)
    state.note_unreported([*gaps, *silent], closed.at if closed is not None else buffer.clock)
    _doubt(state, [*gaps, *silent], doubts)
    if closed is None:
        state.catch_up()


def put_right_elsewhere(state: TableState, buffer: ReorderBuffer, upper: Mark | None) -> None:
    """Store the chips with which rounds were corrected that are not held any more."""
    for event in buffer.unassigned:
        if isinstance(event, SettlementAdjusted) and (upper is None or lies_before(event, upper)):
            state.queue_correction(event)


def _between(state: TableState, event: Event, buffer: ReorderBuffer, day_of: Callable[[int], date]) -> None:
    """Fold an event between two rounds, in the gaming day by the terminal's clock."""
    if event.device == buffer.terminal:
        state.keep_day(day_of(event.at))
        state.catch_up((event.epoch, event.seq))
    if isinstance(event, DeviceWentSilent):
        source = buffer.sources.get(event.silent, "")
        _doubt(state, [Gap(event.silent, source, silent_fact(event.silent))])
    evolve(state, event)


def _is_closing(event: Event) -> bool:
    return isinstance(event, TableClosed)


def _settle_before(
    window: ClosedWindow,
    start: Mark | None,
    state: TableState,
    buffer: ReorderBuffer,
    doubts: list[Doubt],
    day_of: Callable[[int], date],
    uncertainty: int,
) -> list[Event]:
    """Fold what happened since the round before; return the events that turn out to belong to this one."""
    gaps = gaps_between(buffer, window.lower, start) if start is not None else []
    opened = window.span.opened
    begins = opened is not None and (state.shoe is None or state.shoe.name != opened.shoe)
    _doubt(state, gaps)
    _lack(state, gaps, begins=begins)
    put_right_elsewhere(state, buffer, window.upper)
    polled = opened.heard if opened is not None else {}
    before: list[Event] = []
    during: list[Event] = []
    for event in corrected(in_time(window.span.before, polled), doubts):
        is_before = start is None or (event.round is None and lies_before(event, start))
        (before if is_before else during).append(event)
    gaps += _book_silence(state, buffer, before, begins=begins)
    for event in before:
        _between(state, event, buffer, day_of)
    state.note(before, polled)
    clocks = _clocks_set(state, opened, buffer, uncertainty)
    state.note_unreported([*gaps, *clocks], opened.at if opened is not None else state.noted_until)
    _doubt(state, gaps, doubts)  # whether before or after what people counted meanwhile, no one knows
    return during


def _clocks_set(
    state: TableState, polled: RoundOpened | RoundClosed | None, buffer: ReorderBuffer, uncertainty: int
) -> list[Gap]:
    """Return the devices whose clocks were set since they were last polled: nobody knows when, in between."""
    gaps = []
    before = state.offsets
    offsets = {device: each.offset for device, each in polled.heard.items()} if polled is not None else {}
    for device, offset in offsets.items():
        if abs(offset - before.get(device, offset)) > uncertainty and device in buffer.sources:
            clock_set = fact("fold.clock_set", device=DeviceRef(device))
            gaps.append(Gap(device, buffer.sources[device], clock_set))
    state.offsets = before | offsets
    return gaps


def _lack(state: TableState, gaps: Sequence[Gap], *, begins: bool = False) -> None:
    """Book to the shoe what was not reported between two rounds.

    What the shoe did not report before a new one's first round is the new one's burn and loading.
    """
    for gap in needed(gaps):
        if state.shoe is None or (begins and gap.source == "shoe"):
            state.loading_unknown.append(gap)
        else:
            state.shoe.lack([gap])


def _book_silence(
    state: TableState, buffer: ReorderBuffer, events: Sequence[Event], *, begins: bool = False
) -> list[Gap]:
    """Book what a device that was silent between two rounds may not have seen; return all such gaps.

    The device may have come back before the next round, which then has no doubt about it. For a shoe that is
    buttons paid off, if vigorish is owed, and, if another one `begins`, its loading.
    """
    if not (state.silent.devices or events):
        return []
    _doubt(state, silences(buffer, state.silent.devices))
    ever, unloaded = silent_between(state.silent.devices, events)
    silent = silences(buffer, ever)
    if state.shoe is not None and any(state.owing.values()):
        unknown = state.shoe.unknown
        state.shoe.lack(gap for gap in silent if gap.source == "chips" and gap not in unknown)
    if begins:
        state.loading_unknown += [gap for gap in silences(buffer, unloaded) if gap.source == "shoe"]
    return silent


def _begin_round(
    building: Building,
    state: TableState,
    events: Sequence[Event],
    table: str,
    day_of: Callable[[int], date],
    terminal: str,
) -> Round:
    """Begin a round with its identity: the gaming day on which it opened, its shoe, and its dealer."""
    opened = building.opened
    at = opened.at if opened is not None else min(event.at for event in events)
    doubts: list[Doubt] = []
    if opened is not None and opened.rules != state.rules:
        unknown = fact("fold.rules_not_received", rules=opened.rules)
        doubts.append(Doubt("data_missing", "all", unknown, (terminal,)))
    return Round(
        table=table,
        number=building.number,
        day=day_of(at),
        at=at,
        shoe=state.shoe.title() if state.shoe is not None else None,
        dealer=state.crew.calling,
        floorperson=state.crew.floorperson,
        doubts=doubts,
    )
