"""Chapter 681a as predicates: each function states one lettered clause.

`Rules` is a rulebook prepared for these predicates, once for many rounds.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from msgspec import Struct

from schemas.law_text import Number
from schemas.rulebook import Rulebook
from schemas.values import RANKS, odds

_FACES: Final = "JQK"
_TEN: Final = 10  # a 10 by its face, and what makes a natural with an ace
_LOW_STRAIGHT: Final = frozenset("A23")
_HIGH_STRAIGHT: Final = frozenset("QKA")


class AceCounting(Struct, frozen=True, eq=False):
    """Card values on a day, 681a.3(d), what a hand must not exceed, and below what it draws."""

    ten_card_value: int
    ace_value: int
    ace_value_beyond_most: int
    most: int
    draws_below: int


class Rules(Struct, frozen=True, eq=False):
    """Chapter 681a's figures of one day together with a house's choices, for the predicates below."""

    counting: AceCounting
    hand_odds: Fraction
    hand_paid_less: int
    hand_paid_less_odds: Fraction
    tie_odds: Fraction
    three_card_total: int
    bonus_odds: dict[str, Fraction]
    ace_ace: int
    ace_ace_ties_by_value: bool
    ace_ace_draws: bool
    highest_award_only: bool
    ace_2_3: bool
    any_bonus_draws: bool


def counting_of(numbers: Mapping[str, Number]) -> AceCounting:
    """Find what cards and totals are worth among the figures of a day."""
    return AceCounting(
        ten_card_value=numbers["ten_card_value"].value,
        ace_value=numbers["ace_value"].value,
        ace_value_beyond_most=numbers["ace_value_beyond_most"].value,
        most=numbers["most"].value,
        draws_below=numbers["draws_below"].value,
    )


@lru_cache(maxsize=256)
def rules_of(book: Rulebook) -> Rules:
    """Convert a rulebook of Chapter 681a to the form that the predicates use."""
    chosen = book.options
    return Rules(
        counting=counting_of(book.numbers),
        hand_odds=book.odds("hand_odds"),
        hand_paid_less=book.number("hand_paid_less").value,
        hand_paid_less_odds=book.odds("hand_paid_less_odds"),
        tie_odds=book.odds("tie_odds"),
        three_card_total=book.number("three_card_total").value,
        bonus_odds={
            hand: odds(pays)
            for hand, pays in book.number("bonus_odds").value[chosen["bonus_paytable"]].items()
        },
        ace_ace=chosen["ace_ace"],
        ace_ace_ties_by_value=chosen["ace_ace_tie"] == "value",
        ace_ace_draws=chosen["ace_ace_bonus_card"] == "drawn",
        highest_award_only=chosen["bonus_awards"] == "highest",
        ace_2_3=chosen["ace_2_3_straight"],
        any_bonus_draws=chosen["natural_bonus_card"] == "any",
    )


def value(counting: AceCounting, rank: str) -> int:
    """Return a card's value, 681a.3(d); of an ace the one that it has where 11 would be too much."""
    if rank == "A":
        return counting.ace_value_beyond_most
    if rank in _FACES:
        return counting.ten_card_value
    return _TEN if rank == "T" else int(rank)


def total(counting: AceCounting, ranks: str) -> int:
    """Count cards by their ranks, 681a.3(d): an ace is 11 where that does not bring the hand above 21."""
    counted = sum(value(counting, rank) for rank in ranks)
    for _ in range(ranks.count("A")):
        soft = counted + counting.ace_value - counting.ace_value_beyond_most
        if soft <= counting.most:
            counted = soft
    return counted


def is_two_aces(ranks: str) -> bool:
    """Return True if the first two cards are two aces, which have readings of their own."""
    return ranks[:2] == "AA"


def is_natural(counting: AceCounting, ranks: str) -> bool:
    """681a.1: two cards that are two aces, or an ace and a card worth ten."""
    other = ranks[:2].replace("A", "", 1)
    return other == "A" or (len(other) == 1 and value(counting, other) == _TEN)


def draws(counting: AceCounting, initial: int) -> bool:
    """681a.7(g), and for the Bonus Wager (f)(2): a hand of less than a soft or hard 17 draws."""
    return initial < counting.draws_below


def is_straight(rules: Rules, ranks: str) -> bool:
    """681a.3(e)(3): three ranks in a row; an ace ends one, or begins one where that is how it is read."""
    distinct = frozenset(ranks)
    if distinct == _LOW_STRAIGHT:
        return rules.ace_2_3
    if distinct == _HIGH_STRAIGHT:
        return True
    places = sorted(RANKS.index(rank) for rank in ranks)
    return places == list(range(places[0], places[0] + 3))


def awards(rules: Rules, ranks: str) -> tuple[str, ...]:
    """Return the awards that the Bonus Wager pays on a hand, 681a.3(e), the highest first.

    It is empty if the wager loses. Only the initial two cards make a pair (e)(5). A pair whose third card
    makes 21 is paid for both, or, by the house's reading, for the higher only.
    """
    paired = ranks[0] == ranks[1]
    third = ranks[2:]
    if third and paired and third == ranks[0]:
        return ("three_7s",) if third == "7" else ("three_of_a_kind",)
    if third and is_straight(rules, ranks):
        return ("straight",)
    won = []
    if third and total(rules.counting, ranks) == rules.three_card_total:
        won.append("three_card_21")
    if paired:
        won.append("pair")
    return tuple(won[:1] if rules.highest_award_only else won)
