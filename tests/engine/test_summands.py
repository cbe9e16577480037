"""What the steps of a sum add comes to what the player is owed, worked by hand."""

from datetime import date
from fractions import Fraction

import pytest

from projections.engine.adjudication import Reckoning, Ruling, summands_of, vigorish_of
from projections.engine.observation import Key, Paid
from schemas.rulebook import rulebook

BANKER = Key(3, None, "banker", None)
WON = Ruling("win", "631a.13(a)", Fraction(1), "631a.13(a)")


@pytest.mark.parametrize(("rounds", "adds"), [(True, [0, 0, 1050, -52, -23]), (False, [0, 0, 1050, -52])])
def test_631a_13_c_the_steps_add_up_to_the_gain_less_the_vigorish(rounds: bool, adds: list[int]) -> None:  # noqa: FBT001  a parameter of the test
    # 5% of $10.50 are 52.5 cents: 52 without the fraction, $0.75 up to the next quarter, 23 cents more.
    taken = vigorish_of(1050, Fraction(5, 100), 25, rounds=rounds, cite="631a.13(c)")
    book = rulebook("631a", date(2025, 4, 1), {})
    found = summands_of(BANKER, Reckoning(1050, WON, 1050, vigorish=taken), book)
    assert [each.adds for each in found] == adds


def test_what_a_settlement_came_to_is_its_gain_less_its_vigorish_with_what_was_put_right() -> None:
    # $10.50 won, $0.50 taken of it; put right afterwards by $1.00 more and $0.25 more taken.
    settled = Paid(1050, 50, later_cents=100, later_vigorish_cents=25)
    assert (settled.final_gain_cents, settled.final_vigorish_cents) == (1150, 75)
    assert settled.final_net_cents == 1075
