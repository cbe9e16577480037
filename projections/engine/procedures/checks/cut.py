"""Were the cards cut, deep enough, and did the cover card stand far enough from the bottom?"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import zip_longest
from typing import Final

from projections.engine.facts import Fact, HandRef, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.account import Preparation
from projections.engine.procedures.case import ProcedureCase
from schemas.events import PlayerSeated, ProcedureStepTaken
from schemas.law_text import Number
from schemas.procedures import FLOORPERSON_OR_ABOVE
from schemas.values import Micros

CARDS_NOT_CUT: Final = Kind(
    "cards_not_cut",
    severity="medium",
    asks="Were the cards cut before they were put into the dealing shoe?",
    false_positives="A cut that the pit terminal was not told of.",
    sources=("pit",),
)
CUT_TOO_SHALLOW: Final = Kind(
    "cut_too_shallow",
    severity="medium",
    asks="Was the cover card placed deep enough from the top and from the bottom of the stack?",
    false_positives="A depth that was measured wrongly; a cut that was made again without being reported.",
    sources=("pit",),
)
CUT_NOT_COMPLETED: Final = Kind(
    "cut_not_completed",
    severity="medium",
    asks="Were the cards above the cover card put on the bottom, and a cover card inserted?",
    false_positives="A step that the pit terminal was not told of.",
    sources=("pit",),
)
COVER_CARD_TOO_LOW: Final = Kind(
    "cover_card_too_low",
    severity="medium",
    asks="Did the cover card stand far enough above the bottom of the stack?",
    false_positives="Cards behind the cover card that were counted wrongly.",
    sources=("pit",),
)
CUT_ORDER_WRONG: Final = Kind(
    "cut_order_wrong",
    severity="medium",
    asks="Was the cut offered to the players in the order that the text names?",
    false_positives="An offer, or a player who sat down, that was not keyed in.",
    sources=("pit",),
)
RECUT_WRONG: Final = Kind(
    "recut_wrong",
    severity="medium",
    asks="Was a second cut ordered by whom and when it may be, and made by the next who is entitled to it?",
    false_positives="An offer of the cut that was not keyed in.",
    sources=("pit",),
)
KINDS: Final = (
    CARDS_NOT_CUT,
    CUT_TOO_SHALLOW,
    CUT_NOT_COMPLETED,
    COVER_CARD_TOO_LOW,
    CUT_ORDER_WRONG,
    RECUT_WRONG,
)


def check_cut(case: ProcedureCase) -> Iterator[Raised]:
    """Raise that the cards of a shoe were not cut, or that the cut that stood was too shallow.

    A cut that was made again before the cards were loaded does not count.
    """
    preparation, least = case.window.preparation, case.duty("cut_least")
    if preparation is None or least is None or "pit" not in case.sources:
        return
    who = f"shoe {preparation.shoe}"
    until = preparation.loaded.at if preparation.loaded is not None else preparation.opened
    gaps = case.unreported(preparation.since, preparation.opened, "pit")
    cuts = [cut for at, cut in preparation.steps("cut_made") if at <= until]
    if not cuts:
        yield case.found(
            CARDS_NOT_CUT,
            fact("procedures.checks.cards_not_cut", shoe=preparation.shoe),
            (least.cite,),
            who=who,
            gaps=gaps,
        )
        return
    yield from _depth(case, preparation, cuts[-1], least)
    yield from _completed(case, preparation, gaps)


def _depth(
    case: ProcedureCase, preparation: Preparation, cut: ProcedureStepTaken, least: Number
) -> Iterator[Raised]:
    who = f"shoe {preparation.shoe}"
    if cut.count is None or cut.total is None:
        yield case.found(
            CUT_TOO_SHALLOW,
            fact("procedures.checks.cut_not_measured", shoe=preparation.shoe),
            (least.cite,),
            who=who,
            undetermined=True,
        )
    elif min(cut.count, cut.total - cut.count) < least.value:
        yield case.found(
            CUT_TOO_SHALLOW,
            fact(
                "procedures.checks.cut_too_shallow",
                shoe=preparation.shoe,
                above=cut.count,
                below=cut.total - cut.count,
                least=least.value,
            ),
            (least.cite,),
            who=who,
        )


def _completed(case: ProcedureCase, preparation: Preparation, gaps: tuple[Fact, ...]) -> Iterator[Raised]:
    """Raise a stack that was not turned over as it was cut, and a cover card that was not inserted."""
    last = preparation.last("cut_made")
    duty = case.duty("cover_card_least") or case.duty("cover_card_part")
    if last is None or duty is None:
        return
    for step in ("stack_rotated", "cover_card_inserted"):
        after = preparation.last("stack_rotated" if step == "stack_rotated" else "cover_card_inserted")
        if after is None or after[0] < last[0]:
            # Two of the texts put the second cover card at the bottom in the same sentence.
            unclear = step == "cover_card_inserted" and case.duty("cover_card_at_bottom") is not None
            yield case.found(
                CUT_NOT_COMPLETED,
                fact("procedures.checks.stack_not_rotated", shoe=preparation.shoe)
                if step == "stack_rotated"
                else fact("procedures.checks.cover_card_not_inserted", shoe=preparation.shoe),
                (duty.cite,),
                who=f"shoe {preparation.shoe}, {step}",
                gaps=gaps,
                undetermined=unclear,
            )


def check_cover_card(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a cover card with too few cards behind it, when it was inserted or when it was reached.

    If the text gives its depth approximately, the house's tolerance is subtracted.
    """
    preparation = case.window.preparation
    if preparation is not None and (last := preparation.last("cover_card_inserted")) is not None:
        yield from _cover_card(case, last[1], f"shoe {preparation.shoe}")


def _cover_card(case: ProcedureCase, step: ProcedureStepTaken, who: str) -> Iterator[Raised]:
    least, part = case.duty("cover_card_least"), case.duty("cover_card_part")
    duty = least or part
    if duty is None:
        return
    if step.count is None or (least is None and step.total is None):
        yield case.found(
            COVER_CARD_TOO_LOW,
            fact("procedures.checks.cover_card_not_measured", shoe=who),
            (duty.cite,),
            who=who,
            undetermined=True,
        )
        return
    if least is not None:
        required = Fraction(least.value)
    else:
        tolerance = case.settings.cover_card_tolerance if case.duty("cover_card_approximate") else 0
        required = Fraction(duty.value) * (step.total or 0) - tolerance
    if step.count < required:
        yield case.found(
            COVER_CARD_TOO_LOW,
            fact(
                "procedures.checks.cover_card_too_low", shoe=who, behind=step.count, least=-(-required // 1)
            ),
            (duty.cite,),
            who=who,
        )


# ── To whom the cut is offered ────────────────────────────────────────────────────────────────────────


def check_cut_order(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a cut that was offered out of order, or that the dealer made with somebody unasked."""
    preparation, duty = case.window.preparation, case.duty("cut_order")
    if preparation is None or duty is None or "pit" not in case.sources:
        return
    rounds = _rounds_of_offers(preparation)
    cut = next((each for _, each in reversed([*preparation.steps("cut_made")])), None)
    if cut is None or len(rounds) != 1:
        return  # a cut that was made again is judged with the order to do so
    required = [seat for _, seat in rounds[0]]
    first_at = rounds[0][0][0] if rounds[0] else preparation.ready
    order = _order(case, preparation, first_at)
    gaps = (
        *case.unreported(preparation.since, preparation.opened, "pit"),
        *case.unreported(preparation.people.since, preparation.opened, "terminal"),
    )
    cites = dict.fromkeys((duty.cite, *_case_cites(case, preparation)))
    if order is None:
        message = fact("procedures.checks.cut_order_unknown", shoe=preparation.shoe)
        yield case.found(
            CUT_ORDER_WRONG, message, cites, who=f"shoe {preparation.shoe}", gaps=gaps, undetermined=True
        )
    elif required != order[: len(required)] or (cut.seat is None and len(required) < len(order)):
        message = fact(
            "procedures.checks.cut_order_wrong",
            shoe=preparation.shoe,
            asked=listed(*(HandRef(f"seat{seat}") for seat in required)),
            order=listed(*(HandRef(f"seat{seat}") for seat in order)),
            by_dealer=int(cut.seat is None),
        )
        yield case.found(CUT_ORDER_WRONG, message, cites, who=f"shoe {preparation.shoe}", gaps=gaps)


def _rounds_of_offers(preparation: Preparation) -> list[list[tuple[Micros, int]]]:
    """Return whom the cut was offered to, in order, a list for each order to cut again."""
    rounds: list[list[tuple[Micros, int]]] = [[]]
    for at, step in preparation.steps("cut_offered", "cut_declined", "cut_made", "recut_directed"):
        if step.step == "recut_directed":
            rounds.append([])
        elif step.seat is not None and step.seat not in [seat for _, seat in rounds[-1]]:
            rounds[-1].append((at, step.seat))
    return rounds


def _order(case: ProcedureCase, preparation: Preparation, at: Micros) -> list[int] | None:
    """Return the occupied seats in the order in which the cut is offered; None if it is not known.

    At baccarat tables seats are numbered counterclockwise from the dealer's right, at blackjack tables
    clockwise from his left.
    """
    present = preparation.at_table(at)
    seats, duty = sorted(present.seats), case.duty("cut_order")
    if not seats or duty is None:
        return None
    match duty.value:
        case "highest_clockwise":
            return seats[::-1]
        case "highest_or_curator_clockwise":
            if preparation.preceding is None or present.curator is None:
                return seats[::-1]
            return _from(present.curator, seats[::-1])
    first = _first_by_case(preparation, seats)
    turning = seats[::-1] if duty.value == "by_case_counterclockwise" else seats
    return _from(first, turning) if first is not None else None


def _from(first: int, seats: list[int]) -> list[int]:
    """Return seats in the same direction starting at one of them, or at the next if that one is empty.

    >>> _from(5, [7, 5, 2]), _from(6, [7, 5, 2])
    ([5, 2, 7], [5, 2, 7])
    """
    descending = seats == sorted(seats, reverse=True)
    ahead = [seat for seat in seats if (seat <= first if descending else seat >= first)]
    return ahead + [seat for seat in seats if seat not in ahead]


def _first_by_case(preparation: Preparation, seats: list[int]) -> int | None:
    """Return who is first offered the cut at a blackjack table, by how the shoe before ended."""
    if preparation.preceding is None:
        arrived = next((e.event.seat for e in preparation.entries if isinstance(e.event, PlayerSeated)), None)
        return arrived if arrived in seats else None
    if preparation.last("reshuffle_directed") is not None:
        return seats[-1]
    reached = preparation.last("cover_card_reached")
    if reached is None or reached[1].hand is None:
        return None
    seat = reached[1].hand.partition(".")[0].removeprefix("seat")
    return int(seat) if seat.isdigit() else seats[-1]


def _case_cites(case: ProcedureCase, preparation: Preparation) -> tuple[str, ...]:
    """Return the paragraph of the case that decides who is first offered the cut."""
    if preparation.preceding is None:
        duty = case.duty("cut_first_at_opening")
    elif preparation.last("reshuffle_directed") is not None:
        duty = case.duty("cut_first_if_directed")
    else:
        reached = preparation.last("cover_card_reached")
        on_box = reached is not None and (reached[1].hand or "").startswith("seat")
        duty = case.duty("cut_first_by_box" if on_box else "cut_first_by_dealer")
    return (duty.cite,) if duty is not None else ()


def check_recut(case: ProcedureCase) -> Iterator[Raised]:
    """Raise an order to cut again that nobody may give, that came too late, or that was not followed."""
    preparation, duty = case.window.preparation, case.duty("recut")
    if duty is None or "pit" not in case.sources:
        return
    if preparation is None:
        for _ in case.window.steps("recut_directed"):
            message = fact("procedures.checks.recut_ordered_late", shoe=case.window.shoe)
            yield case.found(RECUT_WRONG, message, (duty.cite,), who=f"shoe {case.window.shoe}")
        return
    who = f"shoe {preparation.shoe}"
    gaps = case.unreported(preparation.since, preparation.opened, "pit")
    for at, order in preparation.steps("recut_directed"):
        if order.by is None or order.by.role not in FLOORPERSON_OR_ABOVE:
            message = fact("procedures.checks.recut_ordered_by_other", shoe=preparation.shoe)
            yield case.found(RECUT_WRONG, message, (duty.cite,), who=who)
        if at > preparation.ready + case.uncertainty and duty.value != "before_first_card":
            message = fact("procedures.checks.recut_ordered_late", shoe=preparation.shoe)
            yield case.found(RECUT_WRONG, message, (duty.cite,), who=who)
        if not any(cut_at > at for cut_at, _ in preparation.steps("cut_made", "shuffled")):
            message = fact("procedures.checks.recut_not_made", shoe=preparation.shoe)
            yield case.found(RECUT_WRONG, message, (duty.cite,), who=who, gaps=gaps)
    yield from _recutter(case, preparation, who)


def _is_dealers(steps: Iterable[tuple[Micros, ProcedureStepTaken]]) -> bool:
    """Return True if the last of orders and cuts is a cut that no player made."""
    last = [step for _, step in steps][-1]
    return last.step == "cut_made" and last.seat is None


def _recutter(case: ProcedureCase, preparation: Preparation, who: str) -> Iterator[Raised]:
    """Raise a second cut that was offered to, or made by, another than the next who is entitled to it."""
    duty, rounds = case.duty("recut"), _rounds_of_offers(preparation)
    if duty is None or len(rounds) < 2 or duty.value == "anyone":  # noqa: PLR2004  the first and one again
        return
    order = _order(case, preparation, preparation.ready)
    before, again = [seat for _, seat in rounds[-2]], [seat for _, seat in rounds[-1]]
    if not order or not before or before[-1] not in order:
        return
    place = order.index(before[-1])
    start = place if duty.value == "next_or_same" and again[:1] == before[-1:] else place + 1
    due = [*order[start:], *order[:start]][: len(again)]
    other = next((seat for seat, entitled in zip_longest(again, due) if seat != entitled), None)
    unasked = next((seat for seat in order[place + 1 :] if seat not in again), None)
    message = None
    if other is not None:
        message = fact(
            "procedures.checks.recut_by_other", shoe=preparation.shoe, seat=HandRef(f"seat{other}")
        )
    elif unasked is not None and _is_dealers(preparation.steps("recut_directed", "cut_made")):
        message = fact(
            "procedures.checks.recut_by_dealer", shoe=preparation.shoe, seat=HandRef(f"seat{unasked}")
        )
    if message is not None:
        gaps = (
            *case.unreported(preparation.since, preparation.opened, "pit"),
            *case.unreported(preparation.people.since, preparation.opened, "terminal"),
        )
        yield case.found(RECUT_WRONG, message, (duty.cite,), who=who, gaps=gaps)
