"""From a round as it was seen to a verdict: the game rules, the checks ask, the heaviest answer stands."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from projections.adjudication import UNDECIDED, Adjudication
from projections.case import Case, Surplus
from projections.checks import CHECKS
from projections.checks.not_in_force import refuse
from projections.findings import Finding, Raised, identify
from projections.games import game_of
from projections.impropriety import coupon_faults, wager_faults
from projections.round import Key, Round
from schemas.rulebook import Rulebook

Verdict: TypeAlias = Literal["mismatch", "undetermined", "clean"]


class Expected(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """What one wager was owed: the gain before vigorish and the vigorish, in cents; None where open."""

    seat: int
    wager: str
    cents: int | None
    vigorish_cents: int | None
    bettor: str | None = None
    hand: str | None = None


class Conclusion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is concluded of one round, or of one shoe where `round` is absent."""

    table: str
    round: str | None = None
    shoe: str | None = None
    gaming_date: date
    chapter: str
    verdict: Verdict
    outcome: str | None
    expected: tuple[Expected, ...]
    findings: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    rulebook: str | None = None


def judge(seen: Round, book: Rulebook, surplus: tuple[Surplus, ...] = ()) -> Conclusion:
    """Judge one round by a rulebook; `surplus` are cards that the shoe's decks do not hold that often."""
    case = consider(seen, book, surplus)
    raised = [found for check in CHECKS for found in check(case)]
    owed = case.ruled.owed
    is_open = any(reckoning.cents is None for reckoning in owed.values())
    return conclude(
        seen,
        raised,
        outcome=case.ruled.outcome,
        expected=tuple(_expected(key, each.cents, each.vigorish_cents) for key, each in owed.items()),
        is_open=is_open,
        chapter=book.chapter,
        rulebook=book.digest,
    )


def consider(seen: Round, book: Rulebook, surplus: tuple[Surplus, ...] = ()) -> Case:
    """Let the game rule on a round, as far as what was seen is beyond doubt."""
    game = game_of(book.chapter)
    improper = wager_faults(seen, book) if seen.wagers else {}
    void_coupons = coupon_faults(seen, book.day)
    scopes = {doubt.scope for doubt in seen.doubts}
    if scopes & {"all", "cards"}:
        ruled = Adjudication(None, dict.fromkeys(seen.wagers, UNDECIDED))
    else:
        undecided = [*improper, *_doubtful(seen, scopes)] if scopes else improper
        ruled = game.adjudicate(seen, book, undecided, void_coupons)
    return Case(seen, book, game, ruled, improper, void_coupons, surplus)


def _doubtful(seen: Round, scopes: set[Any]) -> list[Key]:
    return list(seen.wagers) if "money" in scopes else [key for key in seen.wagers if key in scopes]


def not_in_force(seen: Round, chapter: str, reason: str) -> Conclusion:
    """Conclude that no text of the chapter was in force on the round's gaming date."""
    return conclude(
        seen,
        [refuse(chapter, reason)],
        outcome=None,
        expected=tuple(_expected(key, None, None) for key in seen.wagers),
        is_open=True,
        chapter=chapter,
    )


def _expected(key: Key, cents: int | None, vigorish_cents: int | None) -> Expected:
    seat, bettor, wager, hand = key
    return Expected(
        seat=seat, wager=wager, bettor=bettor, hand=hand, cents=cents, vigorish_cents=vigorish_cents
    )


def conclude(
    seen: Round,
    raised: Sequence[Raised],
    *,
    outcome: str | None,
    expected: tuple[Expected, ...],
    is_open: bool,
    chapter: str,
    rulebook: str | None = None,
) -> Conclusion:
    """Weigh what the checks raised; money left open without a proven error leaves the round undetermined."""
    findings: list[Finding] = []
    notes: list[Finding] = []
    verdict: Verdict = "undetermined" if is_open else "clean"
    if raised:
        weights = {each.weighs for each in raised}
        if "mismatch" in weights:
            verdict = "mismatch"
        elif "undetermined" in weights:
            verdict = "undetermined"
        about = f"{seen.day}|{seen.table}|{seen.number}"
        for each, finding in zip(raised, identify(list(raised), about=about, day=seen.day), strict=True):
            (notes if each.weighs == "note" else findings).append(finding)
    return Conclusion(
        table=seen.table,
        round=seen.number,
        shoe=seen.shoe,
        gaming_date=seen.day,
        chapter=chapter,
        verdict=verdict,
        outcome=outcome,
        expected=expected,
        findings=tuple(findings),
        notes=tuple(notes),
        rulebook=rulebook,
    )
