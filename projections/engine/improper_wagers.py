"""Wagers that are not allowed at their place, and coupons that do not count, before any hand is judged.

The money of an improper wager is left open: no text says how it is settled. If only the coupon is at fault,
the chips are settled without it.
"""

from datetime import date

from projections.engine.adjudication import Defect
from projections.engine.facts import Cents, Fact, Word, fact, listed
from projections.engine.findings import Kind
from projections.engine.game import Game
from projections.engine.kinds import (
    COUPON_OVER_CHIPS,
    LATE_WAGER,
    NOT_IN_FORCE,
    SECOND_COUPON,
    WAGER_NOT_OFFERED,
    WAGER_NOT_PERMITTED,
    WAGER_OF_ANOTHER_TEXT,
)
from projections.engine.observation import Key, LateMove, Round, key_of
from schemas.errors import NotInForce
from schemas.law_text import chapter
from schemas.rulebook import Rulebook


def wager_faults(observed: Round, game: Game, book: Rulebook) -> dict[Key, Defect]:
    """Return the wagers that the text, the house or the clock did not allow."""
    faults: dict[Key, Defect] = {}
    for key in observed.wagers:
        fault = _not_allowed(key, observed, game, book)
        if fault is not None:
            faults[key] = fault
    for move in observed.late:
        for key in moved(observed, move):
            if key not in faults or faults[key].kind is WAGER_OF_ANOTHER_TEXT:
                faults[key] = late(move, book)
    return faults


def late(move: LateMove, book: Rulebook) -> Defect:
    """Return the defect of a wager that changed after "no more bets"."""
    return Defect(
        LATE_WAGER,
        fact("engine.moved_late", move=move.move),
        book.clauses["late_wager"],
        seat=move.seat,
        wager=move.wager,
        bettor=move.bettor,
    )


def moved(observed: Round, move: LateMove) -> list[Key]:
    """Find the wagers that a late move concerns; none where it was withdrawn whole.

    Where the person is not named it may be anyone on the spot.
    """
    exact = key_of(move)
    if move.bettor is not None or exact in observed.wagers:
        return [exact] if exact in observed.wagers else []
    return [
        key
        for key in observed.wagers
        if (key.seat, key.wager, key.hand) == (move.seat, move.wager, move.hand)
    ]


def _not_allowed(key: Key, observed: Round, game: Game, book: Rulebook) -> Defect | None:
    seat, bettor, wager, _ = key
    law = book.wager_law(wager)
    if seat == 0 and not game.dealer_wagers:
        message = fact("engine.dealer_makes_none")
        return Defect(WAGER_NOT_PERMITTED, message, book.clauses["wagers"], seat=seat, wager=wager)
    approval = book.approval(wager) if wager not in book.wagers else None
    if law is None and approval is None:
        ever = book.wagers.get(wager)
        offered = (Word(name) for name, each in book.wagers.items() if each.since <= book.day)
        message = (
            fact("engine.wager_unknown", wager=Word(wager), known=listed(*offered))
            if ever is None
            else fact("engine.wager_not_yet_law", since=str(ever.since))
        )
        cites = book.clauses["wagers"]
        return Defect(WAGER_NOT_PERMITTED, message, cites, seat=seat, wager=wager, bettor=bettor)
    if observed.simulated and "simulated_round" in book.clauses:
        message = fact("engine.round_simulated")
        return Defect(
            WAGER_NOT_PERMITTED,
            message,
            book.clauses["simulated_round"],
            seat=seat,
            wager=wager,
            bettor=bettor,
        )
    if law is None:
        return _side_wager_fault(key, observed, book, approval or "")
    if law.offered_with is not None and book.options[law.offered_with] in (None, False):
        message = fact("engine.wager_not_offered", option=law.offered_with)
        return Defect(WAGER_NOT_OFFERED, message, (law.cite,), seat=seat, wager=wager, bettor=bettor)
    return None


def _side_wager_fault(key: Key, observed: Round, book: Rulebook, approval: str) -> Defect | None:
    """Return the defect of a wager that another text approves: it stands alone, or its odds are not known."""
    seat, bettor, wager, _ = key
    cite = book.only_beside(wager)
    if cite is not None and _stands_alone(key, observed, book):
        message = fact("engine.wager_stands_alone", wager=Word(wager))
        return Defect(WAGER_NOT_PERMITTED, message, (cite,), seat=seat, wager=wager, bettor=bettor)
    if book.side_lines(wager) is None:
        message = fact("engine.wager_of_another_text", wager=Word(wager), approval=approval)
        cites = (*book.clauses["wagers"], approval)
        # Not improper: that text, which is not on file, approves the wager and defines what it is owed.
        return Defect(WAGER_OF_ANOTHER_TEXT, message, cites, seat=seat, wager=wager, bettor=bettor)
    return None


def _stands_alone(key: Key, observed: Round, book: Rulebook) -> bool:
    """Return True if whoever made a wager has no wager of the chapter, none that moved and none in doubt."""
    if observed.void:
        return False
    seat, bettor = key.person
    patron = observed.patron(key)
    moved_late = [key_of(move) for move in observed.late]
    return not any(
        each.wager in book.wagers
        and (
            (each.seat == seat and (bettor is None or each.bettor in (None, bettor)))
            or (bettor is not None and each.bettor == bettor)
            or (patron is not None and observed.patron(each) == patron)
        )
        for each in (*observed.wagers, *observed.wagers_in_doubt(), *moved_late)
    )


def coupon_faults(observed: Round, game: Game, book: Rulebook) -> dict[Key, Defect]:
    """Return the Match Play Coupons that do not count, 603a.21 and what the game adds.

    Of those before Chapter 603a is in force it is open whether they do.
    """
    faults: dict[Key, Defect] = {}
    coupons = {
        key: wager for key, wager in observed.wagers.items() if wager.coupon_cents or wager.coupon is not None
    }
    if not coupons:
        return faults
    used: set[tuple[int, str | None]] = set()
    silent = _not_in_force(book.day)
    for key, wager in coupons.items():
        if silent is not None:
            message = fact("engine.coupon_not_judged", reason=silent)
            cites = ("603a.21(b)",)
            # Not void and not counted: no text on file says what a coupon was worth then.
            faults[key] = Defect(
                NOT_IN_FORCE,
                message,
                cites,
                **key._asdict(),
            )
            continue
        if (own := game.coupon_fault(key, observed, book)) is not None:
            faults[key] = own
            continue
        fault = _coupon_fault(key, wager.cents, wager.coupon_cents, used)
        if fault is None and key in observed.second_coupons:
            fault = (SECOND_COUPON, fact("engine.two_coupons"), "603a.21(d)")
        if fault is None:
            used.add(key.person)
        else:
            kind, message, cite = fault
            faults[key] = Defect(kind, message, (cite,), seat=key.seat, wager=key.wager, bettor=key.bettor)
    return faults


def _not_in_force(day: date) -> str | None:
    """Return the reason why no text on coupons was in force on a day; None if one was."""
    try:
        chapter("603a").text_on(day)
    except NotInForce as error:
        return str(error)
    return None


def _coupon_fault(
    key: Key, chips: int, coupon: int, used: set[tuple[int, str | None]]
) -> tuple[Kind, Fact, str] | None:
    if key.person in used:
        return SECOND_COUPON, fact("engine.one_coupon_in_a_round"), "603a.21(d)"
    if coupon > chips:
        return (
            COUPON_OVER_CHIPS,
            fact("engine.coupon_over_chips", coupon=Cents(coupon), chips=Cents(chips)),
            "603a.21(b)",
        )
    return None
