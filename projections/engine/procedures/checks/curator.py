"""Was the dealing shoe offered in the order of the text, and passed on the order of an authorized person?"""

from collections.abc import Iterator, Sequence
from typing import Final

from projections.engine.facts import Fact, HandRef, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.games import game_of
from projections.engine.observation import Round
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.curatorship import Curatorship, point_count
from schemas.events import CuratorNamed, ProcedureStepTaken, RoundOpened, ShoeLoaded
from schemas.procedures import FLOORPERSON_OR_ABOVE
from schemas.values import Micros

CURATOR_ORDER_WRONG: Final = Kind(
    "curator_order_wrong",
    severity="medium",
    asks="Was the dealing shoe offered to the players in the order that the text names?",
    false_positives="An offer, or a player who sat down, that was not keyed in.",
    sources=("pit",),
)
PASS_ORDERED_WRONG: Final = Kind(
    "pass_ordered_wrong",
    severity="medium",
    asks="Was the shoe ordered to be passed by a dealer, or by a floorperson or above?",
    false_positives="An order that was keyed in under another person's name.",
    sources=("pit",),
)
SHOE_NOT_PASSED: Final = Kind(
    "shoe_not_passed",
    severity="medium",
    asks="Did the player who dealt from the shoe pass it once the Banker's Hand had lost?",
    false_positives="A new curator who was not keyed in.",
    sources=("pit", "shoe"),
)
KINDS: Final = (CURATOR_ORDER_WRONG, PASS_ORDERED_WRONG, SHOE_NOT_PASSED)


def check_curator(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a dealing shoe that was offered out of order, or that the dealer took before all were asked.

    Missing reports since the last round was opened leave it undetermined: the shoe may have ended there, and
    then offers are before the window.
    """
    new, passed = case.duty("shoe_offered"), case.duty("shoe_passed")
    if new is None or passed is None or "pit" not in case.sources:
        return
    present, since = case.window.before.people, case.window.since
    if case.window.before.last_round_at is not None:
        since = case.window.before.last_round_at
    offered: list[int] = []
    is_designated, is_new = False, case.window.before.loaded is not None
    for entry in case.window.entries:
        event = entry.event
        if isinstance(event, ProcedureStepTaken) and event.step == "shoe_offered" and event.seat is not None:
            offered.append(event.seat)
        elif isinstance(event, ProcedureStepTaken) and event.step == "dealer_designated":
            is_designated = True
        elif isinstance(event, ShoeLoaded):
            is_new = True
        elif isinstance(event, CuratorNamed):
            seats = sorted(present.seats)
            order = seats if is_new else seats_after(present.curator, seats)
            offers = list(offered)
            stays = not is_new and event.seat == present.curator  # nobody offers it to him
            if event.seat is not None and event.seat not in offered and not stays:
                offers.append(event.seat)
            may_be_dealer = is_designated or len(offers) >= len(order)
            if offers != order[: len(offers)] or (event.seat is None and not may_be_dealer):
                yield case.found(
                    CURATOR_ORDER_WRONG,
                    _out_of_order(offers, order, by_dealer=event.seat is None),
                    _cites(case, new.cite if is_new else passed.cite, by_dealer=event.seat is None),
                    who=f"shoe {case.window.shoe} at {entry.at}",
                    gaps=(
                        *case.unreported(present.since, entry.at, "terminal"),
                        *case.unreported(since, entry.at, "pit", "shoe"),
                    ),
                )
            offered, is_designated, is_new = [], False, False
        present = present.after(event)


def _out_of_order(offers: Sequence[int], order: Sequence[int], *, by_dealer: bool) -> Fact:
    """Return to whom the shoe was offered, and in which order it should have been."""
    return fact(
        "procedures.checks.curator_order_wrong",
        asked=listed(*(HandRef(f"seat{seat}") for seat in offers)),
        order=listed(*(HandRef(f"seat{seat}") for seat in order)),
        by_dealer=int(by_dealer),
    )


def check_shoe_passed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a round that a player dealt again though the Banker's Hand of his round before had lost.

    If every other player declined the shoe, or nobody else was there, the text does not say who deals. It is
    undetermined too if the call alone says who lost: a card was not read, and the call may be wrong.
    """
    duty = case.duty("shoe_passed_on_loss")
    if duty is None or "pit" not in case.sources:
        return
    turn, present = case.window.before.curatorship, case.window.before.people
    for entry in case.window.entries:
        opened = entry.event
        if isinstance(opened, RoundOpened) and turn.seat is not None:
            by_cards = _winner(case, turn)
            if turn.is_lost(by_cards):
                unread = () if by_cards is not None else (fact("procedures.checks.hands_unread"),)
                yield case.found(
                    SHOE_NOT_PASSED,
                    fact(
                        "procedures.checks.shoe_not_passed",
                        seat=HandRef(f"seat{turn.seat}"),
                        round=opened.round,
                    ),
                    (duty.cite,),
                    who=f"round {opened.round}",
                    gaps=(
                        *case.unreported(present.since, entry.at, "terminal"),
                        *case.unreported(turn.since, entry.at, "pit", "shoe"),
                        *unread,
                    ),
                    undetermined=present.seats - {turn.seat} <= turn.declined,
                )
        turn, present = turn.after(entry.at, opened), present.after(opened)


def _winner(case: ProcedureCase, turn: Curatorship) -> str | None:
    """Return which hand won by the cards; None if a card was not read.

    A card that was drawn in error counts where the text says so. If no text settles the hands, as a card is
    missing, they count what lies there.
    """
    game, dealt = game_of(case.law.chapter), Round(case.table, "", case.day, 0, play=[*turn.dealt])
    outcome = game.adjudicate(dealt, case.book, (), ()).outcome
    if outcome is not None:
        return game.winners.get(outcome, outcome)
    player, banker = (
        point_count(tuple(card for to, card in turn.dealt if to == hand)) for hand in ("player", "banker")
    )
    if player is None or banker is None:
        return None
    return "tie" if player == banker else "player" if player > banker else "banker"


def seats_after(curator: int | None, seats: list[int]) -> list[int]:
    """Return the seats to the right of a curator, counterclockwise; from the first where the dealer was.

    >>> seats_after(5, [2, 5, 7]), seats_after(None, [2, 7])
    ([7, 2], [2, 7])
    """
    if curator is None:
        return seats
    return [seat for seat in seats if seat > curator] + [seat for seat in seats if seat < curator]


def _cites(case: ProcedureCase, cite: str, *, by_dealer: bool) -> tuple[str, ...]:
    dealer = case.duty("dealer_curates")
    return (cite, dealer.cite) if by_dealer and dealer is not None else (cite,)


def check_pass_ordered(case: ProcedureCase) -> Iterator[Raised]:
    """Raise an order to pass the shoe by somebody who may not give it."""
    duty = case.duty("pass_ordered")
    if duty is None or "pit" not in case.sources:
        return
    for at, event in case.window.steps("pass_ordered"):
        if event.by is None or event.by.role not in {"dealer", *FLOORPERSON_OR_ABOVE}:
            yield _ordered_by_other(case, duty.cite, at)


def _ordered_by_other(case: ProcedureCase, cite: str, at: Micros) -> Raised:
    message = fact("procedures.checks.pass_ordered_wrong", shoe=case.window.shoe)
    return case.found(PASS_ORDERED_WRONG, message, (cite,), who=f"order at {at}")
