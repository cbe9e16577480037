"""What the wagers of Chapter 685a earn: counted a second way, and the simulation's own arithmetic."""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import cache
from importlib import import_module
from math import comb
from random import Random
from statistics import variance
from typing import Any

import pytest

from projections.engine.games.blackjack.hands import total
from projections.engine.games.blackjack.simulation import UNIT, VALUES, played_out, with_card
from projections.engine.games.downunder.proof import proof, readings
from projections.engine.games.downunder.rules import rules_of
from projections.engine.games.downunder.simulation import Strategy, shoe_of, simulate
from projections.engine.games.proving import Proven
from schemas.rulebook import Rulebook, rulebook

DAY = date(2018, 9, 11)
ROUNDS = 3000


def book_of(options: Mapping[str, Any], decks: int | None) -> Rulebook:
    return rulebook("685a", DAY, options, decks)


@cache
def strategy(limit: int) -> Strategy:
    return Strategy(rules_of(book_of({"dealer_ace_limit": limit}, 6)))


@cache
def proven(decks: int) -> dict[tuple[str, str | None], Proven]:
    with pytest.MonkeyPatch.context() as shorter:
        shorter.setattr(import_module(proof.__module__), "ROUNDS", ROUNDS)
        return {(row.wager, row.option): row for row in proof(book_of, decks)}


def matching(decks: int, suited: int, unsuited: int, *, best: bool) -> tuple[Fraction, Fraction]:
    """Compute hold and variance by how many of two cards match, of all that lie beside the dealer's."""
    others = 52 * decks - 1
    same, rank = decks - 1, 3 * decks
    none = others - same - rank
    gained = squared = Fraction(0)
    for of_same in range(3):
        for of_rank in range(3 - of_same):
            ways = comb(same, of_same) * comb(rank, of_rank) * comb(none, 2 - of_same - of_rank)
            won = [suited] * of_same + [unsuited] * of_rank
            gain = (max(won) if best else sum(won)) if won else -1
            gained += Fraction(ways, comb(others, 2)) * gain
            squared += Fraction(ways, comb(others, 2)) * gain**2
    return -gained, squared - gained**2


@pytest.mark.parametrize(("decks", "suited", "unsuited"), [(6, 11, 4), (8, 14, 3)])
def test_685a_7_f_hold(decks: int, suited: int, unsuited: int) -> None:
    rows = proven(decks)
    each = rows["match_the_dealer", "match_the_dealer_pays=each"]
    best = rows["match_the_dealer", "match_the_dealer_pays=best"]
    cards = 52 * decks
    assert (each.house_advantage, each.variance) == matching(decks, suited, unsuited, best=False)
    assert (best.house_advantage, best.variance) == matching(decks, suited, unsuited, best=True)
    for row in (each, best):
        none = cards - 4 * decks
        assert (row.win + row.lose, row.push) == (cards * (cards - 1) * (cards - 2), 0)
        assert row.lose == cards * none * (none - 1)
        assert (row.method, row.error) == ("exact", "0")


def test_685a_published() -> None:
    # The preamble: between 3.67% and 4.06% for the optional wager.
    told = {(each.figure, each.option): each for each in readings(book_of, None)}
    assert {key: (each.published, each.reproduces, each.is_default) for key, each in told.items()} == {
        ("match_the_dealer, 6 decks", "match_the_dealer_pays=each"): ("4.06%", True, True),
        ("match_the_dealer, 6 decks", "match_the_dealer_pays=best"): ("4.06%", False, False),
        ("match_the_dealer, 8 decks", "match_the_dealer_pays=each"): ("3.67%", True, True),
        ("match_the_dealer, 8 decks", "match_the_dealer_pays=best"): ("3.67%", False, False),
    }
    assert [each.figure for each in readings(book_of, 8)] == ["match_the_dealer, 8 decks"] * 2
    assert list(readings(book_of, 4)) == []


@pytest.mark.parametrize("decks", [6, 8])
def test_685a_8_hold(decks: int) -> None:
    # Sixteen cards of a deck win 2 to 1, all others but the dealer's ace lose.
    row = proven(decks)["insurance", None]
    tens, others = 16 * decks, 52 * decks - 1
    assert (row.win, row.push, row.lose) == (4 * decks * tens, 0, 4 * decks * (others - tens))
    assert row.house_advantage == 1 - 3 * Fraction(tens, others)
    assert row.variance == 9 * Fraction(tens, others) * Fraction(others - tens, others)


def test_685a_base_game_says_that_it_is_simulated() -> None:
    for limit in (22, 21):
        row = proven(6)["bet", f"dealer_ace_limit={limit}"]
        assert (row.method, row.published, row.win + row.push + row.lose) == (
            "simulation",
            ".43% to .49%",
            ROUNDS,
        )
        assert 0 < Fraction(row.error) < Fraction(1, 1000)
        assert (row.counts_in, row.hangs_on["dealer_ace_limit"]) == (("double_down",), limit)
        # That of blackjack is some 1.3: wizardofodds.com/games/blackjack/appendix/4.
        assert Fraction("1.0") < row.variance < Fraction("1.6")


def test_variance_of_what_was_played() -> None:
    gains = [1.5, -1, 0, 2, -1, -2, 1]
    left = iter(gains)
    played = played_out(len(gains), lambda: (int(next(left) * UNIT), 0), Fraction(0))
    assert (played.win, played.push, played.lose) == (3, 1, 3)
    assert played.house_advantage == -Fraction(1, 14)
    assert float(played.variance) == pytest.approx(variance(gains))
    # Three standard errors of the mean of what was not luck: here nothing was.
    assert float(played.error) == pytest.approx(3 * (variance(gains) / len(gains)) ** 0.5)


@pytest.mark.parametrize(
    ("limit", "decks", "hold"),
    [(21, 4, "0.0032"), (21, 8, "0.0041"), (22, 4, "-0.0003"), (22, 8, "0.0006")],
)
def test_685a_3_d_3_hold(limit: int, decks: int, hold: str) -> None:
    # The base game's hold by best play, as others reckoned it before this was written.
    played = simulate(strategy(limit), decks, ROUNDS, seed=1)
    assert abs(played.house_advantage - Fraction(hold)) < played.error + Fraction(1, 10_000)
    assert played.error < Fraction(1, 1000)


def test_a_simulation_can_be_repeated() -> None:
    first, second, other = (simulate(strategy(21), 6, 200, seed=seed) for seed in (7, 7, 8))
    assert first == second
    assert first.house_advantage != other.house_advantage
    assert first.win + first.push + first.lose == 200


@pytest.mark.parametrize("worths", [range(10), (5, -7, 0, 0, 0, 0, 0, 0, 0, 10**12)])
def test_luck_is_nothing_on_average(worths: Sequence[int]) -> None:
    # Over every card that can come, weighed by how many there are of it: less than a unit for the rounding.
    lucks: dict[tuple[int, ...], dict[int, int]] = {}
    for seed in range(200):
        shoe = shoe_of(1, Random(seed))  # noqa: S311  no secret
        shoe.refill()
        shoe.draw()
        left = list(shoe.left)
        (value, _), luck = shoe.luck(worths)
        lucks.setdefault(tuple(left), {})[value] = luck
    for of_each, by_value in lucks.items():
        average = Fraction(sum(of_each[value] * worths[value - 1] for value in VALUES), sum(of_each))
        for value, luck in by_value.items():
            assert 0 <= luck - (worths[value - 1] - average) < 1


@pytest.mark.parametrize("limit", [21, 22])
def test_the_dealers_chances_with_cards_put_back(limit: int) -> None:
    # A second way to reckon them: card after card, weighed in thirteenths.
    reached: dict[int, Fraction] = {}
    hands: dict[tuple[int, ...], Fraction] = {(6, 10): Fraction(1)}
    while hands:
        after: dict[tuple[int, ...], Fraction] = {}
        for cards, chance in hands.items():
            count = total(cards, limit)
            if count >= 17:
                reached[count] = reached.get(count, Fraction(0)) + chance
                continue
            for value in VALUES:
                key = (*cards, value)
                after[key] = after.get(key, Fraction(0)) + chance * Fraction(4 if value == 10 else 1, 13)
        hands = after
    dealing = strategy(limit).dealing
    end = dealing.end_of(with_card(with_card((0, False), 10), 9), (10, 9))
    won = sum(chance for count, chance in reached.items() if count > 22 or count < 19)
    lost = sum(chance for count, chance in reached.items() if 19 < count < 22)
    assert abs(dealing.stand_worth((16, False), end) - int((won - lost) * 10**12)) <= 1
