"""Conclusion on a hand, as far as it may be shown: the hand, its verdict, how each sum is computed.

It is made from the whole round, as it was judged, and then the parts about others are left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from projections.engine.adjudication import summands_of
from projections.engine.audit.judge import heaviest
from projections.engine.check_context import RoundCase
from projections.engine.conclusion import Conclusion, Verdict
from projections.engine.facts import Arg, HandRef, PatronRef, SerialRef
from projections.engine.findings import Finding, FindingView, wager_of
from projections.engine.game import MOVES
from projections.engine.observation import Key, Lying, Round, key_of, person
from projections.engine.table_layout import is_piece
from projections.evidence.disclosure import DisclosureScope
from projections.views.conclusion_view import Line, cited
from projections.views.finding_view import DerivedFinding, derive_finding_facts, render_finding
from projections.views.hand_view import RAN_OUT, HandFacts, HandView, Heading, UncertainView, hand_facts
from projections.views.table_picture import FACE_DOWN
from schemas.house import House
from schemas.law_text import Number, Printing, chapter
from schemas.rulebook import Rulebook
from schemas.values import Option

_NO_NAME: Final = "withheld"


class Judgement(Struct, frozen=True):
    """A round as it was concluded, and from what; `case` and `book` are absent if no text was in force."""

    concluded: Conclusion
    seen: Round
    case: RoundCase | None
    book: Rulebook | None
    house: House


class DisclosedHand(Struct, frozen=True, kw_only=True):
    """Conclusion about a hand, as far as it is shown; who worked at the table only if staff is."""

    table: str
    round: str
    gaming_date: date
    chapter: str
    rulebook: str | None
    shoe: str | None
    dealer: str | None
    floorperson: str | None
    verdict: Verdict
    outcome: str | None
    announced: str | None
    play: tuple[tuple[str, str], ...]
    findings: tuple[FindingView, ...]
    notes: tuple[FindingView, ...]
    uncertain: tuple[UncertainView, ...]


class JudgingRulebook(Struct, frozen=True, kw_only=True):
    """Basis of a judgement: the chapter, its text, its figures, and every choice of the house in effect.

    Without a text in force it has only the chapter and the day.
    """

    chapter: str
    title: str
    day: date
    since: date | None = None
    text: Printing | None = None
    decks: int | None = None
    options: dict[str, Option] = {}
    not_yet_law: tuple[str, ...] = ()
    figures: dict[str, Number] = {}
    digest: str | None = None


def unturned(judged: Judgement) -> frozenset[tuple[str, int]]:
    """Return the cards that were never turned up, each by its hand and its place in it, from 1."""
    disclosed = hand_facts(judged.concluded, judged.seen, judged.book, judged.house)
    lines = {piece.line for hand in disclosed.hands for piece in hand.pieces if piece.face is None}
    found: set[tuple[str, int]] = set()
    places: dict[str, int] = {}
    for line, (who, what) in enumerate(judged.seen.play, 1):
        if is_piece(who, what):
            places[who] = places.get(who, 0) + 1
            if line in lines:
                found.add((who, places[who]))
    return frozenset(found)


def disclosed_hand_facts(judged: Judgement, view: DisclosureScope) -> HandFacts:
    """Build the view of the hand, as far as it may be shown."""
    disclosed = hand_facts(judged.concluded, judged.seen, judged.book, judged.house)
    play = [(line, act) for line, act in enumerate(disclosed.play, 1) if _shows_act(view, *act)]
    lines = {line: place for place, (line, _) in enumerate(play, 1)}
    findings, notes = (
        _disclosed_findings(each, view) for each in (judged.concluded.findings, judged.concluded.notes)
    )
    wagers = tuple(
        replace(spot, steps=_steps(judged, key_of(spot), view, spot.steps))
        for spot in disclosed.wagers
        if view.shows(spot.seat, spot.bettor)
    )
    return replace(
        disclosed,
        heading=_heading(disclosed.heading, view),
        hands=_hands(disclosed.hands, view, lines),
        play=tuple(act for _, act in play),
        reasons=_tellable(disclosed.reasons, view),
        announced=view.others_words(disclosed.announced) if disclosed.announced is not None else None,
        wagers=wagers,
        verdict=_verdict(judged, view, (*findings, *notes)),
        findings=findings,
        notes=notes,
        uncertain=tuple(
            replace(each, message=view.redact(each.message))
            for each in disclosed.uncertain
            if view.may_tell(each.leaves_open)
        ),
    )


def disclose_hand(judged: Judgement, hand: HandView, view: DisclosureScope) -> DisclosedHand:
    """Draw up what was concluded of a hand, from the hand as it may be shown."""
    concluded, seen = judged.concluded, judged.seen
    return DisclosedHand(
        table=concluded.table,
        round=seen.number,
        gaming_date=concluded.gaming_date,
        chapter=concluded.chapter,
        rulebook=concluded.rulebook,
        shoe=concluded.shoe,
        dealer=seen.dealer if view.staff else None,
        floorperson=seen.floorperson if view.staff else None,
        verdict=hand.verdict,
        outcome=hand.outcome,
        announced=hand.announced,
        play=hand.play,
        findings=hand.findings,
        notes=hand.notes,
        uncertain=hand.uncertain,
    )


def explanation(judged: Judgement, hand: HandFacts, view: DisclosureScope) -> tuple[DerivedFinding, ...]:
    """Derive each finding and note that is shown, of the hand as it may be."""
    return tuple(_derived(each, judged, hand, view) for each in shown_findings(judged, view))


def shown_findings(judged: Judgement, view: DisclosureScope) -> list[Finding]:
    """Return the findings and notes of a round that are of what is shown, as they were concluded."""
    conclusion = judged.concluded
    return [each for each in (*conclusion.findings, *conclusion.notes) if _shows(each, view)]


def describe_rulebook(judged: Judgement) -> JudgingRulebook:
    """Return by what a hand was judged."""
    concluded, book = judged.concluded, judged.book
    law = chapter(concluded.chapter)
    if book is None:
        return JudgingRulebook(chapter=concluded.chapter, title=law.title, day=concluded.gaming_date)
    return JudgingRulebook(
        chapter=book.chapter,
        title=law.title,
        day=book.day,
        since=book.since,
        text=law.texts[book.since],
        decks=book.decks,
        options=book.options,
        not_yet_law=book.not_yet_law,
        figures=book.numbers,
        digest=book.digest,
    )


# ── what is left out ─────────────────────────────────────────────────────────────────────────────────


def _derived(finding: Finding, judged: Judgement, hand: HandFacts, view: DisclosureScope) -> DerivedFinding:
    derived = derive_finding_facts(finding, judged.concluded, judged.seen, judged.book, judged.house)
    key = wager_of(finding) if finding.seat else None
    return render_finding(
        replace(
            derived,
            finding=_masked(finding, view),
            heading=hand.heading,
            hands=hand.hands,
            reasons=hand.reasons,
            steps=_steps(judged, key, view, derived.steps) if key is not None else derived.steps,
            rounding=tuple(map(view.redact, derived.rounding)),
        )
    )


def _shows(finding: Finding, view: DisclosureScope) -> bool:
    """Return True if a finding is of what is shown: of a seat it has to be that person's."""
    if isinstance(finding.seat, int) and not view.shows(finding.seat, finding.bettor or None):
        return False
    args: tuple[Arg, ...] = (
        *(HandRef(hand) for hand in (finding.who, finding.hand) if hand),
        *(SerialRef(serial) for serial in (finding.serial,) if serial),
        *(PatronRef(name) for name in (finding.patron, finding.bettor) if name),
    )
    return all(map(view.may_name, args))


def _disclosed_findings(findings: Iterable[Finding], view: DisclosureScope) -> tuple[Finding, ...]:
    return tuple(_masked(each, view) for each in findings if _shows(each, view))


def _masked(finding: Finding, view: DisclosureScope) -> Finding:
    steps = finding.steps
    if isinstance(steps, tuple):
        steps = tuple(each for each in steps if view.may_tell(each.says)) or UNSET
    return replace(finding, steps=steps, message=view.redact(finding.message))


def _heading(heading: Heading, view: DisclosureScope) -> Heading:
    return heading if view.staff else replace(heading, dealer=_NO_NAME, floorperson=_NO_NAME)


def _hands(hands: Iterable[Lying], view: DisclosureScope, lines: Mapping[int, int]) -> tuple[Lying, ...]:
    """Leave out the hands of others; the other pieces have their lines in what is left of the play."""
    return tuple(
        replace(
            hand,
            pieces=tuple(replace(each, line=lines[each.line]) for each in hand.pieces if each.line in lines),
            remark=view.redact(hand.remark) if hand.remark else "",
        )
        for hand in hands
        if view.shows_hand(hand.hand)
    )


def _shows_act(view: DisclosureScope, who: str, what: str) -> bool:
    if who.startswith("seat") and what.partition(" ")[0] in MOVES:
        return view.shows(*person(who))
    ours = is_piece(who, what) or what == FACE_DOWN or (who, what) == RAN_OUT
    return view.shows_hand(who) and (ours or view.may_say(f"{who} {what}"))


def _tellable(lines: Iterable[Line], view: DisclosureScope) -> tuple[Line, ...]:
    return tuple(each for each in lines if view.may_tell(each.says))


def _steps(judged: Judgement, key: Key, view: DisclosureScope, steps: Sequence[Line]) -> tuple[Line, ...]:
    """Return the steps of a wager's sum; a bank's without what each of the other wagers brings it."""
    if view.people is None or judged.case is None:
        return _tellable(steps, view)
    case = judged.case
    return tuple(
        Line(view.redact(each.step.says), each.step.cents, cited(each.step.cite, case.book.day))
        for each in summands_of(key, case.owed(key), case.book)
    )


def _verdict(judged: Judgement, view: DisclosureScope, findings: Sequence[Finding]) -> Verdict:
    """Weigh what is shown as the round was weighed: never heavier, and lighter where others made it so."""
    if view.people is None:
        return judged.concluded.verdict
    left_open = judged.concluded.verdict != "clean" and any(
        each.cents is None and _is_open(key_of(each), judged)
        for each in judged.concluded.expected
        if view.shows(each.seat, each.bettor)
    )
    return heaviest(("undetermined" if left_open else "clean", *(each.weight for each in findings)))


def _is_open(key: Key, judged: Judgement) -> bool:
    """Return True if money that is not known leaves the round open, as the judge of it does."""
    if judged.case is None or not judged.case.owed(key).pending:
        return True
    return judged.seen.paid is not None and key in judged.seen.paid
