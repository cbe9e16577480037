"""How a hand of Chapter 631a is described: each step with its Point Count and its provision.

The Point Counts are added by hand, 631a.6; who draws is from 631a.11 with its Table 1.
"""

from typing import Final

import pytest

from tests.law.baccarat_table import deal, described

NONE_ON_SIX: Final = [("initial", "player", 6, "631a.6(b)"), ("initial", "banker", 4, "631a.6(b)")]


def test_631a_11_c_2_both_hands_draw() -> None:
    # 2 and 3 are 5, which draws; the 4 makes 9. 6 and 9 are 15, so 5, which draws against a 4; 8 makes 3.
    assert described(deal("2c 3d 4h", "6s 9h 8d")) == [
        ("initial", "player", 5, "631a.6(b)"),
        ("initial", "banker", 5, "631a.6(b)"),
        ("players_turn", "player", 5, 1, "631a.11(b)(1)"),
        ("third", "player", 9, "631a.6(b)"),
        ("bankers_turn", "banker", 5, 4, 1, "631a.11(c)(2)"),
        ("third", "banker", 3, "631a.6(b)"),
        ("wins", "player", 9, 3, "631a.12(a)"),
    ]


def test_631a_11_c_1_the_banker_draws_alone() -> None:
    # A king and 6 are 6, which stays. A king and 4 are 4; the 3 makes 7.
    assert described(deal("Kc 6c", "Kd 4d 3d")) == [
        *NONE_ON_SIX,
        ("players_turn", "player", 6, 0, "631a.11(b)(2)"),
        ("bankers_turn", "banker", 4, None, 1, "631a.11(c)(1)"),
        ("third", "banker", 7, "631a.6(b)"),
        ("wins", "banker", 7, 6, "631a.12(a)"),
    ]


@pytest.mark.parametrize("third", ["", " 2h"])
def test_631a_11_a_a_natural_ends_the_dealing(third: str) -> None:
    # 9 each; a further card, which must not be dealt, counts in neither.
    assert described(deal("9c Kd" + third, "5h 4h" + third)) == [
        ("initial", "player", 9, "631a.6(b)"),
        ("initial", "banker", 9, "631a.6(b)"),
        ("natural", "631a.11(a)"),
        ("tie", 9, "631a.12(a)"),
    ]


@pytest.mark.parametrize(
    ("player", "banker", "counts"), [("8c Kd", "5h 2h", (8, 7)), ("5h 2h", "8c Kd", (7, 8))]
)
def test_631a_11_a_a_natural_of_either_hand(player: str, banker: str, counts: tuple[int, int]) -> None:
    winner = "player" if counts[0] > counts[1] else "banker"
    assert described(deal(player, banker))[2:] == [
        ("natural", "631a.11(a)"),
        ("wins", winner, 8, 7, "631a.12(a)"),
    ]


def test_631a_15_b_a_card_to_the_players_hand_that_stays_is_the_bankers_third() -> None:
    # 7 stays. 5 draws: the card dealt to the Player's Hand, a 2, makes it 7.
    assert described(deal("Kc 7c 2h", "Kd 5d")) == [
        ("initial", "player", 7, "631a.6(b)"),
        ("initial", "banker", 5, "631a.6(b)"),
        ("players_turn", "player", 7, 0, "631a.11(b)(2)"),
        ("bankers_turn", "banker", 5, None, 1, "631a.11(c)(1)"),
        ("third", "banker", 7, "631a.6(b)"),
        ("tie", 7, "631a.12(a)"),
    ]


def test_631a_11_a_third_card_that_was_not_seen() -> None:
    assert described(deal("2c 3d", "6s 9h"))[-1] == ("third_not_seen", "player", "631a.11(b)(1)")
    assert described(deal("2c 3d ?h", "6s 9h"))[-1] == ("third_not_seen", "player", "631a.11(b)(1)")
    assert described(deal("Kc 6c", "Kd 4d"))[-1] == ("third_not_seen", "banker", "631a.11(c)")
    assert described(deal("Kc 6c", "Kd 4d ?d"))[-1] == ("third_not_seen", "banker", "631a.11(c)")


def test_631a_6_b_a_card_that_was_not_read() -> None:
    # Any card of value zero leaves the count as it is, a card of unknown value leaves none.
    assert described(deal("0c 6c", "?d 4d"))[:3] == [
        ("initial", "player", 6, "631a.6(b)"),
        ("initial", "banker", None, "631a.6(b)"),
        ("card_not_read", "631a.6(b)"),
    ]
    assert described(deal("?d 4d", "0c 6c"))[-1] == ("card_not_read", "631a.6(b)")


def test_631a_15_e_a_void_round() -> None:
    assert described(deal("Kc 6c", "Kd 4d"), void=True) == [("called_void", "631a.15(e)")]
