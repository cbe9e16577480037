"""What the enumeration of Chapter 681a says, against a second routine and the preamble's own figures.

The preamble of the rulemaking (125-198) prints a hold of 5.4% or 5.9% for the Tie Wager, by decks, and of
between 5.8% and 8.0% for the Bonus Wager.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import perm
from typing import Any

import pytest

from projections.engine.games.baccarat21.proof import awarded, finished, proof, readings
from projections.engine.games.baccarat21.rules import rules_of
from projections.engine.games.proving import Proven
from schemas.law_text import chapter
from schemas.rulebook import Rulebook, rulebook

ROWS = [set("A23456789TJQKA"[start : start + 3]) for start in range(12)]
DEALS = {8: perm(416, 6), 4: perm(208, 6)}


def book_of(options: Mapping[str, Any], decks: int | None) -> Rulebook:
    return rulebook("681a", max(chapter("681a").texts), options, decks)


@cache
def total(cards: tuple[str, ...]) -> int:
    """Count a hand once more, for this test alone: the best of both values of each ace, 681a.3(d)."""
    totals = {0}
    for card in cards:
        worth = (1, 11) if card == "A" else (10,) if card in "TJQK" else (int(card),)
        totals = {so_far + each for so_far in totals for each in worth}
    return max((each for each in totals if each <= 21), default=min(totals))


def is_natural(cards: tuple[str, ...]) -> bool:
    return total(cards) == 21 or cards == ("A", "A")


def compared(cards: tuple[str, ...]) -> tuple[tuple[int, bool], tuple[int, bool]]:
    """Deal six cards without a Bonus Wager, worked from 681a.7 once more for this test alone."""
    player, banker, rest = cards[0:3:2], cards[1:4:2], list(cards[4:])
    aces = player == ("A", "A"), banker == ("A", "A")
    if not (is_natural(player) or is_natural(banker)):
        if total(player) < 17:
            player += (rest.pop(0),)
        if total(banker) < 17:
            banker += (rest.pop(0),)
    return (total(player), aces[0]), (total(banker), aces[1])


def held(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the first of two hands is paid for, worked from 681a.3(e) for this test alone."""
    hand = cards[0:3:2]
    if not is_natural(hand) and total(hand) < 17:
        hand += (cards[4],)
    if len(hand) == 3 and len(set(hand)) == 1:
        return ("three_7s",) if hand[0] == "7" else ("three_of_a_kind",)
    if len(hand) == 3 and set(hand) in ROWS:
        return ("straight",)
    paid = ["three_card_21"] if len(hand) == 3 and total(hand) == 21 else []
    return tuple(paid + (["pair"] if hand[0] == hand[1] else []))


@pytest.mark.parametrize("pack", ["AA259TK38", "AA667789K", "4445567AT", "99T7A2368"])
def test_681a_small_packs_dealt_one_by_one(pack: str) -> None:
    rules = rules_of(book_of({}, None))
    deals = list(permutations(pack, 6))
    assert +finished(rules, Counter(pack)) == Counter(map(compared, deals))
    assert awarded(rules, Counter(pack)) == Counter(map(held, deals))


@pytest.fixture(scope="module")
def by_decks() -> dict[int, dict[tuple[str, str | None], Proven]]:
    return {decks: {(row.wager, row.option): row for row in proof(book_of, decks)} for decks in (4, 8)}


@pytest.mark.parametrize(("decks", "hold"), [(8, "0.054"), (4, "0.059")])
def test_681a_published_hold_of_the_tie_wager(
    by_decks: dict[int, dict[tuple[str, str | None], Proven]], decks: int, hold: str
) -> None:
    rows = by_decks[decks]
    usual = rows["tie", "ace_ace_tie=only_ace_ace"]
    assert round(usual.house_advantage, 3) == Fraction(hold)
    assert usual.house_advantage == 1 - Fraction(11 * usual.win, DEALS[decks])
    for count in (12, 21):
        other = rows["tie", f"ace_ace_tie=value, ace_ace={count}"]
        assert round(other.house_advantage, 3) != Fraction(hold)


def test_681a_published_hold_of_the_bonus_wager(
    by_decks: dict[int, dict[tuple[str, str | None], Proven]],
) -> None:
    holds = [
        row.house_advantage for rows in by_decks.values() for row in rows.values() if "bonus" in row.wager
    ]
    assert len(holds) == 2 * 6
    assert (round(min(holds), 3), round(max(holds), 3)) == (Fraction("0.058"), Fraction("0.080"))


def test_681a_both_hands_are_dealt_alike(by_decks: dict[int, dict[tuple[str, str | None], Proven]]) -> None:
    for decks, rows in by_decks.items():
        for row in rows.values():
            assert row.win + row.push + row.lose == DEALS[decks]
        for count in (12, 21, 22):
            player, banker = (rows[hand, f"ace_ace={count}"] for hand in ("player", "banker"))
            assert (player.win, player.push) == (banker.win, banker.push) == (player.lose, player.push)
            # What is returned is what ties; only two aces among others do not.
            tie = rows["tie", f"ace_ace_tie=value, ace_ace={count}"]
            assert player.push == tie.win


def test_681a_three_of_a_kind_by_hand() -> None:
    # 2 to 8 draw on a pair; with n cards of a rank among N, n(n-1)(n-2) of N(N-1)(N-2) orders.
    for decks in (4, 8):
        cards = 4 * decks
        three = cards * (cards - 1) * (cards - 2) * perm(52 * decks - 3, 3)
        counted = awarded(rules_of(book_of({}, decks)), dict.fromkeys("A23456789TJQK", cards))
        assert counted["three_7s",] == three
        assert counted["three_of_a_kind",] == 6 * three
        # Any initial pair is paid, as one of these if not as a pair.
        pairs = 13 * cards * (cards - 1) * perm(52 * decks - 2, 4)
        paired = sum(ways for awards, ways in counted.items() if "pair" in awards)
        assert paired == pairs - 7 * three
        assert sum(counted.values()) == DEALS[decks]


def test_681a_only_the_default_readings_give_the_published_figures() -> None:
    told = list(readings(book_of, None))
    assert {each.published for each in told} == {"5.4%", "5.9%", "5.8%", "8.0%"}
    for figure in {each.figure for each in told}:
        usual = [each for each in told if each.figure == figure and each.is_default]
        assert [each.reproduces for each in usual] == [True]
    right = {each.option for each in told if each.reproduces and not each.is_default}
    # Two aces that count 22 tie nothing else either.
    assert right == {"ace_ace_tie=value, ace_ace=22"}
    # AMBIGUITIES 5: the literal Bonus Wager holds 4.64% to 6.89%.
    literal = "bonus_awards=highest, ace_ace_bonus_card=drawn, ace_2_3_straight=true"
    assert [str(round(100 * each.computed, 2)) for each in told if each.option == literal] == [
        "116/25",
        "689/100",
    ]
