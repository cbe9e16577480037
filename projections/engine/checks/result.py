"""Can the cards be, was the right result announced, and was the round void when they ran out?"""

from typing import Final

from projections.engine.check_context import RoundCase, Surplus
from projections.engine.facts import CardRef, Fact, HandRef, Word, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.kinds import ANNOUNCED_WRONG, CARD_NOT_IN_DECK, VOID_NOT_CALLED

# ── Can the card be in this shoe at all? ──────────────────────────────────────────────────────────────

IMPOSSIBLE_CARD_KINDS: Final = (CARD_NOT_IN_DECK,)


def check_impossible_card(case: RoundCase) -> list[Raised]:
    """Raise each card that the shoe's decks do not hold that often."""
    return [
        Raised(
            kind=CARD_NOT_IN_DECK,
            message=_beyond(surplus, case.book.shoe_decks),
            cites=case.book.clauses["decks"],
            weight=None if surplus.is_proven else "undetermined",
            who=surplus.hand,
        )
        for surplus in case.surplus
    ]


def _beyond(surplus: Surplus, decks: int) -> Fact:
    """State which card is beyond what the decks hold: of its kind, of its rank, or of all."""
    is_proven = int(surplus.is_proven)
    if not surplus.holds:
        return fact(
            "checks.card_not_in_deck",
            card=CardRef(surplus.card),
            times=surplus.times,
            decks=decks,
            is_proven=is_proven,
        )
    if surplus.card == "??":
        return fact("checks.card_beyond_shoe", times=surplus.times, holds=surplus.holds, is_proven=is_proven)
    return fact(
        "checks.rank_not_in_deck",
        rank=surplus.card[0],
        times=surplus.times,
        holds=surplus.holds,
        is_proven=is_proven,
    )


# ── Was the round called void when the cards ran out? ─────────────────────────────────────────────────

VOID_CALLED_KINDS: Final = (VOID_NOT_CALLED,)


def check_void_called(case: RoundCase) -> list[Raised]:
    """Raise a round that ran out of cards and was not called void, if the chapter requires that."""
    clause = case.book.clauses.get("cards_run_out")
    if clause is None or not case.observed.exhausted or case.observed.void or not case.cards_known:
        return []
    return [
        Raised(
            kind=VOID_NOT_CALLED,
            message=fact("checks.void_not_called"),
            cites=clause,
        )
    ]


# ── Was the result announced that the cards gave? ─────────────────────────────────────────────────────

POINTS_ANNOUNCED_WRONG: Final = Kind(
    "points_announced_wrong",
    severity="medium",
    asks="Did the dealer call the final Point Count that each hand's cards gave?",
    false_positives="A count keyed wrongly, or a card misread: watch the hand before the result is doubted.",
    name="wrong points called",
)
ANNOUNCED_KINDS: Final = (ANNOUNCED_WRONG, POINTS_ANNOUNCED_WRONG)


def check_announced(case: RoundCase) -> list[Raised]:
    """Raise an announcement that the hands do not bear out."""
    called, calls = case.observed.announced, case.ruled.calls
    if called is None or not calls or called in calls or not case.cards_known:
        return []
    return [
        Raised(
            kind=ANNOUNCED_WRONG,
            message=fact(
                "checks.announced_wrong",
                called=Word(called),
                right=listed(*(Word(each) for each in sorted(calls))),
            ),
            cites=case.book.clauses["announcement"],
        )
    ]


def check_announced_points(case: RoundCase) -> list[Raised]:
    """Raise a final Point Count that a hand's cards do not give, 631a.12(a)."""
    if not case.cards_known:
        return []
    return [
        Raised(
            kind=POINTS_ANNOUNCED_WRONG,
            message=fact(
                "checks.points_announced_wrong",
                hand=HandRef(hand),
                called=called,
                right=listed(*sorted(counts)),
            ),
            cites=case.book.clauses["announcement"],
            who=hand,
        )
        for hand, called in case.observed.announced_points.items()
        if (counts := case.ruled.point_counts.get(hand)) and called not in counts
    ]


KINDS: Final = (
    *IMPOSSIBLE_CARD_KINDS,
    *VOID_CALLED_KINDS,
    *ANNOUNCED_KINDS,
)
