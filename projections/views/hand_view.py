"""View of a hand for people: data, in no layout.

All of it comes from the conclusion, and from the same judgement of the observed round that led to it. Sums
are whole cents, moments are in the property's zone.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

from projections.engine.audit.judge import check_context
from projections.engine.check_context import RoundCase
from projections.engine.checks.vigorish import permitted
from projections.engine.conclusion import Conclusion, Verdict
from projections.engine.facts import Fact, WagerRef, fact
from projections.engine.findings import HOUSE_CONTROL, FindingOf, wager_of
from projections.engine.fold.seats import Renamed
from projections.engine.games import game_of
from projections.engine.observation import Doubt, Key, Lying, LyingOf, Round
from projections.engine.table_layout import is_piece, lying, unturned
from projections.views.alternatives import Chosen, matters
from projections.views.conclusion_view import Line, LineOf, cited, finding_view, line_view
from projections.views.table_picture import FACE_DOWN, lying_view
from projections.views.text import text
from projections.views.time_text import moment_text
from projections.views.wager_view import NOBODY, SpotOf, spot_view, spots
from schemas.house import House
from schemas.law_text import Printing, chapter
from schemas.rulebook import Rulebook

_W = TypeVar("_W", Fact, str)

# What a doubt leaves open, by its scope; a doubt of one wager names that wager.
_OPEN: Final = {
    "all": fact("views.everything"),
    "cards": fact("views.the_cards"),
    "money": fact("views.the_money"),
    "call": fact("views.the_call"),
    "second": fact("views.second_reading"),
}
# What leaves something open without a doubt of the round: the judgement itself finds it.
_FOUND_OPEN: Final = frozenset(
    {"data_missing", "not_in_force", "text_silent", "undecided", "wager_of_another_text"}
)
# The entry for a shoe that ran out, after the acts that were seen.
RAN_OUT: Final = ("shoe", "held no card to draw")


class Heading(Struct, frozen=True, kw_only=True):
    """Identity of a round or a shoe, and the text and choices by which it is judged.

    Without a text in force `text`, `since`, `decks` and `rulebook` are absent. A shoe has no `opened`, no
    options and no decks. `not_yet_law` are options that were chosen too early.
    """

    table: str
    round: str | None
    shoe: str | None
    dealer: str | None
    floorperson: str | None
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


class UncertainOf(Struct, Generic[_W], frozen=True):
    """Doubts of a round: what is missing, contradicted or too close in time, and what that leaves open."""

    check: str
    message: _W
    device: str | None
    leaves_open: _W


Uncertain: TypeAlias = UncertainOf[Fact]
UncertainView: TypeAlias = UncertainOf[str]


class HandOf(Struct, Generic[_W], frozen=True, kw_only=True):
    """A round as it was on the table.

    `play` is all that was seen, in order, as `(who, what)`; the pieces of `hands` have its lines, from 1.
    Cards that were never turned up are not named. `renamed` has a sentence for each seat whose patron is now
    known to be another than the table knew at the time.
    """

    heading: Heading
    hands: tuple[LyingOf[_W], ...]
    play: tuple[tuple[str, str], ...]
    reasons: tuple[LineOf[_W], ...]
    has_result: bool  # whether the game has a result of the whole round, which is announced
    outcome: str | None
    announced: str | None
    wagers: tuple[SpotOf[_W], ...]
    verdict: Verdict
    findings: tuple[FindingOf[_W], ...]
    notes: tuple[FindingOf[_W], ...]
    uncertain: tuple[UncertainOf[_W], ...]
    renamed: tuple[str, ...] = ()


HandFacts: TypeAlias = HandOf[Fact]
HandView: TypeAlias = HandOf[str]


def render_hand(hand: HandFacts) -> HandView:
    """Return a hand in words: the only place where the facts of a hand become text."""
    fields = {name: getattr(hand, name) for name in hand.__struct_fields__}
    return HandView(
        **fields
        | {
            "hands": tuple(map(lying_view, hand.hands)),
            "reasons": tuple(map(line_view, hand.reasons)),
            "wagers": tuple(map(spot_view, hand.wagers)),
            "findings": tuple(map(finding_view, hand.findings)),
            "notes": tuple(map(finding_view, hand.notes)),
            "uncertain": tuple(map(_uncertain_view, hand.uncertain)),
        }
    )


def _uncertain_view(each: Uncertain) -> UncertainView:
    return UncertainView(each.check, text(each.message), each.device, text(each.leaves_open))


def describe_correction(each: Renamed, house: House) -> str:
    """Return who is known of a seat now, when that was corrected, and who was known at the time.

    >>> describe_correction(Renamed(3, "P-7", "P-9", 1_740_881_640_000_000), House(house="doctest"))
    'seat 3: patron P-7, corrected at 03/01/2025 9:14:00 PM EST; told as P-9 at the time'
    >>> describe_correction(Renamed(3, "P-7", None, None), House(house="doctest"))
    'seat 3: patron P-7, reported late; nobody was known at the time'
    """
    when = "reported late"
    if each.at is not None:
        when = f"corrected at {moment_text(house.local(each.at), house.zone)}"
    then = f"told as {each.known_as}" if each.known_as is not None else "nobody was known"
    now = f"patron {each.patron}" if each.patron is not None else "nobody known"
    return f"seat {each.seat}: {now}, {when}; {then} at the time"


def hand_facts(
    concluded: Conclusion,
    observed: Round,
    book: Rulebook | None,
    house: House,
    patrons: Mapping[Key, str | None] = NOBODY,
    renamed: tuple[str, ...] = (),
) -> HandFacts:
    """Build the view of a concluded round; `book` is absent if no text was in force.

    `patrons` are those of the wagers, if they are known and may be shown, and `renamed` the sentences about
    those who were reported as others.
    """
    case = check_context(observed, book) if book is not None else None
    laid = hands(observed, concluded.chapter, case)
    return HandFacts(
        heading=heading(concluded, observed, case, house),
        hands=laid,
        play=tuple(acts(observed, laid)),
        reasons=reasons(case),
        has_result=bool(game_of(concluded.chapter).calls),
        outcome=concluded.outcome,
        announced=observed.announced,
        wagers=spots(observed, case, patrons, permitted(concluded.notes)),
        verdict=concluded.verdict,
        findings=concluded.findings,
        notes=concluded.notes,
        uncertain=(*map(_uncertain, observed.doubts), *_left_open(concluded, observed)),
        renamed=renamed,
    )


def heading(concluded: Conclusion, observed: Round | None, case: RoundCase | None, house: House) -> Heading:
    """Return a hand's heading; `observed` is None for a shoe, `case` for it and without a text in force."""
    law = chapter(concluded.chapter)
    in_force = concluded.rulebook is not None
    since = law.newest(concluded.gaming_date) if in_force else None
    return Heading(
        table=concluded.table,
        round=concluded.round,
        shoe=concluded.shoe,
        dealer=observed.dealer if observed is not None else None,
        floorperson=observed.floorperson if observed is not None else None,
        gaming_date=concluded.gaming_date,
        opened=house.local(observed.at) if observed is not None else None,
        zone=house.zone,
        chapter=concluded.chapter,
        title=law.title,
        since=since,
        text=law.texts[since] if since is not None else None,
        decks=case.book.decks if case is not None else None,
        rulebook=concluded.rulebook,
        options=matters(case.observed, case.book) if case is not None else (),
        not_yet_law=case.book.not_yet_law if case is not None else (),
    )


def hands(observed: Round, chapter_: str, case: RoundCase | None) -> tuple[Lying, ...]:
    """Return the layout of the hands in the game of a chapter; no card is disregarded if any is in doubt."""
    book = case.book if case is not None and case.cards_known else None
    return lying(chapter_, observed, book)


def acts(observed: Round, laid: Iterable[LyingOf[Any]]) -> list[tuple[str, str]]:
    """Return all that was seen, in order; that the shoe ran out comes before what was said about it."""
    hidden = unturned(laid)
    play = [
        (who, FACE_DOWN if line in hidden and is_piece(who, what) else what)
        for line, (who, what) in enumerate(observed.play, 1)
    ]
    if not observed.exhausted:
        return play
    end = len(play) - (play[-1:] == [("dealer", "void")])
    return [*play[:end], RAN_OUT, *play[end:]]


def reasons(case: RoundCase | None) -> tuple[Line, ...]:
    """Return how the cards had to fall, step by step, as far as it is known how they fell."""
    if case is None:
        return ()
    day = case.book.day
    if not case.cards_known:
        message = fact("views.cards_in_doubt")
        return (Line(message, None, cited(HOUSE_CONTROL, day)),)
    if case.observed.exhausted and not case.observed.void and "cards_run_out" in case.book.clauses:
        message = fact("views.shoe_ran_out")
        return (Line(message, None, cited(case.book.clauses["cards_run_out"][0], day)),)
    # What is wrong with the cards of a hand, after which no text continues, if it leaves the result open. A
    # game without a result of the whole round reports it itself.
    wrong = [defect for defect in case.ruled.defects if defect.seat is None]
    if wrong and case.ruled.outcome is None and case.game.calls:
        return tuple(Line(defect.message, None, cited(defect.cites[0], day)) for defect in wrong)
    return tuple(
        Line(message, None, cited(cite, day)) for message, cite in case.game.reasons(case.observed, case.book)
    )


def _uncertain(doubt: Doubt) -> Uncertain:
    if isinstance(doubt.scope, str):
        return Uncertain(doubt.check, doubt.message, doubt.device, _OPEN[doubt.scope])
    return Uncertain(doubt.check, doubt.message, doubt.device, _owing(doubt.scope))


def _owing(key: Key) -> Fact:
    return fact("views.owing", wager=WagerRef(*key))


def _left_open(concluded: Conclusion, observed: Round) -> Iterator[Uncertain]:
    """Yield what the judgement found missing, silent or not in force, besides the doubts of the round."""
    doubted = {doubt.message for doubt in observed.doubts}
    for each in (*concluded.findings, *concluded.notes):
        if each.check in _FOUND_OPEN and each.weight != "mismatch" and each.message not in doubted:
            key = wager_of(each)
            leaves = fact("views.what_hangs_on_it") if key is None else _owing(key)
            yield Uncertain(each.check, each.message, None, leaves)
