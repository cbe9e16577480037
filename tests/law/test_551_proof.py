"""What Match-The-Dealer and insurance earn, against counts made by hand; the wager, as it is simulated."""

from fractions import Fraction
from functools import cache
from math import perm
from random import Random
from typing import Any, Final

import pytest

from projections.engine.games.blackjack.simulation import UNIT
from projections.engine.games.proving import Proven
from projections.engine.games.spanish21 import proof as earns
from projections.engine.games.spanish21 import simulation
from projections.engine.games.spanish21.rules import rules_of
from projections.engine.games.spanish21.simulation import SimulatedRound, Strategy, shoe_of, simulate, two
from schemas.errors import BadInput
from schemas.rulebook import Rulebook, rulebook
from tests.law.spanish21_table import EVENING

# Beside the dealer's card a shoe holds so many of his rank and suit, and of his rank alone; what they pay.
MATCHING: Final = {6: (5, 18, 9, 4), 8: (7, 24, 12, 3)}


@cache
def best(double_down_on: str = "first_two") -> Strategy:
    return Strategy(rules_of(rulebook("551", EVENING.date(), {"double_down_on": double_down_on})))


@cache
def proven(decks: int | None) -> dict[str, Proven]:
    def book_of(options: Any, decks: int | None) -> Rulebook:
        return rulebook("551", EVENING.date(), options, decks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(earns, "ROUNDS", 200)
        return {each.wager: each for each in earns.proof(book_of, decks)}


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
    # Squared: each of the two by itself, what both bring together, and the unit lost.
    squares = Fraction(same * same_odds**2 + different * different_odds**2, cards - 1)
    paid = same * same_odds + different * different_odds
    together = paid * paid - same * same_odds**2 - different * different_odds**2
    squared = 2 * squares + 2 * Fraction(together, (cards - 1) * (cards - 2)) + lost
    assert found.variance == squared - found.house_advantage**2


@pytest.mark.parametrize(("decks", "hold"), [(6, Fraction(71, 287)), (8, Fraction(95, 383))])
def test_551_insurance(decks: int, hold: Fraction) -> None:
    # Of the cards left beside an ace, 12 in each deck are worth ten: 72 of 287, 96 of 383.
    found = proven(decks)["insurance"]
    aces, tens = 4 * decks, 12 * decks
    assert (found.win, found.lose) == (aces * tens, aces * (48 * decks - 1 - tens))
    assert found.house_advantage == hold
    assert found.variance == 9 * Fraction(tens * (48 * decks - 1 - tens), (48 * decks - 1) ** 2)


def test_551_as_many_decks_as_there_are() -> None:
    with pytest.raises(BadInput, match="decks"):
        proven(7)


def test_551_a_hand_by_hand_plays_best() -> None:
    strategy = best()
    for up, first, second, does in [
        (7, 10, 10, "stand"),  # 20
        (6, 5, 6, "double"),  # 11
        (9, 2, 3, "draw"),
        (6, 8, 8, "split"),
        (10, 1, 1, "split"),
        (1, 10, 7, "surrender"),  # 17 against an ace
        (1, 10, 6, "draw"),
        (10, 1, 8, "stand"),  # soft 19
        (10, 1, 6, "draw"),  # soft 17
    ]:
        assert strategy.dealt(up, first, second).does == does, (up, first, second)


def test_551_11_a_doubles_on_two_cards_alone() -> None:
    free, bound = best("any"), best("first_two")
    eleven = two(2, 3).with_value(6)
    assert (free.best(6, eleven).does, bound.best(6, eleven).does) == ("double", "draw")
    assert free.best(6, eleven).worth > bound.best(6, eleven).worth
    assert bound.best(6, two(5, 6)).does == free.best(6, two(5, 6)).does == "double"


def test_551_simulation() -> None:
    strategy = best("any")
    played = simulate(strategy, 6, 500, seed=1)
    assert played.win + played.push + played.lose == 500
    assert simulate(strategy, 6, 500, seed=1) == played
    other = simulate(strategy, 6, 500, seed=2)
    assert other != played
    # Both are three standard errors wide; published analyses of the game, in which a hand is doubled on any
    # number of cards, give 0.4%.
    assert abs(other.house_advantage - played.house_advantage) < played.error + other.error
    assert abs(played.house_advantage - Fraction(4, 1000)) < played.error + Fraction(1, 1000)
    assert played.error < Fraction(1, 100)


def test_551_the_first_cards_are_weighed_by_how_often_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    shoe = shoe_of("A23456789JQK", 6, Random(3))  # noqa: S311  a simulation that anyone can repeat
    # Worth one unit each, they are worth one together; worth one with a dealer's Blackjack alone, its chance.
    monkeypatch.setattr(simulation, "dealt_worth", lambda *_cards, **_hole: 1)
    assert simulation.first_cards(best(), shoe.full) == 1
    monkeypatch.setattr(simulation, "dealt_worth", lambda *_cards, blackjack: int(blackjack))
    # 24 aces and 72 jacks, queens and kings, the one up or the other, of 288 cards.
    assert simulation.first_cards(best(), shoe.full) == Fraction(2 * 24 * 72, 288 * 287)


def test_551_luck_is_nothing_on_average() -> None:
    # What is taken out of the gains is drawn evenly: its mean lies within four standard errors of nothing.
    strategy = best()
    shoe = shoe_of("A23456789JQK", 6, Random(3))  # noqa: S311  a simulation that anyone can repeat
    lucks = []
    for _ in range(1000):
        now = SimulatedRound(strategy, shoe)
        now.play()
        lucks.append(Fraction(now.luck, UNIT))
    mean = sum(lucks) / len(lucks)
    variance = sum((luck - mean) ** 2 for luck in lucks) / (len(lucks) - 1)
    assert mean**2 < 16 * variance / len(lucks)
    assert variance > Fraction(1, 10)


def test_551_proof_says_what_is_simulated() -> None:
    found = proven(6)
    assert {wager: each.method for wager, each in found.items()} == {
        "wager": "simulation",
        "match_the_dealer": "exact",
        "insurance": "exact",
    }
    assert 0 < float(found["wager"].error) < 0.02
    assert found["wager"].counts_in == ("double_down",)
    assert 1 < found["wager"].variance < 2
