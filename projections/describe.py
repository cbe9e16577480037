"""What a person is shown of a hand that is put on the table again; as data, in no layout.

All of it comes from the conclusion, and from the same judgement of the round as it was seen that led to the
conclusion. Sums are whole cents, moments are in the property's zone.
"""

from datetime import date, datetime
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from projections.case import NOTHING_PAID, Case
from projections.findings import HOUSE_CONTROL, Finding
from projections.game import Laid
from projections.games import game_of
from projections.judge import Conclusion, Verdict, consider
from projections.otherwise import Chosen, matters
from projections.round import Doubt, Key, Round, Wager
from projections.sums import steps_of
from schemas.house import House
from schemas.law_text import Printing, chapter, text_of
from schemas.rulebook import Rulebook

Side: TypeAlias = Literal["house", "patron"]

# What a doubt leaves open, by its scope; a doubt of one wager names that wager.
_OPEN: Final = {
    "all": "everything",
    "cards": "the cards and all that hangs on them",
    "money": "what was wagered and paid",
    "second": "nothing: the other reader was read",
}
_NO_CHIPS: Final = Wager(0)


class Cited(Struct, frozen=True):
    """A provision, what its text is worth on the gaming date, and since when that text has stood."""

    provision: str
    status: str
    since: date | None


class Line(Struct, frozen=True):
    """One step of the play or of a sum: what it says, the cents it came to, and the provision."""

    says: str
    cents: int | None
    cited: Cited


class Heading(Struct, frozen=True, kw_only=True):
    """What names a round or a shoe, and by which text and choices it is judged.

    Where no text was in force `text`, `since`, `decks` and `rulebook` are absent; a shoe has no `opened`,
    and neither its options nor its decks are told. `not_yet_law` are options that were chosen too early.
    """

    table: str
    round: str | None
    shoe: str | None
    dealer: str | None
    gaming_date: date
    opened: datetime | None
    zone: str
    chapter: str
    title: str
    since: date | None
    text: Printing | None
    decks: int | None
    rulebook: str | None
    options: tuple[Chosen, ...]
    not_yet_law: tuple[str, ...]


class Spot(Struct, frozen=True, kw_only=True):
    """One wager: the chips and the coupon, what was owed, what stands as paid, and the difference.

    Gains are the player's, before vigorish. `paid_cents` and `paid_vigorish_cents` include what was put
    right, which the fields beside them tell; None where settlement was not seen. The differences are paid
    less owed, None where either is open. `favours` weighs the two together.
    """

    seat: int
    bettor: str | None
    wager: str
    hand: str | None
    cents: int
    coupon_cents: int
    coupon: str | None
    owed_cents: int | None
    owed_vigorish_cents: int | None
    paid_cents: int | None
    paid_vigorish_cents: int | None
    righted_cents: int
    righted_vigorish_cents: int
    later_cents: int
    later_vigorish_cents: int
    difference_cents: int | None
    vigorish_difference_cents: int | None
    favours: Side | None
    steps: tuple[Line, ...]


class Uncertain(Struct, frozen=True):
    """What is missing, contradicted, or too close in time to tell, and what of the round it leaves open."""

    check: str
    message: str
    device: str | None
    leaves_open: str


class HandShown(Struct, frozen=True, kw_only=True):
    """A round as it is put on the table again. `play` is all that was seen, in order, as `(who, what)`."""

    heading: Heading
    hands: tuple[Laid, ...]
    play: tuple[tuple[str, str], ...]
    reasons: tuple[Line, ...]
    has_result: bool  # whether the game has a result of the whole round, which is announced
    outcome: str | None
    announced: str | None
    wagers: tuple[Spot, ...]
    verdict: Verdict
    findings: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    uncertain: tuple[Uncertain, ...]


def show_hand(concluded: Conclusion, seen: Round, book: Rulebook | None, house: House) -> HandShown:
    """Put a concluded round on the table again; `book` is absent where no text was in force."""
    case = consider(seen, book) if book is not None else None
    return HandShown(
        heading=heading(concluded, seen, case, house),
        hands=hands(seen, concluded.chapter),
        play=tuple(_acts(seen)),
        reasons=reasons(case),
        has_result=bool(game_of(concluded.chapter).calls),
        outcome=concluded.outcome,
        announced=seen.announced,
        wagers=_spots(seen, case),
        verdict=concluded.verdict,
        findings=concluded.findings,
        notes=concluded.notes,
        uncertain=tuple(_uncertain(doubt) for doubt in seen.doubts),
    )


def cited(provision: str, day: date) -> Cited:
    """Say what a provision is worth on a gaming date; before the first text it is what that text is worth.

    >>> cited("631a.13(c)", date(2013, 5, 1))
    Cited(provision='631a.13(c)', status='reconstructed', since=datetime.date(2012, 5, 19))
    >>> cited("house control", date(2013, 5, 1))
    Cited(provision='house control', status='house control', since=None)
    """
    if provision == HOUSE_CONTROL:
        return Cited(provision, HOUSE_CONTROL, None)
    since, text = text_of(provision, day)
    return Cited(provision, text.status, since)


def heading(concluded: Conclusion, seen: Round | None, case: Case | None, house: House) -> Heading:
    """Say what is told of; `seen` is absent for a shoe, `case` for it and where no text was in force."""
    law = chapter(concluded.chapter)
    in_force = concluded.rulebook is not None
    since = law.newest(concluded.gaming_date) if in_force else None
    return Heading(
        table=concluded.table,
        round=concluded.round,
        shoe=concluded.shoe,
        dealer=seen.dealer if seen is not None else None,
        gaming_date=concluded.gaming_date,
        opened=house.local(seen.at) if seen is not None else None,
        zone=house.zone,
        chapter=concluded.chapter,
        title=law.title,
        since=since,
        text=law.texts[since] if since is not None else None,
        decks=case.book.decks if case is not None else None,
        rulebook=concluded.rulebook,
        options=matters(case.seen, case.book) if case is not None else (),
        not_yet_law=case.book.not_yet_law if case is not None else (),
    )


def hands(seen: Round, number: str) -> tuple[Laid, ...]:
    """Lay the hands out as the game of a chapter does."""
    return tuple(game_of(number).hands(seen))


def _acts(seen: Round) -> list[tuple[str, str]]:
    """Give all that was seen, in order; that the shoe ran out stands before what was said of it."""
    if not seen.exhausted:
        return seen.play
    end = len(seen.play) - (seen.play[-1:] == [("dealer", "void")])
    return [*seen.play[:end], ("shoe", "held no card to draw"), *seen.play[end:]]


def reasons(case: Case | None) -> tuple[Line, ...]:
    """Tell how the cards had to fall, step by step, as far as it is known how they fell."""
    if case is None:
        return ()
    day = case.book.day
    if not case.cards_known:
        says = "What bears on the cards is missing or contradicted: the play is not told."
        return (Line(says, None, cited(HOUSE_CONTROL, day)),)
    if case.seen.exhausted and not case.seen.void and "cards_run_out" in case.book.clauses:
        says = "The shoe held no card to draw: the round is void and every wager is returned."
        return (Line(says, None, cited(case.book.clauses["cards_run_out"][0], day)),)
    # What is wrong with the cards of a hand, from which no text goes on, where it leaves the result open. A
    # game that has no result of the whole round tells it itself.
    wrong = [defect for defect in case.ruled.defects if defect.seat is None]
    if wrong and case.ruled.outcome is None and case.game.calls:
        return tuple(Line(defect.message, None, cited(defect.cites[0], day)) for defect in wrong)
    return tuple(Line(says, None, cited(cite, day)) for says, cite in case.game.reasons(case.seen, case.book))


def steps(case: Case | None, key: Key) -> tuple[Line, ...]:
    """Tell how the gain and the vigorish of a wager come about; nothing where they are open."""
    if case is None:
        return ()
    day = case.book.day
    told = steps_of(key, case.owed(key), case.book)
    return tuple(Line(step.says, step.cents, cited(step.cite, day)) for step in told)


def _spots(seen: Round, case: Case | None) -> tuple[Spot, ...]:
    """Give each wager, and after them what was due, paid or collected where no wager was seen."""
    due = case.ruled.owed if case is not None else {}
    keys = dict.fromkeys((*seen.wagers, *due, *(seen.paid or ())))
    return tuple(_spot(key, seen, case) for key in keys)


def _spot(key: Key, seen: Round, case: Case | None) -> Spot:
    seat, bettor, wager, hand = key
    chips = seen.wagers.get(key, _NO_CHIPS)
    owed, owed_vigorish = _owed(key, case)
    paid = seen.paid.get(key, NOTHING_PAID) if seen.paid is not None else None
    stands = paid.cents + paid.later_cents if paid is not None else None
    taken = paid.vigorish_cents + paid.later_vigorish_cents if paid is not None else None
    difference, on_vigorish = _less(stands, owed), _less(taken, owed_vigorish)
    righted = paid or NOTHING_PAID
    return Spot(
        seat=seat,
        bettor=bettor,
        wager=wager,
        hand=hand,
        cents=chips.cents,
        coupon_cents=chips.coupon_cents,
        coupon=chips.coupon,
        owed_cents=owed,
        owed_vigorish_cents=owed_vigorish,
        paid_cents=stands,
        paid_vigorish_cents=taken,
        righted_cents=righted.righted_cents,
        righted_vigorish_cents=righted.righted_vigorish_cents,
        later_cents=righted.later_cents,
        later_vigorish_cents=righted.later_vigorish_cents,
        difference_cents=difference,
        vigorish_difference_cents=on_vigorish,
        favours=_favoured((difference or 0) - (on_vigorish or 0)),
        steps=steps(case, key),
    )


def _owed(key: Key, case: Case | None) -> tuple[int | None, int | None]:
    """Give the gain and the vigorish owed; where no wager was seen nothing is."""
    if case is None:
        return None, None
    if key not in case.ruled.owed:
        return (0, 0) if case.money_known else (None, None)
    return case.owed(key).cents, case.owed(key).vigorish_cents


def _less(stands: int | None, owed: int | None) -> int | None:
    return None if stands is None or owed is None else stands - owed


def _favoured(to_player: int) -> Side | None:
    if to_player == 0:
        return None
    return "patron" if to_player > 0 else "house"


def _uncertain(doubt: Doubt) -> Uncertain:
    if isinstance(doubt.scope, str):
        return Uncertain(doubt.check, doubt.message, doubt.device, _OPEN[doubt.scope])
    seat, bettor, wager, hand = doubt.scope
    spot = " ".join(part for part in (f"seat {seat}", bettor, wager, hand) if part)
    return Uncertain(doubt.check, doubt.message, doubt.device, f"what {spot} is owed")
