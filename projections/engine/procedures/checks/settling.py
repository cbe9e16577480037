"""The order in which wagers are collected and paid, as each text has its dealers go round."""

from collections.abc import Callable, Iterator
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from projections.engine.facts import Fact, HandRef, Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.round_steps import PlayedRound, round_of
from schemas.events import (
    BankTaken,
    ChipsCollected,
    ChipsPaid,
    Event,
    TileLaid,
    VigorishCollected,
    VigorishMarked,
)
from schemas.values import Micros

SETTLED_OUT_OF_ORDER: Final = Kind(
    "settled_out_of_order",
    severity="medium",
    asks="Were wagers collected and paid in the order of the text, or of the Rules Submission?",
    false_positives="A way of settling that the house file has wrongly; chips that were read late.",
    sources=("chips", "tiles"),
)
KINDS: Final = (SETTLED_OUT_OF_ORDER,)

_ActKind: TypeAlias = Literal["exposed", "collected", "vigorish", "paid"]
_KINDS: Final[dict[type[Event], _ActKind]] = {
    TileLaid: "exposed",
    ChipsCollected: "collected",
    VigorishCollected: "vigorish",
    VigorishMarked: "vigorish",
    ChipsPaid: "paid",
}


class Way(Struct, frozen=True, forbid_unknown_fields=True):
    """One way to settle the `wagers` of a round.

    The `turns`, which acts these are, go by `seats` of rising or falling numbers. Losers may come first, and
    all hands be exposed before a winner is paid. Vigorish is taken or marked before or after the payment
    that it is of. `by_several` dealers, each may go round for wagers of his own.
    """

    cite: str
    wagers: tuple[str, ...]
    turns: tuple[Literal["collected", "paid"], ...]
    seats: Literal["rising", "falling"]
    losers_first: bool = False
    exposed_first: bool = False
    vigorish: Literal["before", "after"] | None = None
    by_several: bool = False


class Act(Struct, frozen=True):
    """Deed of a dealer: with a wager, or with the hand that it is on."""

    at: Micros
    device: str
    kind: _ActKind
    seat: int
    wager: str
    bettor: str | None = None
    hand: str | None = None

    @property
    def spot(self) -> tuple[int, str, str | None, str | None]:
        """The wager that it is about."""
        return self.seat, self.wager, self.bettor, self.hand

    @property
    def words(self) -> Fact:
        """The act as a part of a sentence."""
        return fact(
            "procedures.checks.act_of_settling",
            kind=self.kind,
            seat=HandRef(f"seat{self.seat}"),
            wager=Word(self.wager),
        )


def check_settling(case: ProcedureCase) -> Iterator[Raised]:
    """Raise wagers that were settled after the last card in another order than that of the text.

    What two devices report at about the same time, or one at the very same, may have come in either order.
    """
    way, played = _way_of(case), round_of(case)
    # Against a player's bank the winners are paid from the centre, 535.11(o), in no order that is said.
    if way is None or played is None or any(played.events(BankTaken)):
        return
    acts = _acts(played, way)
    gaps = played.unreported("chips", "shoe", "tiles")
    most = 1
    if way.by_several and acts:
        most = max(1, len(played.people(acts[0].at).crew.dealers) - 1)  # one calls the game

    def is_apart(one: Act, other: Act) -> bool:
        return other.at - one.at > (0 if one.device == other.device else case.uncertainty)

    found = _out_of_order(acts, way, most, is_apart)
    unsure = _out_of_order(acts, way, most, lambda _one, _other: True) if found is None else None
    if found is not None:
        first, then = found
        message = fact(
            "procedures.checks.settled_out_of_order", round=played.name, first=first.words, then=then.words
        )
        yield case.found(SETTLED_OUT_OF_ORDER, message, (way.cite,), who=played.who, gaps=gaps)
    elif unsure is not None:
        first, then = unsure
        message = fact(
            "procedures.checks.settling_order_unclear", round=played.name, one=first.words, other=then.words
        )
        yield case.found(SETTLED_OUT_OF_ORDER, message, (way.cite,), who=played.who, undetermined=True)


def _way_of(case: ProcedureCase) -> Way | None:
    """Return the way that the text has, or of several the one that the house submitted."""
    duty = case.duty("settling")
    if duty is None:
        return None
    ways = msgspec.convert(duty.value, dict[str, Way])
    chosen = case.settings.settling.get(case.law.chapter) if len(ways) > 1 else next(iter(ways))
    return ways.get(chosen) if chosen is not None else None


def _acts(played: PlayedRound, way: Way) -> list[Act]:
    """Return what was done in a round about the wagers of a way, in order."""
    since = max((at for at, _ in played.drawn()), default=played.since)
    found = []
    for entry in played.case.window.entries:
        event, kind = entry.event, _KINDS.get(type(entry.event))
        match event:
            case TileLaid(hand=hand) if hand.startswith("seat") and kind is not None:
                seat = int(hand.removeprefix("seat").partition(".")[0])
                found.append(Act(entry.at, event.device, kind, seat, ""))
            case ChipsCollected() | ChipsPaid() | VigorishCollected() | VigorishMarked() if kind is not None:
                if event.wager in way.wagers and entry.at > since:
                    spot = event.seat, event.wager, event.bettor, event.hand
                    found.append(Act(entry.at, event.device, kind, *spot))
    paid = {act.spot for act in found if act.kind == "paid"}
    return [act for act in found if act.kind != "vigorish" or act.spot in paid]


def _out_of_order(
    acts: list[Act], way: Way, most: int, is_apart: Callable[[Act, Act], bool]
) -> tuple[Act, Act] | None:
    """Return two acts of which the second had to come first; None if there are no such.

    What a number of dealers can have done, each going round in order, is in order.
    """
    dealers: list[int] = []  # by act how many it took at least, up to it
    for then in acts:
        needed, before = 1, None
        for first, count in zip(acts, dealers, strict=False):
            if not is_apart(first, then):
                continue
            if _precedes(way, then, first):
                return first, then
            if _has_earlier_turn(way, then, first) and count >= needed:
                needed, before = count + 1, first
        if before is not None and needed > most:
            return before, then
        dealers.append(needed)
    return None


def _precedes(way: Way, one: Act, other: Act) -> bool:
    """Return True if the text has one act before the other, whatever the seats."""
    match one.kind, other.kind:
        case "collected", "paid" | "vigorish":
            return way.losers_first
        case "exposed", "paid" | "vigorish":
            return way.exposed_first
        case "vigorish", "paid":
            return way.vigorish == "before" and one.spot == other.spot
        case "paid", "vigorish":
            return way.vigorish == "after" and one.spot == other.spot
    return False


def _has_earlier_turn(way: Way, one: Act, other: Act) -> bool:
    """Return True if both are turns, and the seats have the turn of one before that of the other."""
    if not {one.kind, other.kind} <= {*way.turns, *(("vigorish",) if "paid" in way.turns else ())}:
        return False
    return one.seat > other.seat if way.seats == "falling" else one.seat < other.seat
