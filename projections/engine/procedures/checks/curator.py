"""Was the dealing shoe offered in the order of the text, and passed on the order of an authorized person?"""

from collections.abc import Iterator, Sequence
from typing import Final

from projections.engine.facts import Fact, HandRef, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.games import game_of
from projections.engine.observation import Round
from projections.engine.procedures.account import PeopleAtTable
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.curatorship import Curatorship, may_order_pass
from projections.engine.procedures.entries import Noted
from schemas.events import (
    CardDrawn,
    CuratorNamed,
    Event,
    PlayerLeft,
    ProcedureStepTaken,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    ShoeLoaded,
)
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

    A new shoe is offered from seat 1 on, 631a.7(b), and one that is passed from the curator's right on,
    631a.14(b): counterclockwise to each player who is there then, until one accepts it. So that is who was
    asked last. The dealer deals if none does, or if one who accepts it names him, 631a.7(d). A curator who
    remains is not offered it.

    Missing reports since the last round was opened leave it undetermined: the shoe may have ended there, and
    then offers are before the window.
    """
    new, passed = case.duty("shoe_offered"), case.duty("shoe_passed")
    if new is None or passed is None or "pit" not in case.sources:
        return
    present, since = case.window.before.people, case.window.since
    if case.window.before.last_round_at is not None:
        since = case.window.before.last_round_at
    is_new = case.window.before.loaded is not None
    curator = None if is_new else present.curator
    offers = _Offers(case, curator, is_gone=present.is_curator_gone)
    for entry in case.window.entries:
        event = entry.event
        if isinstance(event, ShoeLoaded):
            is_new, offers = True, offers.since(entry.at)
        elif isinstance(event, CuratorNamed):
            if is_new or offers.is_curator_gone or event.seat != offers.curator:
                offers.name(entry.at, event.seat)
            if offers.is_wrong or offers.is_doubtful:
                yield case.found(
                    CURATOR_ORDER_WRONG,
                    _out_of_order(offers, present, by_dealer=event.seat is None),
                    _cites(case, new.cite if is_new else passed.cite, by_dealer=event.seat is None),
                    who=f"shoe {case.window.shoe} at {entry.at}",
                    gaps=(
                        *case.unreported(present.since, entry.at, "terminal"),
                        *case.unreported(since, entry.at, "pit", "shoe"),
                    ),
                    undetermined=not offers.is_wrong,
                )
            is_new, offers = False, _Offers(case, event.seat)
        else:
            offers.follow(entry.at, event)
        present = present.after(event)


class _Offers:
    """Offers of the shoe to one seat after another, counterclockwise from the right of who had it.

    `curator` is absent where the first seat comes first: at a new shoe, or where the dealer had it. Where the
    clocks do not tell who was there at an offer, it is doubtful at most.
    """

    def __init__(self, case: ProcedureCase, curator: int | None, *, is_gone: bool = False) -> None:
        self.case, self.curator, self.is_curator_gone = case, curator, is_gone
        self.asked: list[tuple[Micros, int]] = []
        self.is_wrong = self.is_doubtful = self.is_designated = False

    @property
    def seats(self) -> list[int]:
        """The seats that were asked, in order."""
        return [seat for _, seat in self.asked]

    def follow(self, at: Micros, event: Event) -> None:
        """Add an offer, a player who named the dealer, or that the curator left."""
        match event:
            case ProcedureStepTaken(step="shoe_offered", seat=int() as seat):
                self.ask(at, seat)
            case ProcedureStepTaken(step="dealer_designated"):
                self.designate(at, event.seat)
            case PlayerLeft(bettor=None) if event.seat == self.curator:
                self.is_curator_gone = True

    def ask(self, at: Micros, seat: int) -> None:
        """Add an offer to a seat; one that is repeated at once is the same."""
        if self.seats[-1:] == [seat]:
            return
        margin = self.case.uncertainty
        before, then, later = (self._due(moment) for moment in (at - margin, at, at + margin))
        self.is_wrong = self.is_wrong or seat not in (before, then, later)
        self.is_doubtful = self.is_doubtful or seat != then
        self.asked.append((at, seat))

    def designate(self, at: Micros, seat: int | None) -> None:
        """Add that a player who accepted the shoe, or the curator himself, named the dealer."""
        self.is_designated = True
        if seat is not None and seat != self.curator:
            self.ask(at, seat)

    def name(self, at: Micros, seat: int | None) -> None:
        """Add who deals now: a player who was asked, or the dealer, absent."""
        if seat is not None:
            self.ask(at, seat)
        elif not self.is_designated:
            # Who sat down after the last offer may have come after the dealer took it.
            moments = (self.asked[-1][0] if self.asked else at, at)
            is_left_out = [self._due(moment) not in (None, *self.seats) for moment in moments]
            self.is_wrong = self.is_wrong or all(is_left_out)
            self.is_doubtful = self.is_doubtful or any(is_left_out)

    def since(self, at: Micros) -> "_Offers":
        """Return those of a shoe that was loaded now: what was offered before was the one before it."""
        offers = _Offers(self.case, None)
        for asked_at, seat in self.asked:
            if asked_at >= at - self.case.uncertainty:
                offers.ask(asked_at, seat)
        return offers

    def _due(self, moment: Micros) -> int | None:
        """Return whose turn it is to be asked, by who is there at a moment; None if nobody else is."""
        seats = self.case.window.before.people.at(moment, self.case.window.entries).seats
        others = sorted(seats if self.is_curator_gone else seats - {self.curator})
        last = self.seats[-1] if self.asked else self.curator
        return next(iter(seats_after(last, others) or others), None)


def _out_of_order(offers: _Offers, present: PeopleAtTable, *, by_dealer: bool) -> Fact:
    """Return to whom the shoe was offered, and in which order it should have been."""
    order = seats_after(offers.curator, sorted(present.seats))
    if offers.is_curator_gone and offers.curator in present.seats:
        order.append(offers.curator)  # another player sits there now
    return fact(
        "procedures.checks.curator_order_wrong",
        asked=listed(*(HandRef(f"seat{seat}") for seat in offers.seats)),
        order=listed(*(HandRef(f"seat{seat}") for seat in order)),
        by_dealer=int(by_dealer),
    )


def check_shoe_passed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a round that a player dealt though he had to pass the shoe, 631a.14(a)(1), (2) and its like.

    He has to once the Banker's Hand has lost in the round that he dealt before, and once he was ordered to. A
    dealer who acts as curator never has to: he deals because no player does, 631a.7(d).

    The Banker's Hand loses by the cards. It is undetermined whether it lost if no text settles them, as one
    is missing, out of order, or was dealt in error and may have been discarded, 545.15(c); if they give the
    Player's Hand and another result was called, as a card may be misread; and if one was not read, unless the
    others rule it out or another result was called.

    By 631a.14(b) the shoe is offered to each of the other players in turn. The text does not say who deals if
    none of them takes it: by 631a.7(d)(2) the dealer may. So it is undetermined if everybody else there had
    been offered the shoe, refused or not, or if nobody else was there. An offer that another one followed was
    not accepted. If no answer to the last one is reported, that player may have dealt, and if a player named
    the dealer, 631a.7(d)(1), the dealer: it is undetermined too.
    """
    duty = case.duty("shoe_passed_on_loss")
    if duty is None or "pit" not in case.sources:
        return
    turn, people = case.window.before.curatorship, case.window.before.people
    for place, entry in enumerate(case.window.entries):
        event = entry.event
        if isinstance(event, RoundOpened) and turn.seat is not None:
            is_dealt = _is_dealt_by(case, turn.seat, case.window.entries[place + 1 :])
            message, cite, is_certain = _broken_duty(case, turn, duty.cite, event.round)
            if is_dealt is not False and message is not None:
                doubts = _doubts_of_offers(case, turn, people)
                if is_dealt is None:
                    doubts = (*doubts, fact("procedures.checks.curator_named_at_first_card"))
                if doubts:
                    why = listed(*doubts)
                    message = fact("procedures.checks.shoe_kept_open", message=message, why=why)
                yield case.found(
                    SHOE_NOT_PASSED,
                    message,
                    (cite,),
                    who=f"round {event.round}",
                    gaps=(
                        *case.unreported(people.since, entry.at, "terminal"),
                        *case.unreported(turn.since, entry.at, "pit", "shoe"),
                    ),
                    undetermined=bool(doubts) or not is_certain,
                )
        people = people.after(event)
        turn = turn.after(entry.at, event, people.crew.calling)


def _is_dealt_by(case: ProcedureCase, seat: int, later: Sequence[Noted]) -> bool | None:
    """Return True if a player dealt a round that was opened, by what was reported `later`.

    The shoe may pass until the first card; None if the clocks do not tell which of both came first. A round
    without cards counts as dealt if it was not called void: its cards may not have been reported.
    """
    first: Micros | None = None
    passed: Micros | None = None
    is_void = False
    for entry in later:
        event = entry.event
        if isinstance(event, RoundOpened | RoundClosed):
            break
        if isinstance(event, CardDrawn) and first is None:
            first = entry.at
        elif passed is None and _passes_shoe(event, seat):
            passed = entry.at
        is_void = is_void or isinstance(event, RoundVoided)
    if first is None:
        return passed is None and not is_void
    if passed is None or passed > first + case.uncertainty:
        return True
    return None if passed > first - case.uncertainty else False


def _passes_shoe(event: Event, seat: int) -> bool:
    """Return True if somebody else deals after an event, or the player in this seat has gone."""
    match event:
        case CuratorNamed():
            return event.seat != seat
        case PlayerLeft(bettor=None):
            return event.seat == seat
    return False


def _broken_duty(
    case: ProcedureCase, turn: Curatorship, cite: str, name: str | None
) -> tuple[Fact | None, str, bool]:
    """Return why the player had to pass the shoe before a round, by which clause, and whether it is certain.

    There is no reason if he did not have to.
    """
    seat = HandRef(f"seat{turn.seat}")
    why = _doubts_of_loss(case, turn)
    if why == ():
        return fact("procedures.checks.shoe_not_passed", seat=seat, round=name), cite, True
    ordered = case.duty("pass_ordered")
    if turn.is_ordered and ordered is not None:
        return fact("procedures.checks.shoe_kept_though_ordered", seat=seat, round=name), ordered.cite, True
    if why is None:
        return None, cite, False
    return fact("procedures.checks.shoe_kept_loss_open", seat=seat, round=name, why=listed(*why)), cite, False


def _doubts_of_loss(case: ProcedureCase, turn: Curatorship) -> tuple[Fact, ...] | None:
    """Return what leaves open whether the Banker's Hand lost: nothing if it did, None if it did not."""
    if not turn.is_played:
        return None
    winners, by_call = _winners(case, turn), turn.is_lost_by_call
    if turn.are_values_read and not winners:
        return (fact("procedures.checks.hands_unsettled"),)
    if winners == {"player"}:
        return () if by_call is not False else (fact("procedures.checks.call_differs"),)
    cannot_lose = bool(winners) and "player" not in winners
    if cannot_lose or by_call is False or (by_call is None and not turn.dealt):
        return None
    return (fact("procedures.checks.hands_unread"),)


def _winners(case: ProcedureCase, turn: Curatorship) -> set[str]:
    """Return which hands can have won by the cards, or a tie; nothing if it may be that no text settles them.

    A card that was drawn in error counts where the text says so.
    """
    game, dealt = game_of(case.law.chapter), Round(case.table, "", case.day, 0, play=[*turn.dealt])
    return {game.winners.get(call, call) for call in game.adjudicate(dealt, case.book, (), ()).calls}


def _doubts_of_offers(case: ProcedureCase, turn: Curatorship, people: PeopleAtTable) -> tuple[Fact, ...]:
    """Return why it is open whether somebody else was to deal: all had been asked, or the last one took it.

    Who sat down after the last offer was not there to be asked.
    """
    until = turn.asked_at - case.uncertainty
    others = {
        seat
        for seat in people.seats
        if seat != turn.seat and (not turn.asked or people.seats_since.get(seat, 0) <= until)
    }
    if others <= turn.asked:
        return (fact("procedures.checks.shoe_taken_by_nobody"),)
    return (fact("procedures.checks.shoe_offer_unanswered"),) if turn.unanswered else ()


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
    """Raise an order to pass the shoe by somebody who may not give it, or of whom that is not known."""
    duty = case.duty("pass_ordered")
    if duty is None or "pit" not in case.sources:
        return
    people = case.window.before.people
    for entry in case.window.entries:
        event, calling = entry.event, people.crew.calling
        if isinstance(event, ProcedureStepTaken) and event.step == "pass_ordered":
            may = may_order_pass(event.by, calling)
            if may is None:
                message = fact("procedures.checks.pass_ordered_by_unknown", shoe=case.window.shoe)
            else:
                message = fact("procedures.checks.pass_ordered_wrong", shoe=case.window.shoe)
            gaps: tuple[Fact, ...] = ()
            if event.by is not None and event.by.role == "dealer" and calling is not None:
                gaps = case.unreported(people.assigned_since(calling), entry.at, "terminal")
            if not may:
                who = f"order at {entry.at}"
                yield case.found(
                    PASS_ORDERED_WRONG, message, (duty.cite,), who=who, gaps=gaps, undetermined=may is None
                )
        people = people.after(event)
