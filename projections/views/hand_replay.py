"""A hand as its devices reported it, event after event: how the table lay at each, for a replay.

Every step is the fold's own state after one more event. What was owed comes from the conclusion: a step has
it for a wager from its settlement on, and for all of them once the round is over.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.checks.result import ANNOUNCED_KINDS
from projections.engine.facts import fact
from projections.engine.findings import FindingBase, wager_of
from projections.engine.fold.corrections import corrected
from projections.engine.fold.reconcile_sources import Circumstances, reconcile
from projections.engine.fold.table_state import Building, TableState, evolve
from projections.engine.fold.watermark import by_terminal_clock
from projections.engine.games import game_of
from projections.engine.observation import OUT_OF_PLAY, Gap, Key, Lying, Round, Wager, key_of
from projections.engine.table_layout import is_piece, lying
from projections.views.table_picture import PicturePlace, lying_view, picture
from projections.views.wager_view import AnySpot, weighed
from schemas.events import (
    KINDS_OF,
    CardDrawn,
    CardSeen,
    ChipsCollected,
    ChipsPaid,
    ChipsPlaced,
    ChipsRemoved,
    Event,
    EventId,
    HandCalled,
    OutcomeAnnounced,
    PayoutAdded,
    PayoutHanded,
    ReportCorrected,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    SettlementAdjusted,
    TileLaid,
    VigorishCollected,
    VigorishMarked,
    id_of,
)
from schemas.values import Micros

_SETTLED_BY: Final = (ChipsPaid, ChipsCollected, SettlementAdjusted)
_VIGORISH_BY: Final = (VigorishCollected, VigorishMarked, SettlementAdjusted)
_MOVED_BY: Final = (ChipsPlaced, ChipsRemoved)
_DEALT_BY: Final = (CardDrawn, CardSeen, TileLaid)
_CALLED_BY: Final = (OutcomeAnnounced, HandCalled, RoundVoided)
_CALLS: Final = frozenset(kind.check for kind in ANNOUNCED_KINDS)
_NOTHING: Final = Wager(0)


class ReplayStep(Struct, frozen=True):
    """Layout of the table after an event: its moment by the terminal's clock, and its places.

    `announced` is the result that was called by then; `is_closed` is true if no more bets were taken.
    """

    at: Micros
    event: Event
    places: tuple[PicturePlace, ...]
    announced: str | None
    is_closed: bool


def replay_steps(
    chapter: str,
    day: date,
    events: Sequence[Event],
    judged: Sequence[PicturePlace],
    cover: Callable[[Event], Event] = lambda event: event,
) -> list[ReplayStep]:
    """Return the steps of a round from the events that name it, each as it was corrected.

    `judged` are the places of its record, which the table has once the round is closed. `cover` removes the
    card or tile from an event if it must not be shown; it is called once for each, in order.
    """
    settled = {key_of(each): each for place in judged for each in place.wagers}
    polled = next((each.heard for each in events if isinstance(each, RoundOpened | RoundClosed)), {})
    holding = [each for each in corrected([*events], []) if not isinstance(each, ReportCorrected)]
    state, around = TableState(), _circumstances(chapter, holding)
    steps: list[ReplayStep] = []
    taken: list[Event] = []
    covered: set[EventId] = set()
    for at, event in by_terminal_clock(holding, polled):
        evolve(state, event)
        taken.append(event)
        if (visible := cover(event)) != event:
            covered.add(id_of(event))
        building = state.ensure_round(event.round or "")
        observed = reconcile(building, Round("", building.number, day, at), around, taken)
        hidden = frozenset(_hidden_lines(observed, building, covered))
        hands = [lying_view(_face_down(hand, hidden)) for hand in lying(chapter, observed, None)]
        places = picture("", [hand for hand in hands if hand.pieces], [*_spots(building, settled)]).places
        steps.append(
            ReplayStep(
                at,
                visible,
                places if building.closed is None else tuple(judged),
                building.announced,
                building.wagers_closed_at is not None,
            )
        )
    return steps


def _circumstances(chapter: str, events: Iterable[Event]) -> Circumstances:
    """Return the devices as far as a step needs them: by the kinds of events that each of them reported.

    The second reader of cards is left out, as a card that it has yet to see is not in doubt. If the shoe
    reported fewer cards than it, its own are read.
    """
    listed = [*events]
    sources = {
        each.device: source
        for each in listed
        for source, kinds in KINDS_OF.items()
        if type(each) in kinds and source != "camera"
    }
    drawn = sum(isinstance(each, CardDrawn) for each in listed)
    seen = [each for each in listed if isinstance(each, CardSeen)]
    gaps = []
    if len(seen) > drawn:
        sources[seen[0].device] = "camera"
        gaps = [Gap("", "shoe", fact("fold.no_card"))]
    return Circumstances(sources, gaps, 0, game_of(chapter))


def _hidden_lines(observed: Round, building: Building, covered: Collection[EventId]) -> Iterator[int]:
    """Yield the lines of the play whose card or tile must not be shown, from 1."""
    cards = building.seen_cards if observed.covered else building.cards
    tiles = [each for each in building.deeds if isinstance(each, TileLaid)]
    discards = iter([id_of(each) in covered for each in building.discards])
    dealt = iter([id_of(each) in covered for each in (*cards, *sorted(tiles, key=_moment))])
    for line, (who, what) in enumerate(observed.play, 1):
        if who in OUT_OF_PLAY:
            if next(discards, True):
                yield line
        elif who != "dice" and is_piece(who, what) and next(dealt, True):
            yield line


def _moment(event: Event) -> int:
    return event.at


def _face_down(hand: Lying, hidden: frozenset[int]) -> Lying:
    if hidden.isdisjoint(piece.line for piece in hand.pieces):
        return hand
    pieces = tuple(replace(each, face=None) if each.line in hidden else each for each in hand.pieces)
    return replace(hand, pieces=pieces, point_count=None)


def _spots(building: Building, settled: Mapping[Key, AnySpot]) -> Iterator[AnySpot]:
    """Yield the wagers with their chips, and what was owed on those that are settled."""
    for key in dict.fromkeys((*building.wagers, *building.paid)):
        judged, paid = settled.get(key), building.paid.get(key)
        due: tuple[int | None, int | None] = (None, None)
        if judged is not None and paid is not None:
            due = judged.owed_cents, judged.owed_vigorish_cents
        patron = judged.patron if judged is not None else None
        yield weighed(key, building.wagers.get(key, _NOTHING), due, paid, patron=patron)


# ── At which event a finding came to be ───────────────────────────────────────────────────────────────


def event_of(finding: FindingBase[Any], events: Sequence[Event]) -> int:
    """Return the place of the event by which what was found had happened, among a round's in order.

    A gain that is wrong was wrong when its wager was last paid or collected, vigorish when that was last
    taken, a wager when its chips last moved, a hand when its last card came, anything else when the result
    was called. What did not happen at all is certain at the end of the round.
    """
    ends = [place for place, each in enumerate(events) if isinstance(each, RoundClosed)]
    places = [place for place, each in enumerate(events) if _brought_about(each, finding)]
    return (places or ends or [len(events) - 1])[-1]


def _brought_about(event: Event, finding: FindingBase[Any]) -> bool:
    """Return True if an event is one of those whose last caused the finding."""
    if finding.check in _CALLS:
        is_of_seat = not isinstance(event, HandCalled) or event.seat == finding.seat
        return isinstance(event, _CALLED_BY) and is_of_seat
    key = wager_of(finding)
    if key is not None and isinstance(event, PayoutHanded | PayoutAdded):
        return bool(finding.gross_cents) and Key(event.seat, event.bettor, event.wager, None) == key
    if key is not None:
        by_sum = _SETTLED_BY if finding.gross_cents else _VIGORISH_BY
        kinds = by_sum if isinstance(finding.net_cents, int) else _MOVED_BY
        return isinstance(event, kinds) and key_of(event) == key
    if isinstance(finding.who, str):
        hand = finding.who.partition(".")[0]
        return isinstance(event, _DEALT_BY) and event.hand.partition(".")[0] == hand
    return isinstance(event, _CALLED_BY)
