"""Chapter 685a in the shapes that its judgement asks: how hands are played, the ranges, and what is paid."""

from fractions import Fraction
from functools import lru_cache
from typing import Final

from msgspec import Struct

from projections.engine.findings import Kind
from projections.engine.games.blackjack.hands import worth
from projections.engine.games.blackjack.manner import Manner, Provisions
from schemas.rulebook import Rulebook
from schemas.values import RANKS, odds

EVEN_MONEY: Final = "even_money"
SURRENDER: Final = "surrender"
RANGES: Final = ("small", "medium", "large")

_CITES: Final = Provisions(
    deal=("685a.7(e)",),
    turns=("685a.7(i)", "685a.7(l)"),
    hand=("685a.7(e)(1)", "685a.10(a)"),
    missing=("685a.12(g)", "685a.7(j)"),
    first_two=("685a.7(e)(3)", "685a.12(f)"),
    draw=("685a.7(k)", "685a.7(k)(1)"),
    stand=("685a.7(j)",),
    double=("685a.9(a)",),
    doubled_card=("685a.9(a)", "685a.7(k)(2)"),
    split=("685a.10(a)",),
    split_again=("685a.10(c)",),
    split_cards=("685a.10(b)", "685a.10(c)"),
    split_turns=("685a.10(b)",),
    split_aces=("685a.10(e)",),
    leave=("685a.7(g)",),
    dealer_draws=("685a.7(m)", "685a.12(d)"),
    dealer_hole=("685a.7(e)(4)", "685a.7(e)(2)"),
    stake=("685a.6(d)",),
    insurance=("685a.8(a)",),
    match=("685a.6(e)",),
)


class Rules(Struct, frozen=True, eq=False):
    """Chapter 685a's figures of one day together with a house's choices.

    `ranges` are the ranks of each value range of the hole card, `standoff` the dealer's total against which
    `standoff_cards` Large first cards and a hand at its limit are paid. `match_odds` are those of a suited
    and of an unsuited match, None with decks for which there is no such wager.
    """

    manner: Manner
    ranges: dict[str, str]
    standoff: int
    standoff_cards: int
    large_after_split: bool
    bust_returned: bool
    bet_odds: Fraction
    blackjack_odds: Fraction
    even_money_odds: Fraction
    insurance_odds: Fraction
    match_odds: tuple[Fraction, Fraction] | None
    match_best: bool


@lru_cache(maxsize=256)
def rules_of(book: Rulebook) -> Rules:
    """Convert a rulebook of Chapter 685a to the form that the checks use."""
    chosen = book.options
    matched = book.number("match_the_dealer_odds").value.get(book.decks)
    return Rules(
        manner=Manner(
            ranks=RANKS,
            limit=book.number("player_limit").value,
            hands_most=book.number("hands_most").value,
            double_cards=book.number("double_on_cards").value,
            split_ace_cards=book.number("split_ace_cards").value,
            leaving=frozenset({EVEN_MONEY, SURRENDER}),
            rescues=False,
            before_turns=frozenset({EVEN_MONEY}),  # 685a.7(g), before the turns of (i)
            dealer_limit=chosen["dealer_ace_limit"],
            dealer_stands_at=book.number("dealer_stands_at").value,
            cites=_CITES,
        ),
        ranges={name: book.number(name).value for name in RANGES},
        standoff=book.number("dealer_standoff").value,
        standoff_cards=book.number("standoff_cards").value,
        large_after_split=chosen["large_after_split"],
        bust_returned=chosen["bust_on_22"] == "return",
        bet_odds=book.odds("bet_odds"),
        blackjack_odds=book.odds("blackjack_odds"),
        even_money_odds=book.odds("even_money_odds"),
        insurance_odds=book.odds("insurance_odds"),
        match_odds=(odds(matched["suited"]), odds(matched["unsuited"])) if matched is not None else None,
        match_best=chosen["match_the_dealer_pays"] == "best",
    )


def large_values(rules: Rules) -> frozenset[int]:
    """685a.1: what a Large card can count, an ace as one."""
    return frozenset(worth(rank) for rank in rules.ranges["large"])


# ── The check that only this game adds ────────────────────────────────────────────────────────────────

WRONG_RANGE: Final = Kind(
    "wrong_range",
    severity="critical",
    asks="Did the card reader's light, and the place of the hole card, show the range that it has?",
    false_positives="A hole card read wrongly, where no second reader is connected.",
)
