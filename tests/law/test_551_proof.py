"""What Match-The-Dealer and insurance earn, against counts made by hand."""

from fractions import Fraction
from math import perm
from typing import Any, Final

import pytest

from projections.games.spanish21.proof import proof
from projections.proving import Proven
from schemas.errors import BadInput
from schemas.rulebook import Rulebook, rulebook
from tests.law.spanish21_table import EVENING

# Beside the dealer's card a shoe holds so many of his rank and suit, and of his rank alone; what they pay.
MATCHING: Final = {6: (5, 18, 9, 4), 8: (7, 24, 12, 3)}


def proven(decks: int | None) -> dict[str, Proven]:
    def book_of(options: Any, decks: int | None) -> Rulebook:
        return rulebook("551", EVENING.date(), options, decks)

    return {each.wager: each for each in proof(book_of, decks)}


@pytest.mark.parametrize("decks", [6, 8])
def test_551_match_the_dealer(decks: int) -> None:
    cards = 48 * decks
    same, different, same_odds, different_odds = MATCHING[decks]
    others = cards - 1 - same - different
    found = proven(decks)["match_the_dealer"]
    assert found.lose == cards * others * (others - 1)
    assert found.win + found.lose == perm(cards, 3)
    # Each of the two cards is paid by itself; one unit is lost where neither matches.
    each = Fraction(same * same_odds + different * different_odds, cards - 1)
    lost = Fraction(others * (others - 1), (cards - 1) * (cards - 2))
    assert found.house_advantage == lost - 2 * each


@pytest.mark.parametrize(("decks", "hold"), [(6, Fraction(71, 287)), (8, Fraction(95, 383))])
def test_551_insurance(decks: int, hold: Fraction) -> None:
    # Of the cards left beside an ace, 12 in each deck are worth ten: 72 of 287, 96 of 383.
    found = proven(decks)["insurance"]
    aces, tens = 4 * decks, 12 * decks
    assert (found.win, found.lose) == (aces * tens, aces * (48 * decks - 1 - tens))
    assert found.house_advantage == hold


def test_551_six_decks_unless_told() -> None:
    assert {each.decks for each in proven(None).values()} == {6}
    with pytest.raises(BadInput, match="decks"):
        proven(7)
