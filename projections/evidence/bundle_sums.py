"""Sums owed and paid on each shown wager, which a stranger can add again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.adjudication import summands_of
from projections.engine.check_context import RoundCase
from projections.engine.facts import fact
from projections.engine.observation import Key, key_of
from projections.evidence import bundle_proof
from projections.evidence.bundle_events import PlacedEvent
from projections.evidence.canonical_json import Count, Provision, Sum
from projections.evidence.disclosure import DisclosureScope
from projections.views.text import text
from projections.views.wager_view import AnySpot
from schemas.events import (
    ChipsCollected,
    ChipsPaid,
    Event,
    EventId,
    PayoutAdded,
    PayoutHanded,
    ReportCorrected,
    SettlementAdjusted,
    VigorishCollected,
    VigorishMarked,
    id_of,
)

Place: TypeAlias = tuple[str, int]  # a part's path, and a leaf

_ROUNDED: Final = fact("evidence.permitted_rounding")


class StepAdded(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of what was owed: its cents where it came to some, and what it adds."""

    says: str
    cite: str
    cents: Sum | None
    adds: Sum


class Observed(Struct, frozen=True, forbid_unknown_fields=True):
    """An event that chips were moved, by its part's place in proof.json and its leaf, and what it adds."""

    part: Count
    leaf: Count
    adds: Sum


class Permitted(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of paid less owed that is within the rule: the provision that permits it, and what it adds."""

    says: str
    cite: Provision
    adds: Sum


class SettledWager(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Settlement of one wager; docs/proofs.md describes each field."""

    seat: Count
    bettor: str | None
    wager: str
    hand: str | None
    steps: tuple[StepAdded, ...]
    owed_cents: Sum | None
    observed: tuple[Observed, ...] | None
    paid_cents: Sum | None
    permitted: Permitted | None = None
    difference_cents: Sum | None


class Settlement(Struct, frozen=True, forbid_unknown_fields=True):
    """The settlement of every wager that is shown, and the sum of the differences that are known."""

    wagers: tuple[SettledWager, ...]
    difference_cents: Sum

    def unproven(self) -> int:
        """Count the wagers with a paid sum that no shown event proves."""
        return sum(each.paid_cents is not None and not each.observed for each in self.wagers)

    def left_open(self) -> int:
        """Count the wagers for which the owed or the paid sum is left open."""
        return sum(each.difference_cents is None for each in self.wagers)

    def within(self) -> tuple[Permitted, ...]:
        """Return the differences that are within the rule, though not as owed."""
        return tuple(each.permitted for each in self.wagers if each.permitted is not None)


def settlement(
    spots: Sequence[AnySpot],
    case: RoundCase | None,
    view: DisclosureScope,
    found: Sequence[PlacedEvent],
    places: Mapping[str, int],
) -> Settlement:
    """Build the settlement of the wagers that are shown.

    `found` are all events of the round in the order in which they came, `places` has the place of each part
    in proof.json. The paid sum is left open if not all of the money was reported without contradiction.
    """
    paid = _paid(found)
    wagers = tuple(_settled(spot, case, view, paid.get(key_of(spot), []), places) for spot in spots)
    return Settlement(wagers, sum(each.difference_cents or 0 for each in wagers))


def _settled(
    spot: AnySpot,
    case: RoundCase | None,
    view: DisclosureScope,
    events: Sequence[tuple[Place, int] | None],
    places: Mapping[str, int],
) -> SettledWager:
    key = key_of(spot)
    owed = _less(spot.owed_cents, spot.owed_vigorish_cents)
    is_known = case is None or (case.money_known and key not in case.in_doubt)
    paid = _less(spot.paid_cents, spot.paid_vigorish_cents) if is_known else None
    is_open = paid is None or owed is None
    gain, vigorish = spot.against_the_rule
    return SettledWager(
        seat=spot.seat,
        bettor=spot.bettor,
        wager=spot.wager,
        hand=spot.hand,
        steps=_steps(key, case, view) if owed is not None else (),
        owed_cents=owed,
        observed=_observed(events, paid, places),
        paid_cents=paid,
        permitted=None if is_open else _permitted(spot),
        difference_cents=None if is_open else gain - vigorish,
    )


def _permitted(spot: AnySpot) -> Permitted | None:
    if spot.permitted_by is None:
        return None
    return Permitted(text(_ROUNDED), spot.permitted_by, -(spot.vigorish_difference_cents or 0))


def _less(gain: int | None, vigorish: int | None) -> int | None:
    return None if gain is None or vigorish is None else gain - vigorish


def _steps(key: Key, case: RoundCase | None, view: DisclosureScope) -> tuple[StepAdded, ...]:
    """Return the steps without their text about other seats; their cents stay."""
    if case is None:
        return ()
    return tuple(
        StepAdded(text(view.redact(each.step.says)), each.step.cite, each.step.cents, each.adds)
        for each in summands_of(key, case.owed(key), case.book)
    )


def _observed(
    events: Sequence[tuple[Place, int] | None], paid: int | None, places: Mapping[str, int]
) -> tuple[Observed, ...] | None:
    """Return the events that make up the paid sum; None if one of them is not enough by itself.

    If they have another sum, one came too late to count, or was not reported.
    """
    placed = [each for each in events if each is not None]
    if paid is None or len(placed) < len(events) or sum(adds for _, adds in placed) != paid:
        return None
    return tuple(Observed(places[part], leaf, adds) for (part, leaf), adds in placed)


def _paid(found: Sequence[PlacedEvent]) -> dict[Key, list[tuple[Place, int] | None]]:
    """Return for each wager the events that moved chips of it, each once, and what each adds to the player.

    None stands for one whose cents are incomplete: it was corrected, or has more than one sum.
    """
    mistaken: set[EventId] = set()
    moved: dict[Key, list[tuple[Place, int] | None]] = {}
    once: dict[EventId, PlacedEvent] = {}
    for each in found:
        once.setdefault(id_of(each.event), each)
        if isinstance(each.event, ReportCorrected):
            mistaken.add(each.event.mistaken)
    for name, each in once.items():
        event = each.event
        while isinstance(event, ReportCorrected) and event.instead is not None:
            event = event.instead
        plain = name not in mistaken and event is each.event
        for key, adds in _moves(event):
            counts = plain and adds is not None
            moved.setdefault(key, []).append(((each.part, each.leaf), adds or 0) if counts else None)
    return moved


def _moves(event: Event) -> Iterator[tuple[Key, int | None]]:
    """Yield the wager of which an event moved chips, and the player's gain from it.

    The gain is None if it has two sums.
    """
    if isinstance(event, ChipsPaid):
        yield key_of(event), event.cents
    elif isinstance(event, ChipsCollected | VigorishCollected | VigorishMarked):
        yield key_of(event), -event.cents
    elif isinstance(event, SettlementAdjusted):
        cents = None if event.vigorish_cents else event.cents
        yield key_of(event), cents
    elif isinstance(event, PayoutHanded):
        yield Key(event.seat, event.bettor, event.wager, None), event.cents
    elif isinstance(event, PayoutAdded):
        yield Key(event.seat, event.bettor, event.wager, None), None if event.handed_cents else event.cents


def added_up(settled: Settlement, spots: Sequence[Mapping[int, bundle_proof.Event]], number: str) -> None:
    """Add every sum again; `spots` are the events of each part by leaf, `number` is that of the round.

    Raises:
        ValueError: a sum is not what its parts make, or an event adds twice; the message names it.
    """
    used: set[tuple[str, int, int]] = set()
    event_at = {
        (part, leaf): event for part, part_events in enumerate(spots) for leaf, event in part_events.items()
    }
    for each in settled.wagers:
        where = " ".join(part for part in (f"seat {each.seat}", each.bettor, each.wager, each.hand) if part)
        steps = sum(step.adds for step in each.steps)
        if each.owed_cents != steps and (each.owed_cents is not None or each.steps):
            raise ValueError(f"{where}: the steps do not make what was owed")
        for event in each.observed or ():
            part_events = event_at.get((event.part, event.leaf))
            if (
                part_events is None
                or not _tells(part_events, each, number)
                or part_events.gain() != event.adds
            ):
                raise ValueError(f"{where}: leaf {event.leaf} does not tell of {event.adds} cents of it")
            if part_events.id() in used:
                raise ValueError(f"{where}: the event at leaf {event.leaf} adds a second time")
            used.add(part_events.id())
        if each.observed is not None and sum(event.adds for event in each.observed) != each.paid_cents:
            raise ValueError(f"{where}: the events do not make what was paid")
        apart = _less(each.paid_cents, each.owed_cents)
        if apart is None and each.permitted is not None:
            raise ValueError(f"{where}: what is open is said to be within the rule")
        if each.difference_cents != _less(apart, each.permitted.adds if each.permitted is not None else 0):
            raise ValueError(f"{where}: paid less owed, less what is permitted, is not the difference")
    if sum(each.difference_cents or 0 for each in settled.wagers) != settled.difference_cents:
        raise ValueError("the differences do not make their total")


def _tells(event: bundle_proof.Event, settled: SettledWager, number: str) -> bool:
    spot = settled.seat, settled.bettor, settled.wager, settled.hand
    return event.round == number and event.spot() == spot
